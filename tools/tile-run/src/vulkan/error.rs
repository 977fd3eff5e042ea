//! What can go wrong with Vulkan.

use thiserror::Error;

/// Why a kernel did not run to its end, or at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VulkanError {
    /// No loader, or no driver.
    #[error("no Vulkan: {0}; Debian's libvulkan1 and mesa-vulkan-drivers have a driver for any CPU")]
    Missing(String),
    /// Fewer devices than that.
    #[error("got device {got}, expected one of the {count} that Vulkan has")]
    Device {
        /// The number asked for.
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
