//! The ordering state of accesses to tensor memory.
//!
//! Between threads of different warps, a barrier alone does not order asynchronous accesses of tensor memory. The lower
//! lines name the fields of `Known` that each step updates:
//!
//! ```text
//!   tcgen05.st; wait::st; fence::before ──▶ barrier ──▶ fence::after; tcgen05.ld
//!               own       own fence         sent        fenced
//!   tcgen05.cp; commit ──▶ wait for the phase ──▶ fence::after; tcgen05.ld
//!                          own, sent             fenced
//! ```
//!
//! Whole warps execute `tcgen05.ld` and `tcgen05.st` and the waits for them, so that within a warp the wait is enough.
//! Synchronous operations such as `tcgen05.dealloc` need no fences.

use crate::sync::access::{Access, Completion};
use crate::sync::groups::{Does, Groups, bits};
use crate::sync::known::{By, Observers};
use crate::sync::program::{Effect, SyncProgram};
use tile_isa::Space;

/// Whether a program accesses tensor memory.
pub(super) fn is_touched(program: &SyncProgram) -> bool {
    program.ops.iter().flat_map(|op| &op.accesses).any(|access| access.space == Space::Tmem)
}

impl Observers {
    /// Applies an effect to the state of an access to tensor memory.
    pub(super) fn after_tensor(&mut self, effect: &Effect, does: &Does, access: &Access, by: By, groups: &Groups) {
        match *effect {
            Effect::Wait { queue, .. } if access.completion == Completion::Group(queue) => {
                self.own_seen |= by.here;
                for warp in bits(by.here & does.whole) {
                    let (_, inside) = groups.of_warp(warp);
                    self.rows[warp] |= inside;
                    self.fenced[warp] |= inside;
                }
            }
            Effect::PhaseWait(ref phases) => {
                if matches!(access.completion, Completion::Phase(phase) if phases.contains(&phase)) {
                    self.own_seen |= by.here;
                    self.own_fence |= by.here;
                    for warp in bits(by.warps) {
                        self.rows[warp] |= does.inside;
                        self.sent[warp] |= does.inside;
                    }
                }
            }
            Effect::TensorFence { before: true } => self.own_fence |= by.here & self.own_seen,
            Effect::TensorFence { before: false } => {
                for warp in bits(by.warps) {
                    self.fenced[warp] |= groups.closed(self.sent[warp]) & does.inside;
                }
            }
            Effect::Barrier | Effect::ClusterBarrier => self.send((does.meeting, does.inside), by),
            Effect::WarpBarrier => {
                for warp in bits(does.whole) {
                    self.send(groups.of_warp(warp), By { here: by.here & 1 << warp, ..by });
                }
            }
            Effect::Commit(_) | Effect::Wait { .. } | Effect::Mbarrier(_) => {}
            Effect::ProxyFence { .. } | Effect::TensorCommit | Effect::MbarrierFence => {}
            Effect::ClusterArrive { .. } | Effect::ClusterWait | Effect::InterBlock { .. } => {}
        }
    }

    /// A barrier: the groups in `inside` observe what any group in `meeting` has observed, and the accesses of issuing
    /// threads at the barrier; what has been observed through the fence before the barrier goes to `sent`.
    fn send(&mut self, (meeting, inside): (u64, u64), by: By) {
        for warp in bits(by.warps) {
            if ((by.here & self.own_seen) >> warp) & 1 == 1 || self.rows[warp] & meeting != 0 {
                self.rows[warp] |= inside;
            }
            if ((by.here & self.own_seen & self.own_fence) >> warp) & 1 == 1 || self.sent[warp] & meeting != 0 {
                self.sent[warp] |= inside;
            }
        }
    }
}
