//! Rows that are named by their numbers: boxes of a row, and instructions of four.

use super::*;
use tile_layout::Eval;

const ROWS: MapRequest = MapRequest {
    clips: false,
    fill: OutOfBounds::Zero,
    promotion: None,
    rows: true,
    until: false,
    tf32: false,
    im2col: None,
};

/// A load of `count` rows of 64 columns, from column 128 on, to a tile of that layout.
fn gather(count: i64, layout: &str) -> Problem {
    let tensor = operand(Space::Global, "(512, 512) : (512, 1)", &[512, 512], &[(0, count), (128, 64)]);
    load(tensor, operand(Space::Shared, layout, &[count, 64], &[(0, count), (0, 64)]))
}

fn gathered(problem: &Problem, chip: &str) -> TensorMapCopy {
    planned_on(problem, ROWS, chip).unwrap()
}

/// For each instruction of a plan its column, its first row in the list, and its place in shared memory.
fn issued(copy: &TensorMapCopy) -> Vec<(i64, i64, i64)> {
    let mut all = Vec::new();
    for part in &copy.parts {
        for number in 0..part.boxes() {
            let issue = part.issue(&mut Eval, number, &copy.shared, [&[], &[]]).unwrap();
            all.push((issue.coordinates[0], issue.coordinates[1], issue.offset));
        }
    }
    all
}

#[test]
fn four_rows_are_one_instruction_where_the_chip_has_it() {
    let copy = gathered(&gather(8, "(8, 64) : (64, 1)"), "sm_100a");
    assert_eq!((copy.rows, copy.named_rows(), copy.instructions(), copy.bytes()), (4, 8, 2, 8 * 128));
    assert_eq!(boxed(&copy.parts[0]), [64, 1]);
    assert_eq!(issued(&copy), [(128, 0, 0), (128, 4, 256)]);
    let name = copy.instruction(&copy.parts[0]);
    assert_eq!(name, "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes");
    let copy = gathered(&gather(8, "(8, 64) : (64, 1)"), "sm_90a");
    assert_eq!((copy.rows, copy.named_rows(), copy.instructions(), copy.bytes()), (1, 8, 8, 8 * 128));
    assert_eq!(issued(&copy)[3], (128, 3, 192));
    let name = copy.instruction(&copy.parts[0]);
    assert_eq!(name, "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes");
}

#[test]
fn other_numbers_of_rows_are_boxes_of_a_row() {
    let copy = gathered(&gather(6, "(6, 64) : (64, 1)"), "sm_100a");
    assert_eq!((copy.rows, copy.instructions()), (1, 6));
    let one = gathered(&gather(1, "(1, 64) : (64, 1)"), "sm_100a");
    assert_eq!((one.rows, one.named_rows(), issued(&one)), (1, 1, vec![(128, 0, 0)]));
}

#[test]
fn rows_are_a_span_apart() {
    let swizzled = "(8, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>";
    assert_eq!(gathered(&gather(8, swizzled), "sm_100a").rows, 4);
    let padded = gathered(&gather(8, "(8, 64) : (128, 1)"), "sm_100a");
    assert_eq!((padded.rows, issued(&padded)[1]), (1, (128, 1, 128)));
    // Panels of 32 columns: each four rows of a panel are an instruction.
    let panels = gathered(&gather(8, "(8, 2, 32) : (32, 256, 1)"), "sm_100a");
    assert_eq!((panels.rows, panels.instructions()), (4, 4));
    let mut all = issued(&panels);
    all.sort_unstable();
    assert_eq!(all, [(128, 0, 0), (128, 4, 128), (160, 0, 256), (160, 4, 384)]);
}

#[test]
fn wide_rows_are_wider_elements() {
    let wide = |size: i64| {
        let layout = format!("(512, {size}) : ({size}, 1)");
        let tensor = operand(Space::Global, &layout, &[512, size], &[(0, 4), (0, 1024)]);
        load(tensor, operand(Space::Shared, "(4, 1024) : (1024, 1)", &[4, 1024], &[(0, 4), (0, 1024)]))
    };
    let copy = gathered(&wide(2048), "sm_100a");
    assert_eq!((copy.rows, copy.instructions(), boxed(&copy.parts[0])), (4, 1, vec![256, 1]));
    assert_eq!(copy.bytes(), 4 * 2048);
}

#[test]
fn scatters_and_reductions() {
    let tensor = operand(Space::Global, "(512, 64) : (64, 1)", &[512, 64], &[(0, 8), (0, 64)]);
    let mut problem = store(operand(Space::Shared, "(8, 64) : (64, 1)", &[8, 64], &[(0, 8), (0, 64)]), tensor);
    let copy = gathered(&problem, "sm_100a");
    assert_eq!((copy.rows, copy.instructions()), (4, 2));
    assert_eq!(
        copy.instruction(&copy.parts[0]),
        "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group"
    );
    // No instruction reduces to four rows.
    problem.asynchronous.as_mut().unwrap().reduce = Some("add".to_owned());
    assert_eq!(gathered(&problem, "sm_100a").rows, 1);
}

#[test]
fn which_rows_are_touched_is_not_known() {
    let copy = gathered(&gather(8, "(8, 64) : (64, 1)"), "sm_100a");
    let problem = gather(8, "(8, 64) : (64, 1)");
    let target = Target::parse("sm_100a").unwrap();
    let touched = CopyPlan::TensorMap(copy).touched(&problem, &target).unwrap();
    let src = touched.of(Role::Src).unwrap();
    assert!(src.moves.is_none() && src.footprint.is_some());
    let dst = touched.of(Role::Dst).unwrap().footprint.as_ref().unwrap();
    let bytes: i64 = dst.segments().iter().map(|segment| (segment.end - segment.begin) * segment.threads.len()).sum();
    assert_eq!(bytes, 32 * 8 * 128);
}

#[test]
fn only_matrices_have_rows() {
    let refused = |tensor: Operand, tile: Operand| {
        let refusal = planned_on(&load(tensor, tile), ROWS, "sm_100a").unwrap_err();
        (refusal.cause, refusal.reason)
    };
    let tile = |layout: &str| operand(Space::Shared, layout, &[8, 64], &[(0, 8), (0, 64)]);
    let blocked = operand(Space::Global, "(512, 8, 64) : (64, 32768, 1)", &[512, 512], &[(0, 8), (0, 64)]);
    has(refused(blocked, tile("(8, 64) : (64, 1)")), "rows-need-matrix", &["3 dimensions"]);
    let matrix = operand(Space::Global, "(512, 512) : (512, 1)", &[512, 512], &[(0, 8), (0, 64)]);
    let columns = operand(Space::Global, "(512, 512) : (1, 512)", &[512, 512], &[(0, 8), (0, 64)]);
    has(refused(columns, tile("(8, 64) : (1, 8)")), "shared-not-contiguous", &["adjacent columns"]);
    has(refused(matrix.clone(), tile("(8, 64) : (1, 8)")), "map-inner-stride", &["512 elements"]);
    has(refused(matrix, tile("(8, 64) : (80, 1)")), "box-not-128-bytes", &["160 bytes"]);
}

#[test]
fn plans_by_hand_name_rows_that_boxes_have() {
    let copy = gathered(&gather(8, "(8, 64) : (64, 1)"), "sm_100a");
    let broken = |change: fn(&mut TensorMapCopy)| {
        let mut copy = copy.clone();
        change(&mut copy);
        copy.verify().unwrap_err().reason
    };
    assert!(broken(|copy| copy.rows = 3).contains("name 3 rows"));
    assert!(broken(|copy| copy.parts[0].map.dims[1].boxed = 2).contains("boxes of one row"));
    assert!(broken(|copy| copy.parts[0].at[1].constant = -1).contains("counted from 0"));
}
