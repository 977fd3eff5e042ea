//! One order for both sides: common refinement, sorting, joining.

use std::cmp::Reverse;

use tile_layout::{Axis, Iter, Layout, gcd};

use crate::problem::mask::{Coordinate, Mask};
use crate::sides::side::Side;

/// A common iter: one extent, with a stride on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub extent: i64,
    /// The driving side's stride.
    pub lead: i64,
    /// The driving side's axis.
    pub axis: Axis,
    /// The other side's stride.
    pub follow: i64,
    /// The other side's axis: memory, or one of its run-time strides.
    pub follow_axis: Axis,
    /// Where the copy is masked, the dimension of the region that the iter moves in, and its step; else 0 and 0.
    pub moves: (usize, i64),
}

impl Pair {
    /// Splits off the `inner` fastest positions; `inner` must divide the extent.
    pub fn split(self, inner: i64) -> (Pair, Pair) {
        let outer = Pair {
            extent: self.extent / inner,
            lead: self.lead.saturating_mul(inner),
            follow: self.follow.saturating_mul(inner),
            moves: (self.moves.0, self.moves.1.saturating_mul(inner)),
            ..self
        };
        (outer, Pair { extent: inner, ..self })
    }
}

/// Refines the iters of two lists of the same size to their common boundaries; `None` when a boundary does not divide
/// an iter of the other list. Units are left out.
///
/// ```text
///   lead    (64, 8)        |   64   | 8 |
///   follow  (16, 32)       | 16 |  32   |     ->   (16, 4, 8) on both sides
/// ```
pub(crate) fn refine(lead: &[Iter], follow: &[Iter]) -> Option<Vec<Pair>> {
    refine_masked(lead, follow, None)
}

/// The same, refined also to the digits of a mask.
pub(crate) fn refine_masked(lead: &[Iter], follow: &[Iter], mask: Option<&Mask>) -> Option<Vec<Pair>> {
    let whole = [Coordinate { extent: lead.iter().map(|iter| iter.extent).product(), dimension: 0, step: 0 }];
    refine_digits(lead, follow, mask.map_or(&whole[..], |mask| &mask.digits))
}

/// The same, refined to the boundaries of `digits`, in which each pair then has its dimension and its step.
pub(crate) fn refine_digits(lead: &[Iter], follow: &[Iter], digits: &[Coordinate]) -> Option<Vec<Pair>> {
    let mut coordinates = digits.iter().rev().filter(|digit| digit.extent != 1).copied();
    let mut leads = lead.iter().rev().filter(|iter| iter.extent != 1).copied();
    let mut follows = follow.iter().rev().filter(|iter| iter.extent != 1).copied();
    let (mut a, mut b, mut c) = (leads.next(), follows.next(), coordinates.next());
    let mut pairs = Vec::with_capacity(lead.len().max(follow.len()) + 2);
    while let (Some(x), Some(y), Some(z)) = (a, b, c) {
        let extent = gcd(gcd(x.extent, y.extent), z.extent);
        if extent == 1 {
            return None;
        }
        // An iter without step is in no dimension, so that it can be joined.
        let moves = if z.step == 0 { (0, 0) } else { (z.dimension, z.step) };
        pairs.push(Pair { extent, lead: x.stride, axis: x.axis, follow: y.stride, follow_axis: y.axis, moves });
        a = rest(x, extent).or_else(|| leads.next());
        b = rest(y, extent).or_else(|| follows.next());
        c = left(z, extent).or_else(|| coordinates.next());
    }
    pairs.reverse();
    (a.is_none() && b.is_none() && c.is_none()).then_some(pairs)
}

/// The mask digits of the pairs.
pub(crate) fn coordinates(pairs: &[Pair]) -> Vec<Coordinate> {
    let coordinate = |pair: &Pair| {
        let (dimension, step) = pair.moves;
        Coordinate { extent: pair.extent, dimension, step }
    };
    pairs.iter().map(coordinate).collect()
}

/// What remains of a digit of a mask without its `taken` fastest positions.
fn left(digit: Coordinate, taken: i64) -> Option<Coordinate> {
    let extent = digit.extent / taken;
    (extent != 1).then(|| Coordinate { extent, step: digit.step.saturating_mul(taken), ..digit })
}

/// What remains of an iter without its `taken` fastest positions.
fn rest(iter: Iter, taken: i64) -> Option<Iter> {
    let extent = iter.extent / taken;
    (extent != 1).then(|| Iter::new(extent, iter.stride.saturating_mul(taken), iter.axis))
}

/// Joins adjacent iters that continue each other on both sides.
pub(crate) fn join(pairs: &[Pair]) -> Vec<Pair> {
    let mut joined: Vec<Pair> = Vec::with_capacity(pairs.len());
    for &inner in pairs {
        match joined.last_mut() {
            Some(outer) if continues(outer, &inner) => {
                *outer = Pair { extent: outer.extent.saturating_mul(inner.extent), ..inner };
            }
            _ => joined.push(inner),
        }
    }
    joined
}

fn continues(outer: &Pair, inner: &Pair) -> bool {
    let follows = |outer: i64, inner_stride: i64| Some(outer) == inner_stride.checked_mul(inner.extent);
    let same_axes = (outer.axis, outer.follow_axis) == (inner.axis, inner.follow_axis)
        && outer.moves.0 == inner.moves.0
        && follows(outer.moves.1, inner.moves.1);
    same_axes && follows(outer.lead, inner.lead) && follows(outer.follow, inner.follow)
}

/// Both sides with their iters in the order of descending strides of the driving one: the fastest iter is contiguous
/// there, if any is. An iter that counts down is reversed on both sides, starting from its last position; one that does
/// not move the driving side is slowest.
///
/// ```text
///   lead  (4, 2) : (-2, 1) + 6      2:1 is fastest, as in  (4, 2) : (2, 1)
///   follow  (4, 2) : (2, 1)         (4, 2) : (-2, 1) + 6
/// ```
pub(crate) fn in_order(
    mut pairs: Vec<Pair>,
    mut lead: Side,
    mut follow: Side,
    mask: Option<Mask>,
) -> (Side, Side, Option<Mask>) {
    let shifts = sort_upwards(&mut pairs, &mut lead.layout, &mut follow.layout);
    let pairs = join(&pairs);
    let (lead_shard, follow_shard) = sides(&pairs);
    (
        Side { layout: with_shard(lead.layout, lead_shard), ..lead },
        Side { layout: with_shard(follow.layout, follow_shard), ..follow },
        mask.map(|mask| mask.reordered(coordinates(&pairs), &shifts)),
    )
}

/// Sorts the pairs in that order. Where one counts down, the layouts start at its other end, and so do the dimensions
/// of a mask; these are returned with their shifts.
pub(crate) fn sort_upwards(pairs: &mut [Pair], lead: &mut Layout, follow: &mut Layout) -> Vec<(usize, i64)> {
    let mut shifts = Vec::new();
    for pair in pairs.iter_mut().filter(|pair| (pair.lead, pair.follow) < (0, 0)) {
        add_offset(lead, pair.axis, pair.lead.saturating_mul(pair.extent - 1));
        add_offset(follow, pair.follow_axis, pair.follow.saturating_mul(pair.extent - 1));
        (pair.lead, pair.follow) = (pair.lead.saturating_neg(), pair.follow.saturating_neg());
        let (dimension, step) = pair.moves;
        shifts.push((dimension, step.saturating_mul(pair.extent - 1)));
        pair.moves.1 = step.saturating_neg();
    }
    pairs.sort_by_key(|pair| {
        (pair.lead != 0, Reverse((far(pair.axis), pair.lead, far(pair.follow_axis), pair.follow.saturating_abs())))
    });
    shifts
}

/// Whether the axis has a run-time stride. Such a stride is taken to be longer than any other: rows are further apart
/// than the elements in them.
pub(crate) fn far(axis: Axis) -> bool {
    axis.stride_index().is_some()
}

fn add_offset(layout: &mut Layout, axis: Axis, value: i64) {
    let offset = layout.offset.entry(axis).or_default();
    *offset = offset.saturating_add(value);
    layout.offset.retain(|_, value| *value != 0);
}

/// The two sides' iters, in the pairs' order.
pub(crate) fn sides(pairs: &[Pair]) -> (Vec<Iter>, Vec<Iter>) {
    let lead = pairs.iter().map(|pair| Iter::new(pair.extent, pair.lead, pair.axis)).collect();
    let follow = pairs.iter().map(|pair| Iter::new(pair.extent, pair.follow, pair.follow_axis)).collect();
    (lead, follow)
}

/// The layout with other iters.
pub(crate) fn with_shard(layout: Layout, shard: Vec<Iter>) -> Layout {
    Layout { shard, ..layout }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(iters: &[(i64, i64)]) -> Vec<Iter> {
        iters.iter().map(|&(extent, stride)| Iter::memory(extent, stride)).collect()
    }

    #[test]
    fn refines_to_the_boundaries_of_both() {
        let pairs = refine(&memory(&[(64, 8), (8, 1)]), &memory(&[(16, 1), (32, 16)])).unwrap();
        assert_eq!(sides(&pairs), (memory(&[(16, 32), (4, 8), (8, 1)]), memory(&[(16, 1), (4, 128), (8, 16)])));
        assert_eq!(refine(&memory(&[(4, 3), (3, 1)]), &memory(&[(3, 4), (4, 1)])), None);
        assert_eq!(refine(&memory(&[(1, 1)]), &[]), Some(Vec::new()));
    }

    #[test]
    fn joins_what_continues_on_both_sides() {
        let pairs = refine(&memory(&[(4, 8), (8, 1)]), &memory(&[(4, 16), (8, 2)])).unwrap();
        assert_eq!(sides(&join(&pairs)), (memory(&[(32, 1)]), memory(&[(32, 2)])));
        let pairs = refine(&memory(&[(4, 8), (8, 1)]), &memory(&[(4, 9), (8, 1)])).unwrap();
        assert_eq!(join(&pairs), pairs);
    }
}
