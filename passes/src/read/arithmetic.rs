//! The integer operations that ops compute.

use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Type, TypeLike, ValueLike};
use tile_dialect::ir::Parts;
use tile_dialect::memref::bit_width;
use tile_ops::arith::{CmpIPredicate, IntegerOverflowFlags};
use tile_ops::index::IndexCmpPredicate;
use tile_ops::{arith, index, interface};
use tile_plan::integer::{Computation, Operation, Predicate, to_signed};

use super::name;

/// The operation that the op computes, by its name; `None` for one that is not known.
fn named(op: OperationRef<'_, '_>) -> Option<Operation> {
    Some(match name(op) {
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
        arith::CmpIOp::NAME | index::CmpOp::NAME => Operation::Compare(predicate(op)?),
        arith::SelectOp::NAME => Operation::Select,
        arith::ExtUIOp::NAME | arith::IndexCastUIOp::NAME | index::CastUOp::NAME => Operation::Unsigned,
        arith::ExtSIOp::NAME | arith::IndexCastOp::NAME | index::CastSOp::NAME | arith::TruncIOp::NAME => {
            Operation::Signed
        }
        _ => return None,
    })
}

/// The computation of a pure integer op with one result; `None` for an op that is not known, or with an operand or a result that
/// is not an integer of at most 64 bits.
pub fn computation(op: OperationRef<'_, '_>) -> Option<Computation> {
    if op.result_count() != 1 || op.region_count() != 0 {
        return None;
    }
    let operation = named(op)?;
    let operand_bits = op.operands().map(|operand| bits(operand.r#type())).collect::<Option<_>>()?;
    let nsw = interface::overflow_flags(op).is_some_and(|flags| flags.contains(IntegerOverflowFlags::NSW));
    let computation = Computation::new(operation, operand_bits, bits(op.result_at(0)?.r#type())?);
    Some(Computation { nsw, ..computation })
}

/// Width of an integer type of at most 64 bits; 64 for `index`.
pub fn bits(r#type: Type<'_>) -> Option<u32> {
    if r#type.is_index() { Some(64) } else { bit_width(r#type).filter(|&bits| r#type.is_integer() && bits <= 64) }
}

/// The value of an `arith.constant` or `index.constant`; `None` for one that is not an integer of at most 64 bits.
pub fn constant(op: OperationRef<'_, '_>) -> Option<i64> {
    let width = bits(op.result_at(0)?.r#type())?;
    let value = match arith::ConstantOp::cast(op) {
        Some(constant) => IntegerAttribute::try_from(constant.value_attribute()?).ok()?.value(),
        None => index::ConstantOp::cast(op)?.value_attribute()?,
    };
    Some(to_signed(value, width))
}

/// The predicate of a comparison.
fn predicate(op: OperationRef<'_, '_>) -> Option<Predicate> {
    if let Some(compare) = index::CmpOp::cast(op) {
        return Some(match compare.pred()? {
            IndexCmpPredicate::Eq => Predicate::Eq,
            IndexCmpPredicate::Ne => Predicate::Ne,
            IndexCmpPredicate::Slt => Predicate::Slt,
            IndexCmpPredicate::Sle => Predicate::Sle,
            IndexCmpPredicate::Sgt => Predicate::Sgt,
            IndexCmpPredicate::Sge => Predicate::Sge,
            IndexCmpPredicate::Ult => Predicate::Ult,
            IndexCmpPredicate::Ule => Predicate::Ule,
            IndexCmpPredicate::Ugt => Predicate::Ugt,
            IndexCmpPredicate::Uge => Predicate::Uge,
            _ => return None,
        });
    }
    Some(match arith::CmpIOp::cast(op)?.predicate()? {
        CmpIPredicate::Eq => Predicate::Eq,
        CmpIPredicate::Ne => Predicate::Ne,
        CmpIPredicate::Slt => Predicate::Slt,
        CmpIPredicate::Sle => Predicate::Sle,
        CmpIPredicate::Sgt => Predicate::Sgt,
        CmpIPredicate::Sge => Predicate::Sge,
        CmpIPredicate::Ult => Predicate::Ult,
        CmpIPredicate::Ule => Predicate::Ule,
        CmpIPredicate::Ugt => Predicate::Ugt,
        CmpIPredicate::Uge => Predicate::Uge,
        _ => return None,
    })
}
