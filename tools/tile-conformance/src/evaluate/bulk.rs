//! Bulk copies to another CTA: the same place of its storage.

use tile_layout::Eval;
use tile_plan::{BulkCopy, Space, Which, address};

use super::cell::cell;
use super::fault::Fault;
use super::moves::{Instance, Move, Sink, check_alignment};

/// Every chunk of every active thread.
pub(super) fn run(copy: &BulkCopy, instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    let unit = 128 / i64::from(copy.element_bits);
    for &thread in &instance.active {
        for chunk in 0..copy.chunks() {
            let at = |which, side| {
                let address = address::bulk_address(&mut Eval, copy, which, chunk, instance.values(which))?;
                check_alignment(side, which, thread, address, (unit, copy.element_bits)).map(|()| address)
            };
            let (from, to) = (at(Which::Src, &copy.src)?, at(Which::Dst, &copy.dst)?);
            for step in 0..copy.chunk {
                let from = cell(Space::Shared, thread, from + step);
                sink(Move { thread, from, to: cell(Space::Shared, thread, to + step) })?;
            }
        }
    }
    Ok(())
}
