//! Minima and maxima as LLVM's intrinsics, which chips have as instructions: `max.NaN.f32`, `max.f16x2` … Upstream expands them
//! to comparisons before it converts arith. Where a chip lacks one, LLVM's back end expands it.

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::{Parts, Rewriter};
use tile_ops::{Builder, arith, llvm};

use super::shape;
use crate::read::name;

const OPS: [&str; 4] =
    [arith::MaximumFOp::NAME, arith::MinimumFOp::NAME, arith::MaxNumFOp::NAME, arith::MinNumFOp::NAME];

/// Whether an op of that name is one.
pub fn has(name: &str) -> bool {
    OPS.contains(&name)
}

/// Replaces the op, unless it is on vectors of several dimensions, which LLVM's intrinsics do not take.
pub fn lower<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    let Some((a, b)) = op.operand_at(0).zip(op.operand_at(1)) else { return };
    // LLVM has no arithmetic on floats of 8 bits.
    let is_narrow = |value: Value<'c, 'a>| value.r#type().to_string().contains("f8");
    let is_flat = !matches!(shape(a.r#type()), Ok(Some(extents)) if extents.len() != 1) && shape(a.r#type()).is_ok();
    if !is_flat || is_narrow(a) {
        return;
    }
    let builder = Builder::before(rewriter, op);
    let value = match name(op) {
        arith::MaximumFOp::NAME => llvm::intr_maximum(builder, a, b).value(),
        arith::MinimumFOp::NAME => llvm::intr_minimum(builder, a, b).value(),
        arith::MaxNumFOp::NAME => llvm::intr_maxnum(builder, a, b).value(),
        _ => llvm::intr_minnum(builder, a, b).value(),
    };
    rewriter.replace(op, &[value]);
}
