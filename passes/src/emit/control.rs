//! Loops and conditions.

use melior::ir::operation::OperationBuilder;
use melior::ir::{Block, BlockLike, OperationRef, Region, RegionLike, Type, Value};
use tile_dialect::ir::Parts;
use tile_plan::address::{Condition, Test};
use tile_plan::{Guard, address};

use super::arith::{Emit, Sum};

impl<'c, 'a> Emit<'c, 'a, '_> {
    /// `scf.for` from 0 to `count`; `body` is given the induction variable.
    pub fn repeat(
        &mut self,
        count: i64,
        body: impl FnOnce(&mut Self, Sum<'c, 'a>) -> Result<(), String>,
    ) -> Result<(), String> {
        let (zero, count, one) = (self.number(0), self.number(count), self.number(1));
        let index = self.builder.context.index();
        let region = Region::new();
        region.append_block(Block::new(&[(index, self.builder.location)]));
        let builder = OperationBuilder::new("scf.for", self.builder.location)
            .add_operands(&[zero, count, one])
            .add_regions([region]);
        let op = self.builder.insert(builder, &[]);
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
            decided = Some(
                decided.map_or(holds, |before| self.builder.value("arith.andi", &[before, holds], self.bit(), &[])),
            );
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
        let region = Region::new();
        region.append_block(Block::new(&[]));
        let builder = OperationBuilder::new("scf.if", self.builder.location)
            .add_operands(&[condition])
            .add_regions([region, Region::new()]);
        let op = self.builder.insert(builder, &[]);
        self.fill(op, |emit, _| body(emit))
    }

    /// The conditions under which a thread of the scope takes part.
    pub fn guard_conditions(&mut self, guards: &[Guard], thread: Sum<'c, 'a>) -> Vec<Condition<Sum<'c, 'a>>> {
        let digit = |&guard: &Guard| Condition { value: address::guard_digit(self, guard, thread), test: Test::Zero };
        guards.iter().map(digit).collect()
    }

    /// `a == b`.
    pub fn equal(&mut self, a: Sum<'c, 'a>, b: i64) -> Value<'c, 'a> {
        self.compare(0, a, b)
    }

    /// Unsigned, so that what is below zero is not within either.
    fn test(&mut self, condition: &Condition<Sum<'c, 'a>>) -> Value<'c, 'a> {
        match condition.test {
            Test::Zero => self.compare(0, condition.value, 0),
            Test::Within(limit) => self.compare(6, condition.value, limit),
        }
    }

    /// Predicates are numbered as `arith.cmpi` does: 0 eq, 6 ult.
    fn compare(&mut self, predicate: i64, a: Sum<'c, 'a>, b: i64) -> Value<'c, 'a> {
        let (a, b) = (self.materialize(a), self.number(b));
        let predicate = self.builder.i64(predicate);
        self.builder.value("arith.cmpi", &[a, b], self.bit(), &[("predicate", predicate)])
    }

    fn bit(&self) -> Type<'c> {
        self.builder.context.integer(1)
    }

    /// Makes the body of a structured op's first region, and goes on after the op.
    fn fill(
        &mut self,
        op: OperationRef<'c, 'a>,
        body: impl FnOnce(&mut Self, &[Value<'c, 'a>]) -> Result<(), String>,
    ) -> Result<(), String> {
        let block = op.region_at(0).and_then(|region| region.first_block()).ok_or("has no body")?;
        let arguments: Vec<_> =
            (0..block.argument_count()).filter_map(|index| Some(Value::from(block.argument(index).ok()?))).collect();
        self.builder.rewriter.set_insertion_point_to_end(block);
        let mut outcome = Ok(());
        self.scoped(|emit| outcome = body(emit, &arguments));
        self.builder.op("scf.yield", &[], &[], &[]);
        self.builder.rewriter.set_insertion_point_after(op);
        outcome
    }
}
