//! The clock rate of the SMs, as they run it right now.
//!
//! Clocks are not locked and fall when a GPU idles, so the rate is counted by a kernel that runs right after the
//! measurement: cycles over nanoseconds of the device's own timer.

use anyhow::Result;
use tile_run::cuda::{Buffer, Gpu, Module};
use tile_run::launch::{Dim3, Launch};

const PTX: &str = include_str!("clock.ptx");
/// Nanoseconds to count over: a thousand ticks of a timer that ticks every microsecond.
const SPAN: u64 = 1_000_000;

/// Counts the clock.
pub struct Clock {
    module: Module,
    result: Buffer,
}

impl Clock {
    /// Makes ready to count.
    pub fn new(gpu: &Gpu) -> Result<Self> {
        Ok(Self { module: gpu.load(PTX)?, result: gpu.alloc(16)? })
    }

    /// The rate in MHz.
    pub fn megahertz(&self) -> Result<f64> {
        let one = Dim3([1; 3]);
        let launch = Launch { grid: one, block: one, cluster: None, dynamic_shared: 0 };
        self.module.kernel("clock")?.launch(&launch, &[self.result.address(), SPAN])?;
        let mut bytes = [0; 16];
        self.result.download(&mut bytes)?;
        Ok(rate(bytes))
    }
}

/// Cycles and nanoseconds, as they stand in memory, to MHz.
fn rate(bytes: [u8; 16]) -> f64 {
    let bits = u128::from_le_bytes(bytes);
    (bits as u64) as f64 * 1e3 / ((bits >> 64) as u64).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_over_nanoseconds() {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&1_980_000u64.to_le_bytes());
        bytes[8..].copy_from_slice(&1_000_000u64.to_le_bytes());
        assert_eq!(rate(bytes), 1980.0);
        assert_eq!(rate([0; 16]), 0.0);
    }

    #[test]
    fn the_kernel_takes_an_address_and_a_number() {
        let kernels = tile_run::signature::kernels(PTX).unwrap();
        assert_eq!(kernels[0].to_string(), "clock(u64, u64)");
    }
}
