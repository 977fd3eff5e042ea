//! Runs the program of a case and compares every element.
//!
//! ```text
//!   images     every place of source and destination, poison where no element is    (layouts alone)
//!   program    fills shared memory and registers from their images, copies, and writes them back
//!   simulator  runs its PTX under all checkers
//!   compare    the destination's image has each element where the layouts say, and poison elsewhere;
//!              the source's is as before
//! ```

mod image;
mod program;

use std::fmt;

use ptx_sim::{Arg, Checks, LaunchConfig, Memory, Module, Report};
use thiserror::Error;
use tile_plan::{Space, Which};

use crate::case::Case;
use crate::evaluate::{Cell, instances};
use crate::lower::Compiler;
use image::Images;

/// Values of elements differ between runs, so that two elements that are alike in one are not in the other.
const SEEDS: [u64; 2] = [1, 2];

/// Why a program is wrong.
#[derive(Debug, Error)]
pub enum Wrong {
    /// The program does not come through the compiler.
    #[error("the program is not lowered: {0}")]
    Lowering(String),
    /// The simulator does not take it.
    #[error("the simulator refuses the program: {0}")]
    Refused(String),
    /// A checker found something.
    #[error("the program is wrong: {0}")]
    Fault(String),
    /// A place has another value than it should.
    #[error("{side} {cell}: got {got}, expected {expected}")]
    Element {
        /// `source` or `destination`.
        side: &'static str,
        /// Where.
        cell: Cell,
        /// What is there.
        got: Value,
        /// What should be.
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

/// Lowers the program of a case and runs it; the report of its last run.
///
/// # Errors
/// The first thing that is wrong.
pub fn execute(case: &Case, compiler: &Compiler) -> Result<Report, Wrong> {
    let ptx = compiler.ptx(&program::text(case)).map_err(Wrong::Lowering)?;
    let module = Module::parse(&ptx).map_err(|error| Wrong::Refused(error.to_string()))?;
    let mut last = None;
    for seed in SEEDS {
        last = Some(run(case, &module, seed)?);
    }
    last.ok_or_else(|| Wrong::Refused("nothing was run".to_owned()))
}

fn run(case: &Case, module: &Module, seed: u64) -> Result<Report, Wrong> {
    let images = Images::new(case, seed);
    let refused = |error: &dyn fmt::Display| Wrong::Refused(error.to_string());
    let mut memory = Memory::new();
    let src = memory.alloc_with(&images.src).map_err(|error| refused(&error))?;
    let dst = memory.alloc_with(&images.dst).map_err(|error| refused(&error))?;
    let block = u32::try_from(case.block).map_err(|error| refused(&error))?;
    let config = LaunchConfig { checks: checks(case), ..LaunchConfig::new(1, block) };
    let report = ptx_sim::launch(&mut memory, module, program::ENTRY, &config, &[Arg::Ptr(src), Arg::Ptr(dst)])
        .map_err(|error| Wrong::Fault(error.to_string()))?;
    for (which, pointer, expected) in [(Which::Src, src, &images.src), (Which::Dst, dst, &images.expected)] {
        let got = memory.peek(pointer, expected.len()).map_err(|error| refused(&error))?;
        image::compare(case, which, got, expected)?;
    }
    Ok(report)
}

/// All checks; but where several warps (or threads) copy the same to one place, they race by the case's own doing.
fn checks(case: &Case) -> Checks {
    let alone = instances(case).len() == 1 || case.dst.space == Space::Local;
    Checks { races: alone, ..Checks::default() }
}
