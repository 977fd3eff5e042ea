//! `tile.block_order`: a group of rows where the order has groups, and only there; a grid, or a matrix and the sizes of its tiles.

use melior::ir::{OperationRef, ValueLike};
use tile_layout::counted;

use super::outcome;
use crate::BufferType;
use crate::error::{VerifyError, malformed, mismatch};
use crate::ops::{integer, integers, segment};

/// The order of groups, as ODS numbers it.
const GROUPED: i64 = 2;

pub(crate) fn block_order(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(op))
}

/// The group of operands that the matrix is.
const MATRIX: usize = 3;

fn check(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    grid(op)?;
    match (integer(op, "order") == Some(GROUPED), integer(op, "group")) {
        (true, None) => Err(mismatch!("grouped without a number of rows"; expected "grouped(8) or another")),
        (false, Some(rows)) => Err(mismatch!("groups of {rows} rows for an order without groups";
            expected "grouped({rows})")),
        _ => Ok(()),
    }
}

/// Checks that there is either the grid or a matrix, with tiles of its dimensions.
fn grid(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    let [rows, columns, matrix] = [1, 2, MATRIX].map(|group| segment(op, group).first().copied());
    let sizes = integers(op, "sizes");
    let Some(buffer) = matrix.and_then(|matrix| BufferType::from_type(matrix.r#type())) else {
        let is_grid = rows.is_some() && columns.is_some() && sizes.is_empty();
        let error = || malformed!("states no grid"; expected "(rows, columns), or a matrix and the sizes of its tiles");
        return if is_grid { Ok(()) } else { Err(error()) };
    };
    if rows.is_some() || columns.is_some() {
        return Err(mismatch!("numbers of tiles, and a matrix"; expected "one of them"));
    }
    let dimensions = [buffer.shape().len(), sizes.len()];
    if dimensions != [2, 2] {
        let [of_tile, got] = dimensions.map(|count| counted(count as u64, "dimension"));
        return Err(mismatch!("a tile of {of_tile} and sizes of {got}"; expected "2 of both: rows and columns"));
    }
    match sizes.iter().find(|&&size| size < 1) {
        Some(size) => Err(mismatch!("tiles of size {size}"; expected "at least 1")),
        None => Ok(()),
    }
}
