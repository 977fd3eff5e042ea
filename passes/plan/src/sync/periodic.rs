//! Loops, and integers as functions of a loop's iteration.

use std::collections::{BTreeMap, BTreeSet};

use tile_layout::gcd;

use crate::sync::rounds::Rounds;

/// The longest period that is represented.
const LONGEST: i64 = 64;

/// `table[k mod period] + gain * (k / period)` in iteration `k` of a loop.
///
/// ```text
///   (k + 2) mod 3     table 2 0 1    gain 0          a ring of three stages
///   16 * k + 4        table 4        gain 16
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Periodic {
    table: Vec<i64>,
    gain: i64,
}

impl Periodic {
    /// The same value in every iteration.
    pub fn constant(value: i64) -> Self {
        Periodic { table: vec![value], gain: 0 }
    }

    /// The values of a non-empty table, repeated.
    pub fn table(table: Vec<i64>) -> Self {
        if table.is_empty() { Periodic::constant(0) } else { Periodic { table, gain: 0 } }
    }

    /// `first + step * k`.
    pub fn line(first: i64, step: i64) -> Self {
        Periodic { table: vec![first], gain: step }
    }

    /// The number of iterations after which it repeats, apart from the gain.
    pub fn period(&self) -> i64 {
        self.table.len() as i64
    }

    /// The amount added per period.
    pub fn gain(&self) -> i64 {
        self.gain
    }

    /// The value in iteration `k`; `None` if it overflows 64 bits.
    pub fn at(&self, k: i64) -> Option<i64> {
        let value = self.table[usize::try_from(k.rem_euclid(self.period())).ok()?];
        value.checked_add(self.gain.checked_mul(k.div_euclid(self.period()))?)
    }

    /// The same function with a longer period.
    #[must_use]
    pub fn over(&self, period: i64) -> Option<Self> {
        let gain = self.gain.checked_mul(period.checked_div(self.period())?)?;
        let table = (0..period).map(|k| self.at(k)).collect::<Option<_>>()?;
        (period % self.period() == 0).then_some(Periodic { table, gain })
    }

    /// The sum of two.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Option<Self> {
        let period = common(self.period(), other.period())?;
        let (a, b) = (self.over(period)?, other.over(period)?);
        let table = a.table.iter().zip(&b.table).map(|(a, b)| a.checked_add(*b)).collect::<Option<_>>()?;
        Some(Periodic { table, gain: a.gain.checked_add(b.gain)? })
    }

    /// The product with a number.
    #[must_use]
    pub fn times(&self, factor: i64) -> Option<Self> {
        let table = self.table.iter().map(|value| value.checked_mul(factor)).collect::<Option<_>>()?;
        Some(Periodic { table, gain: self.gain.checked_mul(factor)? })
    }

    /// The quotient, rounded down, and the remainder by a positive number.
    #[must_use]
    pub fn divided(&self, by: i64) -> Option<(Self, Self)> {
        if by < 1 {
            return None;
        }
        let whole = self.over(common(self.period(), self.period().checked_mul(by / gcd(self.gain, by).max(1))?)?)?;
        let apart = |part: fn(i64, i64) -> i64| whole.table.iter().map(|value| part(*value, by)).collect();
        let quotient = Periodic { table: apart(i64::div_euclid), gain: whole.gain / by };
        (whole.gain % by == 0).then_some((quotient, Periodic { table: apart(i64::rem_euclid), gain: 0 }))
    }

    /// The least and the greatest value over `trips` iterations, or over any number of them; `None` where there is no
    /// bound or no iteration.
    pub fn range(&self, trips: Option<i64>) -> Option<(i64, i64)> {
        let firsts = 0..self.period();
        let at = |k: i64| self.at(k);
        let each: Option<Vec<i64>> = match (self.gain, trips) {
            (0, None) => firsts.map(at).collect(),
            (_, None) => None,
            // The first and the last iteration of each position in the period.
            (_, Some(trips)) => {
                let firsts = 0..self.period().min(trips);
                let lasts = (trips - self.period()).max(0)..trips;
                firsts.chain(lasts).map(at).collect()
            }
        };
        let each = each?;
        each.iter().min().copied().zip(each.iter().max().copied())
    }

    /// Whether it is non-negative in every iteration.
    pub fn is_natural(&self) -> bool {
        self.gain >= 0 && self.table.iter().all(|&value| value >= 0)
    }
}

/// The least common multiple, if it is at most `LONGEST`.
pub(super) fn common(a: i64, b: i64) -> Option<i64> {
    let both = (a / gcd(a, b).max(1)).checked_mul(b)?;
    (1..=LONGEST).contains(&both).then_some(both)
}

/// What is known of a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loop {
    /// The trip count, if it is a known constant.
    pub trips: Option<i64>,
    /// Otherwise, a number that loops with equal trip counts share.
    pub count: Option<usize>,
    /// Whether its body is executed at least once.
    pub entered: bool,
    /// Which threads go round it together.
    pub rounds: Rounds,
    /// Whether a part of its body is also executed before it, as the condition of an `scf.while` is.
    pub rotated: bool,
    /// Values of [`Shift::fixed`](crate::sync::Shift::fixed) that each iteration computes anew: they are equal within one alone.
    pub varying: BTreeSet<usize>,
    /// Those of them that an iteration moves by a positive multiple of a number, the same multiple each time: an induction
    /// variable whose step is known only at run time. The number, by the value.
    pub steps: BTreeMap<usize, i64>,
    /// Those of them that differ between any two iterations, of this loop and of those around it in which they vary.
    pub distinct: BTreeSet<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_repeat() {
        let k = Periodic::line(0, 1);
        let (lap, stage) = k.plus(&Periodic::constant(2)).unwrap().divided(3).unwrap();
        for at in 0..20 {
            assert_eq!(stage.at(at), Some((at + 2) % 3));
            assert_eq!(lap.at(at), Some((at + 2) / 3));
        }
        assert_eq!((stage.period(), stage.gain()), (3, 0));
        let (lap, _) = Periodic::line(5, 6).divided(4).unwrap();
        assert!((0..20).all(|at| lap.at(at) == Some((5 + 6 * at) / 4)));
        assert_eq!(Periodic::line(0, 1).divided(100), None);
    }

    #[test]
    fn ranges_hold_all_iterations() {
        let ring = Periodic::line(2, 1).divided(3).unwrap().1.times(8).unwrap();
        let rising = ring.plus(&Periodic::line(-4, 6)).unwrap();
        for (periodic, trips) in [(&ring, 1), (&ring, 7), (&rising, 2), (&rising, 11)] {
            let all: Vec<i64> = (0..trips).map(|k| periodic.at(k).unwrap()).collect();
            assert_eq!(periodic.range(Some(trips)), all.iter().min().copied().zip(all.iter().max().copied()));
        }
        assert_eq!(ring.range(None), Some((0, 16)));
        assert_eq!((rising.range(None), ring.range(Some(0))), (None, None));
    }

    #[test]
    fn sums_have_the_common_period() {
        let ring = |stages| Periodic::line(0, 1).divided(stages).unwrap().1;
        let sum = ring(2).plus(&ring(3).times(10).unwrap()).unwrap();
        assert_eq!(sum.period(), 6);
        assert!((0..20).all(|at| sum.at(at) == Some(at % 2 + 10 * (at % 3))));
        assert_eq!(ring(7).plus(&ring(11)), None);
    }
}
