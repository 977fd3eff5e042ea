//! Rows and registers of matrices.

use tile_isa::WARP;
use tile_isa::matrix::MATRIX_ROWS;
use tile_layout::{Axis, Eval, IndexArith, Layout};

use crate::families::matrix::plan::MatrixCopy;
use crate::problem::refusal::Refusal;
use crate::sides::address::{digits, finish};

/// The row address that thread `t` passes to the matrix instruction of `step`.
///
/// # Errors
/// `missing-value` when `values` is too short; `malformed-matrix-copy` when the layout does not have the copy's shape.
pub fn matrix_address<A: IndexArith>(
    a: &mut A,
    copy: &MatrixCopy,
    t: A::Value,
    step: A::Value,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let (grouped, seps) = matrix_groups(&copy.shared.layout, copy)?;
    let group = |part: usize| grouped.shard.get(seps[part]..seps[part + 1]).unwrap_or_default();
    let mut terms = Vec::new();
    let (lanes, rows, num) = (a.constant(WARP), a.constant(MATRIX_ROWS), a.constant(copy.num));
    let warp = a.div(t.clone(), lanes.clone());
    digits(a, group(0), warp, &mut terms);
    digits(a, group(3), step, &mut terms);
    let lane = a.rem(t, lanes);
    if copy.num != 1 {
        let matrix = a.div(lane.clone(), rows.clone());
        let matrix = a.rem(matrix, num);
        digits(a, group(4), matrix, &mut terms);
    }
    let row = a.rem(lane, rows);
    terms.push((copy.row_stride, Axis::Memory, row));
    finish(a, &copy.shared, terms, values)
}

/// The 32-bit register of matrix `matrix` in `step`: element `2 * register` of the thread's storage is its low half.
///
/// # Errors
/// `malformed-matrix-copy` when the layout does not have the copy's shape.
pub fn matrix_register(copy: &MatrixCopy, step: i64, matrix: i64) -> Result<i64, Refusal> {
    let (grouped, seps) = matrix_groups(&copy.registers.layout, copy)?;
    let group = |part: usize| grouped.shard.get(seps[part]..seps[part + 1]).unwrap_or_default();
    let (mut terms, eval) = (Vec::new(), &mut Eval);
    digits(eval, group(3), step, &mut terms);
    digits(eval, group(4), matrix, &mut terms);
    Ok(finish(eval, &copy.registers, terms, &[])? / 2)
}

fn matrix_groups(layout: &Layout, copy: &MatrixCopy) -> Result<(Layout, Vec<usize>), Refusal> {
    layout.group(&copy.shape).map_err(|error| Refusal::new("malformed-matrix-copy", error.to_string()))
}
