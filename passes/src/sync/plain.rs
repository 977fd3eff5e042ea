//! What other ops do: loads, stores, barriers, groups, fences, mbarriers.

use std::rc::Rc;

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::Space;
use tile_dialect::ir::Parts;
use tile_dialect::memref::{bit_width, space, strides_and_offset};
use tile_isa::WARP;
use tile_ops::nvvm::ProxyKind;
use tile_ops::{affine, arith, gpu, llvm, llvm_type, memref, nvvm, scf, vector};
use tile_plan::sync::{Access, Effect, Footprint, Form, Item, Op, Queue};
use tile_plan::{MAX_WARPS, ThreadSet};

use crate::read::sources::{is_private, touches_nothing};
use crate::read::{divisibility, name};
use crate::sync::copies::{access, memory};
use crate::sync::kernel::Kernel;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// An op without regions that is no tile copy.
    pub(super) fn plain(&mut self, op: OperationRef<'c, 'a>) -> Vec<Item> {
        let mut does = self.reached(op);
        let wait =
            |queue, pending: Option<i64>, reads| Effect::Wait { queue, pending: pending.unwrap_or(i64::MAX), reads };
        let effect = match name(op) {
            gpu::BarrierOp::NAME | nvvm::Barrier0Op::NAME => {
                self.all(op, &does);
                Effect::Barrier
            }
            nvvm::BarrierOp::NAME => match self.named(op, &does) {
                true => Effect::Barrier,
                false => return Vec::new(),
            },
            nvvm::SyncWarpOp::NAME => match self.warp(op, &does) {
                true => Effect::WarpBarrier,
                false => return Vec::new(),
            },
            nvvm::CpAsyncCommitGroupOp::NAME => Effect::Commit(Queue::CpAsync),
            nvvm::CpAsyncBulkCommitGroupOp::NAME => Effect::Commit(Queue::Bulk),
            nvvm::CpAsyncWaitGroupOp::NAME => {
                wait(Queue::CpAsync, nvvm::CpAsyncWaitGroupOp::cast(op).and_then(|it| it.n()), false)
            }
            nvvm::CpAsyncBulkWaitGroupOp::NAME => {
                let of = nvvm::CpAsyncBulkWaitGroupOp::cast(op);
                wait(Queue::Bulk, of.and_then(|it| it.group()), of.is_some_and(|it| it.read()))
            }
            nvvm::FenceProxyOp::NAME => {
                let kind = nvvm::FenceProxyOp::cast(op).and_then(|it| it.kind());
                match kind {
                    Some(ProxyKind::Async) => Effect::ProxyFence { shared: false },
                    Some(ProxyKind::AsyncShared) => Effect::ProxyFence { shared: true },
                    _ => return Vec::new(),
                }
            }
            nvvm::FenceMbarrierInitOp::NAME | memref::AllocaOp::NAME | memref::PrefetchOp::NAME => return Vec::new(),
            nvvm::ClusterArriveOp::NAME | nvvm::ClusterArriveRelaxedOp::NAME | nvvm::ClusterWaitOp::NAME => {
                return Vec::new();
            }
            nvvm::MBarrierInitOp::NAME => return self.initialize(op, does),
            nvvm::MBarrierArriveOp::NAME | nvvm::MBarrierArriveExpectTxOp::NAME => return self.arrive(op, does),
            _ if op.region_count() == 0 && touches_nothing(op) => return Vec::new(),
            _ => return self.touch(op, does),
        };
        does.effects.push(effect);
        vec![self.push(op, does)]
    }

    /// A barrier of all threads of a block.
    fn all(&mut self, op: OperationRef<'c, 'a>, does: &Op) {
        if !does.exact {
            self.wrong.push((
                op,
                "may be reached by some threads only, expected all of the block: what is around it differs \
                                  between threads, or is not known to be the same"
                    .to_owned(),
            ));
        } else if does.active != self.program.block {
            let (got, expected) = (does.active.len(), self.program.block.len());
            self.wrong.push((op, format!("is reached by {got} of {expected} threads, expected all of the block")));
        }
        self.barriers.insert(0, self.program.block);
    }

    /// A barrier by a number, and a count of threads.
    fn named(&mut self, op: OperationRef<'c, 'a>, does: &Op) -> bool {
        let Some(of) = nvvm::BarrierOp::cast(op) else { return false };
        let constant = |value: Option<Value<'c, 'a>>, otherwise| {
            value.map_or(Some(otherwise), |value| divisibility::of(value).constant())
        };
        let all = self.program.block.len();
        let (number, count) = (constant(of.barrier_id(), 0), constant(of.number_of_threads(), all));
        let (Some(number), Some(count)) = (number, count) else {
            self.refuse(op, "is not followed: its number or its count of threads is not a constant");
            return false;
        };
        if !does.exact {
            self.wrong.push((op, format!("waits for {count} threads, but it is not known which threads reach it")));
            return false;
        }
        let lanes = |warp: usize| [0, self.program.block.lanes(warp)].contains(&does.active.lanes(warp));
        let whole = (0..MAX_WARPS).all(lanes);
        let got = i64::from(does.active.warps().count_ones()) * WARP;
        if got != (count + WARP - 1) / WARP * WARP || !whole {
            let reached = does.active.len();
            self.wrong.push((
                op,
                format!("waits for {count} threads, but {reached} reach it, expected whole warps and as many"),
            ));
            return false;
        }
        let earlier = self.barriers.insert(number, does.active);
        if earlier.is_some_and(|earlier| earlier != does.active) {
            self.wrong
                .push((op, format!("is barrier {number}, which other threads use too, expected a number of its own")));
            return false;
        }
        true
    }

    /// A barrier of the threads of each warp.
    fn warp(&mut self, op: OperationRef<'c, 'a>, does: &Op) -> bool {
        let mask = op.operand_at(0).and_then(|mask| divisibility::of(mask).constant());
        let Some(mask) = mask.map(|mask| mask as u32) else {
            self.refuse(op, "is not followed: its mask is not a constant");
            return false;
        };
        if !does.exact {
            self.wrong
                .push((op, "is reached by threads that are not known, expected all that its mask names".to_owned()));
            return false;
        }
        let warps = (0..MAX_WARPS).filter(|&warp| does.active.lanes(warp) != 0);
        let fits = warps.clone().all(|warp| does.active.lanes(warp) == mask & self.program.block.lanes(warp));
        if !fits {
            self.wrong.push((op, format!("names the lanes {mask:#x}, but other lanes reach it, expected the same")));
        }
        // A barrier of a part of a warp orders nothing here.
        fits && warps.clone().all(|warp| does.active.lanes(warp) == self.program.block.lanes(warp))
    }

    /// Loads and stores, and what is not known.
    fn touch(&mut self, op: OperationRef<'c, 'a>, mut does: Op) -> Vec<Item> {
        let (at, write, atomic) = match name(op) {
            memref::LoadOp::NAME | vector::LoadOp::NAME | llvm::LoadOp::NAME => (0, false, false),
            vector::TransferReadOp::NAME | affine::AffineLoadOp::NAME => (0, false, false),
            memref::StoreOp::NAME | vector::StoreOp::NAME | llvm::StoreOp::NAME => (1, true, false),
            vector::TransferWriteOp::NAME | affine::AffineStoreOp::NAME => (1, true, false),
            memref::AtomicRMWOp::NAME => (1, true, true),
            llvm::AtomicRMWOp::NAME => (0, true, true),
            _ if moves_registers(name(op)) => return Vec::new(),
            other => {
                self.refuse(op, format!("is not followed: what '{other}' does to memory, and to order, is not known"));
                return vec![self.push(op, does)];
            }
        };
        let Some(memory_of) = op.operand_at(at) else { return Vec::new() };
        if is_private(memory_of) || is_registers(memory_of) {
            return Vec::new();
        }
        let (root, first) = memory(memory_of);
        let shared = is_shared(memory_of);
        let object = self.object(root);
        let place = first.and_then(|first| {
            let (form, bytes) = self.element(op, memory_of, at)?;
            let form = form.plus(&Form::constant(first))?;
            let each = does.active.iter().map(|thread| {
                let begin = form.of_thread(thread);
                (thread, begin, begin.saturating_add(bytes))
            });
            Some((Rc::new(Footprint::of(each)), form.shift.clone()))
        });
        does.accesses.push(Access { atomic, ..access(object, shared, write, place) });
        vec![self.push(op, does)]
    }

    /// Where a load or a store of a memref begins, from the memref's first element, and how many bytes it is of.
    fn element(&mut self, op: OperationRef<'c, 'a>, of: Value<'c, 'a>, at: usize) -> Option<(Form, i64)> {
        let simple = [memref::LoadOp::NAME, memref::StoreOp::NAME, vector::LoadOp::NAME, vector::StoreOp::NAME];
        let memref = MemRefType::try_from(of.r#type()).ok().filter(|_| simple.contains(&name(op)))?;
        let moved = if at == 0 { op.result_at(0)?.r#type() } else { op.operand_at(0)?.r#type() };
        let bytes = i64::from(bit_width(melior::ir::ShapedTypeLike::element(&memref))?.div_ceil(8));
        let count = match crate::math::shape(moved).ok()?.as_deref() {
            None | Some([]) => 1,
            Some(&[count]) => count,
            Some(_) => return None,
        };
        let (strides, _) = strides_and_offset(memref)?;
        let contiguous = strides.last().is_none_or(|&last| last == 1 || count == 1);
        let mut form = Form::constant(0);
        for (index, stride) in op.operands().skip(at + 1).zip(&strides) {
            let known = *stride != i64::MIN;
            form = form.plus(&self.of_value(index)?.times(stride.checked_mul(bytes).filter(|_| known)?)?)?;
        }
        contiguous.then_some((form, bytes.checked_mul(count)?))
    }

    /// The access to an mbarrier: of `mbarrier.init` a store, of all others an atomic one.
    pub(super) fn mbarrier(&mut self, barrier: Value<'c, 'a>, init: bool, by: ThreadSet) -> Option<Access> {
        let (root, first) = memory(barrier);
        let object = self.object(root);
        let place =
            first.map(|first| (Rc::new(Footprint::all(first, first.saturating_add(8), by)), Default::default()));
        Some(Access { atomic: !init, ..access(object, true, true, place) })
    }

    fn initialize(&mut self, op: OperationRef<'c, 'a>, mut does: Op) -> Vec<Item> {
        let (barrier, count) = (op.operand_at(0), op.operand_at(1));
        let Some(barrier) = barrier else { return Vec::new() };
        let (root, first) = memory(barrier);
        let count = count.and_then(|count| divisibility::of(count).constant());
        if let Some(first) = first {
            match count.filter(|_| self.around == 0 && does.exact && does.active.len() == 1) {
                Some(count) => self.phases.init(&(root, first), count),
                None => self.phases.lose(&(root, first)),
            }
        }
        does.accesses.extend(self.mbarrier(barrier, true, does.active));
        vec![self.push(op, does)]
    }

    fn arrive(&mut self, op: OperationRef<'c, 'a>, mut does: Op) -> Vec<Item> {
        let Some(barrier) = op.operand_at(0) else { return Vec::new() };
        let arrivals = does.active.len();
        self.arrives(op, barrier, &does, arrivals);
        does.accesses.extend(self.mbarrier(barrier, false, does.active));
        vec![self.push(op, does)]
    }

    /// Arrivals on an mbarrier, and the phase that they are in, where that is known.
    pub(super) fn arrives(
        &mut self,
        op: OperationRef<'c, 'a>,
        barrier: Value<'c, 'a>,
        does: &Op,
        arrivals: i64,
    ) -> Option<usize> {
        let (root, first) = memory(barrier);
        let place = (root, first?);
        if self.around > 0 || !does.exact {
            self.phases.lose(&place);
            self.refuse(op, "is not followed: phases of mbarriers in loops and under conditions are not");
            return None;
        }
        match self.phases.arrive(&place, arrivals) {
            Ok(phase) => phase,
            Err(why) => {
                self.wrong.push((op, why));
                None
            }
        }
    }

    /// A loop that does nothing but wait for a phase of an mbarrier.
    pub(super) fn spin(&mut self, op: OperationRef<'c, 'a>) -> Option<Item> {
        let mut wait = None;
        for region in 0..2 {
            let mut next = op.region_at(region)?.first_block()?.first_operation();
            while let Some(inner) = next {
                match name(inner) {
                    nvvm::MBarrierTryWaitOp::NAME | nvvm::MBarrierTestWaitOp::NAME if wait.is_none() && region == 0 => {
                        wait = Some(inner);
                    }
                    scf::ConditionOp::NAME | scf::YieldOp::NAME => {}
                    _ if touches_nothing(inner) && inner.region_count() == 0 => {}
                    _ => return None,
                }
                next = inner.next_in_block();
            }
        }
        let wait = wait?;
        let does = self.reached(op);
        Some(self.waits(op, wait, does))
    }

    fn waits(&mut self, op: OperationRef<'c, 'a>, wait: OperationRef<'c, 'a>, mut does: Op) -> Item {
        let (barrier, parity) = (wait.operand_at(0), wait.operand_at(1));
        let of_parity = parity.filter(|parity| crate::read::arithmetic::bits(parity.r#type()) == Some(32));
        let (Some(barrier), Some(parity)) = (barrier, of_parity) else {
            self.refuse(op, "is not followed: it waits for a token of an mbarrier, expected a parity");
            return self.push(op, does);
        };
        does.accesses.extend(self.mbarrier(barrier, false, does.active));
        let (root, first) = memory(barrier);
        let goes_on = goes_on_until(op, wait);
        let known =
            divisibility::of(parity).constant().zip(first).filter(|_| self.around == 0 && does.exact && goes_on);
        let Some((parity, first)) = known else {
            self.refuse(op, "is not followed: phases of mbarriers in loops and under conditions are not");
            return self.push(op, does);
        };
        match self.phases.wait(&(root, first), parity, &does.active) {
            Ok(Some(phases)) => does.effects.push(Effect::PhaseWait(phases)),
            Ok(None) => self.refuse(op, "is not followed: which phase of the mbarrier it waits for is not known"),
            Err(why) => self.wrong.push((op, why)),
        }
        self.push(op, does)
    }
}

/// Does a loop go on while the result of its wait is false?
fn goes_on_until(op: OperationRef<'_, '_>, wait: OperationRef<'_, '_>) -> bool {
    let again = || {
        let end = op.region_at(0)?.first_block()?.terminator()?;
        let condition = tile_dialect::ir::defining_op(end.operand_at(0)?)?;
        let inverts = name(condition) == arith::XOrIOp::NAME
            && divisibility::of(condition.operand_at(1)?).constant().is_some_and(|mask| mask & 1 == 1);
        let waits = tile_dialect::ir::defining_op(condition.operand_at(0)?)?;
        Some(inverts && waits.to_raw().ptr == wait.to_raw().ptr)
    };
    again().unwrap_or(false)
}

/// Is it memory that a thread has for itself?
fn is_registers(value: Value<'_, '_>) -> bool {
    let mut at = value;
    loop {
        let Some(op) = tile_dialect::ir::defining_op(at) else { return false };
        if [memref::AllocaOp::NAME, tile_ops::tile::LocalViewOp::NAME, llvm::AllocaOp::NAME].contains(&name(op)) {
            return true;
        }
        let views = [memref::SubViewOp::NAME, memref::CastOp::NAME, memref::ReinterpretCastOp::NAME, llvm::GEPOp::NAME];
        match op.operand_at(0).filter(|_| views.contains(&name(op))) {
            Some(next) => at = next,
            None => return false,
        }
    }
}

fn is_shared(value: Value<'_, '_>) -> bool {
    match MemRefType::try_from(value.r#type()) {
        Ok(memref) => space(memref) == Some(Space::Shared),
        Err(_) => llvm_type::Space::of(value.r#type()) == Some(llvm_type::Space::Shared),
    }
}

/// Exchanges between registers of a warp, which order nothing.
fn moves_registers(name: &str) -> bool {
    [
        nvvm::ShflOp::NAME,
        nvvm::VoteSyncOp::NAME,
        nvvm::ReduxOp::NAME,
        nvvm::ElectSyncOp::NAME,
        gpu::ShuffleOp::NAME,
        gpu::SubgroupReduceOp::NAME,
        gpu::SubgroupBroadcastOp::NAME,
    ]
    .contains(&name)
}
