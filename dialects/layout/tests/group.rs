//! Grouping and slicing against plain enumeration.

use crate::common::{Place, coordinates, digits, first_place, function, join, layout, places, shape_of};
use proptest::prelude::*;
use tile_layout::{Axis, Fusion, Iter, Layout, LayoutError, Range};

fn extent(iters: &[Iter]) -> i64 {
    iters.iter().map(|iter| iter.extent).product()
}

/// Whether the boundaries of the shape divide those of the iters, and vice versa. Only then can the layout be cut there.
fn boundaries_agree(layout: &Layout, shape: &[i64]) -> bool {
    let inside = |extents: Vec<i64>| {
        let mut product = 1;
        extents.into_iter().rev().map(move |extent| (product *= extent, product).1).collect::<Vec<i64>>()
    };
    let iters = inside(layout.shard.iter().map(|iter| iter.extent).collect());
    let shape = inside(shape.to_vec());
    shape.iter().all(|a| iters.iter().all(|b| a % b == 0 || b % a == 0))
}

/// The locations of a region's elements along one dimension, from its first element on, before the swizzle.
fn along(layout: &Layout, shape: &[i64], region: &[Range], dim: usize) -> Vec<Place> {
    let plain = Layout { swizzle: None, ..layout.clone() };
    let place = |position: i64| {
        let mut coords: Vec<i64> = region.iter().map(|range| range.begin).collect();
        coords[dim] += position;
        first_place(&plain, join(&coords, shape))
    };
    (0..region[dim].extent).map(place).collect()
}

/// Whether a list of iters visits the locations: tries every factorization of their number; the locations at the digits'
/// units give the strides.
fn is_a_list_of_iters(places: &[Place]) -> bool {
    let at = |place: &Place, axis: Axis| place.get(&axis).copied().unwrap_or(0);
    let step = |index: usize| Axis::ALL.map(|axis| at(&places[index], axis) - at(&places[0], axis));
    factorizations(places.len()).into_iter().any(|extents| {
        let units: Vec<usize> = (1..=extents.len()).map(|digit| extents[digit..].iter().product()).collect();
        let along_one_axis = units.iter().all(|&unit| step(unit).iter().filter(|step| **step != 0).count() <= 1);
        let sums = |index: usize| {
            let digits = extents.iter().zip(&units).map(|(extent, unit)| ((index / unit % extent) as i64, step(*unit)));
            digits.fold([0; Axis::ALL.len()], |sum, (digit, step)| std::array::from_fn(|a| sum[a] + digit * step[a]))
        };
        along_one_axis && (0..places.len()).all(|index| sums(index) == step(index))
    })
}

/// Every list of numbers above 1 with the given product.
fn factorizations(product: usize) -> Vec<Vec<usize>> {
    if product == 1 {
        return vec![vec![]];
    }
    let first = (2..=product).filter(|factor| product.is_multiple_of(*factor));
    first
        .flat_map(|factor| {
            let rest = factorizations(product / factor);
            rest.into_iter().map(move |rest| [vec![factor], rest].concat())
        })
        .collect()
}

fn with_shapes(count: usize) -> impl Strategy<Value = (Layout, Vec<Vec<i64>>)> {
    layout().prop_flat_map(move |layout| {
        let size = layout.size();
        (Just(layout), prop::collection::vec(shape_of(size), count))
    })
}

fn with_region() -> impl Strategy<Value = (Layout, Vec<i64>, Vec<Range>)> {
    let ends = prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 5);
    (with_shapes(1), ends).prop_map(|((layout, shapes), ends)| {
        let shape = shapes.into_iter().next().unwrap_or_default();
        let region = shape.iter().zip(ends).map(|(&extent, (begin, len))| {
            let begin = begin.index(extent as usize) as i64;
            Range::new(begin, 1 + len.index((extent - begin) as usize) as i64)
        });
        (layout, shape.clone(), region.collect())
    })
}

proptest! {
    #[test]
    fn groups_keep_the_function((layout, shapes) in with_shapes(1)) {
        let shape = &shapes[0];
        let grouped = layout.group(shape);
        prop_assert_eq!(grouped.is_ok(), boundaries_agree(&layout, shape));
        let Ok((grouped, seps)) = grouped else { return Ok(()) };
        prop_assert_eq!(function(&grouped), function(&layout));
        let blocks: Vec<i64> = seps.windows(2).map(|ends| extent(&grouped.shard[ends[0]..ends[1]])).collect();
        prop_assert_eq!(&blocks, shape);
        prop_assert!(seps.windows(2).all(|ends| ends[0] < ends[1]));
        prop_assert_eq!((seps[0], seps[shape.len()]), (0, grouped.shard.len()));
    }

    #[test]
    fn a_slice_is_the_restriction((layout, shape, region) in with_region()) {
        let sliced = match layout.slice(&shape, &region) {
            Ok(sliced) => sliced,
            Err(LayoutError::NotGroupable { .. }) => return Ok(()),
            Err(LayoutError::NotSliceable { dim, .. }) => {
                prop_assert!(!is_a_list_of_iters(&along(&layout, &shape, &region, dim)));
                return Ok(());
            }
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        let extents: Vec<i64> = region.iter().map(|range| range.extent).collect();
        prop_assert_eq!(sliced.size(), extents.iter().product::<i64>());
        for coords in coordinates(&extents) {
            let original: Vec<i64> = coords.iter().zip(&region).map(|(coord, range)| coord + range.begin).collect();
            let (here, there) = (join(&coords, &extents), join(&original, &shape));
            prop_assert_eq!(first_place(&sliced, here), first_place(&layout, there));
            prop_assert_eq!(places(&sliced, here), places(&layout, there));
        }
        prop_assert!(sliced.group(&extents).is_ok());
    }

    #[test]
    fn a_whole_region_or_one_element_is_always_sliced((layout, shapes) in with_shapes(1), at in any::<prop::sample::Index>()) {
        let shape = &shapes[0];
        if layout.canonicalize(Fusion::None).group(shape).is_err() {
            return Ok(());
        }
        let whole: Vec<Range> = shape.iter().map(|&extent| Range::new(0, extent)).collect();
        prop_assert_eq!(function(&layout.slice(shape, &whole).unwrap()), function(&layout));
        let one: Vec<Range> = digits(at.index(layout.size() as usize) as i64, shape).into_iter()
            .map(|begin| Range::new(begin, 1)).collect();
        prop_assert!(layout.slice(shape, &one).is_ok());
    }
}
