//! Whether a value is the same for all threads that perform a copy together.
//!
//! ```text
//!   block of 64, scope warp      threads 0 … 31   32 … 63
//!   thread / 32                          0 … 0     1 … 1     the same in each warp
//!   thread % 32                          0 … 31    0 … 31    threads 0 and 1 of one warp differ
//! ```

use std::rc::Rc;

use tile_isa::{Scope, Space, WARP, WARPGROUP, threads_of};
use tile_layout::Level;

use crate::problem::role::Role;
use crate::problem::threads::{Active, MAX_BLOCK, ThreadSet, Threads};

/// What is known about a value across the threads of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spread {
    /// The same known number for all threads.
    Constant(i64),
    /// Known for each thread, in linear order.
    Each(Rc<[i64]>),
    /// Not known, but the same for all threads of a group of this level.
    Uniform(Level),
}

impl Spread {
    /// The widest scope over which the value is the same for all threads.
    pub fn level(&self) -> Level {
        let values = match self {
            Spread::Constant(_) => return Level::Cta,
            Spread::Each(values) => values,
            Spread::Uniform(level) => return *level,
        };
        let same = |size: usize| values.chunks(size).all(|group| group.iter().all(|value| *value == group[0]));
        if same(values.len().max(1)) {
            Level::Cta
        } else if same(WARPGROUP as usize) {
            Level::Warpgroup
        } else if same(WARP as usize) {
            Level::Warp
        } else {
            Level::Thread
        }
    }

    /// The value for one thread, where it is known.
    pub fn at(&self, thread: usize) -> Option<i64> {
        match self {
            Spread::Constant(value) => Some(*value),
            Spread::Each(values) => values.get(thread).copied(),
            Spread::Uniform(_) => None,
        }
    }
}

/// A run-time operand of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunTimeOperand {
    /// The start of a region in one dimension.
    Begin(Role, usize),
    /// An offset of a view of the buffer, by its index.
    View(Role, usize),
    /// An extent or a stride of a buffer, by its index.
    RunTime(Role, usize),
    /// The memory that a tile is in, or its address.
    Storage(Role, Space),
    /// The mbarrier that completes the copy.
    Mbarrier,
    /// The CTA of the cluster that the copy goes to.
    RemoteCta,
    /// The CTAs of the cluster that the copy goes to.
    CtaMask,
    /// The number of a row of a matrix, by its index in the list.
    Row(usize),
    /// The row from which on rows are outside.
    Until,
    /// The offset of a filter from the pixel that it begins at, by its index in the list.
    Filter(usize),
    /// The fill value where a masked source is outside.
    Filler,
    /// Whether the thread takes part.
    Predicate,
}

impl RunTimeOperand {
    /// Whether all threads of the scope must agree on it. Each thread has its own predicate and registers.
    pub fn is_agreed(self) -> bool {
        !matches!(self, RunTimeOperand::Predicate | RunTimeOperand::Storage(_, Space::Local))
    }
}

/// Why a value is not the same for all threads of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Divergence {
    /// Two threads of one scope, by their linear index in the block, and their values.
    Differs {
        /// The threads.
        threads: [i64; 2],
        /// The value for each of them.
        values: [i64; 2],
    },
    /// It may be the same, but that cannot be proved.
    Unproved,
}

/// Checks that the value is the same for all threads of each scope that reach the copy. Where these are not known, any
/// thread may.
///
/// # Errors
/// Two threads that differ, where they are known.
pub fn uniform(value: &Spread, threads: &Threads) -> Result<(), Divergence> {
    let level = threads.scope.level();
    match value {
        Spread::Constant(_) => return Ok(()),
        Spread::Uniform(known) if *known >= level => return Ok(()),
        _ if threads.scope == Scope::Thread => return Ok(()),
        _ => {}
    }
    let all = || ThreadSet::range(0, threads.block.unwrap_or(MAX_BLOCK));
    let members = match &threads.active {
        Active::Known(active) => *active,
        Active::All | Active::Unknown { .. } => all(),
    };
    let count = threads.count().unwrap_or(MAX_BLOCK);
    let mut first = None;
    for thread in members.iter() {
        let first = *first.insert(first.filter(|first| first / count == thread / count).unwrap_or(thread));
        differ(value, first, thread)?;
    }
    Ok(())
}

/// Checks that two threads of one scope agree.
fn differ(value: &Spread, first: i64, thread: i64) -> Result<(), Divergence> {
    let at = |thread: i64| usize::try_from(thread).ok().and_then(|thread| value.at(thread));
    match (value, at(first), at(thread)) {
        (_, Some(a), Some(b)) if a == b => Ok(()),
        (_, Some(a), Some(b)) => Err(Divergence::Differs { threads: [first, thread], values: [a, b] }),
        (Spread::Uniform(level), ..) if first / group(*level) == thread / group(*level) => Ok(()),
        _ => Err(Divergence::Unproved),
    }
}

/// Number of threads in a group of this level.
fn group(level: Level) -> i64 {
    threads_of(level, Some(MAX_BLOCK)).unwrap_or(MAX_BLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each(values: impl Fn(i64) -> i64) -> Spread {
        Spread::Each((0..256).map(values).collect())
    }

    /// The definition: any two threads of one scope that execute the copy have the same value.
    fn by_definition(values: &Spread, members: &ThreadSet, count: i64) -> bool {
        members.iter().all(|a| {
            let others = members.iter().filter(|b| a / count == b / count);
            others.into_iter().all(|b| values.at(a as usize) == values.at(b as usize))
        })
    }

    #[test]
    fn exactly_the_values_that_agree_within_each_scope() {
        let divisors = [1, 2, 16, 32, 48, 64, 128, 256];
        let sets: [fn(i64) -> bool; 6] =
            [|_| true, |t| t == 70, |t| t % 32 == 0, |t| t % 32 < 2, |t| (40..90).contains(&t), |_| false];
        for scope in [Scope::Thread, Scope::Warp, Scope::Warpgroup, Scope::Cta] {
            for (divisor, set) in divisors.into_iter().flat_map(|divisor| sets.map(|set| (divisor, set))) {
                let members: ThreadSet = (0..256).filter(|&thread| set(thread)).collect();
                let threads = Threads { scope, block: Some(256), active: Active::Known(members) };
                let count = threads.count().unwrap();
                for value in [each(|thread| thread / divisor), each(|thread| thread % divisor)] {
                    let found = uniform(&value, &threads);
                    assert_eq!(found.is_ok(), by_definition(&value, &members, count), "{scope} {divisor} {found:?}");
                    let Err(Divergence::Differs { threads: [a, b], values }) = found else { continue };
                    assert!(members.contains(a) && members.contains(b) && a / count == b / count);
                    assert_eq!([value.at(a as usize), value.at(b as usize)], values.map(Some));
                    assert_ne!(values[0], values[1]);
                }
            }
        }
    }

    #[test]
    fn a_group_that_agrees_is_enough_where_no_other_gets_there() {
        let cta = |active| Threads { scope: Scope::Cta, block: Some(256), active };
        let only = |range: std::ops::Range<i64>| cta(Active::Known(range.collect()));
        let warp = Spread::Uniform(Level::Warp);
        assert_eq!(uniform(&warp, &only(32..64)), Ok(()));
        assert_eq!(uniform(&warp, &only(32..65)), Err(Divergence::Unproved));
        assert_eq!(uniform(&warp, &cta(Active::All)), Err(Divergence::Unproved));
        assert_eq!(uniform(&Spread::Uniform(Level::Thread), &only(7..8)), Ok(()));
        assert_eq!(uniform(&Spread::Uniform(Level::Cta), &cta(Active::All)), Ok(()));
        let unknown = Active::Unknown { why: "x < y".to_owned(), in_warps: false };
        assert_eq!(uniform(&warp, &cta(unknown)), Err(Divergence::Unproved));
    }

    #[test]
    fn levels() {
        let level = |divisor| each(|thread| thread / divisor).level();
        assert_eq!([1, 16, 32, 96, 128, 256].map(level), {
            use Level::{Cta, Thread, Warp, Warpgroup};
            [Thread, Thread, Warp, Warp, Warpgroup, Cta]
        });
    }

    #[test]
    fn registers_and_predicates_are_each_threads_own() {
        let owned = [RunTimeOperand::Predicate, RunTimeOperand::Storage(Role::Src, Space::Local)];
        let agreed = [
            RunTimeOperand::Begin(Role::Dst, 1),
            RunTimeOperand::Storage(Role::Dst, Space::Global),
            RunTimeOperand::Mbarrier,
            RunTimeOperand::RemoteCta,
            RunTimeOperand::CtaMask,
        ];
        assert!(
            owned.into_iter().all(|operand| !operand.is_agreed()) && agreed.into_iter().all(RunTimeOperand::is_agreed)
        );
    }
}
