//! From a lowered kernel to the statements that [`tile_portable::kernel`] writes.
//!
//! ```text
//!   gpu.func ──▶ lower-tile-copy{chip=webgpu} ──▶ arith, gpu, memref, scf, vector ──▶ Reader ──▶ tile_portable::kernel::Kernel
//! ```
//!
//! | module | subject |
//! | --- | --- |
//! | [`pipeline`] | what is run before: the kernel alone, its copies lowered for the target |
//! | [`value`] | what is known of values |
//! | [`barriers`] | barriers that all threads must reach |
//! | [`reader`] | values, and blocks |
//! | [`control`] | branches and loops |
//! | [`arguments`] | what the kernel takes |
//! | [`arithmetic`] | ops of arith |
//! | [`conversions`] | those that convert numbers |
//! | [`math`] | ops of math |
//! | [`vectors`] | ops of vector, lane by lane |
//! | [`views`] | memrefs: where elements are |
//! | [`access`] | loads and stores |
//! | [`types`] | scalars and vectors |

mod access;
mod arguments;
mod arithmetic;
mod barriers;
mod control;
mod conversions;
mod math;
mod pipeline;
mod reader;
mod types;
mod value;
mod vectors;
mod views;

use melior::ir::{Module, OperationRef};
use tile_dialect::emit::Diagnostic;
use tile_ops::interface;
use tile_plan::Target;
use tile_plan::problem::refusal::Refusal;
use tile_portable::Program;

use crate::error::Error;
use crate::{promise, walk};
use reader::Reader;

/// The kernels of a module.
pub(super) fn all<'c, 'a>(module: &'a Module<'c>) -> Vec<OperationRef<'c, 'a>> {
    let modules = walk::named(module.as_operation(), tile_ops::gpu::GPUModuleOp::NAME);
    modules.into_iter().flat_map(promise::kernels).collect()
}

/// What a kernel is called.
pub(super) fn name(kernel: OperationRef<'_, '_>) -> String {
    interface::symbol_name(kernel).unwrap_or_default()
}

/// The program of a kernel.
///
/// # Errors
/// What the target lacks, at the op that needs it.
pub(super) fn program(kernel: OperationRef<'_, '_>, target: Target) -> Result<Program, Error> {
    let lowered = pipeline::lowered(kernel, &target)?;
    let kernel = all(&lowered).into_iter().next().ok_or_else(Error::refused)?;
    let read = Reader::new(target).kernel(kernel)?;
    tile_portable::kernel::program(&read, target).map_err(|error| super::refuse(kernel, error.to_string()))
}

/// An error at an op that names its cause: the tool that writes shaders prints no remarks.
fn declined(op: OperationRef<'_, '_>, refusal: &Refusal) -> Error {
    Diagnostic::error(format!("{refusal} ({})", refusal.cause)).emit(op);
    Error::refused()
}
