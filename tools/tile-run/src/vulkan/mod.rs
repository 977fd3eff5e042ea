//! GPUs through Vulkan, and CPUs through Mesa's software driver. The loader is opened at run time, so that programs
//! start on machines without one.
//!
//! | module | is |
//! | --- | --- |
//! | `module` | the interfaces of the kernels in SPIR-V, and the launch notes that `tile-translate` adds |
//! | `driver` | the only layer that calls the driver |
//! | [`numbers`] | the numbers that a launch passes besides buffers |
//! | `run` | runs kernels one after the other on the same buffers |

mod driver;
mod module;
pub mod numbers;
mod run;

use thiserror::Error;

pub use driver::{Buffer, Gpu, Program};
pub use module::{Binding, Entry, Epochs, Module};
pub use run::{Finished, run};

/// Why a kernel did not run to completion, or not at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VulkanError {
    /// There is no loader or no driver.
    #[error("no Vulkan: {0}; Debian's libvulkan1 and mesa-vulkan-drivers have a driver for any CPU")]
    Missing(String),
    /// There are fewer devices.
    #[error("got device {got}, expected one of the {count} that Vulkan has")]
    Device {
        /// The number requested.
        got: usize,
        /// The number of devices.
        count: usize,
    },
    /// The module needs a feature that the device lacks.
    #[error("the kernels need {feature}, which {device} does not have")]
    Feature {
        /// Vulkan's name of the feature.
        feature: &'static str,
        /// The device.
        device: String,
    },
    /// The kernels need a subgroup size that they cannot require on the device.
    #[error("the kernels need subgroups of {got} threads, {}", had(*sizes, device))]
    Subgroup {
        /// The size that they need.
        got: u32,
        /// The smallest and largest size that can be required; `None` if none can.
        sizes: Option<[u32; 2]>,
        /// The device.
        device: String,
    },
    /// A buffer is longer than kernels can address.
    #[error("binding {binding}: got {got} bytes, expected at most {allowed}, the maxStorageBufferRange of {device}")]
    Range {
        /// The number of its binding.
        binding: usize,
        /// Its size in bytes.
        got: usize,
        /// The maximum size in bytes.
        allowed: usize,
        /// The device.
        device: String,
    },
    /// The states of tiles cannot hold an epoch.
    #[error(
        "argument {argument}: got epoch {got}{}, expected at most {allowed}: a state has no room for more; zero the \
         workspace and begin with 1 again",
        if *further > 0 { format!(" and {further} further launches to time") } else { String::new() }
    )]
    Epoch {
        /// Counted from 0.
        argument: usize,
        /// The epoch of the first launch.
        got: u64,
        /// The number of launches after it.
        further: u32,
        /// The last epoch that states can hold.
        allowed: u64,
    },
    /// Kernels cannot hold an index.
    #[error("argument {argument}: got index {got}, expected a signed number of 32 bits")]
    Index {
        /// Counted from 0.
        argument: usize,
        /// Its value.
        got: i64,
    },
    /// A call failed.
    #[error("{call}: {result}")]
    Call {
        /// Vulkan's name of the call.
        call: &'static str,
        /// The call's error.
        result: String,
    },
    /// The kernels run without ending.
    #[error("the kernels did not end within {0} seconds")]
    Endless(u64),
    /// The words are not SPIR-V with kernels.
    #[error("the SPIR-V cannot be read: {0}")]
    Module(String),
    /// The arguments do not match the kernels.
    #[error("{0}")]
    Arguments(String),
}

fn had(sizes: Option<[u32; 2]>, device: &str) -> String {
    match sizes {
        Some([least, most]) if least == most => format!("{device} supports {least}"),
        Some([least, most]) => format!("{device} supports {least} to {most}"),
        None => format!("{device} does not let a kernel require a size"),
    }
}
