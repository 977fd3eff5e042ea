//! Reading and printing.

use crate::common::{layout, wild_layout};
use proptest::prelude::*;
use tile_layout::{Layout, LayoutError};

proptest! {
    #[test]
    fn what_is_printed_is_read(layout in prop_oneof![layout(), wild_layout()]) {
        prop_assert_eq!(Layout::parse(&layout.to_string()), Ok(layout));
    }

    #[test]
    fn any_text_has_an_answer(text in any::<String>()) {
        let _ = Layout::parse(&text);
    }

    /// Texts built from the tokens of the notation get further through the parser than random ones.
    #[test]
    fn any_pieces_have_an_answer(pieces in prop::collection::vec(prop::sample::select(vec![
        "(", ")", "(", ")", ":", ",", "+", "R", "@", "?", "//", "\n", "0x1f", "laneid", "m", "swizzle", "<", ">", "3", "3", "8", "-1", "-",
        "99999999999999999999", " ", "é", "inner", "outer", "((2, 2), 3)", "(8) : (1)", ", swizzle<base = 3, bits = 3, shift = 3>",
    ]), 0..24)) {
        let text = pieces.concat();
        match Layout::parse(&text) {
            Ok(layout) => prop_assert_eq!(Layout::parse(&layout.to_string()), Ok(layout)),
            Err(LayoutError::Parse { at, .. } | LayoutError::Refused { at, .. }) => prop_assert!(text.is_char_boundary(at)),
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        }
    }

    #[test]
    fn cut_and_changed_text_has_an_answer(
        layout in layout(),
        at in any::<prop::sample::Index>(),
        put in prop::sample::select(vec!["", "(", ")", "@", "+", ":", ",", "9", "-", "x"]),
    ) {
        let mut text = layout.to_string();
        let at = at.index(text.len());
        text.replace_range(at..=at, put);
        if let Ok(layout) = Layout::parse(&text) {
            prop_assert_eq!(Layout::parse(&layout.to_string()), Ok(layout));
        }
    }
}

#[test]
fn nesting_has_a_limit() {
    let nested = |item: &str, depth| format!("{}{item}{}", "(".repeat(depth), ")".repeat(depth));
    let deep = |depth| Layout::parse(&format!("{} : {}", nested("8", depth), nested("1", depth)));
    assert_eq!(deep(32).map(|layout| layout.to_string()).as_deref(), Ok("(8) : (1)"));
    let text = "got tuples nested deeper than 32, expected at most that".to_owned();
    for depth in [33, 100_000] {
        assert_eq!(deep(depth), Err(LayoutError::Refused { at: 32, text: text.clone() }));
    }
}
