//! The runtime library of host programs: the `mgpu…` functions that upstream's `--gpu-to-llvm` calls.
//!
//! ```text
//!   mlir-runner --shared-libs=libtile_runtime.so     the program, as LLVM IR
//!       │ mgpuModuleLoadJIT   PTX text
//!       │ mgpuMemAlloc, mgpuMemcpy, mgpuLaunchKernel, …
//!       ▼
//!   abi ──▶ device ──▶ sim    ptx-sim, with all its checkers: a race ends the program, naming both accesses
//!                      gpu    an NVIDIA GPU, through the CUDA driver
//! ```
//!
//! Everything happens in the order of the calls, regardless of streams, which are only names, as are events: a program
//! that waits where it must gets the same results. These functions return nothing, so an error cannot be returned: the
//! program prints it and ends with exit status 1.
//!
//! | environment variable | meaning |
//! | --- | --- |
//! | `TILE_RUNTIME` | `sim`, the default, or `cuda` |
//! | `TILE_RUNTIME_SCHEDULE` | the simulator's schedule, as in `tile-run --schedule`, or `all`: one after the other
//! from the same memory |
//! | `TILE_RUNTIME_REPORT` | `1` prints a line for each launch to stderr |

mod abi;
mod arguments;
mod device;
mod gpu;
mod settings;
mod sim;
mod tensor_map;
