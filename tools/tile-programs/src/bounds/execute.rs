//! Executes a kernel in the simulator, and compares the memory that it leaves with what the interpreter says.

use ptx_sim::{Arg, Buffer, Call, Checks, FaultKind, LaunchConfig, LaunchError, MemoryError, Module};

use super::ast::{ARGUMENTS, EXTENTS, Kernel, Type};
use super::interpret::Run;
use super::text::{ENTRY, result_rows};

/// The most steps of warps; loops have few iterations.
const MAX_STEPS: u64 = 2_000_000;
/// The value of all elements that copies write at computed begins.
const COPIED: f32 = 7.0;

/// The end of an execution.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// It ended without a fault, and memory holds this.
    Memory(Box<Contents>),
    /// A fault.
    Fault(FaultKind, String),
    /// It could not be launched.
    NotLaunched(String),
}

/// What memory holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    result: Vec<f32>,
    written: Vec<f32>,
}

/// What memory should hold.
pub fn expected(kernel: &Kernel, run: &Run) -> Contents {
    let mut result = vec![0.0; (result_rows(kernel) * EXTENTS[1]) as usize];
    for (&place, &element) in &run.read {
        result[place] = initial(element);
    }
    let written = run.written.iter().map(|&written| if written { COPIED } else { 0.0 }).collect();
    Contents { result, written }
}

/// The element of the matrix that is read.
fn initial(element: usize) -> f32 {
    element as f32 + 1.0
}

/// The first difference between two contents.
pub fn difference(got: &Contents, expected: &Contents) -> Option<String> {
    let memories =
        [("the result", &got.result, &expected.result), ("the written matrix", &got.written, &expected.written)];
    memories.into_iter().find_map(|(name, got, expected)| {
        let at = (0..got.len()).find(|&at| got[at] != expected[at])?;
        Some(format!("element {at} of {name} is {}, expected {}", got[at], expected[at]))
    })
}

/// Executes a kernel.
pub fn execute(kernel: &Kernel, module: &Module, arguments: &[i64]) -> End {
    let elements = (EXTENTS[0] * EXTENTS[1]) as usize;
    let result = (result_rows(kernel) * EXTENTS[1]) as usize;
    let source: Vec<f32> = (0..elements).map(initial).collect();
    let buffers = [source, vec![0.0; result], vec![COPIED; elements], vec![0.0; elements]];
    let mut call = Call::new();
    let placed: Result<Vec<Buffer>, MemoryError> = buffers.iter().map(|values| call.buffer(&bytes(values))).collect();
    let placed = match placed {
        Ok(placed) => placed,
        Err(error) => return End::NotLaunched(error.to_string()),
    };
    for (&value, r#type) in arguments.iter().zip(ARGUMENTS) {
        call.number(if r#type == Type::I32 { Arg::U32(value as u32) } else { Arg::U64(value as u64) });
    }
    // Copies of a kernel may read or write the same elements, always with the same values.
    let config = LaunchConfig {
        checks: Checks::NONE,
        step_limit: MAX_STEPS,
        ..LaunchConfig::new(1, super::ast::THREADS as u32)
    };
    match call.launch(module, ENTRY, &config) {
        Ok(_) => {}
        Err(LaunchError::Fault(fault)) => return End::Fault(fault.kind, fault.to_string()),
        Err(other) => return End::NotLaunched(other.to_string()),
    }
    let read = |at: usize| -> Result<Vec<f32>, MemoryError> {
        let bytes = call.contents(placed[at])?;
        Ok(bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    };
    match (read(1), read(3)) {
        (Ok(result), Ok(written)) => End::Memory(Box::new(Contents { result, written })),
        (Err(error), _) | (_, Err(error)) => End::NotLaunched(error.to_string()),
    }
}

fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}
