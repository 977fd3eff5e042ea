//! The threads that share a copy, where not all threads of the scope do, and their order.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tile_layout::{IndexArith, counted};

use crate::problem::threads::{ThreadSet, Threads};
use crate::sides::side::{Condition, Test};
use crate::text::is_default;

/// The most digits of a rank: each is a division and a remainder for every thread.
const MAX_DIGITS: usize = 3;

/// A subset of the threads of a scope, in ascending order: thread `first + i * s + …` has the rank `i * … + …`.
///
/// ```text
///   lanes 16 to 31                       first 16, (16 : 1)            rank t - 16
///   every fourth thread of 128           first 0, (32 : 4)             rank t / 4
///   lanes 8 to 15 of warps 1 and 2       first 40, (2 : 32), (8 : 1)   rank u / 32 * 8 + u mod 32, u = t - 40
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranks {
    /// The scope-relative thread of rank 0.
    pub first: i64,
    /// Extent and stride of each mixed-radix digit, the slowest first. Each stride exceeds the reach of all faster
    /// digits.
    #[serde(default, skip_serializing_if = "is_default")]
    pub digits: Vec<(i64, i64)>,
}

impl Ranks {
    /// The ranks of a set of threads; `None` where it is empty, or cannot be expressed by such digits.
    pub fn of(members: &ThreadSet) -> Option<Ranks> {
        let mut left: Vec<i64> = members.iter().collect();
        let first = *left.first()?;
        let mut digits = Vec::new();
        while left.len() > 1 {
            let step = left[1] - left[0];
            let run = left.windows(2).take_while(|ends| ends[1] - ends[0] == step).count() + 1;
            let shape = |chunk: &[i64]| chunk.windows(2).all(|ends| ends[1] - ends[0] == step);
            if !left.len().is_multiple_of(run) || !left.chunks(run).all(shape) || digits.len() == MAX_DIGITS {
                return None;
            }
            digits.insert(0, (run as i64, step));
            left = left.into_iter().step_by(run).collect();
        }
        Some(Ranks { first, digits })
    }

    /// The number of threads; `None` where it overflows.
    pub fn count(&self) -> Option<i64> {
        self.digits.iter().try_fold(1i64, |count, (extent, _)| count.checked_mul(*extent))
    }

    /// The number of threads from the first to the last one, inclusive; `None` where it overflows.
    pub fn span(&self) -> Option<i64> {
        let reach = |span: i64, &(extent, step): &(i64, i64)| span.checked_add((extent - 1).checked_mul(step)?);
        self.digits.iter().try_fold(1i64, reach)
    }

    /// The rank of a scope-relative thread; `None` for one that has none.
    pub fn rank(&self, thread: i64) -> Option<i64> {
        let mut rest = thread.checked_sub(self.first).filter(|rest| *rest >= 0)?;
        let mut rank = 0;
        for &(extent, step) in &self.digits {
            let digit = rest / step;
            rest %= step;
            rank = (digit < extent).then(|| rank * extent + digit)?;
        }
        (rest == 0).then_some(rank)
    }

    /// Whether the active threads are known and each of them has a rank.
    pub fn hold_all(&self, threads: &Threads) -> bool {
        let Some(count) = threads.count() else { return false };
        threads.known().is_some_and(|active| active.iter().all(|thread| self.rank(thread % count).is_some()))
    }

    /// Checks that the digits count each of `threads` threads once, within a scope of `count` threads, where that is
    /// known.
    ///
    /// # Errors
    /// What was got and what is needed.
    pub fn check(&self, threads: i64, count: Option<i64>) -> Result<(), RanksError> {
        let mut reach = 0i64;
        for &(extent, step) in self.digits.iter().rev() {
            if extent < 2 || step <= reach {
                return Err(RanksError::Step { extent, step, reach });
            }
            let span = (extent - 1).checked_mul(step);
            reach = span.and_then(|span| span.checked_add(reach)).ok_or(RanksError::Endless)?;
        }
        if self.count() != Some(threads) {
            return Err(RanksError::Count { threads });
        }
        let end = self.first.checked_add(reach).and_then(|last| last.checked_add(1));
        match end {
            Some(end) if self.first >= 0 && count.is_none_or(|count| end <= count) => Ok(()),
            _ => Err(RanksError::Outside { first: self.first }),
        }
    }
}

/// What is wrong with the ranks of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RanksError {
    /// A digit that is none, or that repeats threads of the faster ones.
    #[error("{extent} ranks in steps of {step}; needed 2 or more, further than {reach}")]
    Step {
        /// The digit's extent.
        extent: i64,
        /// The digit's stride.
        step: i64,
        /// The distance of the last thread of all faster digits.
        reach: i64,
    },
    /// Threads beyond 64 bits.
    #[error("ranks without end")]
    Endless,
    /// Another number of threads than the plan has.
    #[error("the ranks do not count {}", counted(*.threads, "thread"))]
    Count {
        /// The plan's number.
        threads: i64,
    },
    /// Threads that the scope does not have.
    #[error("the ranks begin at thread {first} and leave the scope")]
    Outside {
        /// The thread of rank 0.
        first: i64,
    },
}

/// The rank of thread `t`, and the conditions under which it has one.
pub fn rank<A: IndexArith>(a: &mut A, ranks: &Ranks, t: A::Value) -> (A::Value, Vec<Condition<A::Value>>) {
    let first = a.constant(ranks.first);
    let from_first = a.sub(t, first);
    let span = ranks.span().unwrap_or(i64::MAX);
    let mut conditions = vec![Condition { value: from_first.clone(), test: Test::Within(span) }];
    let mut rest = from_first;
    let mut terms = Vec::new();
    let mut inside = ranks.count().unwrap_or(1);
    for (index, &(extent, step)) in ranks.digits.iter().enumerate() {
        inside /= extent;
        let stride = a.constant(step);
        let digit = a.div(rest.clone(), stride.clone());
        rest = a.rem(rest, stride);
        if index > 0 {
            conditions.push(Condition { value: digit.clone(), test: Test::Within(extent) });
        }
        terms.push(a.scale(digit, inside));
    }
    if ranks.digits.last().is_some_and(|&(_, step)| step != 1) {
        conditions.push(Condition { value: rest, test: Test::Zero });
    }
    (a.sum(terms, 0), conditions)
}

#[cfg(test)]
mod tests {
    use tile_layout::Eval;

    use super::*;

    fn digits(members: impl IntoIterator<Item = i64>) -> Option<(i64, Vec<(i64, i64)>)> {
        Ranks::of(&members.into_iter().collect()).map(|ranks| (ranks.first, ranks.digits))
    }

    #[test]
    fn sets_that_are_digits() {
        assert_eq!(digits(16..32), Some((16, vec![(16, 1)])));
        assert_eq!(digits((0..128).step_by(4)), Some((0, vec![(32, 4)])));
        assert_eq!(digits((32..96).filter(|t| t % 32 / 8 == 1)), Some((40, vec![(2, 32), (8, 1)])));
        assert_eq!(digits((0..128).filter(|t| t % 32 / 16 == 1 && t % 4 == 2)), Some((18, vec![(4, 32), (4, 4)])));
        assert_eq!(digits([7]), Some((7, vec![])));
        assert_eq!((digits([]), digits([0, 5, 6]), digits([0, 1, 2, 4, 5])), (None, None, None));
    }

    #[test]
    fn the_formula_gives_ranks_in_order() {
        let sets: [fn(i64) -> bool; 8] = [
            |t| t >= 16,
            |t| t % 3 == 1,
            |t| t % 32 >= 20 && t / 32 != 0,
            |t| t == 70,
            |t| t % 8 < 3,
            |t| t % 64 >= 32 && t % 4 == 3,
            |t| (5..9).contains(&(t % 16)) && t % 2 == 1,
            |_| true,
        ];
        for set in sets {
            let members: ThreadSet = (0..128).filter(|&thread| set(thread)).collect();
            let ranks = Ranks::of(&members).unwrap();
            assert_eq!(ranks.check(members.len(), Some(128)), Ok(()));
            let expected: Vec<i64> = members.iter().collect();
            for thread in 0..128 {
                let at = expected.iter().position(|member| *member == thread).map(|at| at as i64);
                let (value, conditions) = rank(&mut Eval, &ranks, thread);
                let admitted = conditions.iter().all(|condition| condition.holds());
                assert_eq!((ranks.rank(thread), admitted.then_some(value)), (at, at), "{ranks:?} {thread}");
            }
        }
    }

    #[test]
    fn ranks_that_are_none() {
        let refused = |first, digits: &[(i64, i64)], threads| {
            Ranks { first, digits: digits.to_vec() }.check(threads, Some(32)).unwrap_err().to_string()
        };
        assert!(refused(16, &[(17, 1)], 17).contains("leave the scope"));
        assert!(refused(0, &[(4, 2), (4, 1)], 16).contains("4 ranks in steps of 2; needed 2 or more, further than 3"));
        assert!(refused(0, &[(4, 1)], 8).contains("do not count 8 threads"));
        assert!(refused(-1, &[(4, 1)], 4).contains("begin at thread -1"));
        assert!(refused(0, &[(i64::MAX, i64::MAX)], 4).contains("without end"));
    }
}
