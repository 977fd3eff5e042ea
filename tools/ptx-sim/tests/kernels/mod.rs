//! Whole kernels, printed by LLVM's NVPTX back end from the .ll files beside them.

mod asynchronous;
mod boxes;
mod counts;
mod flags;
mod floats;
mod history;
mod lookback;
mod mistakes;
mod residency;
mod words;

use ptx_sim::{Fault, LaunchConfig, LaunchError, Memory, Module, Pointer, Schedule};

/// Parses one of the texts in `tests/ptx`.
pub fn module(text: &str) -> Module {
    Module::parse(text).unwrap_or_else(|e| panic!("{e}"))
}

/// Every policy; blocks 0 and 1 are starved in turn.
pub fn schedules() -> Vec<Schedule> {
    let fixed = ["fair", "one-block-at-a-time", "reversed", "starve:0", "starve:1"];
    let random = (0..8).map(|seed| format!("random:{seed}"));
    fixed.iter().map(|s| s.to_string()).chain(random).map(|s| s.parse().unwrap()).collect()
}

pub fn config(grid: u32, block: u32, schedule: Schedule) -> LaunchConfig {
    LaunchConfig { schedule, step_limit: 5_000_000, ..LaunchConfig::new(grid, block) }
}

pub fn words(values: impl IntoIterator<Item = u32>) -> Vec<u8> {
    values.into_iter().flat_map(u32::to_le_bytes).collect()
}

pub fn read_words(memory: &Memory, at: Pointer, count: usize) -> Vec<u32> {
    let bytes = memory.read(at, count * 4).unwrap_or_else(|e| panic!("{e}"));
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

/// The fault of a launch that must have one.
pub fn fault<T: std::fmt::Debug>(result: Result<T, LaunchError>) -> Fault {
    match result {
        Err(LaunchError::Fault(fault)) => *fault,
        other => panic!("a fault is expected, got {other:?}"),
    }
}
