//! Runs on GPUs.

use ptx_sim::Launch;

use crate::argument::Argument;
use crate::bind::bind;
use crate::input::Input;
use crate::job::{Job, NotRun, Verdict, inputs, launch};
use crate::options::Options;
use crate::times::{Times, Timing};
use crate::vulkan::{self, Module, numbers};
use crate::{complain, cuda as driver, expect, say, source};

/// Runs a kernel on an NVIDIA GPU.
pub(crate) fn cuda(job: &Job<'_>, number: usize) -> Result<Verdict, NotRun> {
    let name = &job.kernel.name;
    let done = driver::run(&job.ptx, name, number, &job.launch, &job.inputs, timing(job))?;
    let (major, minor) = done.chip.driver;
    job.head(&format!("{}, driver for CUDA {major}.{minor}", done.chip.name));
    say_times(job, done.times);
    match done.left {
        Ok(left) => job.finish(&format!("first launch, {:.1} us", done.milliseconds * 1e3), &left, &mut Vec::new()),
        Err(error) => {
            complain!("error: {error}");
            Ok(Verdict::Bad)
        }
    }
}

/// Runs all kernels of a SPIR-V module, one after the other, with the same arguments. Kernels of a scan state their bindings, but
/// not their types.
pub(crate) fn vulkan(options: &Options, number: usize) -> Result<Verdict, NotRun> {
    if options.json {
        return Err(NotRun::Json);
    }
    let bytes = source::spirv(&options.file, options.chip.as_deref(), options.entry.as_deref())?;
    let module = Module::read(&bytes)?;
    if let Some(index) = options.arguments.iter().position(|argument| *argument == Argument::Null) {
        return Err(NotRun::NullBuffer(index));
    }
    let first = &module.entries[0];
    let kernel = numbers::interface(&first.name, first.threads, &module.arguments);
    let taken = match module.arguments.as_slice() {
        [] => vec![Vec::new(); options.arguments.len()],
        declared => bind(&kernel, declared, &options.arguments, options.checks_types())?,
    };
    let inputs = inputs(options, &kernel, taken)?;
    let job = Job {
        options,
        launch: launch(options, &kernel)?,
        expectations: expect::expectations(options, &inputs)?,
        ptx: String::new(),
        kernel,
        inputs,
    };
    job.check_shapes()?;
    let done = vulkan::run(&module, number, &job.launch, &job.inputs, timing(&job))?;
    let Launch { grid, block, .. } = &job.launch;
    for entry in &module.entries {
        say!("{}: {grid} blocks of {block} threads, {}", entry.name, done.device);
    }
    say_times(&job, done.times);
    job.finish(&format!("first launch, {:.1} us", done.seconds * 1e6), &done.left, &mut Vec::new())
}

fn timing(job: &Job<'_>) -> Option<Timing> {
    job.options.time.map(|runs| Timing { runs, bytes: bytes(job) })
}

fn say_times(job: &Job<'_>, times: Option<Times>) {
    if let Some(times) = times {
        say!("median of {} runs: {times}", job.options.time.unwrap_or_default());
    }
}

/// The bytes that the kernel reads and writes: those of the option, else all elements of all buffers once.
fn bytes(job: &Job<'_>) -> usize {
    let bytes = |input: &Input| if let Input::Buffer { shape, .. } = input { shape.bytes() } else { 0 };
    job.options.bytes.unwrap_or_else(|| job.inputs.iter().map(bytes).sum())
}
