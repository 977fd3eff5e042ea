//! Wall time, processor time and peak memory of child processes.

use std::io::Read;
use std::mem::MaybeUninit;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::process;

/// The cost of one process.
pub struct Sample {
    /// Wall time from start to end.
    pub wall: Duration,
    /// The time that processors spent on it, for itself and in the kernel.
    pub processor: Duration,
    /// Its peak physical memory, in bytes.
    pub peak: u64,
    /// Its output on standard error.
    pub stderr: String,
}

/// Runs a process to completion, discarding its standard output.
pub fn once(command: &mut Command) -> Result<Sample> {
    let line = process::line(command);
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start `{line}`"))?;
    let mut bytes = Vec::new();
    if let Some(mut stream) = child.stderr.take() {
        stream.read_to_end(&mut bytes).with_context(|| format!("cannot read what `{line}` says"))?;
    }
    let (status, processor, peak) = wait(child.id())?;
    let wall = start.elapsed();
    let stderr = String::from_utf8_lossy(&bytes).into_owned();
    if status != 0 {
        bail!("`{line}` ended with wait status {status}\n{}", stderr.trim_end());
    }
    Ok(Sample { wall, processor, peak, stderr })
}

/// Waits for a child and returns its wait status, its processor time and its peak memory in bytes.
fn wait(pid: u32) -> Result<(i32, Duration, u64)> {
    let pid = libc::pid_t::try_from(pid).context("a process id out of range")?;
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are to live variables of the types that wait4 writes.
    let ended = unsafe { libc::wait4(pid, &mut status, 0, usage.as_mut_ptr()) };
    if ended != pid {
        return Err(std::io::Error::last_os_error()).context("wait4");
    }
    // SAFETY: all zeros is a valid rusage, and wait4 has written it.
    let usage = unsafe { usage.assume_init() };
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    let time = |time: libc::timeval| {
        let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0));
        seconds + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
    };
    let processor = time(usage.ru_utime) + time(usage.ru_stime);
    Ok((status, processor, u64::try_from(usage.ru_maxrss).unwrap_or(0).saturating_mul(unit)))
}

/// The average number of runnable programs in the last minute; `None` outside Linux.
pub fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// The median of several values, the upper one of two; `None` without values.
pub fn median<T: PartialOrd + Copy>(values: &[T]) -> Option<T> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    sorted.get(sorted.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_timed_and_its_memory_known() {
        let sample = once(Command::new("sh").args(["-c", "echo note >&2; sleep 0.05"])).unwrap();
        assert!(sample.wall >= Duration::from_millis(50), "{:?}", sample.wall);
        assert!(sample.processor < sample.wall * 64, "{:?}", sample.processor);
        assert!((100_000..100_000_000).contains(&sample.peak), "{}", sample.peak);
        assert_eq!(sample.stderr, "note\n");
    }

    #[test]
    fn a_failed_process_is_no_sample() {
        assert!(once(Command::new("sh").args(["-c", "exit 7"])).is_err());
    }

    #[test]
    fn median_takes_the_middle() {
        assert_eq!(median(&[3, 1, 2]), Some(2));
        assert_eq!(median(&[4, 1, 2, 3]), Some(3));
        assert_eq!(median::<u8>(&[]), None);
    }
}
