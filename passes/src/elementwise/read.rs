//! Reads a `tile.map` or a `tile.reduce` into a planning problem on integers.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ir::arguments_of;
use tile_dialect::ops::{MapOp, ReduceOp};
use tile_plan::elementwise::{MapProblem, ReduceProblem, RegisterOperand};

use crate::read::problem::Reader;
use crate::read::{kernel, storage};

/// The problem of a map whose verifier has run.
///
/// # Errors
/// Why the op, where it stands, poses no problem.
pub fn map(op: MapOp<'_, '_>, reader: &Reader<'_>) -> Result<MapProblem, String> {
    let function = kernel::function(op.0).ok_or("is not inside a function")?;
    let (sources, dests) = (op.sources(), op.dests());
    for &tile in sources.iter().chain(&dests) {
        storage::is_defined(tile, function).map_err(|error| error.to_string())?;
    }
    let body = op.body().ok_or("has no region")?;
    let ops = std::iter::successors(body.first_operation(), |op| op.next_in_block()).count();
    Ok(MapProblem {
        has_coordinates: arguments_of(body).len() > sources.len(),
        sources: operands(&sources, "source")?,
        results: operands(&dests, "result")?,
        ops,
        threads: reader.threads(op.0, op.scope())?,
    })
}

/// The problem of a reduction whose verifier has run.
///
/// # Errors
/// As [`map`].
pub fn reduce(op: ReduceOp<'_, '_>, reader: &Reader<'_>) -> Result<ReduceProblem, String> {
    let function = kernel::function(op.0).ok_or("is not inside a function")?;
    let (sources, dests) = (op.sources(), op.dests());
    for &tile in sources.iter().chain(&dests) {
        storage::is_defined(tile, function).map_err(|error| error.to_string())?;
    }
    Ok(ReduceProblem {
        sources: operands(&sources, "source")?,
        results: operands(&dests, "result")?,
        dim: usize::try_from(op.dim()).map_err(|_| "has a negative dimension")?,
        is_total: op.combine().is_none(),
        threads: reader.threads(op.0, op.scope())?,
    })
}

fn operands(values: &[Value<'_, '_>], what: &str) -> Result<Vec<RegisterOperand>, String> {
    let operand = |(number, value): (usize, &Value<'_, '_>)| {
        let buffer = BufferType::from_type(value.r#type()).ok_or("expected tiles")?;
        let name = if values.len() == 1 { format!("the {what}") } else { format!("{what} {}", number + 1) };
        Ok(RegisterOperand { name, layout: buffer.layout(), shape: buffer.shape().to_vec() })
    };
    values.iter().enumerate().map(operand).collect()
}
