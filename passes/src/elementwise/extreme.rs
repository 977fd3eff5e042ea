//! The smaller or larger of two elements, with its index.
//!
//! ```text
//!   in order     left if left >= right, or left is NaN        so the lower index of equal elements, and of NaNs
//!   any order    the same, of the one with the lower index and the other
//! ```

use melior::ir::Value;
use tile_dialect::ops::Extreme;
use tile_ops::arith::{self, CmpFPredicate};

use super::combine::{Elements, scalar};
use crate::emit::{Cmp, Kit};

/// One of two elements. Both are an element and its index; `left` has the lower one.
pub fn of_ordered<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    extreme: Extreme,
    left: &[Value<'c, 'a>],
    right: &[Value<'c, 'a>],
) -> Elements<'c, 'a> {
    let is_left = is_first(kit, extreme, left[0], right[0]);
    let pairs = left.iter().zip(right);
    pairs.map(|(&left, &right)| kit.select(is_left, left, right)).collect()
}

/// One of two elements. Both are an element and its index.
pub fn of_any<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    extreme: Extreme,
    one: &[Value<'c, 'a>],
    other: &[Value<'c, 'a>],
) -> Elements<'c, 'a> {
    let is_ordered = kit.cmp(Cmp::Slt, one[1], other[1]);
    let chosen = |then: &[Value<'c, 'a>], otherwise: &[Value<'c, 'a>]| -> Elements<'c, 'a> {
        then.iter().zip(otherwise).map(|(&then, &otherwise)| kit.select(is_ordered, then, otherwise)).collect()
    };
    of_ordered(kit, extreme, &chosen(one, other), &chosen(other, one))
}

/// Whether the element with the lower index is the result.
fn is_first<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    extreme: Extreme,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Value<'c, 'a> {
    if !scalar(left).is_some_and(|scalar| scalar.float) {
        let predicate = if extreme == Extreme::Max { Cmp::Sge } else { Cmp::Sle };
        return kit.cmp(predicate, left, right);
    }
    let predicate = if extreme == Extreme::Max { CmpFPredicate::Oge } else { CmpFPredicate::Ole };
    let is_beyond = arith::cmpf(kit.builder, left, right, predicate).value();
    let is_nan = arith::cmpf(kit.builder, left, left, CmpFPredicate::Uno).value();
    kit.or(is_beyond, is_nan)
}
