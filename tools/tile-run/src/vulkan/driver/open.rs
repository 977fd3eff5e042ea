//! Opens a device, by its number, and its queue.

use std::collections::HashMap;

use ash::vk;

use crate::vulkan::VulkanError;

use super::{Features, Gpu, Result, call};

/// Vulkan's loader, and the instance that it made.
pub(super) struct Instance {
    _entry: ash::Entry,
    handle: ash::Instance,
    is_kept: bool,
}

impl Instance {
    fn load() -> Result<Instance> {
        let missing = |error: &dyn std::fmt::Display| VulkanError::Missing(error.to_string());
        // SPIR-V 1.6 modules need Vulkan 1.3; older devices report their own version.
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: the library is Vulkan's loader, which is initialised when it is loaded; the structures are valid.
        unsafe {
            let entry = ash::Entry::load().map_err(|error| missing(&error))?;
            let handle = entry.create_instance(&info, None).map_err(|error| missing(&error))?;
            Ok(Instance { _entry: entry, handle, is_kept: false })
        }
    }

    /// Prevents the instance from being freed, because something still runs on it.
    pub fn keep(&mut self) {
        self.is_kept = true;
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if !self.is_kept {
            // SAFETY: its device is destroyed before it.
            unsafe { self.handle.destroy_instance(None) };
        }
    }
}

impl Gpu {
    /// Opens a device by its number.
    ///
    /// # Errors
    /// No loader, no driver, or no such device.
    pub fn open(number: usize) -> Result<Gpu> {
        let instance = Instance::load()?;
        // SAFETY: the instance is alive, and outlives the objects made here, because the `Gpu` drops it last.
        unsafe {
            let physical = physical(&instance.handle, number)?;
            let properties = instance.handle.get_physical_device_properties(physical);
            let name = properties.device_name_as_c_str().map(|name| name.to_string_lossy().into_owned());
            let name = name.unwrap_or_else(|_| format!("device {number}"));
            let families = instance.handle.get_physical_device_queue_family_properties(physical);
            let computes = |family: &vk::QueueFamilyProperties| family.queue_flags.contains(vk::QueueFlags::COMPUTE);
            let Some(family) = families.iter().position(computes) else {
                return Err(VulkanError::Missing(format!("{name} runs no kernels")));
            };
            let family = family as u32;
            let features = Features::of(&instance.handle, physical, family);
            let device = device(&instance.handle, physical, family, &features)?;
            let mut gpu = Gpu {
                name,
                queue: device.get_device_queue(family, 0),
                memory: instance.handle.get_physical_device_memory_properties(physical),
                device,
                pool: vk::CommandPool::null(),
                clock: vk::QueryPool::null(),
                features,
                maps: true,
                staging: None,
                programs: HashMap::new(),
                stuck: false,
                instance,
            };
            let pool = vk::CommandPoolCreateInfo::default().queue_family_index(family);
            gpu.pool = call("vkCreateCommandPool", gpu.device.create_command_pool(&pool, None))?;
            if gpu.features.tick.is_some() {
                let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(2);
                gpu.clock = call("vkCreateQueryPool", gpu.device.create_query_pool(&info, None))?;
            }
            Ok(gpu)
        }
    }
}

/// # Safety
/// The instance is alive.
unsafe fn physical(instance: &ash::Instance, number: usize) -> Result<vk::PhysicalDevice> {
    // SAFETY: by the function's own contract.
    let all = call("vkEnumeratePhysicalDevices", unsafe { instance.enumerate_physical_devices() })?;
    match (all.get(number), all.len()) {
        (Some(physical), _) => Ok(*physical),
        (None, 0) => Err(VulkanError::Missing("there is no device".to_owned())),
        (None, count) => Err(VulkanError::Device { got: number, count }),
    }
}

/// # Safety
/// The instance is alive, and outlives the device.
unsafe fn device(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    family: u32,
    features: &Features,
) -> Result<ash::Device> {
    let wanted = vk::PhysicalDeviceFeatures::default().shader_int64(features.int64).shader_float64(features.float64);
    let mut vulkan_12 = vk::PhysicalDeviceVulkan12Features::default().shader_buffer_int64_atomics(features.atomics_64);
    let mut control = vk::PhysicalDeviceSubgroupSizeControlFeatures::default()
        .subgroup_size_control(true)
        .compute_full_subgroups(true);
    let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
    let mut info =
        vk::DeviceCreateInfo::default().queue_create_infos(&queues).enabled_features(&wanted).push_next(&mut vulkan_12);
    if features.sizes.is_some() {
        info = info.push_next(&mut control);
    }
    // SAFETY: by the function's own contract; features are requested only if the device has them.
    call("vkCreateDevice", unsafe { instance.create_device(physical, &info, None) })
}
