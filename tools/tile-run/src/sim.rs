//! Runs kernels in the simulator.

use std::io::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use ptx_sim::{
    Arg, Buffer, Call, Checks, History, LaunchConfig, LaunchError, Memory, MemoryError, Module, Pointer, Progress,
    Report, Schedule, TensorMapError, Turn, in_turn,
};
use thiserror::Error;

use crate::input::Input;
use crate::placement::Placement;
use crate::say;
use crate::tensor::{Shape, Tensor};
use ptx_sim::Launch;

/// Options of a simulation.
#[derive(Debug, Clone, Copy)]
pub struct SimOptions {
    /// The schedule, which decides which warps make progress.
    pub schedule: Schedule,
    /// The enabled checkers.
    pub checks: Checks,
    /// The maximum number of instructions that all warps of the launch together may issue.
    pub step_limit: u64,
    /// Where what the kernel prints is printed.
    pub prints: Prints,
}

/// Where what a kernel prints is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prints {
    /// It is not printed.
    Nowhere,
    /// Standard output.
    Output,
    /// Standard error.
    Error,
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
    options: &SimOptions,
) -> Result<(Report, Left), SimError> {
    around(launch, inputs, options, |call, config| call.launch(module, kernel, config)).printed_result(options)
}

/// The same under each of several options, at once where there are processors; the results are passed on in order, until `take`
/// returns false or an error.
///
/// # Errors
/// That of `take`.
pub fn run_each<E>(
    module: &Module,
    kernel: &str,
    launch: &Launch,
    inputs: &[Input],
    runs: &[SimOptions],
    mut take: impl FnMut(&SimOptions, Result<(Report, Left), SimError>) -> Result<bool, E>,
) -> Result<(), E> {
    let run = |options: &SimOptions, turn: Turn<'_>| {
        let mut bar = Bar::new(options.schedule);
        let mut show = |progress| {
            if turn.is_next() {
                bar.show(progress);
            }
            turn.is_wanted()
        };
        around(launch, inputs, options, |call, config| call.launch_with(module, kernel, config, &mut show))
    };
    in_turn(runs, run, |options, run| take(options, run.printed_result(options)))
}

/// The same, and the history of the run; `None` where that is too long to record.
pub fn run_recorded(
    module: &Module,
    kernel: &str,
    launch: &Launch,
    inputs: &[Input],
    options: &SimOptions,
) -> Result<(Report, Option<History>, Left), SimError> {
    let ((report, history), left) =
        around(launch, inputs, options, |call, config| call.record(module, kernel, config)).printed_result(options)?;
    Ok((report, history, left))
}

/// What became of a run, and what it printed.
struct SimulatedRun<R> {
    printed: String,
    result: Result<(R, Left), SimError>,
}

impl<R> SimulatedRun<R> {
    /// The result, once what the kernel printed has been printed.
    fn printed_result(self, options: &SimOptions) -> Result<(R, Left), SimError> {
        match options.prints {
            Prints::Nowhere => {}
            Prints::Output => self.printed.lines().for_each(|line| say!("{line}")),
            Prints::Error => self.printed.lines().for_each(|line| _ = writeln!(std::io::stderr(), "{line}")),
        }
        self.result
    }
}

fn around<R>(
    launch: &Launch,
    inputs: &[Input],
    options: &SimOptions,
    launched: impl FnOnce(&mut Call, &LaunchConfig) -> Result<R, LaunchError>,
) -> SimulatedRun<R> {
    let mut call = Call::new();
    let result = launched_on(&mut call, launch, inputs, options, launched);
    SimulatedRun { printed: call.memory.take_printed(), result }
}

/// Prepares a fresh device, launches on it, and reads its buffers.
fn launched_on<R>(
    call: &mut Call,
    launch: &Launch,
    inputs: &[Input],
    options: &SimOptions,
    launched: impl FnOnce(&mut Call, &LaunchConfig) -> Result<R, LaunchError>,
) -> Result<(R, Left), SimError> {
    let places = inputs.iter().map(|input| place(call, input)).collect::<Result<Vec<_>, _>>()?;
    for (input, &at) in inputs.iter().zip(&places) {
        add(call, input, at, &places)?;
    }
    let SimOptions { schedule, checks, step_limit, .. } = *options;
    let config = LaunchConfig { checks, step_limit, ..LaunchConfig::of(launch, schedule) };
    let report = launched(call, &config);
    let report = report.map_err(|e| if e.fault().is_some() { SimError::Fault(e) } else { SimError::Launch(e) })?;
    let left = inputs.iter().zip(&places).map(|(input, &at)| read(call, input, at));
    Ok((report, left.collect::<Result<_, _>>()?))
}

/// Allocates and fills a buffer; `None` for an input that is none.
fn place(call: &mut Call, input: &Input) -> Result<Option<Buffer>, MemoryError> {
    match input {
        Input::Scalar(..) | Input::Null { .. } | Input::Map { .. } => Ok(None),
        Input::Buffer { shape, contents, placement: Some(placement), .. } => {
            apart(call, shape, contents.as_deref(), placement).map(Some)
        }
        Input::Buffer { contents: Some(tensor), .. } => call.place(&tensor.bytes).map(Some),
        Input::Buffer { shape, .. } => call.reserve(shape.bytes()).map(Some),
    }
}

/// Allocates memory in which elements are not contiguous. The gaps have no value, so that a kernel that reads them is
/// detected.
fn apart(
    call: &mut Call,
    shape: &Shape,
    contents: Option<&Tensor>,
    placement: &Placement,
) -> Result<Buffer, MemoryError> {
    let size = shape.element.bytes;
    // The argument has been checked: all of its memory fits.
    let buffer = call.reserve(placement.span(&shape.extents).unwrap_or_default() * size)?;
    let bytes = contents.map_or(&[][..], |tensor| &tensor.bytes);
    for (place, element) in placement.places(shape).zip(bytes.chunks_exact(size)) {
        call.memory.write(buffer.start.offset((place * size) as u64), element)?;
    }
    Ok(buffer)
}

/// Adds an argument: a number, a pointer and the numbers that follow it, or a tensor map of one of the buffers.
fn add(call: &mut Call, input: &Input, place: Option<Buffer>, places: &[Option<Buffer>]) -> Result<(), SimError> {
    let start = |place: Option<Buffer>| place.map_or(Pointer(0), |buffer| buffer.start);
    match input {
        Input::Map { map, by_address } => {
            let map = map.at(start(places.get(map.buffer).copied().flatten()).0)?;
            if *by_address {
                call.buffer(&map.encode())?;
            } else {
                call.number(Arg::Map(map));
            }
        }
        Input::Null { numbers } => (0..=*numbers).for_each(|_| call.number(Arg::Ptr(Pointer(0)))),
        Input::Scalar(element, bits) => call.number(Arg::Bytes(bits.to_le_bytes()[..element.bytes].to_vec())),
        Input::Buffer { is_passed: false, .. } => {}
        Input::Buffer { numbers, .. } => {
            call.number(Arg::Ptr(start(place)));
            numbers.iter().for_each(|number| call.number(Arg::Bytes(number.to_le_bytes().to_vec())));
        }
    }
    Ok(())
}

fn read(call: &Call, input: &Input, place: Option<Buffer>) -> Result<Option<Tensor>, MemoryError> {
    let (Input::Buffer { shape, placement, .. }, Some(buffer)) = (input, place) else { return Ok(None) };
    let (memory, start) = (&call.memory, buffer.start);
    if let Some(placement) = placement {
        return gather(memory, shape, placement, start).map(Some);
    }
    let bytes = call.contents(buffer)?.to_vec();
    let missing = if memory.is_initialized(start, buffer.bytes)? { None } else { Some(missing(memory, shape, start)?) };
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
    for gap in placement.gaps(shape) {
        let (start, bytes) = (at(gap.start), gap.len() * size);
        let mut from = 0;
        while let Some(byte) = memory.first_initialized(start.offset(from as u64), bytes - from)? {
            let place = (from + byte) / size;
            tensor.strays.add(gap.start + place);
            from = (place + 1) * size;
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

    /// Updates the bar.
    fn show(&mut self, progress: Progress) {
        if self.shown.is_none() && self.start.elapsed() < Self::AFTER {
            return;
        }
        let schedule = self.schedule;
        let bar = self.shown.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} blocks, {elapsed}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(progress.blocks).with_style(style)
        });
        bar.set_message(format!("{schedule}: {} instructions", progress.steps));
        bar.set_position(progress.blocks_done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}
