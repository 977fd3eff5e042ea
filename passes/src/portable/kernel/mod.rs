//! Reads a lowered kernel into the statements that [`tile_portable::kernel`] writes.
//!
//! ```text
//!   gpu.func ──▶ lower-tile-copy{chip=webgpu} ──▶ arith, gpu, memref, scf, vector ──▶ Reader ──▶ tile_portable::kernel::Kernel
//! ```
//!
//! | module | subject |
//! | --- | --- |
//! | [`barriers`] | barriers that all threads must reach |
//! | [`values`] | the known state of values; scalars and vectors as lanes |
//! | [`reader`] | values and blocks |
//! | [`control`] | ops with regions: branches, loops, atomic updates |
//! | [`arguments`] | the kernel's arguments |
//! | [`arithmetic`] | ops of arith |
//! | [`math`] | intrinsics of elementary functions |
//! | [`conversions`] | ops that convert numbers |
//! | [`vectors`] | ops of vector, lane by lane |
//! | [`views`] | memrefs: the addresses of elements |
//! | [`access`] | loads and stores |

mod access;
mod arguments;
mod arithmetic;
mod barriers;
mod control;
mod conversions;
mod math;
mod reader;
mod values;
mod vectors;
mod views;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, Module, OperationRef};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::Ir;
use tile_ops::interface;
use tile_plan::problem::refusal::Refusal;
use tile_plan::target::Target;
use tile_portable::PortableProgram;

use crate::embed::run_reporting;
use crate::error::Error;
use crate::{promise, walk};
pub(super) use reader::PortableReader;
pub(super) use values::lanes;

/// The kernels of a module.
pub(super) fn all<'c, 'a>(module: &'a Module<'c>) -> Vec<OperationRef<'c, 'a>> {
    let modules = walk::named(module.as_operation(), tile_ops::gpu::GPUModuleOp::NAME);
    modules.into_iter().flat_map(promise::kernels).collect()
}

/// The name of a kernel.
pub(super) fn name(kernel: OperationRef<'_, '_>) -> String {
    interface::symbol_name(kernel).unwrap_or_default()
}

/// The program of a kernel.
///
/// # Errors
/// A feature that the target lacks, at the op that needs it.
pub(super) fn program(kernel: OperationRef<'_, '_>, target: Target) -> Result<PortableProgram, Error> {
    let lowered = lowered(kernel, &target)?;
    let kernel = all(&lowered).into_iter().next().ok_or_else(Error::refused)?;
    let read = PortableReader::new(target).kernel(kernel)?;
    tile_portable::kernel::program(&read, target).map_err(|error| super::refuse(kernel, error.to_string()))
}

/// Reports an error at an op. It names the cause, because the tool that writes shaders prints no remarks.
pub(super) fn declined(op: OperationRef<'_, '_>, refusal: &Refusal) -> Error {
    Diagnostic::error(format!("{refusal} ({})", refusal.cause)).emit(op);
    Error::refused()
}

/// A module with only the `gpu.module` of a kernel, whose copies are lowered for a target. Other kernels are left out:
/// they may have copies that the target cannot do.
fn lowered<'c>(kernel: OperationRef<'c, '_>, target: &Target) -> Result<Module<'c>, Error> {
    let around = kernel.parent_operation().ok_or_else(Error::refused)?;
    let wanted = name(kernel);
    let mut module = Module::new(kernel.location());
    module.body().append_operation((*around).clone());
    Ir::with(&mut module, |ir| {
        for module in walk::named(ir.root(), tile_ops::gpu::GPUModuleOp::NAME) {
            for other in promise::kernels(module).into_iter().filter(|op| name(*op) != wanted) {
                ir.rewriter().erase(other);
            }
        }
    });
    // Before the lowering, which drops promises of uniform values.
    let kernels = all(&module);
    kernels.into_iter().try_for_each(|kernel| barriers::check(kernel, target))?;
    run_reporting(&mut module, &format!("builtin.module(tile-to-portable{{chip={target}}})"))?;
    Ok(module)
}
