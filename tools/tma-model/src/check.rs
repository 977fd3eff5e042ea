//! Whether the boxes of a plan move what the copy is to move.

use std::collections::HashMap;

use tile_plan::families::tensor_map::TensorMapCopy;
use tile_plan::problem::Problem;
use tile_plan::problem::operands::Operand;

use crate::engine::{Values, moves};
use crate::region::Known;

/// Checks a plan element by element: each one of the region, once, between the right places; of a load, those outside of
/// the tensor filled.
///
/// # Errors
/// The first element that is moved wrongly, or a trap.
pub fn check(problem: &Problem, copy: &TensorMapCopy, values: &Values) -> Result<(), String> {
    let role = copy.form.global();
    let tensor = problem.operand(role).map_err(|refusal| refusal.reason)?;
    let global = Known::of(tensor, &values.global, &values.extents).with_rows(&values.rows).addresses();
    let operand = problem.operand(role.other()).map_err(|refusal| refusal.reason)?;
    let shared = Known::of(operand, &values.shared, &operand.shape).addresses();
    if global.len() != shared.len() {
        return Err(format!("the regions have {} and {} elements", global.len(), shared.len()));
    }
    let bytes = i64::from(copy.element_bits / 8);
    let mut wanted: HashMap<i64, Option<i64>> = HashMap::with_capacity(shared.len());
    for (shared, global) in shared.iter().zip(global) {
        let shared = shared.ok_or("the shared region leaves its buffer")?;
        wanted.insert(shared * bytes, global.map(|address| address * bytes));
    }
    compare(copy, values, wanted, reach(operand, copy))
}

/// Bytes of shared storage that a store may read: whole lines of 128.
fn reach(shared: &Operand, copy: &TensorMapCopy) -> i64 {
    let bytes = i64::from(copy.element_bits / 8);
    (shared.layout.memory_span() * bytes + 127) / 128 * 128
}

fn compare(
    copy: &TensorMapCopy,
    values: &Values,
    mut wanted: HashMap<i64, Option<i64>>,
    reach: i64,
) -> Result<(), String> {
    for moved in moves(copy, values)? {
        match wanted.remove(&moved.shared) {
            Some(global) if global == moved.global => {}
            Some(global) => {
                return Err(format!(
                    "shared byte {} meets byte {:?} of the tensor, expected {global:?}",
                    moved.shared, moved.global
                ));
            }
            // What a store reads and leaves out does no harm.
            None if copy.form.is_store() && moved.global.is_none() && moved.shared < reach => {}
            None => return Err(format!("shared byte {} is not of the region, or moved twice", moved.shared)),
        }
    }
    match wanted.iter().next() {
        None => Ok(()),
        Some((shared, global)) => {
            Err(format!("shared byte {shared} is not moved; byte {global:?} of the tensor belongs there"))
        }
    }
}
