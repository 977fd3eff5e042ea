//! Room behind shared variables.

use melior::ir::operation::OperationLike;
use melior::ir::{RegionLike, Type};
use tile_dialect::Ctx;
use tile_dialect::ir::Ir;
use tile_dialect::memref::bit_width;
use tile_ops::llvm;
use tile_ops::llvm_type::{self, Space};

use crate::walk;

/// Rounds the shared variables below the root up to whole multiples of their alignment: LLVM loads an aligned vector where
/// its last elements are not used, and those must be the variable's own.
pub fn pad(ir: &mut Ir<'_>) {
    for op in walk::named(ir.root(), llvm::GlobalOp::NAME) {
        let Some(global) = llvm::GlobalOp::cast(op).filter(|&global| is_shared(global)) else { continue };
        let undefined = op.regions().all(|region| region.first_block().is_none());
        let Some(alignment) = global.alignment().filter(|_| undefined) else { continue };
        let Some(bytes) = global.global_type().and_then(size) else { continue };
        let step = alignment.max(1);
        let whole = bytes.checked_add(step - 1).map_or(bytes, |sum| sum / step * step);
        let Some(count) = u32::try_from(whole).ok().filter(|_| bytes != 0 && whole != bytes) else { continue };
        let padded = llvm_type::array(Ctx::of(op).integer(8), count);
        global.set_global_type(ir.rewriter(), padded);
    }
}

/// Is it shared memory?
pub fn is_shared(global: llvm::GlobalOp<'_, '_>) -> bool {
    global.addr_space() == Some(Space::Shared as i64)
}

/// Bytes of a number, or of an array of numbers.
pub fn size(r#type: Type<'_>) -> Option<i64> {
    match llvm_type::array_parts(r#type) {
        Some((count, element)) => count.checked_mul(size(element)?),
        None => Some(i64::from(bit_width(r#type)?.div_ceil(8))),
    }
}
