//! Operators of scans and reductions, and functions that are given as regions.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, ValueLike};
use tile_dialect::ir::{Parts, arguments_of, results_of};
use tile_dialect::ops::CombineKind;
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
