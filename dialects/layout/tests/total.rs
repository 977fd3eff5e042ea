//! Every operation answers every input: with a value or a reason, never a panic.

use crate::common::{wild, wild_layout};
use proptest::prelude::*;
use tile_layout::{Axis, Fusion, Iter, Layout, LayoutError, Range, Swizzle};

fn wild_shape() -> impl Strategy<Value = Vec<i64>> {
    prop::collection::vec(wild(), 0..=3)
}

/// A shape that often fits the layout.
fn some_shape(layout: &Layout, other: &[i64], fitting: bool) -> Vec<i64> {
    if fitting { layout.shard.iter().map(|iter| iter.extent).collect() } else { other.to_vec() }
}

#[test]
fn the_least_extent_under_a_swizzle_has_a_span() {
    for extent in [i64::MIN, -1, 0] {
        let swizzle = Swizzle { per_element: 0, len: 1, atom_len: 1, inner: true };
        let layout = Layout { swizzle: Some(swizzle), ..Layout::new([Iter::memory(extent, -1)]) };
        assert!(layout.validate().is_err());
        let _ = layout.memory_span();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn questions(layout in wild_layout(), number in wild(), shape in wild_shape(), coords in wild_shape()) {
        let valid = layout.validate();
        prop_assert!(valid.as_ref().err().is_none_or(|error| !error.to_string().is_empty()));
        let _ = (layout.size(), layout.memory_span(), layout.scopes(), layout.to_string());
        for axis in Axis::ALL {
            let _ = layout.span(axis);
        }
        let _ = (layout.apply_linear(number), layout.apply(&coords, &shape));
        let _ = (layout.storage(), layout.canonicalize(Fusion::None), layout.canonicalize(Fusion::Cuda));
        let _ = (Layout::row_major(&shape), layout.swizzle.map(|s| (s.apply(number), s.period(), s.chunk())));
    }

    #[test]
    fn operations(
        layout in wild_layout(),
        other in wild_shape(),
        fitting in any::<bool>(),
        (begin, extent) in (wild(), wild()),
    ) {
        let shape = some_shape(&layout, &other, fitting);
        let region: Vec<Range> = shape.iter().map(|_| Range::new(begin, extent)).collect();
        let _ = (layout.group(&shape), layout.slice(&shape, &region));
        let _ = (layout.pack(extent), layout.unpack(extent));
    }

    /// An operation on a valid layout gives a valid layout, except that a part may lack levels of the hierarchy.
    #[test]
    fn results_are_layouts(layout in huge_layout(), begin in 0i64..2, extent in 1i64..3, n in 1i64..4) {
        let shape: Vec<i64> = layout.shard.iter().map(|iter| iter.extent).collect();
        let region: Vec<Range> = shape.iter().map(|_| Range::new(begin, extent)).collect();
        let results = [
            Ok(layout.canonicalize(Fusion::None)),
            Ok(layout.canonicalize(Fusion::Cuda)),
            layout.group(&shape).map(|(layout, _)| layout),
            layout.slice(&shape, &region),
            layout.pack(n),
            layout.unpack(n),
        ];
        for result in results.into_iter().flatten() {
            let scopes_only = matches!(
                result.validate(),
                Ok(()) | Err(LayoutError::DisconnectedScopes { .. } | LayoutError::ConflictingScopes { .. })
            );
            prop_assert!(scopes_only, "{} from {}", result, layout);
        }
    }
}

/// Valid layouts near the limit of 62 bits.
fn huge_layout() -> impl Strategy<Value = Layout> {
    let stride = || prop::sample::select(vec![0i64, 1, 2, 3, 1 << 58, 1 << 60, (1 << 60) + 1, (1 << 61) - 1]);
    let axis = || prop::sample::select(vec![Axis::Memory, Axis::LaneId, Axis::WidInWg]);
    let iter = move || (1i64..=3, stride(), axis()).prop_map(|(extent, stride, axis)| Iter::new(extent, stride, axis));
    let (shard, replica) = (prop::collection::vec(iter(), 0..=3), prop::collection::vec(iter(), 0..=1));
    let offset = prop::collection::btree_map(axis(), stride(), 0..=1);
    let layout =
        (shard, replica, offset).prop_map(|(shard, replica, offset)| Layout { shard, replica, offset, swizzle: None });
    layout.prop_filter("valid", |layout| layout.validate().is_ok())
}

#[test]
fn malformed_layouts_are_named() {
    let refusal = |text: &str| Layout::parse(text).unwrap().validate().unwrap_err().to_string();
    for (text, message) in [
        ("(4, 0) : (1, 1)", "iter 1 has extent 0; extents are at least 1"),
        ("(4611686018427387904) : (1)", "got size 4611686018427387904, expected less than 2^62 = 4611686018427387904"),
        (
            "(2) : (4611686018427387904)",
            "got address 4611686018427387904, expected less than 2^62 = 4611686018427387904",
        ),
        ("(4) : (-1) + 2", "the layout reaches address -1 on axis 'm'; addresses start at 0"),
        ("(4) : (-1@laneid)", "the layout reaches address -3 on axis 'laneid'; addresses start at 0"),
        (
            "(8) : (1), swizzle<base = 3, bits = 4, shift = 3>",
            "swizzle<base = 3, bits = 4, shift = 3> is malformed: got a shift of 3, expected at least the 4 bits that change, and all three together below 62",
        ),
        (
            "(8) : (1) + 0@laneid, swizzle<base = 3, bits = 3, shift = 3>",
            "a swizzled layout has the memory axis only, but this one uses 'laneid'",
        ),
        (
            "(2, 32) : (1@wgid, 1@laneid)",
            "disconnected scope chain: 'laneid' counts up to a warp, but 'wgid' starts at a warpgroup",
        ),
    ] {
        assert_eq!(refusal(text), message);
    }
}
