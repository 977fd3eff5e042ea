//! Evaluation of numbers and conditions for one thread.

use super::Flaw;
use crate::ast::{Argument, Compare, Cond, Expr, Program};

/// The evaluating thread and its context.
#[derive(Clone, Copy)]
pub struct Eye<'e> {
    /// The program.
    pub program: &'e Program,
    /// The number of the block.
    pub block: i64,
    /// The number of the thread in it.
    pub thread: i64,
    /// Variables of loops, by number, then by thread.
    pub variables: &'e [Vec<i64>],
}

impl Eye<'_> {
    /// The value of a number.
    ///
    /// # Errors
    /// An expression without a value.
    pub fn number(self, expr: &Expr) -> Result<i64, Flaw> {
        let value_of = |inner: &Expr| self.number(inner);
        Ok(match expr {
            Expr::Const(value) => *value,
            Expr::Argument(number) => match self.program.arguments.get(*number) {
                Some(Argument::Index(value)) => *value,
                _ => return Err(Flaw::Arithmetic),
            },
            Expr::Block(axis) => along(self.block, self.program.grid, *axis),
            Expr::Thread(axis) => along(self.thread, self.program.block, *axis),
            Expr::Linear => self.thread,
            Expr::LinearBlock => self.block,
            Expr::Lane => self.thread % 32,
            Expr::Variable(number) => {
                let values = self.variables.get(*number).ok_or(Flaw::Arithmetic)?;
                *values.get(self.thread as usize).ok_or(Flaw::Arithmetic)?
            }
            Expr::Load(argument, index) => {
                let Some(Argument::Table(values)) = self.program.arguments.get(*argument) else {
                    return Err(Flaw::Arithmetic);
                };
                let index = usize::try_from(value_of(index)?).map_err(|_| Flaw::Arithmetic)?;
                *values.get(index).ok_or(Flaw::Arithmetic)?
            }
            Expr::Add(a, b) => value_of(a)? + value_of(b)?,
            Expr::Mul(a, factor) => value_of(a)? * factor,
            Expr::Div(a, divisor) => positive(value_of(a)?)?.checked_div(*divisor).ok_or(Flaw::Arithmetic)?,
            Expr::Rem(a, divisor) => positive(value_of(a)?)?.checked_rem(*divisor).ok_or(Flaw::Arithmetic)?,
            Expr::Assume(a, divisor) => {
                let value = value_of(a)?;
                if value % divisor != 0 {
                    return Err(Flaw::BrokenPromise);
                }
                value
            }
        })
    }

    /// The value of a condition.
    ///
    /// # Errors
    /// As [`Eye::number`].
    pub fn holds(self, cond: &Cond) -> Result<bool, Flaw> {
        match cond {
            Cond::And(a, b) => Ok(self.holds(a)? & self.holds(b)?),
            Cond::Is(compare, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                Ok(match compare {
                    Compare::Eq => a == b,
                    Compare::Ne => a != b,
                    Compare::Lt => a < b,
                    Compare::Ge => a >= b,
                })
            }
        }
    }
}

/// The coordinate along x, y or z of a linear number.
fn along(number: i64, [x, y, _]: [i64; 3], axis: usize) -> i64 {
    match axis {
        0 => number % x,
        1 => number / x % y,
        _ => number / (x * y),
    }
}

fn positive(value: i64) -> Result<i64, Flaw> {
    if value < 0 { Err(Flaw::Arithmetic) } else { Ok(value) }
}
