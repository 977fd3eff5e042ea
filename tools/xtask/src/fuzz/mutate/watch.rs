//! A child process, and what ends its life early: too long, or too much memory.

use std::fs;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// Processor time for one mutant in one process: others may use the machine, too.
pub const TIME: Duration = Duration::from_secs(20);

/// Time after which a process hangs that does nothing.
const PATIENCE: Duration = Duration::from_secs(300);

/// Bytes in memory that no tool may need for an input of a few kilobytes.
pub const MEMORY: u64 = 4 << 30;

/// Time between two looks.
const PERIOD: Duration = Duration::from_millis(5);

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself.
    Exit(ExitStatus),
    /// It took longer than [`TIME`], or did nothing.
    Hang,
    /// It needed more than [`MEMORY`].
    Memory,
}

/// What a process may still take for one mutant.
pub struct Clock {
    began: Instant,
    used: Duration,
}

impl Clock {
    /// From now on.
    pub fn start(child: &Child) -> Self {
        Clock { began: Instant::now(), used: processor_time(child) }
    }

    /// Has it had its time?
    pub fn is_over(&self, child: &Child) -> bool {
        processor_time(child) > self.used + TIME || self.began.elapsed() > PATIENCE
    }
}

/// Waits for a process; ends it where it takes too long or too much.
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

/// Time in which a process may print its stack.
const LAST_WORDS: Duration = Duration::from_secs(20);

/// Ends a process; it may print its stack before.
pub fn stop(child: &mut Child) -> std::io::Result<()> {
    if let Ok(id) = libc::pid_t::try_from(child.id()) {
        // SAFETY: the child has not been waited for, so the number is still its own.
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

/// What a process has used of the processors; nothing where that is not known.
fn processor_time(child: &Child) -> Duration {
    let text = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    // The name in parentheses may hold spaces. Times of the process and of the kernel for it are fields 14 and 15.
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

/// Bytes of a process that are in memory; 0 where it is not known.
pub fn resident(child: &Child) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/statm", child.id())).unwrap_or_default();
    let pages: Option<u64> = text.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0) * 4096
}
