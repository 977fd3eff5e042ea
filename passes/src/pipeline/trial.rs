//! An automatic choice is never an error: a kernel is written with the tensor maps that [`tensor_maps`] chooses, and where it is not
//! proved to be right then, it is taken back and written without.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::PRODUCER;
use tile_dialect::emit::hold;
use tile_dialect::ir::Rewriter;

use super::{multicast, one, tensor_maps};
use crate::diagnostics::{first_error, quietly};
use crate::options::LoweringOptions;
use crate::sync::{insert, memory, shared_buffers};
use crate::walk;

/// Pipelines the loops of a function that request stages, through tensor maps where that is better; `false`, after errors, where one
/// cannot be pipelined in any way.
pub fn with_maps<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
) -> bool {
    if walk::matching(function, |_| true).iter().any(|op| op.has_attribute(PRODUCER)) {
        return with_producer(function, options, rewriter);
    }
    // First with copies that the blocks of a cluster divide among themselves.
    let divides = [multicast::cluster(function).is_some(), false];
    for divides in divides.into_iter().skip(usize::from(!divides[0])) {
        match attempt(function, options, rewriter, divides) {
            MapsAttempt::Written => return true,
            MapsAttempt::NothingToTry => return one(function, options, rewriter, &[]),
            MapsAttempt::Unproved { why, .. } if divides => multicast::unproved(function, &why),
            MapsAttempt::Unproved { chosen, why } => {
                let copies = tensor_maps::candidates(function).into_iter().zip(chosen).filter(|(_, chosen)| *chosen);
                copies.for_each(|(copy, _)| tensor_maps::unproved(copy, &why));
            }
        }
    }
    one(function, options, rewriter, &[])
}

/// The same where a producer makes the copies of a loop: without maps no other thread than its own waits for a copy, so nothing else is
/// tried.
fn with_producer<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
) -> bool {
    let copies = tensor_maps::candidates(function);
    let plans = tensor_maps::choose(&copies, options, rewriter);
    for (copy, plan) in copies.into_iter().zip(plans).filter_map(|(copy, plan)| Some((copy, plan?))) {
        tensor_maps::chosen(copy, &plan);
    }
    one(function, options, rewriter, &[])
}

/// What became of a function.
enum MapsAttempt {
    /// It is written, and right.
    Written,
    /// No copy goes through a tensor map.
    NothingToTry,
    /// It is as before, for this reason; and which of the copies would have gone through maps.
    Unproved { chosen: Vec<bool>, why: String },
}

/// Writes a function with tensor maps, or leaves it as it is. `divides`: whether the blocks of a cluster divide copies.
fn attempt<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
    divides: bool,
) -> MapsAttempt {
    let copies = tensor_maps::candidates(function);
    if copies.is_empty() {
        return MapsAttempt::NothingToTry;
    }
    let before = rewriter.snapshot(function);
    let (plans, declined) = hold(function.location(), || tensor_maps::choose(&copies, options, rewriter));
    // Those of the attempt before are reported with what comes of this one.
    if !divides {
        declined.iter().for_each(|remark| remark.emit());
    }
    if plans.iter().all(Option::is_none) {
        declined.iter().filter(|_| divides).for_each(|remark| remark.emit());
        return MapsAttempt::NothingToTry;
    }
    let write = || {
        let chosen: Vec<_> =
            copies.iter().zip(&plans).filter_map(|(copy, plan)| Some((*copy, plan.as_ref()?))).collect();
        let divided = if divides { multicast::choose(function, &chosen, options, rewriter) } else { Vec::new() };
        chosen.into_iter().for_each(|(copy, plan)| tensor_maps::chosen(copy, plan));
        one(function, options, rewriter, &divided) && is_placed(function, options, rewriter)
    };
    let ((outcome, said), remarks) = hold(function.location(), || quietly(function, write));
    if matches!(outcome, Ok(true)) {
        let declined = declined.iter().filter(|_| divides);
        declined.chain(&remarks).for_each(|remark| remark.emit());
        return MapsAttempt::Written;
    }
    before.restore();
    let why = outcome.map_or_else(String::from, |_| first_error(said));
    MapsAttempt::Unproved { chosen: plans.iter().map(Option::is_some).collect(), why }
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
