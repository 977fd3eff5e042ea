//! Pictures of layouts, of banks and of copies.

use layout_tool::banks::WarpAccess;
use layout_tool::copy::sides;
use layout_tool::picture::{Format, Picture, View, holders};

use crate::described;

fn drawn(text: &str, view: &View) -> String {
    let tables = vec![holders(&described(text), view).expect("a picture")];
    Picture { tables, ..Picture::default() }.draw(Format::Text)
}

#[test]
fn who_holds_what() {
    assert_eq!(
        drawn("(2, 2, 2) : (2@laneid, 1@laneid, 1)", &View::default()),
        "2x2x2, (2, 2, 2) : (2@laneid, 1@laneid, 1): laneid:register\nrow 0, 0 | 0:0 0:1\nrow 0, 1 | 1:0 1:1\nrow 1, 0 | 2:0 2:1\nrow 1, 1 | 3:0 3:1\n"
    );
    let view = View { chunk: 8, ..View::default() };
    let swizzled = drawn("(4, 64) : (64, 1), Sw<3, 3, 3>", &view);
    assert!(
        swizzled.ends_with(
            "row 1 |  9  8 11 10 13 12 15 14\nrow 2 | 18 19 16 17 22 23 20 21\nrow 3 | 27 26 25 24 31 30 29 28\n"
        ),
        "{swizzled}"
    );
    assert_eq!(drawn("4:2", &View::default()), "4, (4) : (2): address\n0 2 4 6\n");
}

fn banks(tile: &str, lanes: &str, element_bytes: i64) -> Result<Picture, String> {
    let (tile, lanes) = (&described(tile), &described(lanes));
    let access = WarpAccess { tile, lanes, at: Vec::new(), element_bytes, vector: None };
    access.picture().map_err(|error| error.to_string())
}

#[test]
fn banks_under_an_access() {
    let notes = |tile, lanes, bytes| banks(tile, lanes, bytes).expect("a picture").notes.concat();
    let column = "(32, 1) : (1@laneid, 1)";
    assert_eq!(
        notes("(64, 64) : (64, 1)", column, 4),
        "1 instruction of 4 bytes a lane: 32 wavefronts, 1 without conflicts, 31 conflicts"
    );
    assert_eq!(
        notes("(64, 64) : (64, 1), Sw<5, 0, 6>", column, 4),
        "1 instruction of 4 bytes a lane: 1 wavefront, 1 without conflicts, 0 conflicts"
    );
    // Two instructions of 16 bytes; and without contiguous elements 16 of 2.
    let rows = "(32, 16) : (1@laneid, 1)";
    assert_eq!(
        notes("(32, 16) : (16, 1)", rows, 2),
        "2 instructions of 16 bytes a lane: 16 wavefronts, 8 without conflicts, 8 conflicts"
    );
    assert_eq!(
        notes("(32, 16) : (1, 32)", rows, 2),
        "16 instructions of 2 bytes a lane: 16 wavefronts, 8 without conflicts, 8 conflicts"
    );
    let picture = banks("(64, 64) : (64, 1), Sw<3, 3, 3>", "(8, 8) : (1@laneid, 1)", 2).expect("a picture");
    assert_eq!(picture.tables.len(), 1);
    assert_eq!(picture.tables[0].title, "phase 0, 1 wavefront: the lanes in banks 0 to 31");
    let lanes: Vec<&str> = picture.tables[0].cells[1].iter().map(|cell| cell.text.as_str()).collect();
    assert_eq!(lanes[..9], [".", ".", ".", ".", "1", "1", "1", "1", "."]);
}

#[test]
fn what_is_no_access() {
    assert_eq!(
        banks("(8, 8) : (8, 1)", "(16, 1) : (1@laneid, 1)", 4),
        Err("got a part [16, 1] at [0, 0] of a tile [8, 8], expected one inside it".to_owned())
    );
    assert_eq!(
        banks("(8, 8) : (8, 1)", "(2, 2) : (1@laneid, 0)", 4),
        Err("got elements 0 and 1 of the tile in register 0 of lane 0, expected one".to_owned())
    );
    assert_eq!(
        banks("(8, 8) : (8, 1)", "(2, 2) : (1@laneid, 1)", 3).err(),
        Some("got elements of 3 bytes, expected 1, 2, 4, 8 or 16".to_owned())
    );
}

#[test]
fn the_sides_of_a_copy() {
    let (rows, lanes) = (described("(2, 4) : (4, 1)"), described("(2, 4) : (1@laneid, 1)"));
    let picture = sides(&rows, &lanes, &View::default(), 5).expect("a picture");
    assert_eq!(picture.arrows.len(), 5);
    assert_eq!(picture.notes[4..], ["(1, 0): 4 -> 1:0", "and 3 elements more"].map(str::to_owned));
    let svg = picture.draw(Format::Svg);
    assert_eq!((svg.matches("<line ").count(), svg.matches("<rect ").count()), (5, 16));
    let page = picture.draw(Format::Html);
    assert!(page.starts_with("<!doctype html>") && page.contains(&svg));
    let other = sides(&rows, &described("(8) : (1)"), &View::default(), 5).expect_err("another shape").to_string();
    assert_eq!(other, "got a copy of shape [2, 4] to one of shape [8], expected the same shape");
}
