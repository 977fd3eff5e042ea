//! Ops of other dialects that state a copy by `TileCopyOpInterface` become that copy, before copies are read.
//!
//! ```text
//!   panel.pull %a[%k, %c0] [32, 32] to %s      tile.copy_async %a[%k, %c0] [32, 32] to %s scope(cta) group
//! ```

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use thiserror::Error;
use tile_dialect::SCOPE;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::string;
use tile_dialect::stated_copy::{CopyPart, make, states_copy};
use tile_isa::Scope;

use crate::diagnostics::quietly;
use crate::{contracts, walk};

/// The name of the pattern, which is that of the interface.
pub(crate) const NAME: &str = "TileCopyOpInterface";

/// Why no copy takes the place of an op.
#[derive(Debug, Error)]
pub(crate) enum StatedCopyError {
    #[error("states a copy, and has {0}, expected none: the copy takes its place")]
    Has(&'static str),
    #[error("states a copy whose {0} is none of its operands")]
    NotAnOperand(CopyPart),
    #[error("got {SCOPE} = \"{0}\", expected one of thread, warp, warpgroup, cta")]
    Scope(String),
    #[error("states a copy that is not valid: {0}")]
    Invalid(String),
}

/// Replaces each such op at or below the root; `false`, after errors, where one states no copy that there may be.
pub(crate) fn lower(ir: &mut Ir<'_>) -> bool {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    let stating = walk::matching(root, |_| true).into_iter().filter(|op| states_copy(*op));
    let mut complete = true;
    for op in stating {
        if let Err(error) = replace(op, rewriter) {
            Diagnostic::error(error.to_string()).emit(op);
            complete = false;
        }
    }
    complete
}

/// Replaces one such op.
pub(crate) fn replace<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> Result<(), StatedCopyError> {
    let counts = [(op.result_count(), "results"), (op.region_count(), "regions"), (op.successor_count(), "successors")];
    if let Some((_, parts)) = counts.into_iter().find(|(count, _)| *count > 0) {
        return Err(StatedCopyError::Has(parts));
    }
    if let Some(other) = string(op, SCOPE).filter(|name| Scope::named(name).is_none()) {
        return Err(StatedCopyError::Scope(other));
    }
    let copy = make(op).map_err(StatedCopyError::NotAnOperand)?;
    let (outcome, diagnostics) = quietly(op, || copy.verify());
    if outcome != Ok(true) {
        let why = diagnostics.into_iter().next().map_or_else(|| "no reason given".to_owned(), |first| first.message);
        return Err(StatedCopyError::Invalid(why));
    }
    rewriter.set_insertion_point_before(op);
    contracts::carry(op, rewriter.insert(copy), rewriter);
    rewriter.erase(op);
    Ok(())
}
