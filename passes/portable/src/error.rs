//! What can go wrong.

use thiserror::Error;

/// Why there are no kernels.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// A plan for NVIDIA.
    #[error("got a plan with a ring, expected one for a portable target")]
    Shape,
    /// The text that this crate writes is not WGSL, which is an error of this crate.
    #[error("the text of the kernels is refused: {0}")]
    Text(String),
    /// A language has no way to say it.
    #[error("{language} cannot be written: {reason}")]
    Language {
        /// Which.
        language: &'static str,
        /// Why.
        reason: String,
    },
}
