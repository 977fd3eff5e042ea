//! Runs the program of a case and compares every element.
//!
//! ```text
//!   images     every location of source and destination, poison where no element is    (layouts alone)
//!   program    fills shared memory and registers from their images, copies, and writes them back
//!   simulator  runs its PTX under all checkers
//!   compare    the destination's image has each element at the location given by the layouts, and poison
//!              elsewhere; the source's image is unchanged
//! ```

mod deletion;
mod image;
mod program;
mod run;
mod transfer;

use std::fmt;

use ptx_sim::{Checks, Module, Recording, Report};
use thiserror::Error;
use tile_isa::Space;
use tile_plan::problem::asynchronous::Completion;
use tile_plan::problem::role::Role;

use crate::case::{Case, Issue};
use crate::evaluate::{Cell, instances};
use crate::lower::{Compiler, LoweredPlan};
pub use deletion::Deletions;
use image::Mask;
use run::Run;

/// Seeds of the element values. These differ between runs, so that two elements that are equal in one run are not in
/// the other.
const SEEDS: [u64; 2] = [1, 2];

/// The most elements of a side, or of its storage, in an executed case.
const MOST: i64 = 1 << 22;

/// The reason that a program is wrong.
#[derive(Debug, Error)]
pub enum RunError {
    /// The compiler does not lower the program.
    #[error("the program is not lowered: {0}")]
    Lowering(String),
    /// The simulator does not accept it.
    #[error("the simulator refuses the program: {0}")]
    Refused(String),
    /// A checker found something.
    #[error("the program is wrong: {0}")]
    Fault(String),
    /// It is wrong with a different completion mechanism.
    #[error("completed by {0}: {1}")]
    Completion(Completion, Box<RunError>),
    /// A location has a wrong value.
    #[error("{side} {cell}: got {got}, expected {expected}")]
    Element {
        /// `source` or `destination`.
        side: &'static str,
        /// The location.
        cell: Cell,
        /// Its value.
        got: Value,
        /// Its expected value.
        expected: Value,
    },
}

/// The bits of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value(pub Vec<u8>);

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().rev().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The program of a case, as MLIR text.
pub fn text(case: &Case) -> String {
    program::text(case)
}

/// Lowers the program of a case and runs it; returns the report of its first run.
///
/// A `cp.async` that leaves its completion to the caller is also run with a group and with an mbarrier.
///
/// # Errors
/// The first fault.
pub fn execute(case: &Case, plan: &LoweredPlan, compiler: &Compiler) -> Result<Report, RunError> {
    let report = completed(case, plan, compiler)?;
    for completion in others(case, plan) {
        let issue = case.issue.map(|issue| Issue { completion, ..issue });
        let other = Case { issue, ..case.clone() };
        completed(&other, plan, compiler).map_err(|wrong| RunError::Completion(completion, Box::new(wrong)))?;
    }
    Ok(report)
}

/// The other completion mechanisms that the copy supports.
fn others(case: &Case, plan: &LoweredPlan) -> Vec<Completion> {
    let all = [Completion::Caller, Completion::Group, Completion::Barrier];
    let known = case.issue.filter(|_| plan.is_cp_async());
    known.map_or_else(Vec::new, |issue| all.into_iter().filter(|other| *other != issue.completion).collect())
}

/// Runs a case with each predicate and all values.
fn completed(case: &Case, plan: &LoweredPlan, compiler: &Compiler) -> Result<Report, RunError> {
    let sides = [(&case.src, Role::Src), (&case.dst, Role::Dst)];
    if let Some(size) =
        sides.iter().map(|(side, role)| side.elements().max(image::elements(case, *role))).find(|size| *size > MOST)
    {
        return Err(refused(format!("got {size} elements, expected at most {MOST}")));
    }
    let (_, module) = lowered(case, compiler)?;
    let mut first = None;
    for mask in Mask::of(case, plan) {
        for seed in SEEDS {
            let mut run = Run::prepare(case, seed, &mask)?;
            let report = run.launch(&module)?;
            run.check(case)?;
            first.get_or_insert(report);
        }
    }
    first.ok_or_else(|| RunError::Refused("nothing was run".to_owned()))
}

/// Lowers the program of a case and runs it once; returns the program with its memory before and after.
///
/// # Errors
/// The first fault.
pub fn record(case: &Case, compiler: &Compiler) -> Result<Recording, RunError> {
    let (ptx, module) = lowered(case, compiler)?;
    let mut run = Run::prepare(case, SEEDS[0], &Mask::all())?;
    let before = Recording::before(&ptx, program::ENTRY, &run.config, run.call.args(), &run.call.memory);
    let mut recording = before.map_err(refused)?;
    run.launch(&module)?;
    recording.finish(run.call.args(), &run.call.memory).map_err(refused)?;
    run.check(case)?;
    Ok(recording)
}

/// Whether the case itself writes different values to one location of memory: each warp (or thread) that shares a copy
/// has its own registers, but there is one destination for all.
pub fn is_ambiguous(case: &Case) -> bool {
    !checks(case).races && case.src.space == Space::Local
}

fn lowered(case: &Case, compiler: &Compiler) -> Result<(String, Module), RunError> {
    let ptx = compiler.ptx(&program::text(case)).map_err(RunError::Lowering)?;
    let module = Module::parse(&ptx).map_err(refused)?;
    Ok((ptx, module))
}

fn refused(error: impl fmt::Display) -> RunError {
    RunError::Refused(error.to_string())
}

/// The checks to run: all, except races if several warps (or threads) copy to the same location, which race by design.
fn checks(case: &Case) -> Checks {
    let alone = instances(case).len() == 1 || case.dst.space == Space::Local;
    Checks { races: alone, ..Checks::ALL }
}
