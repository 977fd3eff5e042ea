//! Helpers that build problems, and plan them with the oracle checking the plan.

use tile_isa::{Scope, Space};
use tile_layout::{Layout, Range};
use tile_plan::choose::SelectError;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::asynchronous::{Asynchronous, Completion};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::refusal::{Decline, Narrowing};
use tile_plan::problem::threads::{Active, ThreadSet, Threads};
use tile_plan::problem::{Element, Problem};
use tile_plan::target::Target;

use super::oracle::{Values, check};

pub const F64: u32 = 64;
pub const F32: u32 = 32;
pub const F16: u32 = 16;
pub const U8: u32 = 8;

/// A whole row-major buffer.
pub fn rows(space: Space, shape: &[i64]) -> Operand {
    Operand::whole(space, Layout::row_major(shape), shape, 128)
}

/// A whole buffer of a layout in its text form.
pub fn laid_out(space: Space, shape: &[i64], layout: &str) -> Operand {
    Operand::whole(space, layout.parse().unwrap(), shape, 128)
}

/// A region, as `(begin, extent)` per dimension.
pub fn part(operand: Operand, ranges: &[(i64, i64)]) -> Operand {
    let ranges: Vec<Range> = ranges.iter().map(|&(begin, extent)| Range::new(begin, extent)).collect();
    operand.region(&ranges)
}

pub fn warp() -> Threads {
    Threads::all(Scope::Warp, Some(32))
}

pub fn thread() -> Threads {
    Threads::all(Scope::Thread, Some(32))
}

pub fn cta(block: i64) -> Threads {
    Threads::all(Scope::Cta, Some(block))
}

pub fn warpgroup() -> Threads {
    Threads::all(Scope::Warpgroup, Some(128))
}

/// The same threads, but only those for which `active` holds.
pub fn only(threads: Threads, active: impl Fn(i64) -> bool) -> Threads {
    let set: ThreadSet = (0..threads.block.unwrap()).filter(|&thread| active(thread)).collect();
    Threads { active: Active::Known(set), ..threads }
}

pub fn copy(src: Operand, dst: Operand, bits: u32, threads: Threads) -> Problem {
    Problem::new(src, dst, Element::new(bits, format!("i{bits}")), threads)
}

/// The same copy issued asynchronously, with the requests that `ask` sets.
pub fn issued(problem: &Problem, completion: Completion, ask: impl Fn(&mut Asynchronous)) -> Problem {
    let mut requests = Asynchronous::new(completion);
    ask(&mut requests);
    Problem { asynchronous: Some(requests), ..problem.clone() }
}

pub fn chip(name: &str) -> Target {
    Target::parse(name).unwrap()
}

/// Plans for sm_90a and runs the plan.
pub fn planned(problem: &Problem) -> CopyPlan {
    planned_with(problem, &Values::default())
}

pub fn planned_with(problem: &Problem, values: &Values) -> CopyPlan {
    planned_on(problem, values, "sm_90a")
}

/// Plans for a chip and runs the plan.
pub fn planned_on(problem: &Problem, values: &Values, target: &str) -> CopyPlan {
    let (aligned, _) = select(problem, &chip(target)).unwrap_or_else(|error| panic!("{error}"));
    check(problem, &aligned, &chip(target), values).unwrap_or_else(|error| panic!("{error}\n{aligned:#?}"));
    aligned
}

/// Stage 2 of the plan that [`planned`] returns.
pub fn vectors(problem: &Problem) -> (VectorCopy, Vec<Narrowing>) {
    vectors_with(problem, &Values::default())
}

pub fn vectors_with(problem: &Problem, values: &Values) -> (VectorCopy, Vec<Narrowing>) {
    match planned_with(problem, values) {
        CopyPlan::Partition(copy) => vectorize(&copy, &chip("sm_90a"), problem.max_vector_bits).unwrap(),
        other => panic!("not vectors: {other:?}"),
    }
}

/// Elements of a vector, and rounds.
pub fn width(problem: &Problem) -> (i64, i64) {
    let (copy, _) = vectors(problem);
    (copy.vector, copy.rounds)
}

/// Why `variant` does not take a copy on a chip.
pub fn declined_on(problem: &Problem, variant: &str, target: &str) -> Decline {
    let problem = Problem { forced: Some(variant.to_owned()), ..problem.clone() };
    match select(&problem, &chip(target)) {
        Err(SelectError::Declined { mut declines, .. }) => declines.pop().unwrap(),
        other => panic!("not declined: {other:?}"),
    }
}

pub fn declined(problem: &Problem, variant: &str) -> Decline {
    declined_on(problem, variant, "sm_90a")
}
