//! Every notation is read as it is written.

use layout_tool::compare::{Comparison, compare};
use layout_tool::described::Described;
use layout_tool::modes::Modes;
use layout_tool::notation::{Notation, read, write};
use proptest::prelude::*;
use tile_layout::{Axis, Iter, Layout, Swizzle};

use crate::{any_modes, described};

fn converted(text: &str, to: Notation) -> String {
    write(&described(text), to).unwrap_or_else(|error| error.to_string())
}

#[test]
fn one_layout_in_all_notations() {
    let all = [
        (Notation::Tile, "(8, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>"),
        (Notation::Cute, "Sw<3,3,3> o 0 o (8,64):(64,1)"),
        (Notation::CuteIr, "!cute.composed_layout<\"S<3,3,3> o 0 o (8,64):(64,1)\">"),
        (Notation::Triton, "{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]}"),
    ];
    for (_, from) in all {
        for (notation, to) in all {
            assert_eq!(converted(from, notation), to, "{from}");
        }
    }
}

#[test]
fn other_spellings() {
    for (text, plain) in [
        ("(_8,_64):(_64,_1)", "(8, 64) : (64, 1)"),
        ("Sw<2,3,4> o _0 o (_8,_64):(_64,_1)", "(8, 64) : (64, 1), swizzle<base = 3, bits = 2, shift = 4>"),
        ("Swizzle<2,3,-4> o 16 o 512:1", "(512) : (1) + 16, swizzle<base = 3, bits = 2, shift = 4, outer>"),
        ("!cute.layout<\"((2,2),3):((24,2),8)\">", "(2, 2, 3) : (2, 24, 8)"),
        ("#tile.layout<((2, 2), 3) : ((24, 2), 8)>", "(2, 2, 3) : (2, 24, 8)"),
        (
            "#ttg.linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>",
            "(8, 4, 2) : (4@laneid, 1@laneid, 1)",
        ),
        ("#ttg.shared_linear<{offset = [[0, 1], [1, 0]]}, alignment = 16>", "(2, 2) : (2, 1)"),
        (
            "{register = [], lane = [[1], [2], [0], [0], [0]], warp = [[0]]}",
            "(4) : (1@laneid) + R((2, 2, 2, 2) : (4@laneid, 8@laneid, 16@laneid, 1@warpid))",
        ),
    ] {
        assert_eq!(converted(text, Notation::Tile), plain);
    }
    assert_eq!(described("((2, 2), 3) : ((24, 2), 8)").shape, [4, 3]);
}

#[test]
fn fragments_by_name() {
    let fragment = read("#tile.fragment<mma.m16n8k16.a>", Some(&[16, 16]), 16).expect("a fragment");
    assert_eq!(fragment.layout.to_string(), "(2, 8, 2, 4, 2) : (2, 4@laneid, 4, 1@laneid, 1)");
    let triton =
        "{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []}";
    assert_eq!(write(&fragment, Notation::Triton).as_deref(), Ok(triton));
}

#[test]
fn what_a_notation_can_not_say() {
    let refused = |text: &str, to: Notation| write(&described(text), to).expect_err("no such text").to_string();
    assert_eq!(
        refused("(4, 2) : (1@laneid, 1)", Notation::Cute),
        "got the axis 'laneid' in '(4, 2) : (1@laneid, 1)', expected a layout in memory alone"
    );
    assert!(
        refused("(3) : (1)", Notation::Triton)
            .starts_with("got the iter 3:1 in '(3) : (1)', expected what a linear layout has")
    );
    assert!(refused("(4, 4) : (8, 1)", Notation::Triton).starts_with("got a gap of 4 elements"));
    assert!(refused("(4) : (1) + 4", Notation::Triton).starts_with("got the offset 4 on 'm'"));
    assert!(refused("(4, 4) : (1, 1)", Notation::Triton).starts_with("got the iter 4:1, which meets another,"));
}

/// Layouts over lanes, warps and registers, a power of two of each.
fn linear() -> impl Strategy<Value = Described> {
    let swizzle = prop::option::of((0u32..3, 0u32..4, 0u32..3));
    (Just((0..8usize).collect::<Vec<_>>()).prop_shuffle(), any::<bool>(), swizzle, 0usize..3).prop_map(
        |(order, threads, swizzle, zeros)| {
            let bit = |place: usize| match place {
                _ if !threads => (1 << place, Axis::Memory),
                0..5 => (1 << place, Axis::LaneId),
                5 => (1, Axis::WarpId),
                place => (1 << (place - 6), Axis::Memory),
            };
            let iters: Vec<Iter> = order
                .into_iter()
                .map(|place| {
                    let (stride, axis) = bit(place);
                    Iter::new(2, stride, axis)
                })
                .collect();
            let mut layout = Layout::new(iters);
            if threads && zeros > 0 {
                layout.replica = (0..zeros).map(|warp| Iter::new(2, 2 << warp, Axis::WarpId)).collect();
            }
            if !threads {
                layout.swizzle =
                    swizzle.and_then(|(base, bits, more)| Swizzle::new(base, bits, bits + more, true).ok());
            }
            Described { layout, shape: vec![16, 16] }
        },
    )
}

proptest! {
    #[test]
    fn cute_is_read_as_written(modes in any_modes(), offset in 0i64..9, swizzle in prop::option::of((0u32..3, 0u32..4, 0u32..3, any::<bool>()))) {
        let swizzle = swizzle.and_then(|(base, bits, more, inner)| Swizzle::new(base, bits.max(1), bits.max(1) + more, inner).ok());
        let modes = Modes { offset, swizzle, ..modes };
        for notation in [Notation::Cute, Notation::CuteIr] {
            let described = modes.described();
            let text = write(&described, notation).expect("a text");
            let again = Modes::of(&read(&text, None, 16).expect("a layout")).expect("modes");
            for element in 0..modes.size().expect("a size") {
                prop_assert_eq!(again.address(element), modes.address(element), "{}", &text);
            }
        }
    }

    #[test]
    fn triton_is_read_as_written(described in linear()) {
        let text = write(&described, Notation::Triton).expect("a text");
        let again = read(&text, None, 16).unwrap_or_else(|error| panic!("{error}"));
        prop_assert_eq!(compare(&described, &again), Ok(Comparison::Equal), "{}", &text);
        prop_assert_eq!(write(&again, Notation::Triton), Ok(text));
    }

    #[test]
    fn the_own_notation_is_read_as_written(described in linear()) {
        let text = write(&described, Notation::Tile).expect("a text");
        let again = read(&text, Some(&described.shape), 16).expect("a layout");
        prop_assert_eq!(again, described);
    }
}
