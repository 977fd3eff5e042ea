//! How often each thread of a block goes round a counted loop, where its bounds are known for each thread.
//!
//! ```mlir
//!   scf.for %i = %thread to %c64 step %c64          once, in a block of 64
//!   scf.for %i = %c0 to %warp step %c1              warp 0 skips it, warp 1 goes round once, …
//! ```

use melior::ir::{OperationRef, RegionLike};
use tile_dialect::ir::{Arguments, Parts};
use tile_plan::problem::uniform::Spread;

use super::spread::{Counted, Evaluator};

/// The trip count of an `scf.for` for each thread, or a single one for all; `None` where it is not known.
pub fn counts(op: OperationRef<'_, '_>, evaluator: &Evaluator) -> Option<Vec<i64>> {
    let variable = op.region_at(0)?.first_block()?.argument_at(0)?;
    let counted = evaluator.counted(variable.into())?;
    let threads = counted.bounds.iter().map(|spread| match spread {
        Spread::Constant(_) => Some(1),
        Spread::Each(values) => Some(values.len()),
        Spread::Uniform(_) => None,
    });
    let threads = threads.collect::<Option<Vec<_>>>()?.into_iter().max().unwrap_or(1);
    (0..threads).map(|thread| count(&counted, thread)).collect()
}

/// The trip count for one thread.
fn count(counted: &Counted, thread: usize) -> Option<i64> {
    let natural = |value: i64| match counted.unsigned {
        true => i128::from(value) & ((1 << counted.bits.min(64)) - 1),
        false => value.into(),
    };
    let [lower, upper, step] = [0, 1, 2].map(|at| counted.bounds[at].at(thread).map(natural));
    let (lower, upper, step) = (lower?, upper?, step?);
    let span = (upper - lower).max(0);
    i64::try_from((step > 0).then(|| (span + step - 1) / step)?).ok()
}
