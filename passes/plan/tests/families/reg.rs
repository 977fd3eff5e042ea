//! `reg`: which thread holds which elements, the width of its accesses, and what is declined.

use crate::common::build::{
    F16, F32, U8, copy, cta, declined, declined_on, laid_out, only, part, planned, planned_with, rows, thread, vectors,
    vectors_with, warp, warpgroup, width,
};
use crate::common::oracle::Values;
use tile_isa::{Cache, Scope, Space};
use tile_layout::Eval;
use tile_plan::address::vector_address;
use tile_plan::problem::Problem;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;
use tile_plan::problem::threads::Threads;
use tile_plan::sides::side::Guard;

const G: Space = Space::Global;
const S: Space = Space::Shared;
const L: Space = Space::Local;

/// Lane i owns row i of `k` elements.
fn lane_rows(k: i64) -> Operand {
    laid_out(L, &[32, k], &format!("(32, {k}) : (1@laneid, 1)"))
}

fn load(registers: Operand, bits: u32, threads: Threads) -> Problem {
    copy(rows(S, &registers.shape), registers, bits, threads)
}

fn store(registers: Operand, bits: u32, threads: Threads) -> Problem {
    copy(registers.clone(), rows(G, &registers.shape), bits, threads)
}

#[test]
fn elements_per_lane_set_vector_and_rounds() {
    for (bits, k, expected) in
        [(F32, 8, (4, 2)), (F32, 16, (4, 4)), (F16, 8, (8, 1)), (F16, 16, (8, 2)), (F32, 3, (1, 3)), (U8, 8, (8, 1))]
    {
        assert_eq!(width(&load(lane_rows(k), bits, warp())), expected, "{bits} bits, k = {k}");
        assert_eq!(width(&store(lane_rows(k), bits, warp())), expected, "{bits} bits, k = {k}");
    }
}

#[test]
fn each_lane_stays_in_its_row() {
    let (copy, _) = vectors(&load(lane_rows(8), F32, warp()));
    for (f, t) in [(0, 0), (1, 0), (0, 7), (1, 31)] {
        assert_eq!(vector_address(&mut Eval, &copy, Role::Src, f, t, &[]), Ok(8 * t + 4 * f));
        assert_eq!(vector_address(&mut Eval, &copy, Role::Dst, f, t, &[]), Ok(4 * f));
    }
}

#[test]
fn other_ownerships() {
    let columns = laid_out(L, &[8, 32], "(8, 32) : (1, 1@laneid)");
    assert_eq!(width(&load(columns, F32, warp())), (1, 8));
    let two_rows = laid_out(L, &[64, 8], "(2, 32, 8) : (8, 1@laneid, 1)");
    assert_eq!(width(&load(two_rows, F32, warp())), (4, 4));
    let pairs = laid_out(L, &[4, 64], "(4, 32, 2) : (2, 1@laneid, 1)");
    assert_eq!(width(&load(pairs, F32, warp())), (2, 4));
    let private = laid_out(L, &[4, 8], "(4, 8) : (8, 1)");
    assert_eq!(width(&load(private, F32, thread())), (4, 8));
    let crossed = laid_out(L, &[32, 2, 2], "(32, 2, 2) : (1@laneid, 2, 4)");
    assert_eq!(width(&store(crossed, F32, warp())), (1, 4));
}

#[test]
fn fragments_cover_the_lanes_with_several_iters() {
    let fragment = laid_out(L, &[16, 16], "(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)");
    assert_eq!(width(&load(fragment.clone(), F32, warp())), (2, 4));
    assert_eq!(width(&store(fragment, F16, warp())), (2, 4));
}

#[test]
fn scope_sets_the_axis() {
    let by = |axis: &str, count: i64| laid_out(L, &[count, 8], &format!("({count}, 8) : (1@{axis}, 1)"));
    assert_eq!(width(&load(by("tid_in_wg", 128), F16, warpgroup())), (8, 1));
    assert_eq!(width(&load(by("tx", 96), F16, cta(96))), (8, 1));
    let warps = laid_out(L, &[4, 32, 8], "(4, 32, 8) : (1@warpid, 1@laneid, 1)");
    assert_eq!(width(&load(warps, F16, cta(128))), (8, 1));
    let in_groups = laid_out(L, &[4, 32, 8], "(4, 32, 8) : (1@wid_in_wg, 1@laneid, 1)");
    assert_eq!(width(&load(in_groups, F16, warpgroup())), (8, 1));
}

#[test]
fn column_regions() {
    let region = |column| {
        let ranges = [(0, 32), (column, 4)];
        copy(part(rows(S, &[32, 8]), &ranges), part(lane_rows(8), &ranges), F32, warp())
    };
    assert_eq!((width(&region(0)), width(&region(4)), width(&region(2))), ((4, 1), (4, 1), (2, 2)));
    let one = copy(part(rows(S, &[32, 8]), &[(0, 32), (1, 1)]), part(lane_rows(8), &[(0, 32), (1, 1)]), F32, warp());
    assert_eq!(width(&one), (1, 1));
}

#[test]
fn register_offsets_count() {
    let at_4 = laid_out(L, &[32, 8], "(32, 8) : (1@laneid, 1) + 4");
    assert_eq!(width(&load(at_4.clone(), F32, warp())), (4, 2));
    assert_eq!(width(&load(at_4, F16, warp())), (4, 2));
}

#[test]
fn memory_strides_of_lanes_count_but_not_those_of_registers() {
    let padded = laid_out(S, &[32, 8], "(32, 8) : (10, 1)");
    assert_eq!(width(&copy(padded, lane_rows(8), F32, warp())), (2, 4));
    let odd = laid_out(S, &[32, 8], "(32, 8) : (9, 1)");
    let (plan, narrowings) = vectors(&copy(odd, lane_rows(8), F32, warp()));
    assert_eq!((plan.vector, narrowings[0].cause), (1, "stride-not-divisible"));
}

#[test]
fn a_swizzle_caps_the_width_unless_it_moves_nothing() {
    let swizzled = |text: &str| {
        let shared = laid_out(S, &[32, 8], &format!("(32, 8) : (8, 1), swizzle<{text}>"));
        width(&copy(shared, lane_rows(8), F16, warp()))
    };
    assert_eq!((swizzled("3, 3, 3"), swizzled("2, 1, 3"), swizzled("2, 0, 3")), ((8, 1), (4, 2), (8, 1)));
}

#[test]
fn threads_that_hold_the_same_all_load_and_one_stores() {
    let (plan, _) = vectors(&load(lane_rows(8), F32, cta(128)));
    assert_eq!((plan.threads, plan.rounds, plan.guards), (128, 2, vec![]));
    let (plan, _) = vectors(&store(lane_rows(8), F32, cta(128)));
    assert_eq!((plan.vector, plan.guards), (4, vec![Guard { div: 32, extent: 4 }]));
    let warps = laid_out(L, &[4, 8], "(4, 8) : (1@warpid, 1)");
    let (plan, _) = vectors(&store(warps, F32, cta(128)));
    assert_eq!(plan.guards, [Guard { div: 1, extent: 32 }]);
    let private = laid_out(L, &[8], "(8) : (1)");
    assert_eq!(vectors(&store(private, F32, warp())).0.guards, [Guard { div: 1, extent: 32 }]);
}

#[test]
fn replicas_over_lanes() {
    let halves = laid_out(L, &[16, 8], "(16, 8) : (1@laneid, 1) + R(2 : 16@laneid)");
    assert_eq!(width(&load(halves.clone(), F32, warp())), (4, 2));
    assert_eq!(vectors(&store(halves, F32, warp())).0.guards, [Guard { div: 16, extent: 2 }]);
    let pairs = laid_out(L, &[16, 8], "(16, 8) : (2@laneid, 1) + R(2 : 1@laneid)");
    assert_eq!(vectors(&store(pairs, F32, warp())).0.guards, [Guard { div: 1, extent: 2 }]);
}

#[test]
fn lanes_that_own_nothing_are_not_overlooked() {
    let every_other = laid_out(L, &[16, 8], "(16, 8) : (2@laneid, 1)");
    let decline = declined(&load(every_other.clone(), F32, warp()), "reg");
    assert_eq!((decline.cause, decline.operand), ("threads-not-covered", Some(Role::Dst)));
    assert!(decline.reason.contains("count 16 positions; needed each of the threads 0 to 31"), "{decline}");
    assert_eq!(planned(&load(every_other, F32, warp())).variant(), "fallback");
    let half = |operand: Operand| part(operand, &[(0, 16), (0, 8)]);
    let problem = copy(half(rows(S, &[32, 8])), half(lane_rows(8)), F32, warp());
    assert_eq!(declined(&problem, "reg").cause, "threads-not-covered");
    assert_eq!(planned(&problem).variant(), "fallback");
}

#[test]
fn lanes_counted_twice_are_not_all_lanes() {
    // 32 positions, but lanes 0 to 16 only.
    let twice = laid_out(L, &[2, 16, 8], "(2, 16, 8) : (1@laneid, 1@laneid, 1)");
    assert_eq!(declined(&store(twice.clone(), F32, warp()), "reg").cause, "threads-not-covered");
    assert_eq!(declined(&store(twice, F32, warp()), "fallback").cause, "thread-iters-overlap");
}

#[test]
fn axes_wider_than_the_scope_are_declined() {
    let by_tx = laid_out(L, &[32, 8], "(32, 8) : (1@tx, 1)");
    let decline = declined(&load(by_tx.clone(), F32, warp()), "reg");
    assert_eq!(decline.cause, "thread-axis-wider-than-scope");
    assert!(decline.reason.contains("axis 'tx' counts within a cta"), "{decline}");
    assert_eq!(planned(&load(by_tx, F32, warp())).variant(), "fallback");
}

#[test]
fn declines_of_the_register_side() {
    let replicated = laid_out(L, &[32, 8], "(32, 8) : (1@laneid, 1) + R(2 : 8)");
    assert_eq!(declined(&load(replicated.clone(), F32, warp()), "reg").cause, "memory-replica");
    assert_eq!(planned(&load(replicated.clone(), F32, warp())).variant(), "fallback");
    assert_eq!(width(&store(replicated, F32, warp())), (4, 2));
    let swizzled = laid_out(L, &[4, 8], "(4, 8) : (8, 1), swizzle<base = 1, bits = 1, shift = 1>");
    assert_eq!(declined(&load(swizzled.clone(), F32, thread()), "reg").cause, "swizzled-registers");
    assert_eq!(planned(&load(swizzled, F32, thread())).variant(), "fallback");
    let both = copy(lane_rows(8), lane_rows(8), F32, warp());
    assert_eq!(declined(&both, "reg").cause, "unsupported-spaces");
    let uneven = copy(laid_out(S, &[12], "(3, 4) : (1, 3)"), laid_out(L, &[12], "(4, 3) : (1, 4)"), F32, thread());
    assert_eq!(declined(&uneven, "reg").cause, "no-common-refinement");
    assert_eq!(planned(&uneven).variant(), "fallback");
}

#[test]
fn inactive_lanes() {
    let problem = load(lane_rows(8), F32, only(warp(), |thread| thread >= 16));
    let decline = declined(&problem, "reg");
    assert_eq!(decline.reason, "laneid narrowed to [16, 32) vs full [0, 32)");
    assert_eq!(declined(&problem, "fallback").cause, "owner-not-active");
}

#[test]
fn run_time_begins() {
    let shared = rows(S, &[128, 8]);
    let begin = vec![Begin::Dynamic { value: 0, divisor: 1, residue: 0 }, Begin::Const(0)];
    let window = Operand { begin: begin.clone(), extent: vec![32, 8], ..shared };
    let values = Values { src: vec![37], dst: vec![], ..Values::default() };
    assert_eq!(vectors_with(&copy(window.clone(), lane_rows(8), F32, warp()), &values).0.vector, 4);
    let lanes = Operand { begin, extent: vec![8, 8], ..lane_rows(8) };
    let problem = copy(rows(S, &[8, 8]), lanes, F32, warp());
    assert_eq!(declined(&problem, "reg").cause, "dynamic-begin-on-thread-axis");
    let values = Values { src: vec![], dst: vec![11], ..Values::default() };
    assert_eq!(planned_with(&problem, &values).variant(), "fallback");
}

#[test]
fn hints_are_kept_for_loads_from_global_memory() {
    let global = |config: &[(&str, &str)]| Problem {
        cache: Cache::from_options(config.iter().copied()).unwrap(),
        ..copy(rows(G, &[32, 8]), lane_rows(8), F32, warp())
    };
    let (plan, _) = vectors(&global(&[("cache", "nc"), ("l1_evict", "L1::no_allocate")]));
    assert!(plan.cache.nc && plan.cache.l1_evict.is_some());
    let wide_only = global(&[("l2_evict", "L2::evict_first")]);
    assert_eq!(declined(&wide_only, "reg").cause, "hint-needs-256-bits");
    let prefetch = global(&[("prefetch_size", "L2::256B")]);
    assert_eq!(declined_on(&prefetch, "reg", "sm_75").cause, "chip-lacks-prefetch-size");
    let shared = Problem { cache: prefetch.cache, ..load(lane_rows(8), F32, warp()) };
    assert_eq!(declined(&shared, "reg").cause, "cache-needs-global-source");
}

#[test]
fn warps_of_a_block_work_alone() {
    let (plan, _) = vectors(&store(lane_rows(8), F32, Threads::all(Scope::Warp, Some(128))));
    assert_eq!((plan.threads, plan.guards), (32, vec![]));
}
