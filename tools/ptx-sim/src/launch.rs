//! Launching a kernel.

use std::rc::Rc;

use thiserror::Error;

use crate::code::Kernel;
use crate::config::{Arg, LaunchConfig, Progress, Shape, place_symbols};
use crate::counters::Report;
use crate::exec::{EarlyLoads, Machine};
use crate::fault::Fault;
use crate::history::History;
use crate::memory::{Memory, MemoryError};
use crate::module::Module;

/// Why a launch gave no report.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LaunchError {
    /// The launch itself is wrong.
    #[error("kernel `{kernel}` cannot be launched: {message}")]
    Config {
        /// The kernel.
        kernel: String,
        /// Got and expected.
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
    /// The fault, where the kernel is to blame.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Fault(fault) => Some(fault),
            _ => None,
        }
    }
}

/// Runs `kernel` to its end, or to the first fault.
///
/// Where a write races with an earlier load, it runs again from the start, to see whether the value of that load counts
/// (compilers load early). That needs memory as it was: with more than 64 MiB of it, the race is reported as it is.
pub fn launch(
    memory: &mut Memory,
    module: &Module,
    kernel: &str,
    config: &LaunchConfig,
    args: &[Arg],
) -> Result<Report, LaunchError> {
    launch_with(memory, module, kernel, config, args, &mut |_| true)
}

/// The same; `progress` is called now and then, and stops the launch by returning false.
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

/// The same, and what happened; none where that is too much to be written down, or races are not checked.
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
    let Some(kernel) = program.kernels.iter().find(|k| k.name == kernel) else {
        return Err(error("the module has no such kernel".into()));
    };
    let shape = Shape::new(kernel, config).map_err(error)?;
    let params = parameters(kernel, args).map_err(error)?;
    let symbols = place_symbols(memory, module, kernel, config)?;
    if symbols.shared_bytes > MOST_SHARED {
        let shared = symbols.shared_bytes;
        return Err(error(format!("{shared} bytes of shared memory, at most {MOST_SHARED} are possible")));
    }
    // Without both checks no run finds such a load.
    let before = (config.checks.races && config.checks.init).then(|| memory.contents(MOST_KEPT)).flatten();
    let (mut early, mut faults, mut issued) = (Rc::<EarlyLoads>::default(), Vec::new(), 0);
    loop {
        memory.forget_accesses();
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
        let again = before.as_ref().filter(|_| early.runs() < MOST_RUNS && issued < MOST_STEPS);
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

/// Memory up to this size, in bytes, is kept so that a launch can be repeated.
const MOST_KEPT: usize = 64 << 20;
/// Runs of one launch. A store of a warp that races with loads whose values do not count takes a run for each lane and load.
const MOST_RUNS: usize = 2048;
/// Instructions that warps issue in these before a further run begins.
const MOST_STEPS: u64 = 1 << 24;

/// What one block of any current device can have, in bytes.
const MOST_SHARED: u64 = 227 * 1024;

/// The bytes of the parameter space.
fn parameters(kernel: &Kernel, args: &[Arg]) -> Result<Vec<u8>, String> {
    if args.len() != kernel.params.len() {
        return Err(format!("got {} arguments, expected {}", args.len(), kernel.params.len()));
    }
    let size = kernel.params.last().map_or(0, |p| p.offset + p.size);
    let mut out = vec![0; size as usize];
    for (param, arg) in kernel.params.iter().zip(args) {
        let bytes = arg.bytes();
        if bytes.len() as u64 != param.size {
            return Err(format!("argument `{}` has {} bytes, expected {}", param.name, bytes.len(), param.size));
        }
        out[param.offset as usize..][..bytes.len()].copy_from_slice(&bytes);
    }
    Ok(out)
}
