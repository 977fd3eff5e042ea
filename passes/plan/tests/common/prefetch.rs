//! Prefetches: random ones, and what a plan brings into L2, compared with the region's elements.

use std::collections::BTreeSet;

use tile_isa::Space;
use tile_isa::prefetch::LINE_BYTES;
use tile_layout::Eval;
use tile_plan::address::prefetch_address;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::family::Family as _;
use tile_plan::families::prefetch::plan::{Hint, Prefetch};
use tile_plan::problem::Problem;
use tile_plan::problem::operands::{Operand, Operands};
use tile_plan::problem::role::Role;

use super::build::planned_with;
use super::generate::memory_copy;
use super::generate_changes::moved_to;
use super::machine::{block, cells, count, is_active};
use super::oracle::Values;
use super::tape::Tape;

/// A prefetch of an operand.
pub fn prefetch_of(problem: &Problem, src: Operand) -> Problem {
    Problem { operands: Operands::one(Role::Src, src), ..problem.clone() }
}

/// A prefetch of a source in global memory.
pub fn prefetch(tape: &mut Tape) -> (Problem, Values) {
    let (problem, values) = memory_copy(tape);
    let src = moved_to(Space::Global, problem.operand(Role::Src).unwrap().clone(), &values.src);
    (prefetch_of(&problem, src), values)
}

/// The plan, which must be one of prefetches.
pub fn prefetched(problem: &Problem) -> Prefetch {
    match planned_with(problem, &Values::default()) {
        CopyPlan::Prefetch(plan) => plan,
        other => panic!("no prefetch: {other:?}"),
    }
}

/// Checks what each scope does that threads reach: that its instructions begin at elements of the region, and bring its lines
/// and no others; that chunks bring its bytes and no others, each once.
///
/// # Errors
/// The first defect.
pub fn check_prefetch(problem: &Problem, plan: &Prefetch, values: &Values) -> Result<(), String> {
    plan.verify().map_err(|error| error.to_string())?;
    if plan.hint == Hint::Dropped {
        return Ok(());
    }
    let held = cells(problem, problem.operand(Role::Src).unwrap(), &values.src, false);
    let elements = held.into_iter().map(|((_, address), _)| address).collect();
    let threads = count(problem);
    for scope in 0..(block(problem) + threads - 1) / threads {
        let own: Vec<i64> = (0..threads)
            .filter(|own| scope * threads + own < block(problem) && is_active(problem, scope * threads + own))
            .collect();
        if !own.is_empty() {
            let issued = issued(&own, plan, values)?;
            check_scope(problem, plan, &elements, &issued)?;
        }
    }
    Ok(())
}

fn check_scope(problem: &Problem, plan: &Prefetch, elements: &BTreeSet<i64>, issued: &[i64]) -> Result<(), String> {
    if let Some(outside) = issued.iter().find(|address| !elements.contains(address)) {
        return Err(format!("an instruction begins at element {outside}, outside of the region"));
    }
    // The base has the proven alignment, and no more.
    let byte =
        |address: &i64| problem.operand(Role::Src).unwrap().align_bytes + address * i64::from(plan.element_bits / 8);
    if plan.hint == Hint::Lines {
        let line = |address: &i64| byte(address) / LINE_BYTES;
        let [got, expected] =
            [issued.iter().map(line).collect::<BTreeSet<_>>(), elements.iter().map(line).collect::<BTreeSet<_>>()];
        return if got == expected { Ok(()) } else { Err(format!("got lines {got:?}, expected {expected:?}")) };
    }
    if let Some(odd) = issued.iter().find(|address| byte(address) % 16 != 0 || plan.run_bytes() % 16 != 0) {
        return Err(format!("a chunk of {} bytes at element {odd}", plan.run_bytes()));
    }
    let mut brought: Vec<i64> = issued.iter().flat_map(|address| *address..address + plan.run()).collect();
    brought.sort_unstable();
    if brought.iter().eq(elements) { Ok(()) } else { Err("chunks bring other elements, or some twice".to_owned()) }
}

/// The elements at which the threads of a scope begin their instructions.
fn issued(own: &[i64], plan: &Prefetch, values: &Values) -> Result<Vec<i64>, String> {
    let mut issued = Vec::new();
    for &thread in own {
        let number = plan.ranks.as_ref().map_or(Some(thread), |ranks| ranks.rank(thread));
        // Without a rank, a thread has no part.
        let Some(number) = number else { continue };
        for sequence in plan.sequences() {
            for number in (number..plan.count(&sequence)).step_by(plan.threads as usize) {
                let address = prefetch_address(&mut Eval, plan, &sequence, number, &values.src);
                issued.push(address.map_err(|error| error.to_string())?);
            }
        }
    }
    Ok(issued)
}
