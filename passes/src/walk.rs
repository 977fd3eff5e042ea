//! Finding ops.

use melior::ir::operation::{OperationLike, WalkOrder, WalkResult};
use melior::ir::{BlockLike, OperationRef, RegionLike};
use tile_dialect::ops::string;

/// Every op below `root` (and itself) that `wanted` accepts, in the order of the text.
pub fn matching<'c, 'a>(root: OperationRef<'c, 'a>, mut wanted: impl FnMut(&str) -> bool) -> Vec<OperationRef<'c, 'a>> {
    let mut found = Vec::new();
    root.walk(WalkOrder::PreOrder, |op| {
        if wanted(op.name().as_string_ref().as_str().unwrap_or_default()) {
            // SAFETY: an op below the root lives as long as the root's IR does.
            found.push(unsafe { OperationRef::from_raw(op.to_raw()) });
        }
        WalkResult::Advance
    });
    found
}

/// Every op of that name below `root`.
pub fn named<'c, 'a>(root: OperationRef<'c, 'a>, name: &str) -> Vec<OperationRef<'c, 'a>> {
    matching(root, |candidate| candidate == name)
}

/// The ops in the body of a module that define symbols.
pub fn symbols<'c, 'a>(module: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let first = module.region(0).ok().and_then(|region| region.first_block()?.first_operation());
    std::iter::successors(first, |op| op.next_in_block()).filter(|op| op.has_attribute("sym_name"))
}

/// The op in the body of a module that defines this symbol.
pub fn symbol<'c, 'a>(module: OperationRef<'c, 'a>, wanted: &str) -> Option<OperationRef<'c, 'a>> {
    symbols(module).find(|&op| string(op, "sym_name").as_deref() == Some(wanted))
}
