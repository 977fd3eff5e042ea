//! The one layer that calls Vulkan's driver.
//!
//! Objects are made by the [`Gpu`] that they belong to and live no longer than it; it has one queue, which one thread at a time
//! uses, since all that submits takes `&mut`. Memory is mapped for as long as its buffer lives, and read and written by the host
//! only while nothing is submitted.

use std::ffi::CString;

use ash::vk;

use super::{Binding, Module, VulkanError};

type Result<T> = std::result::Result<T, VulkanError>;

/// Seconds after which kernels count as endless.
const PATIENCE: u64 = 100;

/// Capabilities of SPIR-V that are features of a device.
const FLOAT64: u32 = 10;
const INT64: u32 = 11;
const INT64_ATOMICS: u32 = 12;

fn call<T>(call: &'static str, result: std::result::Result<T, vk::Result>) -> Result<T> {
    result.map_err(|result| VulkanError::Call { call, result: result.to_string() })
}

/// A device with a queue for kernels.
pub struct Gpu {
    /// Its name, and its driver's where that has one.
    pub name: String,
    _entry: ash::Entry,
    instance: ash::Instance,
    device: ash::Device,
    queue: vk::Queue,
    pool: vk::CommandPool,
    memory: vk::PhysicalDeviceMemoryProperties,
    features: vk::PhysicalDeviceFeatures,
    atomics_64: bool,
    /// Is something running that does not end? Then nothing of it is freed.
    stuck: bool,
}

/// Memory of the host and the device.
pub struct Buffer {
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    mapped: *mut u8,
    bytes: usize,
}

/// Kernels that share their bindings.
pub struct Program {
    module: vk::ShaderModule,
    sets: vk::DescriptorSetLayout,
    layout: vk::PipelineLayout,
    pipelines: Vec<vk::Pipeline>,
    bindings: Vec<Binding>,
}

impl Gpu {
    /// Opens a device by its number.
    ///
    /// # Errors
    /// No loader, no driver, or no such device.
    pub fn open(number: usize) -> Result<Gpu> {
        let missing = |error: &dyn std::fmt::Display| VulkanError::Missing(error.to_string());
        // SAFETY: the library is Vulkan's loader, which is initialised when it is loaded.
        let entry = unsafe { ash::Entry::load() }.map_err(|error| missing(&error))?;
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_2);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: the structures are valid; what is made is destroyed by the `Gpu`, or below.
        unsafe {
            let instance = entry.create_instance(&info, None).map_err(|error| missing(&error))?;
            match device(&instance, number) {
                Ok(found) => Ok(found.opened(entry, instance)),
                Err(error) => {
                    instance.destroy_instance(None);
                    Err(error)
                }
            }
        }
    }

    /// Makes memory of so many bytes, zero.
    ///
    /// # Errors
    /// Too little memory.
    pub fn buffer(&self, bytes: usize) -> Result<Buffer> {
        // A vector of words is whole, also the last one.
        let size = bytes.next_multiple_of(16).max(16) as u64;
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER
            | vk::BufferUsageFlags::UNIFORM_BUFFER
            | vk::BufferUsageFlags::TRANSFER_SRC
            | vk::BufferUsageFlags::TRANSFER_DST;
        let info = vk::BufferCreateInfo::default().size(size).usage(usage);
        // SAFETY: the device is alive; memory is of a type that the buffer takes and the host sees, bound once, and mapped
        // whole. What was made is freed where a later call fails.
        unsafe {
            let buffer = call("vkCreateBuffer", self.device.create_buffer(&info, None))?;
            let needs = self.device.get_buffer_memory_requirements(buffer);
            let memory = self.allocate(needs).inspect_err(|_| self.device.destroy_buffer(buffer, None))?;
            let bound = call("vkBindBufferMemory", self.device.bind_buffer_memory(buffer, memory, 0));
            let mapped = bound.and_then(|()| {
                let whole = self.device.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty());
                call("vkMapMemory", whole)
            });
            let mapped = mapped.inspect_err(|_| {
                self.device.destroy_buffer(buffer, None);
                self.device.free_memory(memory, None);
            })?;
            let mapped = mapped.cast::<u8>();
            mapped.write_bytes(0, size as usize);
            Ok(Buffer { buffer, memory, mapped, bytes })
        }
    }

    fn allocate(&self, needs: vk::MemoryRequirements) -> Result<vk::DeviceMemory> {
        let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let fits = |index: &u32| {
            let r#type = self.memory.memory_types[*index as usize];
            needs.memory_type_bits >> index & 1 == 1 && r#type.property_flags.contains(wanted)
        };
        // Vulkan promises that buffers have such a type.
        let index = (0..self.memory.memory_type_count).find(fits).unwrap_or_default();
        let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(index);
        // SAFETY: the device is alive, and the type is one of its own.
        call("vkAllocateMemory", unsafe { self.device.allocate_memory(&info, None) })
    }

    /// Makes the kernels of a module.
    ///
    /// # Errors
    /// What the device lacks, or what the driver refuses.
    pub fn program(&self, module: &Module) -> Result<Program> {
        let has = [
            (FLOAT64, "shaderFloat64", self.features.shader_float64 == vk::TRUE),
            (INT64, "shaderInt64", self.features.shader_int64 == vk::TRUE),
            (INT64_ATOMICS, "shaderBufferInt64Atomics", self.atomics_64),
        ];
        if let Some((_, feature, _)) = has.iter().find(|(id, _, has)| module.capabilities.contains(id) && !has) {
            return Err(VulkanError::Feature { feature, device: self.name.clone() });
        }
        let slots: Vec<_> = module
            .bindings
            .iter()
            .enumerate()
            .map(|(index, binding)| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(index as u32)
                    .descriptor_type(descriptor(*binding))
                    .descriptor_count(1)
                    .stage_flags(vk::ShaderStageFlags::COMPUTE)
            })
            .collect();
        let code = vk::ShaderModuleCreateInfo::default().code(&module.words);
        let sets = vk::DescriptorSetLayoutCreateInfo::default().bindings(&slots);
        // SAFETY: the device is alive and has what the module declares; all that is made is destroyed by `destroy_program`.
        unsafe {
            let mut program = Program {
                module: call("vkCreateShaderModule", self.device.create_shader_module(&code, None))?,
                sets: call("vkCreateDescriptorSetLayout", self.device.create_descriptor_set_layout(&sets, None))?,
                layout: vk::PipelineLayout::null(),
                pipelines: Vec::new(),
                bindings: module.bindings.clone(),
            };
            let all = [program.sets];
            let layout = vk::PipelineLayoutCreateInfo::default().set_layouts(&all);
            program.layout = call("vkCreatePipelineLayout", self.device.create_pipeline_layout(&layout, None))?;
            for entry in &module.entries {
                let name = CString::new(entry.name.clone()).map_err(|error| VulkanError::Module(error.to_string()))?;
                let stage = vk::PipelineShaderStageCreateInfo::default()
                    .stage(vk::ShaderStageFlags::COMPUTE)
                    .module(program.module)
                    .name(&name);
                let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(program.layout);
                let made = self.device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None);
                let made = call("vkCreateComputePipelines", made.map_err(|(_, error)| error))?;
                program.pipelines.extend(made);
            }
            Ok(program)
        }
    }

    /// Launches all kernels of a program, each when the one before has ended, with so many blocks in x and y, and waits.
    ///
    /// # Errors
    /// Fewer buffers than bindings, an error of the driver, or kernels that do not end.
    pub fn run(&mut self, program: &Program, buffers: &[&Buffer], blocks: [u32; 2]) -> Result<()> {
        if buffers.len() != program.bindings.len() {
            let (got, expected) = (buffers.len(), program.bindings.len());
            return Err(VulkanError::Arguments(format!("got {got} bindings, expected {expected}")));
        }
        // SAFETY: all objects are this device's and alive until the fence says that nothing uses them any more; where it
        // does not say so, they are leaked.
        unsafe {
            let (pool, set) = self.bind(program, buffers)?;
            let commands = self.record(program, set, blocks)?;
            let ended = self.submit(commands);
            if !self.stuck {
                self.device.free_command_buffers(self.pool, &[commands]);
                self.device.destroy_descriptor_pool(pool, None);
            }
            ended
        }
    }

    /// # Safety
    /// The objects are this device's, and alive.
    unsafe fn bind(&self, program: &Program, buffers: &[&Buffer]) -> Result<(vk::DescriptorPool, vk::DescriptorSet)> {
        let size = |r#type| vk::DescriptorPoolSize::default().ty(r#type).descriptor_count(buffers.len() as u32);
        let sizes = [size(vk::DescriptorType::STORAGE_BUFFER), size(vk::DescriptorType::UNIFORM_BUFFER)];
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        // SAFETY: by the function's own contract.
        unsafe {
            let pool = call("vkCreateDescriptorPool", self.device.create_descriptor_pool(&info, None))?;
            let layouts = [program.sets];
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            let sets = call("vkAllocateDescriptorSets", self.device.allocate_descriptor_sets(&info))?;
            for (index, (buffer, binding)) in buffers.iter().zip(&program.bindings).enumerate() {
                let whole = [vk::DescriptorBufferInfo::default().buffer(buffer.buffer).range(vk::WHOLE_SIZE)];
                let write = vk::WriteDescriptorSet::default()
                    .dst_set(sets[0])
                    .dst_binding(index as u32)
                    .descriptor_type(descriptor(*binding))
                    .buffer_info(&whole);
                self.device.update_descriptor_sets(&[write], &[]);
            }
            Ok((pool, sets[0]))
        }
    }

    /// # Safety
    /// The objects are this device's, and alive.
    unsafe fn record(&self, program: &Program, set: vk::DescriptorSet, blocks: [u32; 2]) -> Result<vk::CommandBuffer> {
        let info = vk::CommandBufferAllocateInfo::default().command_pool(self.pool).command_buffer_count(1);
        let (compute, host) = (vk::PipelineStageFlags::COMPUTE_SHADER, vk::PipelineStageFlags::HOST);
        let written = vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::SHADER_WRITE)
            .dst_access_mask(vk::AccessFlags::SHADER_READ | vk::AccessFlags::SHADER_WRITE | vk::AccessFlags::HOST_READ);
        let begin = vk::CommandBufferBeginInfo::default();
        // SAFETY: by the function's own contract.
        unsafe {
            let commands = call("vkAllocateCommandBuffers", self.device.allocate_command_buffers(&info))?[0];
            call("vkBeginCommandBuffer", self.device.begin_command_buffer(commands, &begin))?;
            let point = vk::PipelineBindPoint::COMPUTE;
            self.device.cmd_bind_descriptor_sets(commands, point, program.layout, 0, &[set], &[]);
            for pipeline in &program.pipelines {
                self.device.cmd_bind_pipeline(commands, point, *pipeline);
                self.device.cmd_dispatch(commands, blocks[0], blocks[1], 1);
                let (from, to) = (compute, compute | host);
                let none = vk::DependencyFlags::empty();
                self.device.cmd_pipeline_barrier(commands, from, to, none, &[written], &[], &[]);
            }
            call("vkEndCommandBuffer", self.device.end_command_buffer(commands))?;
            Ok(commands)
        }
    }

    /// # Safety
    /// The commands are recorded, and what they use is alive.
    unsafe fn submit(&mut self, commands: vk::CommandBuffer) -> Result<()> {
        let all = [commands];
        let work = vk::SubmitInfo::default().command_buffers(&all);
        // SAFETY: by the function's own contract.
        unsafe {
            let fence = call("vkCreateFence", self.device.create_fence(&vk::FenceCreateInfo::default(), None))?;
            call("vkQueueSubmit", self.device.queue_submit(self.queue, &[work], fence))?;
            match self.device.wait_for_fences(&[fence], true, PATIENCE * 1_000_000_000) {
                Err(vk::Result::TIMEOUT) => {
                    self.stuck = true;
                    Err(VulkanError::Endless(PATIENCE))
                }
                ended => {
                    self.device.destroy_fence(fence, None);
                    call("vkWaitForFences", ended)
                }
            }
        }
    }

    /// Frees a program.
    pub fn destroy_program(&self, program: Program) {
        if self.stuck {
            return;
        }
        // SAFETY: the objects are this device's, nothing runs, and nobody has them any more.
        unsafe {
            program.pipelines.iter().for_each(|pipeline| self.device.destroy_pipeline(*pipeline, None));
            self.device.destroy_pipeline_layout(program.layout, None);
            self.device.destroy_descriptor_set_layout(program.sets, None);
            self.device.destroy_shader_module(program.module, None);
        }
    }

    /// Frees memory.
    pub fn destroy_buffer(&self, buffer: Buffer) {
        if self.stuck {
            return;
        }
        // SAFETY: the objects are this device's, nothing runs, and nobody has them any more.
        unsafe {
            self.device.destroy_buffer(buffer.buffer, None);
            self.device.free_memory(buffer.memory, None);
        }
    }
}

impl Buffer {
    /// What is in it.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: so many bytes are mapped as long as the buffer lives, and nothing that is submitted runs any more.
        unsafe { std::slice::from_raw_parts(self.mapped, self.bytes) }
    }

    /// To change it.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and nobody else has a reference.
        unsafe { std::slice::from_raw_parts_mut(self.mapped, self.bytes) }
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        if self.stuck {
            return;
        }
        // SAFETY: nothing runs; what is not freed is the caller's leak, which Vulkan's software and hardware drivers bear.
        unsafe {
            self.device.destroy_command_pool(self.pool, None);
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

fn descriptor(binding: Binding) -> vk::DescriptorType {
    match binding {
        Binding::Storage => vk::DescriptorType::STORAGE_BUFFER,
        Binding::Uniform => vk::DescriptorType::UNIFORM_BUFFER,
    }
}

/// A device before its instance is moved to it.
struct Found {
    name: String,
    device: ash::Device,
    queue: vk::Queue,
    pool: vk::CommandPool,
    memory: vk::PhysicalDeviceMemoryProperties,
    features: vk::PhysicalDeviceFeatures,
    atomics_64: bool,
}

impl Found {
    fn opened(self, entry: ash::Entry, instance: ash::Instance) -> Gpu {
        let Found { name, device, queue, pool, memory, features, atomics_64 } = self;
        Gpu { name, _entry: entry, instance, device, queue, pool, memory, features, atomics_64, stuck: false }
    }
}

/// # Safety
/// The instance is alive, and outlives what is made.
unsafe fn device(instance: &ash::Instance, number: usize) -> Result<Found> {
    // SAFETY: by the function's own contract; the structures are valid, and features are requested only where they are.
    unsafe {
        let all = call("vkEnumeratePhysicalDevices", instance.enumerate_physical_devices())?;
        let Some(&physical) = all.get(number) else {
            return match all.len() {
                0 => Err(VulkanError::Missing("there is no device".to_owned())),
                count => Err(VulkanError::Device { got: number, count }),
            };
        };
        let properties = instance.get_physical_device_properties(physical);
        let name = properties.device_name_as_c_str().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_else(|_| format!("device {number}"));
        let mut newer = vk::PhysicalDeviceVulkan12Features::default();
        let mut features = vk::PhysicalDeviceFeatures2::default().push_next(&mut newer);
        instance.get_physical_device_features2(physical, &mut features);
        let features = features.features;
        let atomics_64 = newer.shader_buffer_int64_atomics == vk::TRUE;
        let families = instance.get_physical_device_queue_family_properties(physical);
        let computes = |family: &vk::QueueFamilyProperties| family.queue_flags.contains(vk::QueueFlags::COMPUTE);
        let Some(family) = families.iter().position(computes) else {
            return Err(VulkanError::Missing(format!("{name} runs no kernels")));
        };
        let wanted = vk::PhysicalDeviceFeatures::default()
            .shader_int64(features.shader_int64 == vk::TRUE)
            .shader_float64(features.shader_float64 == vk::TRUE);
        let mut newer = vk::PhysicalDeviceVulkan12Features::default().shader_buffer_int64_atomics(atomics_64);
        let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family as u32).queue_priorities(&[1.0])];
        let info =
            vk::DeviceCreateInfo::default().queue_create_infos(&queues).enabled_features(&wanted).push_next(&mut newer);
        let device = call("vkCreateDevice", instance.create_device(physical, &info, None))?;
        let pool = vk::CommandPoolCreateInfo::default().queue_family_index(family as u32);
        let pool = call("vkCreateCommandPool", device.create_command_pool(&pool, None))?;
        let queue = device.get_device_queue(family as u32, 0);
        let memory = instance.get_physical_device_memory_properties(physical);
        Ok(Found { name, device, queue, pool, memory, features, atomics_64 })
    }
}
