//! Barriers that all threads of a block must reach.
//!
//! Vulkan leaves this to the program, and browsers reject kernels for which they cannot prove it. So the values that
//! decide whether a barrier is reached must obey the rule of a copy's operands: one value for all threads, proved or
//! promised.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::ir::Parts;
use tile_isa::Scope;
use tile_ops::{gpu, nvvm, scf};
use tile_plan::problem::threads::Threads;
use tile_plan::target::Target;

use crate::error::Error;
use crate::read::divisibility::block;
use crate::read::kernel::ancestors;
use crate::read::spread::Evaluator;
use crate::read::{name, uniformity, values};
use crate::walk;

/// Ops that all threads of a block must reach: barriers, and exchanges between lanes, which become shared memory and
/// barriers.
const OF_BLOCK: [&str; 4] =
    [gpu::BarrierOp::NAME, gpu::AllReduceOp::NAME, gpu::SubgroupReduceOp::NAME, gpu::ShuffleOp::NAME];

/// Checks that every thread of a block reaches the barriers of a kernel.
///
/// # Errors
/// Reported at the first barrier that some threads may not reach: two threads whose values differ, or a value that is
/// not proved uniform.
pub(super) fn check(kernel: OperationRef<'_, '_>, target: &Target) -> Result<(), Error> {
    // A missing size is reported where the kernel is read.
    let Ok(Some(size)) = block::size(kernel) else { return Ok(()) };
    let count = size.iter().product();
    let threads = Threads::all(Scope::Cta, Some(count));
    let evaluator = Evaluator::new(kernel, Some(size), target.subgroup(), None);
    let mut barriers: Vec<_> = OF_BLOCK.iter().flat_map(|barrier| walk::named(kernel, barrier)).collect();
    if count <= tile_isa::WARP {
        barriers.extend(walk::named(kernel, nvvm::SyncWarpOp::NAME));
    }
    for barrier in barriers {
        for (what, value) in ancestors(barrier).flat_map(deciding) {
            if let Err(reason) = uniformity::agree(what, value, &threads, &evaluator) {
                reason.emit(barrier);
                return Err(Error::refused());
            }
        }
    }
    Ok(())
}

/// The values that decide how often the body of an op is executed.
fn deciding<'c: 'a, 'a>(outer: OperationRef<'c, 'a>) -> Vec<(&'static str, Value<'c, 'a>)> {
    const CONDITION: &str = "a condition around a barrier";
    const BOUND: &str = "a bound of a loop around a barrier";
    let all = |what, values: Vec<Value<'c, 'a>>| values.into_iter().map(|value| (what, value)).collect();
    match name(outer) {
        scf::IfOp::NAME | scf::IndexSwitchOp::NAME => all(CONDITION, outer.operands().take(1).collect()),
        scf::ForOp::NAME => all(BOUND, values::bounds(outer)),
        scf::WhileOp::NAME => {
            let before = outer.region_at(0).and_then(|region| region.first_block());
            let end = before.and_then(|block| block.terminator());
            all("the condition of a loop around a barrier", end.and_then(|end| end.operand_at(0)).into_iter().collect())
        }
        _ => Vec::new(),
    }
}
