//! Ops of other dialects on types for which there is no conversion: errors before upstream's conversions fail in their own words.
//!
//! docs/kernel-ops.md lists what there is; a test makes that page and executes it.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Type, TypeLike, ValueLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::memref::{bit_width, is_float};
use tile_isa::NumberFormat;
use tile_ops::{arith, gpu, memref, vector};

use crate::read::{kernel, name};
use crate::walk;

/// The floats that arithmetic takes.
pub const FLOATS: &str = "f16, bf16, f32, f64, f8E4M3FN or f8E5M2";

/// Whether each op in the `gpu.module`s at or below `root` is on types that have a conversion; `false` after errors.
pub fn check_types(root: OperationRef<'_, '_>) -> bool {
    let inside = |op: OperationRef<'_, '_>| kernel::ancestors(op).any(|parent| name(parent) == gpu::GPUModuleOp::NAME);
    let mut complete = true;
    for op in walk::matching(root, is_computation) {
        let Some(reason) = obstacle(op).filter(|_| inside(op)) else { continue };
        Diagnostic::error(reason).emit(op);
        complete = false;
    }
    complete
}

/// Whether an op computes, rather than move bits. Those of math have errors of their own.
fn is_computation(name: &str) -> bool {
    match name {
        arith::BitcastOp::NAME | arith::ConstantOp::NAME | arith::SelectOp::NAME => false,
        gpu::AllReduceOp::NAME
        | gpu::SubgroupReduceOp::NAME
        | gpu::SubgroupBroadcastOp::NAME
        | memref::AtomicRMWOp::NAME
        | memref::GenericAtomicRMWOp::NAME
        | vector::ReductionOp::NAME
        | vector::MultiDimReductionOp::NAME
        | vector::FMAOp::NAME
        | vector::ContractionOp::NAME
        | vector::OuterProductOp::NAME
        | vector::ScanOp::NAME => true,
        other => other.starts_with(arith::PREFIX),
    }
}

/// Why an op has no conversion; `None` where nothing says so.
fn obstacle(op: OperationRef<'_, '_>) -> Option<String> {
    let types: Vec<Type<'_>> = op
        .operands()
        .map(|operand| operand.r#type())
        .chain(op.results().map(|result| result.r#type()))
        .map(element)
        .collect();
    match name(op) {
        gpu::SubgroupBroadcastOp::NAME if op.operands().count() < 2 => {
            return Some(
                "is of the first active lane, expected a specific one: no instruction says which is active".to_owned(),
            );
        }
        memref::AtomicRMWOp::NAME | memref::GenericAtomicRMWOp::NAME => {
            let updated = op.results().next().map(|result| result.r#type())?;
            if bit_width(updated).is_some_and(|bits| ![8, 16, 32, 64].contains(&bits)) {
                return Some(format!("updates {updated}, expected 8, 16, 32 or 64 bits"));
            }
        }
        arith::SIToFPOp::NAME | arith::UIToFPOp::NAME | arith::FPToSIOp::NAME | arith::FPToUIOp::NAME => {
            let wide = types.iter().find(|&&kind| !is_float(kind) && bit_width(kind).is_some_and(|bits| bits > 64));
            if let Some(wide) = wide {
                return Some(format!("converts between {wide} and a float, expected an integer of up to 64 bits"));
            }
        }
        _ => {}
    }
    let scales = matches!(
        name(op),
        arith::ExtFOp::NAME | arith::TruncFOp::NAME | arith::ScalingExtFOp::NAME | arith::ScalingTruncFOp::NAME
    );
    let unknown = types.into_iter().find(|&float| is_float(float) && !is_known(float) && !(scales && is_scale(float)));
    unknown.map(|unknown| format!("is on {unknown}, expected {FLOATS}"))
}

/// Whether a type is one of [`FLOATS`].
pub fn is_known(float: Type<'_>) -> bool {
    NumberFormat::named(&float.to_string()).is_some_and(|number| !number.is_integer())
}

/// Powers of two, which only convert.
fn is_scale(float: Type<'_>) -> bool {
    // SAFETY: the type is alive.
    unsafe { mlir_sys::mlirTypeIsAFloat8E8M0FNU(float.to_raw()) }
}

/// The type of the elements of a vector; other types themselves.
pub fn element(r#type: Type<'_>) -> Type<'_> {
    // SAFETY: the type is alive; only a vector's elements are asked for.
    unsafe {
        let raw = r#type.to_raw();
        if mlir_sys::mlirTypeIsAVector(raw) {
            Type::from_raw(mlir_sys::mlirShapedTypeGetElementType(raw))
        } else {
            r#type
        }
    }
}
