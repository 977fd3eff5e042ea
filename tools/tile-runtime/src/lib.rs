//! The runtime library of host programs: the `mgpu…` functions that upstream's `--gpu-to-llvm` calls.
//!
//! ```text
//!   mlir-runner --shared-libs=libtile_runtime.so     the program, as LLVM IR
//!       │ mgpuModuleLoadJIT   PTX text
//!       │ mgpuMemAlloc, mgpuMemcpy, mgpuLaunchKernel, …
//!       ▼
//!   abi ──▶ device ──▶ sim    ptx-sim, with all its checkers: a race ends the program, with both sides
//!                      gpu    an NVIDIA GPU, through the CUDA driver
//! ```
//!
//! Everything happens in the order of the calls, on whatever stream: a program that waits where it must gets the same, and
//! streams and events are only names. An error has nowhere to go, as these functions return nothing: the program
//! ends with exit status 1 and says why.
//!
//! | variable of the environment | |
//! | --- | --- |
//! | `TILE_RUNTIME` | `sim`, the default, or `cuda` |
//! | `TILE_RUNTIME_SCHEDULE` | who makes progress in the simulator: a schedule of `tile-run --schedule`, or `all`, one after the other from the same memory |
//! | `TILE_RUNTIME_REPORT` | `1` prints a line for each launch to stderr |

mod abi;
mod arguments;
mod device;
mod gpu;
mod settings;
mod sim;
