//! `--tile-lower-math`: elementary functions as arithmetic, since nothing provides libdevice's to the PTX that is printed.
//!
//! The functions are those of [`tile_plan::math`]; [`emit`] writes them, [`function`] says which is which.

mod elements;
pub use elements::shape;
mod emit;
mod function;

use melior::ir::OperationRef;
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard;
use tile_dialect::ir::{Ir, Rewriter};
use tile_ops::arith::FastMathFlags;
use tile_ops::{Builder, interface};

use crate::read::name;
use crate::walk;
use function::Function;

/// Replaces every math op below the root, and those of arith that upstream makes calls of libdevice of; `false`, after errors,
/// when one has no expansion.
pub fn run(ir: &mut Ir<'_>) -> bool {
    walk::matching(ir.root(), Function::has).into_iter().fold(true, |complete, op| {
        let outcome = guard::quiet(|| lower(op, ir.rewriter()));
        let outcome = outcome.unwrap_or_else(|text| Err(format!("made the compiler fail: {text}")));
        outcome.map_err(|reason| Diagnostic::error(reason).emit(op)).is_ok() && complete
    })
}

fn lower<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> Result<(), String> {
    let function = Function::of(name(op), may_approximate(op));
    let values = elements::lower(Builder::before(rewriter, op), op, function)?;
    rewriter.replace(op, &values);
    Ok(())
}

/// Does the op's `fastmath` allow approximations?
fn may_approximate(op: OperationRef<'_, '_>) -> bool {
    let flags = interface::fast_math(op);
    flags.is_some_and(|flags| flags.contains(FastMathFlags::AFN))
}
