//! The parts of a tile, for control flow: a pointer to its start, extents and strides.

use std::collections::BTreeMap;

use melior::ir::{Value, ValueLike};
use tile_dialect::BufferType;
use tile_layout::Axis;
use tile_plan::problem::operands::Operand;
use tile_plan::sides::side::Side;

use super::begin::Start;
use super::root::{self, Rooted};
use super::run_time::{self, RunTime};
use crate::read::error::ReadError;

/// A tile in parts.
pub struct PartedTile<'c, 'a> {
    /// The buffer that is not a view.
    pub root: Value<'c, 'a>,
    /// The start of the tile in that buffer.
    pub begin: Side,
    /// The run-time values that `begin` numbers.
    pub values: Vec<RunTime<'c, 'a>>,
    /// Extents that its type leaves to run time, then strides.
    pub numbers: Vec<RunTime<'c, 'a>>,
}

/// The parts of a tile in global or shared memory.
///
/// # Errors
/// A tile whose start is not where a pointer could point: got and expected.
pub fn read<'c: 'a, 'a>(buffer: Value<'c, 'a>) -> Result<PartedTile<'c, 'a>, ReadError> {
    let r#type = BufferType::from_type(buffer.r#type()).ok_or(ReadError::NotATile)?;
    let Rooted { root, operand, mut values, .. } = root::settled(buffer)?;
    let strides = run_time::strides(root);
    let numbered = strides.iter().zip(values.len()..);
    let operand = Operand {
        strides: numbered.map(|(stride, value)| run_time::stride(value, stride.known())).collect(),
        ..operand
    };
    values.extend(strides.iter().cloned());
    let begin = operand.beginning(&r#type.layout())?;
    let extents = run_time::extents(buffer).into_iter().map(|(_, extent)| extent);
    let numbers = extents.chain(strides_of(r#type, &operand, &strides)?).collect();
    Ok(PartedTile { root, begin, values, numbers })
}

/// The strides that a type numbers: strides of the root, or constants that a cast has forgotten.
fn strides_of<'c: 'a, 'a>(
    r#type: BufferType<'c>,
    operand: &Operand,
    strides: &[RunTime<'c, 'a>],
) -> Result<Vec<RunTime<'c, 'a>>, ReadError> {
    // The starts are not compared here.
    let (mut mine, layout) = (operand.layout.clone(), r#type.layout());
    mine.offset.clone_from(&layout.offset);
    let agreement = mine.agreement(&operand.shape, &layout, r#type.shape()).ok_or(ReadError::OtherTile)?;
    let indices: BTreeMap<Axis, usize> =
        agreement.renamed.iter().filter_map(|(&root, &axis)| Some((axis, root.stride_index()?))).collect();
    let stride = |axis: &Axis| match indices.get(axis) {
        Some(&index) => strides.get(index).cloned(),
        None => agreement.forgotten.get(axis).map(|&stride| RunTime::Start(Start::at(stride))),
    };
    let all: Option<Vec<_>> = Axis::STRIDES.iter().take(layout.stride_count()).map(stride).collect();
    all.ok_or(ReadError::UnknownStrides)
}
