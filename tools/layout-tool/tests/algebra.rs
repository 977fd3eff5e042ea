//! The algebra against its definitions, element by element.

use std::collections::BTreeSet;

use layout_tool::algebra::{AlgebraError, coalesce, complement, compose, divide, left_inverse, right_inverse};
use layout_tool::modes::Modes;
use proptest::prelude::*;

use crate::{any_modes, dense_modes, modes};

fn addresses(layout: &Modes) -> Vec<i64> {
    (0..layout.size().expect("a size")).map(|element| layout.address(element)).collect()
}

#[test]
fn examples_of_cute() {
    let text = |layout: Result<Modes, AlgebraError>| {
        layout.map(|layout| layout.to_string()).map_err(|error| error.to_string())
    };
    assert_eq!(text(compose(&modes("(6,2):(8,2)"), &modes("(4,3):(3,1)"))), Ok("((2,2),3):((24,2),8)".to_owned()));
    assert_eq!(text(complement(&modes("(2,2):(1,6)"), 24)), Ok("(3,2):(2,12)".to_owned()));
    assert_eq!(text(divide(&modes("(4,2,3):(2,1,8)"), &modes("4:2"))), Ok("((2,2),(2,3)):((4,1),(2,8))".to_owned()));
    assert_eq!(text(coalesce(&modes("(2,(1,6)):(1,(6,2))"))), Ok("12:1".to_owned()));
    let crosses = "got 4:2, whose steps end within the extent 3 of the other layout; expected one to divide the other";
    assert_eq!(text(compose(&modes("(3,4):(4,1)"), &modes("4:2"))), Err(crosses.to_owned()));
    let overlap =
        "got stride 2 behind 4 addresses, expected a multiple: parts that neither overlap nor leave a fraction";
    assert_eq!(text(complement(&modes("(4,4):(1,2)"), 16)), Err(overlap.to_owned()));
    let swizzled = "got an operand with a swizzle or an offset, expected extents and strides alone";
    assert_eq!(text(coalesce(&modes("Sw<1,0,1> o 0 o 8:1"))), Err(swizzled.to_owned()));
    let carries = "got parts that together reach 6 within the extent 6 of the other layout, expected less";
    assert_eq!(text(compose(&modes("(6,2):(3,1)"), &modes("(3,2):(2,2)"))), Err(carries.to_owned()));
    assert_eq!(coalesce(&Modes::new(vec![vec![(2, -1)]])), Err(AlgebraError::Number));
    assert_eq!(coalesce(&Modes::new(vec![vec![(i64::MAX, i64::MAX)]])), Err(AlgebraError::Number));
}

proptest! {
    #[test]
    fn coalescing_keeps_all_addresses(layout in any_modes()) {
        prop_assert_eq!(addresses(&coalesce(&layout).expect("a result")), addresses(&layout));
    }

    #[test]
    fn a_composition_is_one_after_the_other(outer in any_modes(), inner in any_modes()) {
        if let Ok(result) = compose(&outer, &inner) {
            let inside: Vec<i64> = addresses(&inner);
            // Behind its end, the last extent of the outer layout goes on.
            let size = outer.size().expect("a size");
            prop_assert_eq!(result.modes.len(), inner.modes.len());
            for (element, at) in inside.into_iter().enumerate().filter(|(_, at)| *at < size) {
                prop_assert_eq!(result.address(element as i64), outer.address(at), "{} o {}", outer, inner);
            }
        }
    }

    #[test]
    fn dense_layouts_always_compose(outer in dense_modes(), size in 1i64..9) {
        let inner = Modes::new(vec![vec![(outer.size().expect("a size"), 1)]]);
        prop_assert_eq!(addresses(&compose(&outer, &inner).expect("a result")), addresses(&outer));
        prop_assert!(compose(&outer, &Modes::new(vec![vec![(size, 0)]])).is_ok());
    }

    #[test]
    fn a_complement_fills_the_gaps(layout in any_modes(), more in 1i64..5) {
        let size = layout.cosize() * more;
        if let Ok(rest) = complement(&layout, size) {
            let held: BTreeSet<i64> = addresses(&layout).into_iter().collect();
            let mut both: Vec<i64> = held.iter().flat_map(|at| addresses(&rest).into_iter().map(move |gap| at + gap)).collect();
            both.sort_unstable();
            prop_assert!(both.len() as i64 >= size);
            prop_assert!(both.iter().enumerate().all(|(index, at)| index as i64 == *at), "{layout} and {rest}");
        }
    }

    #[test]
    fn a_division_keeps_all_elements(all in dense_modes(), tile in any_modes()) {
        if let Ok(divided) = divide(&all, &tile) {
            let tile_size = tile.size().expect("a size");
            for (number, at) in addresses(&tile).into_iter().enumerate().filter(|(_, at)| *at < all.size().unwrap_or(0)) {
                prop_assert_eq!(divided.address(number as i64), all.address(at));
            }
            prop_assert_eq!(divided.size().map(|size| size % tile_size), Some(0));
        }
    }

    #[test]
    fn inverses_undo(layout in any_modes(), dense in dense_modes()) {
        if let Ok(inverse) = right_inverse(&layout) {
            for at in 0..inverse.size().expect("a size") {
                prop_assert_eq!(layout.address(inverse.address(at)), at, "{} and {}", &layout, &inverse);
            }
        }
        if let Ok(inverse) = left_inverse(&layout) {
            for element in 0..layout.size().expect("a size") {
                prop_assert_eq!(inverse.address(layout.address(element)), element, "{} and {}", &layout, &inverse);
            }
        }
        let (left, right) = (left_inverse(&dense).expect("a result"), right_inverse(&dense).expect("a result"));
        prop_assert_eq!(addresses(&left), addresses(&right));
    }
}
