//! Launching a kernel.

use std::rc::Rc;

use thiserror::Error;

use crate::code::KernelCode;
use crate::config::{Arg, LaunchConfig, MAX_SHARED, Progress, Shape, place_symbols};
use crate::counters::Report;
use crate::exec::{EarlyLoads, Machine};
use crate::fault::Fault;
use crate::history::History;
use crate::memory::{Memory, MemoryError};
use crate::module::Module;
use crate::needs::Mismatch;

/// Why a launch gave no report.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LaunchError {
    /// The kernel cannot have a launch of this shape.
    #[error("kernel `{kernel}` cannot be launched: {mismatch}")]
    Mismatch {
        /// The kernel.
        kernel: String,
        /// What was got, and what was expected.
        mismatch: Mismatch,
    },
    /// The launch is wrong in another way.
    #[error("kernel `{kernel}` cannot be launched: {message}")]
    Config {
        /// The kernel.
        kernel: String,
        /// What was got, and what was expected.
        message: String,
    },
    /// The module's variables do not fit into memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The kernel did something wrong.
    #[error(transparent)]
    Fault(Box<Fault>),
}

impl LaunchError {
    /// The fault, if the kernel caused the error.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Fault(fault) => Some(fault),
            _ => None,
        }
    }
}

/// Runs `kernel` to its end, or to the first fault.
///
/// If a write races with an earlier load, the kernel runs again from the start, to see whether the value of that load is
/// ever used (compilers load early). This needs a copy of the initial memory: above 64 MiB none is kept, and the race is
/// reported immediately.
pub fn launch(
    memory: &mut Memory,
    module: &Module,
    kernel: &str,
    config: &LaunchConfig,
    args: &[Arg],
) -> Result<Report, LaunchError> {
    launch_with(memory, module, kernel, config, args, &mut |_| true)
}

/// Like [`launch`]; `progress` is called from time to time and stops the launch by returning false.
pub fn launch_with(
    memory: &mut Memory,
    module: &Module,
    kernel: &str,
    config: &LaunchConfig,
    args: &[Arg],
    progress: &mut dyn FnMut(Progress) -> bool,
) -> Result<Report, LaunchError> {
    begin(memory, module, kernel, config, args, false, progress).map(|(report, _)| report)
}

/// Like [`launch`], and returns the [`History`] of the run; none if it is too long to be recorded, or if races are not
/// checked.
pub fn launch_recorded(
    memory: &mut Memory,
    module: &Module,
    kernel: &str,
    config: &LaunchConfig,
    args: &[Arg],
) -> Result<(Report, Option<History>), LaunchError> {
    begin(memory, module, kernel, config, args, config.checks.races, &mut |_| true)
}

fn begin(
    memory: &mut Memory,
    module: &Module,
    kernel: &str,
    config: &LaunchConfig,
    args: &[Arg],
    record: bool,
    progress: &mut dyn FnMut(Progress) -> bool,
) -> Result<(Report, Option<History>), LaunchError> {
    let error = |message: String| LaunchError::Config { kernel: kernel.to_string(), message };
    let program = &*module.program;
    let Some(kernel) = program.kernels.iter().find(|k| k.interface.name == kernel) else {
        return Err(error("the module has no such kernel".into()));
    };
    let mismatch = |mismatch| LaunchError::Mismatch { kernel: kernel.interface.name.clone(), mismatch };
    kernel.interface.needs.check(&config.launch()).map_err(mismatch)?;
    let shape = Shape::new(&kernel.interface.needs, config).map_err(error)?;
    let params = parameters(kernel, args).map_err(error)?;
    let symbols = place_symbols(memory, module, kernel, config)?;
    if symbols.shared_bytes > MAX_SHARED {
        let shared = symbols.shared_bytes;
        return Err(error(format!("{shared} bytes of shared memory, at most {MAX_SHARED} are possible")));
    }
    // Without both checks, no run finds an early load.
    let before = (config.checks.races && config.checks.init).then(|| memory.contents(MAX_KEPT)).flatten();
    let (mut early, mut faults, mut issued) = (Rc::<EarlyLoads>::default(), Vec::new(), 0);
    memory.printed.launch();
    loop {
        memory.forget_accesses();
        memory.printed.restart();
        let mut machine = Machine::new(program, kernel, config, shape, memory, params.clone(), symbols.clone());
        machine.env.early = Rc::clone(&early);
        if record {
            machine.record();
        }
        let stop = match machine.run(progress) {
            Ok(done) => return Ok(done),
            Err(stop) => stop,
        };
        issued += stop.steps;
        let again = before.as_ref().filter(|_| early.runs() < MAX_RUNS && issued < MAX_STEPS);
        match (stop.run, stop.early, again) {
            (Some(run), _, _) => return Err(LaunchError::Fault(faults.swap_remove(run))),
            (None, Some(load), Some(before)) => {
                memory.restore(before);
                Rc::make_mut(&mut early).push(load);
                faults.push(stop.fault);
            }
            _ => return Err(LaunchError::Fault(stop.fault)),
        }
    }
}

/// The largest memory, in bytes, that is copied so that a launch can be repeated.
const MAX_KEPT: usize = 64 << 20;
/// The most runs of one launch. A warp's store that races with loads whose values are never used takes one run for each
/// lane and load.
const MAX_RUNS: usize = 2048;
/// No further run starts once the runs so far have issued this many warp instructions.
const MAX_STEPS: u64 = 1 << 24;

/// The bytes of the parameter space.
fn parameters(kernel: &KernelCode, args: &[Arg]) -> Result<Vec<u8>, String> {
    let params = &kernel.interface.params;
    if args.len() != params.len() {
        return Err(format!("got {} arguments, expected {}", args.len(), params.len()));
    }
    let size = kernel.offsets.iter().zip(params).map(|(offset, param)| offset + param.size).max().unwrap_or(0);
    let mut out = vec![0; size as usize];
    for ((param, &offset), arg) in params.iter().zip(&kernel.offsets).zip(args) {
        let bytes = arg.bytes();
        if bytes.len() as u64 != param.size {
            return Err(format!("argument `{}` has {} bytes, expected {}", param.name, bytes.len(), param.size));
        }
        out[offset as usize..][..bytes.len()].copy_from_slice(&bytes);
    }
    Ok(out)
}
