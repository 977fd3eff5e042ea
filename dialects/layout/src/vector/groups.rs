//! Groups wider than a swizzle's chunk, one by one.

use super::rules::{address, example, saturate};
use super::{Access, Blocker, Cause, rules};
use crate::{Axis, Swizzle};

/// Elements that are looked at before a width beyond the swizzle's chunk is refused unseen.
pub const ENUMERATED: i64 = 1 << 16;

/// Could the swizzle tear a group of `width`? Not when groups are whole chunks' parts, nor where it moves nothing.
pub(super) fn tears(access: &Access<'_>, swizzle: Swizzle, width: i64) -> bool {
    let whole = swizzle.validate().is_err() || swizzle.chunk() % width == 0;
    let mut highest = i128::from(access.offset);
    let mut lowest = highest;
    for iter in access.iters.iter().filter(|iter| iter.axis == Axis::Memory) {
        let last = (i128::from(iter.extent) - 1) * i128::from(iter.stride);
        highest = highest.saturating_add(last.max(0));
        lowest = lowest.saturating_add(last.min(0));
    }
    let still = access.dynamic.is_empty() && lowest >= 0 && highest < i128::from(swizzle.identity_below());
    !whole && !still
}

/// Looks at every group; refuses when one is torn or misaligned, and when there are too many to look at.
pub(super) fn check(access: &Access<'_>, swizzle: Swizzle, width: i64) -> Result<(), Box<Blocker>> {
    let size = access.iters.iter().fold(1i64, |size, iter| size.saturating_mul(iter.extent.max(0)));
    let seen = size.min(ENUMERATED);
    let steps = vec![0; access.dynamic.len()];
    let mut torn = first_torn(access, width, size, seen, &steps);
    if torn.is_none() && size <= ENUMERATED && access.dynamic.is_empty() {
        return Ok(());
    }
    for position in 0..access.dynamic.len() {
        torn = torn.or_else(|| first_torn(access, width, size, seen, &crossing_steps(access, swizzle, position)));
    }
    let cause = Cause::Swizzle(swizzle);
    let unswizzled = Blocker { width, cause, needed: width, proven: swizzle.chunk(), example: None };
    let refusal = rules::check(access, width).err().map_or(unswizzled, |refusal| *refusal);
    Err(Blocker { example: torn, ..refusal }.into())
}

/// Steps that bring one dynamic term to where the swizzle begins to move addresses.
fn crossing_steps(access: &Access<'_>, swizzle: Swizzle, position: usize) -> Vec<i64> {
    let mut steps = rules::unit_steps(access, position);
    let distance = access.dynamic.get(position).map_or(1, |term| term.stride.saturating_mul(term.divisor).max(1));
    if let Some(step) = steps.get_mut(position) {
        *step = (swizzle.identity_below() / distance).max(1);
    }
    steps
}

/// The first group among the first `seen` elements that is torn or misaligned.
fn first_torn(access: &Access<'_>, width: i64, size: i64, seen: i64, steps: &[i64]) -> Option<super::Example> {
    let place = |linear: i64| place(access, linear, steps);
    let mut start = 0;
    while start < seen {
        let first = place(start);
        let whole = size - start >= width && first % width == 0;
        if !whole || !(1..width).all(|index| place(start + index) == first.saturating_add(index)) {
            return Some(example(access, digits(access, start), steps));
        }
        start += width;
    }
    None
}

/// The address of a logical element.
fn place(access: &Access<'_>, linear: i64, steps: &[i64]) -> i64 {
    let mut rest = linear;
    let mut before = address(access, &[], steps);
    for iter in access.iters.iter().rev() {
        let extent = iter.extent.max(1);
        if iter.axis == Axis::Memory {
            before = before.saturating_add(i128::from(iter.stride) * i128::from(rest % extent));
        }
        rest /= extent;
    }
    access.swizzle.map_or(saturate(before), |swizzle| swizzle.apply(saturate(before)))
}

/// The digits of a logical index.
fn digits(access: &Access<'_>, linear: i64) -> Vec<i64> {
    let mut rest = linear;
    let mut digits = vec![0; access.iters.len()];
    for (digit, iter) in digits.iter_mut().zip(access.iters).rev() {
        let extent = iter.extent.max(1);
        *digit = rest % extent;
        rest /= extent;
    }
    digits
}
