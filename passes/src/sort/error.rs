//! Why no kernels are written for a `tile.sort`.

use thiserror::Error;

/// Why no kernel was written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SortKernelError {
    /// Elements that are no numbers.
    #[error("has elements that are no numbers")]
    NoNumber,
    /// A chip that is none of NVIDIA's, a module that cannot hold the kernels, a name that is taken, or an operand without an address.
    #[error("{0}")]
    Module(String),
    /// A workspace that is too small.
    #[error("got a workspace of {got} bytes, expected {expected} for {n} elements in tiles of {tile}")]
    Workspace {
        /// Its bytes.
        got: i64,
        /// Bytes that are needed.
        expected: i64,
        /// Elements.
        n: i64,
        /// Elements of a tile.
        tile: i64,
    },
}

impl From<String> for SortKernelError {
    fn from(reason: String) -> Self {
        SortKernelError::Module(reason)
    }
}
