//! Chunks of a bulk copy.

use tile_layout::IndexArith;

use crate::address::{digits, finish};
use crate::plan::{BulkCopy, Refusal};
use crate::problem::Which;

/// The first element of chunk `chunk` of [`BulkCopy::chunks`], on one side; that of the destination in this CTA's
/// storage, which lies at the same place in the other's.
///
/// # Errors
/// `missing-value` when `values` is too short.
pub fn bulk_address<A: IndexArith>(
    a: &mut A,
    copy: &BulkCopy,
    which: Which,
    chunk: A::Value,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let side = if which == Which::Src { &copy.src } else { &copy.dst };
    let outer = side.layout.shard.split_last().map_or(&[][..], |(_, outer)| outer);
    let mut terms = Vec::new();
    digits(a, outer, chunk, &mut terms);
    finish(a, side, terms, values)
}
