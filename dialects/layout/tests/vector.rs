//! The vector-width proof against every group of every layout.

use crate::common::{MEMORY, layout_on, swizzle, swizzled, wild, wild_layout};
use proptest::prelude::*;
use tile_layout::vector::{ResidueTerm, VectorAccess, VectorObstacle, check_width, max_vector};
use tile_layout::{Iter, Layout, Swizzle};

/// The addresses of all elements in bytes, for one choice of the unknowns.
fn addresses(access: &VectorAccess<'_>, values: &[i64], base: i64) -> Vec<i64> {
    let layout = Layout::new(access.iters);
    let dynamic: i64 = access.dynamic.iter().zip(values).map(|(term, value)| term.stride * value).sum();
    (0..layout.size())
        .map(|index| {
            let extents: Vec<i64> = access.iters.iter().map(|iter| iter.extent).collect();
            let digits = crate::common::digits(index, &extents);
            let moved: i64 = access.iters.iter().zip(digits).map(|(iter, digit)| iter.stride * digit).sum();
            let m = access.offset + dynamic + moved;
            base + access.element_bytes * access.swizzle.map_or(m, |swizzle| swizzled(swizzle, m))
        })
        .collect()
}

/// Whether the group of `width` elements from `start` on is contiguous and aligned.
fn group_is_whole(addresses: &[i64], start: usize, width: usize, element: i64) -> bool {
    let Some(group) = addresses.get(start..start + width) else { return false };
    group[0] % (width as i64 * element) == 0 && group.windows(2).all(|pair| pair[1] - pair[0] == element)
}

fn all_groups_are_whole(addresses: &[i64], width: usize, element: i64) -> bool {
    (0..addresses.len()).step_by(width).all(|start| group_is_whole(addresses, start, width, element))
}

/// Tries some values of each unknown, and some bases: enough to reach every remainder modulo 16 and modulo the swizzle's
/// period.
fn legal(access: &VectorAccess<'_>, width: i64) -> bool {
    let values = access.swizzle.map_or(16, |swizzle| swizzle.period().max(16));
    let choices = |term: &ResidueTerm| (0..values).map(|k| term.residue + term.divisor * k).collect::<Vec<_>>();
    let mut values = vec![vec![]];
    for term in access.dynamic {
        values = values
            .iter()
            .flat_map(|chosen| choices(term).into_iter().map(move |value| [&chosen[..], &[value]].concat()))
            .collect();
    }
    values.iter().all(|values| {
        (0..16).all(|k| {
            let addresses = addresses(access, values, k * access.base_alignment);
            all_groups_are_whole(&addresses, width as usize, access.element_bytes)
        })
    })
}

/// A blocker's example must be a group that really is torn or misaligned.
fn check_example(access: &VectorAccess<'_>, width: i64) -> Result<(), TestCaseError> {
    let blocker = *check_width(access, width).unwrap_err();
    let example = blocker.example.clone().expect("small layouts have an example");
    let addresses = addresses(access, &example.dynamic, example.base);
    let start = example.linear as usize;
    prop_assert_eq!(start % width as usize, 0);
    prop_assert_eq!(addresses[start], example.base + access.element_bytes * example.address);
    prop_assert!(!group_is_whole(&addresses, start, width as usize, access.element_bytes), "{}", blocker);
    Ok(())
}

fn terms() -> impl Strategy<Value = Vec<ResidueTerm>> {
    let term = (prop_oneof![Just(1i64), Just(8), 0i64..=12], prop_oneof![Just(0i64), Just(8), 1i64..=6], 0i64..=8);
    let term = term.prop_map(|(stride, divisor, residue)| ResidueTerm { stride, divisor, residue });
    prop_oneof![2 => Just(vec![]), 1 => prop::collection::vec(term, 1..=1)]
}

/// Swizzles of a period of up to 64, so that 64 values of an unknown reach every remainder.
fn short_swizzle() -> impl Strategy<Value = Swizzle> {
    let made = |(per_element, len, more, inner)| Swizzle { per_element, len, atom_len: len + more, inner };
    (0u32..=2, 0u32..=2, 0u32..=1, any::<bool>()).prop_map(made).prop_filter("period", |swizzle| swizzle.period() <= 64)
}

/// Rows of a few elements: the layouts that allow vectors.
fn rows() -> impl Strategy<Value = Vec<Iter>> {
    let stride = || prop_oneof![(0i64..=6).prop_map(|k| 4 * k), 0i64..=20];
    let row = prop_oneof![Just(1i64), Just(2), Just(4), Just(8), Just(16), 1i64..=12];
    (prop::collection::vec((1i64..=4, stride()), 0..=2), row).prop_map(|(outer, row)| {
        let mut iters: Vec<Iter> = outer.into_iter().map(|(extent, stride)| Iter::memory(extent, stride)).collect();
        iters.push(Iter::memory(row, 1));
        iters
    })
}

fn any_iters() -> impl Strategy<Value = (Vec<Iter>, i64)> {
    let rows = (rows(), prop_oneof![Just(0i64), (0i64..=3).prop_map(|k| 4 * k), 0i64..=9]);
    let others = layout_on(MEMORY).prop_map(|layout| (layout.shard.clone(), layout.span(MEMORY[0])));
    prop_oneof![3 => rows, 1 => others]
}

proptest! {
    #[test]
    fn legal_exactly_when_every_group_is(
        (iters, offset) in any_iters(),
        dynamic in terms(),
        element_bytes in prop::sample::select(vec![1i64, 2, 4, 3]),
        alignment in 0u32..=4,
        width in 2i64..=9,
    ) {
        let base_alignment = element_bytes << alignment;
        let access = VectorAccess { iters: &iters, offset, dynamic: &dynamic, swizzle: None, element_bytes, base_alignment };
        prop_assert_eq!(check_width(&access, width).is_ok(), legal(&access, width));
        if check_width(&access, width).is_err() {
            check_example(&access, width)?;
        }
    }

    #[test]
    fn legal_exactly_under_a_swizzle(
        (iters, offset) in any_iters(),
        swizzle in swizzle(),
        log in 1u32..=4,
    ) {
        let access = VectorAccess { swizzle: Some(swizzle), ..VectorAccess::new(&iters, offset, 1, 16) };
        let width = 1 << log;
        prop_assert_eq!(check_width(&access, width).is_ok(), legal(&access, width));
        if check_width(&access, width).is_err() {
            check_example(&access, width)?;
        }
    }

    #[test]
    fn legal_exactly_under_a_moving_swizzle(
        iters in rows(),
        dynamic in terms(),
        swizzle in short_swizzle(),
        log in 1u32..=4,
    ) {
        let access = VectorAccess { dynamic: &dynamic, swizzle: Some(swizzle), ..VectorAccess::new(&iters, 0, 2, 64) };
        let width = 1 << log;
        prop_assert_eq!(check_width(&access, width).is_ok(), legal(&access, width));
        if check_width(&access, width).is_err() {
            check_example(&access, width)?;
        }
    }

    #[test]
    fn many_rows_are_as_exact_as_few(
        (rows, pitch, columns) in (1i64..=1 << 40, (0i64..=16).prop_map(|k| 4 * k), prop::sample::select(vec![4i64, 8, 16])),
        swizzle in short_swizzle(),
        log in 1u32..=4,
    ) {
        let access = |rows: &[Iter]| check_width(&VectorAccess { swizzle: Some(swizzle), ..VectorAccess::new(rows, 0, 1, 16) }, 1 << log).is_ok();
        // The period is 64 at most.
        let few = [Iter::memory(rows.min(64), pitch), Iter::memory(columns, 1)];
        let many = [Iter::memory(rows, pitch), Iter::memory(columns, 1)];
        let joined = pitch == columns && rows > 64;
        prop_assert!(joined || access(&many) == access(&few), "{few:?} {many:?}");
    }

    #[test]
    fn the_widest_is_the_last_legal_one((iters, offset) in any_iters(), swizzle in prop::option::of(swizzle())) {
        let access = VectorAccess { swizzle, ..VectorAccess::new(&iters, offset, 1, 16) };
        let widest = (0..=4).map(|log| 1 << log).take_while(|&width| width == 1 || legal(&access, width)).last();
        let proof = max_vector(&access, 16);
        prop_assert_eq!(Some(proof.width), widest);
        prop_assert_eq!(proof.blocker.map(|blocker| blocker.width), (proof.width < 16).then_some(proof.width * 2));
    }

    #[test]
    fn has_an_answer_to_everything(
        layout in wild_layout(),
        term in (wild(), wild(), wild()),
        (offset, element_bytes, base_alignment, width) in (wild(), wild(), wild(), wild()),
    ) {
        let dynamic = [ResidueTerm { stride: term.0, divisor: term.1, residue: term.2 }];
        let iters = &layout.shard;
        let access = VectorAccess { iters, offset, dynamic: &dynamic, swizzle: layout.swizzle, element_bytes, base_alignment };
        let blocker = check_width(&access, width).err();
        prop_assert!(width > 1 || blocker.is_none());
        prop_assert!(blocker.is_none_or(|blocker| !blocker.to_string().is_empty()));
        let _ = max_vector(&access, width);
    }
}

/// The widest vector of 16-byte-aligned rows of `columns` elements that are `pitch` apart, from `offset` on.
fn width(columns: i64, pitch: i64, offset: i64, bytes: i64) -> i64 {
    let iters = [Iter::memory(32, pitch), Iter::memory(columns, 1)];
    max_vector(&VectorAccess::new(&iters, offset, bytes, 16), 16 / bytes).width
}

#[test]
fn start_column_and_padding() {
    let by_column = |bytes| [0, 1, 2, 4, 6, 8, 16].map(|column| width(64, 96, column, bytes));
    assert_eq!(by_column(1), [16, 1, 2, 4, 2, 8, 16]);
    assert_eq!(by_column(2), [8, 1, 2, 4, 2, 8, 8]);
    assert_eq!(by_column(4), [4, 1, 2, 4, 2, 4, 4]);
    assert_eq!(by_column(8), [2, 1, 2, 2, 2, 2, 2]);
    let by_padding = |bytes| [0, 1, 2, 4, 8, 12].map(|padding| width(64, 64 + padding, 0, bytes));
    assert_eq!(by_padding(2), [8, 1, 2, 4, 8, 4]);
    assert_eq!(by_padding(4), [4, 1, 2, 4, 4, 4]);
}

#[test]
fn swizzle_chunks() {
    let iters = [Iter::memory(32, 64), Iter::memory(64, 1)];
    let width = |per_element, len, bytes| {
        let swizzle = Swizzle::new(per_element, len, 3, true).unwrap();
        let access = VectorAccess { swizzle: Some(swizzle), ..VectorAccess::new(&iters, 0, bytes, 16) };
        max_vector(&access, 16 / bytes)
    };
    assert_eq!([0, 1, 2, 3, 4].map(|per_element| width(per_element, 3, 2).width), [1, 2, 4, 8, 8]);
    assert_eq!(width(4, 3, 1).width, 16);
    assert_eq!(width(0, 0, 2).width, 8, "a swizzle of no bits moves nothing");
    let blocker = width(2, 3, 2).blocker.unwrap();
    assert!(matches!(blocker.cause, VectorObstacle::Swizzle(_)));
    assert_eq!((blocker.needed, blocker.proven), (8, 4));
    assert_eq!(
        blocker.to_string(),
        "8 elements at a time: swizzle<base = 2, bits = 3, shift = 3> keeps 4 elements together, not 8; element 32 at (32) is at address 36"
    );
}

#[test]
fn dynamic_starts() {
    let iters = [Iter::memory(32, 64), Iter::memory(64, 1)];
    let width = |stride, divisor| {
        let dynamic = [ResidueTerm { stride, divisor, residue: 0 }];
        max_vector(&VectorAccess { dynamic: &dynamic, ..VectorAccess::new(&iters, 0, 2, 16) }, 8).width
    };
    assert_eq!([(64, 1), (1, 1), (1, 8), (1, 2)].map(|(stride, divisor)| width(stride, divisor)), [8, 1, 8, 2]);
}

#[test]
fn a_swizzle_that_moves_nothing_here_may_elsewhere() {
    let iters = [Iter::memory(4, 1)];
    let still = VectorAccess { swizzle: Swizzle::new(0, 3, 3, true).ok(), ..VectorAccess::new(&iters, 0, 4, 16) };
    assert_eq!(max_vector(&still, 4).width, 4);
    assert_eq!(max_vector(&VectorAccess { offset: 8, ..still }, 4).width, 1);
    assert_eq!(max_vector(&VectorAccess { offset: -4, ..still }, 4).width, 1);
    let dynamic = [ResidueTerm { stride: 8, divisor: 1, residue: 0 }];
    let blocker = max_vector(&VectorAccess { dynamic: &dynamic, ..still }, 4).blocker.unwrap();
    assert_eq!(
        blocker.to_string(),
        "2 elements at a time: swizzle<base = 0, bits = 3, shift = 3> keeps 1 element together, not 2; element 0 at (0) with n = 1 is at address 9"
    );
}
