//! The difference of two index values, where their definitions determine it.
//!
//! ```mlir
//!   %j = arith.addi %i, %c8          %j - %i = 8
//!   %k = arith.muli %i, %c2          %k - %i is not known
//! ```

use std::collections::BTreeMap;
use tile_dialect::ir::Parts;

use melior::ir::{TypeLike, Value, ValueLike};
use tile_dialect::ir::defining_op;
use tile_ops::{arith, index, tile};

use super::begin::Start;
use super::divisibility::{self};
use super::name;
use super::values::key;

/// The maximum number of definitions that are followed along one chain.
const DEPTH: u32 = 32;

/// A number plus multiples of unknown values, by their identity.
#[derive(Clone, Default, PartialEq, Eq)]
struct Sum {
    constant: i64,
    terms: BTreeMap<usize, i64>,
}

/// `to - from`, where that is the same number in every execution.
pub fn between(from: &Start<'_, '_>, to: &Start<'_, '_>) -> Option<i64> {
    let sum = |start: &Start<'_, '_>| {
        let constant = Sum { constant: start.constant, terms: BTreeMap::new() };
        start.values.iter().try_fold(constant, |sum, &value| sum.plus(&of(value, DEPTH)?, 1))
    };
    let difference = sum(to)?.plus(&sum(from)?, -1)?;
    difference.terms.is_empty().then_some(difference.constant)
}

impl Sum {
    /// `self + factor * other`.
    fn plus(mut self, other: &Sum, factor: i64) -> Option<Sum> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (&value, &times) in &other.terms {
            let total = self.terms.get(&value).copied().unwrap_or(0).checked_add(times.checked_mul(factor)?)?;
            match total {
                0 => self.terms.remove(&value),
                total => self.terms.insert(value, total),
            };
        }
        Some(self)
    }
}

/// A value as a sum. Index arithmetic is assumed not to wrap; a narrower integer is one unknown value.
fn of(value: Value<'_, '_>, depth: u32) -> Option<Sum> {
    if let Some(constant) = divisibility::of(value).constant() {
        return Some(Sum { constant, terms: BTreeMap::new() });
    }
    let itself = || Some(Sum { constant: 0, terms: BTreeMap::from([(key(value), 1)]) });
    let Some(op) = defining_op(value).filter(|_| depth > 0 && value.r#type().is_index()) else { return itself() };
    let operand = |index| op.operand_at(index).and_then(|operand| of(operand, depth - 1));
    match name(op) {
        arith::AddIOp::NAME | index::AddOp::NAME => operand(0)?.plus(&operand(1)?, 1),
        arith::SubIOp::NAME | index::SubOp::NAME => operand(0)?.plus(&operand(1)?, -1),
        arith::MulIOp::NAME | index::MulOp::NAME => {
            let (a, b) = (operand(0)?, operand(1)?);
            match (a.terms.is_empty(), b.terms.is_empty()) {
                (true, _) => Sum::default().plus(&b, a.constant),
                (_, true) => Sum::default().plus(&a, b.constant),
                _ => itself(),
            }
        }
        tile::AssumeOp::NAME => operand(0),
        _ => itself(),
    }
}
