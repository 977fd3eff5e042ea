//! Canonical forms and small derived layouts against plain enumeration.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{CHAIN, first_place, function, layout, layout_on, places};
use proptest::prelude::*;
use tile_layout::{Axis, Fusion, Layout};

/// A location with its threads counted in the CTA.
fn in_cta(place: &crate::common::Place) -> crate::common::Place {
    let mut fused = BTreeMap::new();
    for (&axis, &position) in place {
        let (axis, factor) = match axis {
            Axis::LaneId | Axis::TidInWg => (Axis::Tx, 1),
            Axis::WidInWg | Axis::WarpId => (Axis::Tx, 32),
            Axis::WgId => (Axis::Tx, 128),
            other => (other, 1),
        };
        *fused.entry(axis).or_default() += position * factor;
    }
    fused.retain(|_, position| *position != 0);
    fused
}

proptest! {
    #[test]
    fn keeps_the_function(layout in layout()) {
        let canonical = layout.canonicalize(Fusion::None);
        prop_assert_eq!(function(&canonical), function(&layout));
        for index in 0..layout.size() {
            prop_assert_eq!(first_place(&canonical, index), first_place(&layout, index));
        }
    }

    #[test]
    fn twice_is_once(layout in layout(), fusion in prop::sample::select(vec![Fusion::None, Fusion::Cuda])) {
        let canonical = layout.canonicalize(fusion);
        prop_assert_eq!(canonical.canonicalize(fusion), canonical.clone());
        prop_assert!(canonical.shard.len() <= layout.shard.len().max(1));
    }

    #[test]
    fn equal_functions_have_equal_shards(a in layout_on(crate::common::MEMORY), cut in prop::collection::vec(1i64..=4, 0..=3)) {
        let shape: Vec<i64> = a.canonicalize(Fusion::None).shard.iter().map(|iter| iter.extent).chain(cut).collect();
        let divisors: Vec<i64> = shape.iter().flat_map(|extent| (1..=*extent).find(|d| *d > 1 && extent % d == 0)
            .map_or(vec![*extent], |d| vec![d, extent / d])).collect();
        if let Ok((refined, _)) = a.group(&divisors) {
            prop_assert_eq!(refined.canonicalize(Fusion::None), a.canonicalize(Fusion::None));
        }
    }

    #[test]
    fn replica_order_says_nothing(layout in layout(), swap in any::<bool>()) {
        let mut other = layout.clone();
        other.replica.reverse();
        if swap {
            other.replica.extend(layout.replica.first().map(|iter| tile_layout::Iter { extent: 1, ..*iter }));
        }
        prop_assert_eq!(other.canonicalize(Fusion::None), layout.canonicalize(Fusion::None));
    }

    #[test]
    fn scopes_join_without_moving_threads(layout in prop_oneof![
        layout_on(CHAIN),
        layout_on(&[Axis::Memory, Axis::LaneId, Axis::WarpId]),
        layout_on(&[Axis::LaneId, Axis::WidInWg, Axis::WgId]),
        layout_on(&[Axis::TidInWg, Axis::WgId]),
    ]) {
        let canonical = layout.canonicalize(Fusion::Cuda);
        for index in 0..layout.size() {
            let seen = |layout: &Layout| places(layout, index).iter().map(in_cta).collect::<BTreeSet<_>>();
            prop_assert_eq!(seen(&canonical), seen(&layout));
        }
    }

    #[test]
    fn storage_forgets_threads(layout in layout_on(CHAIN)) {
        let storage = layout.storage();
        let memory = |layout: &Layout| {
            let all = (0..layout.size()).flat_map(|index| places(layout, index));
            all.map(|place| place.get(&Axis::Memory).copied().unwrap_or(0)).collect::<BTreeSet<_>>()
        };
        prop_assert!(storage.axes().all(|axis| !axis.is_thread()));
        prop_assert_eq!(memory(&storage), memory(&layout));
    }
}
