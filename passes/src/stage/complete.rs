//! What completes an asynchronous copy.

use tile_dialect::ops::CopyOp;
use tile_plan::Aligned;

use crate::build::Builder;
use crate::expand::pointer_to_barrier;

/// Makes the ops that complete `copy` as its clauses say, after the op of its plan.
///
/// A group is closed for a synchronous plan, too: the caller counts groups. A bulk copy carries its barrier itself.
pub fn complete<'c, 'a>(builder: Builder<'c, 'a>, copy: CopyOp<'c, 'a>, plan: &Aligned) {
    if copy.group() {
        builder.op("nvvm.cp.async.commit.group", &[], &[], &[]);
    }
    if let (Some(barrier), Aligned::Partition(_)) = (copy.barrier(), plan) {
        let pointer = pointer_to_barrier(builder, barrier);
        // Each thread was counted when the barrier was initialised: none is added now.
        let noinc = builder.context.integer_attribute(1, 1);
        builder.op("nvvm.cp.async.mbarrier.arrive", &[pointer], &[], &[("noinc", noinc)]);
    }
}
