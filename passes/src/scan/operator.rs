//! Code that combines elements.

use std::collections::HashMap;
use tile_dialect::ir::{Parts, results_of};

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, ValueLike};
use tile_dialect::ops::{ScanKind, ScanOp};
use tile_ops::constant::{self, Number};
use tile_ops::{arith, tile};

use super::element::Element;
use crate::emit::{Kit, Val};

/// The operator of a scan.
#[derive(Clone, Copy)]
pub struct Operator<'c, 'a> {
    /// The element that it combines.
    pub element: Element<'c>,
    kind: ScanKind,
    body: Option<BlockRef<'c, 'a>>,
}

/// An element that may be missing, as there is nothing before the first one.
#[derive(Clone, Copy)]
pub struct Maybe<'c, 'a> {
    /// The element; an arbitrary value where it is missing.
    pub value: Val<'c, 'a>,
    /// A bit that says whether it is present; `None` where it always is.
    pub there: Option<Val<'c, 'a>>,
}

impl<'c, 'a> Maybe<'c, 'a> {
    /// An element that is always present.
    pub fn always(value: Val<'c, 'a>) -> Self {
        Maybe { value, there: None }
    }

    /// An element that is present where the bit is set.
    pub fn where_set(value: Val<'c, 'a>, bit: Val<'c, 'a>) -> Self {
        Maybe { value, there: Some(bit) }
    }
}

impl<'c: 'a, 'a> Operator<'c, 'a> {
    /// The operator of an op whose verifier has run.
    pub fn new(op: ScanOp<'c, 'a>) -> Option<Self> {
        Some(Operator { element: Element(op.element()?), kind: op.kind(), body: op.combine() })
    }

    /// Whether the operator is known to commute. An operator given as a region is not.
    pub fn commutes(&self) -> bool {
        self.kind != ScanKind::Custom
    }

    /// `left` combined with `right`.
    pub fn combine(&self, kit: Kit<'c, 'a>, left: Val<'c, 'a>, right: Val<'c, 'a>) -> Val<'c, 'a> {
        match self.body {
            Some(body) => inlined(kit, body, [left, right]),
            None => built_in(kit, self.kind, self.element.0.float, left, right),
        }
    }

    /// The same where the left one may be missing.
    pub fn after(&self, kit: Kit<'c, 'a>, left: Maybe<'c, 'a>, right: Val<'c, 'a>) -> Val<'c, 'a> {
        let both = self.combine(kit, left.value, right);
        left.there.map_or(both, |there| kit.select(there, both, right))
    }

    /// The same where both may be missing.
    pub fn join(&self, kit: Kit<'c, 'a>, left: Maybe<'c, 'a>, right: Maybe<'c, 'a>) -> Maybe<'c, 'a> {
        let both = self.after(kit, left, right.value);
        let Some(there) = right.there else { return Maybe::always(both) };
        let value = kit.select(there, both, left.value);
        Maybe { value, there: left.there.map(|left| kit.or(left, there)) }
    }

    /// The identity, with which an exclusive scan without an initial value starts.
    pub fn identity(&self, kit: Kit<'c, 'a>) -> Option<Val<'c, 'a>> {
        let bits = self.element.0.scalar_bits;
        let number = match (self.kind, self.element.0.float) {
            (ScanKind::Custom, _) => return None,
            (ScanKind::Add, true) => Number::Float(0.0),
            (ScanKind::Mul, true) => Number::Float(1.0),
            (ScanKind::Min, true) => Number::Float(f64::INFINITY),
            (ScanKind::Max, true) => Number::Float(f64::NEG_INFINITY),
            (ScanKind::Mul, false) => Number::Integer(1),
            (ScanKind::And | ScanKind::UMin, false) => Number::Integer(-1),
            (ScanKind::Min, false) => Number::Integer(i64::MAX >> (64 - bits)),
            (ScanKind::Max, false) => Number::Integer(i64::MIN >> (64 - bits)),
            _ => Number::Integer(0),
        };
        Some(constant::typed(kit.builder, constant::number(self.element.0.r#type, number)))
    }
}

fn built_in<'c: 'a, 'a>(kit: Kit<'c, 'a>, kind: ScanKind, float: bool, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
    let to = kit.builder;
    match (kind, float) {
        (ScanKind::Add, true) => arith::addf(to, a, b).value(),
        (ScanKind::Mul, true) => arith::mulf(to, a, b).value(),
        (ScanKind::Min, true) => arith::minimumf(to, a, b).value(),
        (ScanKind::Max, true) => arith::maximumf(to, a, b).value(),
        (ScanKind::Add, false) => arith::addi(to, a, b).value(),
        (ScanKind::Mul, false) => arith::muli(to, a, b).value(),
        (ScanKind::Min, false) => arith::minsi(to, a, b).value(),
        (ScanKind::Max, false) => arith::maxsi(to, a, b).value(),
        (ScanKind::UMin, _) => arith::minui(to, a, b).value(),
        (ScanKind::UMax, _) => arith::maxui(to, a, b).value(),
        (ScanKind::And, _) => arith::andi(to, a, b).value(),
        (ScanKind::Or, _) => arith::ori(to, a, b).value(),
        (ScanKind::Xor, _) => arith::xori(to, a, b).value(),
        (ScanKind::Custom, _) => unreachable!("the verifier requires a region"),
    }
}

/// Clones the ops of a combining region for two values, and returns the value that it yields.
fn inlined<'c: 'a, 'a>(kit: Kit<'c, 'a>, body: BlockRef<'c, 'a>, arguments: [Val<'c, 'a>; 2]) -> Val<'c, 'a> {
    let mut values: HashMap<usize, Val<'c, 'a>> = HashMap::new();
    for (index, value) in arguments.into_iter().enumerate() {
        let argument = body.argument(index).expect("the region takes two elements");
        values.insert(key(argument.to_raw()), value);
    }
    let mut next = body.first_operation();
    while let Some(op) = next {
        let operand = |index| {
            let value: Val<'c, 'a> = op.operand_at(index).expect("the op has that operand");
            values[&key(value.to_raw())]
        };
        if tile::YieldOp::cast(op).is_some() {
            return operand(0);
        }
        let operands: Vec<_> = (0..op.operand_count()).map(operand).collect();
        let copy = kit.builder.rewriter.insert_clone(op, &operands);
        for (given, made) in results_of(op).into_iter().zip(results_of(copy)) {
            values.insert(key(given.to_raw()), made);
        }
        next = op.next_in_block();
    }
    unreachable!("the verifier requires tile.yield")
}

fn key(value: mlir_sys::MlirValue) -> usize {
    value.ptr as usize
}
