//! An automatic choice is never an error: a kernel is written with the tensor maps that [`tensor_maps`] chooses, and where it is not
//! proved to be right then, it is taken back and written without.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::emit::hold;
use tile_dialect::ir::Rewriter;

use super::{one, tensor_maps};
use crate::diagnostics::{first_error, quietly};
use crate::options::LoweringOptions;
use crate::sync::{insert, memory, shared_buffers};

/// Pipelines the loops of a function that request stages, through tensor maps where that is better; `false`, after errors, where one
/// cannot be pipelined in any way.
pub fn with_maps<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
) -> bool {
    let copies = tensor_maps::candidates(function);
    if copies.is_empty() {
        return one(function, options, rewriter);
    }
    let before = rewriter.snapshot(function);
    let plans = tensor_maps::choose(&copies, options, rewriter);
    if plans.iter().all(Option::is_none) {
        return one(function, options, rewriter);
    }
    let attempt = || {
        let chosen = copies.iter().zip(&plans).filter_map(|(copy, plan)| Some((*copy, plan.as_ref()?)));
        chosen.for_each(|(copy, plan)| tensor_maps::chosen(copy, plan));
        one(function, options, rewriter) && is_placed(function, options, rewriter)
    };
    let ((outcome, said), remarks) = hold(function.location(), || quietly(function, attempt));
    if outcome == Ok(true) {
        remarks.iter().for_each(|remark| remark.emit());
        return true;
    }
    before.restore();
    let why = outcome.err().unwrap_or_else(|| first_error(said));
    let chosen = tensor_maps::candidates(function).into_iter().zip(plans).filter(|(_, plan)| plan.is_some());
    chosen.for_each(|(copy, _)| tensor_maps::unproved(copy, &why));
    one(function, options, rewriter)
}

/// Whether the tiles of a function fit into shared memory, and its accesses can be ordered where tiles then share bytes.
fn is_placed<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
) -> bool {
    if !memory::may_share(function, options) {
        return true;
    }
    let before = rewriter.snapshot(function);
    let placed = shared_buffers::make_scratch(function, options, rewriter)
        && memory::one(function, function, options, rewriter)
        && insert::order(function, options, rewriter, false);
    before.restore();
    placed
}
