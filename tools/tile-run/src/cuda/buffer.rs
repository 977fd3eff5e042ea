//! Device memory.

use std::ffi::c_void;

use cudarc::driver::sys;

use super::{CudaError, Gpu};

/// Bytes in the memory of a GPU, aligned to at least 256; freed on drop.
#[derive(Debug)]
pub struct Buffer {
    pub(super) gpu: Gpu,
    address: sys::CUdeviceptr,
    bytes: usize,
}

impl Gpu {
    /// Allocates bytes with unspecified contents.
    pub fn alloc(&self, bytes: usize) -> Result<Buffer, CudaError> {
        self.enter()?;
        let mut address = 0;
        // SAFETY: a context is current, and the pointer is valid.
        let result = unsafe { sys::cuMemAlloc_v2(&mut address, bytes.max(1)) };
        result.result().map_err(CudaError::during("allocating device memory"))?;
        Ok(Buffer { gpu: self.clone(), address, bytes })
    }

    /// Starts copying one buffer over another of the same size, as `cudaMemcpyAsync` does.
    pub fn copy(&self, to: &mut Buffer, from: &Buffer) -> Result<(), CudaError> {
        let bytes = same_size(to.bytes, from.bytes)?;
        let stream = self.enter()?;
        // SAFETY: both are live allocations of this many bytes, and the stream is this context's.
        let result = unsafe { sys::cuMemcpyDtoDAsync_v2(to.address, from.address, bytes, stream) };
        result.result().map_err(CudaError::during("copying on the device"))
    }
}

/// Checks that `bytes` bytes starting at `offset` lie in a buffer of `buffer` bytes.
fn inside(buffer: usize, offset: usize, bytes: usize) -> Result<(), CudaError> {
    let message = || format!("got {bytes} bytes at offset {offset}, expected no more than the {buffer} of the buffer");
    if offset.checked_add(bytes).is_some_and(|end| end <= buffer) {
        Ok(())
    } else {
        Err(CudaError::Driver { what: "copying", message: message() })
    }
}

fn same_size(to: usize, from: usize) -> Result<usize, CudaError> {
    let message = || format!("got {from} bytes to copy to {to} bytes, expected the same number");
    if to == from { Ok(to) } else { Err(CudaError::Driver { what: "copying", message: message() }) }
}

impl Buffer {
    /// The address on the device.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Sets every byte.
    pub fn fill(&mut self, byte: u8) -> Result<(), CudaError> {
        self.gpu.enter()?;
        // SAFETY: the allocation is live and has this many bytes.
        let result = unsafe { sys::cuMemsetD8_v2(self.address, byte, self.bytes) };
        result.result().map_err(CudaError::during("filling device memory"))
    }

    /// Copies the whole buffer from the host.
    pub fn upload(&mut self, from: &[u8]) -> Result<(), CudaError> {
        same_size(self.bytes, from.len())?;
        self.upload_at(0, from)
    }

    /// Copies from the host into a part of the buffer, `offset` bytes from its start.
    pub fn upload_at(&mut self, offset: usize, from: &[u8]) -> Result<(), CudaError> {
        inside(self.bytes, offset, from.len())?;
        self.gpu.enter()?;
        let to = self.address + offset as u64;
        // SAFETY: both sides have this many bytes; the call returns when the host's are read.
        let result = unsafe { sys::cuMemcpyHtoD_v2(to, from.as_ptr().cast::<c_void>(), from.len()) };
        result.result().map_err(CudaError::during("copying to the device"))
    }

    /// Waits for the device, then copies the whole buffer to the host.
    pub fn download(&self, to: &mut [u8]) -> Result<(), CudaError> {
        same_size(to.len(), self.bytes)?;
        self.download_at(0, to)
    }

    /// Waits for the device, then copies a part of the buffer, starting at `offset`, to the host.
    pub fn download_at(&self, offset: usize, to: &mut [u8]) -> Result<(), CudaError> {
        inside(self.bytes, offset, to.len())?;
        self.gpu.wait()?;
        self.gpu.enter()?;
        let from = self.address + offset as u64;
        // SAFETY: both sides have this many bytes; the call returns when the host's are written.
        let result = unsafe { sys::cuMemcpyDtoH_v2(to.as_mut_ptr().cast::<c_void>(), from, to.len()) };
        result.result().map_err(CudaError::during("copying from the device"))
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if self.gpu.enter().is_ok() {
            // SAFETY: the allocation is live and this context's. An error cannot be reported from here.
            let _ = unsafe { sys::cuMemFree_v2(self.address) };
        }
    }
}
