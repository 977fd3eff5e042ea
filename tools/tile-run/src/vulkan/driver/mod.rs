//! The one layer that calls Vulkan's driver.
//!
//! Objects are made by the [`Gpu`] that they belong to and live no longer than it; it has one queue, which one thread at a time
//! uses, since all that submits takes `&mut`. The host touches memory only while nothing is submitted.
//!
//! | module | is |
//! | --- | --- |
//! | `open` | from a device's number to a queue |
//! | [`features`] | what a device has that kernels may need |
//! | `memory` | buffers, and how bytes get there and back |
//! | `program` | kernels, and what they are bound to |
//! | `submit` | commands, executed and timed by the device's own clock |

mod features;
mod memory;
mod open;
mod program;
mod submit;

use ash::vk;

use super::VulkanError;
use features::Features;
use open::Instance;

pub use memory::Buffer;
pub use program::Program;

type Result<T> = std::result::Result<T, VulkanError>;

fn call<T>(call: &'static str, result: std::result::Result<T, vk::Result>) -> Result<T> {
    result.map_err(|result| VulkanError::Call { call, result: result.to_string() })
}

/// A device with a queue for kernels.
pub struct Gpu {
    /// Its name, and its driver's where that has one.
    pub name: String,
    device: ash::Device,
    queue: vk::Queue,
    pool: vk::CommandPool,
    /// Two places for the device's clock; null where it has none.
    clock: vk::QueryPool,
    memory: vk::PhysicalDeviceMemoryProperties,
    features: Features,
    /// Is memory of the device that the host can reach mapped? Else all goes through a buffer of the host's.
    maps: bool,
    staging: Option<Buffer>,
    /// Is something running that does not end? Then nothing of it is freed.
    stuck: bool,
    // Behind all else: fields are dropped in this order.
    instance: Instance,
}

impl Gpu {
    /// Most bytes of a buffer that kernels reach.
    pub fn most_bytes(&self) -> usize {
        self.features.range as usize
    }

    /// Bytes go through a buffer of the host's from now on, also where the device's own memory could be mapped.
    pub fn stage(&mut self) {
        self.maps = false;
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        if self.stuck {
            self.instance.keep();
            return;
        }
        if let Some(staging) = self.staging.take() {
            self.destroy_buffer(staging);
        }
        // SAFETY: nothing runs; what is not freed is the caller's leak, which Vulkan's software and hardware drivers bear. What
        // was never made is null, which Vulkan ignores.
        unsafe {
            self.device.destroy_query_pool(self.clock, None);
            self.device.destroy_command_pool(self.pool, None);
            self.device.destroy_device(None);
        }
    }
}
