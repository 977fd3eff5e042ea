//! Splits a region of global memory into contiguous runs.

use tile_isa::Space;
use tile_isa::prefetch::LINE_BYTES;
use tile_layout::{Axis, Iter, Layout};

use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::order::{in_order, refine};
use crate::sides::region::region_side;
use crate::sides::side::Side;
use crate::sides::width::obstacle;

/// The operand of a prefetch, which is in global memory.
///
/// # Errors
/// `unsupported-spaces`; as [`check_copy`].
pub(super) fn global(problem: &Problem) -> Result<&Operand, Refusal> {
    let src = problem.operand(Role::Src)?;
    if src.space != Space::Global {
        let reason = format!("unsupported memory scope {}; allowed: global", src.space);
        return Err(Refusal::of(Role::Src, "unsupported-spaces", reason));
    }
    check_copy(problem)?;
    Ok(src)
}

/// The region over `[runs…, run]`, by descending strides; the last iter has stride 1. Elements in one place are counted
/// once.
///
/// # Errors
/// `swizzled-source`; a region that is not a list of iters.
pub(super) fn runs(src: &Operand) -> Result<Side, Refusal> {
    let side = region_side(src, Role::Src)?;
    if let Some(swizzle) = side.layout.swizzle.filter(|swizzle| swizzle.len != 0) {
        let reason = format!("{swizzle} moves parts of a line; needed a source without a swizzle");
        return Err(Refusal::of(Role::Src, "swizzled-source", reason));
    }
    let side = match refine(&side.layout.shard, &side.layout.shard) {
        Some(pairs) => in_order(pairs, side.clone(), side, None).0,
        None => side,
    };
    let mut shard: Vec<Iter> =
        side.layout.shard.iter().copied().filter(|iter| iter.extent != 1 && iter.stride != 0).collect();
    if shard.last().is_none_or(|last| (last.stride, last.axis) != (1, Axis::Memory)) {
        shard.push(Iter::memory(1, 1));
    }
    Ok(Side { layout: Layout { shard, swizzle: None, ..side.layout }, ..side })
}

/// The largest power of two, up to the bytes of a line, that is proven to divide the addresses of all runs.
pub(super) fn alignment(side: &Side, element_bytes: i64) -> i64 {
    let divides = |bytes: &i64| {
        let mut shard = side.layout.shard.clone();
        shard.pop();
        let width = bytes / element_bytes;
        shard.push(Iter::memory(width, 1));
        let group = Side { layout: Layout { shard, ..side.layout.clone() }, ..side.clone() };
        obstacle(&group, Role::Src, width, *bytes as u32 * 8, element_bytes).is_none()
    };
    let halves = std::iter::successors(Some(LINE_BYTES), |bytes| Some(bytes / 2));
    halves.take_while(|bytes| *bytes > element_bytes).find(divides).unwrap_or(element_bytes)
}
