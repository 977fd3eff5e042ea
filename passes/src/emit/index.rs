//! Index arithmetic that writes ops: the second interpreter of the planner's address formulas.
//!
//! A value is the sum of SSA values and a constant, so that the addresses of unrolled rounds differ only in a
//! constant, and those of loops only in what is added last. Equal ops are made once; constants are made once per function.

use melior::ir::Value;
use rustc_hash::FxHashMap;
use tile_layout::IndexArith;
use tile_layout::arith::floor_steps;
use tile_ops::{Builder, Draft, OneResult, Op, arith};

use super::Kit;
use super::function::Function;
use crate::read::values::key;

/// `base + last + constant`, never negative.
#[derive(Clone, Copy, Debug)]
pub struct Sum<'c, 'a> {
    base: Option<Value<'c, 'a>>,
    /// What is added to an address after everything else that is not constant.
    last: Option<Value<'c, 'a>>,
    constant: i64,
}

impl<'c, 'a> Sum<'c, 'a> {
    /// A number.
    pub fn constant(value: i64) -> Self {
        Sum { base: None, last: None, constant: value }
    }

    /// An index value.
    pub fn value(value: Value<'c, 'a>) -> Self {
        Sum { base: Some(value), last: None, constant: 0 }
    }

    /// The number, when there is no run-time part.
    pub fn known(self) -> Option<i64> {
        (self.base.is_none() && self.last.is_none()).then_some(self.constant)
    }
}

/// A function that makes an op on two values.
type Make<'c, 'a, T> = fn(Builder<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>) -> Draft<'c, 'a, T>;

/// Writes index arithmetic at the builder's insertion point.
pub struct Emit<'c, 'a, 'f> {
    /// Makes ops at the insertion point.
    pub kit: Kit<'c, 'a>,
    /// The enclosing function.
    pub function: &'f Function<'c, 'a>,
    made: FxHashMap<(&'static str, usize, usize), Value<'c, 'a>>,
}

impl<'c, 'a, 'f> Emit<'c, 'a, 'f> {
    /// An emitter for ops at the builder's insertion point.
    pub fn new(builder: Builder<'c, 'a>, function: &'f Function<'c, 'a>) -> Self {
        Emit { kit: Kit::new(builder), function, made: FxHashMap::default() }
    }

    /// The sum as an SSA value.
    pub fn materialize(&mut self, sum: Sum<'c, 'a>) -> Value<'c, 'a> {
        match self.sum_of(sum.base, sum.last) {
            None => self.number(sum.constant),
            Some(base) if sum.constant == 0 => base,
            Some(base) => {
                let constant = self.number(sum.constant);
                self.binary(arith::addi, base, constant)
            }
        }
    }

    /// The sum of two values, where there are two.
    fn sum_of(&mut self, a: Option<Value<'c, 'a>>, b: Option<Value<'c, 'a>>) -> Option<Value<'c, 'a>> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.binary(arith::addi, a, b)),
            (one, other) => one.or(other),
        }
    }

    /// A constant of the function.
    pub fn number(&self, value: i64) -> Value<'c, 'a> {
        self.function.constant(self.kit.builder, value)
    }

    /// Runs `body`; values that it makes are not reused after it. For the inside of a region.
    pub fn scoped(&mut self, body: impl FnOnce(&mut Self)) {
        let outer = self.made.clone();
        body(self);
        self.made = outer;
    }

    fn binary<T: Op<'c, 'a> + OneResult>(
        &mut self,
        make: Make<'c, 'a, T>,
        a: Value<'c, 'a>,
        b: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let known = (T::OP_NAME, key(a), key(b));
        if let Some(&made) = self.made.get(&known) {
            return made;
        }
        let result = make(self.kit.builder, a, b).value();
        self.made.insert(known, result);
        result
    }

    /// An op on values, at least one of which is not constant.
    fn apply<T: Op<'c, 'a> + OneResult>(
        &mut self,
        make: Make<'c, 'a, T>,
        a: Sum<'c, 'a>,
        b: Sum<'c, 'a>,
    ) -> Sum<'c, 'a> {
        let (a, b) = (self.materialize(a), self.materialize(b));
        Sum::value(self.binary(make, a, b))
    }

    fn folded<T: Op<'c, 'a> + OneResult>(
        &mut self,
        make: Make<'c, 'a, T>,
        a: Sum<'c, 'a>,
        b: Sum<'c, 'a>,
        fold: impl FnOnce(&mut tile_layout::Eval, i64, i64) -> i64,
    ) -> Sum<'c, 'a> {
        match (a.known(), b.known()) {
            (Some(a), Some(b)) => Sum::constant(fold(&mut tile_layout::Eval, a, b)),
            _ => self.apply(make, a, b),
        }
    }
}

impl<'c, 'a> IndexArith for Emit<'c, 'a, '_> {
    type Value = Sum<'c, 'a>;

    fn constant(&mut self, value: i64) -> Sum<'c, 'a> {
        Sum::constant(value)
    }

    fn add(&mut self, a: Sum<'c, 'a>, b: Sum<'c, 'a>) -> Sum<'c, 'a> {
        let (base, last) = (self.sum_of(a.base, b.base), self.sum_of(a.last, b.last));
        Sum { base, last, constant: a.constant.wrapping_add(b.constant) }
    }

    fn is_constant(&self, value: &Sum<'c, 'a>) -> bool {
        value.known().is_some()
    }

    fn last(&mut self, a: Sum<'c, 'a>) -> Sum<'c, 'a> {
        Sum { base: None, last: self.sum_of(a.base, a.last), constant: a.constant }
    }

    fn sub(&mut self, a: Sum<'c, 'a>, b: Sum<'c, 'a>) -> Sum<'c, 'a> {
        match b.known() {
            Some(b) => Sum { constant: a.constant.wrapping_sub(b), ..a },
            None => self.apply(arith::subi, a, b),
        }
    }

    fn mul(&mut self, a: Sum<'c, 'a>, b: Sum<'c, 'a>) -> Sum<'c, 'a> {
        match (a.known(), b.known()) {
            (Some(0), _) | (_, Some(0)) => Sum::constant(0),
            (None, Some(1)) => a,
            (Some(1), None) => b,
            (None, Some(factor)) => self.times(a, factor),
            (Some(factor), None) => self.times(b, factor),
            _ => self.folded(arith::muli, a, b, |eval, a, b| eval.mul(a, b)),
        }
    }

    /// Formulas divide only non-negative values, apart from values that a later condition checks for being negative.
    fn div(&mut self, a: Sum<'c, 'a>, b: Sum<'c, 'a>) -> Sum<'c, 'a> {
        if b.known() == Some(1) {
            return a;
        }
        self.folded(arith::divui, a, b, |eval, a, b| eval.div(a, b))
    }

    fn floor_div(&mut self, a: Sum<'c, 'a>, b: i64) -> Sum<'c, 'a> {
        if let Some(a) = a.known() {
            return Sum::constant(a.div_euclid(b));
        }
        if b.count_ones() == 1 {
            return self.apply(arith::shrsi, a, Sum::constant(i64::from(b.trailing_zeros())));
        }
        // No value that occurs in an address is less than -2^61.
        let steps = floor_steps(b);
        let up = self.add(a, Sum::constant(steps.wrapping_mul(b)));
        let quotient = self.div(up, Sum::constant(b));
        self.add(quotient, Sum::constant(-steps))
    }

    fn rem(&mut self, a: Sum<'c, 'a>, b: Sum<'c, 'a>) -> Sum<'c, 'a> {
        if b.known() == Some(1) {
            return Sum::constant(0);
        }
        self.folded(arith::remui, a, b, |eval, a, b| eval.rem(a, b))
    }

    fn xor(&mut self, a: Sum<'c, 'a>, b: Sum<'c, 'a>) -> Sum<'c, 'a> {
        self.folded(arith::xori, a, b, |eval, a, b| eval.xor(a, b))
    }

    fn and(&mut self, a: Sum<'c, 'a>, b: Sum<'c, 'a>) -> Sum<'c, 'a> {
        self.folded(arith::andi, a, b, |eval, a, b| eval.and(a, b))
    }

    fn shl(&mut self, a: Sum<'c, 'a>, b: Sum<'c, 'a>) -> Sum<'c, 'a> {
        self.folded(arith::shli, a, b, |eval, a, b| eval.shl(a, b))
    }

    fn shr(&mut self, a: Sum<'c, 'a>, b: Sum<'c, 'a>) -> Sum<'c, 'a> {
        self.folded(arith::shrui, a, b, |eval, a, b| eval.shr(a, b))
    }
}

impl<'c, 'a> Emit<'c, 'a, '_> {
    fn times(&mut self, a: Sum<'c, 'a>, factor: i64) -> Sum<'c, 'a> {
        let mut scaled = |value: Option<Value<'c, 'a>>| {
            value.map(|value| {
                let factor = self.number(factor);
                self.binary(arith::muli, value, factor)
            })
        };
        Sum { base: scaled(a.base), last: scaled(a.last), constant: a.constant.wrapping_mul(factor) }
    }
}
