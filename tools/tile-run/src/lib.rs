//! Runs one kernel, in the simulator or on a GPU, and checks what it left in memory.
//!
//! ```text
//! $ tile-run test/Seeds/gmem_smem.mlir --arg f32[32x32]=random --arg f32[32x32]=poison --expect-equal 0,1
//! round_trip: 1x1x1 blocks of 32x1x1 threads, sm_90a, simulated
//! schedule fair: argument 1 holds what argument 0 holds
//! opcode               issued  bytes  sectors  wavefronts  conflicts
//! ld.global.nc.v4.b32       8   4096      128
//! …
//! ```
//!
//! | module | is |
//! | --- | --- |
//! | [`options`], [`named`], [`argument`], [`contents`], [`map`] | the command line |
//! | [`element`], [`float`], [`tensor`], [`placement`], [`fill`], [`random`], [`npy`] | buffers on the host and their contents |
//! | [`source`] | the PTX |
//! | [`declared`] | the arguments that kernels declare in MLIR |
//! | [`input`], [`bind`] | the arguments of a launch, and matching them with the kernel |
//! | [`sim`], [`cuda`], [`vulkan`] | the devices |
//! | [`expect`], [`compare`], [`tolerance`], [`report`], [`times`] | checking and printing the results |
//! | [`run`] | the whole program |
//! | `json` | the results of a simulation as a JSON document |
//! | `deletion` | runs without each of the synchronizing instructions |
//! | [`replay`] | recorded launches, repeated |

pub mod argument;
pub mod bind;
pub mod compare;
pub mod contents;
#[cfg(feature = "gpu")]
pub mod cuda;
pub mod declared;
mod deletion;
mod derived;
pub mod element;
pub mod expect;
pub mod fill;
pub mod float;
#[cfg_attr(not(feature = "gpu"), path = "no_gpu.rs")]
mod gpu;
pub mod input;
mod job;
mod json;
pub mod map;
pub mod named;
pub mod npy;
pub mod options;
mod order;
pub mod placement;
pub mod random;
#[cfg(feature = "gpu")]
pub mod replay;
pub mod report;
pub mod run;
pub mod sim;
pub mod source;
pub mod tensor;
pub mod times;
pub mod tolerance;
#[cfg(feature = "gpu")]
pub mod vulkan;

pub use run::{BindKernelError, BoundKernel, main, status};
pub use tile_cli::complain;
