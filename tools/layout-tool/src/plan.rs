//! How the compiler does a copy: the instructions, why vectors are not wider, what it costs, and why no other variant does it.
//!
//! ```text
//!   copied by gmem_smem: 1 load and 1 store of 32 bits per thread; 64 bits are too wide
//!     not of 128 bits: adjacent elements of the destination are 4 apart; needed a run of stride 1
//!     cost of a warp: 2 instructions, 4 wavefronts
//!     of all warps: 4 wavefronts, 1 without conflicts; 4 sectors in 1 line, 4 at least
//!   ldstmatrix declined: …
//! ```

use std::fmt::Write;

use tile_plan::families::composite::Composite;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::check::check_copy;
use tile_plan::problem::refusal::Decline;
use tile_plan::target::Target;
use tile_plan::traffic::Traffic;

use crate::error::ToolError;

/// What is said of the plan of a copy.
///
/// # Errors
/// A copy that no variant does, with the reason of each.
pub fn explained(problem: &Problem, target: &Target) -> Result<String, ToolError> {
    check_copy(problem).map_err(|refusal| ToolError::Refused(refusal.reason))?;
    let (plan, declines) = select(problem, target).map_err(|error| ToolError::Refused(error.to_string()))?;
    let mut text = String::new();
    put_plan(&mut text, (&plan, problem, target), 0);
    put_declines(&mut text, &declines);
    Ok(text)
}

/// One plan, and the steps of one that consists of several.
fn put_plan(text: &mut String, (plan, problem, target): (&CopyPlan, &Problem, &Target), depth: usize) {
    let indent = "  ".repeat(depth);
    let mut line = |said: String| _ = writeln!(text, "{indent}{said}");
    match plan {
        CopyPlan::Partition(matched) => match vectorize(matched, target, problem.max_vector_bits) {
            Ok((vectors, narrowings)) => {
                line(vectors.summary(&narrowings).text);
                for narrowing in &narrowings {
                    line(format!("  not of {} bits: {}", narrowing.bits, narrowing.reason));
                }
            }
            Err(refusal) => line(format!("by {}, without a width: {}", plan.variant(), refusal.reason)),
        },
        CopyPlan::Scalar(scalar) => line(scalar.summary().text),
        plan => line(format!("copied by {}", plan.variant())),
    }
    if let Ok(cost) = plan.cost(problem, target) {
        line(format!("  cost of a warp: {cost}"));
    }
    match Traffic::new(plan, problem, target) {
        Ok(traffic) => line(format!("  of all warps: {traffic}")),
        Err(why) => line(format!("  not counted: {why}")),
    }
    if let CopyPlan::Composite(composite) = plan {
        put_steps(text, (composite, problem, target), depth + 1);
    }
}

fn put_steps(text: &mut String, (composite, problem, target): (&Composite, &Problem, &Target), depth: usize) {
    for (number, step) in (1..).zip(&composite.steps) {
        let indent = "  ".repeat(depth);
        let _ = writeln!(text, "{indent}step {number}{}:", if step.barrier { ", then a barrier" } else { "" });
        if let Ok(part) = composite.problem_of(step, problem) {
            put_plan(text, (&step.plan, &part, target), depth + 1);
        }
    }
}

/// The variants that were tried before; those for other memories in one line.
fn put_declines(text: &mut String, declines: &[Decline]) {
    let (others, near): (Vec<_>, Vec<_>) = declines.iter().partition(|decline| decline.is_for_other_spaces());
    for decline in near {
        let _ = writeln!(text, "{decline}");
    }
    let names: Vec<&str> = others.iter().map(|decline| decline.variant).collect();
    if !names.is_empty() {
        let _ = writeln!(text, "for other memories: {}", names.join(", "));
    }
}
