//! Watches a child process, and kills it if it takes too long or too much memory.

use std::fs;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// The limit of processor time for one mutant in one process; wall time would depend on other processes.
pub const TIME: Duration = Duration::from_secs(20);

/// The time after which a process that uses no processor time is treated as hanging.
const PATIENCE: Duration = Duration::from_secs(300);

/// The limit of resident memory, in bytes: no tool may need this much for an input of a few kilobytes.
pub const MEMORY: u64 = 4 << 30;

/// The time between two checks.
const PERIOD: Duration = Duration::from_millis(5);

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It exited by itself.
    Exit(ExitStatus),
    /// It used more than [`TIME`], or did nothing.
    Hang,
    /// It needed more than [`MEMORY`].
    Memory,
}

/// The time limit of a process for one mutant.
pub struct Clock {
    began: Instant,
    used: Duration,
}

impl Clock {
    /// Starts the clock.
    pub fn start(child: &Child) -> Self {
        Clock { began: Instant::now(), used: processor_time(child) }
    }

    /// Whether the process has exceeded its time.
    pub fn is_over(&self, child: &Child) -> bool {
        processor_time(child) > self.used + TIME || self.began.elapsed() > PATIENCE
    }
}

/// Waits for a process; kills it if it takes too long or too much memory.
pub fn wait(child: &mut Child) -> std::io::Result<End> {
    let clock = Clock::start(child);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(End::Exit(status));
        }
        let end = match () {
            () if clock.is_over(child) => End::Hang,
            () if resident(child) > MEMORY => End::Memory,
            () => {
                std::thread::sleep(PERIOD);
                continue;
            }
        };
        stop(child)?;
        return Ok(end);
    }
}

/// The time that a process has to print its stack.
const LAST_WORDS: Duration = Duration::from_secs(20);

/// Kills a process, after giving it time to print its stack.
pub fn stop(child: &mut Child) -> std::io::Result<()> {
    if let Ok(id) = libc::pid_t::try_from(child.id()) {
        // SAFETY: the child has not been waited for, so the process id is still its own.
        unsafe { libc::kill(id, libc::SIGABRT) };
    }
    let start = Instant::now();
    while start.elapsed() < LAST_WORDS {
        if child.try_wait()?.is_some() {
            return Ok(());
        }
        std::thread::sleep(PERIOD);
    }
    child.kill()?;
    child.wait().map(drop)
}

/// The processor time of a process; zero if it is not known.
fn processor_time(child: &Child) -> Duration {
    let text = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    // The name in parentheses may contain spaces. User and system time are fields 14 and 15.
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

/// The resident memory of a process in bytes; 0 if it is not known.
pub fn resident(child: &Child) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/statm", child.id())).unwrap_or_default();
    let pages: Option<u64> = text.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0) * 4096
}
