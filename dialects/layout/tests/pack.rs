//! Packing elements into wider ones, and back, against plain enumeration.

use std::collections::BTreeSet;

use crate::common::{Place, function, places};
use proptest::prelude::*;
use tile_layout::{Axis, LayoutError};

proptest! {
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
