//! Tilings, direct sums and packing against plain enumeration, and their inverses.

use std::collections::BTreeSet;

use crate::common::{
    CHAIN, MEMORY, Place, coordinates, function, join, layout_on, places, shape_of, swizzle, swizzled,
};
use proptest::prelude::*;
use tile_layout::{Axis, Fusion, Layout, LayoutError};

/// A small plain layout and a two-dimensional shape of its size, whose boundaries need not fit the iters.
fn operand(axes: &'static [Axis]) -> impl Strategy<Value = (Layout, Vec<i64>)> {
    let small = layout_on(axes).prop_filter("small", |layout| layout.size() <= 24);
    small.prop_flat_map(|layout| {
        let shape = shape_of(layout.size()).prop_map(|shape| {
            let first = shape.first().copied().unwrap_or(1);
            vec![first, shape.iter().skip(1).product()]
        });
        (Just(layout), shape)
    })
}

fn operands() -> impl Strategy<Value = ((Layout, Vec<i64>), (Layout, Vec<i64>))> {
    prop_oneof![(operand(CHAIN), operand(CHAIN)), (operand(MEMORY), operand(MEMORY))]
}

fn groupable(layout: &Layout, shape: &[i64]) -> bool {
    layout.canonicalize(Fusion::None).group(shape).is_ok()
}

/// `inner + scale * outer` for two sets of locations.
fn combined(outer: &BTreeSet<Place>, inner: &BTreeSet<Place>, scale: impl Fn(Axis) -> i64) -> BTreeSet<Place> {
    let add = |outer: &Place, inner: &Place| {
        let mut place = inner.clone();
        for (&axis, &position) in outer {
            *place.entry(axis).or_default() += scale(axis) * position;
        }
        place.retain(|_, position| *position != 0);
        place
    };
    outer.iter().flat_map(|outer| inner.iter().map(move |inner| add(outer, inner))).collect()
}

/// The product shape and, for each of its coordinates, the linear indices in the whole, the slow part and the fast part.
fn pairs(slow: &[i64], fast: &[i64]) -> (Vec<i64>, Vec<[i64; 3]>) {
    let shape: Vec<i64> = slow.iter().zip(fast).map(|(slow, fast)| slow * fast).collect();
    let indices = coordinates(&shape).map(|coords| {
        let outer: Vec<i64> = coords.iter().zip(fast).map(|(coord, fast)| coord / fast).collect();
        let inner: Vec<i64> = coords.iter().zip(fast).map(|(coord, fast)| coord % fast).collect();
        [join(&coords, &shape), join(&outer, slow), join(&inner, fast)]
    });
    (shape.clone(), indices.collect())
}

proptest! {
    #[test]
    fn a_tiling_scales_by_the_span(((inner, inner_shape), (outer, outer_shape)) in operands()) {
        let Ok(tiled) = inner.tile(&outer, &outer_shape, &inner_shape) else {
            prop_assert!(!groupable(&inner, &inner_shape) || !groupable(&outer, &outer_shape));
            return Ok(());
        };
        let (shape, indices) = pairs(&outer_shape, &inner_shape);
        for [whole, slow, fast] in indices {
            let expected = combined(&places(&outer, slow), &places(&inner, fast), |axis| inner.span(axis));
            prop_assert_eq!(places(&tiled, whole), expected);
        }
        let found = inner.is_tile_inner(&tiled, &shape, &inner_shape).unwrap();
        prop_assert_eq!(&inner.tile(&found, &outer_shape, &inner_shape).unwrap(), &tiled);
        prop_assert_eq!(function(&found), function(&outer));
        let found = outer.is_tile_outer(&tiled, &shape, &outer_shape).unwrap();
        prop_assert_eq!(&found.tile(&outer, &outer_shape, &inner_shape).unwrap(), &tiled);
        prop_assert_eq!(function(&found), function(&inner));
    }

    #[test]
    fn a_sum_adds(((left, left_shape), (right, right_shape)) in operands(), swizzle in prop::option::of(swizzle())) {
        let memory_only = right.axes().chain(left.axes()).all(|axis| axis == Axis::Memory);
        let swizzle = swizzle.filter(|_| memory_only);
        let right = Layout { swizzle, ..right };
        let Ok(whole) = left.direct_sum(&right, &left_shape, &right_shape) else {
            prop_assert!(!groupable(&left, &left_shape) || !groupable(&right, &right_shape));
            return Ok(());
        };
        let (shape, indices) = pairs(&left_shape, &right_shape);
        let plain = Layout { swizzle: None, ..right.clone() };
        for [sum, slow, fast] in indices {
            let addresses = combined(&places(&left, slow), &places(&plain, fast), |_| 1);
            let expected: BTreeSet<Place> = addresses.into_iter().map(|mut place| {
                if let (Some(swizzle), Some(m)) = (swizzle, place.get_mut(&Axis::Memory)) {
                    *m = swizzled(swizzle, *m);
                }
                place
            }).collect();
            prop_assert_eq!(places(&whole, sum), expected);
        }
        let found = left.is_direct_sum_left(&whole, &shape, &left_shape).unwrap();
        prop_assert_eq!(function(&found), function(&right));
        let found = right.is_direct_sum_right(&whole, &shape, &right_shape).unwrap();
        prop_assert_eq!(function(&found), function(&left));
    }

    #[test]
    fn an_inverse_never_lies(((part, part_shape), (other, other_shape)) in operands(), whole in layout_on(CHAIN)) {
        // A layout that may or may not be the product: one with the right size, cut at random.
        let shape: Vec<i64> = part_shape.iter().zip(&other_shape).map(|(a, b)| a * b).collect();
        let size = shape.iter().product::<i64>();
        let whole = if whole.size() == size { whole } else { Layout::row_major(&shape) };
        let _ = &other;
        if let Ok(found) = part.is_tile_inner(&whole, &shape, &part_shape) {
            prop_assert_eq!(function(&part.tile(&found, &other_shape, &part_shape).unwrap()), function(&whole));
        }
        if let Ok(found) = part.is_tile_outer(&whole, &shape, &part_shape) {
            prop_assert_eq!(function(&found.tile(&part, &part_shape, &other_shape).unwrap()), function(&whole));
        }
        if let Ok(found) = part.is_direct_sum_left(&whole, &shape, &part_shape) {
            prop_assert_eq!(function(&part.direct_sum(&found, &part_shape, &other_shape).unwrap()), function(&whole));
        }
        if let Ok(found) = part.is_direct_sum_right(&whole, &shape, &part_shape) {
            prop_assert_eq!(function(&found.direct_sum(&part, &other_shape, &part_shape).unwrap()), function(&whole));
        }
    }

    #[test]
    fn filling_is_tiling_row_major((inner, shape) in operand(MEMORY), repeats in (1i64..=3, 1i64..=3)) {
        if !groupable(&inner, &shape) {
            return Ok(());
        }
        let repeats = [repeats.0, repeats.1];
        let to = [shape[0] * repeats[0], shape[1] * repeats[1]];
        let filled = inner.tile_to(&to, &shape).unwrap();
        let (_, indices) = pairs(&repeats, &shape);
        for [whole, slow, fast] in indices {
            let moved: BTreeSet<i64> = places(&inner, fast).iter()
                .map(|place| place.get(&Axis::Memory).copied().unwrap_or(0) + slow * inner.span(Axis::Memory)).collect();
            let seen: BTreeSet<i64> = places(&filled, whole).iter()
                .map(|place| place.get(&Axis::Memory).copied().unwrap_or(0)).collect();
            prop_assert_eq!(seen, moved);
        }
    }

    #[test]
    fn unpacked_elements_are_neighbours(layout in crate::common::layout(), log in 0u32..=3) {
        let n = 1 << log;
        let unpacked = layout.unpack(n).unwrap();
        for index in 0..unpacked.size() {
            let expected: BTreeSet<Place> = places(&layout, index / n).into_iter().map(|mut place| {
                let m = place.get(&Axis::Memory).copied().unwrap_or(0) * n + index % n;
                place.insert(Axis::Memory, m);
                place.retain(|_, position| *position != 0);
                place
            }).collect();
            prop_assert_eq!(places(&unpacked, index), expected);
        }
        prop_assert_eq!(function(&unpacked.pack(n).unwrap()), function(&layout));
    }

    #[test]
    fn packed_elements_stand_for_neighbours(layout in crate::common::layout(), n in 1i64..=8) {
        let packed = match layout.pack(n) {
            Ok(packed) => packed,
            Err(LayoutError::NotPackable { .. } | LayoutError::BadFactor { .. }) => return Ok(()),
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        prop_assert_eq!(packed.size() * n, layout.size());
        prop_assert_eq!(function(&packed.unpack(n).unwrap()), function(&layout));
    }
}
