//! Contracts: what a copy, a kernel or a module must not cost. What breaks one is an error where it would be a remark.
//!
//! ```
//! use tile_isa::{Scope, Space};
//! use tile_layout::Layout;
//! use tile_plan::contract::{Denial, check_plan};
//! use tile_plan::families::select;
//! use tile_plan::problem::operands::Operand;
//! use tile_plan::problem::threads::Threads;
//! use tile_plan::problem::{Element, Problem};
//! use tile_plan::target::Target;
//!
//! // A column-major tile in shared memory: the lanes that load a row store to one bank.
//! let global = Operand::whole(Space::Global, Layout::row_major(&[32, 32]), &[32, 32], 128);
//! let shared = Operand::whole(Space::Shared, "(32, 32) : (1, 32)".parse().unwrap(), &[32, 32], 128);
//! let problem = Problem::new(global, shared, Element::new(32, "f32"), Threads::all(Scope::Warp, Some(32)));
//! let target = Target::parse("sm_90a").unwrap();
//! let (plan, _) = select(&problem, &target).unwrap();
//! let broken = check_plan(&plan, &problem, &target, |denial| denial == Denial::Conflicts).unwrap_err();
//! assert_eq!(broken.to_string(), "conflicts: got 1024 wavefronts, expected 32");
//! assert!(check_plan(&plan, &problem, &target, |denial| denial == Denial::Fallback).is_ok());
//! ```

use std::fmt;

use thiserror::Error;
use tile_layout::counted;

use crate::families::copy_plan::CopyPlan;
use crate::mma::MmaPlan;
use crate::problem::Problem;
use crate::target::Target;
use crate::traffic::Traffic;

/// A cost that a contract denies, named as the attribute spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Denial {
    /// Copies element by element, and products multiplication by multiplication.
    Fallback,
    /// Accesses that compare their position with limits.
    Masks,
    /// Bank conflicts.
    Conflicts,
    /// Assertions that a copy stays inside its buffers.
    Checks,
    /// Registers that ptxas keeps in memory.
    Spills,
    /// Accesses of a ring that wait for copies of later iterations.
    Serialised,
}

impl Denial {
    /// All of them.
    pub const ALL: [Denial; 6] =
        [Denial::Fallback, Denial::Masks, Denial::Conflicts, Denial::Checks, Denial::Spills, Denial::Serialised];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Denial::Fallback => "fallback",
            Denial::Masks => "masks",
            Denial::Conflicts => "conflicts",
            Denial::Checks => "checks",
            Denial::Spills => "spills",
            Denial::Serialised => "serialised",
        }
    }

    /// What is said of something that breaks it.
    pub fn broken(self, got: impl fmt::Display, expected: impl fmt::Display) -> BrokenContract {
        BrokenContract { denial: self, got: got.to_string(), expected: expected.to_string() }
    }
}

/// A denied cost, and how much of it there is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: got {got}, expected {expected}", denial.word())]
pub struct BrokenContract {
    /// What is denied.
    pub denial: Denial,
    /// What there is: `256 wavefronts`.
    pub got: String,
    /// What there may be: `32`.
    pub expected: String,
}

/// Checks a plan of `problem` against what is denied.
///
/// Traffic of engines and of plans whose requests are not known is not counted, and breaks nothing.
///
/// # Errors
/// The first cost that is denied.
pub fn check_plan(
    plan: &CopyPlan,
    problem: &Problem,
    target: &Target,
    is_denied: impl Fn(Denial) -> bool,
) -> Result<(), BrokenContract> {
    let elements = elements_apart(plan);
    if elements > 0 && is_denied(Denial::Fallback) {
        return Err(Denial::Fallback.broken(format_args!("{} one by one", counted(elements, "element")), "none"));
    }
    // What is outside of a tensor map is left out by the engine.
    let limits = problem.mask.as_ref().filter(|_| plan.is_masked() && !matches!(plan, CopyPlan::TensorMap(_)));
    if let (Some(mask), true) = (limits, is_denied(Denial::Masks)) {
        return Err(Denial::Masks.broken(counted(mask.limits.len(), "limit"), "none"));
    }
    if is_denied(Denial::Conflicts)
        && let Ok(traffic) = Traffic::new(plan, problem, target)
        && traffic.wavefronts > traffic.ideal_wavefronts
    {
        return Err(Denial::Conflicts.broken(counted(traffic.wavefronts, "wavefront"), traffic.ideal_wavefronts));
    }
    Ok(())
}

/// Checks the plan of a product against what is denied: multiplications of single threads, where an instruction for matrices would do,
/// are a fallback.
///
/// # Errors
/// The cost that is denied.
pub fn check_product(plan: &MmaPlan, is_denied: impl Fn(Denial) -> bool) -> Result<(), BrokenContract> {
    match plan.multiplications() {
        0 => Ok(()),
        count if is_denied(Denial::Fallback) => {
            Err(Denial::Fallback.broken(format_args!("{} of each thread", counted(count, "multiplication")), "none"))
        }
        _ => Ok(()),
    }
}

/// The number of elements that a plan, or a step of it, copies one by one.
fn elements_apart(plan: &CopyPlan) -> i64 {
    match plan {
        CopyPlan::Scalar(copy) => copy.extents.iter().product(),
        CopyPlan::Composite(plan) => plan.steps.iter().map(|step| elements_apart(&step.plan)).sum(),
        _ => 0,
    }
}
