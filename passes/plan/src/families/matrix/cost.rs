//! What matrix instructions cost in shared memory.

use tile_isa::matrix::MATRIX_ROWS;
use tile_layout::Eval;

use crate::families::cost::{Cost, Costs};
use crate::families::matrix::address::matrix_address;
use crate::families::matrix::plan::MatrixCopy;
use crate::families::vector::cost::conflicts;
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::target::Target;

/// Bytes of an element, and of a row of a matrix.
const ELEMENT_BYTES: i64 = 2;
const ROW_BYTES: i64 = 16;

impl Costs for MatrixCopy {
    /// Of the matrices; registers cost nothing.
    fn cost(&self, _problem: &Problem, target: &Target) -> Result<Option<Cost>, Refusal> {
        Ok(Some(Cost { instructions: self.steps(), wavefronts: wavefronts(self, target)? }))
    }
}

/// Wavefronts of a warp's instructions: the rows of a matrix are read or written at once, if they lie in different banks.
fn wavefronts(copy: &MatrixCopy, target: &Target) -> Result<i64, Refusal> {
    let values = vec![0; copy.shared.dynamic.iter().map(|term| term.value + 1).max().unwrap_or(0)];
    let mut all = 0i64;
    for step in 0..copy.steps() {
        for matrix in 0..copy.num {
            let mut rows = Vec::new();
            for row in 0..MATRIX_ROWS {
                let address = matrix_address(&mut Eval, copy, matrix * MATRIX_ROWS + row, step, &values)?;
                rows.push((address.saturating_mul(ELEMENT_BYTES), ROW_BYTES));
            }
            all = all.saturating_add(conflicts(&rows, target.shared_banks()));
        }
    }
    Ok(all)
}
