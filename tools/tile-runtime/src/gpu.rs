//! An NVIDIA GPU as a device, through the CUDA driver.

use std::ffi::c_void;

use cudarc::driver::sys;
use ptx_sim::{Interface, Launch, TENSOR_MAP_BYTES, TensorMap, TiledMap};
use tile_run::cuda::{CudaError, Gpu, Module};

use crate::device::{Device, Failure, Table};
use crate::settings::Settings;

/// The first GPU, with everything on one stream.
pub(crate) struct Cuda {
    gpu: Gpu,
    modules: Table<Module>,
    report: bool,
}

// SAFETY: handles of the driver may be used on any thread; each call makes the context current on its thread.
unsafe impl Send for Cuda {}

impl Cuda {
    pub fn new(settings: &Settings) -> Result<Self, Failure> {
        Ok(Cuda { gpu: Gpu::open(0)?, modules: Table::new(), report: settings.report })
    }

    /// Calls the driver, with the context current.
    fn call(&self, what: &'static str, call: impl FnOnce() -> sys::CUresult) -> Result<(), Failure> {
        self.gpu.make_current()?;
        call().result().map_err(|error| CudaError::Driver { what, message: error.to_string() }.into())
    }
}

/// A pattern in the lowest bytes of a word.
fn word(bytes: &[u8]) -> Option<u64> {
    let mut word = [0; 8];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(u64::from_le_bytes(word))
}

impl Device for Cuda {
    fn load(&mut self, ptx: &str) -> Result<usize, Failure> {
        Ok(self.modules.add(self.gpu.load(ptx)?))
    }

    fn unload(&mut self, module: usize) -> Result<(), Failure> {
        self.wait()?;
        self.modules.remove(module)
    }

    fn kernel(&mut self, module: usize, name: &str) -> Result<usize, Failure> {
        self.modules.module(module)?.kernel(name)?;
        Ok(self.modules.number(module, name))
    }

    fn interface(&self, kernel: usize) -> Result<&Interface, Failure> {
        let (module, name) = self.modules.kernel(kernel)?;
        Ok(module.kernel(name)?.interface)
    }

    fn launch(&mut self, kernel: usize, launch: &Launch, arguments: &[Vec<u8>]) -> Result<(), Failure> {
        let (module, name) = self.modules.kernel(kernel)?;
        if self.report {
            eprintln!("{name}: {} blocks of {} threads, on the GPU", launch.grid, launch.block);
        }
        Ok(module.kernel(name)?.launch_values(launch, arguments)?)
    }

    fn encode(&mut self, map: TiledMap) -> Result<[u8; TENSOR_MAP_BYTES], Failure> {
        let map = TensorMap::tiled(map).map_err(|error| Failure::TensorMap(error.to_string()))?;
        Ok(self.gpu.encode(&map)?)
    }

    fn alloc(&mut self, bytes: usize, shared: bool) -> Result<u64, Failure> {
        let mut address = 0;
        let bytes = bytes.max(1);
        // SAFETY: the pointer is valid.
        self.call("allocating device memory", || unsafe {
            match shared {
                false => sys::cuMemAlloc_v2(&mut address, bytes),
                true => sys::cuMemAllocManaged(
                    &mut address,
                    bytes,
                    sys::CUmemAttach_flags_enum::CU_MEM_ATTACH_GLOBAL as u32,
                ),
            }
        })?;
        Ok(address)
    }

    fn free(&mut self, address: u64) -> Result<(), Failure> {
        self.wait()?;
        // SAFETY: the driver knows its allocations, and rejects other addresses.
        self.call("freeing device memory", || unsafe { sys::cuMemFree_v2(address) })
    }

    unsafe fn copy(&mut self, to: u64, from: u64, bytes: usize) -> Result<(), Failure> {
        // Pageable memory of the host is copied immediately, so everything running must have completed.
        self.wait()?;
        // SAFETY: the caller's; the driver distinguishes addresses of the device and of the host.
        self.call("copying", || unsafe { sys::cuMemcpy(to, from, bytes) })
    }

    unsafe fn fill(&mut self, to: u64, pattern: &[u8], count: usize) -> Result<(), Failure> {
        self.wait()?;
        let value = word(pattern).unwrap_or_default();
        // SAFETY: the caller's.
        self.call("filling", || unsafe {
            match pattern.len() {
                4 => sys::cuMemsetD32_v2(to, value as u32, count),
                2 => sys::cuMemsetD16_v2(to, value as u16, count),
                _ => sys::cuMemsetD8_v2(to, value as u8, count),
            }
        })
    }

    unsafe fn register(&mut self, address: u64, bytes: usize) -> Result<(), Failure> {
        let place: *mut c_void = std::ptr::with_exposed_provenance_mut(address as usize);
        // SAFETY: the caller's.
        self.call("registering memory of the host", || unsafe { sys::cuMemHostRegister_v2(place, bytes, 0) })
    }

    fn unregister(&mut self, address: u64) -> Result<(), Failure> {
        self.wait()?;
        let place: *mut c_void = std::ptr::with_exposed_provenance_mut(address as usize);
        // SAFETY: the driver knows the registered addresses, and rejects others.
        self.call("unregistering memory of the host", || unsafe { sys::cuMemHostUnregister(place) })
    }

    fn wait(&mut self) -> Result<(), Failure> {
        Ok(self.gpu.wait()?)
    }
}
