//! Kernels and their bindings.

use std::ffi::CString;
use std::rc::Rc;

use ash::vk;

use crate::vulkan::{Binding, Module, VulkanError};

use super::{Buffer, Gpu, Result, call};

/// Kernels that share their bindings.
pub struct Program {
    module: vk::ShaderModule,
    sets: vk::DescriptorSetLayout,
    pub(super) layout: vk::PipelineLayout,
    pub(super) pipelines: Vec<vk::Pipeline>,
    pub(super) bindings: Vec<Binding>,
}

impl Gpu {
    /// The kernels of a module, which are compiled once: drivers take longer for that than small kernels run.
    ///
    /// # Errors
    /// A feature that the device lacks, or a module that the driver rejects.
    pub fn program(&mut self, module: &Module) -> Result<Rc<Program>> {
        if let Some(program) = self.programs.get(&module.words) {
            return Ok(Rc::clone(program));
        }
        let program = Rc::new(self.load(module)?);
        self.programs.insert(module.words.clone(), Rc::clone(&program));
        Ok(program)
    }

    fn load(&self, module: &Module) -> Result<Program> {
        self.features.check(module, &self.name)?;
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
        // SAFETY: the device is alive and has what the module declares; the device's end destroys all that is
        // made here.
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
                let pipeline = self.pipeline(&program, &entry.name, module.subgroup)?;
                program.pipelines.push(pipeline);
            }
            Ok(program)
        }
    }

    /// # Safety
    /// The objects are this device's, and alive; it supports subgroups of the given size.
    unsafe fn pipeline(&self, program: &Program, name: &str, subgroup: Option<u32>) -> Result<vk::Pipeline> {
        let name = CString::new(name).map_err(|error| VulkanError::Module(error.to_string()))?;
        let mut stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(program.module)
            .name(&name);
        let mut size = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default();
        if let Some(lanes) = subgroup {
            size.required_subgroup_size = lanes;
            stage = stage.flags(vk::PipelineShaderStageCreateFlags::REQUIRE_FULL_SUBGROUPS).push_next(&mut size);
        }
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(program.layout);
        // SAFETY: by the function's own contract.
        let made = unsafe { self.device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) };
        Ok(call("vkCreateComputePipelines", made.map_err(|(_, error)| error))?[0])
    }

    /// # Safety
    /// The objects are this device's, and alive.
    pub(super) unsafe fn bind(
        &self,
        program: &Program,
        buffers: &[&Buffer],
    ) -> Result<(vk::DescriptorPool, vk::DescriptorSet)> {
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
                let whole = [vk::DescriptorBufferInfo::default().buffer(buffer.handle).range(vk::WHOLE_SIZE)];
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
    /// The objects are this device's, nothing runs, and no reference to them is used any more.
    pub(super) unsafe fn destroy_program(&self, program: &Program) {
        // SAFETY: by the function's own contract.
        unsafe {
            program.pipelines.iter().for_each(|&pipeline| self.device.destroy_pipeline(pipeline, None));
            self.device.destroy_pipeline_layout(program.layout, None);
            self.device.destroy_descriptor_set_layout(program.sets, None);
            self.device.destroy_shader_module(program.module, None);
        }
    }
}

fn descriptor(binding: Binding) -> vk::DescriptorType {
    match binding {
        Binding::Storage => vk::DescriptorType::STORAGE_BUFFER,
        Binding::Uniform => vk::DescriptorType::UNIFORM_BUFFER,
    }
}
