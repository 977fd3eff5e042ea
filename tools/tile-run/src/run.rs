//! The whole program, from the command line to the verdict.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use ptx_sim::{Interface, Launch, MapPlaces, interfaces};
use thiserror::Error;
use tile_cli::Shell;

use crate::bind::bind;
use crate::complain;
use crate::declared;
use crate::derived;
use crate::expect;
use crate::gpu;
use crate::input::Input;
use crate::job::{Job, NotRun, Verdict, inputs, launch};
use crate::options::{Device, ExecutionTarget, Options};
use crate::source;

/// The whole program, with the arguments of the process.
pub fn main() -> ExitCode {
    ExitCode::from(status(std::env::args_os()))
}

/// The exit status for some arguments, whose first is the program's name: 0 all is as expected, 1 it is not, 2 nothing was run.
/// Where they only ask for help, or cannot be read, the process ends.
pub fn status(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let matches = Options::command().get_matches_from(arguments);
    if matches.get_flag("man") {
        return written(&tile_cli::manual(Options::command()));
    }
    if let Some(&shell) = matches.get_one::<Shell>("completions") {
        return written(&tile_cli::completions(Options::command(), shell));
    }
    match run(&Options::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())) {
        Ok(Verdict::Good) => 0,
        Ok(Verdict::Bad) => 1,
        Err(error) => {
            let place = error.place().map(|place| format!("{place}: ")).unwrap_or_default();
            complain!("{place}error: {error}");
            if let Some(tile) = error.tile() {
                complain!("{tile}: note: the tile is here");
            }
            2
        }
    }
}

/// The exit status after a text for people or shells.
fn written(text: &str) -> u8 {
    let result = io::stdout().write_all(text.as_bytes());
    // Whoever closes the pipe has read enough.
    if result.is_err_and(|error| error.kind() != io::ErrorKind::BrokenPipe) { 2 } else { 0 }
}

fn run(options: &Options) -> Result<Verdict, NotRun> {
    match options.device {
        ExecutionTarget::Ptx(device) => ptx(options, device),
        ExecutionTarget::Vulkan(number) => gpu::vulkan(options, number),
    }
}

fn ptx(options: &Options, device: Device) -> Result<Verdict, NotRun> {
    let BoundKernel { ptx, kernel, launch, inputs } = bound(options)?;
    let expectations = expect::expectations(options, &inputs)?;
    let job = Job { options, launch, expectations, ptx, kernel, inputs };
    job.check_shapes()?;
    match device {
        _ if options.json && (device != Device::Sim || options.delete_sync) => Err(NotRun::Json),
        Device::Sim if options.json => job.simulate_to_json(),
        Device::Sim if options.delete_sync => job.delete_sync(),
        Device::Sim => job.simulate(),
        Device::Cuda(number) => gpu::cuda(&job, number),
    }
}

/// A kernel with everything that a launch of it takes.
#[derive(Debug)]
pub struct BoundKernel {
    /// The text that it is in.
    pub ptx: String,
    /// What it takes, and needs of its launch.
    pub kernel: Interface,
    /// How it is launched.
    pub launch: Launch,
    /// Its arguments, and after them the tensor maps that are made of these.
    pub inputs: Vec<Input>,
}

/// Why a kernel cannot be launched as the options say: got and expected.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct BindKernelError(Box<NotRun>);

impl BoundKernel {
    /// The PTX kernel of a command line, with its arguments.
    ///
    /// # Errors
    /// Its file cannot be read or translated, or the arguments or the launch are none of the kernel.
    pub fn of(options: &Options) -> Result<Self, BindKernelError> {
        bound(options).map_err(|error| BindKernelError(Box::new(error)))
    }
}

fn bound(options: &Options) -> Result<BoundKernel, NotRun> {
    let translation = source::Translation {
        chip: options.chip.as_deref(),
        kernel: options.entry.as_deref(),
        passes: options.passes.as_deref(),
    };
    let ptx = source::ptx(&options.file, &translation)?;
    let kernel = entry(interfaces(&ptx).map_err(NotRun::Interface)?, options.entry.as_deref())?;
    let declared = declared::arguments(&ptx, &kernel.name);
    let maps = derived::stated(&ptx, &kernel, options.arguments.len())?;
    let given = derived::given(&kernel, &maps);
    let numbers = bind(&given, &declared, &options.arguments, options.checks_types());
    let numbers = numbers.map_err(|error| error.of_map(MapPlaces::of_unknown(&ptx, &kernel.name)))?;
    let mut inputs = inputs(options, &given, numbers)?;
    inputs.extend(derived::inputs(&maps, &inputs)?);
    Ok(BoundKernel { launch: launch(options, &kernel)?, ptx, kernel, inputs })
}

/// The kernel with the given name, or the only one.
fn entry(mut kernels: Vec<Interface>, name: Option<&str>) -> Result<Interface, NotRun> {
    let names = || kernels.iter().map(|k| k.name.clone()).collect::<Vec<_>>();
    let index = match name {
        Some(name) => kernels.iter().position(|k| k.name == name),
        None if kernels.len() > 1 => return Err(NotRun::WhichEntry(names())),
        None => Some(0),
    };
    match (index, name) {
        _ if kernels.is_empty() => Err(NotRun::NoEntry),
        (None, name) => Err(NotRun::Entry { got: name.unwrap_or_default().into(), kernels: names() }),
        (Some(index), _) => Ok(kernels.swap_remove(index)),
    }
}
