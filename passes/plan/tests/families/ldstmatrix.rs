//! `ldstmatrix`: which fragments are matrices, and what is declined.

use crate::common::build::{
    F16, F32, U8, chip, copy, cta, declined, declined_on, laid_out, planned, planned_with, thread, warp, warpgroup,
};
use crate::common::oracle::{Values, check};
use tile_isa::Space;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::matrix::plan::MatrixCopy;
use tile_plan::families::select;
use tile_plan::problem::Problem;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::run_time::Begin;
use tile_plan::problem::threads::Threads;
use tile_plan::sides::side::Guard;

const S: Space = Space::Shared;
const L: Space = Space::Local;

/// 8x8 matrices side by side, `num` of them, of one warp.
fn fragment(num: i64) -> Operand {
    laid_out(L, &[8, 4, num, 2], &format!("(8, 4, {num}, 2) : (4@laneid, 1@laneid, 2, 1)"))
}

fn matrix_rows(num: i64) -> Operand {
    laid_out(S, &[8, 4, num, 2], &format!("(8, 4, {num}, 2) : ({}, 2, 8, 1)", 8 * num))
}

fn matrix_columns(num: i64) -> Operand {
    laid_out(S, &[8, 4, num, 2], &format!("(8, 4, {num}, 2) : (1, {}, 8, {})", 16 * num, 8 * num))
}

fn matrix(problem: &Problem) -> MatrixCopy {
    match planned(problem) {
        CopyPlan::Matrix(copy) => copy,
        other => panic!("not matrices: {other:?}"),
    }
}

#[test]
fn one_two_and_four_matrices_both_ways() {
    for num in [1, 2, 4] {
        let load = matrix(&copy(matrix_rows(num), fragment(num), F16, warp()));
        assert_eq!(load.instruction(), format!("ldmatrix.sync.aligned.m8n8.x{num}.shared.b16"));
        let store = matrix(&copy(fragment(num), matrix_rows(num), F16, warp()));
        assert_eq!(store.instruction(), format!("stmatrix.sync.aligned.m8n8.x{num}.shared.b16"));
        let load = matrix(&copy(matrix_columns(num), fragment(num), F16, warp()));
        assert_eq!(load.instruction(), format!("ldmatrix.sync.aligned.m8n8.x{num}.trans.shared.b16"));
        assert_eq!((load.row_stride, load.steps()), (8 * num, 1));
        let store = matrix(&copy(fragment(num), matrix_columns(num), F16, warp()));
        assert_eq!(store.instruction(), format!("stmatrix.sync.aligned.m8n8.x{num}.trans.shared.b16"));
    }
}

#[test]
fn more_registers_mean_more_steps() {
    let problem = copy(matrix_rows(16), fragment(16), F16, warp());
    let copy = matrix(&problem);
    assert_eq!((copy.num, copy.steps(), copy.shape), (4, 4, [1, 8, 4, 4, 4, 2]));
    let odd = matrix(&crate::common::build::copy(matrix_rows(6), fragment(6), F16, warp()));
    assert_eq!((odd.num, odd.steps()), (2, 3));
}

fn warps(axis: &str, count: i64) -> (Operand, Operand) {
    let registers = format!("({count}, 8, 4, 2, 2) : (32@{axis}, 4@{axis}, 1@{axis}, 2, 1)");
    let shared = format!("({count}, 8, 4, 2, 2) : (128, 16, 2, 8, 1)");
    let shape = [count, 8, 4, 2, 2];
    (laid_out(S, &shape, &shared), laid_out(L, &shape, &registers))
}

#[test]
fn wider_scopes_have_a_matrix_per_warp() {
    let (shared, registers) = warps("tid_in_wg", 4);
    assert_eq!(matrix(&copy(shared, registers, F16, warpgroup())).shape, [4, 8, 4, 1, 2, 2]);
    let (shared, registers) = warps("tx", 3);
    assert_eq!(matrix(&copy(registers, shared, F16, cta(96))).shape, [3, 8, 4, 1, 2, 2]);
}

#[test]
fn warps_that_hold_the_same_all_load_and_one_stores() {
    let load = matrix(&copy(matrix_rows(2), fragment(2), F16, cta(64)));
    assert_eq!((load.shape[0], load.guards), (2, vec![]));
    let store = matrix(&copy(fragment(2), matrix_rows(2), F16, cta(64)));
    assert_eq!(store.guards, [Guard { div: 32, extent: 2 }]);
}

#[test]
fn registers_come_out_together() {
    let copy = matrix(&copy(matrix_rows(4), fragment(4), F16, warp()));
    let registers = [0, 1, 2, 3].map(|matrix| tile_plan::address::matrix_register(&copy, 0, matrix).unwrap());
    assert_eq!(registers, [0, 1, 2, 3]);
}

#[test]
fn swizzles_keep_rows_together() {
    let swizzled = |text: &str| laid_out(S, &[8, 4, 2, 2], &format!("(8, 4, 2, 2) : (16, 2, 8, 1), swizzle<{text}>"));
    assert_eq!(matrix(&copy(swizzled("3, 3, 3"), fragment(2), F16, warp())).num, 2);
    let decline = declined(&copy(swizzled("2, 1, 3"), fragment(2), F16, warp()), "ldstmatrix");
    assert_eq!(decline.cause, "swizzle-chunk-too-small");
    assert_eq!(planned(&copy(swizzled("2, 1, 3"), fragment(2), F16, warp())).variant(), "reg");
    assert_eq!(matrix(&copy(swizzled("2, 0, 3"), fragment(2), F16, warp())).num, 2);
}

/// Rows of 16 bytes, `apart` elements from each other, and the registers of the lanes, of which each holds `held` elements of a row.
fn rows_of(held: i64, num: i64, apart: i64) -> [Operand; 2] {
    let (shape, row) = ([8, 4, num, held], 4 * held);
    [
        laid_out(S, &shape, &format!("(8, 4, {num}, {held}) : ({apart}, {held}, {row}, 1)")),
        laid_out(L, &shape, &format!("(8, 4, {num}, {held}) : (4@laneid, 1@laneid, {held}, 1)")),
    ]
}

#[test]
fn bytes_and_words_stay_where_they_are() {
    for ((bits, held), num) in [(U8, 4), (F32, 1)].into_iter().flat_map(|element| [1, 2, 4].map(|num| (element, num))) {
        let [shared, registers] = rows_of(held, num, 4 * held * num + 16 * held);
        for (src, dst) in [(shared.clone(), registers.clone()), (registers, shared)] {
            let problem = copy(src, dst, bits, warp());
            let copy = matrix(&problem);
            assert_eq!((copy.num, copy.bits(), copy.trans, copy.steps()), (num, bits, false, 1));
            check(&problem, &CopyPlan::Matrix(copy), &chip("sm_90a"), &Values::default()).unwrap();
        }
    }
}

#[test]
fn bytes_and_words_are_not_transposed() {
    for (bits, held) in [(U8, 4), (F32, 1)] {
        let [_, registers] = rows_of(held, 1, 32);
        let columns = laid_out(S, &[8, 4, 1, held], &format!("(8, 4, 1, {held}) : (1, {}, 1, 32)", 32 * held));
        let decline = declined(&copy(columns, registers, bits, warp()), "ldstmatrix");
        assert_eq!(decline.cause, "not-a-matrix", "{decline}");
    }
}

#[test]
fn rows_that_follow_each_other_are_accessed_in_order() {
    for (bits, held) in [(U8, 4), (F32, 1)] {
        let [shared, registers] = rows_of(held, 1, 4 * held);
        let problem = copy(shared, registers, bits, warp());
        assert_eq!(declined(&problem, "ldstmatrix").cause, "rows-adjacent");
        assert_eq!(planned(&problem).variant(), "reg");
    }
}

#[test]
fn elements_must_be_of_a_matrix() {
    let decline = declined(&copy(matrix_rows(2), fragment(2), 64, warp()), "ldstmatrix");
    assert_eq!(decline.cause, "element-not-of-matrix");
    assert!(decline.reason.contains("64 bits; needed 8, 16 or 32"), "{decline}");
    for bits in [U8, F32] {
        let problem = copy(matrix_rows(2), fragment(2), bits, warp());
        assert!(["registers-not-coupled", "not-a-matrix"].contains(&declined(&problem, "ldstmatrix").cause));
        assert_eq!(planned(&problem).variant(), "reg");
    }
}

#[test]
fn chips_without_the_instruction() {
    let store = copy(fragment(2), matrix_rows(2), F16, warp());
    let decline = declined_on(&store, "ldstmatrix", "sm_89");
    assert_eq!(
        (decline.cause, decline.reason.as_str()),
        ("chip-lacks-stmatrix", "stmatrix needs sm_90 or later; got sm_89")
    );
    let (aligned, declines) = select(&store, &chip("sm_75")).unwrap();
    assert_eq!((aligned.variant(), declines[0].cause), ("reg", "chip-lacks-stmatrix"));
    check(&store, &aligned, &chip("sm_75"), &Values::default()).unwrap();
    let load = copy(matrix_rows(2), fragment(2), F16, warp());
    assert_eq!(select(&load, &chip("sm_75")).unwrap().0.variant(), "ldstmatrix");
}

fn cause(shared: Operand, registers: Operand, threads: Threads) -> &'static str {
    declined(&copy(shared, registers, F16, threads), "ldstmatrix").cause
}

#[test]
fn what_is_no_matrix_is_declined() {
    let shared = |text: &str| laid_out(S, &[8, 4, 2, 2], text);
    let registers = |text: &str| laid_out(L, &[8, 4, 2, 2], text);
    assert_eq!(cause(shared("(8, 4, 2, 2) : (20, 2, 8, 1)"), fragment(2), warp()), "not-a-matrix");
    assert_eq!(cause(shared("(8, 4, 2, 2) : (1, 8, 32, 64)"), fragment(2), warp()), "not-a-matrix");
    assert_eq!(cause(shared("(8, 4, 2, 2) : (16, 2, 132, 1)"), fragment(2), warp()), "matrix-misaligned");
    assert_eq!(cause(shared("(8, 4, 2, 2) : (16, 2, 8, 1) + 4"), fragment(2), warp()), "offset-not-divisible");
    let loose = Operand { align_bytes: 8, ..matrix_rows(2) };
    assert_eq!(cause(loose, fragment(2), warp()), "storage-alignment");
    let halves = Operand { align_bytes: 2, ..fragment(2) };
    assert_eq!(cause(matrix_rows(2), halves, warp()), "storage-alignment");
    let crossed = registers("(8, 4, 2, 2) : (4@laneid, 1@laneid, 1, 2)");
    assert_eq!(cause(matrix_rows(2), crossed, warp()), "not-a-matrix");
    let apart = registers("(8, 4, 2, 2) : (4@laneid, 1@laneid, 4, 2)");
    assert_eq!(cause(matrix_rows(2), apart, warp()), "registers-not-coupled");
    let three_apart = registers("(8, 4, 2, 2) : (4@laneid, 1@laneid, 3, 1)");
    assert_eq!(cause(matrix_rows(2), three_apart, warp()), "registers-not-coupled");
    let odd = registers("(8, 4, 2, 2) : (4@laneid, 1@laneid, 2, 1) + 1");
    assert_eq!(cause(matrix_rows(2), odd, warp()), "registers-not-coupled");
    let replica = registers("(8, 4, 2, 2) : (4@laneid, 1@laneid, 2, 1) + R(2 : 4)");
    assert_eq!(cause(matrix_rows(2), replica, warp()), "memory-replica");
    assert_eq!(cause(matrix_rows(2), fragment(2), thread()), "scope-has-no-warps");
    assert_eq!(cause(matrix_rows(2), matrix_rows(2), warp()), "unsupported-spaces");
    assert_eq!(cause(matrix_rows(2), fragment(2), cta(48)), "threads-not-whole-warps");
    let lane_rows = registers("(8, 4, 2, 2) : (1@laneid, 8@laneid, 2, 1)");
    assert_eq!(cause(matrix_rows(2), lane_rows, warp()), "lanes-not-8-by-4");
    let uneven = laid_out(S, &[8, 4, 2, 2], "(2, 4, 4, 2, 2) : (100, 16, 2, 8, 1)");
    assert_eq!(cause(uneven, fragment(2), warp()), "lanes-not-8-by-4");
}

#[test]
fn run_time_begins_must_keep_rows_aligned() {
    let shared = |divisor| {
        let whole = laid_out(S, &[8, 4, 4, 2], "(8, 4, 4, 2) : (40, 2, 8, 1)");
        let begin =
            vec![Begin::Const(0), Begin::Const(0), Begin::Dynamic { value: 0, divisor, residue: 0 }, Begin::Const(0)];
        Operand { begin, extent: vec![8, 4, 2, 2], ..whole }
    };
    let problem = copy(shared(1), fragment(2), F16, warp());
    let values = Values { src: vec![1], dst: vec![], ..Values::default() };
    assert_eq!(planned_with(&problem, &values).variant(), "ldstmatrix");
    let mut shifted = laid_out(S, &[16, 8, 4, 2, 2], "(16, 8, 4, 2, 2) : (4, 64, 2, 8, 1)");
    shifted.begin[0] = Begin::Dynamic { value: 0, divisor: 1, residue: 0 };
    shifted.extent[0] = 1;
    let problem = copy(shifted, fragment(2), F16, warp());
    assert_eq!(declined(&problem, "ldstmatrix").cause, "dynamic-begin-not-divisible");
}
