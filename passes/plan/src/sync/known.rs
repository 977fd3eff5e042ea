//! Who knows that an access has been made.
//!
//! One row for each warp of the threads that made it: the groups of threads all of which know what all of these did. Groups are
//! the warps, and sets of threads that do not fill warps but wait or fence by themselves.

use crate::problem::scope::Space;
use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::sync::groups::{Does, Groups, bits};
use crate::sync::program::{Access, Completion, Effect};
use crate::touch::Queue;

/// Who knows of one access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Groups that know, by the warp of who made the access.
    pub rows: [u64; MAX_WARPS],
    /// Groups that know through a proxy fence; of tensor memory, through both fences of `tcgen05`.
    pub fenced: [u64; MAX_WARPS],
    /// Of tensor memory, groups that know through the fence before, but for that after.
    pub sent: [u64; MAX_WARPS],
    /// Warps whose makers know themselves: an asynchronous access is done when it is waited for.
    pub own: u32,
    /// Warps whose makers have made a proxy fence for themselves; of tensor memory, the fence before.
    pub own_fence: u32,
    /// Groups of copies that the makers of a warp have closed since.
    pub commits: [u8; MAX_WARPS],
}

impl Known {
    /// Right after the access.
    pub fn new(access: &Access) -> Self {
        let own = if access.completion == Completion::Now { u32::MAX } else { 0 };
        Known { own, ..Known::nothing() }
    }

    /// Nothing at all.
    pub fn nothing() -> Self {
        Known {
            rows: [0; MAX_WARPS],
            fenced: [0; MAX_WARPS],
            sent: [0; MAX_WARPS],
            own: 0,
            own_fence: 0,
            commits: [0; MAX_WARPS],
        }
    }

    /// More than can be known.
    pub fn top() -> Self {
        Known {
            rows: [u64::MAX; MAX_WARPS],
            fenced: [u64::MAX; MAX_WARPS],
            sent: [u64::MAX; MAX_WARPS],
            own: u32::MAX,
            own_fence: u32::MAX,
            commits: [u8::MAX; MAX_WARPS],
        }
    }

    /// What is known on both of two ways.
    pub fn meet(&mut self, other: &Known) {
        for warp in 0..MAX_WARPS {
            self.rows[warp] &= other.rows[warp];
            self.fenced[warp] &= other.fenced[warp];
            self.sent[warp] &= other.sent[warp];
            self.commits[warp] = self.commits[warp].min(other.commits[warp]);
        }
        self.own &= other.own;
        self.own_fence &= other.own_fence;
    }

    /// After an operation; `makers` made the access.
    pub fn after(&mut self, does: &Does, access: &Access, makers: &ThreadSet, groups: &Groups) {
        if does.effects.is_empty() || !does.exact {
            return;
        }
        let by = By {
            warps: makers.warps(),
            // Warps all of whose makers get here themselves.
            here: bits(makers.warps())
                .filter(|&warp| makers.lanes(warp) & !does.active.lanes(warp) == 0)
                .fold(0, |here, warp| here | 1 << warp),
        };
        for effect in &does.effects {
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
                let over = bits(by.here).filter(done).fold(0, |own, warp| own | 1 << warp);
                self.own |= over;
                // Products are those of whole warps, of which all wait together.
                for warp in bits(over & does.whole).filter(|_| queue == Queue::Product) {
                    self.rows[warp] |= groups.of_warp(warp).1;
                }
            }
            Effect::PhaseWait(ref phases) => {
                if matches!(access.completion, Completion::Phase(phase) if phases.contains(&phase)) {
                    self.own |= by.here;
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

    /// All inside learn what one who meets there knows, and what they did themselves.
    fn barrier(&mut self, (meeting, inside): (u64, u64), by: By) {
        for warp in bits(by.warps) {
            if ((by.here & self.own) >> warp) & 1 == 1 || self.rows[warp] & meeting != 0 {
                self.rows[warp] |= inside;
            }
            if ((by.here & self.own & self.own_fence) >> warp) & 1 == 1 || self.fenced[warp] & meeting != 0 {
                self.fenced[warp] |= inside;
            }
        }
    }

    fn fence(&mut self, inside: u64, by: By, groups: &Groups) {
        for warp in bits(by.warps) {
            self.fenced[warp] |= groups.closed(self.rows[warp]) & inside;
        }
        self.own_fence |= by.here & self.own;
    }
}

/// Warps of who made an access: all, and those all of whose makers execute an operation.
#[derive(Clone, Copy)]
pub(super) struct By {
    pub warps: u32,
    pub here: u32,
}
