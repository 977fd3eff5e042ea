//! Loops over counts, and conditions of plans.

use melior::ir::{OperationRef, Value};
use tile_ops::arith::CmpIPredicate;
use tile_ops::{arith, region, scf};
use tile_plan::address::{Condition, Test};
use tile_plan::{Guard, address};

use super::index::{Emit, Sum};

impl<'c, 'a> Emit<'c, 'a, '_> {
    /// `scf.for` from 0 to `count`; `body` is given the induction variable.
    pub fn repeat(
        &mut self,
        count: i64,
        body: impl FnOnce(&mut Self, Sum<'c, 'a>) -> Result<(), String>,
    ) -> Result<(), String> {
        let (zero, count, one) = (self.number(0), self.number(count), self.number(1));
        let builder = self.kit.builder;
        let inside = builder.body(&[builder.context.index()]);
        let op = scf::r#for(builder, zero, count, one, &[], &[], inside).build().operation();
        self.fill(op, |emit, arguments| body(emit, Sum::value(arguments[0])))
    }

    /// `scf.if` all conditions hold; without conditions, `body` alone.
    pub fn when(
        &mut self,
        conditions: &[Condition<Sum<'c, 'a>>],
        body: impl FnOnce(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut decided: Option<Value<'c, 'a>> = None;
        for condition in conditions {
            if let Some(value) = condition.value.known() {
                if (Condition { value, test: condition.test }).holds() {
                    continue;
                }
                return Ok(());
            }
            let holds = self.test(condition);
            decided = Some(decided.map_or(holds, |before| self.kit.and(before, holds)));
        }
        match decided {
            None => body(self),
            Some(condition) => self.when_true(condition, body),
        }
    }

    /// `scf.if` on a bit.
    pub fn when_true(
        &mut self,
        condition: Value<'c, 'a>,
        body: impl FnOnce(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
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

    /// Unsigned, so that what is below zero is not within either.
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

    /// Makes the body of a structured op's first region, and goes on after the op.
    fn fill(
        &mut self,
        op: OperationRef<'c, 'a>,
        body: impl FnOnce(&mut Self, &[Value<'c, 'a>]) -> Result<(), String>,
    ) -> Result<(), String> {
        let builder = self.kit.builder;
        builder.fill(op, 0, |arguments| {
            let mut outcome = Ok(());
            self.scoped(|emit| outcome = body(emit, arguments));
            scf::r#yield(builder, &[]).build();
            outcome
        })
    }
}
