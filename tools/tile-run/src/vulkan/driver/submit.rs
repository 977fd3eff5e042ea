//! Commands, executed and timed by the device's clock.

use std::time::Instant;

use ash::vk;

use crate::vulkan::VulkanError;

use super::{Buffer, Gpu, Program, Result, call};

/// The seconds after which kernels are treated as endless.
const PATIENCE: u64 = 100;

/// The barrier that makes the writes of commands visible to later commands and to the host.
fn written() -> vk::MemoryBarrier<'static> {
    let (reads, writes) = (vk::AccessFlags::MEMORY_READ, vk::AccessFlags::MEMORY_WRITE);
    vk::MemoryBarrier::default().src_access_mask(writes).dst_access_mask(reads | writes | vk::AccessFlags::HOST_READ)
}

impl Gpu {
    /// Launches all kernels of a program with `blocks` blocks in x and y, each after the one before has ended, and
    /// waits. Returns the seconds that they took by the device's clock; if it has none, by the host's clock, including
    /// all overhead.
    ///
    /// # Errors
    /// Fewer buffers than bindings, one that is too long, an error of the driver, or kernels that do not end.
    pub fn run(&mut self, program: &Program, buffers: &[&Buffer], blocks: [u32; 2]) -> Result<f64> {
        if buffers.len() != program.bindings.len() {
            let (got, expected) = (buffers.len(), program.bindings.len());
            return Err(VulkanError::Arguments(format!("got {got} bindings, expected {expected}")));
        }
        let too_long = buffers.iter().position(|buffer| buffer.bytes() > self.most_bytes());
        if let Some(binding) = too_long {
            let (got, allowed, device) = (buffers[binding].bytes(), self.most_bytes(), self.name.clone());
            return Err(VulkanError::Range { binding, got, allowed, device });
        }
        // SAFETY: all objects are this device's and alive until the fence signals that nothing uses them any more; if
        // it does not signal, they are leaked.
        unsafe {
            let (pool, set) = self.bind(program, buffers)?;
            let ended = self.execute(|device, commands| {
                let point = vk::PipelineBindPoint::COMPUTE;
                device.cmd_bind_descriptor_sets(commands, point, program.layout, 0, &[set], &[]);
                for (index, pipeline) in program.pipelines.iter().enumerate() {
                    if index > 0 {
                        let (stage, none) = (vk::PipelineStageFlags::COMPUTE_SHADER, vk::DependencyFlags::empty());
                        device.cmd_pipeline_barrier(commands, stage, stage, none, &[written()], &[], &[]);
                    }
                    device.cmd_bind_pipeline(commands, point, *pipeline);
                    device.cmd_dispatch(commands, blocks[0], blocks[1], 1);
                }
            });
            if !self.stuck {
                self.device.destroy_descriptor_pool(pool, None);
            }
            ended
        }
    }

    /// Copies the first bytes of a buffer to another one with the driver's copy; returns the seconds that it took.
    ///
    /// # Errors
    /// More bytes than either buffer has, or an error of the driver.
    pub fn copy(&mut self, from: &Buffer, to: &Buffer, bytes: usize) -> Result<f64> {
        let room = from.bytes().min(to.bytes());
        if bytes > room {
            return Err(VulkanError::Arguments(format!("got {bytes} bytes to copy, expected at most {room}")));
        }
        self.copy_at((from, 0), (to, 0), bytes)
    }

    /// The same between offsets, which the caller has checked against the buffers' sizes.
    pub(super) fn copy_at(&mut self, from: (&Buffer, usize), to: (&Buffer, usize), bytes: usize) -> Result<f64> {
        if bytes == 0 {
            return Ok(0.0);
        }
        let region = vk::BufferCopy::default().src_offset(from.1 as u64).dst_offset(to.1 as u64).size(bytes as u64);
        // SAFETY: the buffers are this device's, and alive until this returns.
        unsafe {
            self.execute(|device, commands| device.cmd_copy_buffer(commands, from.0.handle, to.0.handle, &[region]))
        }
    }

    /// Fills a buffer with zeros.
    pub(super) fn fill(&mut self, buffer: &Buffer) -> Result<()> {
        // SAFETY: the buffer is this device's, and alive until this returns.
        let filled = unsafe {
            self.execute(|device, commands| device.cmd_fill_buffer(commands, buffer.handle, 0, vk::WHOLE_SIZE, 0))
        };
        filled.map(|_| ())
    }

    /// # Safety
    /// The objects that the commands use are this device's, and alive until nothing runs any more.
    unsafe fn execute(&mut self, record: impl FnOnce(&ash::Device, vk::CommandBuffer)) -> Result<f64> {
        let info = vk::CommandBufferAllocateInfo::default().command_pool(self.pool).command_buffer_count(1);
        let begin = vk::CommandBufferBeginInfo::default();
        let device = &self.device;
        let has_clock = self.features.tick.is_some();
        let (top, bottom) = (vk::PipelineStageFlags::TOP_OF_PIPE, vk::PipelineStageFlags::BOTTOM_OF_PIPE);
        let (all, host) = (vk::PipelineStageFlags::ALL_COMMANDS, vk::PipelineStageFlags::HOST);
        // SAFETY: by the function's own contract.
        unsafe {
            let commands = call("vkAllocateCommandBuffers", device.allocate_command_buffers(&info))?[0];
            call("vkBeginCommandBuffer", device.begin_command_buffer(commands, &begin))?;
            if has_clock {
                device.cmd_reset_query_pool(commands, self.clock, 0, 2);
                device.cmd_write_timestamp(commands, top, self.clock, 0);
            }
            record(device, commands);
            if has_clock {
                device.cmd_write_timestamp(commands, bottom, self.clock, 1);
            }
            let none = vk::DependencyFlags::empty();
            device.cmd_pipeline_barrier(commands, all, all | host, none, &[written()], &[], &[]);
            call("vkEndCommandBuffer", device.end_command_buffer(commands))?;
            let ended = self.submit(commands);
            if !self.stuck {
                self.device.free_command_buffers(self.pool, &[commands]);
            }
            ended
        }
    }

    /// # Safety
    /// The commands are recorded, and the objects that they use are alive.
    unsafe fn submit(&mut self, commands: vk::CommandBuffer) -> Result<f64> {
        let all = [commands];
        let work = vk::SubmitInfo::default().command_buffers(&all);
        // SAFETY: by the function's own contract.
        unsafe {
            let fence = call("vkCreateFence", self.device.create_fence(&vk::FenceCreateInfo::default(), None))?;
            let start = Instant::now();
            call("vkQueueSubmit", self.device.queue_submit(self.queue, &[work], fence))?;
            let ended = self.device.wait_for_fences(&[fence], true, PATIENCE * 1_000_000_000);
            let waited = start.elapsed().as_secs_f64();
            if ended == Err(vk::Result::TIMEOUT) {
                self.stuck = true;
                return Err(VulkanError::Endless(PATIENCE));
            }
            self.device.destroy_fence(fence, None);
            call("vkWaitForFences", ended)?;
            self.clocked().map(|seconds| seconds.unwrap_or(waited))
        }
    }

    /// The seconds between the two timestamps; `None` without a clock.
    fn clocked(&self) -> Result<Option<f64>> {
        let Some((nanoseconds, bits)) = self.features.tick else { return Ok(None) };
        let mut ticks = [0u64; 2];
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
        // SAFETY: the pool is this device's, and commands that have ended have written both timestamps.
        let got = unsafe { self.device.get_query_pool_results(self.clock, 0, &mut ticks, flags) };
        call("vkGetQueryPoolResults", got)?;
        Ok(Some((ticks[1].wrapping_sub(ticks[0]) & bits) as f64 * nanoseconds * 1e-9))
    }
}
