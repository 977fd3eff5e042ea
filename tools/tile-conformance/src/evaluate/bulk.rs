//! Bulk copies; those to another CTA go to the same place of its storage.

use tile_layout::Eval;
use tile_plan::{BulkCopy, Which, address};

use super::cell::cell;
use super::fault::Fault;
use super::moves::{Instance, Move, Sink, check_alignment};

/// Every chunk, by the first thread of those that share the copy.
pub(super) fn run(copy: &BulkCopy, instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    let unit = 128 / i64::from(copy.element_bits);
    for &thread in instance.active.iter().filter(|&&thread| thread == instance.first) {
        for chunk in 0..copy.chunks() {
            let at = |which, side| {
                let address = address::bulk_address(&mut Eval, copy, which, chunk, instance.values(which))?;
                check_alignment(side, which, thread, address, (unit, copy.element_bits)).map(|()| address)
            };
            let (from, to) = (at(Which::Src, &copy.src)?, at(Which::Dst, &copy.dst)?);
            for step in 0..copy.chunk {
                let from = cell(copy.src.space, thread, from + step);
                sink(Move { thread, from, to: cell(copy.dst.space, thread, to + step) })?;
            }
        }
    }
    Ok(())
}
