//! Random layouts, and their meaning by plain enumeration: nothing here calls the operations under test.

#![allow(dead_code, reason = "each test uses its part")]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::sample::select;
use tile_layout::{Axis, Iter, Layout, Swizzle};

/// A location: axes at position 0 are left out, so that layouts that name different axes compare equal.
pub type Place = BTreeMap<Axis, i64>;

/// The digits of `index`, the last one fastest.
pub fn digits(index: i64, extents: &[i64]) -> Vec<i64> {
    let mut rest = index;
    let mut digits: Vec<i64> = extents.iter().rev().map(|extent| (rest % extent, rest /= extent).0).collect();
    digits.reverse();
    digits
}

/// The inverse of [`digits`].
pub fn join(coords: &[i64], shape: &[i64]) -> i64 {
    coords.iter().zip(shape).fold(0, |index, (coord, extent)| index * extent + coord)
}

/// Every coordinate of a shape, row-major.
pub fn coordinates(shape: &[i64]) -> impl Iterator<Item = Vec<i64>> {
    (0..shape.iter().product()).map(|index| digits(index, shape))
}

/// The swizzle by its definition in chunks.
pub fn swizzled(swizzle: Swizzle, m: i64) -> i64 {
    let chunk = 1 << swizzle.per_element;
    let (q, r) = (m / chunk, m % chunk);
    let k = (1 << swizzle.len) - 1;
    let a = swizzle.atom_len;
    let moved = if swizzle.inner { q ^ ((q & (k << a)) >> a) } else { q ^ ((q & k) << a) };
    moved * chunk + r
}

fn place(layout: &Layout, index: i64, copy: i64) -> Place {
    let extents = |iters: &[Iter]| iters.iter().map(|iter| iter.extent).collect::<Vec<_>>();
    let mut place = layout.offset.clone();
    for (iters, index) in [(&layout.shard, index), (&layout.replica, copy)] {
        for (iter, digit) in iters.iter().zip(digits(index, &extents(iters))) {
            *place.entry(iter.axis).or_default() += iter.stride * digit;
        }
    }
    if let Some(swizzle) = layout.swizzle {
        let m = place.entry(Axis::Memory).or_default();
        *m = swizzled(swizzle, *m);
    }
    place.retain(|_, position| *position != 0);
    place
}

/// The location of the first copy of element `index`.
pub fn first_place(layout: &Layout, index: i64) -> Place {
    place(layout, index, 0)
}

/// All locations of element `index`.
pub fn places(layout: &Layout, index: i64) -> BTreeSet<Place> {
    let copies = layout.replica.iter().map(|iter| iter.extent).product();
    (0..copies).map(|copy| place(layout, index, copy)).collect()
}

/// The locations of all elements: equal for layouts that are equal as functions.
pub fn function(layout: &Layout) -> Vec<BTreeSet<Place>> {
    let size = layout.shard.iter().map(|iter| iter.extent).product();
    (0..size).map(|index| places(layout, index)).collect()
}

fn iter(strides: std::ops::RangeInclusive<i64>, axes: &'static [Axis]) -> impl Strategy<Value = Iter> {
    let stride = prop_oneof![4 => strides, 2 => select(vec![1, 2, 4, 8, 16, 3, 6, 12]), 1 => Just(0)];
    let extent = prop_oneof![select(vec![1, 2, 4, 8]), 1i64..=6];
    (extent, stride, select(axes)).prop_map(|(extent, stride, axis)| Iter::new(extent, stride, axis))
}

/// The leading iters that have at most `limit` positions together.
fn at_most(limit: i64, mut iters: Vec<Iter>) -> Vec<Iter> {
    while iters.iter().map(|iter| iter.extent).product::<i64>() > limit {
        iters.pop();
    }
    iters
}

/// Valid layouts of at most a few hundred elements, on some axes. Strides may be negative.
pub fn layout_on(axes: &'static [Axis]) -> impl Strategy<Value = Layout> {
    let shard = prop::collection::vec(iter(-9..=40, axes), 0..=4);
    let replica = prop::collection::vec(iter(-5..=20, axes), 0..=2);
    let offset = prop::collection::btree_map(select(axes), 0i64..=9, 0..=2);
    (shard, replica, offset).prop_map(|(shard, replica, offset)| {
        let (shard, replica) = (at_most(256, shard), at_most(12, replica));
        let mut layout = Layout { shard, replica, offset, swizzle: None };
        for iter in layout.shard.iter().chain(&layout.replica).filter(|iter| iter.stride < 0) {
            *layout.offset.entry(iter.axis).or_default() -= (iter.extent - 1) * iter.stride;
        }
        layout
    })
}

/// Axes that form a chain.
pub const CHAIN: &[Axis] = &[Axis::Memory, Axis::LaneId, Axis::WidInWg];

/// Memory alone.
pub const MEMORY: &[Axis] = &[Axis::Memory];

/// Well-formed swizzles of up to 10 bits.
pub fn swizzle() -> impl Strategy<Value = Swizzle> {
    (0u32..=3, 0u32..=3, 0u32..=1, any::<bool>()).prop_map(|(per_element, len, more, inner)| Swizzle {
        per_element,
        len,
        atom_len: len + more,
        inner,
    })
}

/// Valid layouts: on several axes, or on memory with a swizzle.
pub fn layout() -> impl Strategy<Value = Layout> {
    let swizzled = (layout_on(MEMORY), swizzle()).prop_map(|(layout, swizzle)| layout.with_swizzle(swizzle));
    prop_oneof![2 => layout_on(CHAIN), 1 => layout_on(MEMORY), 1 => swizzled]
}

/// Any shape with a given number of elements.
pub fn shape_of(size: i64) -> impl Strategy<Value = Vec<i64>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..=4).prop_map(move |choices| {
        let mut left = size;
        let mut shape = Vec::new();
        for choice in choices {
            let divisors: Vec<i64> = (1..=left).filter(|divisor| left % divisor == 0).collect();
            let extent = *choice.get(&divisors);
            shape.push(extent);
            left /= extent;
        }
        if left > 1 || shape.is_empty() {
            shape.push(left);
        }
        shape
    })
}

/// Numbers, some of which break unchecked arithmetic.
pub fn wild() -> impl Strategy<Value = i64> {
    prop_oneof![
        3 => select(vec![i64::MIN, i64::MIN + 1, -1, 0, 1, 2, 3, 1 << 31, 1 << 61, 1 << 62, i64::MAX - 1, i64::MAX]),
        2 => 1i64..=16,
        1 => any::<i64>(),
    ]
}

/// Layouts that need not be valid at all.
pub fn wild_layout() -> impl Strategy<Value = Layout> {
    let iter =
        || (wild(), wild(), select(&Axis::ALL)).prop_map(|(extent, stride, axis)| Iter::new(extent, stride, axis));
    let bits = || prop_oneof![0u32..=8, select(vec![31, 32, 61, 62, 63, 64, u32::MAX])];
    let swizzle = (bits(), bits(), bits(), any::<bool>()).prop_map(|(per_element, len, atom_len, inner)| Swizzle {
        per_element,
        len,
        atom_len,
        inner,
    });
    let shard = prop::collection::vec(iter(), 0..=4);
    let replica = prop::collection::vec(iter(), 0..=3);
    let offset = prop::collection::btree_map(select(&Axis::ALL), wild(), 0..=3);
    (shard, replica, offset, prop::option::weighted(0.3, swizzle))
        .prop_map(|(shard, replica, offset, swizzle)| Layout { shard, replica, offset, swizzle })
}
