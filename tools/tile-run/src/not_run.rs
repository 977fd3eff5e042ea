//! What keeps a kernel from being run.

use thiserror::Error;

use crate::bind::BindError;
use crate::cuda::CudaError;
use crate::expect::ExpectError;
use crate::fill::FillError;
use crate::npy::NpyError;
use crate::signature::SignatureError;
use crate::sim::SimError;
use crate::source::SourceError;
use crate::vulkan::VulkanError;

/// Why nothing was run.
#[derive(Debug, Error)]
pub(crate) enum NotRun {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("the PTX cannot be read: {0}")]
    Signature(#[from] SignatureError),
    #[error("got --entry {got}, expected one of the kernels {}", kernels.join(", "))]
    Entry { got: String, kernels: Vec<String> },
    #[error("there are several kernels, choose one with --entry: {}", .0.join(", "))]
    WhichEntry(Vec<String>),
    #[error("the file has no kernel")]
    NoEntry,
    #[error("the PTX does not state the threads of a block: use --block")]
    Block,
    #[error(transparent)]
    Arguments(#[from] BindError),
    #[error("argument {index}: {error}")]
    Fill { index: usize, error: FillError },
    #[error(transparent)]
    Expect(#[from] ExpectError),
    #[error("the simulator cannot run the PTX: {0}")]
    Parse(#[from] ptx_sim::ParseError),
    #[error("{0}")]
    Simulator(SimError),
    #[error(transparent)]
    Cuda(#[from] CudaError),
    #[error(transparent)]
    Vulkan(#[from] VulkanError),
    #[error(transparent)]
    Write(#[from] NpyError),
}

impl NotRun {
    /// The place in the source that is meant.
    pub(crate) fn place(&self) -> Option<&str> {
        match self {
            Self::Arguments(error) => error.place(),
            _ => None,
        }
    }
}
