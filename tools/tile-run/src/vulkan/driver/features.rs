//! The features of a device that kernels may need.

use ash::vk;

use crate::vulkan::{Module, VulkanError};

use super::Result;

/// Capabilities of SPIR-V that depend on features of a device.
const FLOAT64: u32 = 10;
const INT64: u32 = 11;
const INT64_ATOMICS: u32 = 12;
const BALLOT: u32 = 64;
const SHUFFLE: u32 = 65;
const SHUFFLE_RELATIVE: u32 = 66;

/// The features and limits of a device.
#[derive(Clone, Copy)]
pub(super) struct Features {
    pub float64: bool,
    pub int64: bool,
    pub atomics_64: bool,
    /// The maximum number of threads of a block.
    pub threads: u32,
    /// The maximum number of bytes of a buffer that a kernel can address; beyond them, loads return zero and stores are
    /// lost.
    pub range: u32,
    /// The subgroup operations that kernels may use.
    pub subgroups: vk::SubgroupFeatureFlags,
    /// The smallest and largest size that a kernel may require for full subgroups; `None` where it may not require one.
    pub sizes: Option<[u32; 2]>,
    /// The nanoseconds per tick of its clock, and the mask of the clock's valid bits; `None` without a clock.
    pub tick: Option<(f64, u64)>,
}

impl Features {
    /// # Safety
    /// The instance is alive, and the device belongs to it.
    pub unsafe fn of(instance: &ash::Instance, physical: vk::PhysicalDevice, family: u32) -> Features {
        let mut vulkan_12 = vk::PhysicalDeviceVulkan12Features::default();
        let mut control = vk::PhysicalDeviceSubgroupSizeControlFeatures::default();
        let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
        let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
        let compute = vk::ShaderStageFlags::COMPUTE;
        // SAFETY: by the function's own contract; the structures are valid, and chained only if the device knows them.
        unsafe {
            let plain = instance.get_physical_device_properties(physical);
            let is_13 = plain.api_version >= vk::API_VERSION_1_3;
            let mut all = vk::PhysicalDeviceFeatures2::default().push_next(&mut vulkan_12);
            let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut subgroup);
            if is_13 {
                all = all.push_next(&mut control);
                properties = properties.push_next(&mut sizes);
            }
            instance.get_physical_device_features2(physical, &mut all);
            instance.get_physical_device_properties2(physical, &mut properties);
            let features = all.features;
            let families = instance.get_physical_device_queue_family_properties(physical);
            let bits = families.get(family as usize).map_or(0, |family| family.timestamp_valid_bits);
            let period = f64::from(plain.limits.timestamp_period);
            let controls = control.subgroup_size_control == vk::TRUE && control.compute_full_subgroups == vk::TRUE;
            let shuffles = subgroup.supported_stages.contains(compute);
            Features {
                float64: features.shader_float64 == vk::TRUE,
                int64: features.shader_int64 == vk::TRUE,
                range: plain.limits.max_storage_buffer_range,
                threads: plain.limits.max_compute_work_group_invocations,
                atomics_64: vulkan_12.shader_buffer_int64_atomics == vk::TRUE,
                subgroups: if shuffles { subgroup.supported_operations } else { vk::SubgroupFeatureFlags::empty() },
                sizes: (controls && sizes.required_subgroup_size_stages.contains(compute))
                    .then_some([sizes.min_subgroup_size, sizes.max_subgroup_size]),
                tick: (bits > 0).then(|| (period, u64::MAX >> (64 - bits.min(64)))),
            }
        }
    }

    /// Checks that a device has everything that a module needs.
    pub fn check(&self, module: &Module, device: &str) -> Result<()> {
        let does = |operation| self.subgroups.contains(operation);
        let has = [
            (FLOAT64, "shaderFloat64", self.float64),
            (INT64, "shaderInt64", self.int64),
            (INT64_ATOMICS, "shaderBufferInt64Atomics", self.atomics_64),
            (BALLOT, "ballots of subgroups", does(vk::SubgroupFeatureFlags::BALLOT)),
            (SHUFFLE, "shuffles of subgroups", does(vk::SubgroupFeatureFlags::SHUFFLE)),
            (SHUFFLE_RELATIVE, "relative shuffles of subgroups", does(vk::SubgroupFeatureFlags::SHUFFLE_RELATIVE)),
        ];
        if let Some((_, feature, _)) = has.iter().find(|(id, _, has)| module.capabilities.contains(id) && !has) {
            return Err(VulkanError::Feature { feature, device: device.to_owned() });
        }
        let threads = |[x, y, z]: [u32; 3]| x.saturating_mul(y).saturating_mul(z);
        if module.entries.iter().any(|entry| threads(entry.threads) > self.threads) {
            return Err(VulkanError::Feature { feature: "blocks of that many threads", device: device.to_owned() });
        }
        let Some(size) = module.subgroup else { return Ok(()) };
        match self.sizes {
            Some([least, most]) if (least..=most).contains(&size) => Ok(()),
            sizes => Err(VulkanError::Subgroup { got: size, sizes, device: device.to_owned() }),
        }
    }
}
