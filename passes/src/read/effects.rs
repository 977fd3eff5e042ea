//! What ops do to memory, by their own account.

use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, Type, Value, ValueLike};
use tile_dialect::ir::{Parts, as_argument, uses};
use tile_dialect::memref::space;
use tile_dialect::{BufferType, Space};
use tile_ops::{affine, arith, builtin, gpu, index, llvm, llvm_type, math, memref, nvgpu, nvvm, tile, vector};

use super::name;
use crate::shim;

/// Ops that say nothing of themselves, or that they allocate: they exchange values between the threads of a warp, or make room
/// that nothing has touched yet.
const SILENT: [&str; 8] = [
    gpu::SubgroupBroadcastOp::NAME,
    gpu::SubgroupReduceOp::NAME,
    nvgpu::MBarrierCreateOp::NAME,
    nvvm::ElectSyncOp::NAME,
    nvvm::ReduxOp::NAME,
    nvvm::ShflOp::NAME,
    nvvm::VoteSyncOp::NAME,
    tile::AllocOp::NAME,
];

/// Ops that bring memory into caches, for accesses to come. They say nothing of themselves, or that they access it.
const PREFETCHES: [&str; 4] = [
    memref::PrefetchOp::NAME,
    nvvm::CpAsyncBulkPrefetchOp::NAME,
    nvvm::CpAsyncBulkTensorPrefetchOp::NAME,
    nvvm::PrefetchOp::NAME,
];

/// Dialects whose ops do not know by which thread they are executed. No interface of MLIR tells.
const THREADLESS: [&str; 9] = [
    affine::PREFIX,
    arith::PREFIX,
    builtin::PREFIX,
    index::PREFIX,
    llvm::PREFIX,
    math::PREFIX,
    memref::PREFIX,
    tile::PREFIX,
    vector::PREFIX,
];

/// Ops of these dialects that may nevertheless give each thread something else.
const UNLIKE: [&str; 4] =
    [llvm::FreezeOp::NAME, llvm::PoisonOp::NAME, llvm::ThreadlocalAddressOp::NAME, llvm::UndefOp::NAME];

/// Ops of other dialects that give all threads of a block the same: ids and sizes of its cluster, its number of warps, its shared
/// memory. No interface of MLIR tells that either.
const OF_BLOCK: [&str; 25] = [
    gpu::ClusterBlockIdOp::NAME,
    gpu::ClusterDimBlocksOp::NAME,
    gpu::ClusterDimOp::NAME,
    gpu::ClusterIdOp::NAME,
    gpu::DynamicSharedMemoryOp::NAME,
    gpu::NumSubgroupsOp::NAME,
    gpu::SubgroupSizeOp::NAME,
    nvgpu::MBarrierCreateOp::NAME,
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
    nvvm::GridIdOp::NAME,
    nvvm::SmDimOp::NAME,
    nvvm::WarpDimOp::NAME,
];

/// Loads that give the same value to all threads that load from one address. Others may read anything.
const LOADS: [&str; 4] = [memref::LoadOp::NAME, vector::LoadOp::NAME, vector::TransferReadOp::NAME, llvm::LoadOp::NAME];

/// Whether all threads of a block for which an op has the same operands get the same from it.
pub fn is_function_of_operands(op: OperationRef<'_, '_>) -> bool {
    is_portable(op) || OF_BLOCK.contains(&name(op))
}

/// Whether an op gives the same wherever it is executed with the same operands, on the host, too.
pub fn is_portable(op: OperationRef<'_, '_>) -> bool {
    let name = name(op);
    let threadless = THREADLESS.iter().any(|prefix| name.starts_with(prefix)) && !UNLIKE.contains(&name);
    threadless && touches_nothing(op)
}

/// Whether an op loads what all threads get that load from one address.
pub fn is_shared_load(op: OperationRef<'_, '_>) -> bool {
    LOADS.contains(&name(op))
}

/// Whether an op only brings memory into caches.
pub fn is_prefetch(op: OperationRef<'_, '_>) -> bool {
    PREFETCHES.contains(&name(op))
}

/// Whether an op accesses nothing, whatever it says of itself.
fn is_silent(op: OperationRef<'_, '_>) -> bool {
    SILENT.contains(&name(op)) || is_prefetch(op)
}

/// Whether an op writes nothing.
pub fn only_computes_or_reads(op: OperationRef<'_, '_>) -> bool {
    !shim::memory_effects(op).writes && name(op) != llvm::InlineAsmOp::NAME || is_silent(op)
}

/// Whether an op touches no memory, and orders nothing.
pub fn touches_nothing(op: OperationRef<'_, '_>) -> bool {
    let effects = shim::memory_effects(op);
    let by_itself = !effects.reads && !effects.writes && name(op) != llvm::InlineAsmOp::NAME;
    by_itself || is_silent(op)
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
pub fn must_be_uniform_argument(argument: Value<'_, '_>) -> bool {
    let numbers = |(view, operand): (OperationRef<'_, '_>, usize)| {
        let memory = view.operand_at(0).filter(|_| operand > 0 && name(view) == tile::ViewOp::NAME);
        memory.and_then(as_argument).zip(as_argument(argument)).is_some_and(|(memory, passed)| {
            is_memory(memory.r#type()) && memory.owner().to_raw().ptr == passed.owner().to_raw().ptr
        })
    };
    is_memory(argument.r#type()) || uses(argument).into_iter().any(numbers)
}

fn is_memory(r#type: Type<'_>) -> bool {
    let pointer = matches!(llvm_type::Space::of(r#type), Some(llvm_type::Space::Global | llvm_type::Space::Shared));
    pointer || MemRefType::try_from(r#type).is_ok()
}
