//! Reads a `tile.map`, `tile.reduce` or `tile.block_scan` into a planning problem on integers.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ir::arguments_of;
use tile_dialect::ops::{BlockScanOp, MapOp, ReduceKind, ReduceOp};
use tile_plan::elementwise::block_scan::BlockScanProblem;
use tile_plan::elementwise::{MapProblem, ReduceProblem, RegisterOperand};

use crate::read::problem::Reader;
use crate::read::{kernel, storage};

/// The problem of a map whose verifier has run.
///
/// # Errors
/// Why the op, where it stands, poses no problem.
pub fn map(op: MapOp<'_, '_>, reader: &Reader<'_>) -> Result<MapProblem, String> {
    let (sources, dests) = (op.sources(), op.dests());
    are_defined(op.0, sources.iter().chain(&dests))?;
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
    let (sources, dests) = (op.sources(), op.dests());
    are_defined(op.0, sources.iter().chain(&dests))?;
    let has_index = matches!(op.kind(), ReduceKind::Index(_));
    let mut results = operands(&dests, "result")?;
    if has_index && results.len() == sources.len() {
        // The elements, which are compared all the same, are where their indices are.
        results.extend(results.clone());
    }
    Ok(ReduceProblem {
        sources: operands(&sources, "source")?,
        results,
        dim: usize::try_from(op.dim()).map_err(|_| "has a negative dimension")?,
        is_total: op.combine().is_none(),
        has_index,
        threads: reader.threads(op.0, op.scope())?,
    })
}

/// The problem of a scan whose verifier has run.
///
/// # Errors
/// As [`map`].
pub fn block_scan(op: BlockScanOp<'_, '_>, reader: &Reader<'_>) -> Result<BlockScanProblem, String> {
    let (sources, dests) = (op.sources(), op.dests());
    are_defined(op.0, sources.iter().chain(&dests))?;
    Ok(BlockScanProblem {
        sources: operands(&sources, "source")?,
        results: operands(&dests, "result")?,
        dim: usize::try_from(op.dim()).map_err(|_| "has a negative dimension")?,
        is_total: op.combine().is_none(),
        threads: reader.threads(op.0, op.scope())?,
    })
}

fn are_defined<'c: 'a, 'a: 'v, 'v>(
    op: OperationRef<'c, 'a>,
    tiles: impl Iterator<Item = &'v Value<'c, 'a>>,
) -> Result<(), String> {
    let function = kernel::function(op).ok_or("is not inside a function")?;
    for &tile in tiles {
        storage::is_defined(tile, function).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn operands(values: &[Value<'_, '_>], what: &str) -> Result<Vec<RegisterOperand>, String> {
    let operand = |(number, value): (usize, &Value<'_, '_>)| {
        let buffer = BufferType::from_type(value.r#type()).ok_or("expected tiles")?;
        let name = if values.len() == 1 { format!("the {what}") } else { format!("{what} {}", number + 1) };
        Ok(RegisterOperand { name, layout: buffer.layout(), shape: buffer.shape().to_vec() })
    };
    values.iter().enumerate().map(operand).collect()
}
