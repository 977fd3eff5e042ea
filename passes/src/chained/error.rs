//! Why no kernel is written for a `tile.chained`.

use thiserror::Error;

/// Why no kernel was written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChainedKernelError {
    /// A module that cannot hold the kernel, a name that is taken, or an operand without an address.
    #[error("{0}")]
    Module(String),
    /// A payload or an element that is no number.
    #[error("has elements or a payload that are no numbers")]
    NoNumber,
}

impl From<String> for ChainedKernelError {
    fn from(reason: String) -> Self {
        ChainedKernelError::Module(reason)
    }
}
