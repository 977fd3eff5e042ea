//! Random copies against enumeration: whatever is planned moves exactly the region, and what is refused has a reason.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::common::bulk::{bulk_copy, cluster_copy};
use crate::common::generate::{async_copy, fragment_copy, memory_copy, private_copy, register_copy};
use crate::common::generate_registers::row_copy;
use crate::common::generate_tensor::{tmem_access, tmem_copy};
use crate::common::oracle::{Values, check};
use crate::common::tape::{Tape, tapes};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tile_isa::{TmemForm, TmemShape};
use tile_plan::choose::SelectError;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::role::Role;
use tile_plan::target::Target;

/// Runs a property over random copies, and counts each outcome.
fn outcomes(
    generate: impl Fn(&mut Tape) -> (Problem, Values),
    verify: impl Fn(&Problem, &Values) -> Result<String, String>,
) -> BTreeMap<String, usize> {
    let seen = Mutex::new(BTreeMap::new());
    let mut runner = TestRunner::new(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() });
    let result = runner.run(&tapes(), |mut tape| {
        let (problem, values) = generate(&mut tape);
        let outcome = verify(&problem, &values)
            .map_err(|error| TestCaseError::fail(format!("{error}\n{problem:#?}\n{values:?}")))?;
        *seen.lock().unwrap().entry(outcome).or_insert(0) += 1;
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let seen = seen.into_inner().unwrap();
    println!("{seen:?}");
    seen
}

/// The variant that took the copy and moved the right elements, or the cause of the last decline.
fn outcome(problem: &Problem, values: &Values) -> Result<String, String> {
    outcome_on(problem, values, "sm_90a")
}

fn outcome_on(problem: &Problem, values: &Values, target: &str) -> Result<String, String> {
    let target = Target::parse(target).unwrap();
    match select(problem, &target) {
        Ok((aligned, declines)) => {
            check(problem, &aligned, &target, values).map_err(|error| format!("{error}\n{aligned:#?}"))?;
            if declines.iter().any(|decline| decline.reason.is_empty()) {
                return Err("a decline without a reason".to_owned());
            }
            Ok(aligned.variant().to_owned())
        }
        Err(SelectError::Declined { declines, .. }) => {
            let last = declines.last().ok_or("no variant was asked")?;
            Ok(last.cause.to_owned())
        }
        Err(error) => Err(error.to_string()),
    }
}

fn assert_seen(seen: &BTreeMap<String, usize>, wanted: &[&str]) {
    for name in wanted {
        assert!(seen.contains_key(*name), "no copy ended as {name}: {seen:?}");
    }
}

#[test]
fn memory_copies_always_have_a_plan() {
    let seen = outcomes(memory_copy, |problem, values| {
        let outcome = outcome(problem, values)?;
        let target = Target::parse("sm_90a").unwrap();
        let Ok((CopyPlan::Partition(copy), _)) = select(problem, &target) else { return Ok(outcome) };
        let (plan, _) = vectorize(&copy, &target, 128).map_err(|error| error.to_string())?;
        let last = if plan.is_even() { "" } else { ", some in the last round" };
        let sharers = if plan.ranks.is_some() { ", by ranks" } else { "" };
        Ok(format!("{outcome}{last}{sharers}"))
    });
    let kinds = ["", ", some in the last round", ", by ranks", ", some in the last round, by ranks"];
    let vectors = ["gmem_smem", "same_memory"].map(|variant| kinds.map(|kind| format!("{variant}{kind}")));
    let others = ["fallback", "transpose", "realign"];
    let wanted: Vec<&str> = vectors.iter().flatten().map(String::as_str).chain(others).collect();
    assert_seen(&seen, &["gmem_smem", "gmem_smem, some in the last round", "gmem_smem, by ranks"]);
    assert_seen(&seen, &["same_memory", "same_memory, some in the last round", "fallback"]);
    assert!(seen.keys().all(|name| wanted.contains(&name.as_str())), "{seen:?}");
}

#[test]
fn register_copies_are_exact_or_refused() {
    let seen = outcomes(register_copy, outcome);
    assert_seen(&seen, &["reg", "fallback"]);
    let refusals = ["owner-not-active", "thread-iters-overlap", "thread-axis-too-long", "no-active-thread"];
    let known =
        |name: &str| ["reg", "realign_reg", "ldstmatrix", "fallback"].contains(&name) || refusals.contains(&name);
    assert!(seen.keys().all(|name| known(name)), "{seen:?}");
}

#[test]
fn fragments_are_exact() {
    let seen = outcomes(fragment_copy, outcome);
    assert_seen(&seen, &["ldstmatrix", "reg"]);
    assert_eq!(seen.len(), 2, "{seen:?}");
}

/// Lanes exchange vectors where rows are runs of several, and what they exchange arrives.
#[test]
fn rows_are_exchanged() {
    let seen = outcomes(row_copy, |problem, values| {
        let outcome = outcome(problem, values)?;
        let target = Target::parse("sm_90a").unwrap();
        let Ok((CopyPlan::Partition(copy), _)) = select(problem, &target) else { return Ok(outcome) };
        let (plan, _) = vectorize(&copy, &target, 128).map_err(|error| error.to_string())?;
        plan.verify().map_err(|error| format!("{error}\n{plan:#?}"))?;
        Ok(format!("{outcome} {}", plan.exchange))
    });
    assert_seen(&seen, &["reg 1", "reg 2", "reg 4", "reg 8"]);
    assert_eq!(seen.len(), 4, "{seen:?}");
}

/// The fallback takes every copy that is in memory on both sides.
#[test]
fn fallback_takes_every_memory_copy() {
    let seen = outcomes(memory_copy, |problem, values| {
        let problem = Problem { forced: Some("fallback".to_owned()), ..problem.clone() };
        outcome(&problem, values)
    });
    assert_eq!(seen.keys().map(String::as_str).collect::<Vec<_>>(), ["fallback"]);
}

/// Registers that no thread axis divides are private; every such copy has a plan too.
#[test]
fn private_registers_always_have_a_plan() {
    let seen = outcomes(private_copy, outcome);
    assert_seen(&seen, &["reg", "fallback"]);
    assert!(seen.keys().all(|name| ["reg", "realign_reg", "fallback"].contains(&name.as_str())), "{seen:?}");
}

/// Copies that `cp.async` does not take are performed synchronously, unless a request prevents it.
#[test]
fn asynchronous_memory_copies_are_exact_or_refused() {
    let seen = outcomes(async_copy, outcome);
    assert_seen(&seen, &["ldgsts", "gmem_smem", "same_memory", "fallback", "request-not-supported"]);
    assert_eq!(seen.keys().filter(|name| !["transpose", "realign"].contains(&name.as_str())).count(), 5, "{seen:?}");
}

#[test]
fn cluster_copies_are_exact_or_refused() {
    let seen = outcomes(cluster_copy, |problem, values| {
        let problem = Problem { forced: Some("dsmem".to_owned()), ..problem.clone() };
        let outcome = outcome(&problem, values)?;
        let swizzled = problem.operand(Role::Src).unwrap().layout.swizzle.is_some()
            && problem.operand(Role::Dst).unwrap().layout.swizzle.is_some();
        match select(&problem, &Target::parse("sm_90a").unwrap()) {
            Ok((CopyPlan::Bulk(copy), _)) if swizzled && copy.src.layout.swizzle.is_none() => {
                Ok("whole blocks".to_owned())
            }
            _ => Ok(outcome),
        }
    });
    assert_seen(&seen, &["dsmem", "whole blocks", "chunk-not-16-bytes", "swizzle-chunk-too-small"]);
    let refusals = [
        "chunk-not-16-bytes",
        "dynamic-begin-not-divisible",
        "memory-replica",
        "no-common-refinement",
        "offset-not-divisible",
        "region-not-sliceable",
        "storage-alignment",
        "stride-not-divisible",
        "swizzle-chunk-too-small",
    ];
    assert!(
        seen.keys().all(|name| ["dsmem", "whole blocks"].contains(&name.as_str()) || refusals.contains(&name.as_str())),
        "{seen:?}"
    );
}

#[test]
fn bulk_copies_are_exact_or_refused() {
    let seen = outcomes(bulk_copy, |problem, values| {
        let problem = Problem { forced: Some("bulk".to_owned()), ..problem.clone() };
        outcome(&problem, values)
    });
    assert_seen(&seen, &["bulk", "chunk-not-16-bytes"]);
}

/// The form or shape of a tensor-memory copy, or why `variant` declined.
fn tensor_outcome(problem: &Problem, values: &Values, variant: &str) -> Result<String, String> {
    let problem = Problem { forced: Some(variant.to_owned()), ..problem.clone() };
    let outcome = outcome_on(&problem, values, "sm_100a")?;
    Ok(match select(&problem, &Target::parse("sm_100a").unwrap()) {
        Ok((CopyPlan::TmemCopy(copy), _)) => copy.form.name(),
        Ok((CopyPlan::TmemAccess(access), _)) => access.shape.name().to_owned(),
        _ => outcome,
    })
}

#[test]
fn copies_to_tensor_memory_are_exact_or_refused() {
    let seen = outcomes(tmem_copy, |problem, values| tensor_outcome(problem, values, "tcgen05_cp"));
    let forms: Vec<String> = TmemForm::ALL.into_iter().map(TmemForm::name).collect();
    assert_seen(&seen, &forms.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn tensor_loads_and_stores_are_exact_or_refused() {
    let seen = outcomes(tmem_access, |problem, values| tensor_outcome(problem, values, "tcgen05_ldst"));
    assert_seen(&seen, &TmemShape::ALL.map(TmemShape::name));
}
