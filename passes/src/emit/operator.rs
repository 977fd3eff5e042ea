//! Operators of scans and reductions, and functions that are given as regions.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, ValueLike};
use tile_dialect::ir::{Parts, arguments_of, results_of};
use tile_dialect::ops::{CombineKind, ScanElement};
use tile_ops::constant::{self, ConstantNumber};
use tile_ops::{arith, tile};

use super::{Kit, Val};

/// Two elements combined by a built-in operator.
///
/// # Panics
/// For `custom`, whose region [`inlined`] writes out.
pub fn combined<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kind: CombineKind,
    float: bool,
    a: Val<'c, 'a>,
    b: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let to = kit.builder;
    match (kind, float) {
        (CombineKind::Add, true) => arith::addf(to, a, b).value(),
        (CombineKind::Mul, true) => arith::mulf(to, a, b).value(),
        (CombineKind::Min, true) => arith::minimumf(to, a, b).value(),
        (CombineKind::Max, true) => arith::maximumf(to, a, b).value(),
        (CombineKind::Add, false) => arith::addi(to, a, b).value(),
        (CombineKind::Mul, false) => arith::muli(to, a, b).value(),
        (CombineKind::Min, false) => arith::minsi(to, a, b).value(),
        (CombineKind::Max, false) => arith::maxsi(to, a, b).value(),
        (CombineKind::UMin, _) => arith::minui(to, a, b).value(),
        (CombineKind::UMax, _) => arith::maxui(to, a, b).value(),
        (CombineKind::And, _) => arith::andi(to, a, b).value(),
        (CombineKind::Or, _) => arith::ori(to, a, b).value(),
        (CombineKind::Xor, _) => arith::xori(to, a, b).value(),
        (CombineKind::Custom, _) => unreachable!("the verifier requires a region"),
    }
}

/// What a built-in operator has as the result of no elements; `None` for `custom`.
pub fn identity<'c: 'a, 'a>(kit: Kit<'c, 'a>, kind: CombineKind, element: ScanElement<'c>) -> Option<Val<'c, 'a>> {
    let bits = element.scalar_bits;
    let number = match (kind, element.float) {
        (CombineKind::Custom, _) => return None,
        (CombineKind::Add, true) => ConstantNumber::Float(0.0),
        (CombineKind::Mul, true) => ConstantNumber::Float(1.0),
        (CombineKind::Min, true) => ConstantNumber::Float(f64::INFINITY),
        (CombineKind::Max, true) => ConstantNumber::Float(f64::NEG_INFINITY),
        (CombineKind::Mul, false) => ConstantNumber::Integer(1),
        (CombineKind::And | CombineKind::UMin, false) => ConstantNumber::Integer(-1),
        (CombineKind::Min, false) => ConstantNumber::Integer(i64::MAX >> (64 - bits)),
        (CombineKind::Max, false) => ConstantNumber::Integer(i64::MIN >> (64 - bits)),
        _ => ConstantNumber::Integer(0),
    };
    Some(constant::typed(kit.builder, constant::number(element.r#type, number)))
}

/// What changes no bit of the other operand: the identity, but for sums of floats -0.
pub fn neutral<'c: 'a, 'a>(kit: Kit<'c, 'a>, kind: CombineKind, element: ScanElement<'c>) -> Option<Val<'c, 'a>> {
    match (kind, element.float) {
        (CombineKind::Add, true) => {
            Some(constant::typed(kit.builder, constant::number(element.r#type, ConstantNumber::Float(-0.0))))
        }
        _ => identity(kit, kind, element),
    }
}

/// The ops of a region of one block, written out for these arguments; the values that it yields. Values from outside the region
/// stay what they are.
pub fn inlined<'c: 'a, 'a>(kit: Kit<'c, 'a>, body: BlockRef<'c, 'a>, arguments: &[Val<'c, 'a>]) -> Vec<Val<'c, 'a>> {
    let given = arguments_of(body).into_iter().map(|argument| key(argument.to_raw()));
    let mut values: HashMap<usize, Val<'c, 'a>> = given.zip(arguments.iter().copied()).collect();
    let mut next = body.first_operation();
    while let Some(op) = next {
        let operands = (0..op.operand_count()).filter_map(|index| op.operand_at(index));
        let operands: Vec<Val<'c, 'a>> =
            operands.map(|value| values.get(&key(value.to_raw())).copied().unwrap_or(value)).collect();
        if tile::YieldOp::cast(op).is_some() {
            return operands;
        }
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
