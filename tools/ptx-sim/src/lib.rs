//! Executes PTX on a CPU, under checkers that a GPU does not have.

mod check;
mod code;
mod counters;
mod decode;
mod exec;
mod fault;
mod float;
mod launch;
mod memory;
mod module;
mod parse;
mod schedule;

pub use code::Param;
pub use counters::{Counts, InstructionCounts, Report};
pub use fault::{Fault, FaultKind, ThreadId, Waiting};
pub use launch::{Arg, Checks, LaunchConfig, LaunchError, Progress, launch, launch_with};
pub use memory::{Memory, MemoryError, Pointer};
pub use module::Module;
pub use parse::{ParseError, Position, Space};
pub use schedule::{Schedule, ScheduleError};
