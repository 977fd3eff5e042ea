//! The address of a memref or a pointer: its distance from an anchor that other memrefs and pointers may share.

use melior::ir::r#type::MemRefType;
use melior::ir::{ShapedTypeLike, Value, ValueLike};
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::memref::{DYNAMIC, bit_width, strides_and_offset};
use tile_ops::{builtin, llvm, memref, tile};

use super::alias::{self, Root};
use super::values::key;
use super::{divisibility, joins, name};

/// The maximum number of views, casts and values of control flow that are followed along one chain.
pub const MAX_STEPS: u32 = 1 << 12;

/// What an address is measured from.
#[derive(Clone, Copy, Debug)]
pub enum Anchor<'c, 'a> {
    /// The first byte of the memory.
    Start,
    /// The pointer that this value is, or that the memref holds; known only at run time.
    Pointer(Value<'c, 'a>),
    /// The first element of this memref; known only at run time.
    Element(Value<'c, 'a>),
}

impl PartialEq for Anchor<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Anchor::Start, Anchor::Start) => true,
            (Anchor::Pointer(a), Anchor::Pointer(b)) | (Anchor::Element(a), Anchor::Element(b)) => key(*a) == key(*b),
            _ => false,
        }
    }
}

/// The address of a pointer, or of a memref's first element.
#[derive(Clone, Debug)]
pub struct ElementAddress<'c, 'a> {
    /// The memory.
    pub root: Root,
    /// The anchor.
    pub anchor: Anchor<'c, 'a>,
    /// The distance from the anchor, in bytes.
    pub bytes: i64,
}

/// The address of a pointer, or of a memref's first element.
pub fn place<'c: 'a, 'a>(value: Value<'c, 'a>) -> ElementAddress<'c, 'a> {
    let root = alias::root(value);
    let is_memref = MemRefType::try_from(value.r#type()).is_ok();
    let Some(offset) = (if is_memref { offset_bytes(value) } else { Some(0) }) else {
        return ElementAddress { root, anchor: Anchor::Element(same_element(value)), bytes: 0 };
    };
    // Bytes from the pointer of `at` to the address.
    let (mut at, mut bytes) = (value, offset);
    // Code that is never executed may derive a value from itself.
    for _ in 0..MAX_STEPS {
        let Some((source, moved)) = moved_from(at) else { break };
        let Some(sum) = bytes.checked_add(moved) else { break };
        (at, bytes) = (source, sum);
    }
    let is_start = alias::viewed(at).is_none() && joins::leaves(at).is_none() && !root.is_unknown();
    let anchor = if is_start { Anchor::Start } else { Anchor::Pointer(at) };
    ElementAddress { root, anchor, bytes }
}

/// The value whose pointer that of `value` is derived from, and how many bytes it moves that; `None` where the distance is known
/// only at run time.
fn moved_from<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<(Value<'c, 'a>, i64)> {
    let Some(source) = alias::viewed(value) else {
        // What a loop hands on unchanged, or all arms yield.
        let leaves = joins::leaves(value)?;
        return (leaves.len() == 1).then(|| (leaves[0], 0));
    };
    let op = defining_op(value)?;
    match name(op) {
        memref::ViewOp::NAME => Some((source, divisibility::infer(op.operand_at(1)?).constant()?)),
        llvm::GEPOp::NAME | tile::PartsOp::NAME | builtin::UnrealizedConversionCastOp::NAME => None,
        _ => Some((source, 0)),
    }
}

/// How far the first element of a memref is from that of another, where that is known only at run time.
pub struct Step<'c, 'a> {
    /// The other memref.
    pub source: Value<'c, 'a>,
    /// The bytes that are known.
    pub bytes: i64,
    /// Run-time numbers, each with the bytes that one of it moves the element.
    pub moves: Vec<(Value<'c, 'a>, i64)>,
}

/// The step of a `memref.subview` with run-time offsets, of a memref whose strides are known; of a `memref.reinterpret_cast`, which
/// counts from the start of a memref at a known offset.
pub fn step<'c: 'a, 'a>(memref: Value<'c, 'a>) -> Option<Step<'c, 'a>> {
    let op = defining_op(memref)?;
    let subview = memref::SubViewOp::cast(op).map(|op| (op.source(), op.static_offsets(), op.offsets()));
    let (source, static_offsets, offsets) = match subview {
        Some(parts) => parts,
        None => memref::ReinterpretCastOp::cast(op).map(|op| (op.source(), op.static_offsets(), op.offsets()))?,
    };
    let r#type = MemRefType::try_from(source.r#type()).ok()?;
    let element = i64::from(bit_width(r#type.element())?.div_ceil(8));
    let (strides, begin) = match name(op) {
        memref::SubViewOp::NAME => (strides_and_offset(r#type)?.0, 0),
        _ => (vec![1], offset_bytes(source)?),
    };
    let (mut bytes, mut moves, mut values) = (begin.checked_neg()?, Vec::new(), offsets);
    for (&offset, &stride) in static_offsets.iter().zip(&strides) {
        let each = (stride != DYNAMIC).then(|| stride.checked_mul(element))??;
        match offset {
            DYNAMIC => moves.push((values.next()?, each)),
            offset => bytes = bytes.checked_add(offset.checked_mul(each)?)?,
        }
    }
    Some(Step { source, bytes, moves })
}

/// The first of the memrefs that share the first element of this one, where its distance is known only at run time.
fn same_element<'c: 'a, 'a>(memref: Value<'c, 'a>) -> Value<'c, 'a> {
    let mut at = memref;
    while let Some(op) = defining_op(at) {
        let keeps = [
            memref::AssumeAlignmentOp::NAME,
            memref::CastOp::NAME,
            memref::CollapseShapeOp::NAME,
            memref::ExpandShapeOp::NAME,
            memref::MemorySpaceCastOp::NAME,
            memref::TransposeOp::NAME,
            tile::AssumeOp::NAME,
        ];
        let Some(source) = op.operand_at(0) else { break };
        if !keeps.contains(&name(op)) || offset_bytes(source).is_some() {
            break;
        }
        at = source;
    }
    at
}

/// The offset that a memref's type states, in bytes.
fn offset_bytes(memref: Value<'_, '_>) -> Option<i64> {
    let r#type = MemRefType::try_from(memref.r#type()).ok()?;
    let (_, offset) = strides_and_offset(r#type).filter(|(_, offset)| *offset != DYNAMIC)?;
    offset.checked_mul(i64::from(bit_width(r#type.element())?.div_ceil(8)))
}
