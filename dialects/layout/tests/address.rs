//! Locations, sizes and spans against plain enumeration.

use std::collections::BTreeSet;

use crate::common::{coordinates, first_place, join, layout, places, shape_of, swizzle, swizzled};
use proptest::prelude::*;
use tile_layout::{Axis, Iter, Layout, Location};

/// The location without the axes at position 0.
fn nonzero(mut location: Location<i64>) -> crate::common::Place {
    location.retain(|_, position| *position != 0);
    location
}

fn layout_and_shape() -> impl Strategy<Value = (Layout, Vec<i64>)> {
    layout().prop_flat_map(|layout| {
        let size = layout.size();
        (Just(layout), shape_of(size))
    })
}

proptest! {
    #[test]
    fn every_way_to_ask_gives_the_place((layout, shape) in layout_and_shape()) {
        prop_assert_eq!(layout.validate(), Ok(()));
        for coords in coordinates(&shape) {
            let index = join(&coords, &shape);
            let expected = first_place(&layout, index);
            prop_assert_eq!(nonzero(layout.apply(&coords, &shape).unwrap()), expected.clone());
            prop_assert_eq!(nonzero(layout.apply_linear(index)), expected);
        }
    }

    #[test]
    fn every_named_axis_has_a_value(layout in layout()) {
        let axes: Vec<Axis> = layout.apply_linear(0).into_keys().collect();
        let mut named: BTreeSet<Axis> = layout.axes().collect();
        named.extend(layout.swizzle.map(|_| Axis::Memory));
        prop_assert_eq!(axes, named.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn spans_end_at_the_last_place(layout in layout()) {
        let size = layout.size();
        let plain = Layout { swizzle: None, ..layout.clone() };
        let last = |layout: &Layout, axis: Axis| {
            let places = (0..size).flat_map(|index| places(layout, index));
            places.map(|place| place.get(&axis).copied().unwrap_or(0)).max().unwrap_or(0)
        };
        for axis in Axis::ALL {
            prop_assert_eq!(layout.span(axis), last(&plain, axis) + 1);
        }
        prop_assert_eq!(layout.memory_span(), last(&layout, Axis::Memory) + 1);
    }

    #[test]
    fn a_swizzle_permutes_its_period(swizzle in swizzle(), period in 0i64..3) {
        let start = period * swizzle.period();
        let mut seen: Vec<i64> = (start..start + swizzle.period()).map(|m| swizzle.apply(m)).collect();
        for (m, &place) in (start..).zip(&seen) {
            prop_assert_eq!(place, swizzled(swizzle, m));
            prop_assert_eq!(place % swizzle.chunk(), m % swizzle.chunk());
            prop_assert!(place == m || m >= swizzle.identity_below());
        }
        seen.sort_unstable();
        prop_assert!(seen.into_iter().eq(start..start + swizzle.period()));
    }
}

/// Rows of 16 in steps of 32: the last block of 32 holds one row, which stays where it is.
#[test]
fn a_swizzled_span_ends_at_the_last_place() {
    let span = |text: &str| Layout::parse(text).unwrap().memory_span();
    assert_eq!(span("(10, 16) : (32, 1), swizzle<base = 3, bits = 2, shift = 3>"), 304);
    assert_eq!(span("(10, 24) : (64, 1), swizzle<base = 3, bits = 2, shift = 3>"), 608);
    assert_eq!(span("(2, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>"), 128);
    assert_eq!(span("(2, 8) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>"), 80);
    assert_eq!(span("(2, 8) : (64, 1) + R(2 : 64), swizzle<base = 3, bits = 3, shift = 3>"), 152);
    assert_eq!(
        span("(4, 2) : (4611686018427387, 1), swizzle<base = 20, bits = 3, shift = 3>"),
        4611686018427387 * 3 / (1 << 23) * (1 << 23) + (1 << 23)
    );
    // No valid layout reaches the last of all addresses, but the layout may not have been validated yet.
    let swizzle = Layout::parse("(2) : (1), swizzle<base = 0, bits = 1, shift = 1>").unwrap().swizzle;
    let wild = Layout { swizzle, ..Layout::new([Iter::memory(1 << 61, 6)]) };
    assert_eq!(wild.memory_span(), i64::MAX);
}
