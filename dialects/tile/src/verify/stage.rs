//! The ops between the passes: numbers that fit each other, so that later passes may rely on them.

use melior::ir::OperationRef;
use tile_layout::{Axis, counted};

use super::{copy, outcome, tensor};
use crate::Space;
use crate::ops::{Side, StageOp, integers, string};

pub(crate) fn stage(op: OperationRef<'_, '_>) -> bool {
    use melior::ir::operation::OperationLike;
    let name = op.name();
    match name.as_string_ref().as_str().unwrap_or_default() {
        "tile.scalar_copy" => copy(op) && outcome(op, scalar(op)),
        "tile.aligned_copy" => outcome(op, sides(op).map(|_| ())),
        "tile.vector_copy" => outcome(op, vector(op)),
        "tile.tensor_copy" => outcome(op, tensor::copy(op)),
        "tile.tensor_access" => outcome(op, tensor::access(op)),
        "tile.bulk_copy" => outcome(op, tensor::bulk(op)),
        _ => outcome(op, matrix(op)),
    }
}

fn scalar(op: OperationRef<'_, '_>) -> Result<(), String> {
    let by = string(op, "by").unwrap_or_default();
    let threads = integers(op, "threads");
    let expected = match by.as_str() {
        "everyone" | "owners" => 0..=0,
        "elected" => 1..=1,
        "elected_in_block" => 1..=1024,
        _ => return Err(format!("got by \"{by}\", expected everyone, elected, elected_in_block or owners")),
    };
    if !expected.contains(&threads.len()) || threads.iter().any(|thread| !(0..1024).contains(thread)) {
        return Err(format!("got threads {threads:?} by \"{by}\", expected {expected:?} of them, each in [0, 1024)"));
    }
    Ok(())
}

pub(super) fn sides<'c, 'a>(op: OperationRef<'c, 'a>) -> Result<(Side<'c, 'a>, Side<'c, 'a>), String> {
    let op = StageOp(op);
    let src = op.src().ok_or("the source's run-time offsets do not fit its terms")?;
    let dst = op.dst().ok_or("the destination's run-time offsets do not fit its terms")?;
    if src.layout.size() != dst.layout.size() {
        return Err(format!("got {} and {} elements, expected the same", src.layout.size(), dst.layout.size()));
    }
    side("source", &src)?;
    side("destination", &dst)?;
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

fn side(name: &str, side: &Side<'_, '_>) -> Result<(), String> {
    if side.terms.iter().any(|&(_, divisor, _)| divisor < 1) {
        return Err(format!("got a divisor below 1 in the {name}'s terms"));
    }
    for axis in [Axis::Memory, Axis::TLane, Axis::TCol] {
        let (inside, whole) = (side.layout.span(axis), side.buffer.layout().span(axis));
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

fn vector(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, _) = sides(op)?;
    let number = |name| StageOp(op).integer(name).unwrap_or(0);
    let parts = [number("rounds"), number("threads"), number("vector")];
    let product = parts.iter().try_fold(1i64, |product, &part| product.checked_mul(part));
    if product != Some(src.layout.size()) {
        return Err(format!(
            "got rounds x threads x vector = {parts:?}, expected {} in all",
            counted(src.layout.size(), "element")
        ));
    }
    exchange(op)
}

/// A lane whose predicate is false would give nothing.
fn exchange(op: OperationRef<'_, '_>) -> Result<(), String> {
    match StageOp(op).integer("exchange") {
        None => Ok(()),
        Some(2 | 4 | 8) if StageOp(op).first_extra().is_none() => Ok(()),
        Some(2 | 4 | 8) => Err("got an exchange between lanes and a predicate, expected one of them".to_owned()),
        Some(lanes) => Err(format!("got an exchange between {}, expected 2, 4 or 8", counted(lanes, "lane"))),
    }
}

fn matrix(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    let shape = integers(op, "shape");
    let &[warps, 8, 4, instructions, matrices @ (1 | 2 | 4), 2] = shape.as_slice() else {
        return Err(format!("got shape {shape:?}, expected [warps, 8, 4, instructions, 1 or 2 or 4, 2]"));
    };
    let product =
        [warps, instructions, matrices * 64].iter().try_fold(1i64, |product, &part| product.checked_mul(part));
    if warps < 1 || instructions < 1 || product != Some(src.layout.size()) {
        return Err(format!("got shape {shape:?}, expected {} in all", counted(src.layout.size(), "element")));
    }
    match (src.buffer.space(), dst.buffer.space()) {
        (Space::Shared, Space::Local) | (Space::Local, Space::Shared) => Ok(()),
        (from, to) => Err(format!("got {} to {}, expected shared to local or back", from.name(), to.name())),
    }
}
