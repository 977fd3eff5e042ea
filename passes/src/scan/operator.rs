//! Combining elements.

use std::collections::HashMap;
use tile_dialect::ir::Parts;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, ValueLike};
use tile_dialect::ops::{ScanKind, ScanOp};

use super::element::Element;
use super::emit::{Kit, Val};
use crate::build::result_of;

/// The operator of a scan.
#[derive(Clone, Copy)]
pub struct Operator<'c, 'a> {
    /// What it combines.
    pub element: Element<'c>,
    kind: ScanKind,
    body: Option<BlockRef<'c, 'a>>,
}

/// An element that may be missing: there is nothing before the first one.
#[derive(Clone, Copy)]
pub struct Maybe<'c, 'a> {
    /// Any value where it is missing.
    pub value: Val<'c, 'a>,
    /// A bit; `None` where it is always there.
    pub there: Option<Val<'c, 'a>>,
}

impl<'c, 'a> Maybe<'c, 'a> {
    /// An element that is there.
    pub fn always(value: Val<'c, 'a>) -> Self {
        Maybe { value, there: None }
    }

    /// An element that is there where the bit is set.
    pub fn where_set(value: Val<'c, 'a>, bit: Val<'c, 'a>) -> Self {
        Maybe { value, there: Some(bit) }
    }
}

impl<'c: 'a, 'a> Operator<'c, 'a> {
    /// The operator of an op whose verifier has run.
    pub fn new(op: ScanOp<'c, 'a>) -> Option<Self> {
        Some(Operator { element: Element(op.element()?), kind: op.kind(), body: op.combine() })
    }

    /// May operands change places? That of a region is not known to let them.
    pub fn commutes(&self) -> bool {
        self.kind != ScanKind::Custom
    }

    /// `left` and then `right`.
    pub fn combine(&self, kit: Kit<'c, 'a>, left: Val<'c, 'a>, right: Val<'c, 'a>) -> Val<'c, 'a> {
        match self.body {
            Some(body) => inlined(kit, body, [left, right]),
            None => kit.same(built_in(self.kind, self.element.0.float), &[left, right]),
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

    /// What an exclusive scan without a first value begins with.
    pub fn identity(&self, kit: Kit<'c, 'a>) -> Option<Val<'c, 'a>> {
        let scalar = self.element.0.scalar;
        let bits = self.element.0.scalar_bits;
        let number = match (self.kind, self.element.0.float) {
            (ScanKind::Custom, _) => return None,
            (ScanKind::Add, true) => "0.0".to_owned(),
            (ScanKind::Mul, true) => "1.0".to_owned(),
            (ScanKind::Min, true) => infinity(&scalar.to_string(), false),
            (ScanKind::Max, true) => infinity(&scalar.to_string(), true),
            (ScanKind::Mul, false) => "1".to_owned(),
            (ScanKind::And | ScanKind::UMin, false) => "-1".to_owned(),
            (ScanKind::Min, false) => (i64::MAX >> (64 - bits)).to_string(),
            (ScanKind::Max, false) => (i64::MIN >> (64 - bits)).to_string(),
            _ => "0".to_owned(),
        };
        let r#type = self.element.0.r#type;
        let text = if r#type == scalar { format!("{number} : {type}") } else { format!("dense<{number}> : {type}") };
        let value = ("value", kit.builder.parse(&text));
        Some(kit.builder.value("arith.constant", &[], r#type, &[value]))
    }
}

/// An infinity by its bits, as MLIR reads floats.
fn infinity(r#type: &str, negative: bool) -> String {
    let bits = match (r#type, negative) {
        ("f16", false) => "0x7C00",
        ("f16", true) => "0xFC00",
        ("bf16", false) => "0x7F80",
        ("bf16", true) => "0xFF80",
        ("f32", false) => "0x7F800000",
        ("f32", true) => "0xFF800000",
        (_, false) => "0x7FF0000000000000",
        (_, true) => "0xFFF0000000000000",
    };
    bits.to_owned()
}

fn built_in(kind: ScanKind, float: bool) -> &'static str {
    match (kind, float) {
        (ScanKind::Add, true) => "arith.addf",
        (ScanKind::Mul, true) => "arith.mulf",
        (ScanKind::Min, true) => "arith.minimumf",
        (ScanKind::Max, true) => "arith.maximumf",
        (ScanKind::Add, false) => "arith.addi",
        (ScanKind::Mul, false) => "arith.muli",
        (ScanKind::Min, false) => "arith.minsi",
        (ScanKind::Max, false) => "arith.maxsi",
        (ScanKind::UMin, _) => "arith.minui",
        (ScanKind::UMax, _) => "arith.maxui",
        (ScanKind::And, _) => "arith.andi",
        (ScanKind::Or, _) => "arith.ori",
        (ScanKind::Xor, _) => "arith.xori",
        (ScanKind::Custom, _) => unreachable!("the verifier requires a region"),
    }
}

/// The ops of a combining region on two values; what it yields.
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
        if crate::read::name(op) == "tile.yield" {
            return operand(0);
        }
        let operands: Vec<_> = (0..op.operand_count()).map(operand).collect();
        let copy = kit.builder.rewriter.insert_clone(op, &operands);
        for index in 0..op.result_count() {
            values.insert(key(result_of(op, index).to_raw()), result_of(copy, index));
        }
        next = op.next_in_block();
    }
    unreachable!("the verifier requires tile.yield")
}

fn key(value: mlir_sys::MlirValue) -> usize {
    value.ptr as usize
}
