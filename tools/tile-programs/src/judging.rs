//! What the verdicts on kernels that are drawn as text have in common: passes over text, and runs under schedules.

use melior::Context;
use ptx_sim::{Buffer, Call, Checks, LaunchConfig, LaunchError, MemoryError, Module, Schedule};
use tile_passes::{Error, Options, Ptx, compile, embed};

use crate::tally::Outcome;

/// The pass that checks the order of accesses.
pub const CHECK: &str = "builtin.module(tile-check-sync)";
/// The pass that inserts barriers, waits and fences.
pub const INSERT: &str = "builtin.module(tile-insert-sync)";
/// The same pass, which also erases what nothing needs.
const INSERT_LEAST: &str = "builtin.module(tile-insert-sync{remove-redundant=true})";

/// The most steps of warps; kernels have a few loops of a few iterations.
const MAX_STEPS: u64 = 4_000_000;

/// What is wrong with a run: the kind of finding, and the details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFailure {
    /// The kind: that of a fault, or `not launched`.
    pub kind: String,
    /// The schedule, and the text of the error.
    pub what: String,
}

impl RunFailure {
    /// Something of a kind.
    pub fn new(kind: impl Into<String>, what: impl ToString) -> Self {
        RunFailure { kind: kind.into(), what: what.to_string() }
    }

    /// The error of a launch.
    fn launch(error: LaunchError, schedule: Schedule) -> Self {
        match error {
            LaunchError::Fault(fault) => {
                RunFailure::new(fault.kind.to_string(), format!("schedule {schedule}: {fault}"))
            }
            other => RunFailure::new("not launched", other),
        }
    }

    /// The finding, in some situation.
    pub fn finding(self, situation: &str) -> Outcome {
        let kind = if situation.is_empty() { self.kind } else { format!("{situation}: {}", self.kind) };
        Outcome::Finding(kind, self.what)
    }
}

impl From<MemoryError> for RunFailure {
    fn from(error: MemoryError) -> Self {
        RunFailure::new("not launched", error)
    }
}

/// A finding.
pub fn finding(kind: impl Into<String>, what: impl ToString) -> Outcome {
    Outcome::Finding(kind.into(), what.to_string())
}

/// The text that a pass makes of a module.
///
/// # Errors
/// If the text is not valid, or the pass refuses it.
pub fn passed(context: &Context, text: &str, pass: &str) -> Result<String, Error> {
    let mut module = embed::parse(context, text)?;
    embed::run(&mut module, pass)?;
    Ok(module.as_operation().to_string())
}

/// Requires that all that orders a module is needed, as `--tile-insert-sync=remove-redundant=true` sees it.
///
/// # Errors
/// The finding, with the module without what nothing needs.
pub fn expect_needed(context: &Context, ordered: &str) -> Result<(), Outcome> {
    // An affine expression that was read is not always spelled as it was written.
    let read = embed::parse(context, ordered).map(|module| module.as_operation().to_string());
    match read.and_then(|read| Ok((passed(context, ordered, INSERT_LEAST)?, read))) {
        Ok((least, read)) if least == read => Ok(()),
        Ok((least, _)) => Err(finding("inserted, but nothing needs it", format!("{ordered}\nwithout it:\n{least}"))),
        Err(error) => Err(finding("inserted, but refused when inserting again", error)),
    }
}

/// The PTX of a module.
///
/// # Errors
/// If it is not valid, or cannot be compiled.
pub fn compiled(context: &Context, text: &str) -> Result<Ptx, Error> {
    compile(&mut embed::parse(context, text)?, &Options::new().as_written())
}

/// Reads PTX.
///
/// # Errors
/// If the simulator does not know all of it.
pub fn understood(ptx: &str) -> Result<Module, RunFailure> {
    Module::parse(ptx).map_err(|error| RunFailure::new("PTX not understood", error))
}

/// A launch that is ready: its arguments, those buffers that are compared afterwards, and its shape.
pub struct Ready {
    /// The arguments.
    pub call: Call,
    /// The buffers that are compared.
    pub compared: Vec<Buffer>,
    /// Blocks, threads, schedule, dynamic shared memory.
    pub config: LaunchConfig,
}

impl Ready {
    /// Runs a kernel with all checks; returns what it leaves in the buffers.
    ///
    /// # Errors
    /// The first fault, or why it cannot be launched.
    pub fn run(mut self, module: &Module, kernel: &str) -> Result<Vec<Vec<u8>>, RunFailure> {
        let config = LaunchConfig { checks: Checks::ALL, step_limit: MAX_STEPS, ..self.config };
        let failed = |error| RunFailure::launch(error, config.schedule);
        self.call.launch(module, kernel, &config).map_err(failed)?;
        self.compared.iter().map(|buffer| Ok(self.call.contents(*buffer)?.to_vec())).collect()
    }

    /// Runs a kernel, and checks by the graph of its recorded events that all its conflicting accesses are ordered.
    ///
    /// # Errors
    /// A pair that is not.
    pub fn check_order(mut self, module: &Module, kernel: &str) -> Result<(), RunFailure> {
        let config = LaunchConfig { checks: Checks::ALL, step_limit: MAX_STEPS, ..self.config };
        let failed = |error| RunFailure::launch(error, config.schedule);
        let (_, history) = self.call.record(module, kernel, &config).map_err(failed)?;
        let history = history.ok_or_else(|| RunFailure::new("too long to record", "expected a shorter run"))?;
        history.check().map_err(|pair| RunFailure::new("not ordered", pair))
    }
}

/// Runs a kernel under some schedules, which all have to leave the same memory if it is `determined`.
///
/// # Errors
/// The first fault, or the first schedule that leaves other memory.
pub fn alike(
    schedules: impl IntoIterator<Item = Schedule>,
    is_determined: bool,
    mut left: impl FnMut(Schedule) -> Result<Vec<Vec<u8>>, RunFailure>,
) -> Result<(), RunFailure> {
    let mut first = None;
    for schedule in schedules {
        let left = left(schedule)?;
        if is_determined && *first.get_or_insert_with(|| left.clone()) != left {
            return Err(RunFailure::new(
                "schedules differ",
                format!("schedule {schedule} leaves other memory than fair"),
            ));
        }
    }
    Ok(())
}
