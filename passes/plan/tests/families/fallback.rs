//! `fallback`: the threads that copy, the elements that each owns, and the few refusals.

use crate::common::build::{
    F16, F32, copy, cta, declined, laid_out, only, part, planned, planned_with, rows, thread, warp, warpgroup,
};
use crate::common::oracle::Values;
use tile_isa::{Scope, Space};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::scalar::plan::{Distributed, Owner, ScalarCopy};
use tile_plan::problem::Problem;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;
use tile_plan::problem::threads::{Active, Threads};

const G: Space = Space::Global;
const S: Space = Space::Shared;
const L: Space = Space::Local;

fn scalar(problem: &Problem) -> ScalarCopy {
    scalar_with(problem, &Values::default())
}

fn scalar_with(problem: &Problem, values: &Values) -> ScalarCopy {
    let forced = Problem { forced: Some("fallback".to_owned()), ..problem.clone() };
    match planned_with(&forced, values) {
        CopyPlan::Scalar(copy) => copy,
        other => panic!("not scalar: {other:?}"),
    }
}

fn small(threads: Threads) -> Problem {
    copy(rows(G, &[4, 6]), rows(S, &[4, 6]), F32, threads)
}

#[test]
fn the_scope_sets_who_copies() {
    assert_eq!(scalar(&small(thread())).owner, Owner::Everyone);
    for threads in [warp(), warpgroup(), cta(96), cta(1024), Threads::all(Scope::Warp, Some(64))] {
        assert_eq!(scalar(&small(threads)).owner, Owner::ScopeThread(0));
    }
}

#[test]
fn the_shape_sets_the_loops() {
    assert_eq!(scalar(&small(warp())).extents, [4, 6]);
    let row = copy(rows(G, &[1, 8]), rows(S, &[8]), F16, warp());
    let plan = scalar(&row);
    assert_eq!((plan.extents, plan.src.unwrap().walked), (vec![8], vec![None, Some(0)]));
    let one = copy(rows(G, &[1, 1]), rows(S, &[1]), F16, warp());
    assert_eq!(scalar(&one).extents, [0i64; 0]);
}

#[test]
fn the_first_active_thread_copies() {
    let owner = |threads| scalar(&small(threads)).owner;
    assert_eq!(owner(only(cta(128), |thread| thread / 32 == 3)), Owner::ScopeThread(96));
    assert_eq!(owner(only(cta(128), |thread| thread < 32)), Owner::ScopeThread(0));
    let lanes = Threads::all(Scope::Warp, Some(128));
    assert_eq!(owner(only(lanes.clone(), |thread| thread % 32 >= 16)), Owner::ScopeThread(16));
    assert_eq!(owner(only(lanes.clone(), |thread| thread > 5 && thread < 40)), Owner::BlockThreads(vec![6, 32]));
    assert_eq!(owner(only(warpgroup(), |thread| thread / 32 == 2)), Owner::ScopeThread(64));
    let nobody = small(only(lanes, |_| false));
    assert_eq!(declined(&nobody, "fallback").cause, "no-active-thread");
}

#[test]
fn unknown_conditions_are_refused_with_their_name() {
    let unknown = |scope| Threads {
        active: Active::Unknown { why: "i < n".to_owned(), in_warps: false },
        ..Threads::all(scope, Some(64))
    };
    let decline = declined(&small(unknown(Scope::Warp)), "fallback");
    assert_eq!(decline.cause, "active-unknown");
    assert!(decline.reason.contains("i < n; needed a condition that is uniform over the warp"), "{decline}");
    let alone = Problem { forced: Some("fallback".to_owned()), ..small(unknown(Scope::Thread)) };
    assert!(tile_plan::families::select(&alone, &crate::common::build::chip("sm_90a")).is_ok());
}

#[test]
fn any_two_memories() {
    for (src, dst) in [(G, G), (S, S), (G, S), (S, G)] {
        let twice = laid_out(dst, &[4, 6], "(4, 6) : (6, 1) + R(2 : 24)");
        let problem = copy(rows(src, &[4, 6]), twice, F32, warp());
        assert_eq!(planned(&problem).variant(), "fallback", "{src} {dst}");
    }
    let tensor = copy(laid_out(Space::Tmem, &[4, 6], "(4, 6) : (1@TLane, 1@TCol)"), rows(S, &[4, 6]), F32, warp());
    let decline = declined(&tensor, "fallback");
    assert_eq!((decline.cause, decline.operand), ("tensor-memory", Some(Role::Src)));
}

#[test]
fn odd_layouts_are_evaluated_as_they_are() {
    let fallback = |problem: &Problem| scalar(&Problem { forced: Some("fallback".to_owned()), ..problem.clone() });
    let uneven = laid_out(G, &[3, 8], "(4, 6) : (8, 1)");
    fallback(&copy(uneven, rows(S, &[3, 8]), F32, warp()));
    let tiled = laid_out(S, &[16, 6], "(4, 4, 6) : (100, 7, 1), swizzle<base = 1, bits = 1, shift = 2>");
    fallback(&copy(rows(G, &[9, 6]), part(tiled, &[(3, 9), (0, 6)]), F32, warp()));
}

#[test]
fn every_copy_of_a_destination_is_written() {
    let replicated =
        laid_out(S, &[4, 6], "(4, 6) : (6, 1) + R((2, 3) : (24, 48)), swizzle<base = 1, bits = 1, shift = 2>");
    let plan = scalar(&copy(rows(G, &[4, 6]), replicated, F32, warp()));
    assert_eq!(plan.dst.copies().map(|iter| iter.extent).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn lanes_may_count_down() {
    let (rows, both) = ("(4, 8) : (-8@laneid, 1@laneid) + 24@laneid", "(4, 8) : (-8@laneid, -1@laneid) + 31@laneid");
    let among_others = "(4, 4, 2) : (-8@laneid, 2@laneid, -1) + 24@laneid + 1";
    for layout in [rows, both, among_others] {
        let held = laid_out(L, &[4, 8], layout);
        for region in [[(0, 4), (0, 8)], [(1, 2), (2, 4)]] {
            let (held, memory) = (part(held.clone(), &region), part(crate::common::build::rows(G, &[4, 8]), &region));
            scalar(&copy(memory.clone(), held.clone(), F32, warp()));
            scalar(&copy(held, memory, F32, warp()));
        }
    }
}

#[test]
fn run_time_begins_are_evaluated() {
    let begin =
        vec![Begin::Dynamic { value: 1, divisor: 1, residue: 0 }, Begin::Dynamic { value: 0, divisor: 3, residue: 2 }];
    let window = Operand { begin, extent: vec![4, 6], ..laid_out(S, &[16, 16], "(4, 4, 16) : (5, 31, 124)") };
    let values = Values { src: vec![5, 7], dst: vec![], ..Values::default() };
    scalar_with(&copy(window, rows(G, &[4, 6]), F32, warp()), &values);
}

#[test]
fn private_registers() {
    assert_eq!(scalar(&copy(rows(S, &[8]), rows(L, &[8]), F32, warp())).owner, Owner::Everyone);
    assert_eq!(scalar(&copy(rows(L, &[8]), rows(S, &[8]), F32, warp())).owner, Owner::ScopeThread(0));
    assert_eq!(scalar(&copy(rows(L, &[8]), rows(L, &[8]), F32, warp())).owner, Owner::Everyone);
    let narrowed = only(warp(), |thread| thread >= 16);
    assert_eq!(scalar(&copy(rows(L, &[8]), rows(S, &[8]), F32, narrowed)).owner, Owner::ScopeThread(16));
}

fn owned(problem: &Problem) -> Distributed {
    match scalar(problem).owner {
        Owner::Distributed(owned) => owned,
        other => panic!("not distributed: {other:?}"),
    }
}

#[test]
fn each_lane_copies_what_it_owns() {
    let every_other = laid_out(L, &[16, 8], "(16, 8) : (2@laneid, 1)");
    let owned = owned(&copy(rows(S, &[16, 8]), every_other, F32, warp()));
    assert_eq!((owned.digits.len(), owned.digits[0].stride, owned.digits[0].weight), (1, 2, 8));
    assert_eq!((owned.serial.len(), owned.serial[0].extent), (1, 8));
    assert!(owned.windows.iter().all(|window| !window.check));
}

#[test]
fn offsets_replicas_and_gaps_over_threads() {
    let shifted = laid_out(L, &[16, 2], "(16, 2) : (1@laneid, 1) + 8@laneid");
    assert_eq!(owned(&copy(rows(S, &[16, 2]), shifted.clone(), F32, warp())).thread_offset, 8);
    owned(&copy(shifted, rows(S, &[16, 2]), F32, warp()));
    let replicated = || laid_out(L, &[8, 2], "(8, 2) : (1@laneid, 1) + R(2 : 16@laneid)");
    assert!(owned(&copy(replicated(), rows(S, &[8, 2]), F32, warp())).digits.iter().any(|digit| digit.only_zero));
    owned(&copy(rows(S, &[8, 2]), replicated(), F32, cta(64)));
    let some_warps = || laid_out(L, &[2, 4], "(2, 4) : (2@warpid, 1)");
    owned(&copy(some_warps(), rows(S, &[2, 4]), F32, cta(128)));
    owned(&copy(rows(S, &[2, 4]), some_warps(), F32, cta(128)));
    let one_warp = laid_out(L, &[32, 4], "(32, 4) : (1@laneid, 1) + 1@warpid");
    assert_eq!(owned(&copy(one_warp, rows(S, &[32, 4]), F32, cta(128))).thread_offset, 32);
}

#[test]
fn registers_of_a_block_at_a_narrower_scope() {
    let by_tx = || laid_out(L, &[32, 8], "(32, 8) : (1@tx, 1)");
    owned(&copy(by_tx(), rows(S, &[32, 8]), F32, warp()));
    let two_warps = copy(by_tx(), rows(S, &[32, 8]), F32, Threads::all(Scope::Warp, Some(64)));
    assert_eq!(declined(&two_warps, "fallback").cause, "thread-axis-wider-than-scope");
    assert_eq!(
        declined(&copy(by_tx(), rows(S, &[32, 8]), F32, thread()), "fallback").cause,
        "thread-axis-wider-than-scope"
    );
}

#[test]
fn regions_that_no_iters_describe_are_checked_per_element() {
    let rows_of_lanes = laid_out(L, &[32, 8], "(4, 8, 8) : (1@laneid, 4@laneid, 1)");
    let problem = copy(rows(S, &[9, 8]), part(rows_of_lanes, &[(3, 9), (0, 8)]), F32, warp());
    let owned = owned(&problem);
    assert_eq!(owned.domain, [32, 8]);
    assert_eq!(owned.windows.iter().map(|window| window.check).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn owners_must_take_part() {
    let lanes = laid_out(L, &[32, 8], "(32, 8) : (1@laneid, 1)");
    let upper = |ranges: &[(i64, i64)]| {
        let threads = only(warp(), |thread| thread >= 16);
        copy(part(lanes.clone(), ranges), part(rows(S, &[32, 8]), ranges), F32, threads)
    };
    assert_eq!(planned(&upper(&[(16, 16), (0, 8)])).variant(), "fallback");
    let decline = declined(&upper(&[(0, 32), (0, 8)]), "fallback");
    assert_eq!(decline.cause, "owner-not-active");
    assert!(decline.reason.contains("thread 0 of the scope owns elements of the source"), "{decline}");
    let one_warp = only(cta(64), |thread| thread >= 32);
    assert_eq!(planned(&copy(rows(S, &[32, 8]), lanes.clone(), F32, one_warp.clone())).variant(), "fallback");
    assert_eq!(declined(&copy(lanes.clone(), rows(S, &[32, 8]), F32, one_warp), "fallback").cause, "owner-not-active");
    let replicated = laid_out(L, &[16, 2], "(16, 2) : (1@laneid, 1) + R(2 : 16@laneid)");
    let lower = only(warp(), |thread| thread < 16);
    let load = copy(rows(S, &[16, 2]), replicated.clone(), F32, lower.clone());
    assert_eq!(declined(&load, "fallback").cause, "owner-not-active");
    assert_eq!(planned(&copy(replicated, rows(S, &[16, 2]), F32, lower)).variant(), "fallback");
    let ragged = copy(rows(S, &[32, 8]), lanes, F32, Threads::all(Scope::Warp, Some(48)));
    assert_eq!(declined(&ragged, "fallback").cause, "owner-not-active");
}

#[test]
fn owners_that_cannot_be_told() {
    let overlapping = laid_out(L, &[4, 4, 2], "(4, 4, 2) : (2@laneid, 1@laneid, 1)");
    let decline = declined(&copy(overlapping, rows(S, &[4, 4, 2]), F32, warp()), "fallback");
    assert_eq!((decline.cause, decline.operand), ("thread-iters-overlap", Some(Role::Src)));
    let lanes = || laid_out(L, &[32, 8], "(32, 8) : (1@laneid, 1)");
    assert_eq!(declined(&copy(lanes(), lanes(), F32, warp()), "fallback").cause, "register-to-register");
}
