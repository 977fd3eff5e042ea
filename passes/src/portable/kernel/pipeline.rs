//! What is run before a kernel is read.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, Module, OperationRef};
use tile_dialect::ir::Ir;
use tile_plan::Target;

use super::barriers;
use crate::embed::run_reporting;
use crate::error::Error;
use crate::{promise, walk};

/// A module with nothing but the `gpu.module` of a kernel, in which its copies are lowered for a target. Other kernels are left out:
/// they may have copies that it cannot do.
pub(super) fn lowered<'c>(kernel: OperationRef<'c, '_>, target: &Target) -> Result<Module<'c>, Error> {
    let around = kernel.parent_operation().ok_or_else(Error::refused)?;
    let wanted = super::name(kernel);
    let mut module = Module::new(kernel.location());
    module.body().append_operation((*around).clone());
    Ir::with(&mut module, |ir| {
        for module in walk::named(ir.root(), tile_ops::gpu::GPUModuleOp::NAME) {
            for other in promise::kernels(module).into_iter().filter(|op| super::name(*op) != wanted) {
                ir.rewriter().erase(other);
            }
        }
    });
    // Before the lowering, which drops promises of uniform values.
    let kernels = super::all(&module);
    kernels.into_iter().try_for_each(|kernel| barriers::check(kernel, target))?;
    run_reporting(&mut module, &format!("builtin.module(tile-to-portable{{chip={target}}})"))?;
    Ok(module)
}
