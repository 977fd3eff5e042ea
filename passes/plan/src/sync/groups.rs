//! The groups of threads for which [`Observers`](crate::sync::Observers) records what they know.

use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::sync::program::{Effect, Op};
use crate::sync::rounds::Together;

/// The first bit of the sets that do not fill whole warps.
const OTHERS: u32 = MAX_WARPS as u32;

/// Groups of threads as bits: the first bits are warps, the others sets that do not fill whole warps.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    block: ThreadSet,
    others: Vec<ThreadSet>,
    /// For each warp, the groups that have a member in it, and the groups that lie within it.
    warps: Vec<(u64, u64)>,
}

/// The synchronizing effects of an operation, and the groups that execute it.
#[derive(Clone, Debug)]
pub struct Does {
    /// The effects, in order.
    pub effects: Vec<Effect>,
    /// The threads that execute it.
    pub active: ThreadSet,
    /// The largest groups of these that execute it together.
    pub together: Together,
    /// The groups that have a member among them.
    pub meeting: u64,
    /// The groups that lie within them.
    pub inside: u64,
    /// The warps that lie within them.
    pub whole: u32,
}

impl Groups {
    /// The groups of a block; `sets` are the threads of operations that wait or fence.
    pub fn new(block: ThreadSet, sets: impl Iterator<Item = ThreadSet>) -> Self {
        let mut groups = Groups { block, others: Vec::new(), warps: Vec::new() };
        for set in sets {
            let fills = set.without(&ThreadSet::of_warps(groups.whole(&set))).is_empty();
            if !fills && groups.others.len() < (u64::BITS - OTHERS) as usize && !groups.others.contains(&set) {
                groups.others.push(set);
            }
        }
        let threads = (0..MAX_WARPS).map(|warp| groups.members(1 << warp));
        groups.warps = threads.map(|set| (groups.meeting(&set), groups.inside(&set))).collect();
        groups
    }

    /// The effects of an operation, with the groups that execute it; `around`: which threads get through the loops and
    /// branches around it together.
    pub fn does(&self, op: &Op, around: Together) -> Does {
        let active = op.active;
        let together = match around {
            Together::Block if !op.exact => Together::Threads,
            around => around,
        };
        let (meeting, inside, whole) = match op.effects.is_empty() {
            true => (0, 0, 0),
            false => (self.meeting(&active), self.inside(&active), self.whole(&active)),
        };
        Does { effects: op.effects.clone(), active, together, meeting, inside, whole }
    }

    /// The warps that lie within a set.
    pub fn whole(&self, set: &ThreadSet) -> u32 {
        bits(self.block.warps())
            .filter(|&warp| self.block.lanes(warp) & !set.lanes(warp) == 0)
            .fold(0, |warps, warp| warps | 1 << warp)
    }

    /// The groups that lie within a set.
    pub fn inside(&self, set: &ThreadSet) -> u64 {
        self.others(|other| other.is_subset(set)) | u64::from(self.whole(set))
    }

    /// The groups that have a member in a set.
    pub fn meeting(&self, set: &ThreadSet) -> u64 {
        self.others(|other| !other.intersect(set).is_empty()) | u64::from(set.warps())
    }

    /// The groups that have a member in a warp, and the groups that lie within it.
    pub fn of_warp(&self, warp: usize) -> (u64, u64) {
        self.warps.get(warp).copied().unwrap_or_default()
    }

    fn others(&self, is: impl Fn(&ThreadSet) -> bool) -> u64 {
        (OTHERS..).zip(&self.others).filter(|(_, other)| is(other)).fold(0, |mask, (bit, _)| mask | 1 << bit)
    }

    /// The threads of groups.
    pub fn members(&self, groups: u64) -> ThreadSet {
        let of_warps = ThreadSet::of_warps((groups & u64::from(u32::MAX)) as u32).intersect(&self.block);
        let others = (OTHERS..).zip(&self.others).filter(|(bit, _)| groups >> bit & 1 == 1);
        others.fold(of_warps, |all, (_, other)| all.union(other))
    }

    /// The given groups, and all groups that lie within their union: a set that lies within warps knows what these
    /// warps know.
    pub fn closed(&self, groups: u64) -> u64 {
        match self.others.is_empty() {
            true => groups & u64::from(self.block.warps()),
            false => self.inside(&self.members(groups)),
        }
    }
}

/// The positions of the set bits.
pub(super) fn bits(mask: u32) -> impl Iterator<Item = usize> {
    let rest = |mask: u32| Some(mask).filter(|&mask| mask != 0);
    std::iter::successors(rest(mask), move |&mask| rest(mask & (mask - 1))).map(|mask| mask.trailing_zeros() as usize)
}
