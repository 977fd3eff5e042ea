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

use ptx_sim::{Arg, Checks, LaunchConfig, Memory, Module, Pointer, Recording, Report};
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
    let (_, module) = lowered(case, compiler)?;
    let mut last = None;
    for seed in SEEDS {
        let mut run = Run::prepare(case, seed)?;
        last = Some(run.launch(&module)?);
        run.check(case)?;
    }
    last.ok_or_else(|| Wrong::Refused("nothing was run".to_owned()))
}

/// Lowers the program of a case and runs it once; the program, with its memory before and after.
///
/// # Errors
/// The first thing that is wrong.
pub fn record(case: &Case, compiler: &Compiler) -> Result<Recording, Wrong> {
    let (ptx, module) = lowered(case, compiler)?;
    let mut run = Run::prepare(case, SEEDS[0])?;
    let before = Recording::before(&ptx, program::ENTRY, &run.config, &run.args(), &run.memory);
    let mut recording = before.map_err(refused)?;
    run.launch(&module)?;
    recording.finish(&run.args(), &run.memory).map_err(refused)?;
    run.check(case)?;
    Ok(recording)
}

/// Whether different values are written to one place of memory by the case's own doing: each warp (or thread) that
/// shares a copy has registers of its own, but the destination is one for all.
pub fn is_ambiguous(case: &Case) -> bool {
    !checks(case).races && case.src.space == Space::Local
}

fn lowered(case: &Case, compiler: &Compiler) -> Result<(String, Module), Wrong> {
    let ptx = compiler.ptx(&program::text(case)).map_err(Wrong::Lowering)?;
    let module = Module::parse(&ptx).map_err(refused)?;
    Ok((ptx, module))
}

fn refused(error: impl fmt::Display) -> Wrong {
    Wrong::Refused(error.to_string())
}

/// One run of a program.
struct Run {
    images: Images,
    memory: Memory,
    src: Pointer,
    dst: Pointer,
    config: LaunchConfig,
}

impl Run {
    /// Both images in memory; `seed` chooses the values of the elements.
    fn prepare(case: &Case, seed: u64) -> Result<Self, Wrong> {
        let images = Images::new(case, seed);
        let mut memory = Memory::new();
        let src = memory.alloc_with(&images.src).map_err(refused)?;
        let dst = memory.alloc_with(&images.dst).map_err(refused)?;
        let block = u32::try_from(case.block).map_err(refused)?;
        let config = LaunchConfig { checks: checks(case), ..LaunchConfig::new(1, block) };
        Ok(Run { images, memory, src, dst, config })
    }

    fn args(&self) -> [Arg; 2] {
        [Arg::Ptr(self.src), Arg::Ptr(self.dst)]
    }

    fn launch(&mut self, module: &Module) -> Result<Report, Wrong> {
        let args = self.args();
        ptx_sim::launch(&mut self.memory, module, program::ENTRY, &self.config, &args)
            .map_err(|error| Wrong::Fault(error.to_string()))
    }

    /// Are both images as they should be?
    fn check(&self, case: &Case) -> Result<(), Wrong> {
        let Images { src, expected, .. } = &self.images;
        for (which, pointer, expected) in [(Which::Src, self.src, src), (Which::Dst, self.dst, expected)] {
            let got = self.memory.peek(pointer, expected.len()).map_err(refused)?;
            image::compare(case, which, got, expected)?;
        }
        Ok(())
    }
}

/// All checks; but where several warps (or threads) copy the same to one place, they race by the case's own doing.
fn checks(case: &Case) -> Checks {
    let alone = instances(case).len() == 1 || case.dst.space == Space::Local;
    Checks { races: alone, ..Checks::default() }
}
