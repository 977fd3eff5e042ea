//! The threads that do something together in a `tile.version` take the same copy of its region.

use melior::ir::OperationRef;
use tile_dialect::ops::CopyOp;
use tile_isa::Scope;
use tile_ops::{func, gpu};
use tile_plan::problem::threads::Threads;

use super::clause::VersionClause;
use crate::effects::synchronizes;
use crate::options::LoweringOptions;
use crate::read::divisibility::block;
use crate::read::spread::Evaluator;
use crate::read::{Unreadable, activity, kernel, name, target, uniformity};
use crate::walk;

/// Checks that the threads that share a copy in the region, or synchronize in it, have the same operands.
///
/// # Errors
/// The first operand that may differ, and why.
pub fn check<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    clauses: &[VersionClause<'c, 'a>],
    options: &LoweringOptions,
) -> Result<(), Unreadable<'c>> {
    let together = walk::matching(op, |_| true).into_iter().filter_map(scope).max();
    let function = kernel::function(op).filter(|_| !clauses.is_empty());
    let Some((scope, function)) = together.zip(function) else { return Ok(()) };
    let block = block::size(function)?;
    let subgroup = target::resolve(function, options.chip.as_ref())?.subgroup();
    let evaluator = Evaluator::new(function, block, subgroup, None);
    let active = activity::active(op, function, &evaluator, scope.level());
    let threads = Threads { scope, block: block.map(|size| size.iter().product()), active };
    clauses.iter().try_for_each(|clause| uniformity::agree("a version's operand", clause.value, &threads, &evaluator))
}

/// The threads that execute an op together; `None` where each thread does for itself.
fn scope(op: OperationRef<'_, '_>) -> Option<Scope> {
    match name(op) {
        copy if CopyOp::is_name(copy) => Some(CopyOp(op).scope()),
        gpu::AllReduceOp::NAME | func::CallOp::NAME => Some(Scope::Cta),
        gpu::SubgroupReduceOp::NAME | gpu::ShuffleOp::NAME | gpu::SubgroupBroadcastOp::NAME => Some(Scope::Warp),
        _ => synchronizes(op).then_some(Scope::Cta),
    }
}
