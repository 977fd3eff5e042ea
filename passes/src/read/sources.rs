//! The sources of values, as far as they determine which threads see the same value.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, RegionLike, Type, Value, ValueLike};
use tile_dialect::ir::{Parts, as_argument, defining_op, uses};
use tile_dialect::memref::space;
use tile_dialect::{BufferType, Space};
use tile_isa::WARP;
use tile_layout::Level;
use tile_ops::{
    affine, arith, builtin, gpu, index, interface, llvm, llvm_type, math, memref, nvgpu, nvvm, tile, vector,
};

use super::kernel::{self, Argument};
use super::values::dimension;
use super::{arithmetic, divisibility, name};
use crate::shim::{self, MemoryEffects};

/// How the result of an op follows from its operands.
pub enum Source {
    /// A constant.
    Constant(i64),
    /// The thread's position in its block: 0, 1, 2 for x, y, z.
    Thread(usize),
    /// Threads of a block: along x, y, z.
    BlockSize(usize),
    /// Threads of a warp.
    WarpSize,
    /// The thread's position in its warp.
    Lane,
    /// The warp's position in its block.
    Warp,
    /// Whether the thread is the one of its warp that `elect.sync` elects.
    Leader,
    /// A function of the operands, perhaps one that can be evaluated.
    Computed,
    /// Uniform where all operands are, at most within a group of this level.
    Mixed(Level),
    /// A value that the threads of a group compute together: the same for all of them, if the operands `by` are.
    Gathered {
        /// The group.
        level: Level,
        /// The indices of these operands.
        by: &'static [usize],
    },
    /// The operand; promised to be the same within a group of this level.
    Promised(Level),
}

/// Dialects whose ops are functions of their operands unless they say that they access memory.
const PURE: [&str; 5] = [affine::PREFIX, arith::PREFIX, index::PREFIX, math::PREFIX, vector::PREFIX];

/// Registers that are the same for the whole block: `ctaid`, `ntid`, `nctaid`, …; `clusterid`, `cluster.ctarank`, …
const SPECIAL_REGISTERS: [&str; 26] = [
    nvvm::GridIdOp::NAME,
    nvvm::BlockDimXOp::NAME,
    nvvm::BlockDimYOp::NAME,
    nvvm::BlockDimZOp::NAME,
    nvvm::BlockIdXOp::NAME,
    nvvm::BlockIdYOp::NAME,
    nvvm::BlockIdZOp::NAME,
    nvvm::BlockInClusterIdXOp::NAME,
    nvvm::BlockInClusterIdYOp::NAME,
    nvvm::BlockInClusterIdZOp::NAME,
    nvvm::ClusterDim::NAME,
    nvvm::ClusterDimBlocksXOp::NAME,
    nvvm::ClusterDimBlocksYOp::NAME,
    nvvm::ClusterDimBlocksZOp::NAME,
    nvvm::ClusterDimXOp::NAME,
    nvvm::ClusterDimYOp::NAME,
    nvvm::ClusterDimZOp::NAME,
    nvvm::ClusterId::NAME,
    nvvm::ClusterIdXOp::NAME,
    nvvm::ClusterIdYOp::NAME,
    nvvm::ClusterIdZOp::NAME,
    nvvm::GridDimXOp::NAME,
    nvvm::GridDimYOp::NAME,
    nvvm::GridDimZOp::NAME,
    nvvm::SmDimOp::NAME,
    nvvm::WarpDimOp::NAME,
];

/// More ops that are functions of their operands and of the block, by their full names. A memref or a pointer is as uniform as
/// the address that it points to.
const PURE_NAMES: [&str; 52] = [
    builtin::UnrealizedConversionCastOp::NAME,
    gpu::BlockIdOp::NAME,
    gpu::GridDimOp::NAME,
    gpu::NumSubgroupsOp::NAME,
    gpu::SubgroupSizeOp::NAME,
    gpu::ClusterIdOp::NAME,
    gpu::ClusterDimOp::NAME,
    gpu::ClusterDimBlocksOp::NAME,
    gpu::ClusterBlockIdOp::NAME,
    gpu::DynamicSharedMemoryOp::NAME,
    llvm::AddOp::NAME,
    llvm::AddrSpaceCastOp::NAME,
    llvm::AndOp::NAME,
    llvm::BitcastOp::NAME,
    llvm::ExtractValueOp::NAME,
    llvm::GEPOp::NAME,
    llvm::IntToPtrOp::NAME,
    llvm::AddressOfOp::NAME,
    llvm::ConstantOp::NAME,
    llvm::PtrToIntOp::NAME,
    llvm::InsertValueOp::NAME,
    llvm::LShrOp::NAME,
    llvm::MulOp::NAME,
    llvm::OrOp::NAME,
    llvm::ShlOp::NAME,
    llvm::SubOp::NAME,
    llvm::TruncOp::NAME,
    llvm::ZExtOp::NAME,
    llvm::ZeroOp::NAME,
    memref::AssumeAlignmentOp::NAME,
    memref::CastOp::NAME,
    memref::CollapseShapeOp::NAME,
    memref::DimOp::NAME,
    memref::ExpandShapeOp::NAME,
    memref::ExtractAlignedPointerAsIndexOp::NAME,
    memref::ExtractStridedMetadataOp::NAME,
    memref::GetGlobalOp::NAME,
    memref::MemorySpaceCastOp::NAME,
    memref::RankOp::NAME,
    memref::ReinterpretCastOp::NAME,
    memref::SubViewOp::NAME,
    memref::TransposeOp::NAME,
    memref::ViewOp::NAME,
    nvgpu::MBarrierCreateOp::NAME,
    tile::AllocOp::NAME,
    tile::AssumeOp::NAME,
    tile::CastOp::NAME,
    tile::PartsOp::NAME,
    tile::PermuteOp::NAME,
    tile::ReshapeOp::NAME,
    tile::SubviewOp::NAME,
    tile::ViewOp::NAME,
];

/// Loads that give the same value to all threads that load from one address. Others may read anything.
const LOADS: [&str; 5] = [
    memref::LoadOp::NAME,
    affine::AffineLoadOp::NAME,
    vector::LoadOp::NAME,
    vector::TransferReadOp::NAME,
    llvm::LoadOp::NAME,
];

/// The source of the results of an op that is not structured control flow.
pub fn of(op: OperationRef<'_, '_>) -> Source {
    let name = name(op);
    match name {
        arith::ConstantOp::NAME | index::ConstantOp::NAME => {
            arithmetic::constant(op).map_or(Source::Mixed(Level::Cta), Source::Constant)
        }
        gpu::ThreadIdOp::NAME => dimension(op).map_or(Source::Mixed(Level::Thread), Source::Thread),
        nvvm::ThreadIdXOp::NAME => Source::Thread(0),
        nvvm::ThreadIdYOp::NAME => Source::Thread(1),
        nvvm::ThreadIdZOp::NAME => Source::Thread(2),
        gpu::BlockDimOp::NAME => dimension(op).map_or(Source::Mixed(Level::Cta), Source::BlockSize),
        nvvm::BlockDimXOp::NAME => Source::BlockSize(0),
        nvvm::BlockDimYOp::NAME => Source::BlockSize(1),
        nvvm::BlockDimZOp::NAME => Source::BlockSize(2),
        gpu::LaneIdOp::NAME | nvvm::LaneIdOp::NAME => Source::Lane,
        gpu::SubgroupIdOp::NAME => Source::Warp,
        nvvm::WarpSizeOp::NAME => Source::WarpSize,
        // Among all threads of a warp; with a mask, the leader depends on the mask.
        nvvm::ElectSyncOp::NAME if op.operand_count() == 0 => Source::Leader,
        nvvm::WarpIdOp::NAME => Source::Mixed(Level::Warp),
        tile::AssumeOp::NAME if !makes_private(op) => promise(op).map_or(Source::Computed, Source::Promised),
        loaded if LOADS.contains(&loaded) => Source::Mixed(within(op)),
        _ if op.region_count() == 0 && is_pure(op) && !makes_private(op) => Source::Computed,
        other => together(op, other).unwrap_or(Source::Mixed(Level::Thread)),
    }
}

/// The uniformity that `tile.assume` promises.
fn promise(op: OperationRef<'_, '_>) -> Option<Level> {
    Some(tile::AssumeOp::cast(op)?.uniform()?.level())
}

/// Ops by which the threads of a warp, or of a block, compute one value.
fn together(op: OperationRef<'_, '_>, name: &str) -> Option<Source> {
    let operand_is = |index: usize, wanted: i64| {
        let constant = op.operand_at(index).and_then(|value| arithmetic::constant(defining_op(value)?));
        constant == Some(wanted)
    };
    let mode = || gpu::ShuffleOp::cast(op)?.mode();
    let kind = || nvvm::ShflOp::cast(op)?.kind();
    let warp = |by| Some(Source::Gathered { level: Level::Warp, by });
    match name {
        gpu::AllReduceOp::NAME => Some(Source::Gathered { level: Level::Cta, by: &[] }),
        gpu::SubgroupReduceOp::NAME => gpu::SubgroupReduceOp::cast(op)?.cluster_size().is_none().then(|| warp(&[]))?,
        gpu::SubgroupBroadcastOp::NAME => warp(&[]),
        // From one lane of a warp to all.
        gpu::ShuffleOp::NAME if mode() == Some(gpu::ShuffleMode::Idx) && operand_is(2, WARP) => warp(&[1]),
        nvvm::ShflOp::NAME if kind() == Some(nvvm::ShflKind::Idx) && operand_is(0, -1) && operand_is(3, WARP - 1) => {
            warp(&[2])
        }
        // The threads that execute it are in the mask that it names.
        nvvm::VoteSyncOp::NAME => warp(&[0]),
        nvvm::ReduxOp::NAME => warp(&[1]),
        _ => None,
    }
}

/// Whether an op of a dialect that computes touches memory only as `allowed`, by its own account.
fn computes(op: OperationRef<'_, '_>, allowed: impl Fn(MemoryEffects) -> bool) -> bool {
    PURE.iter().any(|prefix| name(op).starts_with(prefix)) && allowed(shim::memory_effects(op))
}

fn is_pure(op: OperationRef<'_, '_>) -> bool {
    PURE_NAMES.contains(&name(op))
        || SPECIAL_REGISTERS.contains(&name(op))
        || computes(op, |effects| !effects.reads && !effects.writes)
}

/// Whether an op is a function of its operands and of what it reads, so that it writes nothing.
pub fn only_computes_or_reads(op: OperationRef<'_, '_>) -> bool {
    PURE_NAMES.contains(&name(op)) || computes(op, |effects| !effects.writes)
}

/// Whether an op touches no memory, and orders nothing.
pub fn touches_nothing(op: OperationRef<'_, '_>) -> bool {
    let name = name(op);
    let known = !matches!(of(op), Source::Computed | Source::Mixed(_)) || name == nvvm::WarpIdOp::NAME;
    known
        || name == tile::AssumeOp::NAME
        || name == tile::LocalViewOp::NAME
        || [llvm::UndefOp::NAME, llvm::PoisonOp::NAME].contains(&name)
        || is_pure(op)
        || SPECIAL_REGISTERS.contains(&name)
}

/// Whether the value is private memory, which is separate for each thread whatever its address.
pub fn is_private(value: Value<'_, '_>) -> bool {
    match MemRefType::try_from(value.r#type()) {
        Ok(memref) => space(memref).is_none_or(|space| space == Space::Local),
        Err(_) => match BufferType::from_type(value.r#type()) {
            Some(buffer) => buffer.space() == Space::Local,
            None => llvm_type::Space::of(value.r#type()) == Some(llvm_type::Space::Local),
        },
    }
}

/// Whether the threads that call a function together must pass it the same value: it is memory, or an extent or a stride of a
/// tile that the function makes from an argument.
pub fn is_handed_alike(argument: Value<'_, '_>) -> bool {
    let numbers = |(view, operand): (OperationRef<'_, '_>, usize)| {
        let memory = view.operand_at(0).filter(|_| operand > 0 && name(view) == tile::ViewOp::NAME);
        memory.and_then(as_argument).zip(as_argument(argument)).is_some_and(|(memory, own)| {
            is_memory(memory.r#type()) && memory.owner().to_raw().ptr == own.owner().to_raw().ptr
        })
    };
    is_memory(argument.r#type()) || uses(argument).into_iter().any(numbers)
}

fn is_memory(r#type: Type<'_>) -> bool {
    let pointer = matches!(llvm_type::Space::of(r#type), Some(llvm_type::Space::Global | llvm_type::Space::Shared));
    pointer || MemRefType::try_from(r#type).is_ok()
}

fn makes_private(op: OperationRef<'_, '_>) -> bool {
    op.results().any(|result| is_private(result.into()))
}

fn within(load: OperationRef<'_, '_>) -> Level {
    // A volatile load, or one in an order with others' stores, may see a change between two threads' loads.
    let changes = llvm::LoadOp::cast(load).is_some_and(|it| {
        it.volatile() || it.ordering().is_some_and(|ordering| ordering != llvm::AtomicOrdering::NotAtomic)
    });
    if load.operand_at(0).is_some_and(|source| !is_private(source)) && !changes { Level::Cta } else { Level::Thread }
}

/// The source of a block argument. One of a launch's body that repeats an operand has the operand's source.
pub fn of_argument(value: Value<'_, '_>) -> Source {
    match kernel::argument(value) {
        Some(Argument::Thread(dimension)) => Source::Thread(dimension),
        Some(Argument::Block(_) | Argument::OfBlock) => Source::Mixed(Level::Cta),
        Some(Argument::Size(size)) => captured(size),
        Some(Argument::Memory) if is_private(value) => Source::Mixed(Level::Thread),
        Some(Argument::Memory) => Source::Mixed(Level::Cta),
        None => Source::Mixed(argument(value)),
    }
}

/// The source of a value that is made outside of the launch around its use: all threads see the same value.
pub fn captured(value: Value<'_, '_>) -> Source {
    divisibility::of(value).constant().map_or(Source::Mixed(Level::Cta), Source::Constant)
}

/// The level at which an argument of a function (or of a block whose branches are not known) is uniform.
///
/// The threads of a scope that call a function together pass it the same memory, and the same extents and strides of it;
/// [`super::calls`] checks the calls in sight. Other arguments may differ between threads, unless the host passes them.
fn argument(value: Value<'_, '_>) -> Level {
    let uniform = || {
        let argument = as_argument(value)?;
        let function = argument.owner().parent_operation()?;
        let entry = function.regions().next()?.first_block()?;
        let own = entry.to_raw().ptr == argument.owner().to_raw().ptr && interface::is_function(function);
        let shared = kernel::is_entry(function) || is_handed_alike(value);
        Some(own && shared && !is_private(value))
    };
    if uniform().unwrap_or(false) { Level::Cta } else { Level::Thread }
}
