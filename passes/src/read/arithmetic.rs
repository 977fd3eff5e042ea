//! Integer ops on known operands.

use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Type, TypeLike, ValueLike};
use tile_dialect::memref::bit_width;

use super::name;

/// A pure integer op of one result, read once and evaluated for any number of operands.
///
/// Values are kept as signed numbers of their type's width (`index`: 64 bits; `i1`: 0 and 1).
pub struct Computation {
    name: String,
    operand_bits: Vec<u32>,
    result_bits: u32,
    predicate: Option<i64>,
}

impl Computation {
    /// `None` for an op with an operand or a result that is no integer of at most 64 bits.
    pub fn of(op: OperationRef<'_, '_>) -> Option<Self> {
        if op.result_count() != 1 || op.region_count() != 0 {
            return None;
        }
        let operand_bits = op.operands().map(|operand| bits(operand.r#type())).collect::<Option<_>>()?;
        let result_bits = bits(op.result(0).ok()?.r#type())?;
        Some(Computation { name: name(op), operand_bits, result_bits, predicate: predicate(op) })
    }

    /// The result for these operands; `None` for an op that is not known, and for undefined results.
    pub fn at(&self, operands: &[i64]) -> Option<i64> {
        let at = |index: usize| operands.get(index).copied();
        let bits = |index: usize| self.operand_bits.get(index).copied();
        let unsigned = |index: usize| Some(to_unsigned(at(index)?, bits(index)?));
        let signed = |index: usize| Some(if bits(index)? == 1 { -at(index)? } else { at(index)? });
        let shift = |index: usize| u32::try_from(at(index)?).ok().filter(|&amount| Some(amount) < bits(0));
        let value = match self.name.as_str() {
            "arith.addi" | "index.add" => at(0)?.wrapping_add(at(1)?),
            "arith.subi" | "index.sub" => at(0)?.wrapping_sub(at(1)?),
            "arith.muli" | "index.mul" => at(0)?.wrapping_mul(at(1)?),
            "arith.divsi" | "index.divs" => signed(0)?.checked_div(signed(1)?)?,
            "arith.floordivsi" | "index.floordivs" => floor_div(signed(0)?, signed(1)?)?,
            "arith.ceildivsi" | "index.ceildivs" => floor_div(signed(0)?, signed(1)?.checked_neg()?)?.checked_neg()?,
            "arith.remsi" | "index.rems" => signed(0)?.checked_rem(signed(1)?)?,
            "arith.divui" | "index.divu" => unsigned(0)?.checked_div(unsigned(1)?)? as i64,
            "arith.ceildivui" | "index.ceildivu" => {
                let (a, b) = (unsigned(0)?, unsigned(1)?);
                (a.checked_div(b)? + u64::from(a % b != 0)) as i64
            }
            "arith.remui" | "index.remu" => unsigned(0)?.checked_rem(unsigned(1)?)? as i64,
            "arith.andi" | "index.and" => at(0)? & at(1)?,
            "arith.ori" | "index.or" => at(0)? | at(1)?,
            "arith.xori" | "index.xor" => at(0)? ^ at(1)?,
            "arith.shli" | "index.shl" => at(0)?.checked_shl(shift(1)?)?,
            "arith.shrui" | "index.shru" => unsigned(0)?.checked_shr(shift(1)?)? as i64,
            "arith.shrsi" | "index.shrs" => signed(0)?.checked_shr(shift(1)?)?,
            "arith.minsi" | "index.mins" => signed(0)?.min(signed(1)?),
            "arith.maxsi" | "index.maxs" => signed(0)?.max(signed(1)?),
            "arith.minui" | "index.minu" => unsigned(0)?.min(unsigned(1)?) as i64,
            "arith.maxui" | "index.maxu" => unsigned(0)?.max(unsigned(1)?) as i64,
            "arith.cmpi" | "index.cmp" => {
                i64::from(compare(self.predicate?, (signed(0)?, signed(1)?), (unsigned(0)?, unsigned(1)?))?)
            }
            "arith.select" => at(if at(0)? & 1 == 1 { 1 } else { 2 })?,
            "arith.extui" | "arith.index_castui" | "index.castu" => unsigned(0)? as i64,
            "arith.extsi" | "arith.index_cast" | "index.casts" | "arith.trunci" | "tile.assume" => signed(0)?,
            _ => return None,
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
    let width = bits(op.result(0).ok()?.r#type())?;
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
