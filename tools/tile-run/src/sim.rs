//! Runs kernels in the simulator.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use ptx_sim::{
    Arg, BufferMap, Checks, History, LaunchConfig, LaunchError, Memory, MemoryError, Module, Pointer, Progress, Report,
    Schedule, TensorMapError,
};
use thiserror::Error;

use crate::input::Input;
use crate::placement::Placement;
use crate::tensor::{Shape, Tensor};
use ptx_sim::Launch;

/// Options of a simulation.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The schedule, which decides which warps make progress.
    pub schedule: Schedule,
    /// The enabled checkers.
    pub checks: Checks,
    /// The maximum number of instructions that all warps of the launch together may issue.
    pub step_limit: u64,
}

/// Why a kernel did not run to completion.
#[derive(Debug, Error)]
pub enum SimError {
    /// The launch could not start.
    #[error("{0}")]
    Launch(LaunchError),
    /// The kernel did something wrong.
    #[error("{0}")]
    Fault(LaunchError),
    /// An access of the host to device memory failed.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A tensor map does not go with the address of its memory.
    #[error(transparent)]
    Map(#[from] TensorMapError),
}

/// The buffers that the kernel left; `None` for scalars.
pub type Left = Vec<Option<Tensor>>;

/// Runs `kernel` once on a fresh device; returns the counters and the buffers that the kernel left.
pub fn run(
    module: &Module,
    kernel: &str,
    launch: &Launch,
    inputs: &[Input],
    options: &Options,
) -> Result<(Report, Left), SimError> {
    let mut bar = Bar::new(options.schedule);
    let launched = |memory: &mut Memory, config: &LaunchConfig, args: &[Arg]| {
        ptx_sim::launch_with(memory, module, kernel, config, args, &mut |p| bar.show(p))
    };
    around(launch, inputs, options, launched)
}

/// The same, and the history of the run; `None` where that is too long to record.
pub fn run_recorded(
    module: &Module,
    kernel: &str,
    launch: &Launch,
    inputs: &[Input],
    options: &Options,
) -> Result<(Report, Option<History>, Left), SimError> {
    let launched = |memory: &mut Memory, config: &LaunchConfig, args: &[Arg]| {
        ptx_sim::launch_recorded(memory, module, kernel, config, args)
    };
    around(launch, inputs, options, launched).map(|((report, history), left)| (report, history, left))
}

/// Prepares a fresh device, launches on it, and reads its buffers.
fn around<R>(
    launch: &Launch,
    inputs: &[Input],
    options: &Options,
    launched: impl FnOnce(&mut Memory, &LaunchConfig, &[Arg]) -> Result<R, LaunchError>,
) -> Result<(R, Left), SimError> {
    let mut memory = Memory::new();
    let places = inputs.iter().map(|input| place(&mut memory, input)).collect::<Result<Vec<_>, _>>()?;
    let mut args = Vec::new();
    for (input, &at) in inputs.iter().zip(&places) {
        match input {
            Input::Map { map, by_address } => args.push(map_argument(&mut memory, map, *by_address, &places)?),
            _ => args.extend(arguments(input, at)),
        }
    }
    let Options { schedule, checks, step_limit } = *options;
    let config = LaunchConfig { checks, step_limit, ..LaunchConfig::of(launch, schedule) };
    let report = launched(&mut memory, &config, &args);
    let report = report.map_err(|e| if e.fault().is_some() { SimError::Fault(e) } else { SimError::Launch(e) })?;
    let left = inputs.iter().zip(&places).map(|(input, &at)| read(&memory, input, at));
    Ok((report, left.collect::<Result<_, _>>()?))
}

/// Allocates and fills a buffer; returns its address, or `None` for a scalar.
fn place(memory: &mut Memory, input: &Input) -> Result<Option<Pointer>, MemoryError> {
    match input {
        Input::Scalar(..) | Input::Map { .. } => Ok(None),
        Input::Buffer { shape, contents, placement: Some(placement), .. } => {
            apart(memory, shape, contents.as_deref(), placement).map(Some)
        }
        Input::Buffer { contents: Some(tensor), .. } => memory.alloc_with(&tensor.bytes).map(Some),
        Input::Buffer { shape, .. } => memory.alloc(shape.bytes()).map(Some),
    }
}

/// Allocates memory in which elements are not contiguous. The gaps have no value, so that a kernel that reads them is
/// detected.
fn apart(
    memory: &mut Memory,
    shape: &Shape,
    contents: Option<&Tensor>,
    placement: &Placement,
) -> Result<Pointer, MemoryError> {
    let size = shape.element.bytes;
    // The argument has been checked: all of its memory fits.
    let start = memory.alloc(placement.span(&shape.extents).unwrap_or_default() * size)?;
    let bytes = contents.map_or(&[][..], |tensor| &tensor.bytes);
    for (place, element) in placement.places(shape).zip(bytes.chunks_exact(size)) {
        memory.write(start.offset((place * size) as u64), element)?;
    }
    Ok(start)
}

/// A tensor map, or a pointer to one.
fn map_argument(
    memory: &mut Memory,
    argument: &BufferMap,
    by_address: bool,
    places: &[Option<Pointer>],
) -> Result<Arg, SimError> {
    let start = places.get(argument.buffer).copied().flatten().unwrap_or(Pointer(0));
    let map = argument.at(start.0)?;
    if by_address { Ok(Arg::Ptr(memory.alloc_with(&map.encode())?)) } else { Ok(Arg::Map(map)) }
}

/// A pointer or a number, and the numbers that follow it.
fn arguments(input: &Input, place: Option<Pointer>) -> Vec<Arg> {
    match input {
        Input::Map { .. } => Vec::new(),
        Input::Scalar(element, bits) => vec![Arg::Bytes(bits.to_le_bytes()[..element.bytes].to_vec())],
        Input::Buffer { numbers, .. } => {
            let numbers = numbers.iter().map(|number| Arg::Bytes(number.to_le_bytes().to_vec()));
            std::iter::once(Arg::Ptr(place.unwrap_or(Pointer(0)))).chain(numbers).collect()
        }
    }
}

fn read(memory: &Memory, input: &Input, place: Option<Pointer>) -> Result<Option<Tensor>, MemoryError> {
    let (Input::Buffer { shape, placement, .. }, Some(place)) = (input, place) else { return Ok(None) };
    if let Some(placement) = placement {
        return gather(memory, shape, placement, place).map(Some);
    }
    let bytes = memory.peek(place, shape.bytes())?.to_vec();
    let missing =
        if memory.is_initialized(place, shape.bytes())? { None } else { Some(missing(memory, shape, place)?) };
    Ok(Some(Tensor { missing, ..Tensor::new(shape.clone(), bytes) }))
}

/// Reads elements that are not contiguous, and finds writes to the gaps.
fn gather(memory: &Memory, shape: &Shape, placement: &Placement, start: Pointer) -> Result<Tensor, MemoryError> {
    let size = shape.element.bytes;
    let at = |place: usize| start.offset((place * size) as u64);
    let mut tensor = Tensor::new(shape.clone(), Vec::with_capacity(shape.bytes()));
    let mut missing = Vec::new();
    for place in placement.places(shape) {
        tensor.bytes.extend(memory.peek(at(place), size)?);
        missing.push(!memory.is_initialized(at(place), size)?);
    }
    tensor.missing = missing.contains(&true).then_some(missing);
    for place in placement.gaps(shape) {
        let written = (0..size).map(|byte| memory.is_initialized(at(place).offset(byte as u64), 1));
        if written.collect::<Result<Vec<_>, _>>()?.contains(&true) {
            tensor.strays.push(place);
        }
    }
    Ok(tensor)
}

/// For each element, whether any of its bytes has no value.
fn missing(memory: &Memory, shape: &Shape, place: Pointer) -> Result<Vec<bool>, MemoryError> {
    let size = shape.element.bytes;
    let one = |e: usize| memory.is_initialized(place.offset((e * size) as u64), size).map(|there| !there);
    (0..shape.elements()).map(one).collect()
}

/// A progress bar that appears when a run takes long, only on a terminal.
struct Bar {
    shown: Option<ProgressBar>,
    start: std::time::Instant,
    schedule: Schedule,
}

impl Bar {
    const AFTER: Duration = Duration::from_millis(500);

    fn new(schedule: Schedule) -> Self {
        Self { shown: None, start: std::time::Instant::now(), schedule }
    }

    /// Updates the bar; always lets the run continue.
    fn show(&mut self, progress: Progress) -> bool {
        if self.shown.is_none() && self.start.elapsed() < Self::AFTER {
            return true;
        }
        let schedule = self.schedule;
        let bar = self.shown.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} blocks, {elapsed}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(progress.blocks).with_style(style)
        });
        bar.set_message(format!("{schedule}: {} instructions", progress.steps));
        bar.set_position(progress.blocks_done);
        true
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}
