//! Malformed text is an error with its place, and nothing panics.

use layout_tool::error::ToolError;
use layout_tool::notation::{Notation, read, write};
use layout_tool::picture::{View, holders};
use proptest::prelude::*;

fn refusal(text: &str) -> String {
    read(text, None, 16).expect_err("no layout").to_string()
}

#[test]
fn a_caret_is_below_the_place() {
    for (text, expected) in [
        ("(8,) : (1)", "got ')', expected an extent (an integer of 64 bits) or '?'\n  (8,) : (1)\n     ^"),
        ("Sw<1,2,x> o 0 o 8:1", "got 'x', expected the shift\n  Sw<1,2,x> o 0 o 8:1\n         ^"),
        ("Sw<1,2,3> 0 o 8:1", "got '0', expected 'o'\n  Sw<1,2,3> 0 o 8:1\n            ^"),
        ("(_8,4):(1)", "got strides of another nesting, expected that of the extents\n  (_8,4):(1)\n         ^"),
        ("!cute.layout<\"(8,4:1\">", "got ':', expected ','\n  !cute.layout<\"(8,4:1\">\n                    ^"),
        (
            "!cute.layout<(8):(1)>",
            "got '<', expected '<\"', a layout, and '\">'\n  !cute.layout<(8):(1)>\n              ^",
        ),
        ("{lane = [[1], [2]}", "got '}', expected ','\n  {lane = [[1], [2]}\n                   ^"),
        ("{lanes = []}", "got 'lanes', expected 'register', 'lane', 'warp', 'block' or 'offset'\n  {lanes = []}\n   ^"),
        (
            "{lane = [[3]]}",
            "got a basis of several bits, expected an order of bits with at most one swizzle\n  {lane = [[3]]}\n  ^",
        ),
        ("{lane = [[2]]}", "got a bit of a coordinate that no basis has, expected one for each\n  {lane = [[2]]}\n  ^"),
        (
            "#tile.layout<(8) : (x)>",
            "got 'x', expected a stride (an integer of 64 bits) or '?'\n  #tile.layout<(8) : (x)>\n                      ^",
        ),
        ("#tile.fragment<mma.a>", "got instruction 'mma', expected one of mma.m16n8k32, mma.m16n8k16"),
        ("#tile.fragment<mma.m16n8k16.a>", "got a fragment without a shape, expected --shape, such as 16x16\n"),
        ("(?, 8) : (?, 1)", "got an extent '?', expected a number\n  (?, 8) : (?, 1)\n   ^"),
        ("(0) : (1)", "in '(0) : (1)': iter 0 has extent 0; extents are at least 1"),
    ] {
        let message = refusal(text);
        assert!(message.starts_with(expected), "{text}:\n{message}");
    }
}

/// A text with each of its characters replaced, left out, or the last one.
#[test]
fn any_damage_has_an_answer() {
    for whole in [
        "Sw<3,3,3> o 0 o ((8,2),64):((64,_2),1)",
        "!cute.composed_layout<\"S<3,3,3> o 0 o (8,64):(64,1)\">",
        "{register = [[0, 1]], lane = [[0, 2], [0, 4]], warp = [[1, 0]], block = []}",
        "#ttg.shared_linear<{offset = [[0, 1], [1, 1]]}, alignment = 16>",
        "#tile.fragment<mma.m16n8k16.a over (2, 2) warps>",
    ] {
        for at in 0..whole.len() {
            for piece in ["", "(", ")", "-", "_", "[", "]", "{", ",", "0", "9999999999999999999", "é", "o", "<", "\""]
            {
                let damaged = format!("{}{piece}{}", &whole[..at], &whole[at + 1..]);
                for shape in [None, Some(&[16, 16][..])] {
                    if let Ok(described) = read(&damaged, shape, 16) {
                        for notation in [Notation::Tile, Notation::Cute, Notation::CuteIr, Notation::Triton] {
                            let _ = write(&described, notation);
                        }
                        let _ = holders(&described, &View::default());
                    }
                }
            }
            assert!(read(&whole[..at], None, 16).is_err(), "{}", &whole[..at]);
        }
    }
}

#[test]
fn too_large_a_picture_says_what_to_do() {
    let large = read("(256, 256) : (256, 1)", None, 16).expect("a layout");
    let error = holders(&large, &View::default()).expect_err("too large");
    assert!(matches!(error, ToolError::TooLarge { rows: 256, columns: 256, .. }));
    assert!(error.to_string().contains("65536 cells, expected at most 4096; show a part with --at and --region"));
    let part = View { at: vec![8, 0], region: vec![8, 256], chunk: 8, ..View::default() };
    assert_eq!(holders(&large, &part).expect("a picture").cells[0][1].text, "257");
    let outside = View { at: vec![250, 0], region: vec![8, 8], ..View::default() };
    let error = holders(&large, &outside).expect_err("outside").to_string();
    assert_eq!(error, "got 8 positions from 250 on in dimension 0, expected some of 0 to 255");
}

proptest! {
    #[test]
    fn nothing_panics(text in "[-_0-9:,()SwoR@{}\\[\\]<>=\" a-e+x#!.]{0,40}") {
        if let Ok(described) = read(&text, None, 16) {
            let _ = holders(&described, &View::default());
        }
    }
}
