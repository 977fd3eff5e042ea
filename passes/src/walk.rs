//! Finding ops.

use melior::ir::OperationRef;
use melior::ir::operation::{OperationLike, WalkOrder, WalkResult};

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
