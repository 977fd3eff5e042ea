//! The shared tiles of a kernel, and what else uses its shared memory.

use std::collections::BTreeSet;

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, RegionLike, ValueLike};
use tile_dialect::ir::{Arguments, Parts, Rewriter, is_used};
use tile_dialect::memref::{bit_width, space};
use tile_dialect::ops::CopyOp;
use tile_dialect::{BufferType, Space};
use tile_ops::{Builder, gpu, llvm, memref, nvvm, tile};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::family::Family;
use tile_plan::families::select;
use tile_plan::sync::SharedBuffer;

use super::kernel::SyncKernel;
use crate::emit::{attribution_bytes, padded_bytes};
use crate::families::composite;
use crate::options::LoweringOptions;
use crate::read::alias::{self, Root};
use crate::read::problem::Reader;
use crate::read::storage::alloc_alignment;
use crate::read::{kernel, name};
use crate::{kernels, shim, walk};

/// A shared tile.
pub struct SharedTile<'c, 'a> {
    /// Its `tile.alloc`.
    pub op: OperationRef<'c, 'a>,
    /// The storage that it needs.
    pub storage: SharedBuffer,
}

/// The kernels that make shared tiles, each a `gpu.func` or a `gpu.launch`.
pub fn functions<'c: 'a, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut kernels: Vec<OperationRef<'c, 'a>> = Vec::new();
    for op in walk::named(root, tile::AllocOp::NAME) {
        let Some(function) = kernel::function(op).filter(|_| bytes(op).is_some()) else { continue };
        let planned =
            kernel::is_launch(function) || name(function) == gpu::GPUFuncOp::NAME && kernel::is_entry(function);
        if planned && !kernels.iter().any(|known| known.to_raw().ptr == function.to_raw().ptr) {
            kernels.push(function);
        }
    }
    kernels
}

/// The shared tiles of a function that are used.
pub fn tiles<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Vec<SharedTile<'c, 'a>> {
    let in_function =
        |op: &OperationRef<'c, 'a>| kernel::function(*op).is_some_and(|one| one.to_raw().ptr == function.to_raw().ptr);
    let mbarriers = mbarriers(function);
    let tile = |op: OperationRef<'c, 'a>| {
        let ((used, bytes), alignment) = (bytes(op)?, alloc_alignment(op));
        let holds_mbarrier = mbarriers.contains(&Root::of_allocation(op.result_at(0)?.into()));
        let storage = SharedBuffer { object: usize::MAX, used, bytes, alignment, holds_mbarrier };
        Some(SharedTile { op, storage })
    };
    walk::named(function, tile::AllocOp::NAME).into_iter().filter(in_function).filter_map(tile).collect()
}

/// The memories in which a function makes mbarriers.
fn mbarriers(function: OperationRef<'_, '_>) -> Vec<Root> {
    let made = walk::named(function, nvvm::MBarrierInitOp::NAME).into_iter();
    made.filter_map(|op| Some(alias::root(op.operand_at(0)?))).flat_map(|root| root.each().to_vec()).collect()
}

/// Bytes that a shared tile's elements take, and bytes of its storage; `None` for registers, and for a tile that nothing uses.
fn bytes(op: OperationRef<'_, '_>) -> Option<(i64, i64)> {
    let result = op.result_at(0)?;
    let buffer = BufferType::from_type(result.r#type()).filter(|buffer| buffer.space() == Space::Shared)?;
    let used = buffer.layout().memory_span().checked_mul(i64::from(bit_width(buffer.element())?.div_ceil(8)))?;
    is_used(result.into()).then(|| (used, padded_bytes(used, alloc_alignment(op))))
}

/// Finds the object of each tile; `false` where an access that is not known to touch a tile may touch it.
pub fn find(tiles: &mut [SharedTile<'_, '_>], kernel: &SyncKernel<'_, '_, '_>) -> bool {
    for tile in &mut *tiles {
        let root = tile.op.result_at(0).map(|result| Root::of_allocation(result.into()));
        let object = root.and_then(|root| kernel.objects().iter().position(|object| *object == root.clone().into()));
        tile.storage.object = object.unwrap_or(usize::MAX);
    }
    let apart = |object: usize| !kernel.program().may_alias.iter().any(|&(a, b)| a == object || b == object);
    tiles.iter().all(|tile| tile.storage.object != usize::MAX && apart(tile.storage.object))
}

/// Bytes of a kernel's other static shared memory, and whether it uses dynamic shared memory.
pub fn others(function: OperationRef<'_, '_>) -> (i64, bool) {
    let body = function.region_at(0).and_then(|region| region.first_block());
    let argument = |index| body.as_ref().and_then(|body| body.argument_at(index));
    let arguments = (shim::inputs(function)..).map_while(argument);
    let attributed: i64 = arguments.filter_map(|argument| attribution_bytes(argument.r#type())).sum();
    let mut globals = BTreeSet::new();
    let named = |op: &str| op == memref::GetGlobalOp::NAME || op == llvm::AddressOfOp::NAME;
    for op in walk::matching(function, named) {
        let name = memref::GetGlobalOp::cast(op).and_then(|global| global.name());
        let name = name.or_else(|| llvm::AddressOfOp::cast(op)?.global_name());
        globals.extend(name.zip(global_bytes(op)));
    }
    let divided = !walk::named(function, gpu::DynamicSharedMemoryOp::NAME).is_empty();
    (globals.into_iter().map(|(_, bytes)| bytes).sum::<i64>().saturating_add(attributed), divided)
}

/// Bytes of the shared global whose address an op takes.
fn global_bytes(op: OperationRef<'_, '_>) -> Option<i64> {
    if let Ok(memref) = MemRefType::try_from(op.result_at(0)?.r#type()) {
        return attribution_bytes(memref.into()).filter(|_| space(memref) == Some(Space::Shared));
    }
    let name = llvm::AddressOfOp::cast(op)?.global_name()?;
    let global = kernel::ancestors(op).find_map(|around| walk::symbol(around, &name)).and_then(llvm::GlobalOp::cast)?;
    kernels::size(global.global_type()?).filter(|_| kernels::is_shared(global))
}

/// Bytes of the tiles that the plans of a kernel's copies make for themselves: copies with tiles of one layout share one.
pub fn scratch_bytes(function: OperationRef<'_, '_>, options: &LoweringOptions) -> i64 {
    let reader = Reader::new(options);
    let mut tiles = Vec::new();
    for op in walk::matching(function, CopyOp::is_name) {
        let ends = [Space::Local, Space::Global];
        let sides = CopyOp(op).src().zip(CopyOp(op).dst());
        if !sides.is_some_and(|(src, dst)| ends.contains(&src.buffer.space()) && ends.contains(&dst.buffer.space())) {
            continue;
        }
        let Ok(reading) = reader.read(CopyOp(op)) else { continue };
        let Ok((CopyPlan::Composite(plan), _)) = select(&reading.problem, &reading.target) else { continue };
        tiles.extend(plan.buffers.tile.filter(|tile| !tiles.contains(tile)));
    }
    tiles.iter().fold(0, |sum: i64, tile| sum.saturating_add(tile.bytes()))
}

/// Splits each copy that goes through shared memory into two, so that its scratch is a tile like others; `false` after
/// errors.
pub fn make_scratch<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
) -> bool {
    let reader = Reader::new(options);
    let mut complete = true;
    for op in walk::matching(root, CopyOp::is_name) {
        // What cannot be read or has no plan is an error of the lowering.
        let Ok(reading) = reader.read(CopyOp(op)) else { continue };
        let Ok((plan, _)) = select(&reading.problem, &reading.target) else { continue };
        let CopyPlan::Composite(plan) = plan else { continue };
        // A copy into a tile has no mask of what it reads, and no part of a region: such plans are written when copies are planned.
        let is_whole = plan.steps.iter().all(|step| step.part.is_none());
        if plan.buffers.tile.is_none() || plan.is_masked() || !is_whole {
            continue;
        }
        let made = composite::split(Builder::before(rewriter, op), CopyOp(op), &plan).is_some();
        complete &= made;
        if made {
            composite::took_buffers(op, &plan);
            rewriter.erase(op);
        }
    }
    complete
}
