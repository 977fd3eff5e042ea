//! `--tile-embed-ptx`: kernels as PTX in the module that launches them.

use melior::ir::OperationRef;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::Ir;
use tile_ops::gpu;

use crate::read::target::{self, Named};
use crate::{ptx, shim, unlowered, walk};

/// Puts a `gpu.binary` in the place of each `gpu.module` below the root; `false`, after an error, where one has no PTX.
pub fn run(ir: &mut Ir<'_>) -> bool {
    walk::named(ir.root(), gpu::GPUModuleOp::NAME).into_iter().fold(true, |all, kernels| match print(kernels) {
        Ok(text) => {
            shim::insert_binary(kernels, &text);
            ir.rewriter().erase(kernels);
            all
        }
        Err(diagnostic) => {
            if let Some(diagnostic) = diagnostic {
                diagnostic.emit(kernels);
            }
            false
        }
    })
}

/// The PTX of a `gpu.module`, which names its target then; no diagnostic where one was given.
fn print<'c>(kernels: OperationRef<'c, '_>) -> Result<String, Option<Diagnostic<'c>>> {
    if !unlowered::check_llvm(kernels) {
        return Err(None);
    }
    let refused = |error: &dyn std::fmt::Display| Some(Diagnostic::error(error.to_string()));
    let named = match target::named(kernels).map_err(|reason| refused(&reason))? {
        Some(named) => named,
        None => {
            let named = Named::default_chip().map_err(|error| refused(&error))?;
            shim::retarget_module(kernels, &named.target.name(), "");
            named
        }
    };
    ptx::text(kernels, &named).map_err(|error| match error {
        // MLIR has said why.
        crate::Error::Translation { .. } => None,
        other => refused(&other),
    })
}
