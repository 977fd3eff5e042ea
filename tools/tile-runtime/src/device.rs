//! The operations of a device for a host program.

use ptx_sim::{Interface, Launch, MemoryError, TENSOR_MAP_BYTES, TiledMap};
use thiserror::Error;
use tile_run::cuda::CudaError;

/// Why a call of the host failed.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// A setting in the environment is wrong.
    #[error("{0}")]
    Setting(String),
    /// A module is not PTX, or not PTX that the device accepts.
    #[error("cannot load a module: {0}")]
    Module(String),
    /// A handle is not that of a module or kernel.
    #[error("got {what} {got}, which was never returned, or is unloaded")]
    Handle { what: &'static str, got: usize },
    /// The module has no kernel with the name.
    #[error("the module has no kernel '{got}', only {has}")]
    Kernel { got: String, has: String },
    /// The launch does not match the kernel, or the kernel did something wrong.
    #[error("{kernel}: {reason}")]
    Launch { kernel: String, reason: String },
    /// A tensor map that cannot be made.
    #[error("cannot encode a tensor map: {0}")]
    TensorMap(String),
    /// A pointer that cannot be used.
    #[error("{what} of {bytes} bytes: got a null pointer")]
    Null { what: &'static str, bytes: usize },
    /// The simulator's memory reported an error.
    #[error("{what}: {error}")]
    Memory { what: &'static str, error: MemoryError },
    /// A destructor made the call.
    #[error("got a call at the end of the program, when the device is closed")]
    Ended,
    /// The CUDA driver reported an error.
    #[error(transparent)]
    Cuda(#[from] CudaError),
}

/// A device. Modules and kernels are numbered from 1, because the host's handles are pointers that must not be null.
pub(crate) trait Device: Send {
    /// Loads PTX; returns the module.
    fn load(&mut self, ptx: &str) -> Result<usize, Failure>;
    /// Unloads a module.
    fn unload(&mut self, module: usize) -> Result<(), Failure>;
    /// A kernel of a module.
    fn kernel(&mut self, module: usize, name: &str) -> Result<usize, Failure>;
    /// What a kernel takes, and needs of its launch.
    fn interface(&self, kernel: usize) -> Result<&Interface, Failure>;
    /// Runs a kernel, or starts it.
    fn launch(&mut self, kernel: usize, launch: &Launch, arguments: &[Vec<u8>]) -> Result<(), Failure>;
    /// Encodes a tensor map.
    fn encode(&mut self, map: TiledMap) -> Result<[u8; TENSOR_MAP_BYTES], Failure>;
    /// Allocates bytes; if `shared`, in memory that the host can use, too.
    fn alloc(&mut self, bytes: usize, shared: bool) -> Result<u64, Failure>;
    /// Frees an allocation.
    fn free(&mut self, address: u64) -> Result<(), Failure>;
    /// Copies bytes between addresses of the device and of the host.
    ///
    /// # Safety
    /// Each address that belongs to the host has `bytes` live bytes.
    unsafe fn copy(&mut self, to: u64, from: u64, bytes: usize) -> Result<(), Failure>;
    /// Writes a pattern `count` times.
    ///
    /// # Safety
    /// As for [`Device::copy`].
    unsafe fn fill(&mut self, to: u64, pattern: &[u8], count: usize) -> Result<(), Failure>;
    /// Makes memory of the host accessible to kernels at its address.
    ///
    /// # Safety
    /// `bytes` bytes are alive until [`Device::unregister`], and nothing else uses them while a kernel runs.
    unsafe fn register(&mut self, address: u64, bytes: usize) -> Result<(), Failure>;
    /// Ends the effect of [`Device::register`].
    fn unregister(&mut self, address: u64) -> Result<(), Failure>;
    /// Waits for everything that was started.
    fn wait(&mut self) -> Result<(), Failure>;
}

/// Modules and their kernels, by number.
pub(crate) struct Table<M> {
    modules: Vec<Option<M>>,
    kernels: Vec<(usize, String)>,
}

impl<M> Table<M> {
    pub fn new() -> Self {
        Table { modules: Vec::new(), kernels: Vec::new() }
    }

    pub fn add(&mut self, module: M) -> usize {
        self.modules.push(Some(module));
        self.modules.len()
    }

    pub fn remove(&mut self, module: usize) -> Result<(), Failure> {
        let gone = module.checked_sub(1).and_then(|at| self.modules.get_mut(at)?.take());
        gone.map(drop).ok_or(Failure::Handle { what: "module", got: module })
    }

    pub fn module(&self, module: usize) -> Result<&M, Failure> {
        let loaded = module.checked_sub(1).and_then(|at| self.modules.get(at)?.as_ref());
        loaded.ok_or(Failure::Handle { what: "module", got: module })
    }

    /// The number of a kernel, which the module must have.
    pub fn number(&mut self, module: usize, name: &str) -> usize {
        let known = self.kernels.iter().position(|(owner, known)| *owner == module && known == name);
        let at = known.unwrap_or_else(|| {
            self.kernels.push((module, name.to_owned()));
            self.kernels.len() - 1
        });
        at + 1
    }

    /// The module and the name of a kernel.
    pub fn kernel(&self, kernel: usize) -> Result<(&M, &str), Failure> {
        let entry = kernel.checked_sub(1).and_then(|at| self.kernels.get(at));
        let (module, name) = entry.ok_or(Failure::Handle { what: "kernel", got: kernel })?;
        Ok((self.module(*module)?, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_that_are_gone_are_found() {
        let mut table = Table::new();
        let (a, b) = (table.add("a"), table.add("b"));
        let kernel = table.number(b, "copy");
        assert_eq!((a, b, table.number(b, "copy")), (1, 2, kernel));
        assert_eq!(table.kernel(kernel).unwrap(), (&"b", "copy"));
        table.remove(b).unwrap();
        for wrong in [table.remove(b), table.remove(0), table.kernel(kernel).map(drop), table.kernel(9).map(drop)] {
            assert!(matches!(wrong, Err(Failure::Handle { .. })));
        }
    }
}
