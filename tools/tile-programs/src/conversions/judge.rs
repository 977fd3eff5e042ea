//! Converts, compiles and executes a kernel, and compares it with what upstream's lowering leaves in memory.

use std::collections::BTreeSet;

use melior::Context;
use ptx_sim::{Arg, Call, LaunchConfig, Module, Pointer, Schedule};
use tile_passes::{Options, compile, embed};

use super::kernel::{Argument, Kernel};
use super::text;
use super::upstream::Expected;
use crate::tally::Outcome;

/// The most steps of warps; no kernel needs as many.
const MAX_STEPS: u64 = 5_000_000;

fn finding(kind: &str, what: impl Into<String>) -> Outcome {
    Outcome::Finding(kind.to_owned(), what.into())
}

/// What has become of the copies of a kernel.
pub enum Converted {
    /// The PTX of the kernel, where all are tile copies.
    Ptx(String),
    /// Some are left, or something is wrong.
    Not(Outcome),
}

/// The names of copies that stay, as docs/remarks.md lists them.
fn documented() -> BTreeSet<&'static str> {
    let page = include_str!("../../../../docs/remarks.md");
    let name = |line: &'static str| line.strip_prefix("| `")?.split_once('`').map(|(name, _)| name);
    page.lines().filter_map(name).filter(|name| name.starts_with("stays-")).collect()
}

/// Converts and compiles a kernel.
pub fn convert(context: &Context, kernel: &Kernel) -> Converted {
    let text = text::device(kernel);
    let mut module = match embed::parse(context, &text) {
        Ok(module) => module,
        Err(error) => return Converted::Not(finding("malformed", error.to_string())),
    };
    let pass = format!("builtin.module(convert-copies-to-tile{{scope={}}})", kernel.scope);
    let diagnostics = match embed::run(&mut module, &pass) {
        Ok(diagnostics) => diagnostics,
        Err(error) => return Converted::Not(finding("the conversion fails", error.to_string())),
    };
    let missed = |message: &str| Some(message.strip_prefix("[Missed] ")?.split_whitespace().next()?.to_owned());
    let stays: Vec<String> = diagnostics.iter().filter_map(|diagnostic| missed(&diagnostic.message)).collect();
    if !stays.is_empty() {
        let known = documented();
        let unknown = stays.iter().find(|name| !known.contains(name.as_str()));
        return Converted::Not(match unknown {
            Some(name) => finding("undocumented reason", name.as_str()),
            None => Outcome::Refused(stays),
        });
    }
    let left = |line: &str| ["memref.copy", "linalg.", "vector.transfer_write"].iter().any(|name| line.contains(name));
    if let Some(line) = module.as_operation().to_string().lines().find(|line| left(line)) {
        return Converted::Not(finding("stays without a remark", line.trim()));
    }
    if let Some(why) = kernel.inexpressible {
        return Converted::Not(finding("converted what no tile copy expresses", why));
    }
    match compile(&mut module, &Options::new().as_written()) {
        Ok(ptx) => Converted::Ptx(ptx.text),
        Err(error) => Converted::Not(finding("converted, but not compiled", error.to_string())),
    }
}

/// Executes the PTX of a kernel under several schedules, and compares all memory.
pub fn compare(kernel: &Kernel, ptx: &str, expected: &Expected) -> Outcome {
    let module = match Module::parse(ptx) {
        Ok(module) => module,
        Err(error) => return finding("PTX not understood", error.to_string()),
    };
    for schedule in [Schedule::Fair, Schedule::Reversed, Schedule::Random(u64::from(kernel.threads))] {
        if let Err(wrong) = execute(kernel, &module, schedule, expected) {
            return wrong;
        }
    }
    Outcome::Right
}

fn execute(kernel: &Kernel, module: &Module, schedule: Schedule, expected: &Expected) -> Result<(), Outcome> {
    let (mut call, memories) = arguments(kernel).map_err(|error| finding("not launched", error.to_string()))?;
    let config = LaunchConfig { schedule, step_limit: MAX_STEPS, ..LaunchConfig::new(1, kernel.threads) };
    call.launch(module, "copy", &config).map_err(|error| finding("fault", format!("schedule {schedule}: {error}")))?;
    for ((number, _, at), (start, index)) in text::memories(kernel).zip(memories.into_iter().zip(0..)) {
        let bytes = at.cells * at.element.bytes();
        let got = call.memory.peek(start, bytes).map_err(|error| finding("memory", error.to_string()))?;
        for (cell, bytes) in got.chunks(at.element.bytes()).enumerate() {
            let bits = bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
            let (first, second) = (expected.first[index][cell], expected.second[index][cell]);
            let alike = kernel.converts && at.element.is_alike(bits, first);
            if bits != first && first == second && !alike {
                let what = format!(
                    "schedule {schedule}: cell {} of argument {number} is {bits:#x}, expected {first:#x}",
                    cell as i64 - at.margin as i64
                );
                return Err(finding("wrong elements", what));
            }
        }
    }
    Ok(())
}

/// The arguments of a launch, and where the memories of arguments start.
fn arguments(kernel: &Kernel) -> Result<(Call, Vec<Pointer>), ptx_sim::MemoryError> {
    let (mut call, mut memories) = (Call::new(), Vec::new());
    for (number, argument) in kernel.arguments.iter().enumerate() {
        match argument {
            Argument::Index(value) => call.indices([*value]),
            Argument::Element(element, first) => {
                let bits = element.number(*first).1;
                call.number(match element.bits {
                    8 => Arg::U8(bits as u8),
                    16 => Arg::U16(bits as u16),
                    32 => Arg::U32(bits as u32),
                    _ => Arg::U64(bits),
                });
            }
            Argument::Memory(memref) => {
                let at = text::Memory::of(memref, number);
                let cells = (0..at.cells as u64).map(|cell| at.element.initial(cell, at.salt));
                let bytes: Vec<u8> =
                    cells.flat_map(|bits| bits.to_le_bytes().into_iter().take(at.element.bytes())).collect();
                let start = call.memory.alloc_with(&bytes)?;
                call.number(Arg::Ptr(start.offset(text::MARGIN as u64)));
                call.indices(memref.open_numbers());
                memories.push(start);
            }
        }
    }
    Ok((call, memories))
}
