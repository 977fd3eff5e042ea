//! Iters from positions: the list of iters that visits given places in order, if there is one.

use std::collections::BTreeMap;

use crate::{Axis, Iter};

/// A position per axis; an axis that is not there is at 0.
pub(crate) type Place = BTreeMap<Axis, i64>;

/// The iters, slowest first, or `None` when no list of iters visits these places (or a number overflows).
///
/// The fastest iter must be the longest run of equal steps from the first place on, because joined iters are unique;
/// all further runs must be like it, and their starts are iters again.
///
/// ```text
///   0 9 10 19    step 9, run of 2: 0 9 | 10 19   ->   starts 0 10: step 10   ->   (2, 2) : (10, 9)
/// ```
pub(crate) fn fit(mut places: Vec<Place>, axis_of_no_step: Axis) -> Option<Vec<Iter>> {
    let mut iters = Vec::new();
    while let [first, second, ..] = &places[..] {
        let (axis, stride) = step(first, second, axis_of_no_step)?;
        let follows = |place: &Place, next: &Place| step(place, next, axis) == Some((axis, stride));
        let run = 1 + places.windows(2).take_while(|pair| follows(&pair[0], &pair[1])).count();
        let mut runs = places.chunks(run);
        if !runs.all(|chunk| chunk.len() == run && chunk.windows(2).all(|pair| follows(&pair[0], &pair[1]))) {
            return None;
        }
        iters.push(Iter::new(i64::try_from(run).ok()?, stride, axis));
        places = places.into_iter().step_by(run).collect();
    }
    iters.reverse();
    Some(iters)
}

/// From one place to another along a single axis.
fn step(from: &Place, to: &Place, axis_of_no_step: Axis) -> Option<(Axis, i64)> {
    let at = |place: &Place, axis: &Axis| place.get(axis).copied().unwrap_or(0);
    let mut steps = from.keys().chain(to.keys()).filter(|axis| at(from, axis) != at(to, axis));
    let Some(&axis) = steps.next() else { return Some((axis_of_no_step, 0)) };
    let alone = steps.all(|&other| other == axis);
    if alone { Some((axis, at(to, &axis).checked_sub(at(from, &axis))?)) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(places: &[i64]) -> Option<Vec<Iter>> {
        fit(places.iter().map(|&m| Place::from([(Axis::Memory, m)])).collect(), Axis::Memory)
    }

    #[test]
    fn finds_iters() {
        assert_eq!(fitted(&[0, 9, 10, 19]), Some(vec![Iter::memory(2, 10), Iter::memory(2, 9)]));
        assert_eq!(fitted(&[5, 5, 5]), Some(vec![Iter::memory(3, 0)]));
        assert_eq!(fitted(&[7]), Some(vec![]));
        assert_eq!(fitted(&[0, 1, 2, 10, 11]), None);
        assert_eq!(fitted(&[0, 1, 5, 7]), None);
    }
}
