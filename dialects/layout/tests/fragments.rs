//! The fragments of matrix units that docs/layouts.md lists, against the formulas of the PTX ISA ("Matrix Fragments for
//! mma.m16n8k16" and "Register Fragments and Shared Memory Matrix Layouts" of wgmma.mma_async): row and column of each
//! register of each thread, by `groupID = laneid >> 2` and `threadID_in_group = laneid % 4`.

use tile_layout::{Axis, Layout};

/// Row and column of register `i` of thread `lane` of warp `warp`.
type Formula = fn(warp: i64, lane: i64, i: i64) -> (i64, i64);

/// `a_i` of mma.m16n8k16: row groupID for i in 0, 1, 4, 5, else groupID + 8; column 2 * threadID + (i & 1), plus 8 from
/// i = 4 on.
fn mma_a(_: i64, lane: i64, i: i64) -> (i64, i64) {
    let row = if matches!(i, 0 | 1 | 4 | 5) { lane >> 2 } else { (lane >> 2) + 8 };
    let column = lane % 4 * 2 + (i & 1);
    (row, if i < 4 { column } else { column + 8 })
}

/// `b_i`: row 2 * threadID + (i & 1), plus 8 from i = 2 on; column groupID.
fn mma_b(_: i64, lane: i64, i: i64) -> (i64, i64) {
    let row = lane % 4 * 2 + (i & 1);
    (if i < 2 { row } else { row + 8 }, lane >> 2)
}

/// `c_i`: row groupID for i < 2, else groupID + 8; column 2 * threadID + (i & 1).
fn mma_c(_: i64, lane: i64, i: i64) -> (i64, i64) {
    (if i < 2 { lane >> 2 } else { (lane >> 2) + 8 }, lane % 4 * 2 + (i & 1))
}

/// A of wgmma: that of mma.m16n8k16 for the 16 rows of each warp.
fn wgmma_a(warp: i64, lane: i64, i: i64) -> (i64, i64) {
    let (row, column) = mma_a(0, lane, i);
    (16 * warp + row, column)
}

/// D of wgmma: `d_i` is in column 8 * (i / 4) + 2 * threadID + (i & 1); rows alternate in pairs.
fn wgmma_d(warp: i64, lane: i64, i: i64) -> (i64, i64) {
    (16 * warp + (lane >> 2) + 8 * (i / 2 % 2), 8 * (i / 4) + lane % 4 * 2 + (i & 1))
}

/// The result of `ldmatrix.x4`: register pair `i / 2` of lane `l` is row `l / 4`, columns `2 * (l % 4)` and the next, of
/// the matrix with that number (PTX ISA, ldmatrix); the matrices row by row.
fn matrices_by_row(_: i64, lane: i64, i: i64) -> (i64, i64) {
    let matrix = i / 2;
    (matrix / 2 * 8 + lane / 4, matrix % 2 * 8 + lane % 4 * 2 + i % 2)
}

/// For each row of the page's table: its start, the shape, warps, registers of a thread, formula.
const FRAGMENTS: [(&str, [i64; 2], i64, i64, Formula); 6] = [
    ("| A of `mma.sync.m16n8k16`", [16, 16], 1, 8, mma_a),
    ("| B of `mma.sync.m16n8k16`", [16, 8], 1, 4, mma_b),
    ("| C and D of `mma.sync.m16n8k16`", [16, 8], 1, 4, mma_c),
    ("| A of `wgmma.mma_async.m64nNk16`", [64, 16], 4, 8, wgmma_a),
    ("| D of `wgmma.mma_async.m64n16k16`", [64, 16], 4, 8, wgmma_d),
    ("| four 8x8 matrices row by row", [16, 16], 1, 8, matrices_by_row),
];

fn from_page(start: &str) -> Layout {
    let page = include_str!("../../../docs/layouts.md");
    let row = page.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("the page has no {start}"));
    row.rsplit('`').nth(1).and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("no layout in {row}"))
}

fn is(layout: &Layout, shape: [i64; 2], warps: i64, registers: i64, formula: Formula) -> bool {
    assert_eq!(shape[0] * shape[1], warps * 32 * registers);
    (0..warps * 32 * registers).all(|place| {
        let (warp, lane, i) = (place / registers / 32, place / registers % 32, place % registers);
        let (row, column) = formula(warp, lane, i);
        let location = layout.apply(&[row, column], &shape).unwrap();
        let on = |axis| location.get(&axis).copied().unwrap_or(0);
        (on(Axis::WidInWg), on(Axis::LaneId), on(Axis::Memory)) == (warp, lane, i)
    })
}

#[test]
fn the_page_has_the_fragments_of_the_isa() {
    for (start, shape, warps, registers, formula) in FRAGMENTS {
        let layout = from_page(start);
        assert!(is(&layout, shape, warps, registers, formula), "{start}: {layout}");
    }
}

#[test]
fn matrices_by_row_are_not_the_operand() {
    let by_row = from_page("| four 8x8 matrices row by row");
    assert!(!is(&by_row, [16, 16], 1, 8, mma_a));
    // Two C fragments side by side form an A fragment: the accumulators of one product are the operand of the next.
    let two = |_: i64, lane: i64, i: i64| {
        let (row, column) = mma_c(0, lane, i % 4);
        (row, column + i / 4 * 8)
    };
    assert!(is(&from_page("| A of `mma.sync.m16n8k16`"), [16, 16], 1, 8, two));
}
