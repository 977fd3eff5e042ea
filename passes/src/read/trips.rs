//! How often each thread of a block goes round a counted loop, where its bounds are known for each thread.
//!
//! ```mlir
//!   scf.for %i = %thread to %c64 step %c64          once, in a block of 64
//!   scf.for %i = %c0 to %warp step %c1              warp 0 skips it, warp 1 goes round once, …
//! ```

use melior::ir::{OperationRef, ValueLike};
use tile_dialect::ir::Parts;
use tile_ops::{affine, scf};
use tile_plan::uniform::Spread;

use super::spread::Evaluator;
use super::values::bounds;
use super::{affine_map, arithmetic};

/// The trip count of an `scf.for` or `affine.for` for each thread, or a single one for all; `None` where it is not known.
pub fn of(op: OperationRef<'_, '_>, evaluator: &Evaluator) -> Option<Vec<i64>> {
    let values = bounds(op);
    let spreads: Vec<Spread> = values.iter().map(|&value| evaluator.evaluate(value)).collect();
    let threads = spreads.iter().map(|spread| match spread {
        Spread::Constant(_) => Some(1),
        Spread::Each(values) => Some(values.len()),
        Spread::Uniform(_) => None,
    });
    let threads = threads.collect::<Option<Vec<_>>>()?.into_iter().max().unwrap_or(1);
    let of_thread = |thread: usize| {
        let values = spreads.iter().map(|spread| spread.at(thread)).collect::<Option<Vec<_>>>()?;
        count(op, &values)
    };
    let counts: Vec<i64> = (0..threads).map(of_thread).collect::<Option<_>>()?;
    Some(counts)
}

/// The trip count for the values of [`bounds`].
fn count(op: OperationRef<'_, '_>, values: &[i64]) -> Option<i64> {
    if let Some(of) = affine::AffineForOp::cast(op) {
        let (lower, upper) = values.split_at_checked(of.lower_bound_operands().count())?;
        let lower = affine_map::results_of(of.lower_bound_map()?, lower)?.into_iter().max()?;
        let upper = affine_map::results_of(of.upper_bound_map()?, upper)?.into_iter().min()?;
        return between(lower.into(), upper.into(), of.step()?.into());
    }
    let &[lower, upper, step] = values else { return None };
    match scf::ForOp::cast(op)?.unsigned_cmp() {
        false => between(lower.into(), upper.into(), step.into()),
        true => {
            let bits = arithmetic::bits(op.operand_at(0)?.r#type())?;
            let natural = |value: i64| i128::from(value) & ((1 << bits.min(64)) - 1);
            between(natural(lower), natural(upper), natural(step))
        }
    }
}

fn between(lower: i128, upper: i128, step: i128) -> Option<i64> {
    let span = (upper - lower).max(0);
    i64::try_from((step > 0).then(|| (span + step - 1) / step)?).ok()
}
