//! Counted loops, and the conditions of plans.

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::Parts;
use tile_ops::arith::CmpIPredicate;
use tile_ops::{arith, region, scf};
use tile_plan::address;
use tile_plan::address::{Condition, Test};
use tile_plan::problem::mask::Bounded;
use tile_plan::sides::side::Guard;

use super::index::{Emit, Sum};
use crate::emit::error::EmitError;

/// A condition that may already be decided at compile time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decided<'c, 'a> {
    /// Decided at compile time.
    Known(bool),
    /// Decided at run time.
    Bit(Value<'c, 'a>),
}

impl Decided<'_, '_> {
    /// A condition that always holds.
    pub const ALWAYS: Self = Decided::Known(true);
    /// A condition that never holds.
    pub const NEVER: Self = Decided::Known(false);
}

impl<'c, 'a> Emit<'c, 'a, '_> {
    /// `scf.for` from 0 to `count`; `body` receives the induction variable.
    pub fn repeat(
        &mut self,
        count: i64,
        body: impl FnOnce(&mut Self, Sum<'c, 'a>) -> Result<(), EmitError>,
    ) -> Result<(), EmitError> {
        let (zero, count, one) = (self.number(0), self.number(count), self.number(1));
        let builder = self.kit.builder;
        let inside = builder.body(&[builder.context.index()]);
        let op = scf::r#for(builder, zero, count, one, &[], &[], inside).build().operation();
        self.fill(op, |emit, arguments| body(emit, Sum::value(arguments[0])))
    }

    /// `body` in an `scf.if` on all conditions; without conditions, `body` alone.
    pub fn when(
        &mut self,
        conditions: &[Condition<Sum<'c, 'a>>],
        body: impl FnOnce(&mut Self) -> Result<(), EmitError>,
    ) -> Result<(), EmitError> {
        let mut all = Decided::ALWAYS;
        for condition in conditions {
            let one = match condition.value.known() {
                Some(value) => Decided::Known((Condition { value, test: condition.test }).holds()),
                None if all == Decided::NEVER => Decided::NEVER,
                None => Decided::Bit(self.test(condition)),
            };
            all = self.both(all, one);
        }
        self.when_decided(all, body)
    }

    /// Emits `body` for the case that the condition holds: without a branch if it is known to hold, not at all if it is
    /// known not to.
    pub fn when_decided(
        &mut self,
        condition: Decided<'c, 'a>,
        body: impl FnOnce(&mut Self) -> Result<(), EmitError>,
    ) -> Result<(), EmitError> {
        match condition {
            Decided::Known(true) => body(self),
            Decided::Known(false) => Ok(()),
            Decided::Bit(bit) => self.when_true(bit, body),
        }
    }

    /// Whether both hold.
    pub fn both(&mut self, a: Decided<'c, 'a>, b: Decided<'c, 'a>) -> Decided<'c, 'a> {
        match (a, b) {
            (Decided::Known(false), _) | (_, Decided::Known(false)) => Decided::NEVER,
            (Decided::Known(true), other) | (other, Decided::Known(true)) => other,
            (Decided::Bit(a), Decided::Bit(b)) => Decided::Bit(self.kit.and(a, b)),
        }
    }

    /// Whether all coordinates are within their extents. The comparison is unsigned, so that negative coordinates are
    /// not within either.
    pub fn inside(&mut self, bounded: &[Bounded<Sum<'c, 'a>>]) -> Decided<'c, 'a> {
        let mut all = Decided::ALWAYS;
        for Bounded { place, extent } in bounded {
            let one = match (place.known(), extent.known()) {
                (Some(place), Some(extent)) => Decided::Known((0..extent).contains(&place)),
                _ => {
                    let (place, extent) = (self.materialize(*place), self.materialize(*extent));
                    Decided::Bit(arith::cmpi(self.kit.builder, place, extent, CmpIPredicate::Ult).value())
                }
            };
            all = self.both(all, one);
        }
        all
    }

    /// The value of a body where the condition holds, and `other` where it does not.
    pub fn either(
        &mut self,
        condition: Decided<'c, 'a>,
        body: impl FnOnce(&mut Self) -> Result<Value<'c, 'a>, EmitError>,
        other: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, EmitError> {
        let bit = match condition {
            Decided::Known(true) => return body(self),
            Decided::Known(false) => return Ok(other),
            Decided::Bit(bit) => bit,
        };
        let builder = self.kit.builder;
        let op = scf::r#if(builder, bit, &[other.r#type()], builder.body(&[]), builder.body(&[])).build().operation();
        builder.fill(op, 0, |_| {
            let mut outcome = Ok(());
            self.scoped(|emit| {
                outcome = body(emit).map(|value| {
                    scf::r#yield(builder, &[value]).build();
                });
            });
            outcome
        })?;
        builder.fill(op, 1, |_| {
            scf::r#yield(builder, &[other]).build();
        });
        op.result_at(0).map(Into::into).ok_or(EmitError::NoResult)
    }

    /// `scf.if` on a bit.
    pub fn when_true(
        &mut self,
        condition: Value<'c, 'a>,
        body: impl FnOnce(&mut Self) -> Result<(), EmitError>,
    ) -> Result<(), EmitError> {
        let builder = self.kit.builder;
        let op = scf::r#if(builder, condition, &[], builder.body(&[]), region()).build().operation();
        self.fill(op, |emit, _| body(emit))
    }

    /// The conditions under which a thread of the scope takes part.
    pub fn guard_conditions(&mut self, guards: &[Guard], thread: Sum<'c, 'a>) -> Vec<Condition<Sum<'c, 'a>>> {
        let digit = |&guard: &Guard| Condition { value: address::guard_digit(self, guard, thread), test: Test::Zero };
        guards.iter().map(digit).collect()
    }

    /// `a == b`.
    pub fn equal(&mut self, a: Sum<'c, 'a>, b: i64) -> Value<'c, 'a> {
        self.compare(CmpIPredicate::Eq, a, b)
    }

    /// A condition as a bit. The comparison is unsigned, so that negative values are not within a limit either.
    fn test(&mut self, condition: &Condition<Sum<'c, 'a>>) -> Value<'c, 'a> {
        match condition.test {
            Test::Zero => self.compare(CmpIPredicate::Eq, condition.value, 0),
            Test::Within(limit) => self.compare(CmpIPredicate::Ult, condition.value, limit),
        }
    }

    fn compare(&mut self, predicate: CmpIPredicate, a: Sum<'c, 'a>, b: i64) -> Value<'c, 'a> {
        let (a, b) = (self.materialize(a), self.number(b));
        arith::cmpi(self.kit.builder, a, b, predicate).value()
    }

    /// Builds the body of a structured op's first region, then continues after the op.
    fn fill(
        &mut self,
        op: OperationRef<'c, 'a>,
        body: impl FnOnce(&mut Self, &[Value<'c, 'a>]) -> Result<(), EmitError>,
    ) -> Result<(), EmitError> {
        let builder = self.kit.builder;
        builder.fill(op, 0, |arguments| {
            let mut outcome = Ok(());
            self.scoped(|emit| outcome = body(emit, arguments));
            scf::r#yield(builder, &[]).build();
            outcome
        })
    }
}
