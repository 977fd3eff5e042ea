//! What the types of buffers and their views leave to the run: strides, `s0`, `s1`, …, extents, and begins.
//!
//! ```mlir
//!   %a = tile.view %m : memref<?x64xf16, strided<[?, 1]>> to …                s0 is the memref's own stride
//!   %b = tile.view %m strides(%ld) : …                                        s0 is %ld, and what is known of it
//! ```

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, ShapedTypeLike, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::memref::{DYNAMIC, strides_and_offset};
use tile_dialect::ops::{integers, segment};
use tile_layout::OPEN;
use tile_ops::{Builder, constant, memref, tile};

use super::begin::Start;
use super::residue::Residue;
use super::{divisibility, name, root};

/// How many definitions of memrefs are looked at along one chain.
const DEPTH: u32 = 32;

/// A number that only the run knows, or that the IR says in another place than the copy.
#[derive(Clone, Debug)]
pub enum RunTime<'c, 'a> {
    /// This number.
    Constant(i64),
    /// This value.
    Value(Value<'c, 'a>),
    /// A sum of values, or a number.
    Start(Start<'c, 'a>),
    /// The stride of a memref in one dimension, in elements.
    Stride(Value<'c, 'a>, usize),
    /// The extent of a memref in one dimension.
    Extent(Value<'c, 'a>, usize),
}

impl<'c: 'a, 'a> RunTime<'c, 'a> {
    /// The number as a value, made at the builder's insertion point.
    pub fn value(&self, builder: Builder<'c, 'a>) -> Value<'c, 'a> {
        match *self {
            RunTime::Constant(number) => constant::index(builder, number),
            RunTime::Value(value) => value,
            RunTime::Start(ref start) => start.value(builder),
            RunTime::Stride(memref, dimension) => match self.known().constant() {
                Some(known) => constant::index(builder, known),
                None => {
                    let metadata = memref::extract_strided_metadata(builder, memref).build().operation();
                    let result = metadata.result_at(2 + rank(memref) + dimension);
                    result.expect("a memref has a stride for each dimension").into()
                }
            },
            RunTime::Extent(memref, dimension) => {
                let dimension = constant::index(builder, dimension as i64);
                memref::dim(builder, memref, dimension).value()
            }
        }
    }

    /// What is known of it.
    pub fn known(&self) -> Residue {
        match *self {
            RunTime::Constant(number) => Residue::exactly(number),
            RunTime::Value(value) => divisibility::of(value),
            RunTime::Start(ref start) => start.residue(),
            RunTime::Stride(memref, dimension) => stride(memref, dimension, DEPTH),
            RunTime::Extent(..) => Residue::ANY,
        }
    }
}

/// The run-time strides of a buffer that is no view of another, in the order of their axes.
pub fn strides<'c: 'a, 'a>(buffer: Value<'c, 'a>) -> Vec<RunTime<'c, 'a>> {
    let layout = match BufferType::from_type(buffer.r#type()) {
        Some(buffer) if buffer.space() == tile_dialect::Space::Global => buffer.layout(),
        _ => return Vec::new(),
    };
    let Some(op) = defining_op(buffer).filter(|&op| name(op) == tile::ViewOp::NAME) else { return Vec::new() };
    let Some(source) = op.operand_at(0) else { return Vec::new() };
    let count = layout.stride_count();
    let given = op.operand_count() - 1;
    if given >= count {
        return (given - count..given).filter_map(|index| op.operand_at(1 + index).map(RunTime::Value)).collect();
    }
    let dimension = |axis: usize| layout.shard.iter().position(|iter| iter.axis.stride_index() == Some(axis));
    (0..count).filter_map(|axis| Some(RunTime::Stride(source, dimension(axis)?))).collect()
}

/// The extents of a buffer's open dimensions.
pub fn extents<'c: 'a, 'a>(buffer: Value<'c, 'a>) -> Vec<(usize, RunTime<'c, 'a>)> {
    let Some(r#type) = BufferType::from_type(buffer.r#type()) else { return Vec::new() };
    let open = open_dimensions(r#type);
    let Some(op) = defining_op(buffer).filter(|_| !open.is_empty()) else { return Vec::new() };
    if root::is_view(op) {
        return extents_of_view(op, r#type);
    }
    if name(op) != tile::ViewOp::NAME {
        return Vec::new();
    }
    let Some(source) = op.operand_at(0) else { return Vec::new() };
    let given = op.operand_count() - 1 > r#type.layout().stride_count();
    let of = |(index, dimension): (usize, usize)| {
        let extent = match given {
            true => RunTime::Value(op.operand_at(1 + index)?),
            false => RunTime::Extent(source, dimension),
        };
        Some((dimension, extent))
    };
    open.into_iter().enumerate().filter_map(of).collect()
}

fn open_dimensions(r#type: BufferType<'_>) -> Vec<usize> {
    (0..r#type.shape().len()).filter(|&dimension| r#type.shape()[dimension] == OPEN).collect()
}

/// The same for a buffer that is a view: dimensions '?' are those of the source, or a cast has forgotten them.
fn extents_of_view<'c: 'a, 'a>(op: OperationRef<'c, 'a>, r#type: BufferType<'c>) -> Vec<(usize, RunTime<'c, 'a>)> {
    let Some(source) = op.operand_at(0) else { return Vec::new() };
    let Some(of) = BufferType::from_type(source.r#type()) else { return Vec::new() };
    let known = extents(source);
    let extent = |dimension: usize| known.iter().find(|(of, _)| *of == dimension).map(|(_, extent)| extent.clone());
    let from = |(index, dimension): (usize, usize)| match name(op) {
        tile::PermuteOp::NAME => extent(usize::try_from(*integers(op, "order").get(dimension)?).ok()?),
        tile::ReshapeOp::NAME => known.get(index).map(|(_, extent)| extent.clone()),
        _ if of.shape()[dimension] == OPEN => extent(dimension),
        _ => Some(RunTime::Start(Start::at(of.shape()[dimension]))),
    };
    let open = open_dimensions(r#type).into_iter().enumerate();
    open.filter_map(|(index, dimension)| Some((dimension, from((index, dimension))?))).collect()
}

/// What is known of a result of `memref.extract_strided_metadata`.
pub fn metadata(op: OperationRef<'_, '_>, result: usize) -> Residue {
    let Some(source) = op.operand_at(0) else { return Residue::ANY };
    match result.checked_sub(2 + rank(source)) {
        Some(dimension) => stride(source, dimension, DEPTH),
        None => Residue::ANY,
    }
}

fn rank(memref: Value<'_, '_>) -> usize {
    MemRefType::try_from(memref.r#type()).map_or(0, |memref| memref.rank())
}

/// What is known of a memref's stride in one dimension.
fn stride(memref: Value<'_, '_>, dimension: usize, depth: u32) -> Residue {
    let strides = MemRefType::try_from(memref.r#type()).ok().and_then(strides_and_offset);
    let Some(&stated) = strides.as_ref().and_then(|(strides, _)| strides.get(dimension)) else { return Residue::ANY };
    match defining_op(memref) {
        _ if stated != DYNAMIC => Residue::exactly(stated),
        Some(op) if depth > 0 => of_op(op, rank(memref), dimension, depth - 1),
        _ => Residue::ANY,
    }
}

fn of_op(op: OperationRef<'_, '_>, rank_of_result: usize, dimension: usize, depth: u32) -> Residue {
    let source = segment(op, 0).first().copied().or_else(|| op.operand_at(0));
    let Some(source) = source else { return Residue::ANY };
    let of_source = || if rank(source) == rank_of_result { stride(source, dimension, depth) } else { Residue::ANY };
    match name(op) {
        memref::CastOp::NAME
        | memref::MemorySpaceCastOp::NAME
        | memref::AssumeAlignmentOp::NAME
        | tile::AssumeOp::NAME => of_source(),
        memref::SubViewOp::NAME => step(op, dimension).times(of_source()),
        memref::ReinterpretCastOp::NAME => step(op, dimension),
        _ => Residue::ANY,
    }
}

/// The stride that an op of offsets, sizes and strides states in one dimension.
fn step(op: OperationRef<'_, '_>, dimension: usize) -> Residue {
    let stated = integers(op, "static_strides");
    match stated.get(dimension) {
        Some(&DYNAMIC) => {
            let before = stated[..dimension].iter().filter(|&&stride| stride == DYNAMIC).count();
            segment(op, 3).get(before).map_or(Residue::ANY, |&value| divisibility::of(value))
        }
        Some(&stride) => Residue::exactly(stride),
        None => Residue::ANY,
    }
}
