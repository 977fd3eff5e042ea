//! NVIDIA GPUs through the CUDA driver, which is loaded at run time: programs start on machines that have none.

mod buffer;
mod error;
mod gpu;
mod kernel;
mod run;

pub use buffer::Buffer;
pub use error::CudaError;
pub use gpu::{Chip, Gpu};
pub use kernel::{Kernel, Module, Resources};
pub use run::{Finished, run};
