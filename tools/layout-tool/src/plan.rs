//! How the compiler does a copy: the instructions, why vectors are not wider, what it costs, and why no other variant does it.
//!
//! ```text
//!   copied by gmem_smem: 1 load and 1 store of 32 bits per thread; 64 bits are too wide
//!     not of 128 bits: adjacent elements of the destination are 4 apart; needed a run of stride 1
//!     cost of a warp: 2 instructions, 4 wavefronts
//!     of all warps: 4 wavefronts, 1 without conflicts; 4 sectors in 1 line, 4 at least
//!   ldstmatrix declined: …
//! ```

use std::fmt;

use serde_json::{Value, json};
use tile_plan::families::composite::Composite;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::family::Cost;
use tile_plan::families::select;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::check::check_copy;
use tile_plan::problem::refusal::{Decline, Narrowing};
use tile_plan::target::Target;
use tile_plan::traffic::{NotCounted, Traffic};

use crate::error::ToolError;

/// The plan of a copy, and why it is no other.
#[derive(Debug)]
pub struct Explanation {
    plan: Part,
    declines: Vec<Decline>,
}

/// One plan, and the steps of one that consists of several.
#[derive(Debug)]
struct Part {
    variant: String,
    summary: String,
    narrowings: Vec<Narrowing>,
    cost: Option<Cost>,
    traffic: Result<Traffic, NotCounted>,
    steps: Vec<StepPart>,
}

#[derive(Debug)]
struct StepPart {
    /// Whether a barrier follows.
    barrier: bool,
    plan: Option<Part>,
}

/// Explains the plan of a copy.
///
/// # Errors
/// A copy that no variant does, with the reason of each.
pub fn explained(problem: &Problem, target: &Target) -> Result<Explanation, ToolError> {
    check_copy(problem).map_err(|refusal| ToolError::Refused(refusal.reason))?;
    let (plan, declines) = select(problem, target).map_err(|error| ToolError::Refused(error.to_string()))?;
    Ok(Explanation { plan: Part::new(&plan, problem, target), declines })
}

impl Part {
    fn new(plan: &CopyPlan, problem: &Problem, target: &Target) -> Self {
        let variant = plan.variant().to_string();
        let (summary, narrowings) = match plan {
            CopyPlan::Partition(matched) => match vectorize(matched, target, problem.max_vector_bits) {
                Ok((vectors, narrowings)) => (vectors.summary(&narrowings).text, narrowings),
                Err(refusal) => (format!("by {variant}, without a width: {}", refusal.reason), Vec::new()),
            },
            CopyPlan::Scalar(scalar) => (scalar.summary().text, Vec::new()),
            _ => (format!("copied by {variant}"), Vec::new()),
        };
        let steps = match plan {
            CopyPlan::Composite(composite) => steps(composite, problem, target),
            _ => Vec::new(),
        };
        let (cost, traffic) = (plan.cost(problem, target).ok(), Traffic::new(plan, problem, target));
        Self { variant, summary, narrowings, cost, traffic, steps }
    }

    fn put(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let indent = "  ".repeat(depth);
        writeln!(f, "{indent}{}", self.summary)?;
        for narrowing in &self.narrowings {
            writeln!(f, "{indent}  not of {} bits: {}", narrowing.bits, narrowing.reason)?;
        }
        if let Some(cost) = &self.cost {
            writeln!(f, "{indent}  cost of a warp: {cost}")?;
        }
        match &self.traffic {
            Ok(traffic) => writeln!(f, "{indent}  of all warps: {traffic}")?,
            Err(why) => writeln!(f, "{indent}  not counted: {why}")?,
        }
        for (number, step) in (1..).zip(&self.steps) {
            writeln!(f, "{indent}  step {number}{}:", if step.barrier { ", then a barrier" } else { "" })?;
            if let Some(plan) = &step.plan {
                plan.put(f, depth + 2)?;
            }
        }
        Ok(())
    }

    fn to_json(&self) -> Value {
        let narrowings = self.narrowings.iter();
        let steps = self.steps.iter();
        json!({
            "variant": self.variant,
            "summary": self.summary,
            "not_wider": narrowings.map(|n| json!({"bits": n.bits, "cause": n.cause, "reason": n.reason})).collect::<Vec<_>>(),
            "cost_of_a_warp": self.cost.map(|cost| json!({"instructions": cost.instructions, "wavefronts": cost.wavefronts})),
            "traffic": self.traffic.as_ref().ok().map(traffic),
            "not_counted": self.traffic.as_ref().err().map(ToString::to_string),
            "steps": steps
                .map(|step| json!({"plan": step.plan.as_ref().map(Part::to_json), "then_barrier": step.barrier}))
                .collect::<Vec<_>>(),
        })
    }
}

fn steps(composite: &Composite, problem: &Problem, target: &Target) -> Vec<StepPart> {
    let part = |step| composite.problem_of(step, problem).ok().map(|part| Part::new(&step.plan, &part, target));
    composite.steps.iter().map(|step| StepPart { barrier: step.barrier, plan: part(step) }).collect()
}

fn traffic(traffic: &Traffic) -> Value {
    json!({
        "requests": traffic.requests,
        "sectors": traffic.sectors,
        "ideal_sectors": traffic.ideal_sectors,
        "lines": traffic.lines,
        "wavefronts": traffic.wavefronts,
        "ideal_wavefronts": traffic.ideal_wavefronts,
    })
}

impl Explanation {
    /// For programs: the plan, and the variants that were tried before.
    pub fn to_json(&self) -> Value {
        let declined = |d: &Decline| json!({"variant": d.variant, "cause": d.cause, "reason": d.reason});
        let mut document = self.plan.to_json();
        document["declined"] = self.declines.iter().map(declined).collect();
        document
    }
}

impl fmt::Display for Explanation {
    /// The variants for other memories are in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plan.put(f, 0)?;
        let (others, near): (Vec<_>, Vec<_>) = self.declines.iter().partition(|decline| decline.is_for_other_spaces());
        for decline in near {
            writeln!(f, "{decline}")?;
        }
        let names: Vec<&str> = others.iter().map(|decline| decline.variant).collect();
        if names.is_empty() { Ok(()) } else { writeln!(f, "for other memories: {}", names.join(", ")) }
    }
}
