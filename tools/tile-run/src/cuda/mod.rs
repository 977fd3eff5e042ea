//! NVIDIA GPUs through the CUDA driver, which is loaded at run time, so that programs start on machines without one.

mod buffer;
mod gpu;
mod kernel;
mod run;
mod tensor_map;

use cudarc::driver::DriverError;
use thiserror::Error;

pub use buffer::Buffer;
pub use gpu::{Chip, Gpu};
pub use kernel::{Kernel, Module, Resources};
pub use run::{Finished, run, values};

/// Why an operation on the GPU failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CudaError {
    /// The driver's library cannot be loaded.
    #[error("there is no CUDA driver on this machine (libcuda.so.1 cannot be loaded)")]
    NoDriver,
    /// The driver is too old.
    #[error("the CUDA driver supports CUDA {}.{}, expected {}.{} or later", got / 1000, got % 1000 / 10, expected / 1000, expected % 1000 / 10)]
    OldDriver {
        /// Thousands are the major version, tens the minor.
        got: i32,
        /// The oldest supported version, in the same encoding.
        expected: i32,
    },
    /// There is no GPU with this number.
    #[error("got CUDA device {got}, but there are {count}, counted from 0")]
    NoDevice {
        /// The number requested.
        got: usize,
        /// The number of GPUs.
        count: i32,
    },
    /// The driver cannot assemble the PTX.
    #[error("the CUDA driver refuses the PTX: {0}")]
    Ptx(String),
    /// The module has no such kernel, or its declarations cannot be read.
    #[error("{0}")]
    Kernel(String),
    /// The kernel cannot have this launch.
    #[error("kernel `{kernel}` cannot be launched: {mismatch}")]
    Launch {
        /// The kernel.
        kernel: String,
        /// What was got, and what is expected.
        mismatch: ptx_sim::Mismatch,
    },
    /// A call failed.
    #[error("{what}: {message}")]
    Driver {
        /// The operation.
        what: &'static str,
        /// The driver's name of the error, and its explanation.
        message: String,
    },
}

impl CudaError {
    /// For `map_err`: names the operation.
    fn during(what: &'static str) -> impl Fn(DriverError) -> Self {
        move |error| Self::Driver { what, message: text(error) }
    }
}

/// The name and explanation of a driver's error.
fn text(error: DriverError) -> String {
    let name = error.error_name().map(|n| n.to_string_lossy().into_owned());
    let meaning = error.error_string().map(|s| s.to_string_lossy().into_owned());
    match (name, meaning) {
        (Ok(name), Ok(meaning)) => format!("{meaning} ({name})"),
        _ => format!("error {}", error.0 as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_read_as_people_write_them() {
        let error = CudaError::OldDriver { got: 11040, expected: 12000 };
        assert_eq!(error.to_string(), "the CUDA driver supports CUDA 11.4, expected 12.0 or later");
    }
}
