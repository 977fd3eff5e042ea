//! A GPU, and its clock.

use std::sync::Arc;

use cudarc::driver::sys::{self, CUdevice_attribute_enum as Attribute, CUevent_flags_enum as EventFlags};
use cudarc::driver::{CudaContext, CudaEvent, CudaStream};

use super::CudaError;

/// The oldest supported driver, in the driver's own encoding of versions.
const DRIVER: i32 = 12000;

/// A GPU with one stream, on which everything is executed in order.
#[derive(Debug, Clone)]
pub struct Gpu {
    pub(super) context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    driver: i32,
}

/// The properties of a GPU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chip {
    /// The vendor's name.
    pub name: String,
    /// The compute capability: (9, 0) for sm_90.
    pub capability: (i32, i32),
    /// The number of SMs.
    pub sm_count: i32,
    /// The newest CUDA version that the driver supports, such as (13, 0).
    pub driver: (i32, i32),
}

impl Gpu {
    /// Loads the driver and takes a GPU, counted from 0.
    pub fn open(ordinal: usize) -> Result<Self, CudaError> {
        // SAFETY: only checks whether the library can be loaded.
        if !unsafe { sys::is_culib_present() } {
            return Err(CudaError::NoDriver);
        }
        let mut driver = 0;
        // SAFETY: the library is loaded, and has had this function since its first version; the pointer is valid.
        unsafe { sys::cuDriverGetVersion(&mut driver) }.result().map_err(CudaError::during("querying its version"))?;
        if driver < DRIVER {
            return Err(CudaError::OldDriver { got: driver, expected: DRIVER });
        }
        cudarc::driver::result::init().map_err(CudaError::during("starting the CUDA driver"))?;
        let count = CudaContext::device_count().map_err(CudaError::during("counting devices"))?;
        if usize::try_from(count).is_ok_and(|count| ordinal >= count) {
            return Err(CudaError::NoDevice { got: ordinal, count });
        }
        let context = CudaContext::new(ordinal).map_err(CudaError::during("taking the device"))?;
        let stream = context.default_stream();
        Ok(Self { context, stream, driver })
    }

    /// The properties of the GPU.
    pub fn chip(&self) -> Result<Chip, CudaError> {
        let during = CudaError::during("querying the device");
        Ok(Chip {
            name: self.context.name().map_err(&during)?,
            capability: self.context.compute_capability().map_err(&during)?,
            sm_count: self.context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT).map_err(&during)?,
            driver: (self.driver / 1000, self.driver % 1000 / 10),
        })
    }

    /// Waits until everything issued so far has completed; returns an error that occurred in the meantime.
    pub fn wait(&self) -> Result<(), CudaError> {
        self.stream.synchronize().map_err(CudaError::during("running on the device"))
    }

    /// The device time, in milliseconds, of the work that `work` starts. Waits until it has completed.
    pub fn time(&self, work: impl FnOnce() -> Result<(), CudaError>) -> Result<f32, CudaError> {
        let (start, end) = (self.event()?, self.event()?);
        start.record(&self.stream).map_err(CudaError::during("recording an event"))?;
        work()?;
        end.record(&self.stream).map_err(CudaError::during("recording an event"))?;
        self.wait()?;
        start.elapsed_ms(&end).map_err(CudaError::during("reading events"))
    }

    fn event(&self) -> Result<CudaEvent, CudaError> {
        let flags = Some(EventFlags::CU_EVENT_DEFAULT);
        self.context.new_event(flags).map_err(CudaError::during("making an event"))
    }

    /// Makes the device current for this thread's driver calls.
    pub fn make_current(&self) -> Result<(), CudaError> {
        self.enter().map(drop)
    }

    /// The same, and returns its stream.
    pub(super) fn enter(&self) -> Result<sys::CUstream, CudaError> {
        self.context.bind_to_thread().map_err(CudaError::during("switching to the device"))?;
        Ok(self.stream.cu_stream())
    }
}
