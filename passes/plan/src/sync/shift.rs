//! The start offset of an access, and the distances between two accesses.

use std::collections::{BTreeMap, BTreeSet};

use tile_layout::gcd;

use crate::sync::periodic::{Loop, Periodic, common};
use crate::sync::reach::Reach;

/// The most distances that are enumerated.
const MAX_DISTANCES: usize = 4096;

/// The start offset of an access in its object, as a sum.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shift {
    /// Values that are uniform across a block, by their numbers, each with its factor in bytes. They are the same in all
    /// iterations of the loops that do not [vary](Loop::varying) them.
    pub fixed: BTreeMap<usize, i64>,
    /// The part that depends on the iteration of a loop, by the number of the loop.
    pub loops: BTreeMap<usize, Periodic>,
    /// Whether something unknown is added.
    pub unknown: bool,
    /// Of loops that move a region along one dimension of its buffer: how far they may, by the number of the loop.
    pub reach: BTreeMap<usize, Reach>,
    /// Where the access ends at the latest, where a bound of a loop says more than its iterations.
    pub end: Option<End>,
}

/// A byte of an object, as the sum of fixed values, each with its factor in bytes, and a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// The fixed values.
    pub fixed: BTreeMap<usize, i64>,
    /// The number.
    pub byte: i64,
}

/// How the iterations of a loop in which two accesses take place are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Apart {
    /// The same iteration.
    Same,
    /// The second is this many iterations later.
    Later(i64),
    /// The second is at least this many iterations later.
    AtLeast(i64),
    /// Any two iterations.
    Any,
    /// The first is outside the loop, the second in this iteration.
    At(i64),
    /// The first is outside the loop, the second in this iteration or a later one.
    From(i64),
}

/// A distance in bytes, and the number of iterations between the two accesses if one loop carries the distance.
pub type Distance = (i64, Option<i64>);

impl Shift {
    /// The beginning of the object.
    pub fn none() -> Self {
        Shift::default()
    }

    /// An unknown start.
    pub fn unknown() -> Self {
        Shift { unknown: true, ..Shift::default() }
    }

    /// Whether everything that it adds is a multiple of a number.
    pub fn is_multiple_of(&self, number: i64) -> bool {
        let divides = |it: i64| it % number == 0;
        let repeats = |it: &Periodic| divides(it.gain()) && (0..it.period()).all(|k| it.at(k).is_some_and(divides));
        !self.unknown && self.fixed.values().copied().all(divides) && self.loops.values().all(repeats)
    }

    /// The loops whose iterations compute anew a value that it contains.
    pub fn varied_by(&self, loops: &[Loop]) -> impl Iterator<Item = usize> {
        let contains = |of: &Loop| of.varying.iter().any(|value| self.fixed.contains_key(value));
        // Without fixed values, which is the common case, no loop needs to be visited.
        let looked_at = if self.fixed.is_empty() { &[] } else { loops };
        looked_at.iter().enumerate().filter(move |(_, of)| contains(of)).map(|(number, _)| number)
    }

    /// Of each loop with a run-time trip count that moves it without bound: the number of bytes per period, and the period.
    pub(super) fn rates(&self, loops: &[Loop]) -> Vec<(i64, i64)> {
        let is_open = |number: usize| loops.get(number).is_some_and(|of| of.trips.is_none());
        let open = self.loops.iter().filter(|(number, _)| is_open(**number));
        open.map(|(_, it)| (it.gain(), it.period())).filter(|it| it.0 != 0).collect()
    }

    /// The number of bytes of which an iteration of a loop moves it by a positive multiple, the same each time; `None` where
    /// it may move otherwise.
    fn step_in(&self, of: &Loop) -> Option<i64> {
        let mut varying = self.fixed.iter().filter(|(value, _)| of.varying.contains(value));
        let (value, factor) = varying.next().filter(|_| varying.next().is_none())?;
        of.steps.get(value)?.checked_mul(*factor).filter(|&step| step != 0)
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
        self.reach.retain(|number, _| !other.loops.contains_key(number));
        let own = &self.loops;
        let more = other.reach.iter().filter(|(number, _)| !own.contains_key(number));
        self.reach.extend(more.map(|(&number, reach)| (number, reach.clone())));
        for (&number, periodic) in &other.loops {
            let found = self.loops.get(&number).map_or(Some(periodic.clone()), |own| own.plus(periodic));
            match found {
                Some(found) => drop(self.loops.insert(number, found)),
                None => self.unknown = true,
            }
        }
        self.unknown |= other.unknown;
        self.end = None;
        self
    }

    /// The offset in the given iterations of loops, without the fixed values; `None` if it also depends on another
    /// loop.
    pub fn at(&self, iterations: &[(usize, i64)]) -> Option<i64> {
        self.loops.iter().try_fold(0i64, |sum, (number, periodic)| {
            let (_, k) = iterations.iter().find(|(other, _)| other == number)?;
            sum.checked_add(periodic.at(*k)?)
        })
    }

    /// The distances in bytes that the start of `second` may have from that of `first`; `None` where unknown. Accesses
    /// further apart than `span` do not meet, so larger distances may be left out.
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
        let mut varied = first.varied_by(loops).filter(|&number| apart(number) != Apart::Same);
        let stepped = match (varied.next(), varied.next()) {
            (None, _) => None,
            (Some(number), None) => Some((first.step_in(&loops[number])?, apart(number))),
            (Some(_), Some(_)) => return None,
        };
        let mut all: BTreeMap<i64, Option<i64>> = BTreeMap::from([(0, None)]);
        let numbers: BTreeSet<usize> = first.loops.keys().chain(second.loops.keys()).copied().collect();
        let zero = Periodic::constant(0);
        let mut endless = None;
        for number in numbers {
            let of = |shift: &Shift| shift.loops.get(&number).unwrap_or(&zero).clone();
            let pair = Pair { first: of(first), second: of(second), trips: loops.get(number)?.trips };
            let reach = first.reach.get(&number).zip(second.reach.get(&number)).and_then(|(a, b)| a.between(b));
            let span = reach.as_ref().map(|it| it.start().saturating_abs().max(it.end().saturating_abs()));
            match pair.between(apart(number), span) {
                Some(mut found) => {
                    found.retain(|(distance, _)| reach.as_ref().is_none_or(|reach| reach.contains(distance)));
                    all = sums(&all, &found)?;
                }
                // Two unbounded loops may cancel each other out.
                None if endless.is_some() || stepped.is_some() => return None,
                None => endless = Some((pair, apart(number))),
            }
        }
        if let Some((pair, apart)) = endless {
            let added = all.keys().map(|sum| sum.saturating_abs()).max().unwrap_or(0);
            all = sums(&all, &pair.between(apart, Some(span.checked_add(added)?))?)?;
        }
        if let Some((step, apart)) = stepped {
            let added = all.keys().map(|sum| sum.saturating_abs()).max().unwrap_or(0);
            all = sums(&all, &multiples(step, apart, span.checked_add(added)?)?)?;
        }
        Some(all.into_iter().collect())
    }
}

/// All sums of two distances, if there are not too many.
fn sums(all: &BTreeMap<i64, Option<i64>>, more: &[Distance]) -> Option<BTreeMap<i64, Option<i64>>> {
    let mut sums = BTreeMap::new();
    for (&sum, &later) in all {
        for &(distance, found) in more {
            sums.entry(sum.checked_add(distance)?).or_insert(later.or(found));
        }
    }
    (sums.len() <= MAX_DISTANCES).then_some(sums)
}

/// The multiples of a step within a span that lie between two iterations which are related by `apart`; `None` where there are
/// too many.
fn multiples(step: i64, apart: Apart, span: i64) -> Option<Vec<Distance>> {
    let most = span.checked_div(step.checked_abs()?)?;
    let least = match apart {
        Apart::Same => return Some(vec![(0, None)]),
        // One more iteration is at least one more step.
        Apart::Later(by) | Apart::AtLeast(by) => by,
        Apart::Any => -most,
        // Outside the loop there is no such value.
        Apart::At(_) | Apart::From(_) => return None,
    };
    if most.saturating_sub(least) > MAX_DISTANCES as i64 {
        return None;
    }
    (least..=most).map(|times| Some((step.checked_mul(times)?, None))).collect()
}

/// The parts of two starts that depend on the iteration of one loop.
struct Pair {
    first: Periodic,
    second: Periodic,
    trips: Option<i64>,
}

impl Pair {
    /// The distances between two iterations that are related by `apart`. With a span, distances beyond it may be left
    /// out. `None` where there are too many.
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
                if end - least > MAX_DISTANCES as i64 {
                    return None;
                }
                let mut found = Vec::new();
                for by in least..end {
                    found.extend(self.carried(by, span)?);
                    if found.len() > 16 * MAX_DISTANCES {
                        return None;
                    }
                }
                Some(found)
            }
        }
    }

    /// The distances where the first is outside the loop, and the second in iteration `k` or a later one.
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
        let values = (k..end).take(MAX_DISTANCES + 1).map(|k| Some((second.at(k)?.checked_sub(first)?, None)));
        values.collect::<Option<Vec<_>>>().filter(|found| found.len() <= MAX_DISTANCES)
    }

    /// The common period of both, and what it adds to each.
    fn gains(&self) -> Option<(i64, i64, i64)> {
        let period = common(self.first.period(), self.second.period())?;
        Some((period, self.first.over(period)?.gain(), self.second.over(period)?.gain()))
    }

    /// The span, plus the largest distance that the two may have within one period, before gains are added.
    fn reach(&self, period: i64, span: i64) -> Option<i64> {
        span.checked_add(spread(&self.first, period).checked_add(spread(&self.second, period))?)
    }

    /// The number of further iterations after which all distances have been seen or lie beyond the span.
    ///
    /// Let each period add `a` to the first and `b` to the second. The second, `y` periods after the first in period
    /// `x`, is then `(b - a) * x + b * y` away. For every `x` that grows with `y` only if `b - a` is 0 or has the sign
    /// of `b`.
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
        // With equal gains, one period shows all distances; with different gains, the distances grow beyond the span.
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
        if count > MAX_DISTANCES as i64 {
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

    /// The distances of any two iterations, within the span: for each pair of positions in the two periods, all that
    /// differ by multiples of the greatest common divisor of the gains.
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
                    if found.len() > MAX_DISTANCES {
                        return None;
                    }
                }
            }
        }
        Some(found.into_iter().map(|distance| (distance, None)).collect())
    }
}

/// The largest absolute value within one period.
fn spread(of: &Periodic, period: i64) -> i64 {
    (0..period).map(|k| of.at(k).map_or(i64::MAX, i64::saturating_abs)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A variable that a loop moves by a multiple of 1024 elements of 4 bytes.
    fn grid_stride() -> (Shift, Vec<Loop>) {
        let of = Loop { varying: BTreeSet::from([7]), steps: BTreeMap::from([(7, 1024)]), ..Loop::default() };
        (Shift { fixed: [(7, 4)].into(), ..Shift::none() }, vec![of])
    }

    fn distances(apart: Apart, span: i64) -> Option<Vec<i64>> {
        let (shift, loops) = grid_stride();
        let found = Shift::distances(&shift, &shift, &loops, |_| apart, span)?;
        Some(found.into_iter().map(|(distance, _)| distance).collect())
    }

    #[test]
    fn a_run_time_step_moves_by_whole_steps() {
        assert_eq!(distances(Apart::Same, 8192), Some(vec![0]));
        assert_eq!(distances(Apart::Later(1), 4095), Some(vec![]));
        assert_eq!(distances(Apart::Later(1), 8192), Some(vec![4096, 8192]));
        assert_eq!(distances(Apart::AtLeast(2), 8192), Some(vec![8192]));
        assert_eq!(distances(Apart::Any, 4096), Some(vec![-4096, 0, 4096]));
        assert_eq!(distances(Apart::From(0), 4096), None);
    }

    #[test]
    fn other_values_that_vary_are_not_followed() {
        let (mut shift, mut loops) = grid_stride();
        loops[0].varying.insert(9);
        shift.fixed.insert(9, 4);
        assert_eq!(Shift::distances(&shift, &shift, &loops, |_| Apart::Later(1), 64), None);
        shift.fixed.remove(&7);
        assert_eq!(Shift::distances(&shift, &shift, &loops, |_| Apart::Later(1), 64), None);
    }
}
