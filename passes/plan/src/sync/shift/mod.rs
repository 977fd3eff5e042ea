//! The start offset of an access, and the distances between two accesses.

mod pair;

use std::collections::{BTreeMap, BTreeSet};

use crate::sync::periodic::{Loop, Periodic};
use crate::sync::reach::Reach;
use pair::{Multiples, StartPair};

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
        let divides = |value: i64| value % number == 0;
        let repeats = |periodic: &Periodic| {
            divides(periodic.gain()) && (0..periodic.period()).all(|k| periodic.at(k).is_some_and(divides))
        };
        !self.unknown && self.fixed.values().copied().all(divides) && self.loops.values().all(repeats)
    }

    /// The loops whose iterations compute anew a value that it contains.
    pub fn varied_by(&self, loops: &[Loop]) -> impl Iterator<Item = usize> {
        let contains = |looped: &Loop| looped.varying.iter().any(|value| self.fixed.contains_key(value));
        // Without fixed values, which is the common case, no loop needs to be visited.
        let looked_at = if self.fixed.is_empty() { &[] } else { loops };
        looked_at.iter().enumerate().filter(move |(_, looped)| contains(looped)).map(|(number, _)| number)
    }

    /// Of each loop with a run-time trip count that moves it without bound: the number of bytes per period, and the period.
    pub(super) fn rates(&self, loops: &[Loop]) -> Vec<(i64, i64)> {
        let is_open = |number: usize| loops.get(number).is_some_and(|looped| looped.trips.is_none());
        let open = self.loops.iter().filter(|(number, _)| is_open(**number));
        open.map(|(_, periodic)| (periodic.gain(), periodic.period())).filter(|rate| rate.0 != 0).collect()
    }

    /// By what the value that it contains moves it, which some loops compute anew; `None` where several values are computed
    /// anew, or one may become anything.
    fn multiples(&self, loops: &[Loop], varied: &[usize], apart: impl Fn(usize) -> Apart) -> Option<Multiples> {
        let is_varying = |value: &usize| varied.iter().any(|&number| loops[number].varying.contains(value));
        let mut varying = self.fixed.iter().filter(|(value, _)| is_varying(value));
        let (value, factor) = varying.next().filter(|_| varying.next().is_none())?;
        let all: Vec<Apart> = varied.iter().map(|&number| apart(number)).collect();
        let later = |known: &Apart| if let Apart::Later(by) | Apart::AtLeast(by) = known { Some(*by) } else { None };
        // Outside the loop there is no such value.
        if all.iter().any(|known| matches!(known, Apart::At(_) | Apart::From(_))) {
            return None;
        }
        let multiples = match (varied.iter().map(|&number| loops[number].steps.get(value)).next()?, &all[..]) {
            // One more iteration is at least one more step.
            (Some(step), [one]) => Multiples { step: step.checked_mul(*factor)?, least: later(one), zero: true },
            _ if varied.iter().all(|&number| loops[number].distinct.contains(value)) => {
                Multiples { step: *factor, least: None, zero: !all.iter().any(|known| later(known).is_some()) }
            }
            _ => return None,
        };
        Some(multiples).filter(|multiples| multiples.step != 0)
    }

    /// The sum of two.
    #[must_use]
    pub fn plus(mut self, other: &Shift) -> Self {
        for (&value, &factor) in &other.fixed {
            let sum = self.fixed.entry(value).or_default();
            match sum.checked_add(factor) {
                Some(total) => *sum = total,
                None => self.unknown = true,
            }
        }
        self.fixed.retain(|_, factor| *factor != 0);
        self.reach.retain(|number, _| !other.loops.contains_key(number));
        let loops = &self.loops;
        let more = other.reach.iter().filter(|(number, _)| !loops.contains_key(number));
        self.reach.extend(more.map(|(&number, reach)| (number, reach.clone())));
        for (&number, periodic) in &other.loops {
            let summed = self.loops.get(&number).map_or(Some(periodic.clone()), |present| present.plus(periodic));
            match summed {
                Some(total) => drop(self.loops.insert(number, total)),
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
        let varied: Vec<usize> = first.varied_by(loops).filter(|&number| apart(number) != Apart::Same).collect();
        let stepped = if varied.is_empty() { None } else { Some(first.multiples(loops, &varied, &apart)?) };
        let mut all: BTreeMap<i64, Option<i64>> = BTreeMap::from([(0, None)]);
        let numbers: BTreeSet<usize> = first.loops.keys().chain(second.loops.keys()).copied().collect();
        let zero = Periodic::constant(0);
        let mut endless = None;
        for number in numbers {
            let in_loop = |shift: &Shift| shift.loops.get(&number).unwrap_or(&zero).clone();
            let pair = StartPair { first: in_loop(first), second: in_loop(second), trips: loops.get(number)?.trips };
            let reach = first.reach.get(&number).zip(second.reach.get(&number)).and_then(|(a, b)| a.between(b));
            let span = reach.as_ref().map(|reach| reach.start().saturating_abs().max(reach.end().saturating_abs()));
            match pair.between(apart(number), span) {
                Some(mut distances) => {
                    distances.retain(|(distance, _)| reach.as_ref().is_none_or(|reach| reach.contains(distance)));
                    all = sums(&all, &distances)?;
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
        if let Some(stepped) = stepped {
            let added = all.keys().map(|sum| sum.saturating_abs()).max().unwrap_or(0);
            all = sums(&all, &stepped.within(span.checked_add(added)?)?)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A variable that a loop moves by a multiple of 1024 elements of 4 bytes.
    fn grid_stride() -> (Shift, Vec<Loop>) {
        let strided = Loop { varying: BTreeSet::from([7]), steps: BTreeMap::from([(7, 1024)]), ..Loop::default() };
        (Shift { fixed: [(7, 4)].into(), ..Shift::none() }, vec![strided])
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
    fn distinct_values_differ_by_at_least_one() {
        let inner = Loop { varying: BTreeSet::from([7]), distinct: BTreeSet::from([7]), ..Loop::default() };
        let loops = vec![inner.clone(), inner.clone(), Loop { distinct: BTreeSet::new(), ..inner }];
        let shift = Shift { fixed: [(7, 512)].into(), ..Shift::none() };
        let distances = |all: [Apart; 3], span| {
            let found = Shift::distances(&shift, &shift, &loops, |number| all[number], span)?;
            Some(found.into_iter().map(|(distance, _)| distance).collect::<Vec<_>>())
        };
        let [same, any, later] = [Apart::Same, Apart::Any, Apart::Later(2)];
        assert_eq!(distances([same, later, same], 511), Some(vec![]));
        assert_eq!(distances([same, later, same], 512), Some(vec![-512, 512]));
        assert_eq!(distances([later, any, same], 511), Some(vec![]));
        assert_eq!(distances([any, any, same], 511), Some(vec![0]));
        assert_eq!(distances([Apart::At(0), later, same], 511), None);
        assert_eq!(distances([later, same, later], 511), None);
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
