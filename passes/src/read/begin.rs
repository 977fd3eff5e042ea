//! The start of a region or a view: a number plus values known only at run time.
//!
//! ```mlir
//!   %p = tile.subview %a[%i, 8] [16, 64]
//!   tile.copy %p[%j, 32] [8, 32] to …          begins at %i + %j, and at 40
//! ```

use std::rc::Rc;

use melior::ir::Value;
use tile_dialect::ops::Offset;
use tile_ops::{Builder, arith, constant};

use super::divisibility;
use tile_plan::integer::Residue;

/// A sum. Values that are known to be constant are part of the number.
#[derive(Clone, Debug)]
pub struct Start<'c, 'a> {
    /// The number.
    pub constant: i64,
    /// The values that are added at run time.
    pub values: Rc<[Value<'c, 'a>]>,
    /// The residue of the sum.
    pub residue: Residue,
}

impl<'c: 'a, 'a> Start<'c, 'a> {
    /// A number alone, as a start.
    pub fn at(constant: i64) -> Self {
        Start { constant, values: Rc::default(), residue: Residue::exactly(constant) }
    }

    /// An offset of the IR, as a start.
    pub fn of(offset: Offset<'c, 'a>) -> Self {
        match offset {
            Offset::Constant(constant) => Start::at(constant),
            Offset::Value(value) => {
                let residue = divisibility::infer(value);
                match residue.constant() {
                    Some(constant) => Start::at(constant),
                    None => Start { constant: 0, values: Rc::from([value]), residue },
                }
            }
        }
    }

    /// The sum of two; `None` for one beyond 64 bits.
    pub fn plus(&self, other: &Self) -> Option<Self> {
        let constant = self.constant.checked_add(other.constant)?;
        let values = self.values.iter().chain(other.values.iter()).copied().collect();
        Some(Start { constant, values, residue: self.residue.plus(other.residue) })
    }

    /// The number, where nothing is added at run time.
    pub fn known(&self) -> Option<i64> {
        self.values.is_empty().then_some(self.constant)
    }

    /// The sum as a value, made at the builder's insertion point unless the IR has it.
    pub fn value(&self, builder: Builder<'c, 'a>) -> Value<'c, 'a> {
        let add = |sum, value| arith::addi(builder, sum, value).value();
        let values = self.values.iter().copied().reduce(add);
        match (values, self.constant) {
            (Some(values), 0) => values,
            (Some(values), number) => add(values, constant::index(builder, number)),
            (None, number) => constant::index(builder, number),
        }
    }
}
