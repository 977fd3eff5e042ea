//! The difference of two index values, where their definitions determine it.
//!
//! ```mlir
//!   %j = arith.addi %i, %c8          %j - %i = 8
//!   %k = arith.muli %i, %c2          %k - %i is not known
//! ```

use tile_plan::terms::Linear;

use super::begin::Start;
use super::divisibility::DivisibilitySearch;

/// `to - from`, where that is the same number in every execution.
pub fn between(from: &Start<'_, '_>, to: &Start<'_, '_>) -> Option<i64> {
    let mut search = DivisibilitySearch::default();
    let mut sum = |start: &Start<'_, '_>| {
        let constant = Linear::constant(start.constant.into());
        start.values.iter().try_fold(constant, |sum, &value| sum.plus(&search.sum(value)?, 1))
    };
    let (from, to) = (sum(from)?, sum(to)?);
    i64::try_from(to.plus(&from, -1)?.as_constant()?).ok()
}
