//! Integer ops on known operands.

use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Type, TypeLike, ValueLike};
use tile_dialect::ir::Parts;
use tile_dialect::memref::bit_width;

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
            "arith.addi" | "index.add" => Operation::Add,
            "arith.subi" | "index.sub" => Operation::Sub,
            "arith.muli" | "index.mul" => Operation::Mul,
            "arith.divsi" | "index.divs" => Operation::DivSigned,
            "arith.floordivsi" | "index.floordivs" => Operation::DivFloor,
            "arith.ceildivsi" | "index.ceildivs" => Operation::DivCeil,
            "arith.remsi" | "index.rems" => Operation::RemSigned,
            "arith.divui" | "index.divu" => Operation::DivUnsigned,
            "arith.ceildivui" | "index.ceildivu" => Operation::DivCeilUnsigned,
            "arith.remui" | "index.remu" => Operation::RemUnsigned,
            "arith.andi" | "index.and" => Operation::And,
            "arith.ori" | "index.or" => Operation::Or,
            "arith.xori" | "index.xor" => Operation::Xor,
            "arith.shli" | "index.shl" => Operation::ShiftLeft,
            "arith.shrui" | "index.shru" => Operation::ShiftRight,
            "arith.shrsi" | "index.shrs" => Operation::ShiftRightSigned,
            "arith.minsi" | "index.mins" => Operation::MinSigned,
            "arith.maxsi" | "index.maxs" => Operation::MaxSigned,
            "arith.minui" | "index.minu" => Operation::MinUnsigned,
            "arith.maxui" | "index.maxu" => Operation::MaxUnsigned,
            "arith.cmpi" | "index.cmp" => Operation::Compare,
            "arith.select" => Operation::Select,
            "arith.extui" | "arith.index_castui" | "index.castu" => Operation::Unsigned,
            "arith.extsi" | "arith.index_cast" | "index.casts" | "arith.trunci" | "tile.assume" => Operation::Signed,
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
    predicate: Option<i64>,
}

impl Computation {
    /// `None` for an op that is not known, or with an operand or a result that is no integer of at most 64 bits.
    pub fn of(op: OperationRef<'_, '_>) -> Option<Self> {
        if op.result_count() != 1 || op.region_count() != 0 {
            return None;
        }
        let operation = Operation::named(&name(op))?;
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

/// The number of a comparison's predicate.
fn predicate(op: OperationRef<'_, '_>) -> Option<i64> {
    if let Ok(number) = op.attribute("predicate") {
        return Some(IntegerAttribute::try_from(number).ok()?.value());
    }
    // `index.cmp` names it: #index<cmp_predicate ult>.
    let text = op.attribute("pred").ok()?.to_string();
    let names = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric()).rev();
    let word = words.find(|word| !word.is_empty())?;
    names.iter().position(|&name| name == word).map(|number| number as i64)
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

/// The predicates of `arith.cmpi` and `index.cmp`, in the order of their enumeration.
fn compare(predicate: i64, (a, b): (i64, i64), (ua, ub): (u64, u64)) -> Option<bool> {
    Some(match predicate {
        0 => a == b,
        1 => a != b,
        2 => a < b,
        3 => a <= b,
        4 => a > b,
        5 => a >= b,
        6 => ua < ub,
        7 => ua <= ub,
        8 => ua > ub,
        9 => ua >= ub,
        _ => return None,
    })
}
