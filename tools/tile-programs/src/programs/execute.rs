//! Runs a program in the simulator under a schedule, and compares the memory that it leaves.

use ptx_sim::{
    Arg, Call, Checks, FaultKind, LaunchConfig, LaunchError, Memory, MemoryError, Module, Pointer, Schedule,
};
use tile_oracle::Machine;
use tile_oracle::ast::{Argument, Program, Storage};
use tile_oracle::machine::{Cell, POISON, bytes, defined};
use tile_oracle::text::ENTRY;

/// The fault of a run.
#[derive(Clone, Debug)]
pub enum RunError {
    /// The program cannot be read or launched.
    Launch(String),
    /// A checker stopped it.
    Fault(FaultKind, String),
    /// It left other contents than the oracle.
    Memory(String),
}

/// An argument that is memory.
struct Placed {
    number: usize,
    /// The start of the allocation; the program receives a pointer `ahead` bytes after it.
    start: Pointer,
    ahead: usize,
    element: usize,
}

/// The most steps of warps; no correct program needs as many.
const MAX_STEPS: u64 = 50_000_000;

/// Runs the PTX of a program from the memory of `before`, and compares all memory with the oracle's result `expected`.
///
/// # Errors
/// The first fault.
pub fn run(
    program: &Program,
    module: &Module,
    schedule: Schedule,
    before: &Machine,
    expected: &Machine,
) -> Result<(), RunError> {
    run_with(program, module, (schedule, Checks::ALL), before, expected)
}

/// Like [`run`], without the checks for reads of bytes that no thread has written, or that other threads write at the
/// same time.
///
/// # Errors
/// The first fault.
pub fn run_unchecked(
    program: &Program,
    module: &Module,
    schedule: Schedule,
    before: &Machine,
    expected: &Machine,
) -> Result<(), RunError> {
    run_with(program, module, (schedule, Checks { init: false, races: false, ..Checks::ALL }), before, expected)
}

fn run_with(
    program: &Program,
    module: &Module,
    (schedule, checks): (Schedule, Checks),
    before: &Machine,
    expected: &Machine,
) -> Result<(), RunError> {
    let (mut call, placed) = arguments(program, before).map_err(|error| RunError::Launch(error.to_string()))?;
    let [grid, block] = [program.grid, program.block].map(|extents| extents.map(|extent| extent as u32));
    let config = LaunchConfig { grid, block, schedule, checks, step_limit: MAX_STEPS, ..LaunchConfig::new(1, 1) };
    call.launch(module, ENTRY, &config).map_err(|error| match error {
        LaunchError::Fault(fault) => RunError::Fault(fault.kind, format!("schedule {schedule}: {fault}")),
        other => RunError::Launch(other.to_string()),
    })?;
    placed.iter().try_for_each(|placed| {
        let cells = expected.argument(placed.number).unwrap_or_default();
        compare(&call.memory, placed, cells).map_err(|what| RunError::Memory(format!("schedule {schedule}: {what}")))
    })
}

fn arguments(program: &Program, before: &Machine) -> Result<(Call, Vec<Placed>), MemoryError> {
    let (mut call, mut placed) = (Call::new(), Vec::new());
    for (number, argument) in program.arguments.iter().enumerate() {
        match argument {
            Argument::Index(value) => call.indices([*value]),
            Argument::Table(values) => {
                let bytes: Vec<u8> = values.iter().flat_map(|value| (*value as i32).to_le_bytes()).collect();
                call.buffer(&bytes)?;
            }
            Argument::Memory(storage) => {
                let here = place(&mut call.memory, number, storage, before.argument(number).unwrap_or_default())?;
                call.number(Arg::Ptr(here.start.offset(here.ahead as u64)));
                placed.push(here);
            }
        }
    }
    Ok((call, placed))
}

/// Allocates memory that is aligned exactly as promised.
fn place(memory: &mut Memory, number: usize, storage: &Storage, cells: &[Cell]) -> Result<Placed, MemoryError> {
    let ahead = storage.align.map_or(0, |bytes| bytes as usize);
    let element = storage.element.bytes() as usize;
    let (values, there) = (bytes(cells, element), defined(cells, element));
    let start = memory.alloc(ahead + values.len())?;
    memory.poison(start, ahead + values.len(), POISON)?;
    if there.iter().all(|there| *there) {
        memory.write(start.offset(ahead as u64), &values)?;
    }
    Ok(Placed { number, start, ahead, element })
}

/// Compares every byte: those that have a value, and those that no thread may have written.
fn compare(memory: &Memory, placed: &Placed, cells: &[Cell]) -> Result<(), String> {
    let mut expected = vec![POISON; placed.ahead];
    expected.extend(bytes(cells, placed.element));
    let mut there = vec![false; placed.ahead];
    there.extend(defined(cells, placed.element));
    let got = memory.peek(placed.start, expected.len()).map_err(|error| error.to_string())?;
    let has_value = |at: usize| memory.is_initialized(placed.start.offset(at as u64), 1).unwrap_or(false);
    let wrong = (0..expected.len()).find(|&at| got[at] != expected[at] || has_value(at) != there[at]);
    let Some(at) = wrong else { return Ok(()) };
    let (ahead, size) = (placed.ahead as i64, placed.element as i64);
    let element = (at as i64 - ahead).div_euclid(size);
    let from = (ahead + element * size).max(0) as usize;
    let (got, wanted) = (got.get(from..from + placed.element), expected.get(from..from + placed.element));
    let say = |bytes: Option<&[u8]>| {
        bytes.unwrap_or_default().iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let nothing = if there[at] { "" } else { " (no value: no thread may write there)" };
    Err(format!(
        "element {element} of argument {} is 0x{}, expected 0x{}{nothing}",
        placed.number,
        say(got),
        say(wanted)
    ))
}
