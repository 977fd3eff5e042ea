//! Vectors of registers from rows that begin at any element: two aligned chunks each, and elements at the ends of rows.

use crate::common::build::{F16, F32, F64, U8, copy, cta, declined, laid_out, part, planned, rows, thread, warp};
use proptest::prelude::*;
use tile_isa::Cache;
use tile_isa::Space::{Global, Local, Shared};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::realign::loads::RealignedLoads;
use tile_plan::problem::Problem;
use tile_plan::problem::mask::Mask;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::threads::Threads;

const NAME: &str = "realign_loads";

/// Eight rows of four vectors each, whose lanes are neighbours.
fn lanes(vector: i64) -> Operand {
    laid_out(Local, &[8, 4 * vector], &format!("(8, 4, {vector}) : (4@laneid, 1@laneid, 1)"))
}

/// Loads of a part of a matrix of that leading dimension.
fn loads(registers: Operand, pitch: i64, begin: [i64; 2], bits: u32, threads: Threads) -> Problem {
    let [height, width] = [registers.shape[0], registers.shape[1]];
    let matrix = rows(Global, &[begin[0] + height, pitch]);
    let src = part(matrix, &[(begin[0], height), (begin[1], width)]);
    Problem { forced: Some(NAME.to_owned()), ..copy(src, registers, bits, threads) }
}

fn realigned(problem: &Problem) -> RealignedLoads {
    match planned(problem) {
        CopyPlan::RealignedLoads(plan) => plan,
        other => panic!("not realigned: {other:?}"),
    }
}

#[test]
fn vectors_of_all_widths() {
    for (bits, vector) in [(U8, 16), (F16, 8), (F32, 4), (F64, 2)] {
        let plan = realigned(&loads(lanes(vector), 4 * vector + 3, [1, 2], bits, warp()));
        assert_eq!((plan.vectors.vector, plan.vectors.rounds, plan.vectors_of_row()), (vector, 1, 4), "{bits} bits");
    }
    // Four rows of a block of 4x4 elements, as a transposed copy has them: rows of 64.
    let blocks = laid_out(Local, &[64, 64], "(16, 4, 16, 4) : (16@tx, 4, 1@tx, 1)");
    let plan = realigned(&loads(blocks, 16381, [0, 64], F32, cta(256)));
    assert_eq!((plan.vectors.rounds, plan.row()), (4, 64));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    /// Any begin in rows of any length, whose vectors are a thread's or its neighbours': all bytes are those of the region.
    #[test]
    fn any_rows(wide in 0..4usize, more in 0..19i64, row in 0..3i64, column in 0..17i64, inner_bits in 0..3u32) {
        let (bits, vector) = [(U8, 16), (F16, 8), (F32, 4), (F64, 2)][wide];
        let (inner, outer) = (1i64 << inner_bits, 4i64 >> inner_bits);
        let layout = format!("(8, {outer}, {inner}, {vector}) : ({outer}@laneid, 1@laneid, {vector}, 1)");
        let registers = laid_out(Local, &[8, 4 * vector], &layout);
        let threads = if inner_bits == 0 { warp() } else { cta(8 * outer) };
        let registers = if inner_bits == 0 { registers } else {
            laid_out(Local, &[8, 4 * vector], &layout.replace("laneid", "tx"))
        };
        let plan = realigned(&loads(registers, column + 4 * vector + more, [row, column], bits, threads));
        prop_assert_eq!(plan.vectors_of_row() % 4, 0);
    }
}

#[test]
fn declines() {
    let plain = loads(lanes(4), 19, [0, 1], F32, warp());
    let cause = |problem: &Problem| declined(problem, NAME).cause;
    let stores = copy(lanes(4), rows(Global, &[8, 16]), F32, warp());
    assert_eq!(cause(&stores), "unsupported-spaces");
    assert_eq!(cause(&copy(rows(Shared, &[8, 16]), lanes(4), F32, warp())), "unsupported-spaces");
    assert_eq!(cause(&Problem { mask: Some(Mask::of(&[8, 16], Vec::new(), None)), ..plain.clone() }), "masked-copy");
    assert_eq!(cause(&Problem { max_vector_bits: 64, ..plain.clone() }), "vector-limit-under-16-bytes");
    let hinted = Cache { nc: true, ..Cache::default() };
    assert_eq!(cause(&Problem { cache: hinted, ..plain }), "hinted-loads");
    let registers = laid_out(Local, &[4, 16], "(4, 16) : (16, 1)");
    assert_eq!(cause(&loads(registers, 19, [0, 1], F32, thread())), "scope-has-no-warps");
    let pairs = laid_out(Local, &[8, 8], "(8, 4, 2) : (4@laneid, 1@laneid, 1)");
    assert_eq!(cause(&loads(pairs, 19, [0, 1], F32, warp())), "not-contiguous");
    let short = laid_out(Local, &[16, 8], "(16, 2, 4) : (2@laneid, 1@laneid, 1)");
    assert_eq!(cause(&loads(short, 19, [0, 1], F32, warp())), "run-too-short");
}
