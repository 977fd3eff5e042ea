//! Modules and kernels on a GPU.

use std::ffi::{CString, c_void};
use std::mem::MaybeUninit;
use std::ptr;

use cudarc::driver::sys::{self, CUfunction_attribute_enum as Attribute, CUjit_option_enum as Jit};

use super::{CudaError, Gpu};
use ptx_sim::Launch;
use ptx_sim::{Interface, Param, interfaces};

/// A PTX module, assembled for a GPU by its driver; unloaded on drop.
#[derive(Debug)]
pub struct Module {
    gpu: Gpu,
    module: sys::CUmodule,
    kernels: Vec<Interface>,
}

/// A kernel of a module.
#[derive(Debug)]
pub struct Kernel<'a> {
    module: &'a Module,
    function: sys::CUfunction,
    /// What it takes, and needs of its launch.
    pub interface: &'a Interface,
}

/// The resources of an assembled kernel, as reported by the driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resources {
    /// Registers of a thread.
    pub registers: i32,
    /// Bytes of local memory of a thread: spilled registers and arrays.
    pub local: i32,
    /// Bytes of static shared memory of a block.
    pub shared: i32,
    /// Blocks that fit on an SM.
    pub resident: i32,
}

/// The size of the buffer for the driver's messages about PTX that it rejects.
const LOG: usize = 1 << 14;

impl Gpu {
    /// Has the driver assemble a PTX text.
    pub fn load(&self, ptx: &str) -> Result<Module, CudaError> {
        let kernels = interfaces(ptx).map_err(|e| CudaError::Kernel(e.to_string()))?;
        let text = CString::new(ptx).map_err(|_| CudaError::Ptx("got a text with a zero byte".into()))?;
        self.enter()?;
        let mut log = vec![0u8; LOG];
        let mut options = [Jit::CU_JIT_ERROR_LOG_BUFFER, Jit::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), ptr::without_provenance_mut(LOG)];
        let mut module = MaybeUninit::uninit();
        // SAFETY: the text ends in a zero byte; options and values have two entries each, the buffer its stated size.
        let result = unsafe {
            sys::cuModuleLoadDataEx(
                module.as_mut_ptr(),
                text.as_ptr().cast(),
                options.len() as u32,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        let error = CudaError::during("assembling the PTX");
        result.result().map_err(|e| refusal(&log).unwrap_or_else(|| error(e)))?;
        // SAFETY: written, as the call succeeded.
        Ok(Module { gpu: self.clone(), module: unsafe { module.assume_init() }, kernels })
    }
}

/// The driver's message in the log, if any.
fn refusal(log: &[u8]) -> Option<CudaError> {
    let end = log.iter().position(|&b| b == 0).unwrap_or(log.len());
    let text = String::from_utf8_lossy(&log[..end]);
    (!text.trim().is_empty()).then(|| CudaError::Ptx(text.trim().into()))
}

impl Module {
    /// The kernel with the given name.
    pub fn kernel(&self, name: &str) -> Result<Kernel<'_>, CudaError> {
        let missing = || CudaError::Kernel(format!("the PTX has no kernel `{name}`"));
        let interface = self.kernels.iter().find(|k| k.name == name).ok_or_else(missing)?;
        let name = CString::new(name).map_err(|_| missing())?;
        self.gpu.enter()?;
        let mut function = MaybeUninit::uninit();
        // SAFETY: the module is loaded, and the name ends in a zero byte.
        let result = unsafe { sys::cuModuleGetFunction(function.as_mut_ptr(), self.module, name.as_ptr()) };
        result.result().map_err(CudaError::during("looking for the kernel"))?;
        // SAFETY: written, as the call succeeded.
        Ok(Kernel { module: self, function: unsafe { function.assume_init() }, interface })
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if self.gpu.enter().is_ok() {
            // SAFETY: the module is loaded, and no kernel of it outlives it. An error cannot be reported from here.
            let _ = unsafe { sys::cuModuleUnload(self.module) };
        }
    }
}

impl Kernel<'_> {
    /// Registers, memory, and the number of blocks of `threads` threads that fit on an SM.
    pub fn resources(&self, threads: u32) -> Result<Resources, CudaError> {
        self.module.gpu.enter()?;
        let mut resident = 0;
        let threads = i32::try_from(threads).unwrap_or(i32::MAX);
        // SAFETY: the function is loaded, and the pointer is valid.
        let result =
            unsafe { sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(&mut resident, self.function, threads, 0) };
        result.result().map_err(CudaError::during("querying the occupancy"))?;
        Ok(Resources {
            registers: self.attribute(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            local: self.attribute(Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
            shared: self.attribute(Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?,
            resident,
        })
    }

    fn attribute(&self, attribute: sys::CUfunction_attribute) -> Result<i32, CudaError> {
        let mut value = 0;
        // SAFETY: the function is loaded, and the pointer is valid.
        let result = unsafe { sys::cuFuncGetAttribute(&mut value, attribute, self.function) };
        result.result().map_err(CudaError::during("querying the kernel"))?;
        Ok(value)
    }

    /// Starts the kernel with one word for each parameter; a narrower parameter takes the word's lowest bytes.
    ///
    /// The kernel may access device memory without restriction; it cannot access the host's memory.
    pub fn launch(&self, launch: &Launch, words: &[u64]) -> Result<(), CudaError> {
        let values: Vec<Vec<u8>> = words.iter().map(|word| word.to_ne_bytes().into()).collect();
        self.launch_values(launch, &values)
    }

    /// The same, with the bytes of each parameter; a narrower parameter takes the first ones.
    pub fn launch_values(&self, launch: &Launch, values: &[Vec<u8>]) -> Result<(), CudaError> {
        let params = &self.interface.params;
        let short = |(param, value): (&Param, &Vec<u8>)| param.size > value.len() as u64;
        if params.len() != values.len() || params.iter().zip(values).any(short) {
            let message = format!("got {} values, expected one for each parameter of {}", values.len(), self.interface);
            return Err(CudaError::Kernel(message));
        }
        let mismatch = |mismatch| CudaError::Launch { kernel: self.interface.name.clone(), mismatch };
        self.interface.needs.check(launch).map_err(mismatch)?;
        let stream = self.module.gpu.enter()?;
        self.allow_shared(launch.dynamic_shared)?;
        let mut values = values.to_vec();
        let mut places: Vec<*mut c_void> = values.iter_mut().map(|value| value.as_mut_ptr().cast()).collect();
        let mut attributes: Vec<_> = launch.cluster.map(|c| cluster(c.0)).into_iter().collect();
        let [x, y, z] = launch.grid.0;
        let [tx, ty, tz] = launch.block.0;
        let config = sys::CUlaunchConfig {
            gridDimX: x,
            gridDimY: y,
            gridDimZ: z,
            blockDimX: tx,
            blockDimY: ty,
            blockDimZ: tz,
            sharedMemBytes: launch.dynamic_shared,
            hStream: stream,
            attrs: attributes.as_mut_ptr(),
            numAttrs: attributes.len() as u32,
        };
        // SAFETY: the driver reads as many values as the kernel has parameters, each with at least the parameter's bytes,
        // before it returns; the interface comes from the same PTX as the function.
        let result = unsafe { sys::cuLaunchKernelEx(&config, self.function, places.as_mut_ptr(), ptr::null_mut()) };
        result.result().map_err(CudaError::during("launching the kernel"))
    }

    /// Requests dynamic shared memory, which is necessary above 48 KiB.
    fn allow_shared(&self, bytes: u32) -> Result<(), CudaError> {
        let attribute = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let bytes = i32::try_from(bytes).unwrap_or(i32::MAX);
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the function is loaded.
        let result = unsafe { sys::cuFuncSetAttribute(self.function, attribute, bytes) };
        result.result().map_err(CudaError::during("requesting dynamic shared memory"))
    }
}

fn cluster([x, y, z]: [u32; 3]) -> sys::CUlaunchAttribute {
    // SAFETY: all zeros is a valid value of this structure of integers.
    let mut attribute: sys::CUlaunchAttribute = unsafe { std::mem::zeroed() };
    attribute.id = sys::CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim.x = x;
    attribute.value.clusterDim.y = y;
    attribute.value.clusterDim.z = z;
    attribute
}
