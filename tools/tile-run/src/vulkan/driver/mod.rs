//! The only layer that calls Vulkan's driver.
//!
//! Objects are made by the [`Gpu`] that they belong to, and live no longer than it. It has one queue, which only one
//! thread uses at a time, because everything that submits takes `&mut`. The host accesses memory only while nothing is
//! submitted.
//!
//! | module | is |
//! | --- | --- |
//! | `open` | opening a device and its queue |
//! | [`features`] | the features of a device that kernels may need |
//! | `memory` | buffers, and transfers to and from them |
//! | `program` | kernels and their bindings |
//! | `submit` | commands, executed and timed by the device's clock |

mod features;
mod memory;
mod open;
mod program;
mod submit;

use std::collections::HashMap;
use std::rc::Rc;

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
    /// The name of the device.
    pub name: String,
    device: ash::Device,
    queue: vk::Queue,
    pool: vk::CommandPool,
    /// A query pool for two timestamps; null if the device has no clock.
    clock: vk::QueryPool,
    memory: vk::PhysicalDeviceMemoryProperties,
    features: Features,
    /// Whether host-visible memory of the device is mapped; otherwise all transfers use the staging buffer.
    maps: bool,
    staging: Option<Buffer>,
    /// The kernels that were made, by the words of their modules.
    programs: HashMap<Vec<u32>, Rc<Program>>,
    /// Whether something is running that does not end, so that nothing may be freed.
    stuck: bool,
    // Last, because fields are dropped in this order.
    instance: Instance,
}

impl Gpu {
    /// The maximum number of bytes of a buffer that kernels can address.
    pub fn most_bytes(&self) -> usize {
        self.features.range as usize
    }

    /// From now on uses the staging buffer for all transfers, even if the device's memory could be mapped.
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
        // SAFETY: nothing runs, and programs are only used through the device; objects that are not freed are the caller's
        // leak, which Vulkan's software and hardware drivers tolerate. Objects that were never made are null, which Vulkan
        // ignores.
        unsafe {
            self.programs.values().for_each(|program| self.destroy_program(program));
            self.device.destroy_query_pool(self.clock, None);
            self.device.destroy_command_pool(self.pool, None);
            self.device.destroy_device(None);
        }
    }
}
