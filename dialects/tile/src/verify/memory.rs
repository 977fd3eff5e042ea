//! `tile.view`, `tile.alloc` and `tile.local_view`.

use crate::ir::Parts;
use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, ShapedTypeLike, Type, ValueLike};
use tile_layout::{Axis, counted};

use super::outcome;
use crate::memref::{self, DYNAMIC};
use crate::ops::integer;
use crate::{BufferType, Space};

pub(crate) fn view(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_view(op))
}

fn types<'c>(op: OperationRef<'c, '_>) -> Option<(Type<'c>, Type<'c>)> {
    Some((op.operand_at(0)?.r#type(), op.result_at(0)?.r#type()))
}

fn check_view(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (source, result) = types(op).ok_or("expected one operand and one result")?;
    let memref = MemRefType::try_from(source).map_err(|_| format!("got {source}, expected a ranked memref"))?;
    let buffer = BufferType::from_type(result).ok_or_else(|| format!("got {result}, expected a tile.buffer"))?;
    if memref.element() != buffer.element() {
        return Err(format!("got a memref of {}, expected the tile's {}", memref.element(), buffer.element()));
    }
    let space = memref::space(memref).ok_or_else(|| {
        let got = memref.memory_space().map_or("none".to_owned(), |space| space.to_string());
        format!(
            "got a memref in memory space {got}, expected none, #gpu.address_space<global> or 1, \
             #gpu.address_space<workgroup> or 3, #gpu.address_space<private> or 5"
        )
    })?;
    if space != buffer.space() {
        return Err(format!(
            "got a memref in the {} space, expected the tile's {}",
            space.name(),
            buffer.space().name()
        ));
    }
    let extents = memref::extents(memref);
    if extents.contains(&DYNAMIC) {
        return Err(format!("got a dynamic extent in {source}; a tile's shape is static (memref.cast gives it one)"));
    }
    if extents.len() == 1 && extents != buffer.shape() {
        return flat(memref, extents[0], buffer);
    }
    if extents != buffer.shape() {
        return Err(format!(
            "got shape {extents:?}, expected the tile's {:?} or one dimension that holds all of it",
            buffer.shape()
        ));
    }
    strides(memref, buffer)
}

/// Storage without a shape of its own: the layout alone says where an element is.
fn flat(memref: MemRefType<'_>, extent: i64, buffer: BufferType<'_>) -> Result<(), String> {
    let (strides, _) = memref::strides_and_offset(memref).ok_or_else(|| format!("got {memref}, expected strides"))?;
    if strides != [1] {
        return Err(format!("got strides {strides:?} from a memref of one dimension, expected [1]"));
    }
    let needed = buffer.layout().memory_span();
    if extent < needed {
        return Err(format!("got a memref of {}, expected at least the layout's {needed}", counted(extent, "element")));
    }
    Ok(())
}

/// The memref's own strides must be those of the layout: both say where an element is.
fn strides(memref: MemRefType<'_>, buffer: BufferType<'_>) -> Result<(), String> {
    let (strides, _) = memref::strides_and_offset(memref).ok_or_else(|| format!("got {memref}, expected strides"))?;
    if let Some(dimension) = strides.iter().position(|&stride| stride == DYNAMIC) {
        return Err(format!("got a dynamic stride in dimension {dimension} of {memref}; a tile's layout is static"));
    }
    let dense = tile_layout::Layout::row_major(buffer.shape());
    let mut implied = dense.clone();
    for (iter, &stride) in implied.shard.iter_mut().zip(&strides) {
        iter.stride = stride;
    }
    let layout = buffer.layout();
    let (needed, there) = (layout.memory_span(), implied.span(Axis::Memory));
    if implied != dense
        && implied.canonicalize(tile_layout::Fusion::None) != layout.canonicalize(tile_layout::Fusion::None)
    {
        return Err(format!(
            "got strides {strides:?} from the memref, expected the tile's layout ({implied} says the same)"
        ));
    }
    if needed > there {
        return Err(format!("the layout needs {} of a memref that spans {there}", counted(needed, "element")));
    }
    Ok(())
}

pub(crate) fn alloc(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_alloc(op))
}

fn check_alloc(op: OperationRef<'_, '_>) -> Result<(), String> {
    let result = op.result_at(0).ok_or("has too few operands or results")?.r#type();
    let buffer = BufferType::from_type(result).ok_or_else(|| format!("got {result}, expected a tile.buffer"))?;
    if !matches!(buffer.space(), Space::Shared | Space::Local) {
        return Err(format!("got space {}, expected shared or local", buffer.space().name()));
    }
    room(buffer)?;
    match integer(op, "alignment") {
        Some(bytes) if !(1..=MOST_ALIGNED).contains(&bytes) || bytes & (bytes - 1) != 0 => {
            Err(format!("got alignment {bytes}, expected a power of two up to {MOST_ALIGNED}, in bytes"))
        }
        _ => Ok(()),
    }
}

/// More alignment than anything needs, and less than what PTX refuses, in bytes.
const MOST_ALIGNED: i64 = 1 << 16;

/// Most shared memory that a block has on any chip (227 KiB), and most private memory of a thread (512 KiB), as the
/// table of technical specifications per compute capability of the CUDA programming guide has them.
const MOST_SHARED: i128 = 227 << 10;
const MOST_LOCAL: i128 = 512 << 10;

/// A tile that no memory has room for is refused here: further on its size would not fit anything.
fn room(buffer: BufferType<'_>) -> Result<(), String> {
    let bits = memref::bit_width(buffer.element()).unwrap_or(8);
    let bytes = i128::from(buffer.layout().memory_span()) * i128::from(bits.div_ceil(8));
    let (most, whose) = match buffer.space() {
        Space::Local => (MOST_LOCAL, "thread"),
        _ => (MOST_SHARED, "block"),
    };
    if bytes <= most {
        return Ok(());
    }
    Err(format!("needs {bytes} bytes of {} memory, expected at most the {most} of a {whose}", buffer.space().name()))
}

pub(crate) fn local_view(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_local_view(op))
}

fn check_local_view(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (source, result) = types(op).ok_or("expected one operand and one result")?;
    let buffer = BufferType::from_type(source).ok_or_else(|| format!("got {source}, expected a tile.buffer"))?;
    let registers = buffer.layout().span(Axis::Memory);
    let expected = format!("memref<{registers}x{}>", buffer.element());
    if result.to_string() != expected {
        let held = counted(registers, "register");
        return Err(format!("got {result}, expected {expected}: a thread holds {held} of this tile"));
    }
    Ok(())
}
