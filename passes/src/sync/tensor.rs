//! Tensor memory: the targets of addresses, and the operations of `tcgen05` that are not tile copies.

use std::rc::Rc;

use melior::ir::{OperationRef, Value};
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::ops::CopyOp;
use tile_isa::TENSOR_LANES;
use tile_ops::nvvm::{CTAGroupKind, Tcgen05FenceKind, Tcgen05WaitKind};
use tile_ops::{arith, llvm, memref, nvvm, tile};
use tile_plan::sync::{
    Access, Act, Completion, Effect, Footprint, Form, Item, Op, Queue, Shift, TENSOR_COLUMN_BYTES, TENSOR_LANE_BYTES,
};
use tile_plan::{Space, ThreadSet};

use crate::read::alias::{self, Root};
use crate::read::place::Anchor;
use crate::read::values::key;
use crate::read::{divisibility, name};
use crate::sync::copies::access;
use crate::sync::kernel::Kernel;
use crate::sync::phases::Arrival;
use crate::walk;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// Finds allocations of tensor memory, and tiles that are loaded from it.
    pub(super) fn find_tensor(&mut self, function: OperationRef<'c, 'a>) {
        for op in walk::matching(function, |name| name == nvvm::Tcgen05AllocOp::NAME) {
            let Some(slot) = op.operand_at(0) else { continue };
            let address = self.address(slot);
            let byte = address.byte.and_then(|byte| byte.as_constant());
            self.tensor.slots.extend(byte.map(|byte| (address.root, byte)));
        }
        for op in walk::matching(function, |name| name == tile::CopyAsyncOp::NAME) {
            let (src, dst) = (CopyOp(op).src(), CopyOp(op).dst());
            let from = src.is_some_and(|src| src.buffer.space() == tile_dialect::Space::Tmem);
            let dst = dst.filter(|_| from).map(|dst| alias::root(dst.value));
            self.tensor.loaded.extend(dst.iter().flat_map(Root::each).cloned());
        }
    }

    /// The tensor memory that an address points to, and the byte there.
    pub(super) fn tensor(&mut self, address: Value<'c, 'a>) -> (Root, Option<Form>) {
        let (mut at, mut columns) = (address, Some(Form::constant(0)));
        while let Some(op) = defining_op(at) {
            let (Some(first), second) = (op.operand_at(0), op.operand_at(1)) else { break };
            match name(op) {
                llvm::IntToPtrOp::NAME | llvm::PtrToIntOp::NAME | tile::AssumeOp::NAME => at = first,
                arith::AddIOp::NAME | llvm::AddOp::NAME => {
                    let Some(second) = second else { break };
                    let (base, moved) = match (self.of_value(first), self.of_value(second)) {
                        (_, Some(moved)) => (first, moved),
                        (Some(moved), None) => (second, moved),
                        (None, None) => break,
                    };
                    (at, columns) = (base, columns.and_then(|columns| columns.plus(&moved)));
                }
                _ => break,
            }
        }
        let bytes = columns.and_then(|columns| columns.times(TENSOR_COLUMN_BYTES));
        match self.slot(at).filter(|slot| self.tensor.slots.contains(slot)) {
            Some((root, byte)) => (Root::Tensor(Box::new(root), byte), bytes),
            None => {
                let start = self.start(Anchor::Pointer(at));
                (Root::SomeTensor(key(at)), bytes.zip(start).and_then(|(bytes, start)| bytes.plus(&start)))
            }
        }
    }

    /// The memory that a value is loaded from, and the byte there.
    fn slot(&mut self, value: Value<'c, 'a>) -> Option<(Root, i64)> {
        let op = defining_op(value)?;
        let from = op.operand_at(0)?;
        match name(op) {
            llvm::LoadOp::NAME => {
                let address = self.address(from);
                Some((address.root, address.byte?.as_constant()?))
            }
            memref::LoadOp::NAME => {
                let element = self.element(op, from, 0).filter(|it| it.pitch.is_none())?;
                Some((self.memory(from).0, element.form.as_constant()?))
            }
            _ => None,
        }
    }

    /// The accesses of an operation to the tiles of registers that a tile or memref may be of; none to those that nothing
    /// asynchronous touches.
    pub(super) fn registers(&mut self, of: Value<'c, 'a>, write: bool, by: &ThreadSet) -> Vec<Access> {
        let root = alias::root(of);
        let loaded = root.each().iter().filter(|root| self.tensor.loaded.contains(root)).cloned().collect::<Vec<_>>();
        let own = Rc::new(Footprint::of(by.iter().map(|thread| (thread, thread, thread + 1))));
        let mut of_root = |root| access(self.object(root), Space::Local, write, Some((own.clone(), Shift::none())));
        loaded.into_iter().map(&mut of_root).collect()
    }

    /// Records a copy by `tcgen05.cp`, or a product, which the next `tcgen05.commit` of its thread completes.
    pub(super) fn issued(&mut self, op: usize) {
        self.tensor.copies.push(op);
        self.tensor.open.push(op);
    }

    /// Where phases are followed by executing the program, commits are, too.
    pub(super) fn forget_commits(&mut self) {
        for &op in &self.tensor.copies {
            self.program.ops[op].accesses.iter_mut().for_each(|it| it.completion = Completion::Commit);
        }
    }

    /// An operation of `tcgen05`; `None` for any other.
    pub(super) fn tcgen05(&mut self, op: OperationRef<'c, 'a>, does: &Op) -> Option<Vec<Item>> {
        let mut does = does.clone();
        match name(op) {
            nvvm::Tcgen05RelinquishAllocPermitOp::NAME | nvvm::Tcgen05MmaSmemDescOp::NAME | tile::TmemOp::NAME => {
                return Some(Vec::new());
            }
            nvvm::Tcgen05MMAOp::NAME => match self.tensor_product(op, &mut does) {
                Ok(()) => self.issued(self.program.ops.len()),
                Err(why) => self.refuse(op, format!("is not followed: {why}")),
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
                let address = self.address(slot);
                let object = self.object(address.root);
                let place = address.byte.map(|form| {
                    let each = does.active.iter().map(|it| (it, form.of_thread(it), form.of_thread(it) + 4));
                    (Rc::new(Footprint::of(each)), form.shift.clone())
                });
                let found = Access { by_warps: true, ..access(object, Space::Shared, true, place) };
                does.accesses.extend(self.at(op, address.rank, found));
            }
            nvvm::Tcgen05DeallocOp::NAME => {
                let (root, first) = self.tensor(op.operand_at(0)?);
                let object = self.object(root);
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
            self.refuse(op, "is not followed: it arrives on mbarriers of other blocks");
            return vec![self.push(op, does)];
        };
        let arrivals = does.active.len();
        let phase = self.arrives(op, barrier, &does, Arrival { arrivals, bytes: 0 }).filter(|_| arrivals == 1);
        let done = phase.and_then(|phase| self.committed(phase, does.active));
        let access = self.mbarrier(op, (barrier, None), false, does.active);
        // The arrival is asynchronous. The operations before it that it completes carry its phase; if there are none, it does
        // itself.
        does.accesses
            .extend(access.into_iter().map(|access| Access { completion: done.unwrap_or(Completion::Now), ..access }));
        if arrivals == 1 {
            self.tensor.copies.push(self.program.ops.len());
        }
        does.effects.push(Effect::TensorCommit);
        let act = Act::Arrive { by: does.active, count: 1, bytes: 0, releases: true };
        self.acts(op, &mut does, (barrier, None), act);
        vec![self.push(op, does)]
    }

    /// Once a phase is complete, all that a thread has issued is, also what it has committed before. The completion by which the
    /// arrival is known, if it completes nothing else.
    fn committed(&mut self, phase: usize, by: ThreadSet) -> Option<Completion> {
        let number = self.phases.next();
        let (ops, before) = (&mut self.program.ops, self.tensor.open.len());
        self.tensor.open.retain(|&issued| {
            let own = ops[issued].accesses.iter().all(|access| ops[issued].makers(access) == by);
            if own {
                ops[issued].accesses.iter_mut().for_each(|it| it.completion = Completion::Phase(number));
            }
            !own
        });
        self.tensor.commits.push((by, number));
        let own = self.tensor.commits.iter().filter(|(thread, _)| *thread == by);
        let numbers: Vec<usize> = own.map(|(_, number)| *number).collect();
        self.phases.imply(phase, &numbers);
        (self.tensor.open.len() == before).then_some(Completion::Phase(number))
    }
}
