//! Asynchronous copies recorded from another compiler: the same variant, the same numbers, the right elements.

use crate::common::cases::{async_copies, id, int, list, problem};
use crate::common::oracle::{Values, check};
use serde_json::Value;
use tile_layout::Eval;
use tile_plan::address::vector_address;
use tile_plan::families::bulk::plan::BulkCopy;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::role::Role;
use tile_plan::target::Target;

/// The cases that `variant` took, or that none did, whose id contains `part`.
fn recorded(variant: Option<&str>, part: &str) -> Vec<Value> {
    let all = async_copies("copies.json").into_iter();
    all.filter(|case| case["expect"]["variant"].as_str() == variant && id(case).contains(part)).collect()
}

fn target(case: &Value) -> Target {
    Target::parse(case["arch"].as_str().unwrap()).unwrap()
}

/// The plan of a case, which has run and moved the right elements.
fn plan(case: &Value) -> CopyPlan {
    let (problem, target) = (problem(case).unwrap(), target(case));
    let (aligned, _) = select(&problem, &target).unwrap_or_else(|error| panic!("{}: {error}", id(case)));
    check(&problem, &aligned, &target, &Values::default()).unwrap_or_else(|error| panic!("{}: {error}", id(case)));
    aligned
}

fn same_vectors(case: &Value, copy: &VectorCopy) {
    let (expect, name) = (&case["expect"], id(case));
    assert_eq!(copy.vector_bits(), int(&expect["vec_bits"]), "{name}");
    assert_eq!(copy.rounds, int(&expect["rounds"]), "{name}");
    let Some(samples) = expect.get("sample_round_thread_goff_soff") else { return };
    assert_eq!(copy.vector, int(&expect["vec_elems"]), "{name}");
    for sample in list(samples) {
        let [f, t, global, shared] = [0, 1, 2, 3].map(|index| int(&sample[index]));
        let at = |role| vector_address(&mut Eval, copy, role, f, t, &[]).unwrap();
        assert_eq!((at(Role::Src), at(Role::Dst)), (global, shared), "{name}: round {f} of thread {t}");
    }
}

#[test]
fn cp_async_is_planned_the_same() {
    let cases = recorded(Some("ldgsts"), "");
    assert_eq!(cases.len(), 31);
    let mut fewer = 0;
    for case in &cases {
        let CopyPlan::Partition(copy) = plan(case) else { panic!("{}: no partition", id(case)) };
        assert_eq!(copy.variant, "ldgsts", "{}", id(case));
        let (copy, _) = vectorize(&copy, &target(case), problem(case).unwrap().max_vector_bits).unwrap();
        if copy.is_even() {
            same_vectors(case, &copy);
        } else {
            assert!(copy.rounds < int(&case["expect"]["rounds"]), "{}: {copy:?}", id(case));
            fewer += 1;
        }
        let prefetch = case["config"].get("prefetch_size").map(|size| format!(".L2::{size}B")).unwrap_or_default();
        let level = if copy.vector_bits() == 128 { "cg" } else { "ca" };
        assert_eq!(copy.instruction(), Some(format!("cp.async.{level}.shared.global{prefetch}")));
    }
    assert_eq!(fewer, 7);
}

/// The recorded text of a copy in several chunks is a loop: one instruction.
fn same_chunks(case: &Value, copy: &BulkCopy) {
    let chunks = match id(case) {
        name if name.contains("contiguous-1d") => (1, 512),
        name if name.contains("stride-gap") || name.contains("diff-stride") => (8, 256),
        name => panic!("{name}: not known"),
    };
    assert_eq!((copy.chunks(), copy.chunk_bytes()), chunks, "{}", id(case));
}

#[test]
fn cluster_copies_are_planned_the_same() {
    let cases = recorded(Some("dsmem"), "");
    assert_eq!(cases.len(), 3);
    for case in &cases {
        let CopyPlan::Bulk(copy) = plan(case) else { panic!("{}: no bulk copy", id(case)) };
        same_chunks(case, &copy);
    }
}

/// Equal shares under 4 bytes: refused there; here some threads copy 4 bytes or more.
#[test]
fn narrow_shares_are_left_to_some_threads() {
    let cases = recorded(None, "ldgsts");
    assert_eq!(cases.len(), 12);
    for case in &cases {
        let CopyPlan::Partition(copy) = plan(case) else { panic!("{}: no partition", id(case)) };
        let (copy, _) = vectorize(&copy, &target(case), 128).unwrap();
        assert_eq!((copy.variant, copy.is_even()), ("ldgsts", false), "{}", id(case));
    }
}

/// One recorded trap is a chip that has no `cp.async`; this compiler does not know that chip, and sm_75 declines.
#[test]
fn chips_without_cp_async_do_it_at_once() {
    let is_unknown = |case: &Value| Target::parse(case["arch"].as_str().unwrap()).is_err();
    let cases: Vec<Value> = async_copies("traps.json").into_iter().filter(is_unknown).collect();
    assert_eq!(cases.len(), 1);
    let problem = problem(&cases[0]).unwrap();
    let target = Target::parse("sm_75").unwrap();
    let (aligned, declines) = select(&problem, &target).unwrap();
    assert_eq!((aligned.variant(), declines[0].cause), ("gmem_smem", "chip-lacks-cp-async"));
    check(&problem, &aligned, &target, &Values::default()).unwrap();
}
