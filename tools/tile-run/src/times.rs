//! The time of a kernel, next to the driver's copy of as many bytes.

/// The number of untimed runs before the timed ones.
pub const WARMUPS: u32 = 3;

/// The requested timing.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// The number of timed runs; the median is reported.
    pub runs: u32,
    /// Bytes that the kernel reads and writes.
    pub bytes: usize,
}

/// Median times of all runs, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Times {
    /// The kernel's time.
    pub kernel: f32,
    /// The time of the driver's copy.
    pub copy: f32,
    /// The bytes that each of them reads and writes.
    pub bytes: usize,
}

impl Timing {
    /// Times a kernel, alternating with the driver's copy, which reads half of the bytes and writes the other half.
    /// `both` runs each once and returns their milliseconds.
    ///
    /// # Errors
    /// The error of a run.
    pub fn measure<E>(self, mut both: impl FnMut() -> Result<[f32; 2], E>) -> Result<Times, E> {
        let (mut kernel, mut copy) = (Vec::new(), Vec::new());
        for round in 0..WARMUPS.saturating_add(self.runs) {
            let [ours, driver] = both()?;
            if round >= WARMUPS {
                copy.push(driver);
                kernel.push(ours);
            }
        }
        Ok(Times { kernel: median(kernel), copy: median(copy), bytes: self.bytes })
    }

    /// Bytes of each of the two buffers of the driver's copy.
    pub fn half(self) -> usize {
        (self.bytes / 2).max(1)
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kernel, copy, bytes } = *self;
        let rate = bytes as f64 / f64::from(kernel) / 1e6;
        write!(
            f,
            "{kernel:.4} ms, {rate:.0} GB/s, {:.1} % of the driver's copy of {bytes} bytes",
            100.0 * copy / kernel
        )
    }
}

/// The median, the upper one of two; 0 without times.
pub fn median(mut times: Vec<f32>) -> f32 {
    times.sort_by(f32::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rates_and_shares() {
        let times = Times { kernel: 0.5, copy: 0.48, bytes: 2_000_000_000 };
        assert_eq!(times.to_string(), "0.5000 ms, 4000 GB/s, 96.0 % of the driver's copy of 2000000000 bytes");
        assert_eq!((median(vec![3.0, 1.0, 2.0]), median(Vec::new())), (2.0, 0.0));
    }

    #[test]
    fn the_first_runs_do_not_count() {
        let mut round = 0.0;
        let timing = Timing { runs: 3, bytes: 8 };
        let times = timing.measure(|| {
            round += 1.0;
            Ok::<_, ()>([round, 10.0 * round])
        });
        assert_eq!(times, Ok(Times { kernel: 5.0, copy: 50.0, bytes: 8 }));
        assert_eq!(timing.half(), 4);
    }
}
