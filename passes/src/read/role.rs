//! Roles: the first threads of a block, which take one arm of an `scf.if`, as a block of their own.
//!
//! ```mlir
//!   scf.if %consumes {                       threads 0 to 255 of 384
//!     tile.copy %s to %t scope(cta)          shared by these 256
//!     gpu.barrier                            waits for these 256
//!   } else {
//!     …                                      threads 256 to 383, which are no block of their own
//!   } {tile.role = 256 : i64}
//! ```
//!
//! A thread has the same number in the role and in the block, so nothing in the arm reads differently than in a kernel whose blocks
//! have so many threads. All that asks for the threads of scope `cta`, or of a barrier, asks [`block`] or [`threads`].

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::ROLE;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Parts};
use tile_dialect::ops::integer;
use tile_ops::{Builder, constant, gpu, nvvm, scf};
use tile_plan::problem::threads::ThreadSet;
use tile_plan::problem::uniform::Spread;

use super::error::RoleError;
use super::kernel::{ancestors, region_of};
use super::name;
use super::spread::Evaluator;
use crate::walk;

/// The named barrier of a role, below those of its warpgroups.
pub const BARRIER: i64 = 7;

/// The number of threads of the role that an op is in; `None` outside of roles.
pub fn threads(op: OperationRef<'_, '_>) -> Option<i64> {
    around(op).map(|(_, threads)| threads)
}

/// The number of threads that share what scope `cta` does at an op, in blocks of `block` threads.
///
/// # Errors
/// A role that other threads take than its first ones.
pub fn block(op: OperationRef<'_, '_>, block: Option<i64>, evaluator: &Evaluator) -> Result<Option<i64>, RoleError> {
    let Some((branch, threads)) = around(op) else { return Ok(block) };
    let condition = branch.operand_at(0).map(|condition| evaluator.evaluate(condition));
    let Some(Spread::Each(values)) = condition else { return Err(RoleError::Unknown { threads }) };
    let taken: ThreadSet =
        (0..).zip(values.iter()).filter(|(_, value)| **value == 1).map(|(thread, _)| thread).collect();
    match taken == ThreadSet::range(0, threads) {
        true => Ok(Some(threads)),
        false => Err(RoleError::Others { threads, taken: taken.len() }),
    }
}

/// The innermost role around an op, and the number of its threads.
fn around<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<(OperationRef<'c, 'a>, i64)> {
    let mut inside = op;
    for outer in ancestors(op) {
        if let Some(threads) = integer(outer, ROLE) {
            let is_first = inside.block().and_then(|block| region_of(outer, block)) == Some(0);
            return is_first.then_some((outer, threads));
        }
        inside = outer;
    }
    None
}

/// Makes the barriers of roles below the root wait for the threads of their role; `false`, after errors, where another op than an
/// `scf.if` has the attribute.
pub fn name_barriers(ir: &Ir<'_>) -> bool {
    let mut complete = true;
    for op in walk::matching(ir.root(), |_| true).into_iter().filter(|op| op.has_attribute(ROLE)) {
        if name(op) != scf::IfOp::NAME {
            Diagnostic::error(format!("has {ROLE}, expected it on an {}", scf::IfOp::NAME)).emit(op);
            complete = false;
        }
    }
    for barrier in walk::named(ir.root(), gpu::BarrierOp::NAME) {
        let Some(threads) = threads(barrier) else { continue };
        let builder = Builder::before(ir.rewriter(), barrier);
        let [number, count] = [BARRIER, threads].map(|number| constant::integer(builder, 32, number));
        nvvm::barrier(builder).barrier_id(number).number_of_threads(count).build();
        ir.rewriter().erase(barrier);
    }
    complete
}
