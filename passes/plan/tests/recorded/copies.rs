//! Copies recorded from another compiler: the same variant, the same numbers, and always the right elements.

use crate::common::cases::{copies, id, int, list, load, problem};
use crate::common::oracle::{Values, check};
use serde_json::Value;
use tile_isa::Space;
use tile_plan::address::vector_address;
use tile_plan::choose::SelectError;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::scalar::plan::{Owner, ScalarCopy};
use tile_plan::families::select;
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::role::Role;
use tile_plan::target::Target;

fn target(case: &Value) -> Target {
    Target::parse(case["arch"].as_str().unwrap()).unwrap()
}

/// Runs `verify` on every case and reports all failures together.
fn for_each(cases: &[Value], verify: impl Fn(&Value) -> Result<(), String>) {
    let failures: Vec<String> =
        cases.iter().filter_map(|case| verify(case).err().map(|error| format!("{}: {error}", id(case)))).collect();
    assert!(failures.is_empty(), "{} of {} cases:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

fn equal<T: PartialEq + std::fmt::Debug>(what: &str, got: T, expected: T) -> Result<(), String> {
    if got == expected { Ok(()) } else { Err(format!("{what}: got {got:?}, expected {expected:?}")) }
}

#[test]
fn recorded_copies_are_planned_the_same() {
    let cases = copies("copies.json");
    assert_eq!(cases.len(), 482);
    for_each(&cases, |case| {
        let expect = &case["expect"];
        let Some(variant) = expect["variant"].as_str() else { return refused(case) };
        let problem = problem(case)?;
        let target = target(case);
        let (aligned, declines) = select(&problem, &target).map_err(|error| error.to_string())?;
        if let Some(copy) = shared_otherwise(case, &aligned, &problem, &target)? {
            return fewer_rounds(case, &copy);
        }
        equal("variant", aligned.variant(), variant).map_err(|error| format!("{error}; {declines:?}"))?;
        match &aligned {
            CopyPlan::Partition(copy) => {
                let (copy, _) = vectorize(copy, &target, problem.max_vector_bits).map_err(|error| error.to_string())?;
                same_vectors(&problem, &copy, expect)
            }
            CopyPlan::Matrix(copy) => {
                let expected = expect["ptx"].as_object().unwrap();
                let (instruction, count) = expected.iter().next().unwrap();
                equal("kinds of instructions", 1, expected.len())?;
                equal("instruction", &copy.instruction(), instruction)?;
                // The recording is text: one instruction in a loop over the steps.
                equal("count", 1, int(count))?;
                equal(
                    "elements",
                    copy.steps() * copy.num * 2 * copy.threads,
                    problem.operand(Role::Src).unwrap().elements(),
                )
            }
            CopyPlan::Scalar(copy) => same_loop(copy, expect),
            other => panic!("{} took a synchronous copy", other.variant()),
        }
    });
}

/// Checks a plan whose shares differ from the recorded ones: some threads have one vector more than others, or none at
/// all, or several threads do what one thread did.
fn shared_otherwise(
    case: &Value,
    aligned: &CopyPlan,
    problem: &Problem,
    target: &Target,
) -> Result<Option<VectorCopy>, String> {
    let CopyPlan::Partition(copy) = aligned else { return Ok(None) };
    let (copy, _) = vectorize(copy, target, problem.max_vector_bits).map_err(|error| error.to_string())?;
    let one_thread = case["expect"]["variant"] == "fallback";
    Ok((one_thread || !copy.is_even() || copy.ranks.is_some()).then_some(copy))
}

/// The recording has equal shares in more rounds, or none: then one thread copied everything, as it does when forced
/// to.
fn fewer_rounds(case: &Value, copy: &VectorCopy) -> Result<(), String> {
    let expect = &case["expect"];
    let rounds = int(&expect["rounds"]);
    if copy.rounds >= rounds {
        return Err(format!("{} rounds of other shares, recorded are {rounds}", copy.rounds));
    }
    if expect["variant"] != "fallback" {
        return equal("variant", Some(copy.variant), expect["variant"].as_str());
    }
    let problem = Problem { forced: Some("fallback".to_owned()), ..problem(case)? };
    let (aligned, _) = select(&problem, &target(case)).map_err(|error| error.to_string())?;
    let CopyPlan::Scalar(copy) = &aligned else { return Err("no loop over elements".to_owned()) };
    same_loop(copy, expect)
}

#[test]
fn other_shares_are_those_that_were_recorded_equal_or_not_at_all() {
    let planned = |case: &Value| {
        let (problem, target) = (problem(case).ok()?, target(case));
        let (aligned, _) = select(&problem, &target).ok()?;
        shared_otherwise(case, &aligned, &problem, &target).unwrap()?;
        Some(case["expect"]["variant"].as_str()?.to_owned())
    };
    let variants: Vec<String> = copies("copies.json").iter().filter_map(planned).collect();
    let count = |variant: &str| variants.iter().filter(|chosen| *chosen == variant).count();
    assert_eq!((count("fallback"), count("gmem_smem"), variants.len()), (33, 4, 37));
}

fn refused(case: &Value) -> Result<(), String> {
    let Ok(problem) = problem(case) else { return Ok(()) };
    match select(&problem, &target(case)) {
        Ok((aligned, _)) => Err(format!("{} takes what must be refused", aligned.variant())),
        Err(SelectError::Declined { declines, .. }) => {
            equal("declines without a reason", declines.iter().filter(|decline| decline.reason.is_empty()).count(), 0)
        }
        Err(error) => Err(error.to_string()),
    }
}

fn same_vectors(problem: &Problem, copy: &VectorCopy, expect: &Value) -> Result<(), String> {
    if let Some(instructions) = expect["ptx"].as_object() {
        equal("rounds", copy.rounds, 1)?;
        return instructions.keys().try_for_each(|instruction| same_access(copy, instruction));
    }
    equal("bits", copy.vector_bits(), int(&expect["vec_bits"]))?;
    equal("elements", copy.vector, int(&expect["vec_elems"]))?;
    equal("rounds", copy.rounds, int(&expect["rounds"]))?;
    let Some(samples) = expect.get("sample_round_thread_goff_soff") else { return Ok(()) };
    let global = if problem.operand(Role::Src).unwrap().space == Space::Global { Role::Src } else { Role::Dst };
    for sample in list(samples) {
        let [f, t, g, s] = [0, 1, 2, 3].map(|index| int(&sample[index]));
        let at = |role| vector_address(&mut tile_layout::Eval, copy, role, f, t, &[]).unwrap();
        equal(&format!("global offset of ({f}, {t})"), at(global), g)?;
        equal(&format!("shared offset of ({f}, {t})"), at(global.other()), s)?;
    }
    Ok(())
}

/// `ld.global.nc.L2::256B.v4.u32`: the width, and the hints in their order.
fn same_access(copy: &VectorCopy, instruction: &str) -> Result<(), String> {
    let parts: Vec<&str> = instruction.split('.').collect();
    let number = |prefix: char| parts.iter().filter_map(|part| part.strip_prefix(prefix)).find_map(|n| n.parse().ok());
    equal("bits", copy.vector_bits(), number('v').unwrap_or(1) * number('u').unwrap_or(0))?;
    let hints: Vec<&str> = parts.iter().copied().filter(|part| part.contains("::") || *part == "nc").collect();
    let cache = &copy.cache;
    let nc = cache.nc.then_some("nc");
    let planned = nc
        .into_iter()
        .chain([&cache.l1_evict, &cache.l2_evict, &cache.prefetch_size].into_iter().flatten().map(String::as_str));
    let expected = if parts[..2] == ["ld", "global"] { planned.collect() } else { Vec::new() };
    equal("hints", hints, expected)
}

fn same_loop(copy: &ScalarCopy, expect: &Value) -> Result<(), String> {
    equal("elements", copy.extents.iter().product::<i64>(), int(&expect["rounds"]))?;
    let guards: Vec<String> = list(&expect["guard"]).iter().map(|guard| guard.as_str().unwrap().to_owned()).collect();
    let planned = match &copy.owner {
        Owner::ScopeThread(thread) => vec![format!("if tid == {thread}:")],
        Owner::Everyone => vec![],
        other => return Err(format!("unexpected owner {other:?}")),
    };
    equal("guard", planned, guards)
}

#[test]
fn recorded_copies_move_the_right_elements() {
    for_each(&copies("copies.json"), |case| {
        if case["expect"]["variant"].is_null() {
            return Ok(());
        }
        let (problem, target) = (problem(case)?, target(case));
        let (aligned, _) = select(&problem, &target).map_err(|error| error.to_string())?;
        check(&problem, &aligned, &target, &Values::default())
    });
}

/// The outcome here, for a case in which the other compiler trapped.
fn trap_outcome(case: &Value) -> Result<String, String> {
    let problem = problem(case)?;
    let target = target(case);
    match select(&problem, &target) {
        Ok((aligned, _)) => {
            check(&problem, &aligned, &target, &Values::default())?;
            Ok(aligned.variant().to_owned())
        }
        Err(error) => Ok(error.to_string()),
    }
}

#[test]
fn traps_are_avoided() {
    let cases = copies("traps.json");
    assert_eq!(cases.len(), 40);
    for_each(&cases, |case| {
        let name = id(case);
        let outcome = match case["wrong_because"].as_str().unwrap() {
            "unknown option accepted" => {
                let error = problem(case).unwrap_err();
                return equal("error", error.contains("got unknown option 'nonsense'"), true);
            }
            _ => trap_outcome(case)?,
        };
        match case["wrong_because"].as_str().unwrap() {
            "misaligned" => {
                equal("misalignment named", outcome.contains("multiple of"), true).map_err(|e| e + &outcome)
            }
            "element size is not 16 bits" | "needs sm_90" => equal("variant", outcome.as_str(), "reg"),
            _ if name.contains("replica2") => equal("variant", outcome.as_str(), "reg"),
            _ if name.contains("off3-ext3") => equal("variant", outcome.as_str(), "reg"),
            _ => equal("variant", outcome.as_str(), "fallback"),
        }
    });
}

#[test]
fn unknown_chips_are_named() {
    let case = load("traps.json").into_iter().find(|case| case["arch"] == "sm_50").unwrap();
    let error = Target::parse(case["arch"].as_str().unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("unknown chip 'sm_50'; known chips: sm_75, sm_80"), "{error}");
}
