//! Numbers as attributes, and layouts of memrefs.

use melior::ir::Attribute;
use tile_dialect::Ctx;

use crate::raw;

/// `strided<[strides], offset: offset>`; an offset that is `i64::MIN` is known at run time.
pub fn strided<'c>(context: Ctx<'c>, offset: i64, strides: &[i64]) -> Attribute<'c> {
    raw::strided_layout(context, offset, strides)
}

/// `#ub.poison`.
pub fn poison(context: Ctx<'_>) -> Attribute<'_> {
    raw::parse_attribute(context, "#ub.poison")
}

/// `#nvvm.target<chip = chip>`.
pub fn nvvm_target<'c>(context: Ctx<'c>, chip: &str) -> Attribute<'c> {
    raw::parse_attribute(context, &format!("#nvvm.target<chip = \"{chip}\">"))
}
