//! GPUs through Vulkan, and CPUs through Mesa's software driver. The loader is opened at run time: programs start on machines
//! that have none.
//!
//! | module | is |
//! | --- | --- |
//! | `module` | what SPIR-V says of its kernels |
//! | `driver` | the one layer that calls the driver |
//! | [`notes`] | what `tile-translate` has written into SPIR-V for those who launch it |
//! | [`numbers`] | what a launch passes beside buffers |
//! | `run` | kernels one after the other on the same buffers |

mod driver;
mod error;
mod module;
pub mod notes;
pub mod numbers;
mod run;

pub use driver::{Buffer, Gpu, Program};
pub use error::VulkanError;
pub use module::{Binding, Entry, Module};
pub use run::{Finished, run};
