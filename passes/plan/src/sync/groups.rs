//! Sets of threads whose knowledge is followed.

use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::sync::program::{Effect, Op};

/// Where the bits of sets that fill no warps begin.
const OTHERS: u32 = MAX_WARPS as u32;

/// Groups of threads: the first bits are warps, the others sets that fill none.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    block: ThreadSet,
    others: Vec<ThreadSet>,
    /// Those that meet in each warp, and those inside.
    warps: Vec<(u64, u64)>,
}

/// What an operation does to order, and who is there.
#[derive(Clone, Debug)]
pub struct Does {
    /// What it does.
    pub effects: Vec<Effect>,
    /// The threads that execute it.
    pub active: ThreadSet,
    /// Are these known exactly?
    pub exact: bool,
    /// Groups that have a member among them.
    pub meeting: u64,
    /// Groups that are among them.
    pub inside: u64,
    /// Warps that are among them.
    pub whole: u32,
}

impl Groups {
    /// Those of a block; `sets` are the threads of operations that wait or fence.
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

    /// What an operation does.
    pub fn does(&self, op: &Op) -> Does {
        let (active, exact) = (op.active, op.exact);
        let (meeting, inside, whole) = match op.effects.is_empty() {
            true => (0, 0, 0),
            false => (self.meeting(&active), self.inside(&active), self.whole(&active)),
        };
        Does { effects: op.effects.clone(), active, exact, meeting, inside, whole }
    }

    /// The warps that a set fills.
    pub fn whole(&self, set: &ThreadSet) -> u32 {
        bits(self.block.warps())
            .filter(|&warp| self.block.lanes(warp) & !set.lanes(warp) == 0)
            .fold(0, |warps, warp| warps | 1 << warp)
    }

    /// The groups that are within a set.
    pub fn inside(&self, set: &ThreadSet) -> u64 {
        self.others(|other| other.is_subset(set)) | u64::from(self.whole(set))
    }

    /// The groups that have a member in a set.
    pub fn meeting(&self, set: &ThreadSet) -> u64 {
        self.others(|other| !other.intersect(set).is_empty()) | u64::from(set.warps())
    }

    /// The groups that meet in a warp, and those inside.
    pub fn of_warp(&self, warp: usize) -> (u64, u64) {
        self.warps.get(warp).copied().unwrap_or_default()
    }

    fn others(&self, is: impl Fn(&ThreadSet) -> bool) -> u64 {
        (OTHERS..).zip(&self.others).filter(|(_, other)| is(other)).fold(0, |found, (bit, _)| found | 1 << bit)
    }

    /// The threads of groups.
    pub fn members(&self, groups: u64) -> ThreadSet {
        let of_warps = ThreadSet::of_warps((groups & u64::from(u32::MAX)) as u32).intersect(&self.block);
        let others = (OTHERS..).zip(&self.others).filter(|(bit, _)| groups >> bit & 1 == 1);
        others.fold(of_warps, |all, (_, other)| all.union(other))
    }

    /// Groups, and all that are within these: one that does not fill warps knows what a warp around it knows.
    pub fn closed(&self, groups: u64) -> u64 {
        match self.others.is_empty() {
            true => groups & u64::from(self.block.warps()),
            false => self.inside(&self.members(groups)),
        }
    }
}

/// The numbers of the bits that are set.
pub(super) fn bits(mask: u32) -> impl Iterator<Item = usize> {
    let rest = |mask: u32| Some(mask).filter(|&mask| mask != 0);
    std::iter::successors(rest(mask), move |&mask| rest(mask & (mask - 1))).map(|mask| mask.trailing_zeros() as usize)
}
