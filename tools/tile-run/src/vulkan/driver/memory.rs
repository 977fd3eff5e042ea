//! Buffers in the device's memory, and transfers to and from them.

use ash::vk;

use crate::vulkan::VulkanError;

use super::{Gpu, Result, call};

/// The bytes that the staging buffer transfers at a time.
const PIECE: usize = 16 << 20;

/// The properties of memory that the host can access directly.
const SHARED: vk::MemoryPropertyFlags = vk::MemoryPropertyFlags::from_raw(
    vk::MemoryPropertyFlags::HOST_VISIBLE.as_raw() | vk::MemoryPropertyFlags::HOST_COHERENT.as_raw(),
);

/// A buffer in the device's memory.
pub struct Buffer {
    pub(super) handle: vk::Buffer,
    memory: vk::DeviceMemory,
    /// The address at which it is mapped for the host; null if it is not.
    mapped: *mut u8,
    bytes: usize,
}

impl Buffer {
    /// Its length.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Gpu {
    /// Allocates a buffer of `bytes` zero bytes.
    ///
    /// # Errors
    /// Too little memory.
    pub fn buffer(&mut self, bytes: usize) -> Result<Buffer> {
        // The device's local memory, mapped if the host reads it at full speed, which means that device and host share
        // one memory.
        let local = vk::MemoryPropertyFlags::DEVICE_LOCAL;
        let unified = local | SHARED | vk::MemoryPropertyFlags::HOST_CACHED;
        let buffer = match self.maps.then(|| self.allocate(bytes, unified)) {
            Some(Ok(Some(buffer))) => Some(buffer),
            Some(Err(error)) => return Err(error),
            _ => self.allocate(bytes, local)?,
        };
        let buffer =
            buffer.ok_or(VulkanError::Call { call: "vkAllocateMemory", result: "no memory type fits".to_owned() })?;
        self.fill(&buffer)?;
        Ok(buffer)
    }

    /// Writes bytes, starting at offset `at`.
    ///
    /// # Errors
    /// Bytes beyond the end, or an error of the driver.
    pub fn upload(&mut self, buffer: &mut Buffer, at: usize, bytes: &[u8]) -> Result<()> {
        inside(buffer, at, bytes.len())?;
        if !buffer.mapped.is_null() {
            // SAFETY: these bytes are mapped as long as the buffer lives, and nothing that is submitted runs any more.
            unsafe { buffer.mapped.add(at).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
            return Ok(());
        }
        let staging = self.staging()?;
        let mut result = Ok(());
        for (index, piece) in bytes.chunks(PIECE).enumerate() {
            // SAFETY: as above; a piece is no longer than that buffer.
            unsafe { staging.mapped.copy_from_nonoverlapping(piece.as_ptr(), piece.len()) };
            result = result
                .and_then(|()| self.copy_at((&staging, 0), (&*buffer, at + index * PIECE), piece.len()).map(|_| ()));
        }
        self.staging = Some(staging);
        result
    }

    /// Reads bytes, starting at offset `at`.
    ///
    /// # Errors
    /// Bytes beyond the end, or an error of the driver.
    pub fn download(&mut self, buffer: &Buffer, at: usize, bytes: &mut [u8]) -> Result<()> {
        inside(buffer, at, bytes.len())?;
        if !buffer.mapped.is_null() {
            // SAFETY: these bytes are mapped as long as the buffer lives, and nothing that is submitted runs any more.
            unsafe { buffer.mapped.add(at).copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len()) };
            return Ok(());
        }
        let staging = self.staging()?;
        let mut result = Ok(());
        for (index, piece) in bytes.chunks_mut(PIECE).enumerate() {
            result = result
                .and_then(|()| self.copy_at((buffer, at + index * PIECE), (&staging, 0), piece.len()).map(|_| ()));
            // SAFETY: as above; a piece is no longer than that buffer.
            unsafe { staging.mapped.copy_to_nonoverlapping(piece.as_mut_ptr(), piece.len()) };
        }
        self.staging = Some(staging);
        result
    }

    /// The contents of a buffer.
    ///
    /// # Errors
    /// An error of the driver.
    pub fn contents(&mut self, buffer: &Buffer) -> Result<Vec<u8>> {
        let mut bytes = vec![0; buffer.bytes];
        self.download(buffer, 0, &mut bytes)?;
        Ok(bytes)
    }

    /// Allocates a buffer that holds the given bytes.
    ///
    /// # Errors
    /// Too little memory.
    pub fn holding(&mut self, bytes: &[u8]) -> Result<Buffer> {
        let mut buffer = self.buffer(bytes.len())?;
        self.upload(&mut buffer, 0, bytes)?;
        Ok(buffer)
    }

    /// Frees a buffer.
    pub fn destroy_buffer(&self, buffer: Buffer) {
        if self.stuck {
            return;
        }
        // SAFETY: the objects are this device's, nothing runs, and no reference to them is left.
        unsafe {
            self.device.destroy_buffer(buffer.handle, None);
            self.device.free_memory(buffer.memory, None);
        }
    }

    /// Takes the staging buffer, which the caller puts back into its field after use.
    fn staging(&mut self) -> Result<Buffer> {
        if let Some(staging) = self.staging.take() {
            return Ok(staging);
        }
        // Uncached memory is read slowly, byte by byte, but devices need not have cached memory.
        let cached = self.allocate(PIECE, SHARED | vk::MemoryPropertyFlags::HOST_CACHED)?;
        let made = cached.map_or_else(|| self.allocate(PIECE, SHARED), |buffer| Ok(Some(buffer)))?;
        made.ok_or(VulkanError::Call {
            call: "vkAllocateMemory",
            result: "no host-visible memory type fits".to_owned(),
        })
    }

    /// A buffer in the first memory type with the given properties; `None` if no type has them.
    fn allocate(&self, bytes: usize, wanted: vk::MemoryPropertyFlags) -> Result<Option<Buffer>> {
        // Padded so that the last vector of words is complete.
        let size = bytes.next_multiple_of(16).max(16) as u64;
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER
            | vk::BufferUsageFlags::UNIFORM_BUFFER
            | vk::BufferUsageFlags::TRANSFER_SRC
            | vk::BufferUsageFlags::TRANSFER_DST;
        let info = vk::BufferCreateInfo::default().size(size).usage(usage);
        // SAFETY: the device is alive; the memory is of a type that the buffer supports, bound once, and mapped
        // completely if it is host-visible. If a later call fails, everything made so far is freed; null is ignored.
        unsafe {
            let handle = call("vkCreateBuffer", self.device.create_buffer(&info, None))?;
            let needs = self.device.get_buffer_memory_requirements(handle);
            let mut buffer = Buffer { handle, memory: vk::DeviceMemory::null(), mapped: std::ptr::null_mut(), bytes };
            let Some(index) = self.memory_type(needs.memory_type_bits, wanted) else {
                self.destroy_buffer(buffer);
                return Ok(None);
            };
            let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(index);
            let mut make = || {
                buffer.memory = call("vkAllocateMemory", self.device.allocate_memory(&info, None))?;
                call("vkBindBufferMemory", self.device.bind_buffer_memory(handle, buffer.memory, 0))?;
                if wanted.contains(SHARED) {
                    let (whole, none) = (vk::WHOLE_SIZE, vk::MemoryMapFlags::empty());
                    let mapped = self.device.map_memory(buffer.memory, 0, whole, none);
                    buffer.mapped = call("vkMapMemory", mapped)?.cast();
                }
                Ok(())
            };
            match make() {
                Ok(()) => Ok(Some(buffer)),
                Err(error) => {
                    self.destroy_buffer(buffer);
                    Err(error)
                }
            }
        }
    }

    fn memory_type(&self, allowed: u32, wanted: vk::MemoryPropertyFlags) -> Option<u32> {
        let types = self.memory.memory_types_as_slice();
        let fits = |index: &usize| allowed >> index & 1 == 1 && types[*index].property_flags.contains(wanted);
        (0..types.len()).find(fits).map(|index| index as u32)
    }
}

fn inside(buffer: &Buffer, at: usize, bytes: usize) -> Result<()> {
    if at.checked_add(bytes).is_some_and(|end| end <= buffer.bytes) {
        return Ok(());
    }
    Err(VulkanError::Arguments(format!("got {bytes} bytes at offset {at}, expected them within {}", buffer.bytes)))
}
