//! The layouts of views, against plain enumeration of locations.

use crate::common::{coordinates, first_place, function, join, layout, layout_on, shape_of};
use proptest::prelude::*;
use tile_layout::{Axis, Fusion, Layout, OPEN};

/// A layout and a shape with the same number of elements.
fn shaped() -> impl Strategy<Value = (Layout, Vec<i64>)> {
    layout().prop_flat_map(|layout| {
        let shape = shape_of(layout.size());
        (Just(layout), shape)
    })
}

/// Begin and size in each dimension.
fn region(shape: &[i64]) -> impl Strategy<Value = Vec<(i64, i64)>> + use<> {
    let dimension = |extent: i64| (0..extent).prop_flat_map(move |begin| (Just(begin), 1..=extent - begin));
    shape.iter().map(|&extent| dimension(extent)).collect::<Vec<_>>()
}

fn plain(layout: &Layout) -> Layout {
    Layout { swizzle: None, ..layout.clone() }
}

proptest! {
    #[test]
    fn a_part_has_the_places_of_its_elements(
        ((layout, shape), region) in shaped().prop_flat_map(|(layout, shape)| {
            let region = region(&shape);
            (Just((layout, shape)), region)
        })
    ) {
        let begins: Vec<Option<i64>> = region.iter().map(|&(begin, _)| Some(begin)).collect();
        let sizes: Vec<i64> = region.iter().map(|&(_, size)| size).collect();
        let Ok(part) = layout.part(&shape, &begins, &sizes) else { return Ok(()) };
        let (part, whole) = (plain(&part), plain(&layout));
        for (index, coords) in coordinates(&sizes).enumerate() {
            let in_whole: Vec<i64> = coords.iter().zip(&region).map(|(coord, (begin, _))| coord + begin).collect();
            prop_assert_eq!(first_place(&part, index as i64), first_place(&whole, join(&in_whole, &shape)));
        }
        // Relative to its start, the part is the same except for the offset.
        let moved = part.clone().from_begin(&layout);
        prop_assert_eq!(&moved.shard, &part.shard);
        prop_assert_eq!(&moved.offset, &layout.offset);
    }

    #[test]
    fn a_permuted_layout_has_its_elements_elsewhere(
        (layout, shape) in shaped(),
        seed in any::<u64>(),
    ) {
        let mut order: Vec<usize> = (0..shape.len()).collect();
        for index in (1..order.len()).rev() {
            order.swap(index, (seed >> (8 * (index % 8))) as usize % (index + 1));
        }
        let Ok(turned) = layout.transposed(&shape, &order) else { return Ok(()) };
        let extents: Vec<i64> = order.iter().map(|&from| shape[from]).collect();
        for (index, coords) in coordinates(&extents).enumerate() {
            let mut before = vec![0; shape.len()];
            order.iter().zip(&coords).for_each(|(&from, &coord)| before[from] = coord);
            prop_assert_eq!(first_place(&turned, index as i64), first_place(&layout, join(&before, &shape)));
        }
        let back: Vec<usize> = (0..order.len()).map(|to| order.iter().position(|&from| from == to).unwrap()).collect();
        let again = turned.transposed(&extents, &back).unwrap();
        prop_assert!(again.agreement(&shape, &layout, &shape).is_some_and(|agreement| agreement.is_exact()));
    }

    #[test]
    fn layouts_agree_exactly_where_their_places_are_the_same(
        (layout, shape) in shaped(),
        other in layout_on(crate::common::MEMORY),
    ) {
        let spelled = layout.canonicalize(Fusion::None);
        // The axis of an iter of stride 0 does not matter.
        prop_assume!(layout.shard.iter().all(|iter| iter.stride != 0));
        prop_assert!(layout.agreement(&shape, &spelled, &shape).is_some());
        if other.size() == layout.size() && other.shard.iter().all(|iter| iter.stride != 0) {
            // A swizzle of no bits moves nothing.
            let moves = |layout: &Layout| layout.swizzle.filter(|swizzle| swizzle.len > 0);
            let same = function(&layout) == function(&other) && moves(&layout) == moves(&other);
            let agree = layout.agreement(&shape, &other, &shape).is_some();
            prop_assert!(!agree || same, "{} and {}", layout, other);
        }
    }

    /// An open dimension behaves like a closed one of any extent, and a run-time stride like any number.
    #[test]
    fn open_layouts_are_their_closed_ones((rows, stride, begin) in (1i64..6, 1i64..20, 0i64..5)) {
        let open: Layout = "(7, 4, 2) : (1@s0, 2, 1)".parse().unwrap();
        let mut open = open;
        open.shard[0].extent = OPEN;
        let part = open.part(&[OPEN, 8], &[Some(begin), Some(2)], &[rows, 4]).unwrap();
        let known = part.with_stride(Axis::S0, stride).unwrap();
        for (index, coords) in coordinates(&[rows, 4]).enumerate() {
            let address = (coords[0] + begin) * stride + coords[1] + 2;
            prop_assert_eq!(first_place(&known, index as i64).get(&Axis::Memory).copied().unwrap_or(0), address);
        }
        let agreement = open.agreement(&[OPEN, 8], &"(3, 8) : (48, 1)".parse().unwrap(), &[3, 8]).unwrap();
        prop_assert_eq!(agreement.stated.get(&Axis::S0), Some(&48));
    }
}
