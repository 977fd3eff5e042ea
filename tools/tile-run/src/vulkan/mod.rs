//! GPUs through Vulkan, and CPUs through Mesa's software driver. The loader is opened at run time: programs start on machines
//! that have none.
//!
//! | module | is |
//! | --- | --- |
//! | `module` | what SPIR-V says of its kernels, and what `tile-translate` has written into it for those who launch it |
//! | `driver` | the one layer that calls the driver |
//! | [`numbers`] | what a launch passes beside buffers |
//! | `run` | kernels one after the other on the same buffers |

mod driver;
mod module;
pub mod numbers;
mod run;

use thiserror::Error;

pub use driver::{Buffer, Gpu, Program};
pub use module::{Binding, Entry, Epochs, Module};
pub use run::{Finished, run};

/// Why a kernel did not run to its end, or at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VulkanError {
    /// No loader, or no driver.
    #[error("no Vulkan: {0}; Debian's libvulkan1 and mesa-vulkan-drivers have a driver for any CPU")]
    Missing(String),
    /// Fewer devices than that.
    #[error("got device {got}, expected one of the {count} that Vulkan has")]
    Device {
        /// The number requested.
        got: usize,
        /// How many there are.
        count: usize,
    },
    /// The module needs what the device has not.
    #[error("the kernels need {feature}, which {device} does not have")]
    Feature {
        /// Vulkan's name.
        feature: &'static str,
        /// The device.
        device: String,
    },
    /// Kernels for subgroups that the device cannot be made to have.
    #[error("the kernels need subgroups of {got} threads, {}", had(*sizes, device))]
    Subgroup {
        /// What they need.
        got: u32,
        /// The least and the most that can be required; none where no size can.
        sizes: Option<[u32; 2]>,
        /// The device.
        device: String,
    },
    /// A buffer whose end kernels do not reach.
    #[error("binding {binding}: got {got} bytes, expected at most {allowed}, the maxStorageBufferRange of {device}")]
    Range {
        /// Its number.
        binding: usize,
        /// Its bytes.
        got: usize,
        /// Most bytes.
        allowed: usize,
        /// The device.
        device: String,
    },
    /// An epoch that the states of tiles have no room for.
    #[error(
        "argument {argument}: got epoch {got}{}, expected at most {allowed}: a state has no room for more; zero the \
         workspace and begin with 1 again",
        if *further > 0 { format!(" and {further} further launches to time") } else { String::new() }
    )]
    Epoch {
        /// Counted from 0.
        argument: usize,
        /// Of the first launch.
        got: u64,
        /// Launches behind it.
        further: u32,
        /// The last one.
        allowed: u64,
    },
    /// An index that kernels have no room for.
    #[error("argument {argument}: got index {got}, expected one of 32 bits, with its sign")]
    Index {
        /// Counted from 0.
        argument: usize,
        /// Its value.
        got: i64,
    },
    /// A call failed.
    #[error("{call}: {result}")]
    Call {
        /// Vulkan's name of it.
        call: &'static str,
        /// What it said.
        result: String,
    },
    /// It runs, and does not end.
    #[error("the kernels did not end within {0} seconds")]
    Endless(u64),
    /// The words are no SPIR-V with kernels.
    #[error("the SPIR-V cannot be read: {0}")]
    Module(String),
    /// Arguments that do not fit.
    #[error("{0}")]
    Arguments(String),
}

fn had(sizes: Option<[u32; 2]>, device: &str) -> String {
    match sizes {
        Some([least, most]) if least == most => format!("{device} has them of {least}"),
        Some([least, most]) => format!("{device} has them of {least} to {most}"),
        None => format!("{device} does not let a kernel require a size"),
    }
}
