//! A kernel with everything that a run needs: runs it on a device and judges the result; and the errors that prevent a
//! run.

use ptx_sim::{DerivedMapError, FaultKind, Interface, LaunchError, Mismatch, Module, Schedule};
use thiserror::Error;

use crate::argument::Argument;
use crate::bind::BindError;
#[cfg(feature = "gpu")]
use crate::cuda::CudaError;
use crate::expect::{self, ExpectError, Expectation};
use crate::fill::{self, FillError};
use crate::input::{Input, takes_map};
use crate::npy::{self, NpyError};
use crate::options::Options;
use crate::report::Table;
use crate::sim::{self, Prints, SimError};
use crate::source::SourceError;
use crate::tensor::{Strays, Tensor};
#[cfg(feature = "gpu")]
use crate::vulkan::VulkanError;
use crate::{complain, order, say};
use ptx_sim::Launch;

/// Whether everything was as expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Good,
    Bad,
}

/// Why nothing was run.
#[derive(Debug, Error)]
pub(crate) enum NotRun {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("got --entry {got}, expected one of the kernels {}", kernels.join(", "))]
    Entry { got: String, kernels: Vec<String> },
    #[error("there are several kernels, choose one with --entry: {}", .0.join(", "))]
    WhichEntry(Vec<String>),
    #[error("the file has no kernel")]
    NoEntry,
    #[error("kernel `{kernel}` cannot be launched: {mismatch}{}", if *mismatch == Mismatch::NoBlock { ": use --block" } else { "" })]
    Launch { kernel: String, mismatch: Mismatch },
    #[error(transparent)]
    Arguments(#[from] BindError),
    #[error("argument {index}: {error}")]
    Fill { index: usize, error: FillError },
    #[error("argument {index}: got a tensor map of argument {buffer}, which is no buffer")]
    MapBase { index: usize, buffer: usize },
    #[error("--memory, number {0}: expected a buffer, TYPE[EXTENTS]=CONTENTS")]
    NoMemory(usize),
    #[cfg(feature = "gpu")]
    #[error("argument {0}: got a null pointer, but kernels for Vulkan take buffers")]
    NullBuffer(usize),
    #[cfg(not(feature = "gpu"))]
    #[error("got --device {0}, but this tile-run has been built without GPUs; expected sim")]
    NoGpu(&'static str),
    #[error("the tensor map of a copy cannot be made: {}", without_places(.0))]
    DerivedMap(DerivedMapError),
    #[error(transparent)]
    Expect(#[from] ExpectError),
    #[error("the PTX cannot be read: {0}")]
    Interface(ptx_sim::ParseError),
    #[error("the simulator cannot run the PTX: {0}")]
    Parse(#[from] ptx_sim::ParseError),
    #[error("{0}")]
    Simulator(SimError),
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Cuda(#[from] CudaError),
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Vulkan(#[from] VulkanError),
    #[error(transparent)]
    Write(#[from] NpyError),
    #[error("--json is only for the simulator, without --delete-sync")]
    Json,
}

/// The error of a map without the places of its copy and its tile, which are printed before and after it.
fn without_places(error: &DerivedMapError) -> &DerivedMapError {
    if let DerivedMapError::At(_, error) = error { error } else { error }
}

impl NotRun {
    /// The source location that the error is about.
    pub(crate) fn place(&self) -> Option<&str> {
        match self {
            Self::Arguments(error) => error.place(),
            Self::DerivedMap(DerivedMapError::At(places, _)) => Some(&places.copy),
            _ => None,
        }
    }

    /// The source location of the tile that the error is about.
    pub(crate) fn tile(&self) -> Option<&str> {
        match self {
            Self::Arguments(error) => error.tile(),
            Self::DerivedMap(DerivedMapError::At(places, _)) => Some(&places.tile),
            _ => None,
        }
    }
}

pub(crate) struct Job<'a> {
    pub(crate) options: &'a Options,
    /// The PTX of the kernels; empty for Vulkan.
    pub(crate) ptx: String,
    pub(crate) kernel: Interface,
    pub(crate) launch: Launch,
    pub(crate) inputs: Vec<Input>,
    pub(crate) expectations: Vec<Expectation>,
}

impl Job<'_> {
    /// Checks that the arguments to print or write are buffers.
    pub(crate) fn check_shapes(&self) -> Result<(), NotRun> {
        for &argument in &self.options.print {
            expect::shape(&self.inputs, argument, "--print")?;
        }
        for numbered in &self.options.write {
            expect::shape(&self.inputs, numbered.argument, "--write")?;
        }
        Ok(())
    }

    pub(crate) fn head(&self, place: &str) {
        let Launch { grid, block, .. } = &self.launch;
        say!("{}: {grid} blocks of {block} threads, {place}", self.kernel.name);
    }

    /// Runs under each schedule, on a fresh device each time, until one goes wrong.
    pub(crate) fn simulate(&self) -> Result<Verdict, NotRun> {
        let module = Module::parse_kernel(&self.ptx, &self.kernel.name)?;
        self.head(&format!("{}, simulated", module.target()));
        let (mut counters, mut printed) = (None, Vec::new());
        self.under_each_schedule(&module, |schedule, result| {
            counters = self.judged(schedule, result, &mut printed)?;
            Ok(counters.is_some())
        })?;
        let Some(report) = counters else { return Ok(Verdict::Bad) };
        say!("{}", Table(&report));
        Ok(Verdict::Good)
    }

    /// Simulates the kernel under each schedule, and passes the results on in order, until `take` returns false or an error.
    pub(crate) fn under_each_schedule(
        &self,
        module: &Module,
        mut take: impl FnMut(Schedule, Result<(ptx_sim::Report, sim::Left), SimError>) -> Result<bool, NotRun>,
    ) -> Result<(), NotRun> {
        let of_schedule = |schedule| self.simulation(schedule, self.options.max_steps);
        let runs: Vec<sim::SimOptions> = self.options.schedules().into_iter().map(of_schedule).collect();
        let take = |options: &sim::SimOptions, result| take(options.schedule, result);
        sim::run_each(module, &self.kernel.name, &self.launch, &self.inputs, &runs, take)
    }

    pub(crate) fn simulation(&self, schedule: Schedule, step_limit: u64) -> sim::SimOptions {
        let prints = match self.options {
            Options { delete_sync: true, .. } => Prints::Nowhere,
            Options { json: true, .. } => Prints::Error,
            _ => Prints::Output,
        };
        sim::SimOptions { schedule, checks: self.options.checks(), step_limit, prints }
    }

    /// The first expectation that does not hold.
    pub(crate) fn wrong(&self, left: &[Option<Tensor>]) -> Option<String> {
        let stray = left.iter().enumerate().find_map(|(argument, tensor)| stray(argument, tensor.as_ref()?));
        stray.or_else(|| {
            self.expectations.iter().find_map(|expectation| {
                let difference = expectation.check(left)?;
                Some(format!("argument {} does not hold {}: {difference}", expectation.argument(), expectation.what()))
            })
        })
    }

    /// The counters of a run under one schedule; `None` if something was wrong, which is printed.
    fn judged(
        &self,
        schedule: Schedule,
        result: Result<(ptx_sim::Report, sim::Left), SimError>,
        printed: &mut Vec<(usize, Tensor)>,
    ) -> Result<Option<ptx_sim::Report>, NotRun> {
        let run = format!("schedule {schedule}");
        match result {
            Ok((report, left)) => Ok((self.finish(&run, &left, printed)? == Verdict::Good).then_some(report)),
            Err(SimError::Fault(fault)) => {
                complain!("error: {run}: {fault}");
                self.say_order(&fault);
                Ok(None)
            }
            Err(error) => Err(NotRun::Simulator(error)),
        }
    }

    /// Prints the missing synchronization, where two accesses are unordered.
    fn say_order(&self, fault: &LaunchError) {
        let unordered = [FaultKind::Race, FaultKind::InFlight, FaultKind::Uninitialized];
        if fault.fault().is_some_and(|fault| unordered.contains(&fault.kind)) {
            let note = order::note(&self.options.file, self.options.chip.as_deref(), &fault.to_string());
            note.iter().for_each(|note| complain!("{note}"));
        }
    }

    /// Prints and writes the buffers that a run left, and compares them with the expectations. Buffers that earlier runs
    /// have `printed` with the same elements are not printed again.
    pub(crate) fn finish(
        &self,
        run: &str,
        left: &[Option<Tensor>],
        printed: &mut Vec<(usize, Tensor)>,
    ) -> Result<Verdict, NotRun> {
        let buffer = |argument: usize| left.get(argument).and_then(Option::as_ref);
        for (argument, tensor) in self.options.print.iter().filter_map(|&k| Some((k, buffer(k)?))) {
            if printed.iter().any(|(before, known)| *before == argument && known == tensor) {
                continue;
            }
            say!("argument {argument}, {}:", tensor.shape);
            tensor.lines(self.options.print_all).iter().for_each(|line| say!("{line}"));
            printed.push((argument, tensor.clone()));
        }
        self.write(left)?;
        self.warn_of_unwritten(run, left);
        Ok(self.compare(run, left))
    }

    /// Writes the buffers that a run left to the files of `--write`.
    pub(crate) fn write(&self, left: &[Option<Tensor>]) -> Result<(), NotRun> {
        let buffer = |argument: usize| left.get(argument).and_then(Option::as_ref);
        for (numbered, tensor) in self.options.write.iter().filter_map(|n| Some((n, buffer(n.argument)?))) {
            if let missing @ 1.. = tensor.missing() {
                complain!("warning: argument {}: {missing} elements have no value", numbered.argument);
            }
            npy::write(&numbered.file, tensor)?;
        }
        Ok(())
    }

    /// Warns of buffers that hold no value after a run, as before it: a kernel that copies what has no value may be compiled
    /// to one that copies nothing, in which no check can find a mistake.
    fn warn_of_unwritten(&self, run: &str, left: &[Option<Tensor>]) {
        for (argument, (input, tensor)) in self.inputs.iter().zip(left).enumerate() {
            if let (Input::Buffer { contents: None, shape, .. }, Some(tensor)) = (input, tensor)
                && tensor.missing() == shape.elements().max(1)
            {
                complain!("warning: {run}: argument {argument}: no element of {shape} was written");
            }
        }
    }

    fn compare(&self, run: &str, left: &[Option<Tensor>]) -> Verdict {
        let mut held = Vec::new();
        let strays = left.iter().enumerate().filter_map(|(argument, tensor)| stray(argument, tensor.as_ref()?));
        let strays: Vec<String> = strays.collect();
        strays.iter().for_each(|stray| complain!("error: {run}: {stray}"));
        for expectation in &self.expectations {
            let (argument, what) = (expectation.argument(), expectation.what());
            match expectation.check(left) {
                None => held.push(format!("argument {argument} holds {what}")),
                Some(difference) => complain!("error: {run}: argument {argument} does not hold {what}: {difference}"),
            }
        }
        if held.len() < self.expectations.len() || !strays.is_empty() {
            return Verdict::Bad;
        }
        let held = if held.is_empty() { "nothing was compared".into() } else { held.join(", ") };
        say!("{run}: {held}");
        Verdict::Good
    }
}

/// The error that memory around the elements of an argument was written, if it was.
pub(crate) fn stray(argument: usize, tensor: &Tensor) -> Option<String> {
    let (Strays { first, count }, shape) = (tensor.strays, &tensor.shape);
    (count > 0).then(|| format!(
        "argument {argument}: {count} elements of memory around {shape} were written, the first at offset {first} of \
         its memory"
    ))
}

/// The launch of the options, and what the kernel states where they say nothing.
pub(crate) fn launch(options: &Options, kernel: &Interface) -> Result<Launch, NotRun> {
    let launch = kernel.needs.complete(options.grid, options.block, options.cluster, options.shared);
    launch.map_err(|mismatch| NotRun::Launch { kernel: kernel.name.clone(), mismatch })
}

pub(crate) fn inputs(options: &Options, kernel: &Interface, numbers: Vec<Vec<u64>>) -> Result<Vec<Input>, NotRun> {
    let mut first = 0;
    let one = |(index, (argument, numbers)): (usize, (&Argument, Vec<u64>))| {
        let param = kernel.params.get(first);
        first += 1 + numbers.len();
        match argument {
            Argument::Null => Ok(Input::Null { numbers: numbers.len() }),
            Argument::Scalar { element, bits } => Ok(Input::Scalar(*element, *bits)),
            Argument::Map(map) => match options.arguments.iter().chain(&options.memory).nth(map.buffer) {
                Some(Argument::Buffer { .. }) => {
                    Ok(Input::Map { map: map.clone(), by_address: !param.is_some_and(takes_map) })
                }
                _ => Err(NotRun::MapBase { index, buffer: map.buffer }),
            },
            Argument::Buffer { shape, placement, fill } => {
                // Arguments without an own seed get different contents.
                let seed = options.seed.wrapping_add(index as u64);
                let contents = fill::contents(shape, fill, seed).map_err(|error| NotRun::Fill { index, error })?;
                let (contents, placement) = (contents.map(Box::new), placement.clone());
                let is_passed = index < options.arguments.len();
                Ok(Input::Buffer { shape: shape.clone(), contents, placement, numbers, is_passed })
            }
        }
    };
    if let Some(index) = options.memory.iter().position(|memory| !matches!(memory, Argument::Buffer { .. })) {
        return Err(NotRun::NoMemory(index));
    }
    let memory = options.memory.iter().map(|memory| (memory, Vec::new()));
    options.arguments.iter().zip(numbers).chain(memory).enumerate().map(one).collect()
}
