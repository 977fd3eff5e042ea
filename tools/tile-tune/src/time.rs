//! `tile-tune time`: checks and times the kernels of a folder on a GPU, and records the times.
//!
//! The candidates of a product take turns, so that what changes in the meantime, such as the clock, changes it for all of them. A time is
//! that of several launches without a gap, divided by their number, and the median of all turns counts.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tile_plan::linalg::ProductRecord;
use tile_run::cuda::{self, Buffer, Chip, CudaError, Gpu, Kernel, Module};
use tile_run::element::Element;
use tile_run::input::Input;
use tile_run::{BoundKernel, complain, say};

use crate::error::TuneError;
use crate::manifest::{CandidateKernel, Manifest, TunedProduct};
use crate::results::{CandidateResults, Written};
use crate::{data, record};

/// How long the launches of one turn take together, by the estimate, in microseconds; and the most of them.
const TURN_US: f64 = 1000.0;
const MAX_LAUNCHES: f64 = 50.0;

/// What is timed, how often, and where the times go.
#[derive(Clone, Debug, clap::Args)]
pub struct TimeOptions {
    /// The file that times are added to, which is made if it is missing.
    #[arg(long, value_name = "FILE")]
    record: PathBuf,
    /// The GPU, counted from 0.
    #[arg(long, default_value_t = 0)]
    device: usize,
    /// Timed turns of each kernel; the median is recorded.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    runs: u32,
    /// Turns before the timed ones.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(..=10_000))]
    warmups: u32,
    /// Leave a candidate out, by the name of its file: product0.2.
    #[arg(long, value_name = "NAME")]
    skip: Vec<String>,
}

impl TimeOptions {
    /// The options as a command line has them.
    pub fn words(&self) -> Vec<OsString> {
        let mut words = vec!["--record".into(), self.record.clone().into_os_string()];
        let numbers = [("--device", self.device.to_string()), ("--runs", self.runs.to_string())];
        let numbers = numbers.into_iter().chain([("--warmups", self.warmups.to_string())]);
        words.extend(numbers.flat_map(|(name, number)| [name.into(), number.into()]));
        words.extend(self.skip.iter().flat_map(|name| ["--skip".into(), name.into()]));
        words
    }
}

/// Times the products of a folder, printing each result immediately; `false` if a candidate is wrong. What is right is recorded after
/// each product.
///
/// # Errors
/// There is no manifest, no GPU, or a record that is none; or a kernel has failed while it ran.
pub fn all(folder: &Path, options: &TimeOptions) -> Result<bool, TuneError> {
    let manifest = Manifest::read(folder)?;
    record::read(&options.record)?;
    let gpu = Gpu::open(options.device)?;
    let chip = gpu.chip()?;
    let mut is_right = true;
    for product in &manifest.products {
        let records = timed(&gpu, &chip, folder, product, options)?;
        is_right &= records.len() == product.candidates.len();
        record::add(&options.record, records)?;
    }
    Ok(is_right)
}

/// A candidate's kernel on the GPU.
struct LoadedCandidate<'a> {
    candidate: &'a CandidateKernel,
    module: Module,
    bound: BoundKernel,
}

/// A kernel that can be started again and again.
struct TimedKernel<'a> {
    candidate: &'a CandidateKernel,
    kernel: Kernel<'a>,
    bound: &'a BoundKernel,
    values: Vec<Vec<u8>>,
    /// What parameters point to.
    _maps: Vec<Buffer>,
    /// Microseconds of each turn.
    times: Vec<f64>,
}

/// The records of a product's candidates that are right.
fn timed(
    gpu: &Gpu,
    chip: &Chip,
    folder: &Path,
    product: &TunedProduct,
    options: &TimeOptions,
) -> Result<Vec<ProductRecord>, TuneError> {
    let is_wanted = |candidate: &&CandidateKernel| !options.skip.iter().any(|name| name == candidate.name());
    let mut all: Vec<LoadedCandidate<'_>> = Vec::new();
    for candidate in product.candidates.iter().filter(is_wanted) {
        let loaded = load(gpu, folder, candidate).and_then(|loaded| {
            let first = all.first().map_or(candidate, |first| first.candidate);
            let [got, expected] = [candidate, first].map(|candidate| {
                let arguments = candidate.of_function().into_iter();
                arguments
                    .map(|(number, argument)| format!("{argument} as argument {number}"))
                    .collect::<Vec<_>>()
                    .join(", ")
            });
            let name = candidate.name().to_owned();
            if got == expected { Ok(loaded) } else { Err(TuneError::Differs { candidate: name, got, expected }) }
        });
        match loaded {
            Ok(loaded) => all.push(loaded),
            Err(error) => complain!("error: {error}"),
        }
    }
    let Some(first) = all.first() else { return Ok(Vec::new()) };
    let mut memory = CandidateMemory::new(gpu, first)?;
    let ready = all.iter().map(|loaded| prepare(gpu, loaded, &memory.buffers));
    let mut ready = right(gpu, ready.collect::<Result<_, _>>()?, &mut memory, product.size[2])?;
    for turn in 0..options.warmups.saturating_add(options.runs) {
        for kernel in &mut ready {
            let time = kernel.time(gpu)?;
            if turn >= options.warmups {
                kernel.times.push(time);
            }
        }
    }
    Ok(report(chip, product, &ready))
}

fn load<'a>(gpu: &Gpu, folder: &Path, candidate: &'a CandidateKernel) -> Result<LoadedCandidate<'a>, TuneError> {
    let bound = candidate.bound(folder, |_| "poison".to_owned())?;
    let named = |error| TuneError::Launch { candidate: candidate.name().to_owned(), error };
    Ok(LoadedCandidate { candidate, module: gpu.load(&bound.ptx).map_err(named)?, bound })
}

fn prepare<'a>(
    gpu: &Gpu,
    loaded: &'a LoadedCandidate<'a>,
    buffers: &BTreeMap<usize, CandidateBuffer>,
) -> Result<TimedKernel<'a>, TuneError> {
    let LoadedCandidate { candidate, module, bound } = loaded;
    let named = |error| TuneError::Launch { candidate: candidate.name().to_owned(), error };
    let kernel = module.kernel(&candidate.kernel).map_err(named)?;
    let buffers: Vec<_> =
        candidate.operands.iter().map(|operand| buffers.get(operand).map(|shared| &shared.buffer)).collect();
    let (values, maps) = cuda::values(gpu, &bound.inputs, &buffers).map_err(named)?;
    Ok(TimedKernel { candidate, kernel, bound, values, _maps: maps, times: Vec::new() })
}

/// The kernels that leave the same results as most others. Of the rest, a message says what is wrong.
///
/// # Errors
/// A kernel fails while it runs.
fn right<'a>(
    gpu: &Gpu,
    ready: Vec<TimedKernel<'a>>,
    memory: &mut CandidateMemory,
    depths: i64,
) -> Result<Vec<TimedKernel<'a>>, TuneError> {
    let (mut results, mut is_right) = (CandidateResults::default(), vec![true; ready.len()]);
    for (number, kernel) in ready.iter().enumerate() {
        memory.restore()?;
        gpu.wait()?;
        if let Err(error) = kernel.start() {
            complain!("error: {}: {error}", kernel.candidate.name());
            is_right[number] = false;
            continue;
        }
        let lost = |error| TuneError::Lost { candidate: kernel.candidate.name().to_owned(), error };
        gpu.wait().map_err(lost)?;
        results.add(number, memory.written()?, depths);
    }
    for (number, deviation) in results.deviating(depths) {
        let CandidateKernel { schedule, .. } = ready[number].candidate;
        let name = ready[number].candidate.name();
        complain!("error: {name}: {deviation}; it is not recorded: {schedule}");
        is_right[number] = false;
    }
    Ok(ready.into_iter().zip(is_right).filter_map(|(kernel, is_right)| is_right.then_some(kernel)).collect())
}

impl TimedKernel<'_> {
    fn start(&self) -> Result<(), CudaError> {
        self.kernel.launch_values(&self.bound.launch, &self.values)
    }

    /// A turn: the time of a launch, in microseconds.
    fn time(&self, gpu: &Gpu) -> Result<f64, TuneError> {
        let launches = (TURN_US / self.candidate.estimate).ceil().clamp(1.0, MAX_LAUNCHES) as u32;
        let milliseconds = gpu.time(|| (0..launches).try_for_each(|_| self.start()));
        let lost = |error| TuneError::Lost { candidate: self.candidate.name().to_owned(), error };
        Ok(f64::from(milliseconds.map_err(lost)?) * 1e3 / f64::from(launches))
    }

    fn median(&self) -> f64 {
        let mut sorted = self.times.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }
}

/// The memory that the candidates of a product share, by the function's arguments.
struct CandidateMemory {
    buffers: BTreeMap<usize, CandidateBuffer>,
}

/// A buffer, and what is in it before a kernel runs.
struct CandidateBuffer {
    buffer: Buffer,
    element: Element,
    before: Vec<u8>,
}

impl CandidateMemory {
    fn new(gpu: &Gpu, loaded: &LoadedCandidate<'_>) -> Result<Self, TuneError> {
        let mut buffers = BTreeMap::new();
        for (&number, input) in loaded.candidate.operands.iter().zip(&loaded.bound.inputs) {
            if let (Input::Buffer { shape, .. }, Some(before)) = (input, data::memory(number, input)?) {
                let buffer = gpu.alloc(before.len())?;
                buffers.insert(number, CandidateBuffer { buffer, element: shape.element, before });
            }
        }
        Ok(Self { buffers })
    }

    /// Writes what is multiplied.
    fn restore(&mut self) -> Result<(), TuneError> {
        for CandidateBuffer { buffer, before, .. } in self.buffers.values_mut() {
            buffer.upload(before)?;
        }
        Ok(())
    }

    /// The buffers that are not as they were.
    fn written(&self) -> Result<Written, TuneError> {
        let mut written = Vec::new();
        for (number, CandidateBuffer { buffer, element, before }) in &self.buffers {
            let mut bytes = vec![0; before.len()];
            buffer.download(&mut bytes)?;
            if bytes != *before {
                written.push((*number, *element, bytes));
            }
        }
        Ok(written)
    }
}

/// Prints the times, the fastest first; returns their records.
fn report(chip: &Chip, product: &TunedProduct, ready: &[TimedKernel<'_>]) -> Vec<ProductRecord> {
    say!("{}: {} on {}", product.place, product.what(), chip.name);
    let mut sorted: Vec<&TimedKernel<'_>> = ready.iter().collect();
    sorted.sort_by(|one, other| one.median().total_cmp(&other.median()));
    for kernel in &sorted {
        let CandidateKernel { schedule, estimate, .. } = kernel.candidate;
        say!("{:9.1} us, estimated {estimate:9.1} us: {}: {schedule}", kernel.median(), kernel.candidate.name());
    }
    let date = record::today();
    let record = |kernel: &&TimedKernel<'_>| ProductRecord {
        chip: product.chip.clone(),
        gpu: chip.name.clone(),
        driver: format!("{}.{}", chip.driver.0, chip.driver.1),
        date: date.clone(),
        size: product.size,
        elements: product.elements.clone(),
        schedule: kernel.candidate.schedule.clone(),
        estimate: kernel.candidate.estimate,
        measured: (kernel.median() * 10.0).round() / 10.0,
    };
    sorted.iter().map(record).collect()
}
