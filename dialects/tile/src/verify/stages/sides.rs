//! The two sides of a stage operation: layouts, run-time terms and guards that fit each other.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_layout::{Axis, counted};

use crate::Space;
use crate::ops::{Side, StageOp, integers, segment};

/// The sides of an op, after checking that they fit each other.
pub(super) fn sides<'c, 'a>(op: OperationRef<'c, 'a>) -> Result<(Side<'c, 'a>, Side<'c, 'a>), String> {
    let op = StageOp(op);
    let src = op.src().ok_or_else(|| unfit(op, "source", 1, "srcTerms"))?;
    let dst = op.dst().ok_or_else(|| unfit(op, "destination", 3, "dstTerms"))?;
    if src.layout.size() != dst.layout.size() {
        return Err(format!("got {} and {} elements, expected the same", src.layout.size(), dst.layout.size()));
    }
    let masked = op.0.has_attribute("limited");
    side("source", &src, masked)?;
    side("destination", &dst, masked)?;
    let guards = integers(op.0, "guards");
    if !guards.len().is_multiple_of(2) || guards.iter().any(|&number| number < 1) {
        return Err(format!("got guards {guards:?}, expected pairs of positive numbers"));
    }
    let thread_iters = op.integer("thread_iters").unwrap_or(0);
    if !(0..=src.layout.shard.len() as i64).contains(&thread_iters) {
        return Err(format!(
            "got {} of {}",
            counted(thread_iters, "thread iter"),
            counted(src.layout.shard.len(), "iter")
        ));
    }
    Ok((src, dst))
}

/// The message for run-time offsets and term numbers that do not fit each other.
fn unfit(op: StageOp<'_, '_>, side: &str, group: usize, terms: &str) -> String {
    let (values, numbers) = (segment(op.0, group).len(), integers(op.0, terms).len());
    let offsets = counted(values as u64, "run-time offset");
    format!(
        "got {offsets} of the {side} and {numbers} numbers of terms, expected a divisor and a stride for each offset, then the run-time strides"
    )
}

fn side(name: &str, side: &Side<'_, '_>, masked: bool) -> Result<(), String> {
    if let Some(term) = side.terms.iter().find(|term| term.div < 1) {
        return Err(format!("got divisor {} in the {name}'s terms, expected at least 1", term.div));
    }
    if let Some(term) = side.terms.iter().find(|term| !term.axis.is_address()) {
        return Err(format!("got axis '{}' in the {name}'s terms, expected memory or a run-time stride", term.axis));
    }
    let buffer = side.buffer.layout();
    let (got, expected) = (side.strides.len(), buffer.stride_count());
    let used = side.layout.stride_count();
    if got != expected || used > expected {
        let (got, used) = (counted(got, "run-time stride"), used);
        return Err(format!("got {got} of the {name} and a layout of {used}, expected the buffer's {expected}"));
    }
    // The end of an open buffer is not known, and a masked copy may extend beyond the end.
    let axes = [Axis::Memory, Axis::TLane, Axis::TCol].into_iter().chain(Axis::STRIDES);
    for axis in axes.filter(|_| !buffer.is_open() && !masked) {
        let (inside, whole) = (side.layout.span(axis), buffer.span(axis));
        if inside > whole {
            let place = if axis == Axis::Memory { "element".to_owned() } else { format!("position '{axis}'") };
            return Err(format!("the {name}'s layout reaches {place} {} of a buffer that spans {whole}", inside - 1));
        }
    }
    if side.buffer.space() != Space::Local
        && side.layout.shard.iter().any(|iter| iter.axis.is_thread() && iter.extent > 1)
    {
        return Err(format!("the {name} is not in registers, but its layout has thread axes"));
    }
    Ok(())
}
