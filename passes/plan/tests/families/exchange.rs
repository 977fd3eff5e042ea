//! Lanes that exchange vectors: where they do, what each accesses, and which plans made by hand are refused.

use crate::common::build::{
    F16, F32, F64, U8, chip, copy, cta, laid_out, part, planned, rows, vectors, warp, warpgroup,
};
use tile_isa::Space;
use tile_layout::{Eval, counted};
use tile_plan::address::{access_of_vector, exchanged};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::registers::steps::Swap;
use tile_plan::families::select;
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::threads::Threads;
use tile_plan::sides::side::Guard;

const G: Space = Space::Global;
const S: Space = Space::Shared;
const L: Space = Space::Local;

/// Lane i owns row i of `k` elements.
fn lane_rows(k: i64) -> Operand {
    laid_out(L, &[32, k], &format!("(32, {k}) : (1@laneid, 1)"))
}

/// Rows of `k` elements in global memory, `pitch` apart, whose storage is aligned to 128 bytes.
fn global_rows(k: i64, pitch: i64) -> Operand {
    laid_out(G, &[32, k], &format!("(32, {k}) : ({pitch}, 1)"))
}

fn load(registers: Operand, bits: u32, threads: Threads) -> Problem {
    copy(rows(G, &registers.shape), registers, bits, threads)
}

fn store(registers: Operand, bits: u32, threads: Threads) -> Problem {
    copy(registers.clone(), rows(G, &registers.shape), bits, threads)
}

/// The number of lanes that exchange, once the oracle has run the plan.
fn lanes(problem: &Problem) -> i64 {
    vectors(problem).0.exchange
}

#[test]
fn as_many_lanes_as_a_row_has_vectors_up_to_a_line() {
    for (bits, k, expected) in [
        (F32, 4, 1),
        (F32, 8, 2),
        (F32, 16, 4),
        (F32, 32, 8),
        (F32, 64, 8),
        (F32, 24, 2),
        (F32, 12, 1),
        (F16, 16, 2),
        (F16, 8, 1),
        (U8, 32, 2),
        (F64, 4, 2),
        (128, 2, 2),
    ] {
        assert_eq!(lanes(&load(lane_rows(k), bits, warp())), expected, "{bits} bits, k = {k}");
        assert_eq!(lanes(&store(lane_rows(k), bits, warp())), expected, "{bits} bits, k = {k}");
    }
}

#[test]
fn neighbours_fill_lines() {
    for k in [8, 16, 32, 64] {
        let (copy, _) = vectors(&load(lane_rows(k), F32, warp()));
        for (f, group) in (0..copy.rounds).flat_map(|f| (0..4i64).map(move |group| (f, group))) {
            let address =
                |lane: i64| access_of_vector(&mut Eval, &copy, Role::Src, (f, 8 * group + lane, 0), &[]).unwrap();
            let mut vectors: Vec<i64> = (0..8).map(address).collect();
            vectors.sort_unstable();
            let line = vectors[0] / 32 * 32;
            assert_eq!(vectors, (0..8).map(|vector| line + 4 * vector).collect::<Vec<_>>(), "k = {k}, round {f}");
        }
    }
}

#[test]
fn two_lanes_swap_halves_of_rows() {
    let (copy, _) = vectors(&load(lane_rows(8), F32, warp()));
    let steps: Vec<Swap> = copy.exchange_steps().collect();
    assert_eq!((steps, copy.shuffles()), (vec![Swap { inside: 1, bit: 2 }], 4));
    let at = |role, f, t| access_of_vector(&mut Eval, &copy, role, (f, t, 0), &[]).unwrap();
    assert_eq!([at(Role::Src, 0, 1), at(Role::Src, 1, 1)], [8, 40], "halves 0 of rows 1 and 5");
    assert_eq!([at(Role::Src, 0, 5), at(Role::Src, 1, 5)], [12, 44], "halves 1 of rows 1 and 5");
    assert_eq!([at(Role::Dst, 0, 5), at(Role::Dst, 1, 5)], [0, 4], "registers stay where they are");
}

#[test]
fn eight_lanes_take_three_steps() {
    let (copy, _) = vectors(&load(lane_rows(64), F32, warp()));
    let steps: Vec<(usize, i64)> = copy.exchange_steps().map(|step| (step.inside, step.lane())).collect();
    assert_eq!((steps, copy.shuffles()), (vec![(1, 1), (2, 2), (4, 4)], 3 * 8 * 4));
    assert_eq!(exchanged(&mut Eval, &copy, 11, 13), (8 + 5, 8 + 3));
    for (f, t) in (0..16).flat_map(|f| (0..32).map(move |t| (f, t))) {
        let (round, lane) = exchanged(&mut Eval, &copy, f, t);
        assert_eq!(exchanged(&mut Eval, &copy, round, lane), (f, t));
    }
}

#[test]
fn other_scopes_and_layouts() {
    let by = |axis: &str, count: i64| laid_out(L, &[count, 8], &format!("({count}, 8) : (1@{axis}, 1)"));
    assert_eq!(lanes(&load(by("tx", 96), F32, cta(96))), 2);
    assert_eq!(lanes(&store(by("tid_in_wg", 128), F32, warpgroup())), 2);
    let two_rows = laid_out(L, &[64, 8], "(2, 32, 8) : (8, 1@laneid, 1)");
    assert_eq!(lanes(&store(two_rows, F32, warp())), 2);
    // The registers of a lane are in another order than its row: adjacent registers are not adjacent in memory.
    let crossed = laid_out(L, &[32, 2, 2, 4], "(32, 2, 2, 4) : (1@laneid, 4, 8, 1)");
    assert_eq!(lanes(&load(crossed, F32, warp())), 1);
}

#[test]
fn rows_apart_are_exchanged_as_far_as_they_are_aligned() {
    let apart = |k, pitch| lanes(&copy(global_rows(k, pitch), lane_rows(k), F32, warp()));
    assert_eq!((apart(8, 40), apart(8, 64), apart(32, 48), apart(32, 40)), (2, 2, 4, 2));
    assert_eq!((apart(8, 36), apart(32, 36)), (1, 1), "rows begin inside a sector");
    let window = |column, k| {
        let ranges = [(0, 32), (column, k)];
        lanes(&copy(part(rows(G, &[32, 64]), &ranges), lane_rows(k), F32, warp()))
    };
    assert_eq!((window(8, 8), window(8, 32), window(32, 32), window(4, 8)), (2, 2, 8, 1));
    let base = |align_bytes| lanes(&copy(Operand { align_bytes, ..rows(G, &[32, 32]) }, lane_rows(32), F32, warp()));
    assert_eq!((base(64), base(32), base(16)), (4, 2, 1));
}

#[test]
fn not_where_there_is_nothing_to_gain() {
    let shared = copy(rows(S, &[32, 8]), lane_rows(8), F32, warp());
    assert_eq!(lanes(&shared), 1);
    let coalesced = laid_out(L, &[2, 32, 4], "(2, 32, 4) : (4, 1@laneid, 1)");
    assert_eq!(lanes(&load(coalesced, F32, warp())), 1);
    assert_eq!(lanes(&Problem { max_vector_bits: 64, ..load(lane_rows(8), F32, warp()) }), 1);
    // LLVM joins the two vectors of a row where there are accesses of 32 bytes.
    let CopyPlan::Partition(aligned) = planned(&load(lane_rows(8), F32, warp())) else { panic!("no partition") };
    for (target, expected) in [("sm_80", 2), ("sm_90a", 2), ("sm_100a", 1), ("sm_120", 1)] {
        assert_eq!(vectorize(&aligned, &chip(target), 128).unwrap().0.exchange, expected, "{target}");
    }
}

#[test]
fn lanes_that_hold_the_same_do_not_exchange() {
    let warps = laid_out(L, &[4, 8], "(4, 8) : (1@warpid, 1)");
    assert_eq!(lanes(&load(warps, F32, cta(128))), 1);
    let pairs = |k: i64| laid_out(L, &[16, k], &format!("(16, {k}) : (2@laneid, 1) + R(2 : 1@laneid)"));
    // Two lanes that exchange are 4 apart, and lanes t and t + 4 have rows of their own.
    assert_eq!((lanes(&load(pairs(8), F32, warp())), lanes(&load(pairs(32), F32, warp()))), (2, 4));
    let halves = laid_out(L, &[16, 8], "(16, 8) : (1@laneid, 1) + R(2 : 16@laneid)");
    assert_eq!(lanes(&load(halves, F32, warp())), 2);
}

#[test]
fn warps_are_whole_or_left_out() {
    let halves = laid_out(L, &[16, 8], "(16, 8) : (1@laneid, 1) + R(2 : 16@laneid)");
    let (plan, _) = vectors(&store(halves, F32, warp()));
    assert_eq!((plan.exchange, plan.guards), (1, vec![Guard { div: 16, extent: 2 }]));
    let (plan, _) = vectors(&store(lane_rows(8), F32, cta(128)));
    assert_eq!((plan.exchange, plan.guards), (2, vec![Guard { div: 32, extent: 4 }]));
    let by_48 = laid_out(L, &[48, 8], "(48, 8) : (1@tx, 1)");
    assert_eq!(lanes(&load(by_48, F32, cta(48))), 1);
}

/// The refusal of a plan after `damage`.
fn refused(problem: &Problem, damage: impl FnOnce(&mut VectorCopy)) -> String {
    let (mut plan, _) = vectors(problem);
    assert_eq!(plan.verify(), Ok(()));
    damage(&mut plan);
    let refusal = plan.verify().unwrap_err();
    assert_eq!(refusal.cause, "malformed-vector-copy");
    refusal.reason
}

#[test]
fn what_is_claimed_by_hand_is_proven() {
    let good = load(lane_rows(32), F32, warp());
    for claimed in [-2, 0, 3, 16] {
        let reason = refused(&good, |plan| plan.exchange = claimed);
        assert_eq!(reason, format!("got an exchange between {}, expected 2, 4 or 8", counted(claimed, "lane")));
    }
    let claim = |problem: &Problem, lanes| refused(problem, |plan| plan.exchange = lanes);
    let uneven = "got an exchange between 4 lanes in 6 rounds, expected a multiple of 4";
    assert_eq!(claim(&load(lane_rows(24), F32, warp()), 4), uneven);
    let shared = copy(rows(S, &[32, 8]), lane_rows(8), F32, warp());
    assert_eq!(claim(&shared, 2), "lanes exchange vectors from shared to local; needed registers and global memory");
    let narrow = Problem { max_vector_bits: 64, ..load(lane_rows(8), F32, warp()) };
    assert_eq!(claim(&narrow, 2), "lanes exchange vectors of 64 bits; needed 128");
    let by_48 = load(laid_out(L, &[48, 8], "(48, 8) : (1@tx, 1)"), F32, cta(48));
    assert!(claim(&by_48, 2).starts_with("got an exchange between lanes of 48 threads"));
    let halves = laid_out(L, &[16, 8], "(16, 8) : (1@laneid, 1) + R(2 : 16@laneid)");
    assert_eq!(claim(&store(halves, F32, warp()), 2), "lanes exchange vectors, but (t / 16) mod 2 divides a warp");
    let coalesced = laid_out(L, &[2, 32, 4], "(2, 32, 4) : (4, 1@laneid, 1)");
    assert_eq!(
        claim(&load(coalesced, F32, warp()), 2),
        "lanes exchange vectors, but 2 rounds of the source are not contiguous"
    );
    let warps = laid_out(L, &[4, 8], "(4, 8) : (1@warpid, 1)");
    assert_eq!(claim(&load(warps, F32, cta(128)), 2), "2 lanes exchange vectors, but 32 of them hold the same");
    let padded = copy(lane_rows(8), global_rows(8, 36), F32, warp());
    assert!(claim(&padded, 2).starts_with("2 lanes exchange vectors, but the destination: "));
    let shared_digit = refused(&good, |plan| plan.thread_iters = 0);
    assert_eq!(shared_digit, "lanes exchange vectors, but rounds and threads share an iter");
}

#[test]
fn a_forced_width_is_not_exchanged() {
    let whole = laid_out(L, &[4], "(4) : (1)");
    let one = copy(rows(G, &[4]), whole, F32, crate::common::build::thread());
    let forced = Problem { forced: Some("vec_128b".to_owned()), ..one };
    let Ok((CopyPlan::Partition(aligned), _)) = select(&forced, &chip("sm_90a")) else { panic!("no partition") };
    assert_eq!(vectorize(&aligned, &chip("sm_90a"), 128).unwrap().0.exchange, 1);
}
