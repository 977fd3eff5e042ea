//! The tool's tests, in one program.

mod algebra;
mod documents;
mod malformed;
mod notation;
mod oracle;
mod pictures;
mod plans;

use layout_tool::described::Described;
use layout_tool::modes::Modes;
use layout_tool::notation::read;
use proptest::prelude::*;

fn described(text: &str) -> Described {
    read(text, None, 16).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn modes(text: &str) -> Modes {
    Modes::of(&described(text)).expect("a layout in memory")
}

/// Small layouts in memory, with strides that often divide.
fn any_modes() -> impl Strategy<Value = Modes> {
    let part = (1i64..7, prop_oneof![0i64..9, (0u32..6).prop_map(|bits| 1 << bits), Just(6), Just(12), Just(24)]);
    prop::collection::vec(prop::collection::vec(part, 1..3), 1..4).prop_map(Modes::new)
}

/// Layouts that hold each address once: an order of the parts of a dense tile.
fn dense_modes() -> impl Strategy<Value = Modes> {
    let parts = prop::collection::vec(1i64..5, 1..5);
    (parts, any::<prop::sample::Index>()).prop_flat_map(|(extents, cut)| {
        let mut stride = 1;
        let strided = |extent: &i64| {
            let part = (*extent, stride);
            stride *= extent;
            part
        };
        let parts: Vec<(i64, i64)> = extents.iter().map(strided).collect();
        Just(parts).prop_shuffle().prop_map(move |parts| {
            let (first, rest) = parts.split_at(cut.index(parts.len()));
            Modes::new([first, rest].into_iter().filter(|mode| !mode.is_empty()).map(<[_]>::to_vec).collect())
        })
    })
}
