//! Who knows that an access has been made.
//!
//! One row for each warp of the threads that made it: the groups of threads all of which know what all of these did. Groups are
//! the warps, and sets of threads that do not fill warps but wait or fence by themselves.

use crate::problem::threads::ThreadSet;
use crate::sync::program::{Access, Completion, Effect, Op};

/// Groups of threads: bits 0 to 31 are warps, the others sets that fill none.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    block: ThreadSet,
    others: Vec<ThreadSet>,
}

impl Groups {
    /// Those of a block; `sets` are the threads of operations that wait or fence.
    pub fn new(block: ThreadSet, sets: impl Iterator<Item = ThreadSet>) -> Self {
        let mut groups = Groups { block, others: Vec::new() };
        for set in sets {
            let whole = groups.within_warps(&set).is_empty();
            if !whole && groups.others.len() < 32 && !groups.others.contains(&set) {
                groups.others.push(set);
            }
        }
        groups
    }

    /// What is left of a set without the warps that it fills.
    fn within_warps(&self, set: &ThreadSet) -> ThreadSet {
        set.iter().filter(|&thread| self.whole(set) >> (thread / 32) & 1 == 0).collect()
    }

    /// The warps that a set fills.
    pub fn whole(&self, set: &ThreadSet) -> u32 {
        (0..32)
            .filter(|&warp| self.block.lanes(warp) != 0 && self.block.lanes(warp) & !set.lanes(warp) == 0)
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

    fn others(&self, is: impl Fn(&ThreadSet) -> bool) -> u64 {
        (32..).zip(&self.others).filter(|(_, other)| is(other)).fold(0, |found, (bit, _)| found | 1 << bit)
    }

    /// The threads of groups.
    pub fn members(&self, groups: u64) -> ThreadSet {
        let warps = (groups & u64::from(u32::MAX)) as u32;
        let of_warps: ThreadSet = self.block.iter().filter(|thread| warps >> (thread / 32) & 1 == 1).collect();
        let others = (32..).zip(&self.others).filter(|(bit, _)| groups >> bit & 1 == 1);
        others.fold(of_warps, |all, (_, other)| all.union(other))
    }
}

/// Who knows of one access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Groups that know, by the warp of who made the access.
    pub rows: [u64; 32],
    /// Groups that know through a proxy fence.
    pub fenced: [u64; 32],
    /// Warps whose makers know themselves: an asynchronous access is done when it is waited for.
    pub own: u32,
    /// Warps whose makers have made a proxy fence for themselves.
    pub own_fence: u32,
    /// Groups of copies that the makers of a warp have closed since.
    pub commits: [u8; 32],
}

impl Known {
    /// Right after the access.
    pub fn new(access: &Access) -> Self {
        let own = if access.completion == Completion::Now { u32::MAX } else { 0 };
        Known { rows: [0; 32], fenced: [0; 32], own, own_fence: 0, commits: [0; 32] }
    }

    /// More than can be known.
    pub fn top() -> Self {
        Known {
            rows: [u64::MAX; 32],
            fenced: [u64::MAX; 32],
            own: u32::MAX,
            own_fence: u32::MAX,
            commits: [u8::MAX; 32],
        }
    }

    /// What is known on both of two ways.
    pub fn meet(&mut self, other: &Known) {
        for warp in 0..32 {
            self.rows[warp] &= other.rows[warp];
            self.fenced[warp] &= other.fenced[warp];
            self.commits[warp] = self.commits[warp].min(other.commits[warp]);
        }
        self.own &= other.own;
        self.own_fence &= other.own_fence;
    }

    /// Does everybody know everything of the warps that made the access?
    pub fn is_settled(&self, makers: u32, all: u32, proxies: bool) -> bool {
        let full = |row: u64| row & u64::from(all) == u64::from(all);
        (0..32)
            .filter(|warp| makers >> warp & 1 == 1)
            .all(|warp| full(self.rows[warp]) && (!proxies || full(self.fenced[warp])))
    }

    /// After an operation; `makers` made the access.
    pub fn after(&mut self, op: &Op, access: &Access, makers: &ThreadSet, groups: &Groups) {
        for effect in &op.effects {
            self.apply(effect, op, access, makers, groups);
        }
    }

    fn apply(&mut self, effect: &Effect, op: &Op, access: &Access, makers: &ThreadSet, groups: &Groups) {
        if !op.exact {
            return;
        }
        // Warps all of whose makers get here themselves.
        let here = (0..32)
            .filter(|&warp| makers.lanes(warp) != 0 && makers.lanes(warp) & !op.active.lanes(warp) == 0)
            .fold(0u32, |here, warp| here | 1 << warp);
        let queue_of = match access.completion {
            Completion::Group(queue) => Some(queue),
            _ => None,
        };
        match *effect {
            Effect::Barrier => self.barrier(&op.active, here, groups),
            Effect::WarpBarrier => {
                let whole = groups.whole(&op.active);
                for warp in (0..32).filter(|warp| whole >> warp & 1 == 1) {
                    self.barrier(&groups.members(1 << warp), here & 1 << warp, groups);
                }
            }
            Effect::Commit(queue) if queue_of == Some(queue) => {
                for warp in (0..32).filter(|warp| here >> warp & 1 == 1) {
                    self.commits[warp] = self.commits[warp].saturating_add(1);
                }
            }
            Effect::Wait { queue, pending, reads } if queue_of == Some(queue) && !(reads && access.write) => {
                let done = |warp: &usize| here >> warp & 1 == 1 && i64::from(self.commits[*warp]) > pending;
                self.own |= (0..32).filter(done).fold(0, |own, warp| own | 1 << warp);
            }
            Effect::PhaseWait(ref phases) => {
                if matches!(access.completion, Completion::Phase(phase) if phases.contains(&phase)) {
                    let inside = groups.inside(&op.active);
                    self.own |= here;
                    self.own_fence |= here;
                    for warp in 0..32 {
                        self.rows[warp] |= inside;
                        self.fenced[warp] |= inside;
                    }
                }
            }
            Effect::ProxyFence { shared } if access.shared || !shared => self.fence(&op.active, here, groups),
            _ => {}
        }
    }

    /// All members learn what one of them knows, and what they did themselves.
    fn barrier(&mut self, members: &ThreadSet, here: u32, groups: &Groups) {
        let (meeting, inside) = (groups.meeting(members), groups.inside(members));
        for warp in 0..32 {
            if ((here & self.own) >> warp) & 1 == 1 || self.rows[warp] & meeting != 0 {
                self.rows[warp] |= inside;
            }
            if ((here & self.own & self.own_fence) >> warp) & 1 == 1 || self.fenced[warp] & meeting != 0 {
                self.fenced[warp] |= inside;
            }
        }
    }

    fn fence(&mut self, members: &ThreadSet, here: u32, groups: &Groups) {
        let inside = groups.inside(members);
        for warp in 0..32 {
            // A group that does not fill warps knows what a warp around it knows.
            let known = groups.inside(&groups.members(self.rows[warp]));
            self.fenced[warp] |= known & inside;
        }
        self.own_fence |= here & self.own;
    }
}
