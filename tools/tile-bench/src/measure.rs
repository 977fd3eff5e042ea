//! Times one kernel next to the driver's copy.

use anyhow::Result;
use ptx_sim::{Dim3, Launch};
use tile_run::cuda::{Buffer, Gpu, Kernel};

use crate::programs::{BUFFER, THREADS};

/// The byte that fills a buffer before a copy is checked.
const PATTERN: u8 = 0xcd;

/// Two buffers on the device, and a copy of the first one's contents on the host.
pub struct Buffers {
    from: Buffer,
    to: Buffer,
    expected: Vec<u8>,
    got: Vec<u8>,
}

impl Buffers {
    /// Allocates the buffers; the first one holds the `expected` bytes, [`BUFFER`] of them.
    pub fn new(gpu: &Gpu, expected: Vec<u8>) -> Result<Self> {
        let mut from = gpu.alloc(BUFFER)?;
        from.upload(&expected)?;
        Ok(Self { from, to: gpu.alloc(BUFFER)?, expected, got: vec![0; BUFFER] })
    }

    /// Runs the kernel once and compares every byte; returns the first wrong one.
    pub fn verify(&mut self, kernel: &Kernel, blocks: u32) -> Result<Option<usize>> {
        self.to.fill(PATTERN)?;
        self.start(kernel, blocks)?;
        self.to.download(&mut self.got)?;
        Ok(first_difference(&self.got, &self.expected))
    }

    /// Times the driver's copy and the kernel alternately, `runs` times after `warmups` untimed rounds.
    pub fn time(&mut self, gpu: &Gpu, kernel: &Kernel, blocks: u32, warmups: u32, runs: u32) -> Result<Times> {
        let mut times = Times::default();
        for round in 0..warmups.saturating_add(runs) {
            let driver = gpu.time(|| gpu.copy(&mut self.to, &self.from))?;
            let ours = gpu.time(|| self.start(kernel, blocks))?;
            if round >= warmups {
                times.driver.push(driver);
                times.ours.push(ours);
            }
        }
        Ok(times)
    }

    fn start(&self, kernel: &Kernel, blocks: u32) -> Result<(), tile_run::cuda::CudaError> {
        let [grid, block] = [blocks, THREADS].map(|x| Dim3([x, 1, 1]));
        let launch = Launch { grid, block, cluster: None, dynamic_shared: 0 };
        kernel.launch(&launch, &[self.from.address(), self.to.address()])
    }
}

/// Milliseconds of each run.
#[derive(Debug, Default)]
pub struct Times {
    /// The driver's copy.
    pub driver: Vec<f32>,
    /// The kernel.
    pub ours: Vec<f32>,
}

/// The median, the upper one of two; 0 without times.
pub fn median(times: &[f32]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f32::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default().into()
}

/// The minimum; 0 without times.
pub fn least(times: &[f32]) -> f64 {
    times.iter().copied().min_by(f32::total_cmp).unwrap_or_default().into()
}

/// Gigabytes per second, counting bytes read and bytes written.
pub fn rate(milliseconds: f64) -> f64 {
    2.0 * BUFFER as f64 / milliseconds / 1e6
}

fn first_difference(got: &[u8], expected: &[u8]) -> Option<usize> {
    // Whole slices compare at the speed of memory.
    if got == expected { None } else { got.iter().zip(expected).position(|(g, e)| g != e) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_minima_and_rates() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 3.0);
        assert_eq!((median(&[]), least(&[])), (0.0, 0.0));
        assert_eq!(least(&[3.0, 1.0, 2.0]), 1.0);
        assert!((rate(0.5) - 4294.967296).abs() < 1e-9);
    }

    #[test]
    fn the_first_wrong_byte_is_found() {
        assert_eq!(first_difference(&[1, 2, 3], &[1, 2, 3]), None);
        assert_eq!(first_difference(&[1, 2, 4, 5], &[1, 2, 3, 4]), Some(2));
    }
}
