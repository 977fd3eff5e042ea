//! Other ops: loads, stores, groups, fences. Barriers and mbarriers have their own files.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::Parts;
use tile_dialect::memref::space;
use tile_ops::llvm_type::is_pointer;
use tile_ops::nvvm::ProxyKind;
use tile_ops::{affine, gpu, llvm, llvm_type, memref, nvvm, vector};
use tile_plan::Space;
use tile_plan::sync::{Access, Effect, Item, Op, Queue};

use super::KernelReader;
use super::interblock;
use super::raw::is_raw;
use crate::read::sources::{is_private, touches_nothing};
use crate::read::{alias, name};
use crate::sync::kernel::access::{access, each};
use crate::sync::kernel::addresses::Element;
use crate::sync::kernel::addresses::size;
use crate::sync::kernel::objects::Object;

impl<'c: 'a, 'a> KernelReader<'_, 'c, 'a> {
    /// An op without regions that is not a tile copy.
    pub(super) fn plain(&mut self, op: OperationRef<'c, 'a>) -> Vec<Item> {
        let mut does = self.threads.reaching(op);
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
            nvvm::FenceMbarrierInitOp::NAME if self.rank.is_some() => Effect::MbarrierFence,
            nvvm::FenceMbarrierInitOp::NAME | memref::AllocaOp::NAME | memref::PrefetchOp::NAME => return Vec::new(),
            // Memory of the block, allocated once for all of its threads.
            memref::AllocOp::NAME if op.result_at(0).is_some_and(|it| is_shared(it.into())) => return Vec::new(),
            memref::DeallocOp::NAME if op.operand_at(0).is_some_and(is_shared) => return Vec::new(),
            nvvm::ClusterArriveOp::NAME | nvvm::ClusterArriveRelaxedOp::NAME | nvvm::ClusterWaitOp::NAME => {
                self.by_all(op, &does);
                match self.at_cluster_barrier(op) {
                    Some(effect) => effect,
                    None => return Vec::new(),
                }
            }
            nvvm::MapaOp::NAME => return Vec::new(),
            nvvm::MBarrierInitOp::NAME => return self.initialize(op, does),
            nvvm::MBarrierArriveOp::NAME | nvvm::MBarrierArriveExpectTxOp::NAME | nvvm::MBarrierExpectTxOp::NAME => {
                return self.arrive(op, does);
            }
            name if is_raw(name) => return self.raw(op, does),
            name if moves_registers(name) => {
                self.exchange(op);
                return Vec::new();
            }
            name if interblock::is_fence(name) => match interblock::of_fence(op) {
                Some(effect) => effect,
                None => return Vec::new(),
            },
            _ if op.region_count() == 0 && touches_nothing(op) => return Vec::new(),
            _ => match self.tcgen05(op, &does).or_else(|| self.wgmma(op, &does)) {
                Some(items) => return items,
                None => return self.touch(op, does),
            },
        };
        does.effects.push(effect);
        vec![self.push(op, does)]
    }

    /// Loads, stores, and ops whose effect is not known.
    fn touch(&mut self, op: OperationRef<'c, 'a>, mut does: Op) -> Vec<Item> {
        let Some((at, write, atomic)) = loads_or_stores(name(op)) else {
            let other = name(op);
            self.failures
                .refuse(op, format!("is not followed: the effect of '{other}' on memory and order is not known"));
            return vec![self.push(op, does)];
        };
        let Some(memory_of) = op.operand_at(at) else { return Vec::new() };
        if is_private(memory_of) || alias::root(memory_of).space() == Some(tile_dialect::Space::Local) {
            does.accesses = self.addresses.registers(memory_of, write, &does.active);
            return if does.accesses.is_empty() { Vec::new() } else { vec![self.push(op, does)] };
        }
        if is_pointer(memory_of.r#type()) && (is_shared(memory_of) || self.addresses.pointer(memory_of).rank.is_some())
        {
            return self.through_pointer(op, does, at, (write, atomic));
        }
        let (root, _) = self.addresses.memory(memory_of);
        let space = if is_shared(memory_of) { Space::Shared } else { Space::Global };
        let element = self.addresses.element(op, memory_of, at);
        let element = element.or_else(|| self.behind_pointer(op, memory_of, at));
        let pitch = element.as_ref().and_then(|it| it.pitch.clone());
        let object = self.addresses.object(Object { root, pitch });
        let place = element.map(|Element { form, bytes, .. }| each(&form, &does.active, bytes));
        let found = Access { atomic, ..access(object, space, write, place) };
        does.accesses.extend(self.at(op, None, found));
        does.effects.extend(interblock::of_accesses(op, &does.accesses));
        vec![self.push(op, does)]
    }

    /// Loads and stores of shared memory, of this block or another, through pointers.
    fn through_pointer(
        &mut self,
        op: OperationRef<'c, 'a>,
        mut does: Op,
        at: usize,
        (write, atomic): (bool, bool),
    ) -> Vec<Item> {
        let Some(pointer) = op.operand_at(at) else { return Vec::new() };
        let moved = if write && !atomic { op.operand_at(0) } else { op.result_at(0).map(Into::into) };
        let bytes = moved.and_then(|moved| size(moved.r#type()));
        let address = self.addresses.pointer(pointer);
        let object = self.addresses.object(address.root);
        let place = address.byte.zip(bytes).map(|(form, bytes)| each(&form, &does.active, bytes));
        let found = Access { atomic, ..access(object, Space::Shared, write, place) };
        does.accesses.extend(self.at(op, address.rank, found));
        vec![self.push(op, does)]
    }

    /// The first byte of a scalar load or store through a pointer, and the number of bytes.
    fn behind_pointer(&mut self, op: OperationRef<'c, 'a>, of: Value<'c, 'a>, at: usize) -> Option<Element> {
        if ![llvm::LoadOp::NAME, llvm::StoreOp::NAME].contains(&name(op)) {
            return None;
        }
        let moved = if at == 0 { op.result_at(0)?.r#type() } else { op.operand_at(0)?.r#type() };
        let bytes = i64::from(crate::read::arithmetic::bits(moved)?.div_ceil(8));
        Some(Element { form: self.addresses.pointer(of).byte?, bytes, pitch: None })
    }
}

fn is_shared(value: Value<'_, '_>) -> bool {
    match MemRefType::try_from(value.r#type()) {
        Ok(memref) => space(memref) == Some(tile_dialect::Space::Shared),
        Err(_) => {
            matches!(llvm_type::Space::of(value.r#type()), Some(llvm_type::Space::Shared | llvm_type::Space::Cluster))
        }
    }
}

/// For loads and stores: the operand that names memory, whether it is written, and whether atomically.
fn loads_or_stores(name: &str) -> Option<(usize, bool, bool)> {
    match name {
        memref::LoadOp::NAME | vector::LoadOp::NAME | llvm::LoadOp::NAME => Some((0, false, false)),
        vector::TransferReadOp::NAME | affine::AffineLoadOp::NAME => Some((0, false, false)),
        memref::StoreOp::NAME | vector::StoreOp::NAME | llvm::StoreOp::NAME => Some((1, true, false)),
        vector::TransferWriteOp::NAME | affine::AffineStoreOp::NAME => Some((1, true, false)),
        memref::AtomicRMWOp::NAME => Some((1, true, true)),
        llvm::AtomicRMWOp::NAME => Some((0, true, true)),
        _ => None,
    }
}

/// Whether an op loads from shared memory, or stores to it.
pub fn touches_shared(op: OperationRef<'_, '_>) -> bool {
    loads_or_stores(name(op)).and_then(|(at, ..)| op.operand_at(at)).is_some_and(is_shared)
}

/// Whether an op exchanges registers within a warp, which orders nothing.
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
