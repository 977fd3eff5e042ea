//! The operations of `tcgen05` that are not tile copies.

use std::rc::Rc;

use melior::ir::OperationRef;
use tile_dialect::ir::Parts;
use tile_isa::TENSOR_LANES;
use tile_ops::nvvm::{CTAGroupKind, Tcgen05FenceKind, Tcgen05WaitKind};
use tile_ops::{nvvm, tile};
use tile_plan::Space;
use tile_plan::sync::{
    Access, Act, Completion, Effect, Footprint, Item, Op, Queue, Shift, TENSOR_COLUMN_BYTES, TENSOR_LANE_BYTES,
};

use super::KernelReader;
use crate::read::{divisibility, name};
use crate::sync::kernel::access::{access, each};
use crate::sync::kernel::completions::Arrival;

/// Bytes of an address of tensor memory.
const ADDRESS_BYTES: i64 = 4;

impl<'c: 'a, 'a> KernelReader<'_, 'c, 'a> {
    /// An operation of `tcgen05`; `None` for any other.
    pub(super) fn tcgen05(&mut self, op: OperationRef<'c, 'a>, does: &Op) -> Option<Vec<Item>> {
        let mut does = does.clone();
        match name(op) {
            nvvm::Tcgen05RelinquishAllocPermitOp::NAME | nvvm::Tcgen05MmaSmemDescOp::NAME | tile::TmemOp::NAME => {
                return Some(Vec::new());
            }
            nvvm::Tcgen05MMAOp::NAME => match self.tensor_product(op, &mut does) {
                Ok(()) => self.commits.issued(self.program.next()),
                Err(why) => self.failures.refuse(op, format!("is not followed: {why}")),
            },
            nvvm::Tcgen05FenceOp::NAME => {
                let kind = nvvm::Tcgen05FenceOp::cast(op)?.kind()?;
                does.effects.push(Effect::TensorFence { before: kind == Tcgen05FenceKind::BeforeThreadSync });
            }
            nvvm::Tcgen05WaitOp::NAME => {
                let queue = match nvvm::Tcgen05WaitOp::cast(op)?.kind()? {
                    Tcgen05WaitKind::Load => Queue::TmemLoad,
                    _ => Queue::TmemStore,
                };
                if !self.by_warps(op, &does) {
                    return Some(Vec::new());
                }
                does.effects.push(Effect::Wait { queue, pending: 0, reads: false });
            }
            nvvm::Tcgen05AllocOp::NAME => {
                let slot = op.operand_at(0)?;
                let address = self.addresses.pointer(slot);
                let object = self.addresses.object(address.root);
                let place = address.byte.map(|form| each(&form, &does.active, ADDRESS_BYTES));
                let found = Access { by_warps: true, ..access(object, Space::Shared, true, place) };
                does.accesses.extend(self.at(op, address.rank, found));
            }
            nvvm::Tcgen05DeallocOp::NAME => {
                let (root, first) = self.addresses.tensor(op.operand_at(0)?);
                let object = self.addresses.object(root);
                let columns = op.operand_at(1).and_then(|it| divisibility::of(it).constant());
                let place = first.zip(columns).and_then(|(first, columns)| {
                    let begin = first.as_constant()?;
                    let lane = |lane: i64| {
                        let begin = begin + lane * TENSOR_LANE_BYTES;
                        (begin, begin + columns * TENSOR_COLUMN_BYTES)
                    };
                    Some((Rc::new(Footprint::alike((0..TENSOR_LANES).map(lane), does.active)), Shift::none()))
                });
                does.accesses.push(Access { by_warps: true, ..access(object, Space::Tmem, true, place) });
            }
            nvvm::Tcgen05CommitOp::NAME => return Some(self.commit(op, does)),
            _ => return None,
        }
        Some(vec![self.push(op, does)])
    }

    /// An arrival on an mbarrier after the thread's copies by `tcgen05.cp` and its products.
    fn commit(&mut self, op: OperationRef<'c, 'a>, mut does: Op) -> Vec<Item> {
        let of = nvvm::Tcgen05CommitOp::cast(op);
        let others = of.is_none_or(|of| of.multicast_mask().is_some() || of.group() == Some(CTAGroupKind::Cta2));
        let Some(barrier) = op.operand_at(0).filter(|_| !others) else {
            self.failures.refuse(op, "is not followed: it arrives on mbarriers of other blocks");
            return vec![self.push(op, does)];
        };
        let arrivals = does.active.len();
        let phase = self.arrives(op, barrier, &does, Arrival { arrivals, bytes: 0 }).filter(|_| arrivals == 1);
        let done =
            phase.and_then(|phase| self.commits.commit((phase, &mut self.phases), does.active, &mut self.program));
        let access = self.mbarrier(op, (barrier, None), false, does.active);
        // The arrival is asynchronous. The operations before it that it completes carry its phase; if there are none, it does
        // itself.
        does.accesses
            .extend(access.into_iter().map(|access| Access { completion: done.unwrap_or(Completion::Now), ..access }));
        if arrivals == 1 {
            self.commits.arrives(self.program.next());
        }
        does.effects.push(Effect::TensorCommit);
        let act = Act::Arrive { by: does.active, count: 1, bytes: 0, releases: true };
        self.acts(op, &mut does, (barrier, None), act);
        vec![self.push(op, does)]
    }
}
