//! What the types of buffers and their views leave to run time: strides, `s0`, `s1`, …, extents, and starts.
//!
//! ```mlir
//!   %a = tile.view %m : memref<?x64xf16, strided<[?, 1]>> to …                s0 is the memref's own stride
//!   %b = tile.view %m strides(%ld) : …                                        s0 is %ld, and what is known of it
//! ```

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ir::{Parts, defining_op};
use tile_layout::OPEN;
use tile_ops::{Builder, constant, memref, tile};
use tile_plan::problem::run_time::RunTimeStride;

use super::begin::Start;
use super::divisibility::{self, strides};
use super::rows;
use super::{name, values};
use crate::read::error::ReadError;
use tile_plan::integer::Residue;

/// A number that is known only at run time, or that the IR states elsewhere than at the copy.
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
                    let result = metadata.result_at(2 + rows::rank(memref) + dimension);
                    result.expect("a memref has a stride for each dimension").into()
                }
            },
            RunTime::Extent(memref, dimension) => {
                let dimension = constant::index(builder, dimension as i64);
                memref::dim(builder, memref, dimension).value()
            }
        }
    }

    /// The same number where it is that of a memref: `memref.extract_strided_metadata` gives strides and extents as values.
    #[must_use]
    pub fn stated(self) -> Self {
        let RunTime::Value(mut value) = self else { return self };
        while let Some(op) = defining_op(value).filter(|op| name(*op) == tile::AssumeOp::NAME) {
            let Some(source) = op.operand_at(0) else { break };
            value = source;
        }
        let metadata = || {
            let op = defining_op(value).filter(|op| name(*op) == memref::ExtractStridedMetadataOp::NAME)?;
            let (memref, rank) = (op.operand_at(0)?, (op.result_count() - 2) / 2);
            let is = |at: &usize| op.result_at(*at).is_some_and(|made| values::key(made.into()) == values::key(value));
            let at = (2..op.result_count()).find(is)? - 2;
            Some(if at < rank { RunTime::Extent(memref, at) } else { RunTime::Stride(memref, at - rank) })
        };
        metadata().unwrap_or(self)
    }

    /// Its residue.
    pub fn known(&self) -> Residue {
        match *self {
            RunTime::Constant(number) => Residue::exactly(number),
            RunTime::Value(value) => divisibility::infer(value),
            RunTime::Start(ref start) => start.residue,
            RunTime::Stride(memref, dimension) => strides::stride(memref, dimension),
            RunTime::Extent(memref, dimension) => strides::extent(memref, dimension),
        }
    }
}

/// The run-time stride with number `value` in a plan, given its residue.
pub fn stride(value: usize, known: Residue) -> RunTimeStride {
    /// More than any width needs: a stride of 0 is a multiple of everything.
    const MAX_DIVISOR: i64 = 1 << 20;
    let factor = known.factor().saturating_abs();
    RunTimeStride { value, divisor: if factor == 0 { MAX_DIVISOR } else { factor } }
}

/// The run-time strides of a buffer that is not a view of another, in the order of their axes.
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
    if values::is_view(op) {
        return extents_of_view(op, r#type);
    }
    if name(op) != tile::ViewOp::NAME {
        return Vec::new();
    }
    let Some(source) = op.operand_at(0) else { return Vec::new() };
    let given = op.operand_count() - 1 > r#type.layout().stride_count();
    let with_extent = |(index, dimension): (usize, usize)| {
        let extent = match given {
            true => RunTime::Value(op.operand_at(1 + index)?),
            false => RunTime::Extent(source, dimension),
        };
        Some((dimension, extent))
    };
    open.into_iter().enumerate().filter_map(with_extent).collect()
}

/// Checks that a buffer's extents are not known to be negative.
///
/// # Errors
/// The dimension, and the extent.
pub fn check_extents(buffer: Value<'_, '_>) -> Result<(), ReadError> {
    for (dimension, extent) in extents(buffer) {
        if let Some(extent) = extent.known().constant().filter(|&extent| extent < 0) {
            return Err(ReadError::Extent { dimension, extent });
        }
    }
    Ok(())
}

fn open_dimensions(r#type: BufferType<'_>) -> Vec<usize> {
    (0..r#type.shape().len()).filter(|&dimension| r#type.shape()[dimension] == OPEN).collect()
}

/// The same for a view: its dimensions '?' are those of the source, or a cast has forgotten them.
fn extents_of_view<'c: 'a, 'a>(op: OperationRef<'c, 'a>, r#type: BufferType<'c>) -> Vec<(usize, RunTime<'c, 'a>)> {
    let Some(source) = op.operand_at(0) else { return Vec::new() };
    let Some(source_type) = BufferType::from_type(source.r#type()) else { return Vec::new() };
    let known = extents(source);
    let extent = |dimension: usize| known.iter().find(|known| known.0 == dimension).map(|(_, extent)| extent.clone());
    let from = |(index, dimension): (usize, usize)| match name(op) {
        tile::PermuteOp::NAME => extent(usize::try_from(*tile::PermuteOp::cast(op)?.order().get(dimension)?).ok()?),
        tile::ReshapeOp::NAME => known.get(index).map(|(_, extent)| extent.clone()),
        _ if source_type.shape()[dimension] == OPEN => extent(dimension),
        _ => Some(RunTime::Start(Start::at(source_type.shape()[dimension]))),
    };
    let open = open_dimensions(r#type).into_iter().enumerate();
    open.filter_map(|(index, dimension)| Some((dimension, from((index, dimension))?))).collect()
}
