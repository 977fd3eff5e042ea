//! The alignment of memrefs that can be proved, in bytes.

use std::collections::HashSet;

use melior::ir::attribute::{ArrayAttribute, IntegerAttribute};
use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, RegionLike, ShapedTypeLike, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ir::{Parts, as_argument};
use tile_dialect::memref::{DYNAMIC, bit_width, strides_and_offset};
use tile_dialect::ops::defining_op;
use tile_ops::{gpu, interface, llvm, memref, tile};
use tile_plan::sides::begin::multiple as begin_multiple;

use super::root::root;
use super::values::key;
use super::{divisibility, joins, name, parts, storage};
use crate::shim;
use tile_plan::integer::Residue;

/// No access needs more: the pattern of the 128-byte swizzle repeats after 8 rows (PTX ISA, shared memory descriptor).
const LIMIT: i64 = 1024;

/// The maximum number of definitions that are followed along one chain.
const DEPTH: u32 = 64;

/// Alignment of the memref's first element; its element's size when nothing is known.
///
/// A function's argument has the alignment of its `llvm.align`, where [`crate::promise`] has written what is promised
/// of all.
pub fn bytes(memref: Value<'_, '_>) -> i64 {
    find(memref, DEPTH, &mut HashSet::new())
}

/// `joined` holds the values of control flow that have been visited.
fn find(memref: Value<'_, '_>, depth: u32, joined: &mut HashSet<usize>) -> i64 {
    let element = element_bytes(memref);
    let known = match defining_op(memref) {
        _ if depth == 0 => None,
        Some(op) => of_op(op, depth - 1, joined),
        None => of_argument(memref),
    };
    let known = known.or_else(|| {
        let fresh = depth > 0 && joined.insert(key(memref));
        let leaves = fresh.then(|| joins::leaves(memref)).flatten()?;
        leaves.into_iter().map(|leaf| find(leaf, depth - 1, joined)).min()
    });
    known.unwrap_or(element).max(element)
}

/// Tensor memory is allocated in units of 32 columns of 32 bits (PTX ISA, tcgen05.alloc).
const TMEM_BYTES: i64 = 128;

/// Proven alignment of a buffer's first element, in bytes.
pub fn of_buffer(buffer: Value<'_, '_>) -> i64 {
    let buffer = root(buffer);
    let Some(op) = defining_op(buffer) else { return 1 };
    match name(op) {
        tile::ViewOp::NAME => op.operand_at(0).map_or(1, |source| bytes(source)).max(buffer_element_bytes(buffer)),
        tile::AllocOp::NAME => storage::alloc_alignment(op),
        tile::TmemOp::NAME => TMEM_BYTES,
        _ => 1,
    }
}

/// Memory of a buffer is aligned to its elements at least.
fn buffer_element_bytes(buffer: Value<'_, '_>) -> i64 {
    let bits = BufferType::from_type(buffer.r#type()).and_then(|buffer| bit_width(buffer.element()));
    let bytes = i64::from(bits.unwrap_or(8).div_ceil(8));
    bytes & bytes.wrapping_neg()
}

/// Proven alignment of the start of a tile, in bytes.
pub fn of_parts(buffer: Value<'_, '_>) -> Option<i64> {
    let bits = bit_width(BufferType::from_type(buffer.r#type())?.element())?;
    let parts::PartedTile { root, begin, .. } = parts::read(buffer).ok()?;
    let distance = begin_multiple(&begin).saturating_mul(i64::from(bits / 8));
    let align = of_buffer(root);
    Some(if distance == 0 { align } else { align.min(distance & distance.wrapping_neg()) })
}

/// Largest power of two that divides an element's size.
fn element_bytes(memref: Value<'_, '_>) -> i64 {
    let bits = MemRefType::try_from(memref.r#type()).ok().and_then(|memref| bit_width(memref.element()));
    bits.map_or(1, |bits| Residue::exactly(i64::from(bits.div_ceil(8))).power_of_two(LIMIT))
}

fn of_op(op: OperationRef<'_, '_>, depth: u32, joined: &mut HashSet<usize>) -> Option<i64> {
    let mut source = || op.operand_at(0).map(|source| find(source, depth, joined));
    match name(op) {
        memref::AllocOp::NAME => memref::AllocOp::cast(op)?.alignment().map(power),
        memref::AllocaOp::NAME => memref::AllocaOp::cast(op)?.alignment().map(power),
        gpu::DynamicSharedMemoryOp::NAME => Some(16),
        memref::AssumeAlignmentOp::NAME => {
            Some(source()?.max(power(memref::AssumeAlignmentOp::cast(op)?.alignment()?)))
        }
        memref::CastOp::NAME
        | memref::MemorySpaceCastOp::NAME
        | memref::CollapseShapeOp::NAME
        | memref::ExpandShapeOp::NAME => source(),
        tile::AssumeOp::NAME => {
            let promised = tile::AssumeOp::cast(op)?.alignment().map(power);
            Some(source()?.max(promised.unwrap_or(1)))
        }
        memref::ViewOp::NAME => Some(source()?.min(divisibility::infer(op.operand_at(1)?).power_of_two(LIMIT))),
        memref::SubViewOp::NAME => Some(source()?.min(subview_step(op)?)),
        memref::ExtractStridedMetadataOp::NAME => base(op.operand_at(0)?, depth),
        memref::ReinterpretCastOp::NAME => Some(base(op.operand_at(0)?, depth)?.min(stated_offset(op)?)),
        memref::GetGlobalOp::NAME => global_alignment(op),
        tile::PartsOp::NAME => of_parts(op.operand_at(0)?),
        _ => None,
    }
}

fn power(bytes: i64) -> i64 {
    Residue::exactly(bytes.max(1)).power_of_two(LIMIT)
}

/// The largest power of two that divides the distance from the source's first element to the subview's, in bytes.
fn subview_step(op: OperationRef<'_, '_>) -> Option<i64> {
    let part = memref::SubViewOp::cast(op)?;
    let source = part.source();
    let mut values = part.offsets();
    let mut distance = Residue::exactly(0);
    for (dimension, offset) in part.static_offsets().into_iter().enumerate() {
        let offset = if offset == DYNAMIC { divisibility::infer(values.next()?) } else { Residue::exactly(offset) };
        distance = distance.plus(offset.times(divisibility::strides::stride(source, dimension)));
    }
    Some(distance.times(Residue::exactly(element_bytes(source))).power_of_two(LIMIT))
}

/// Alignment of the memory that a memref's offset counts from, where something is known of it.
///
/// ```mlir
///   %base, %offset, %sizes, %strides = memref.extract_strided_metadata %m      what is promised of the argument %m
///   %o = tile.assume %offset divisible_by 8
///   memref.reinterpret_cast %base to offset: [%o], …                           that, and 8 elements
/// ```
fn base(memref: Value<'_, '_>, depth: u32) -> Option<i64> {
    match defining_op(memref).filter(|_| depth > 0) {
        Some(op) if name(op) == memref::ExtractStridedMetadataOp::NAME => base(op.operand_at(0)?, depth - 1),
        Some(_) => {
            let (_, offset) = strides_and_offset(MemRefType::try_from(memref.r#type()).ok()?)?;
            (offset == 0).then(|| find(memref, depth - 1, &mut HashSet::new()))
        }
        None => promised(memref),
    }
}

/// The largest power of two that divides the offset that a `memref.reinterpret_cast` states, in bytes.
fn stated_offset(op: OperationRef<'_, '_>) -> Option<i64> {
    let cast = memref::ReinterpretCastOp::cast(op)?;
    let offset = match *cast.static_offsets().first()? {
        DYNAMIC => divisibility::infer(cast.offsets().next()?),
        offset => Residue::exactly(offset),
    };
    let element = element_bytes(op.result_at(0)?.into());
    Some(offset.times(Residue::exactly(element)).power_of_two(LIMIT))
}

/// The `alignment` of the `memref.global` that the op names.
fn global_alignment(op: OperationRef<'_, '_>) -> Option<i64> {
    let wanted = memref::GetGlobalOp::cast(op)?.name()?;
    let mut scope = op.parent_operation();
    while let Some(parent) = scope {
        let body = parent.regions().next().and_then(|region| region.first_block());
        let mut inner = body.and_then(|block| block.first_operation());
        while let Some(candidate) = inner {
            // Nothing else is read of an op outside: other threads may be changing it.
            let global = memref::GlobalOp::cast(candidate);
            if let Some(global) = global.filter(|global| global.sym_name().as_ref() == Some(&wanted)) {
                return global.alignment().map(power);
            }
            inner = candidate.next_in_block();
        }
        scope = parent.parent_operation();
    }
    None
}

/// The alignment that is stated for a function's argument.
pub fn of_argument(memref: Value<'_, '_>) -> Option<i64> {
    let promised = promised(memref)?;
    let plain = MemRefType::try_from(memref.r#type()).is_err() || is_attributed(memref);
    if plain { Some(promised) } else { behind_offset(memref, promised) }
}

/// Whether an argument of a function's body is workgroup or private memory.
fn is_attributed(memref: Value<'_, '_>) -> bool {
    let attributed = |argument: melior::ir::block::BlockArgument<'_, '_>| {
        Some(is_attribution(argument.owner().parent_operation()?, argument.argument_number()))
    };
    as_argument(memref).and_then(attributed).unwrap_or(false)
}

/// The alignment that is promised for the pointer of a function's argument.
fn promised(memref: Value<'_, '_>) -> Option<i64> {
    let argument = as_argument(memref)?;
    let function = argument.owner().parent_operation()?;
    let index = argument.argument_number();
    let entry_block = function.regions().next().and_then(|region| region.first_block())?;
    if !interface::is_function(function) || entry_block.to_raw().ptr != argument.owner().to_raw().ptr {
        return None;
    }
    if let Some(attributes) = interface::workgroup_attributes(function).filter(|_| is_attribution(function, index)) {
        return entry(attributes, index - shim::inputs(function)).map(power);
    }
    if is_attribution(function, index) {
        return None;
    }
    interface::argument_attributes(function).and_then(|attributes| entry(attributes, index)).map(power)
}

/// Alignment of the first element of a memref whose base is aligned to `base` bytes.
pub fn behind_offset(memref: Value<'_, '_>, base: i64) -> Option<i64> {
    let (_, offset) = strides_and_offset(MemRefType::try_from(memref.r#type()).ok()?)?;
    let offset = if offset == DYNAMIC { Residue::ANY } else { Residue::exactly(offset) };
    Some(base.min(offset.times(Residue::exactly(element_bytes(memref))).power_of_two(LIMIT)))
}

/// Whether an argument of a `gpu.func` comes after its inputs, and so is workgroup or private memory.
fn is_attribution(function: OperationRef<'_, '_>, index: usize) -> bool {
    index >= shim::inputs(function)
}

/// `llvm.align` in the dictionary of argument `index`.
fn entry(attributes: ArrayAttribute<'_>, index: usize) -> Option<i64> {
    let dictionary = attributes.element(index).ok()?;
    let value = tile_dialect::memref::dictionary_entry(dictionary, llvm::attribute::ALIGN)?;
    Some(IntegerAttribute::try_from(value).ok()?.value())
}
