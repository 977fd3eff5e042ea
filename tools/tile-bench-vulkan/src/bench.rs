//! Launches that are timed and checked.

use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::Result;
use tile_bench::values::Values;
use tile_run::times::median;
use tile_run::vulkan::{Buffer, Gpu, Program};

use crate::kernels::Kernels;

/// A source array, and the destination of its sums.
pub struct Arrays<'v> {
    from: Buffer,
    to: Buffer,
    values: &'v Values,
    n: usize,
}

impl<'v> Arrays<'v> {
    /// Arrays of `n` elements.
    pub fn new(gpu: &mut Gpu, values: &'v Values, n: usize) -> Result<Self> {
        let bytes = n * values.bytes();
        let mut from = gpu.buffer(bytes)?;
        let period = values.period();
        for at in (0..bytes).step_by(period.len()) {
            gpu.upload(&mut from, at, &period[..period.len().min(bytes - at)])?;
        }
        Ok(Arrays { from, to: gpu.buffer(bytes)?, values, n })
    }

    /// Bytes of each array.
    pub fn bytes(&self) -> usize {
        self.n * self.values.bytes()
    }

    /// Copies one to the other with the driver's copy; returns the time in seconds.
    pub fn copy(&self, gpu: &mut Gpu) -> Result<f64> {
        Ok(gpu.copy(&self.from, &self.to, self.bytes())?)
    }

    /// The first sum that is wrong.
    fn first_wrong(&self, gpu: &mut Gpu) -> Result<Option<usize>> {
        let mut got = vec![0; self.values.period().len().min(self.bytes())];
        for at in (0..self.bytes()).step_by(got.len()) {
            let piece = got.len().min(self.bytes() - at);
            gpu.download(&self.to, at, &mut got[..piece])?;
            if let Some(wrong) = self.values.first_wrong(&got[..piece]) {
                return Ok(Some(at / self.values.bytes() + wrong));
            }
        }
        Ok(None)
    }

    /// Frees both.
    pub fn destroy(self, gpu: &Gpu) {
        [self.from, self.to].into_iter().for_each(|buffer| gpu.destroy_buffer(buffer));
    }
}

/// The counters of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// States, or windows of states, that were read.
    pub polls: u64,
    /// Sums that a block started to compute for another one.
    pub fallbacks: u64,
}

/// Kernels with the buffers and numbers that they are launched with.
pub struct Job {
    program: Rc<Program>,
    workspace: Buffer,
    numbers: Buffer,
    blocks: [u32; 2],
    elements: u32,
    epoch: u32,
    is_scan: bool,
}

impl Job {
    /// A scan of arrays.
    pub fn scan(gpu: &mut Gpu, kernels: &Kernels, arrays: &Arrays<'_>) -> Result<Self> {
        let room = kernels.program.launch.workspace.bytes(arrays.n as i64);
        Job::new(gpu, kernels, room as usize, arrays.n, true)
    }

    /// A copy of arrays, whose elements are vectors.
    pub fn copy(gpu: &mut Gpu, kernels: &Kernels, arrays: &Arrays<'_>) -> Result<Self> {
        Job::new(gpu, kernels, 0, arrays.bytes() / VECTOR, false)
    }

    fn new(gpu: &mut Gpu, kernels: &Kernels, room: usize, elements: usize, is_scan: bool) -> Result<Self> {
        let program = kernels.on(gpu)?;
        let (workspace, numbers) = (gpu.buffer(room)?, gpu.buffer(32)?);
        let blocks = kernels.blocks(elements);
        Ok(Job { program, workspace, numbers, blocks, elements: elements as u32, epoch: 0, is_scan })
    }

    /// Launches once; returns the time in seconds. Each launch has its own epoch, so states of earlier launches do not
    /// count.
    pub fn run(&mut self, gpu: &mut Gpu, arrays: &Arrays<'_>) -> Result<f64> {
        self.epoch += 1;
        let words = [self.elements, 0, self.epoch, 0];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        gpu.upload(&mut self.numbers, 0, &bytes)?;
        let Job { workspace, numbers, .. } = self;
        let taken: &[&Buffer] = match self.is_scan {
            true => &[&arrays.from, &arrays.to, workspace, numbers],
            false => &[&arrays.from, &arrays.to, numbers],
        };
        Ok(gpu.run(&self.program, taken, self.blocks)?)
    }

    /// Launches once; returns the first wrong element.
    pub fn verify(&mut self, gpu: &mut Gpu, arrays: &Arrays<'_>) -> Result<Option<usize>> {
        // The results of an earlier job would be right, too: overwrite them.
        arrays.copy(gpu)?;
        self.run(gpu, arrays)?;
        arrays.first_wrong(gpu)
    }

    /// The counters of its launches.
    pub fn counts(&self, gpu: &mut Gpu) -> Result<Counts> {
        let mut head = [0; 48];
        gpu.download(&self.workspace, 0, &mut head)?;
        let number = |at: usize| head[at..at + 8].iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
        Ok(Counts { polls: number(POLLS), fallbacks: number(FALLBACKS) })
    }

    /// Frees its buffers.
    pub fn destroy(self, gpu: &Gpu) {
        [self.workspace, self.numbers].into_iter().for_each(|buffer| gpu.destroy_buffer(buffer));
    }
}

/// How long the device is kept busy before launches are timed, to raise its clocks.
const RAMP: Duration = Duration::from_millis(300);
/// Bytes of a vector that the copy moves.
const VECTOR: usize = 16;
const POLLS: usize = tile_plan::scan::workspace::POLLS as usize;
const FALLBACKS: usize = tile_plan::scan::workspace::FALLBACKS as usize;

/// Median times in milliseconds of the driver's copy and of some jobs, which run alternately.
pub fn medians(
    gpu: &mut Gpu,
    arrays: &Arrays<'_>,
    jobs: &mut [&mut Job],
    [warmups, runs]: [u32; 2],
) -> Result<(f64, Vec<f64>)> {
    // The clocks dropped while the host compared sums.
    let begin = Instant::now();
    while begin.elapsed() < RAMP {
        arrays.copy(gpu)?;
    }
    let mut driver = Vec::new();
    let mut ours = vec![Vec::new(); jobs.len()];
    for round in 0..warmups + runs {
        let copy = arrays.copy(gpu)?;
        let times: Vec<f64> = jobs.iter_mut().map(|job| job.run(gpu, arrays)).collect::<Result<_>>()?;
        if round >= warmups {
            driver.push(copy as f32);
            ours.iter_mut().zip(times).for_each(|(all, time)| all.push(time as f32));
        }
    }
    let milliseconds = |times| f64::from(median(times)) * 1e3;
    Ok((milliseconds(driver), ours.into_iter().map(milliseconds).collect()))
}
