//! Executes PTX on a CPU, under checkers that a GPU does not have.
//!
//! It reads what LLVM's NVPTX back end (and nvcc) prints, and runs it thread by thread:
//!
//! ```
//! use ptx_sim::{Arg, FaultKind, LaunchConfig, Memory, Module, launch};
//!
//! let module = Module::parse("
//!     .version 8.0
//!     .target sm_90
//!     .address_size 64
//!     .visible .entry fill(.param .u64 out) {
//!         .reg .b32 %r<2>;
//!         .reg .b64 %rd<3>;
//!         ld.param.b64 %rd1, [out];
//!         mov.u32 %r1, %tid.x;
//!         mul.wide.u32 %rd2, %r1, 4;
//!         add.s64 %rd1, %rd1, %rd2;
//!         st.global.b32 [%rd1], %r1;
//!         ret;
//!     }")?;
//! let mut memory = Memory::new();
//! let out = memory.alloc(64 * 4)?;
//! let report = launch(&mut memory, &module, "fill", &LaunchConfig::new(1, 64), &[Arg::Ptr(out)])?;
//! assert_eq!(memory.read(out, 8)?, [0, 0, 0, 0, 1, 0, 0, 0]);
//! assert_eq!(report.by_opcode()["st.global.b32"].sectors, 8);
//!
//! // One thread too many is found, with the thread, the PTX line and the address.
//! let error = launch(&mut memory, &module, "fill", &LaunchConfig::new(1, 65), &[Arg::Ptr(out)]).unwrap_err();
//! let fault = error.fault().ok_or("a fault is expected")?;
//! assert_eq!((fault.kind, fault.line), (FaultKind::OutOfBounds, 12));
//! assert_eq!(fault.thread.map(|t| t.thread), Some([64, 0, 0]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is modelled
//! Grids, clusters, blocks, warps whose lanes diverge and meet; every state space; integer, f16, bf16, f32 and f64
//! arithmetic in every rounding mode; atomics up to 128 bits; shuffles, votes, barriers, mbarriers; `cp.async`,
//! `cp.async.bulk`; `ldmatrix`, `stmatrix`; tensor memory with `tcgen05` copies, loads and stores. What is not
//! (tensor maps, matrix multiplication, indirect calls, recursion) is an error when a module is parsed,
//! with its line: nothing is guessed. Approximate functions (`ex2.approx` …) are computed exactly and rounded once, where
//! the hardware may differ in the last bits.
//!
//! # What is checked
//! Bounds and alignment, always. Reads of bytes without a value; in local memory, whose arrays compilers read in wider
//! pieces, reads of no byte with a value. Races between any two threads, by happens-before (see `check`), byte by byte,
//! whichever order the run happened to have. Copies that nobody waited for. Missing `fence.proxy.async`. Lanes that wait
//! for each other at different barriers, deadlocks, and loops that can be proven to go round for ever. Tensor memory and
//! copies that are left over at the end.
//!
//! # Who runs
//! A [`Schedule`] decides, deterministically; a kernel that is right must be right under all of them.

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
mod record;
mod schedule;

pub use code::Param;
pub use counters::{Counts, InstructionCounts, Report};
pub use fault::{Fault, FaultKind, SourcePlace, ThreadId, Waiting};
pub use launch::{Arg, Checks, LaunchConfig, LaunchError, Progress, launch, launch_with};
pub use memory::{Memory, MemoryError, Pointer};
pub use module::Module;
pub use parse::{ParseError, Position, Space};
pub use record::{RecordedArg, RecordedBuffer, Recording, RecordingError};
pub use schedule::{Schedule, ScheduleError};
