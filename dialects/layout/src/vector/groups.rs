//! Enumeration of groups wider than a swizzle's chunk.
//!
//! Addresses that differ by a common multiple of the swizzle's period and the width are swizzled and aligned alike. So an
//! outer iter, or a dynamic term, is followed only until it returns to its start, modulo that number:
//!
//! ```text
//!   swizzle<base = 1, bits = 1, shift = 2>, period 16, width 4      (100, 8) : (24, 1)      rows 0 and 1 stand for all: 2 * 24 = 48 = 3 * 16
//! ```

use super::rules::{address, example, saturate};
use super::{Blocker, TornGroup, VectorAccess, VectorObstacle, rules};
use crate::{Axis, Iter, Swizzle};

/// The most elements that are enumerated; with more, a width beyond the swizzle's chunk is refused without a proof.
pub const ENUMERATED: i64 = 1 << 14;

/// Whether the swizzle could tear a group of `width`: not where the width divides a chunk, or where it moves nothing.
pub(super) fn tears(access: &VectorAccess<'_>, swizzle: Swizzle, width: i64) -> bool {
    let whole = swizzle.len == 0 || swizzle.validate().is_err() || swizzle.chunk() % width == 0;
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

/// Checks every group that may differ from the others; refuses when one is torn or misaligned, or when there are too many
/// to enumerate.
pub(super) fn check(access: &VectorAccess<'_>, swizzle: Swizzle, width: i64) -> Result<(), Box<Blocker>> {
    let groups = Representatives::new(access, swizzle, width);
    let torn = groups.first_torn();
    if torn.is_none() && groups.complete() {
        return Ok(());
    }
    let cause = VectorObstacle::Swizzle(swizzle);
    let unswizzled = Blocker { width, cause, needed: width, proven: swizzle.chunk(), example: None };
    let refusal = rules::check(access, width).err().map_or(unswizzled, |refusal| *refusal);
    Err(Blocker { example: torn.or_else(|| groups.torn_where_it_moves()), ..refusal }.into())
}

/// The groups that represent all.
struct Representatives<'a> {
    access: &'a VectorAccess<'a>,
    swizzle: Swizzle,
    width: i64,
    /// The number of positions to enumerate, per iter.
    extents: Vec<i64>,
    /// The number of values to enumerate, per dynamic term.
    steps: Vec<i64>,
}

impl<'a> Representatives<'a> {
    fn new(access: &'a VectorAccess<'a>, swizzle: Swizzle, width: i64) -> Self {
        let apart = i128::from(swizzle.period()) / gcd(swizzle.period().into(), width.into()) * i128::from(width);
        let returns = |step: i128| saturate(apart / gcd(apart, step));
        // Groups lie inside the iters from this position on; earlier iters move whole groups.
        let inner = inside_group(access.iters, width);
        let extents = access.iters.iter().enumerate().map(|(position, iter)| {
            let moves = if iter.axis == Axis::Memory { returns(iter.stride.into()) } else { 1 };
            if position < inner { iter.extent.min(moves) } else { iter.extent }.max(1)
        });
        let steps = access.dynamic.iter().map(|term| returns(i128::from(term.stride) * i128::from(term.divisor)));
        Representatives { access, swizzle, width, extents: extents.collect(), steps: steps.collect() }
    }

    /// Whether the groups are few enough to enumerate all of them.
    fn complete(&self) -> bool {
        size(&self.extents).saturating_mul(size(&self.steps)) <= ENUMERATED
    }

    /// The first group that is torn or misaligned, among those that are enumerated.
    fn first_torn(&self) -> Option<TornGroup> {
        let each = size(&self.extents);
        let values = (ENUMERATED / each).clamp(1, size(&self.steps));
        (0..values).find_map(|value| self.torn(&digits(&self.steps, value), each.min(ENUMERATED)))
    }

    /// The first such group when one dynamic term has reached the addresses that the swizzle moves.
    fn torn_where_it_moves(&self) -> Option<TornGroup> {
        let seen = size(&self.extents).min(ENUMERATED);
        self.access.dynamic.iter().enumerate().find_map(|(position, term)| {
            let distance = term.stride.saturating_mul(term.divisor).max(1);
            let mut steps = rules::unit_steps(self.access, position);
            steps[position] = (self.swizzle.identity_below() / distance).max(1);
            self.torn(&steps, seen)
        })
    }

    /// The first torn or misaligned group among the first `seen` elements, at given values of the dynamic terms.
    fn torn(&self, steps: &[i64], seen: i64) -> Option<TornGroup> {
        let all = size(&self.extents);
        let place = |linear: i64| {
            let before = saturate(address(self.access, &digits(&self.extents, linear), steps));
            self.swizzle.apply(before)
        };
        let mut start = 0;
        while start < seen {
            let first = place(start);
            let whole = all - start >= self.width && first % self.width == 0;
            if !whole || !(1..self.width).all(|index| place(start + index) == first.saturating_add(index)) {
                return Some(example(self.access, digits(&self.extents, start), steps));
            }
            start += self.width;
        }
        None
    }
}

/// The number of leading iters that only move whole groups of `width`; 0 where some group is partial.
fn inside_group(iters: &[Iter], width: i64) -> usize {
    let mut inside = 1i128;
    for (position, iter) in iters.iter().enumerate().rev() {
        inside = inside * i128::from(iter.extent) % i128::from(width);
        if inside == 0 {
            return position;
        }
    }
    0
}

/// The product of the extents. Saturates.
fn size(extents: &[i64]) -> i64 {
    extents.iter().fold(1i64, |size, &extent| size.saturating_mul(extent))
}

/// The digits of a linear index.
fn digits(extents: &[i64], linear: i64) -> Vec<i64> {
    let mut rest = linear;
    let mut digits = vec![0; extents.len()];
    for (digit, &extent) in digits.iter_mut().zip(extents).rev() {
        *digit = rest % extent;
        rest /= extent;
    }
    digits
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
