//! Functions of 16-bit floats, two elements at a time: those that share a 32-bit register.
//!
//! ```text
//!   registers 0, 1 of x ──┐ vector<2xf16>
//!                         ├─ arith.addf ─▶ registers 0, 1 of r      add.f16x2
//!   register 0 of m, twice┘
//! ```
//! Each op rounds each element as it does alone, so the results are the same bits.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, OperationRef, Type, TypeLike, Value, ValueLike};
use tile_dialect::ir::{Parts, arguments_of, results_of};
use tile_ops::arith::{self, FastMathFlags};
use tile_ops::{Builder, vector};

use crate::emit::Kit;
use crate::read::name;
use crate::read::values::key;

/// A function all of whose ops have a form on pairs.
pub struct PackedFunction<'c, 'a> {
    body: BlockRef<'c, 'a>,
    pair: Type<'c>,
}

impl<'c: 'a, 'a> PackedFunction<'c, 'a> {
    /// A function of elements of that type; `None` where it is not computed on pairs.
    pub fn of(body: BlockRef<'c, 'a>, element: Type<'c>) -> Option<Self> {
        let is_element = |value: Value<'c, 'a>| value.r#type() == element;
        let mut op = body.first_operation();
        let end = body.terminator()?;
        while let Some(inner) = op.filter(|&inner| inner != end) {
            let values = (0..inner.operand_count()).filter_map(|at| inner.operand_at(at)).chain(results_of(inner));
            let is_packed = flags(inner).is_some() || name(inner) == arith::ConstantOp::NAME;
            if !is_packed || !values.into_iter().all(is_element) {
                return None;
            }
            op = inner.next_in_block();
        }
        let is_float = element.is_f16() || element.is_bf16();
        let all = arguments_of(body).into_iter().all(is_element);
        (is_float && all).then(|| PackedFunction { body, pair: Type::vector(&[2], element) })
    }

    /// The region.
    pub fn body(&self) -> BlockRef<'c, 'a> {
        self.body
    }

    /// What it yields for pairs as arguments. Values from outside of it, and constants, are the same for both elements.
    pub fn of_pairs(&self, kit: Kit<'c, 'a>, arguments: &[Value<'c, 'a>]) -> Vec<Value<'c, 'a>> {
        let given = arguments_of(self.body).into_iter().map(key);
        let mut pairs: HashMap<usize, Value<'c, 'a>> = given.zip(arguments.iter().copied()).collect();
        let mut next = self.body.first_operation();
        while let Some(op) = next {
            let mut pair = |value: Value<'c, 'a>| *pairs.entry(key(value)).or_insert_with(|| self.both(kit, value));
            if name(op) == arith::ConstantOp::NAME {
                let scalars = results_of(kit.builder.rewriter.insert_clone(op, &[]));
                let made: Vec<_> = scalars.into_iter().map(|value| self.both(kit, value)).collect();
                pairs.extend(results_of(op).into_iter().map(key).zip(made));
            } else {
                let operands: Vec<_> =
                    (0..op.operand_count()).filter_map(|at| op.operand_at(at)).map(&mut pair).collect();
                let Some(made) = packed(kit.builder, op, &operands) else { return operands };
                pairs.extend(results_of(op).into_iter().map(|value| (key(value), made)));
            }
            next = op.next_in_block();
        }
        Vec::new()
    }

    /// The same value twice.
    pub fn both(&self, kit: Kit<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
        vector::broadcast(kit.builder, value, self.pair).value()
    }
}

/// The flags of an op that has a form on pairs.
fn flags(op: OperationRef<'_, '_>) -> Option<FastMathFlags> {
    None.or_else(|| arith::AddFOp::cast(op)?.fastmath())
        .or_else(|| arith::SubFOp::cast(op)?.fastmath())
        .or_else(|| arith::MulFOp::cast(op)?.fastmath())
        .or_else(|| arith::NegFOp::cast(op)?.fastmath())
        .or_else(|| arith::MaximumFOp::cast(op)?.fastmath())
        .or_else(|| arith::MinimumFOp::cast(op)?.fastmath())
        .or_else(|| arith::MaxNumFOp::cast(op)?.fastmath())
        .or_else(|| arith::MinNumFOp::cast(op)?.fastmath())
}

/// An op on pairs; `None` for one that has no such form.
fn packed<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Option<Value<'c, 'a>> {
    let flags = flags(op)?;
    let &[a, ref rest @ ..] = operands else { return None };
    let b = rest.first().copied().unwrap_or(a);
    Some(match name(op) {
        arith::AddFOp::NAME => arith::addf(builder, a, b).fastmath(flags).value(),
        arith::SubFOp::NAME => arith::subf(builder, a, b).fastmath(flags).value(),
        arith::MulFOp::NAME => arith::mulf(builder, a, b).fastmath(flags).value(),
        arith::NegFOp::NAME => arith::negf(builder, a).fastmath(flags).value(),
        arith::MaximumFOp::NAME => arith::maximumf(builder, a, b).fastmath(flags).value(),
        arith::MinimumFOp::NAME => arith::minimumf(builder, a, b).fastmath(flags).value(),
        arith::MaxNumFOp::NAME => arith::maxnumf(builder, a, b).fastmath(flags).value(),
        arith::MinNumFOp::NAME => arith::minnumf(builder, a, b).fastmath(flags).value(),
        _ => return None,
    })
}
