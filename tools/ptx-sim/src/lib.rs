//! Executes PTX on a CPU, under checkers that a GPU does not have.
//!
//! It reads what LLVM's NVPTX back end, nvcc, Triton, numba and CUTLASS print, and runs it thread by thread:
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
//! `cp.async.bulk`, `cp.reduce.async.bulk`, also of boxes of tensors, see below; `ldmatrix`, `stmatrix`; tensor memory with
//! `tcgen05` copies, loads and stores; products by `mma.sync`, by `wmma`, by `wgmma`, and by dense `tcgen05.mma`, also of pairs of
//! blocks, with `.ws`, and with scales of 8-bit floats; changes of tensor maps. What is not (4-bit floats, sparse matrices, boxes of
//! images, textures and surfaces) is an error when a module is parsed, with its line, its source and the section
//! of the ISA: nothing is guessed. Functions may call themselves, as deep as 512 KiB of registers and local memory of a thread allow.
//! What every driver provides is there: `vprintf` ([`Memory::take_printed`]), `__assertfail`, `malloc`
//! and `free` (a heap of 8 MiB), the memory through which grids of cooperative launches synchronize.
//! Approximate functions (`ex2.approx` …) are computed exactly and rounded once; the hardware's results may differ in the
//! last bits, and so may sums of products.
//!
//! # Boxes of tensors
//! A [`TensorMap`] is made by the rules of `cuTensorMapEncodeTiled`, and passed as [`Arg::Map`] or by its bytes in memory.
//! Element types are all but the packed ones of 4 and 6 bits; there is no interleaving. What an H100 does and no manual
//! says is done here, too:
//!
//! | copy | behaviour |
//! | --- | --- |
//! | every copy | the first coordinate, in bytes, must be a multiple of 16, negative ones too; the address in shared memory a multiple of 128; extents less than 2^32 (a GPU ends the kernel otherwise) |
//! | loads | elements outside the tensor are zeros or, in all types, the bits `7ff7` again and again; they count as bytes that arrive; the tensor's base must be mapped even if the box is elsewhere; `tf32` is rounded to the nearest |
//! | stores and reductions | elements outside the tensor are left out, except those in the 16 bytes that contain a row's last element: these are written; no coordinate may be negative |
//! | reductions | only the types that the PTX ISA names, as the map determines |
//! | swizzles | of the absolute address; rows that are narrower than the span stand a span apart, and the gaps keep their bytes |
//! | changed maps | an extent of 0 becomes one of 2^32; a map of a tensor without elements is not changed; a base or a stride that is no multiple of 16 is an error where it is written (an H100 ends the kernel at the use of such a base, and drops the low bits of such a stride) |
//! | element strides | a box has `ceil(extent / stride)` elements along a dimension; that of dimension 0 has no effect |
//!
//! # What is checked
//! No check depends on which thread happens to run first: accesses are compared byte by byte under happens-before (see
//! `check`), not by the order in which they ran.
//!
//! | checked | how far | [`Checks`] | [`FaultKind`] |
//! | --- | --- | --- | --- |
//! | bounds | exact; in shared memory, those of the variable from which the address is derived, or of any variable if that is unknown (an address loaded from memory); all dynamic shared memory is one variable | always | `OutOfBounds` |
//! | alignment | every access | always | `Misaligned` |
//! | races | any two threads, all scopes and orders; a missing barrier is reported with both accesses, even if the read ran first and found no value; a weak load counts only once its value is stored or affects a decision, because compilers load early and more than they need | `races` | `Race` |
//! | equal stores | lanes of one instruction that store the same value to the same address; off by default, because no order is missing that could change a value | `equal_stores` | `Race` |
//! | constant loads | `ld.global.nc`, `ldu`: bytes that the kernel writes before or after the load, ordered or not | `races` | `Race` |
//! | asynchronous copies | a thread that uses their bytes must have waited for them | `races` | `InFlight` |
//! | mbarriers of other blocks | the use of another block's mbarrier needs `fence.mbarrier_init`, or a wider fence, after its `mbarrier.init` | `races` | `Race` |
//! | proxies | an asynchronous copy that reads or overwrites bytes written through the generic proxy needs `fence.proxy.async` | `proxy` | `Race` |
//! | changes of tensor maps | a copy through a map in global memory that the kernel has changed needs `fence.proxy.tensormap::generic.release` after the change and, in its block, `.acquire` of the map; the map stays until the copy is complete | `proxy`, `races` | `Race`, `InFlight` |
//! | lifetimes of blocks | an access to shared memory of another block of the cluster: that block must be known to have started, and one of its threads must wait for the access before it exits; the same holds for asynchronous operations on a block's memory | `races` | `Lifetime`, `CopyLeak` |
//! | values | a read in which no byte has a value; for a load, once its value is used, as above | `init` | `Uninitialized` |
//! | undefined values | they may be moved, combined and stored, but must not affect a decision (see below) | `init` | `Undefined` |
//! | mbarriers | counts, phases, `init` of a live object, ordinary accesses to a live object | always | `Invalid` |
//! | progress | lanes that wait for each other at different barriers, deadlocks, loops that provably never end | always | `BarrierDivergence`, `Deadlock`, `Livelock` |
//! | leftovers | tensor memory, copies | `leaks` | `TensorLeak`, `CopyLeak` |
//!
//! Undefined values are: registers that are read before they are written, bytes of memory that no thread has written,
//! bytes that `.pragma "used_bytes_mask"` leaves out, integer quotients by zero, and what `shfl.sync` takes from a lane
//! that has exited, does not exist or is not in the member mask. They are tracked bit by bit through moves, shifts and
//! logic; in a sum, all bits from the lowest undefined one upwards become undefined; any other result becomes undefined
//! as a whole. Branches, addresses, counts and operands of atomics must not depend on them. Memory to which they are
//! stored has no value afterwards, for the host either. Everything else is defined by the PTX ISA and computed
//! accordingly: shifts and bit fields beyond the width, conversions out of range, lanes of a `shfl` that are out of range
//! (they keep their own value), votes and reductions without the lanes that have exited.
//!
//! Not checked: an asynchronous write over bytes that were read generically needs no proxy fence here, because pipelines
//! return buffers through an mbarrier alone; `mbarrier.init` needs none before asynchronous copies of its block use the
//! object; a `bar.sync` is accepted if lanes of its warp have exited, because barriers do not wait for those; results
//! that the ISA calls approximate are not distinguished from exact ones; a bulk copy may carry bytes without a value. An
//! access to the wrong element of the right variable is found only by comparing results.
//!
//! # Scheduling
//! A [`Schedule`] decides deterministically which warp runs, and which lane `elect.sync` elects; a correct kernel must be
//! correct under every schedule.

mod call;
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
mod in_turn;
mod interface;
mod launch;
mod memory;
mod module;
mod needs;
mod parse;
mod print;
mod record;
mod schedule;
mod source;
mod tensor_map;

// The example of the page that describes the crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

// The integration tests are compiled with the library's unit tests: as separate programs they would need the library to be
// built a second time. They refer to the crate by the name that its users use.
#[cfg(test)]
extern crate self as ptx_sim;
pub use call::{Buffer, Call};
pub use config::{Arg, Checks, LaunchConfig, Progress};
pub use counters::{Counts, InstructionCounts, Report};
pub use fault::{Fault, FaultKind, ThreadId, Waiting};
pub use history::{History, Unordered};
pub use in_turn::{Turn, in_turn};
pub use interface::{Interface, Param, interfaces};
pub use launch::{LaunchError, launch, launch_recorded, launch_with};
pub use memory::{Contents, Memory, MemoryError, Pointer};
pub use module::Module;
pub use needs::{Dim3, Dim3Error, Launch, Mismatch, Needs};
pub use parse::{ParseError, Position, Space};
pub use record::{RecordedArg, RecordedBuffer, Recording, RecordingError};
pub use schedule::{Schedule, ScheduleError};
pub use source::SourcePlace;
pub use tensor_map::{
    BufferMap, DerivedMap, DerivedMapError, Im2col, Im2colError, Interleave, L2Promotion, MapPlaces, MapTextError,
    NotATensorMap, NumberError, OutOfBounds, Swizzle, TENSOR_MAP_BYTES, TensorElement, TensorMap, TensorMapError,
    TiledMap, UnknownName, derived_arguments,
};
