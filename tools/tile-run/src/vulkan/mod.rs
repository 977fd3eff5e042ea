//! GPUs through Vulkan, and CPUs through Mesa's software driver. The loader is opened at run time: programs start on machines
//! that have none.
//!
//! | module | is |
//! | --- | --- |
//! | `module` | what SPIR-V says of its kernels |
//! | `gpu` | the one layer that calls the driver |
//! | `run` | kernels one after the other on the same buffers |

mod error;
mod gpu;
mod module;
mod run;

pub use error::VulkanError;
pub use gpu::{Buffer, Gpu, Program};
pub use module::{Binding, Entry, Module};
pub use run::{Finished, run};
