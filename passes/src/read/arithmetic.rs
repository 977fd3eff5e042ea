//! Integer ops on known operands.

use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Type, TypeLike, ValueLike};
use tile_dialect::ir::Parts;
use tile_dialect::memref::bit_width;
use tile_ops::arith::CmpIPredicate;
use tile_ops::index::IndexCmpPredicate;
use tile_ops::{arith, index, tile};

use super::name;

/// What an op computes.
#[derive(Clone, Copy)]
enum Operation {
    Add,
    Sub,
    Mul,
    DivSigned,
    DivFloor,
    DivCeil,
    RemSigned,
    DivUnsigned,
    DivCeilUnsigned,
    RemUnsigned,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
    MinSigned,
    MaxSigned,
    MinUnsigned,
    MaxUnsigned,
    Compare,
    Select,
    Unsigned,
    Signed,
}

impl Operation {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            arith::AddIOp::NAME | index::AddOp::NAME => Operation::Add,
            arith::SubIOp::NAME | index::SubOp::NAME => Operation::Sub,
            arith::MulIOp::NAME | index::MulOp::NAME => Operation::Mul,
            arith::DivSIOp::NAME | index::DivSOp::NAME => Operation::DivSigned,
            arith::FloorDivSIOp::NAME | index::FloorDivSOp::NAME => Operation::DivFloor,
            arith::CeilDivSIOp::NAME | index::CeilDivSOp::NAME => Operation::DivCeil,
            arith::RemSIOp::NAME | index::RemSOp::NAME => Operation::RemSigned,
            arith::DivUIOp::NAME | index::DivUOp::NAME => Operation::DivUnsigned,
            arith::CeilDivUIOp::NAME | index::CeilDivUOp::NAME => Operation::DivCeilUnsigned,
            arith::RemUIOp::NAME | index::RemUOp::NAME => Operation::RemUnsigned,
            arith::AndIOp::NAME | index::AndOp::NAME => Operation::And,
            arith::OrIOp::NAME | index::OrOp::NAME => Operation::Or,
            arith::XOrIOp::NAME | index::XOrOp::NAME => Operation::Xor,
            arith::ShLIOp::NAME | index::ShlOp::NAME => Operation::ShiftLeft,
            arith::ShRUIOp::NAME | index::ShrUOp::NAME => Operation::ShiftRight,
            arith::ShRSIOp::NAME | index::ShrSOp::NAME => Operation::ShiftRightSigned,
            arith::MinSIOp::NAME | index::MinSOp::NAME => Operation::MinSigned,
            arith::MaxSIOp::NAME | index::MaxSOp::NAME => Operation::MaxSigned,
            arith::MinUIOp::NAME | index::MinUOp::NAME => Operation::MinUnsigned,
            arith::MaxUIOp::NAME | index::MaxUOp::NAME => Operation::MaxUnsigned,
            arith::CmpIOp::NAME | index::CmpOp::NAME => Operation::Compare,
            arith::SelectOp::NAME => Operation::Select,
            arith::ExtUIOp::NAME | arith::IndexCastUIOp::NAME | index::CastUOp::NAME => Operation::Unsigned,
            arith::ExtSIOp::NAME
            | arith::IndexCastOp::NAME
            | index::CastSOp::NAME
            | arith::TruncIOp::NAME
            | tile::AssumeOp::NAME => Operation::Signed,
            _ => return None,
        })
    }
}

/// A pure integer op of one result, read once and evaluated for any number of operands.
///
/// Values are kept as signed numbers of their type's width (`index`: 64 bits; `i1`: 0 and 1).
pub struct Computation {
    operation: Operation,
    operand_bits: Vec<u32>,
    result_bits: u32,
    predicate: Option<IndexCmpPredicate>,
}

impl Computation {
    /// `None` for an op that is not known, or with an operand or a result that is no integer of at most 64 bits.
    pub fn of(op: OperationRef<'_, '_>) -> Option<Self> {
        if op.result_count() != 1 || op.region_count() != 0 {
            return None;
        }
        let operation = Operation::named(name(op))?;
        let operand_bits = op.operands().map(|operand| bits(operand.r#type())).collect::<Option<_>>()?;
        let result_bits = bits(op.result_at(0)?.r#type())?;
        Some(Computation { operation, operand_bits, result_bits, predicate: predicate(op) })
    }

    /// The result for these operands; `None` for undefined results.
    pub fn at(&self, operands: &[i64]) -> Option<i64> {
        let at = |index: usize| operands.get(index).copied();
        let bits = |index: usize| self.operand_bits.get(index).copied();
        let unsigned = |index: usize| Some(to_unsigned(at(index)?, bits(index)?));
        let signed = |index: usize| Some(if bits(index)? == 1 { -at(index)? } else { at(index)? });
        let shift = |index: usize| u32::try_from(at(index)?).ok().filter(|&amount| Some(amount) < bits(0));
        let value = match self.operation {
            Operation::Add => at(0)?.wrapping_add(at(1)?),
            Operation::Sub => at(0)?.wrapping_sub(at(1)?),
            Operation::Mul => at(0)?.wrapping_mul(at(1)?),
            Operation::DivSigned => signed(0)?.checked_div(signed(1)?)?,
            Operation::DivFloor => floor_div(signed(0)?, signed(1)?)?,
            Operation::DivCeil => floor_div(signed(0)?, signed(1)?.checked_neg()?)?.checked_neg()?,
            Operation::RemSigned => signed(0)?.checked_rem(signed(1)?)?,
            Operation::DivUnsigned => unsigned(0)?.checked_div(unsigned(1)?)? as i64,
            Operation::DivCeilUnsigned => {
                let (a, b) = (unsigned(0)?, unsigned(1)?);
                (a.checked_div(b)? + u64::from(a % b != 0)) as i64
            }
            Operation::RemUnsigned => unsigned(0)?.checked_rem(unsigned(1)?)? as i64,
            Operation::And => at(0)? & at(1)?,
            Operation::Or => at(0)? | at(1)?,
            Operation::Xor => at(0)? ^ at(1)?,
            Operation::ShiftLeft => at(0)?.checked_shl(shift(1)?)?,
            Operation::ShiftRight => unsigned(0)?.checked_shr(shift(1)?)? as i64,
            Operation::ShiftRightSigned => signed(0)?.checked_shr(shift(1)?)?,
            Operation::MinSigned => signed(0)?.min(signed(1)?),
            Operation::MaxSigned => signed(0)?.max(signed(1)?),
            Operation::MinUnsigned => unsigned(0)?.min(unsigned(1)?) as i64,
            Operation::MaxUnsigned => unsigned(0)?.max(unsigned(1)?) as i64,
            Operation::Compare => {
                i64::from(compare(self.predicate?, (signed(0)?, signed(1)?), (unsigned(0)?, unsigned(1)?))?)
            }
            Operation::Select => at(if at(0)? & 1 == 1 { 1 } else { 2 })?,
            Operation::Unsigned => unsigned(0)? as i64,
            Operation::Signed => signed(0)?,
        };
        Some(to_signed(value, self.result_bits))
    }
}

/// Width of an integer type of at most 64 bits; 64 for `index`.
pub fn bits(r#type: Type<'_>) -> Option<u32> {
    if r#type.is_index() { Some(64) } else { bit_width(r#type).filter(|&bits| r#type.is_integer() && bits <= 64) }
}

/// The value of an `arith.constant` or `index.constant`; `None` for one that is no integer of at most 64 bits.
pub fn constant(op: OperationRef<'_, '_>) -> Option<i64> {
    let width = bits(op.result_at(0)?.r#type())?;
    let value = IntegerAttribute::try_from(op.attribute("value").ok()?).ok()?;
    Some(to_signed(value.value(), width))
}

/// What a comparison asks.
fn predicate(op: OperationRef<'_, '_>) -> Option<IndexCmpPredicate> {
    if let Some(compare) = index::CmpOp::cast(op) {
        return compare.pred();
    }
    Some(match arith::CmpIOp::cast(op)?.predicate()? {
        CmpIPredicate::Eq => IndexCmpPredicate::Eq,
        CmpIPredicate::Ne => IndexCmpPredicate::Ne,
        CmpIPredicate::Slt => IndexCmpPredicate::Slt,
        CmpIPredicate::Sle => IndexCmpPredicate::Sle,
        CmpIPredicate::Sgt => IndexCmpPredicate::Sgt,
        CmpIPredicate::Sge => IndexCmpPredicate::Sge,
        CmpIPredicate::Ult => IndexCmpPredicate::Ult,
        CmpIPredicate::Ule => IndexCmpPredicate::Ule,
        CmpIPredicate::Ugt => IndexCmpPredicate::Ugt,
        CmpIPredicate::Uge => IndexCmpPredicate::Uge,
        _ => return None,
    })
}

fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

fn to_unsigned(value: i64, bits: u32) -> u64 {
    if bits >= 64 { value as u64 } else { value as u64 & ((1 << bits) - 1) }
}

/// The number that the low `bits` of `value` stand for.
pub fn to_signed(value: i64, bits: u32) -> i64 {
    match bits {
        0 => 0,
        1 => value & 1,
        2..64 => value << (64 - bits) >> (64 - bits),
        _ => value,
    }
}

fn compare(predicate: IndexCmpPredicate, (a, b): (i64, i64), (ua, ub): (u64, u64)) -> Option<bool> {
    Some(match predicate {
        IndexCmpPredicate::Eq => a == b,
        IndexCmpPredicate::Ne => a != b,
        IndexCmpPredicate::Slt => a < b,
        IndexCmpPredicate::Sle => a <= b,
        IndexCmpPredicate::Sgt => a > b,
        IndexCmpPredicate::Sge => a >= b,
        IndexCmpPredicate::Ult => ua < ub,
        IndexCmpPredicate::Ule => ua <= ub,
        IndexCmpPredicate::Ugt => ua > ub,
        IndexCmpPredicate::Uge => ua >= ub,
        _ => return None,
    })
}
