//! The current clock rate of the SMs.
//!
//! Clocks are not locked and drop when a GPU idles, so a kernel that runs right after the measurement determines the
//! rate:
//! cycles divided by nanoseconds of the device's own timer.

use anyhow::Result;
use ptx_sim::{Dim3, Launch};
use tile_run::cuda::{Buffer, Gpu, Module};

const PTX: &str = include_str!("clock.ptx");
/// The nanoseconds over which cycles are counted: a thousand ticks of a timer that ticks every microsecond.
const SPAN: u64 = 1_000_000;

/// Measures the clock rate.
pub struct Clock {
    module: Module,
    result: Buffer,
}

impl Clock {
    /// Loads the kernel and allocates its result.
    pub fn new(gpu: &Gpu) -> Result<Self> {
        Ok(Self { module: gpu.load(PTX)?, result: gpu.alloc(16)? })
    }

    /// The rate in MHz.
    pub fn megahertz(&self) -> Result<f64> {
        let one = Dim3::ONE;
        let launch = Launch { grid: one, block: one, cluster: None, dynamic_shared: 0 };
        self.module.kernel("clock")?.launch(&launch, &[self.result.address(), SPAN])?;
        let mut bytes = [0; 16];
        self.result.download(&mut bytes)?;
        Ok(rate(bytes))
    }
}

/// The rate in MHz from the cycles and nanoseconds in memory.
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
        let kernels = ptx_sim::interfaces(PTX).unwrap();
        assert_eq!(kernels[0].to_string(), "clock(u64, u64)");
    }
}
