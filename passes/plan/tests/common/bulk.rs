//! What is asked of plans in bulk copies.

use tile_plan::{Aligned, BulkCopy, Problem};

use super::build::planned_with;
use super::oracle::Values;

/// The plan, which is one in bulk copies.
pub fn bulk_with(problem: &Problem, values: &Values) -> BulkCopy {
    match planned_with(problem, values) {
        Aligned::Bulk(copy) => copy,
        other => panic!("no bulk copy: {other:?}"),
    }
}

/// Chunks, and bytes of each.
pub fn bulk(problem: &Problem) -> (i64, i64) {
    let copy = bulk_with(problem, &Values::default());
    (copy.chunks(), copy.chunk_bytes())
}
