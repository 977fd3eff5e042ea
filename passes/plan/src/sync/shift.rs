//! Where an access begins, and how far two are apart.

use std::collections::{BTreeMap, BTreeSet};

use tile_layout::gcd;

use crate::sync::periodic::{Loop, Periodic, common};

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

    /// Is all that it adds a multiple of a number?
    pub fn is_multiple_of(&self, number: i64) -> bool {
        let divides = |it: i64| it % number == 0;
        let repeats = |it: &Periodic| divides(it.gain()) && (0..it.period()).all(|k| it.at(k).is_some_and(divides));
        !self.unknown && self.fixed.values().copied().all(divides) && self.loops.values().all(repeats)
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

    /// What it adds in some iterations of loops, but for fixed values; `None` where it moves in another loop.
    pub fn at(&self, iterations: &[(usize, i64)]) -> Option<i64> {
        self.loops.iter().try_fold(0i64, |sum, (number, periodic)| {
            let (_, k) = iterations.iter().find(|(other, _)| other == number)?;
            sum.checked_add(periodic.at(*k)?)
        })
    }

    /// How far the beginning of `second` may be behind that of `first`, in bytes; `None` where that is not known. `span`:
    /// accesses that are further apart do not meet, and such distances may be left out.
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
        let zero = Periodic::constant(0);
        let mut endless = None;
        for number in numbers {
            let of = |shift: &Shift| shift.loops.get(&number).unwrap_or(&zero).clone();
            let pair = Pair { first: of(first), second: of(second), trips: loops.get(number)?.trips };
            match pair.between(apart(number), None) {
                Some(found) => all = sums(&all, &found)?,
                // What one loop adds without end another one may take away.
                None if endless.is_some() => return None,
                None => endless = Some((pair, apart(number))),
            }
        }
        if let Some((pair, apart)) = endless {
            let added = all.keys().map(|sum| sum.saturating_abs()).max().unwrap_or(0);
            all = sums(&all, &pair.between(apart, Some(span.checked_add(added)?))?)?;
        }
        Some(all.into_iter().collect())
    }
}

/// Each sum of two distances, if there are not too many.
fn sums(all: &BTreeMap<i64, Option<i64>>, more: &[Distance]) -> Option<BTreeMap<i64, Option<i64>>> {
    let mut sums = BTreeMap::new();
    for (&sum, &later) in all {
        for &(distance, found) in more {
            sums.entry(sum.checked_add(distance)?).or_insert(later.or(found));
        }
    }
    (sums.len() <= MOST).then_some(sums)
}

/// What two accesses add in the iterations of one loop.
struct Pair {
    first: Periodic,
    second: Periodic,
    trips: Option<i64>,
}

impl Pair {
    /// The distances of two iterations that are so far apart; with a span, those beyond it may be left out. `None` where there
    /// are too many.
    fn between(&self, apart: Apart, span: Option<i64>) -> Option<Vec<Distance>> {
        match apart {
            Apart::Any => self.any(span),
            Apart::At(k) if self.trips.is_some_and(|trips| k >= trips) => Some(Vec::new()),
            Apart::At(k) => Some(vec![(self.second.at(k)?.checked_sub(self.first.at(0)?)?, None)]),
            Apart::From(k) => self.from(k, span),
            Apart::Same => self.carried(0, span),
            Apart::Later(by) => self.carried(by, span),
            Apart::AtLeast(least) => {
                let seen = self.last(span).and_then(|more| least.checked_add(more));
                let end = seen.into_iter().chain(self.trips).min()?;
                if end - least > MOST as i64 {
                    return None;
                }
                let mut found = Vec::new();
                for by in least..end {
                    found.extend(self.carried(by, span)?);
                    if found.len() > 16 * MOST {
                        return None;
                    }
                }
                Some(found)
            }
        }
    }

    /// The first outside of the loop, the second in iteration `k` or a later one.
    fn from(&self, k: i64, span: Option<i64>) -> Option<Vec<Distance>> {
        let (first, second) = (self.first.at(0)?, &self.second);
        let end = match (self.trips, second.gain().checked_abs()?) {
            (Some(trips), _) => trips,
            (None, 0) => k.checked_add(second.period())?,
            (None, gain) => {
                let reach = span?.checked_add(spread(second, second.period()))?.checked_add(first.checked_abs()?)?;
                k.checked_add(second.period().checked_mul(reach / gain + 2)?)?
            }
        };
        let values = (k..end).take(MOST + 1).map(|k| Some((second.at(k)?.checked_sub(first)?, None)));
        values.collect::<Option<Vec<_>>>().filter(|found| found.len() <= MOST)
    }

    /// Both over their common period, and what that adds to each.
    fn gains(&self) -> Option<(i64, i64, i64)> {
        let period = common(self.first.period(), self.second.period())?;
        Some((period, self.first.over(period)?.gain(), self.second.over(period)?.gain()))
    }

    /// How far the second is behind the first in one iteration, at most, before gains count.
    fn reach(&self, period: i64, span: i64) -> Option<i64> {
        span.checked_add(spread(&self.first, period).checked_add(spread(&self.second, period))?)
    }

    /// After how many more iterations all distances have been seen, or are beyond the span.
    ///
    /// With `a` and `b` added in each period to the first and the second, the second `y` periods later and the first in period
    /// `x` are `(b - a) * x + b * y` apart: more with every `y`, whatever `x`, only where `b - a` does not lead back.
    fn last(&self, span: Option<i64>) -> Option<i64> {
        let (period, a, b) = self.gains()?;
        let more = b.checked_sub(a)?;
        match b.checked_abs()? {
            0 => Some(period),
            gain if more == 0 || (more > 0) == (b > 0) => period.checked_mul(self.reach(period, span?)? / gain + 2),
            _ => None,
        }
    }

    /// The distances where the second comes `by` iterations later.
    fn carried(&self, by: i64, span: Option<i64>) -> Option<Vec<Distance>> {
        let pairs = self.trips.map(|trips| trips - by);
        if pairs.is_some_and(|pairs| pairs <= 0) {
            return Some(Vec::new());
        }
        // Within a period nothing else is seen, if the gains agree; else they lead away.
        let seen = self.gains().and_then(|(period, a, b)| match b.checked_sub(a)?.checked_abs()? {
            0 => Some(period),
            gain => {
                let late = b.checked_mul(by / period + 1)?.checked_abs()?;
                period.checked_mul(self.reach(period, span?)?.checked_add(late)? / gain + 2)
            }
        });
        let count = match (seen, pairs) {
            (Some(seen), pairs) => pairs.map_or(seen, |pairs| pairs.min(seen)),
            (None, pairs) => pairs?,
        };
        if count > MOST as i64 {
            return None;
        }
        let later = (by > 0).then_some(by);
        (0..count).map(|k| Some((self.second.at(k + by)?.checked_sub(self.first.at(k)?)?, later))).collect()
    }

    /// The distances of any two iterations.
    fn any(&self, span: Option<i64>) -> Option<Vec<Distance>> {
        let seen = |it: &Periodic| match (it.gain(), self.trips) {
            (0, trips) => Some(trips.map_or(it.period(), |trips| trips.min(it.period()))),
            (_, Some(trips)) if trips <= 64 => Some(trips),
            _ => None,
        };
        let Some((a, b)) = seen(&self.first).zip(seen(&self.second)) else { return self.reached(span?) };
        let mut found = Vec::new();
        for k in 0..a {
            for later in 0..b {
                found.push((self.second.at(later)?.checked_sub(self.first.at(k)?)?, None));
            }
        }
        Some(found)
    }

    /// The same within the span: what a multiple of both gains leads to, of each two places in the periods.
    fn reached(&self, span: i64) -> Option<Vec<Distance>> {
        let step = gcd(self.first.gain().checked_abs()?, self.second.gain().checked_abs()?);
        let mut found = BTreeSet::new();
        for k in 0..self.first.period() {
            for later in 0..self.second.period() {
                let one = self.second.at(later)?.checked_sub(self.first.at(k)?)?;
                let mut next = one.checked_add(span)?.rem_euclid(step) - span;
                while next <= span {
                    found.insert(next);
                    next = next.checked_add(step)?;
                    if found.len() > MOST {
                        return None;
                    }
                }
            }
        }
        Some(found.into_iter().map(|distance| (distance, None)).collect())
    }
}

/// The greatest number of one period, without its sign.
fn spread(of: &Periodic, period: i64) -> i64 {
    (0..period).map(|k| of.at(k).map_or(i64::MAX, i64::saturating_abs)).max().unwrap_or(0)
}
