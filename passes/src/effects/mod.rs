//! What operations do to memory, and what they order: a table for each family, by the operations' own operands.
//!
//! ```text
//!   nvvm.cp.async %dst, %src, 16       reads 16 bytes at %src, writes 16 bytes at %dst; complete with the thread's group
//!   nvvm.bar.warp.sync %mask           the lanes of %mask wait for each other
//! ```
//!
//! [`crate::sync`] finds the memory behind the operands, and the threads; [`groups`], [`barriers`] and [`fences`] also make the
//! operations that have an effect.

mod accessed;
pub mod barriers;
pub mod bulk;
pub mod cluster;
mod completed;
mod cp_async;
pub mod error;
pub mod fences;
pub mod groups;
pub mod inherent;
pub mod lanes;
pub mod loads;
mod matrices;
pub mod mbarriers;
mod registers;
mod stated;
mod tcgen05;
pub mod wgmma;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::ir::Parts;
use tile_dialect::ops::{CopyOp, Operand, Region, UpdateMapOp};
use tile_ops::nvvm;
use tile_plan::problem::role::Role;
use tile_plan::sync::{Effect, Engine, Pipe, Queue, TensorProduct};
use tile_plan::touch::Collective;

use crate::read::effects::touches_nothing;
use crate::read::name;
use error::UnknownEffects;

/// What an operation does.
#[derive(Default)]
pub struct Effects<'c, 'a> {
    /// The threads that have to execute it together.
    pub by: Participants<'c, 'a>,
    /// Its accesses to memory.
    pub accesses: Vec<MemoryAccess<'c, 'a>>,
    /// What it orders, after these.
    pub order: Vec<Effect>,
    /// What it does to an mbarrier, at last.
    pub mbarrier: Option<MbarrierEffect<'c, 'a>>,
}

/// Threads that have to execute an operation together.
#[derive(Clone, Copy, Default)]
pub enum Participants<'c, 'a> {
    /// Any.
    #[default]
    Any,
    /// One.
    One,
    /// These lanes of a warp.
    Lanes(u32),
    /// Whole warps of the block.
    Warps,
    /// Warps of 32 threads.
    FullWarps,
    /// Whole warpgroups.
    Warpgroups,
    /// All threads of the block.
    Block,
    /// The threads of scope `cta`: those of the role, or all of the block.
    Cta,
    /// All threads of the block, at its barrier 0.
    BlockBarrier,
    /// A number of threads, at a barrier of that number: all of the block, and 0, where they are not given.
    NamedBarrier {
        /// The number of the barrier.
        number: Option<Value<'c, 'a>>,
        /// The number of threads.
        count: Option<Value<'c, 'a>>,
    },
    /// The lanes of a mask.
    WarpBarrier(Option<Value<'c, 'a>>),
}

/// An access to memory.
pub struct MemoryAccess<'c, 'a> {
    /// Where.
    pub memory: AccessedMemory<'c, 'a>,
    /// Whether it is a write.
    pub write: bool,
    /// Whether it is an atomic read-modify-write.
    pub atomic: bool,
    /// The threads whose accesses count as one.
    pub collective: Collective,
    /// The engine that performs it.
    pub engine: Engine,
    /// For accesses to tensor memory: the pipeline that keeps them in order.
    pub pipe: Option<Pipe>,
}

impl<'c, 'a> MemoryAccess<'c, 'a> {
    /// A read by an engine.
    pub fn read(memory: AccessedMemory<'c, 'a>, engine: Engine) -> Self {
        MemoryAccess { memory, write: false, atomic: false, collective: Collective::Thread, engine, pipe: None }
    }

    /// A write by an engine.
    pub fn write(memory: AccessedMemory<'c, 'a>, engine: Engine) -> Self {
        MemoryAccess { write: true, ..MemoryAccess::read(memory, engine) }
    }
}

/// The memory that an operation accesses.
pub enum AccessedMemory<'c, 'a> {
    /// What a load or a store moves: at the indices of a memref, or behind a pointer. The number of the operand.
    Element(usize),
    /// Any bytes of the memory of a memref, or of that which a pointer points to. The number of the operand.
    Anywhere(usize),
    /// A region of a tile, by what it is to the op: each thread accesses all of it.
    Region(Role, Operand<'c, 'a>),
    /// The same of a memref with strides.
    MemrefRegion(Value<'c, 'a>, Region<'c, 'a>),
    /// A number of bytes at each thread's pointer to global memory, or to shared memory of its block.
    Bytes {
        /// The pointer.
        pointer: Value<'c, 'a>,
        /// The number of bytes.
        bytes: i64,
    },
    /// The same, in shared memory of any block.
    Shared {
        /// The pointer.
        pointer: Value<'c, 'a>,
        /// The number of bytes.
        bytes: i64,
    },
    /// Rows of matrices in shared memory of the block: one at the pointer of each of a warp's first lanes.
    Rows {
        /// The pointer.
        pointer: Value<'c, 'a>,
        /// The number of rows.
        rows: i64,
        /// The bytes of a row.
        bytes: i64,
    },
    /// An operand of a matrix product, by its descriptor.
    Descriptor(Described<'c, 'a>),
    /// Tensor memory.
    Tensor {
        /// Its address.
        address: Value<'c, 'a>,
        /// What is there.
        part: TensorPart,
    },
    /// The registers of an accumulator, by its key.
    Accumulator(usize),
}

/// An operand in shared memory that a descriptor names.
#[derive(Clone, Copy)]
pub struct Described<'c, 'a> {
    /// Its name.
    pub name: &'static str,
    /// The descriptor.
    pub descriptor: Value<'c, 'a>,
    /// Rows of A, or columns of B.
    pub rows: i64,
    /// Whether these are contiguous in memory.
    pub transposed: bool,
    /// Whether it is an operand of `tcgen05.mma`.
    pub is_of_tensor: bool,
    /// Whether the rules for its bytes are known; otherwise they may be any of the tile.
    pub is_known: bool,
}

/// A part of tensor memory.
#[derive(Clone, Copy)]
pub enum TensorPart {
    /// A number of columns of all lanes, if it is known.
    Columns(Option<i64>),
    /// A of a product.
    Left(TensorProduct),
    /// D of a product.
    Sum(TensorProduct),
    /// The scales of that many rows of A, or columns of B.
    Scales(i64),
}

/// What an operation does to an mbarrier.
pub struct MbarrierEffect<'c, 'a> {
    /// The mbarrier.
    pub barrier: Value<'c, 'a>,
    /// What it does.
    pub act: MbarrierAct,
}

/// Operations on an mbarrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MbarrierAct {
    /// Initializes it.
    Init {
        /// The number of arrivals per phase, if it is a constant.
        count: Option<i64>,
    },
    /// Each thread arrives.
    Arrive {
        /// The number of arrivals per thread.
        count: i64,
        /// The number of bytes that each thread expects; below 0 for those that it brings.
        bytes: i64,
        /// The threads that the arrival releases to.
        releases: Release,
    },
    /// Each thread arrives once what it has issued in tensor memory is complete.
    Commit,
}

/// The threads to which an arrival releases what came before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// None.
    None,
    /// Those of its block.
    Block,
    /// Those of the cluster.
    Cluster,
}

impl Effects<'_, '_> {
    /// Only an effect on order.
    fn order(order: Effect) -> Self {
        Effects { order: vec![order], ..Effects::default() }
    }

    /// Whether the operation waits, makes others wait, or is asynchronous.
    fn synchronizes(&self) -> bool {
        let only_closes = |order: &Effect| {
            matches!(
                order,
                Effect::Commit(_) | Effect::ProxyFence { .. } | Effect::MbarrierFence | Effect::InterBlock { .. }
            )
        };
        self.order.iter().any(|order| !only_closes(order))
            || self.accesses.iter().any(|access| access.engine != Engine::THREADS)
            || self.mbarrier.is_some()
    }
}

/// What an operation does, which has no regions or only computes in them; `None` where that is not known.
///
/// # Errors
/// The part of it that is not followed.
pub fn known_effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Result<Effects<'c, 'a>, UnknownEffects>> {
    let nothing = || (op.region_count() == 0 && touches_nothing(op)).then(Effects::default);
    let others = || nothing().or_else(|| registers::effects(op)).or_else(|| stated::effects(op)).map(Ok);
    accessed::effects(op).or_else(|| listed(op)).or_else(others)
}

/// What an operation of the tables does.
fn listed<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Result<Effects<'c, 'a>, UnknownEffects>> {
    if let Some(inherent) = inherent::effects(op) {
        return Some(Ok(inherent));
    }
    let simple = barriers::effects(op)
        .or_else(|| groups::effects(op))
        .or_else(|| fences::effects(op))
        .or_else(|| lanes::effects(op));
    let simple = simple.or_else(|| cluster::effects(op)).or_else(|| loads::effects(op));
    let others = || cp_async::effects(op).or_else(|| bulk::effects(op)).or_else(|| mbarriers::effects(op));
    let matrices = || matrices::effects(op).or_else(|| wgmma::effects(op)).or_else(|| tcgen05::effects(op));
    simple.map(Ok).or_else(others).or_else(matrices)
}

/// Whether an operation synchronizes threads, completes asynchronous copies, or prepares to; the election of a thread is part of
/// that. A warpgroup's wait for its own products is not.
pub fn synchronizes(op: OperationRef<'_, '_>) -> bool {
    let is_of_products =
        |order: &Effect| matches!(order, Effect::Commit(Queue::Product) | Effect::Wait { queue: Queue::Product, .. });
    let orders = |effects: Effects<'_, '_>| {
        effects.order.iter().any(|order| !is_of_products(order)) || effects.mbarrier.is_some()
    };
    mbarriers::wait(op).is_some()
        || matches!(name(op), nvvm::BarrierArriveOp::NAME | nvvm::ElectSyncOp::NAME)
        || listed(op).is_some_and(|known| known.is_ok_and(orders))
}

/// Whether a kernel with such an operation has accesses that may need an order: the operation synchronizes, is asynchronous, or
/// accesses memory that threads share.
pub fn concerns_order(op: OperationRef<'_, '_>) -> bool {
    let is_own = CopyOp::is_name(name(op)) || name(op) == UpdateMapOp::NAME;
    if is_own || mbarriers::wait(op).is_some() || cluster::reaches_other_blocks(op) {
        return true;
    }
    let is_shared = |access: &MemoryAccess<'_, '_>| match &access.memory {
        AccessedMemory::Element(operand) | AccessedMemory::Anywhere(operand) => {
            op.operand_at(*operand).is_some_and(loads::is_shared)
        }
        AccessedMemory::Region(_, operand) => loads::is_shared(operand.value),
        AccessedMemory::MemrefRegion(memref, _) => loads::is_shared(*memref),
        _ => true,
    };
    match known_effects(op) {
        Some(Ok(effects)) => effects.synchronizes() || effects.accesses.iter().any(is_shared),
        Some(Err(_)) => true,
        None => name(op) == nvvm::BarrierArriveOp::NAME,
    }
}
