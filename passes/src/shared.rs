//! Room behind shared variables.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, RegionLike};
use tile_dialect::Ctx;
use tile_dialect::ir::Ir;
use tile_dialect::memref::bit_width;
use tile_dialect::ops::integer;

use crate::walk;

/// Rounds the shared variables below the root up to whole multiples of their alignment: LLVM loads an aligned vector where
/// its last elements are not used, and those must be the variable's own.
pub fn pad(ir: &mut Ir<'_>) {
    for global in walk::named(ir.root(), "llvm.mlir.global") {
        let shared = integer(global, "addr_space") == Some(3);
        let undefined = global.regions().all(|region| region.first_block().is_none());
        let Some(alignment) = integer(global, "alignment").filter(|_| shared && undefined) else { continue };
        let Some(bytes) = global.attribute("global_type").ok().and_then(|r#type| size(global, &r#type.to_string()))
        else {
            continue;
        };
        let step = alignment.max(1);
        let whole = bytes.checked_add(step - 1).map_or(bytes, |sum| sum / step * step);
        let padded = Ctx::of(global).parse_attribute(&format!("!llvm.array<{whole} x i8>"));
        if let Some(padded) = padded.filter(|_| bytes != 0 && whole != bytes) {
            ir.rewriter().set_attribute(global, "global_type", padded);
        }
    }
}

/// Bytes of an array of numbers, by its text.
fn size(op: OperationRef<'_, '_>, text: &str) -> Option<i64> {
    let array =
        text.strip_prefix("!llvm.").unwrap_or(text).strip_prefix("array<").and_then(|array| array.strip_suffix('>'));
    let Some((count, element)) = array.and_then(|array| array.split_once(" x ")) else {
        let bits = bit_width(Ctx::of(op).parse_type(text)?)?;
        return Some(i64::from(bits.div_ceil(8)));
    };
    count.parse::<i64>().ok()?.checked_mul(size(op, element)?)
}
