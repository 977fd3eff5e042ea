//! Tensors that end at a run-time row: the coordinates lead where the region is, and outside from that row on.

use super::*;
use tile_layout::Eval;

const UNTIL: MapRequest = MapRequest {
    clips: true,
    fill: OutOfBounds::Zero,
    promotion: None,
    rows: false,
    until: true,
    tf32: false,
    im2col: None,
};

/// Rows from `row` on of a matrix of 512 columns.
fn batch(row: i64, count: i64, layout: &str) -> Problem {
    let tensor = operand(Space::Global, "(4096, 512) : (512, 1)", &[4096, 512], &[(row, count), (128, 64)]);
    load(tensor, operand(Space::Shared, layout, &[count, 64], &[(0, count), (0, 64)]))
}

/// Where the first row of any box that is outside is, and whether each other row is where it belongs.
fn ends(copy: &TensorMapCopy, row: i64, end: i64) -> i64 {
    let mut inside = 0;
    for part in &copy.parts {
        let [from, to] = part.map.until().unwrap();
        for number in 0..part.boxes() {
            let mut at = part.issue(&mut Eval, number, &copy.shared, [&[], &[]]).unwrap().coordinates;
            at[from] -= end;
            at[to] += end;
            assert!(at.iter().all(|&at| (0..1 << 31).contains(&at)), "{at:?}");
            let dims = &part.map.dims;
            let bytes = |dim: usize| match dims[dim].stride {
                Stride::Bytes(bytes) => bytes as u64,
                Stride::Times { .. } => panic!("the stride is known"),
            };
            let Extent::Const(extent) = dims[from].extent else { panic!("the extent is known") };
            for inner in 0..dims[from].boxed {
                let address = (1..dims.len()).fold(0u64, |address, dim| {
                    let position = (at[dim] + if dim == from { inner } else { 0 }) as u64;
                    address.wrapping_add(position.wrapping_mul(bytes(dim)))
                });
                if at[from] + inner < extent {
                    assert_eq!(address, (row + inside) as u64 * 1024);
                    inside += 1;
                }
            }
        }
    }
    row + inside
}

#[test]
fn a_box_ends_where_the_batch_does() {
    let copy = planned_on(&batch(100, 64, "(64, 64) : (64, 1)"), UNTIL, "sm_90a").unwrap();
    assert_eq!((boxed(&copy.parts[0]), copy.instructions()), (vec![64, 64, 1, 1], 1));
    for (end, expected) in [(164, 164), (1000, 164), (163, 163), (101, 101), (100, 100), (7, 100), (0, 100)] {
        assert_eq!(ends(&copy, 100, end), expected, "until {end}");
    }
}

#[test]
fn rows_stay_one_dimension() {
    let copy = planned_on(&batch(0, 300, "(300, 64) : (64, 1)"), UNTIL, "sm_90a").unwrap();
    assert_eq!((boxed(&copy.parts[0]), copy.instructions()), (vec![64, 150, 1, 1], 2));
    assert_eq!(ends(&copy, 0, 299), 299);
    let panels = "(64, 2, 32) : (32, 2048, 1), swizzle<base = 3, bits = 2, shift = 3>";
    let copy = planned_on(&batch(64, 64, panels), UNTIL, "sm_90a").unwrap();
    assert_eq!((boxed(&copy.parts[0]), copy.instructions()), (vec![32, 64, 2, 1, 1], 1));
}

#[test]
fn only_matrices_with_known_strides_end() {
    let refused = |tensor: Operand| {
        let tile = operand(Space::Shared, "(8, 64) : (64, 1)", &[8, 64], &[(0, 8), (0, 64)]);
        planned_on(&load(tensor, tile), UNTIL, "sm_90a").unwrap_err().cause
    };
    let region = [(0, 8), (0, 64)];
    assert_eq!(
        refused(operand(Space::Global, "(512, 8, 64) : (64, 32768, 1)", &[512, 512], &region)),
        "until-needs-matrix"
    );
    let mut open = operand(Space::Global, "(512, 512) : (512, 1)", &[512, 512], &region);
    open.layout = "(512, 512) : (1@s0, 1)".parse().unwrap();
    open.strides = vec![RunTimeStride { value: 0, divisor: 8 }];
    assert_eq!(refused(open), "until-needs-matrix");
}

#[test]
fn plans_by_hand_count_from_the_end() {
    let mut copy = planned_on(&batch(100, 64, "(64, 64) : (64, 1)"), UNTIL, "sm_90a").unwrap();
    copy.parts[0].map.dims[1].extent = Extent::Const(4096);
    assert!(copy.verify().unwrap_err().reason.contains("counts rows from it"));
}
