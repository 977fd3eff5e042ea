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
//! `cp.async.bulk`, `cp.reduce.async.bulk`; `ldmatrix`, `stmatrix`; tensor memory with `tcgen05` copies, loads and stores;
//! products by `wgmma`, and by dense `tcgen05.mma` of f16, bf16 and tf32 in one block. What is not
//! (tensor maps, `mma.sync`, indirect calls, recursion) is an error when a module is parsed,
//! with its line: nothing is guessed. Approximate functions (`ex2.approx` …) are computed exactly and rounded once, where
//! the hardware may differ in the last bits.
//!
//! # What is checked
//! None of it depends on who happens to run first: order is judged by what threads know (happens-before, see `check`),
//! byte by byte, not by what came first.
//!
//! | checked | how far | [`Checks`] | [`FaultKind`] |
//! | --- | --- | --- | --- |
//! | bounds | exact; in shared memory those of the variable from which the address is made, or of any one where that is not known (an address from memory); all of dynamic shared memory is one variable | always | `OutOfBounds` |
//! | alignment | of every access | always | `Misaligned` |
//! | races | any two threads, all scopes and orders; a missing barrier is reported with both sides, also where the reader came first and found nothing; a weak load counts once its value is stored or decides something, as compilers load early and too much | `races` | `Race` |
//! | constant loads | `ld.global.nc`, `ldu`: bytes that the kernel writes, before or after, ordered or not | `races` | `Race` |
//! | asynchronous copies | who uses their bytes must have waited for them | `races` | `InFlight` |
//! | mbarriers of other blocks | what uses one of another block needs `fence.mbarrier_init`, or a wider one, behind its `mbarrier.init` | `races` | `Race` |
//! | proxies | an asynchronous copy that reads or overwrites what was written generically needs `fence.proxy.async` | `proxy` | `Race` |
//! | lives of blocks | shared memory of another block of the cluster: it must be known to have started, and a thread of it must wait for the access before it exits; the same for asynchronous operations on a block's memory | `races` | `Lifetime`, `CopyLeak` |
//! | values | a read of bytes of which none has one; a load, once what it read is used, as above | `init` | `Uninitialized` |
//! | undefined values | they may be moved, combined and stored; nothing may be decided on them (see below) | `init` | `Undefined` |
//! | mbarriers | counts, phases, `init` over a live object, ordinary accesses to a live object | always | `Invalid` |
//! | progress | lanes that wait for each other at different barriers, deadlocks, loops that can be proven to go round for ever | always | `BarrierDivergence`, `Deadlock`, `Livelock` |
//! | what is left over | tensor memory, copies | `leaks` | `TensorLeak`, `CopyLeak` |
//!
//! Undefined are: registers that are read before they are written, bytes of memory that no thread has written, those that
//! `.pragma "used_bytes_mask"` leaves out, integer quotients by zero, and what `shfl.sync` takes from a lane that has
//! exited, does not exist or is not in the member mask. They are followed bit by bit through moves, shifts and logic, from
//! the lowest such bit upwards through sums, and make all of any other result undefined. Branches, addresses, counts and
//! operands of atomics must not depend on them. Memory to which they are stored has no value afterwards, for the host
//! neither. Everything else is defined by the PTX ISA and computed so: shifts and bit fields beyond the width, conversions
//! out of range, lanes of a `shfl` that are out of range (they keep their own value), votes and reductions without the
//! lanes that have exited.
//!
//! Not checked: an asynchronous write over bytes that were read generically needs no proxy fence here, as pipelines hand
//! buffers back by an mbarrier alone; `mbarrier.init` needs none before asynchronous copies of its
//! block use the object; a `bar.sync` is
//! fine where lanes of its warp have exited, as barriers do not wait for those; operations that the ISA calls
//! approximate results are not distinguished from exact ones; a bulk copy may carry bytes without a value. An access to
//! the wrong element inside the right variable is what comparing results is for.
//!
//! # Who runs
//! A [`Schedule`] decides, deterministically; a kernel that is right must be right under all of them.

mod check;
mod code;
mod config;
mod counters;
mod decode;
pub mod deletion;
mod exec;
mod fault;
mod float;
mod history;
mod launch;
mod memory;
mod module;
mod parse;
mod record;
mod schedule;

// The tests are part of the library's own: as programs beside it they would need it built once more. They name what users do.
#[cfg(test)]
extern crate self as ptx_sim;
pub use code::Param;
pub use config::{Arg, Checks, LaunchConfig, Progress};
pub use counters::{Counts, InstructionCounts, Report};
pub use fault::{Fault, FaultKind, SourcePlace, ThreadId, Waiting};
pub use history::{History, Unordered};
pub use launch::{LaunchError, launch, launch_recorded, launch_with};
pub use memory::{Contents, Memory, MemoryError, Pointer};
pub use module::Module;
pub use parse::{ParseError, Position, Space};
pub use record::{RecordedArg, RecordedBuffer, Recording, RecordingError};
pub use schedule::{Schedule, ScheduleError};
