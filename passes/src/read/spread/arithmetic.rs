//! Integer ops on known operands.

use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, ValueLike};
use tile_dialect::memref::bit_width;

use crate::read::name;

/// The result of a pure integer op; `None` for ops that are not known, and for undefined results.
///
/// Values are kept as signed numbers of their type's width (`index`: 64 bits; `i1`: 0 and 1).
pub fn compute(op: OperationRef<'_, '_>, operands: &[i64]) -> Option<i64> {
    let at = |index: usize| operands.get(index).copied();
    let bits = |index: usize| op.operand(index).ok().map_or(64, |value| bit_width(value.r#type()).unwrap_or(64));
    let unsigned = |index: usize| at(index).map(|value| to_unsigned(value, bits(index)));
    let value = match name(op).as_str() {
        "arith.addi" | "index.add" => at(0)?.wrapping_add(at(1)?),
        "arith.subi" | "index.sub" => at(0)?.wrapping_sub(at(1)?),
        "arith.muli" | "index.mul" => at(0)?.wrapping_mul(at(1)?),
        "arith.divsi" | "index.divs" => at(0)?.checked_div(at(1)?)?,
        "arith.floordivsi" | "index.floordivs" => {
            let (a, b) = (at(0)?, at(1)?);
            let quotient = a.checked_div(b)?;
            if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
        }
        "arith.remsi" | "index.rems" => at(0)?.checked_rem(at(1)?)?,
        "arith.divui" | "index.divu" => unsigned(0)?.checked_div(unsigned(1)?)? as i64,
        "arith.remui" | "index.remu" => unsigned(0)?.checked_rem(unsigned(1)?)? as i64,
        "arith.andi" | "index.and" => at(0)? & at(1)?,
        "arith.ori" | "index.or" => at(0)? | at(1)?,
        "arith.xori" | "index.xor" => at(0)? ^ at(1)?,
        "arith.shli" | "index.shl" => at(0)?.checked_shl(shift(at(1)?, bits(0))?)?,
        "arith.shrui" | "index.shru" => unsigned(0)?.checked_shr(shift(at(1)?, bits(0))?)? as i64,
        "arith.shrsi" | "index.shrs" => at(0)?.checked_shr(shift(at(1)?, bits(0))?)?,
        "arith.minsi" | "index.mins" => at(0)?.min(at(1)?),
        "arith.maxsi" | "index.maxs" => at(0)?.max(at(1)?),
        "arith.minui" | "index.minu" => unsigned(0)?.min(unsigned(1)?) as i64,
        "arith.maxui" | "index.maxu" => unsigned(0)?.max(unsigned(1)?) as i64,
        "arith.cmpi" => {
            let predicate = op.attribute("predicate").ok().and_then(|p| IntegerAttribute::try_from(p).ok())?;
            i64::from(compare(predicate.value(), (at(0)?, at(1)?), (unsigned(0)?, unsigned(1)?))?)
        }
        "arith.select" => at(if at(0)? & 1 == 1 { 1 } else { 2 })?,
        "arith.extui" | "arith.index_castui" | "index.castu" => unsigned(0)? as i64,
        "arith.extsi" | "arith.index_cast" | "index.casts" if bits(0) == 1 => -(at(0)? & 1),
        "arith.extsi" | "arith.index_cast" | "index.casts" | "arith.trunci" | "tile.assume" => at(0)?,
        _ => return None,
    };
    let width = op.result(0).ok().map_or(64, |result| bit_width(result.r#type()).unwrap_or(64));
    Some(to_signed(value, width))
}

fn shift(amount: i64, bits: u32) -> Option<u32> {
    u32::try_from(amount).ok().filter(|&amount| amount < bits)
}

fn to_unsigned(value: i64, bits: u32) -> u64 {
    if bits >= 64 { value as u64 } else { value as u64 & ((1 << bits) - 1) }
}

fn to_signed(value: i64, bits: u32) -> i64 {
    match bits {
        1 => value & 1,
        2..64 => value << (64 - bits) >> (64 - bits),
        _ => value,
    }
}

/// The predicates of `arith.cmpi`, in the order of its enumeration.
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
