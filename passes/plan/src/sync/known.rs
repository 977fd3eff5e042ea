//! The ordering state of one access at a program point: which threads have observed it.
//!
//! A thread has observed an access if the access happens before the thread's next step. The state has one row per warp
//! that issues the access: a bit set of groups, where all threads of each group have observed the access by all issuing
//! threads of that warp. Groups are the warps, and sets of threads that do not fill whole warps but wait or fence by
//! themselves.

use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::queue::Queue;
use crate::sync::access::{Access, Completion};
use crate::sync::groups::{Does, Groups, bits};
use crate::sync::program::Effect;
use tile_isa::Space;

/// Which threads have observed an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observers {
    /// The groups that have observed the access, by the warp of its issuing threads.
    pub rows: [u64; MAX_WARPS],
    /// The groups that have observed it through a proxy fence; for tensor memory, through both fences of `tcgen05`.
    pub fenced: [u64; MAX_WARPS],
    /// For tensor memory: the groups that have observed it through the fence before the barrier, whether or not they
    /// have executed the fence after it.
    pub sent: [u64; MAX_WARPS],
    /// Warps whose issuing threads have observed their own accesses: asynchronous ones once they have been waited for.
    pub own_seen: u32,
    /// Warps whose issuing threads have executed a proxy fence after their own accesses; for tensor memory, the fence before the
    /// barrier.
    pub own_fence: u32,
    /// The copy groups that the issuing threads of a warp have closed since the access.
    pub commits: [u8; MAX_WARPS],
}

impl Observers {
    /// The state right after the access.
    pub fn new(access: &Access) -> Self {
        let observed = if access.completion == Completion::Now { u32::MAX } else { 0 };
        Observers { own_seen: observed, ..Observers::nothing() }
    }

    /// The state in which no thread has observed anything.
    pub fn nothing() -> Self {
        Observers {
            rows: [0; MAX_WARPS],
            fenced: [0; MAX_WARPS],
            sent: [0; MAX_WARPS],
            own_seen: 0,
            own_fence: 0,
            commits: [0; MAX_WARPS],
        }
    }

    /// The neutral element of `meet`: everything is known.
    pub fn top() -> Self {
        Observers {
            rows: [u64::MAX; MAX_WARPS],
            fenced: [u64::MAX; MAX_WARPS],
            sent: [u64::MAX; MAX_WARPS],
            own_seen: u32::MAX,
            own_fence: u32::MAX,
            commits: [u8::MAX; MAX_WARPS],
        }
    }

    /// Merges with the state of another path: only what is known on both paths stays known.
    pub fn meet(&mut self, other: &Observers) {
        for warp in 0..MAX_WARPS {
            self.rows[warp] &= other.rows[warp];
            self.fenced[warp] &= other.fenced[warp];
            self.sent[warp] &= other.sent[warp];
            self.commits[warp] = self.commits[warp].min(other.commits[warp]);
        }
        self.own_seen &= other.own_seen;
        self.own_fence &= other.own_fence;
    }

    /// Applies the effects of an operation; `issuers` are the threads that issued the access.
    pub fn after(&mut self, does: &Does, access: &Access, issuers: &ThreadSet, groups: &Groups) {
        if does.effects.is_empty() {
            return;
        }
        let by = By {
            warps: issuers.warps(),
            // Warps all of whose issuing threads execute the operation.
            here: bits(issuers.warps())
                .filter(|&warp| issuers.lanes(warp) & !does.active.lanes(warp) == 0)
                .fold(0, |here, warp| here | 1 << warp),
        };
        for effect in does.effects.iter().filter(|effect| effect.needs() <= does.together) {
            match access.space {
                Space::Tmem => self.after_tensor(effect, does, access, by, groups),
                _ => self.apply(effect, does, access, by, groups),
            }
        }
    }

    fn apply(&mut self, effect: &Effect, does: &Does, access: &Access, by: By, groups: &Groups) {
        let queue_of = match access.completion {
            Completion::Group(queue) => Some(queue),
            _ => None,
        };
        match *effect {
            Effect::Barrier | Effect::ClusterBarrier => self.barrier((does.meeting, does.inside), by),
            Effect::WarpBarrier => {
                for warp in bits(does.whole) {
                    self.barrier(groups.of_warp(warp), By { here: by.here & 1 << warp, ..by });
                }
            }
            Effect::Commit(queue) if queue_of == Some(queue) => {
                bits(by.here).for_each(|warp| self.commits[warp] = self.commits[warp].saturating_add(1));
            }
            Effect::Wait { queue, pending, reads } if queue_of == Some(queue) && !(reads && access.write) => {
                let done = |warp: &usize| queue.is_of_tensor() || i64::from(self.commits[*warp]) > pending;
                let over = bits(by.here).filter(done).fold(0, |all, warp| all | 1 << warp);
                self.own_seen |= over;
                // Whole warps issue products and wait for them together.
                for warp in bits(over & does.whole).filter(|_| queue == Queue::Product) {
                    self.rows[warp] |= groups.of_warp(warp).1;
                }
            }
            Effect::PhaseWait(ref phases) => {
                if matches!(access.completion, Completion::Phase(phase) if phases.contains(&phase)) {
                    self.own_seen |= by.here;
                    self.own_fence |= by.here;
                    for warp in bits(by.warps) {
                        self.rows[warp] |= does.inside;
                        self.fenced[warp] |= does.inside;
                    }
                }
            }
            Effect::ProxyFence { shared } if access.space == Space::Shared || !shared => {
                self.fence(does.inside, by, groups)
            }
            _ => {}
        }
    }

    /// A barrier: the groups in `inside` observe what any group in `meeting` has observed, and the accesses of issuing
    /// threads at the barrier.
    fn barrier(&mut self, (meeting, inside): (u64, u64), by: By) {
        for warp in bits(by.warps) {
            if ((by.here & self.own_seen) >> warp) & 1 == 1 || self.rows[warp] & meeting != 0 {
                self.rows[warp] |= inside;
            }
            if ((by.here & self.own_seen & self.own_fence) >> warp) & 1 == 1 || self.fenced[warp] & meeting != 0 {
                self.fenced[warp] |= inside;
            }
        }
    }

    fn fence(&mut self, inside: u64, by: By, groups: &Groups) {
        for warp in bits(by.warps) {
            self.fenced[warp] |= groups.closed(self.rows[warp]) & inside;
        }
        self.own_fence |= by.here & self.own_seen;
    }
}

/// The warps of an access's issuing threads: all of them, and the ones whose issuing threads all execute an operation.
#[derive(Clone, Copy)]
pub(super) struct By {
    pub warps: u32,
    pub here: u32,
}
