//! The bytes that two accesses have in common, by the distances that their starts may have.
//!
//! Walks reach the same pairs of accesses again and again: from each access of a class, around each loop, and after each
//! insertion. What two accesses have in common depends only on their classes and on how their iterations are related,
//! so this is computed once. It also says per issuing warp which threads touch a common byte: where all of these have
//! observed the access, the two are ordered, and no byte has to be looked at.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::problem::threads::MAX_WARPS;
use crate::sync::access::Access;
use crate::sync::footprints::{Footprints, listed};
use crate::sync::known::Observers;
use crate::sync::pairs::{Others, UnorderedPairs};
use crate::sync::shift::Distance;

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
