//! The bytes that two accesses have in common, by the distances that their starts may have.
//!
//! Walks reach the same pairs of accesses again and again: from each access of a class, around each loop, and after each
//! insertion. What two accesses have in common depends only on their classes and on how their iterations are related,
//! so this is computed once. It also says per issuing warp which threads touch a common byte: where all of these have
//! observed the access, the two are ordered, and no byte has to be looked at.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::sync::access::Access;
use crate::sync::groups::bits;
use crate::sync::known::Observers;
use crate::sync::pairs::{Others, UnorderedPairs};
use crate::sync::rings::Footprints;
use crate::sync::shift::Distance;
use crate::touch::footprint::{Footprint, Segment};

/// What two accesses have in common.
#[derive(Debug, Default)]
pub(super) struct CommonBytes {
    /// The distances at which they have a byte in common; `None` where the distances are unknown.
    pub distances: Option<Vec<Distance>>,
    /// The threads that touch common bytes, by the warp of the first access's issuing threads.
    pub warps: Vec<(usize, Others)>,
    /// The unordered pairs, by what the first access's state says of these warps.
    unordered: RefCell<FxHashMap<Vec<WarpState>, Rc<Found>>>,
}

/// What the state of an access says of one issuing warp: the groups that have observed it, without and with a fence,
/// and whether the issuing threads have themselves.
type WarpState = (u64, u64, [bool; 2]);

/// The unordered pairs of two accesses, if any, and the iterations between the two if one loop carries them.
pub(super) type Found = Option<(UnorderedPairs, Option<i64>)>;

impl CommonBytes {
    /// What two accesses have in common whose starts have one of the given distances, and whose footprints are among `footprints`.
    pub fn new((a, b): (&Access, &Access), distances: Option<Vec<Distance>>, footprints: &Footprints) -> Self {
        let Some(((bytes, others), mut distances)) = a.bytes.as_ref().zip(b.bytes.as_ref()).zip(distances) else {
            return CommonBytes::default();
        };
        let mut warps: [Option<Others>; MAX_WARPS] = [None; MAX_WARPS];
        distances.retain(|(distance, _)| {
            let common = footprints.common(bytes, others, *distance);
            common.warps.iter().for_each(|(warp, more)| warps[*warp].get_or_insert_default().add(more));
            common.meet
        });
        CommonBytes { distances: Some(distances), warps: listed(warps), unordered: RefCell::default() }
    }

    /// The unordered pairs in a state of the first access, which `find` searches for unless they are known.
    pub fn unordered(&self, known: &Observers, find: impl FnOnce() -> Found) -> Rc<Found> {
        let of_warp = |warp: usize| {
            let observed = [known.own_seen, known.own_fence].map(|warps| warps >> warp & 1 == 1);
            (known.rows[warp], known.fenced[warp], observed)
        };
        let state = self.warps.iter().map(|(warp, _)| of_warp(*warp)).collect();
        self.unordered.borrow_mut().entry(state).or_insert_with(|| Rc::new(find())).clone()
    }
}

/// The threads that touch common bytes of two footprints at one distance, by the warp of the first one's threads.
#[derive(Debug)]
pub(super) struct CommonThreads {
    /// Whether there are such bytes.
    meet: bool,
    warps: Vec<(usize, Others)>,
}

impl CommonThreads {
    pub fn of(from: &Footprint, to: &Footprint, distance: i64) -> Self {
        let (mut meet, mut warps) = (false, [None; MAX_WARPS]);
        for (_, from, to) in from.meeting(to, distance) {
            meet = true;
            add(&mut warps, from, to);
        }
        CommonThreads { meet, warps: listed(warps) }
    }
}

fn listed(warps: [Option<Others>; MAX_WARPS]) -> Vec<(usize, Others)> {
    warps.into_iter().enumerate().filter_map(|(warp, others)| Some((warp, others?))).collect()
}

/// Adds the threads of two segments with a common byte.
fn add(warps: &mut [Option<Others>; MAX_WARPS], from: &Segment, to: &Segment) {
    let is_alone = from.threads == to.threads && from.threads.len() == 1;
    for warp in bits(from.threads.warps()) {
        let issuers = from.threads.intersect(&ThreadSet::of_warps(1 << warp));
        let of_others = if issuers.len() == 1 { to.threads.without(&issuers) } else { to.threads };
        let shared = if is_alone { ThreadSet::new() } else { to.threads };
        warps[warp].get_or_insert_default().add(&Others { all: to.threads, of_others, shared });
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    #[test]
    fn common_threads_are_kept_by_both_footprints_and_their_distance() {
        let footprints = Footprints::default();
        let of = |threads: std::ops::Range<i64>| {
            footprints.one(&Rc::new(Footprint::of(threads.map(|t| (t, 4 * t, 4 * t + 4)))))
        };
        let (whole, half) = (of(0..64), of(0..32));
        let warps = |from: &Rc<Footprint>, to: &Rc<Footprint>, distance| {
            let common = footprints.common(from, to, distance);
            common.warps.iter().map(|(warp, others)| (*warp, others.all.len(), others.shared.len())).collect::<Vec<_>>()
        };
        for _ in 0..2 {
            assert_eq!(warps(&whole, &whole, 0), [(0, 32, 0), (1, 32, 0)]);
            assert_eq!(warps(&whole, &whole, 4), [(0, 31, 31), (1, 32, 32)]);
            assert_eq!(warps(&whole, &half, 0), [(0, 32, 0)]);
            assert_eq!(warps(&half, &whole, 4), [(0, 31, 31)]);
            assert_eq!(warps(&half, &whole, 128), []);
        }
    }
}
