//! Where an access begins, and how far two are apart.

use std::collections::{BTreeMap, BTreeSet};

use crate::sync::loops::Loop;
use crate::sync::periodic::{Periodic, common};

/// The most distances that are looked at.
const MOST: usize = 4096;

/// Where an access begins: a sum.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shift {
    /// Values that all threads of a block agree in and that no iteration changes, by a number, times a number of bytes.
    pub fixed: BTreeMap<usize, i64>,
    /// What depends on the iteration of a loop.
    pub loops: BTreeMap<usize, Periodic>,
    /// Is more added, of which nothing is known?
    pub unknown: bool,
}

/// How the iterations of a loop in which two accesses happen are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// The same iteration.
    Same,
    /// The second so many iterations later.
    Later(i64),
    /// At least so many iterations later.
    AtLeast(i64),
    /// Any two.
    Any,
    /// The first outside of the loop, the second in this iteration.
    At(i64),
    /// The first outside of the loop, the second in this iteration or a later one.
    From(i64),
}

/// A distance in bytes, and the number of iterations for which it is that, where one loop carries it.
pub type Distance = (i64, Option<i64>);

impl Shift {
    /// Nothing but the beginning of the object.
    pub fn none() -> Self {
        Shift::default()
    }

    /// A beginning of which nothing is known.
    pub fn unknown() -> Self {
        Shift { unknown: true, ..Shift::default() }
    }

    /// The sum of two.
    #[must_use]
    pub fn plus(mut self, other: &Shift) -> Self {
        for (&value, &factor) in &other.fixed {
            let sum = self.fixed.entry(value).or_default();
            match sum.checked_add(factor) {
                Some(found) => *sum = found,
                None => self.unknown = true,
            }
        }
        self.fixed.retain(|_, factor| *factor != 0);
        for (&number, periodic) in &other.loops {
            let found = self.loops.get(&number).map_or(Some(periodic.clone()), |own| own.plus(periodic));
            match found {
                Some(found) => drop(self.loops.insert(number, found)),
                None => self.unknown = true,
            }
        }
        self.unknown |= other.unknown;
        self
    }

    /// How far the beginning of `second` may be behind that of `first`, in bytes; `None` where that is not known. `span`:
    /// accesses that are further apart do not meet.
    pub fn distances(
        first: &Shift,
        second: &Shift,
        loops: &[Loop],
        apart: impl Fn(usize) -> Apart,
        span: i64,
    ) -> Option<Vec<Distance>> {
        if first.unknown || second.unknown || first.fixed != second.fixed {
            return None;
        }
        let mut all: BTreeMap<i64, Option<i64>> = BTreeMap::from([(0, None)]);
        let numbers: BTreeSet<usize> = first.loops.keys().chain(second.loops.keys()).copied().collect();
        for number in numbers {
            let zero = Periodic::constant(0);
            let of = |shift: &Shift| shift.loops.get(&number).unwrap_or(&zero).clone();
            let one = between(&of(first), &of(second), loops.get(number)?, apart(number), span)?;
            let mut sums = BTreeMap::new();
            for (&sum, &later) in &all {
                for &(distance, found) in &one {
                    sums.entry(sum.checked_add(distance)?).or_insert(later.or(found));
                }
            }
            all = sums;
            if all.len() > MOST {
                return None;
            }
        }
        Some(all.into_iter().collect())
    }
}

/// The same of one loop.
fn between(first: &Periodic, second: &Periodic, of: &Loop, apart: Apart, span: i64) -> Option<Vec<Distance>> {
    let trips = of.trips;
    let most = MOST as i64;
    match apart {
        Apart::Any => any(first, second, trips),
        Apart::At(k) if trips.is_some_and(|trips| k >= trips) => Some(Vec::new()),
        Apart::At(k) => Some(vec![(second.at(k)?.checked_sub(first.at(0)?)?, None)]),
        Apart::From(k) => {
            let end = match (trips, second.gain().checked_abs()?) {
                (Some(trips), _) => trips,
                (None, 0) => k.checked_add(second.period())?,
                (None, gain) => {
                    let spread = (0..second.period()).filter_map(|k| second.at(k)).map(i64::saturating_abs).max()?;
                    let reach = span.checked_add(spread)?.checked_add(first.at(0)?.checked_abs()?)?;
                    k.checked_add(second.period().checked_mul(reach / gain + 2)?)?
                }
            };
            let values = (k..end).take(MOST + 1).map(|k| Some((second.at(k)?.checked_sub(first.at(0)?)?, None)));
            values.collect::<Option<Vec<_>>>().filter(|found| found.len() <= MOST)
        }
        Apart::Same => carried(first, second, trips, 0),
        Apart::Later(by) => carried(first, second, trips, by),
        Apart::AtLeast(least) => {
            let end = match trips {
                Some(trips) => trips,
                None => least.checked_add(last(first, second, span)?)?,
            };
            if end - least > most {
                return None;
            }
            let mut found = Vec::new();
            for by in least..end {
                found.extend(carried(first, second, trips, by)?);
                if found.len() > 16 * MOST {
                    return None;
                }
            }
            Some(found)
        }
    }
}

/// After how many more iterations all distances have been seen, or are too large to matter.
fn last(first: &Periodic, second: &Periodic, span: i64) -> Option<i64> {
    let period = common(first.period(), second.period())?;
    let (a, b) = (first.over(period)?, second.over(period)?);
    if a.gain() != b.gain() {
        return None;
    }
    let spread = |it: &Periodic| (0..period).map(|k| it.at(k).map_or(i64::MAX, i64::saturating_abs)).max().unwrap_or(0);
    let reach = span.checked_add(spread(&a).checked_add(spread(&b))?)?;
    match a.gain().checked_abs()? {
        0 => Some(period),
        gain => period.checked_mul(reach / gain + 2),
    }
}

/// The distances where the second comes `by` iterations later.
fn carried(first: &Periodic, second: &Periodic, trips: Option<i64>, by: i64) -> Option<Vec<Distance>> {
    let pairs = trips.map(|trips| trips - by);
    if pairs.is_some_and(|pairs| pairs <= 0) {
        return Some(Vec::new());
    }
    let period = common(first.period(), second.period());
    let alike = period.filter(|&period| {
        let gain = |it: &Periodic| it.over(period).map(|it| it.gain());
        gain(first).is_some() && gain(first) == gain(second)
    });
    // Within a period nothing else is seen, if the gains agree.
    let count = match (alike, pairs) {
        (Some(period), pairs) => pairs.map_or(period, |pairs| pairs.min(period)),
        (None, Some(pairs)) if pairs <= MOST as i64 => pairs,
        _ => return None,
    };
    let later = (by > 0).then_some(by);
    (0..count).map(|k| Some((second.at(k + by)?.checked_sub(first.at(k)?)?, later))).collect()
}

/// The distances of any two iterations.
fn any(first: &Periodic, second: &Periodic, trips: Option<i64>) -> Option<Vec<Distance>> {
    let seen = |it: &Periodic| match (it.gain(), trips) {
        (0, trips) => Some(trips.map_or(it.period(), |trips| trips.min(it.period()))),
        (_, Some(trips)) if trips <= 64 => Some(trips),
        _ => None,
    };
    let (a, b) = (seen(first)?, seen(second)?);
    let mut found = Vec::new();
    for k in 0..a {
        for later in 0..b {
            found.push((second.at(later)?.checked_sub(first.at(k)?)?, None));
        }
    }
    Some(found)
}
