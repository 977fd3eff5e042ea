//! Integer ops on known operands, on remainders, and on ranges.

use super::Residue;

/// The operation that an op computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a / b` towards zero.
    DivSigned,
    /// `a / b` rounded down.
    DivFloor,
    /// `a / b` rounded up.
    DivCeil,
    /// The remainder of a division towards zero.
    RemSigned,
    /// `a / b` of unsigned numbers.
    DivUnsigned,
    /// `a / b` of unsigned numbers, rounded up.
    DivCeilUnsigned,
    /// The remainder of a division of unsigned numbers.
    RemUnsigned,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// `a << b`.
    ShiftLeft,
    /// `a >> b`, shifting in zeros.
    ShiftRight,
    /// `a >> b`, shifting in the sign.
    ShiftRightSigned,
    /// The signed minimum.
    MinSigned,
    /// The signed maximum.
    MaxSigned,
    /// The unsigned minimum.
    MinUnsigned,
    /// The unsigned maximum.
    MaxUnsigned,
    /// 1 where a comparison holds, else 0.
    Compare(Predicate),
    /// `b` where `a` is 1, else `c`.
    Select,
    /// Zero extension, or truncation, to another width.
    Unsigned,
    /// Sign extension, or truncation, to another width.
    Signed,
}

/// The predicate of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "MLIR's names")]
pub enum Predicate {
    Eq,
    Ne,
    Slt,
    Sle,
    Sgt,
    Sge,
    Ult,
    Ule,
    Ugt,
    Uge,
}

impl Predicate {
    /// The predicate that holds exactly where this one does not.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Predicate::Eq => Predicate::Ne,
            Predicate::Ne => Predicate::Eq,
            Predicate::Slt => Predicate::Sge,
            Predicate::Sle => Predicate::Sgt,
            Predicate::Sgt => Predicate::Sle,
            Predicate::Sge => Predicate::Slt,
            Predicate::Ult => Predicate::Uge,
            Predicate::Ule => Predicate::Ugt,
            Predicate::Ugt => Predicate::Ule,
            Predicate::Uge => Predicate::Ult,
        }
    }

    fn holds(self, (a, b): (i64, i64), (ua, ub): (u64, u64)) -> bool {
        match self {
            Predicate::Eq => a == b,
            Predicate::Ne => a != b,
            Predicate::Slt => a < b,
            Predicate::Sle => a <= b,
            Predicate::Sgt => a > b,
            Predicate::Sge => a >= b,
            Predicate::Ult => ua < ub,
            Predicate::Ule => ua <= ub,
            Predicate::Ugt => ua > ub,
            Predicate::Uge => ua >= ub,
        }
    }
}

/// A pure integer op of one result, read once and evaluated for any number of operands.
///
/// Values are kept as signed numbers of their type's width (`index`: 64 bits; `i1`: 0 and 1).
///
/// ```
/// use tile_plan::integer::{Computation, Operation};
/// let add = Computation::new(Operation::Add, vec![8, 8], 8);
/// assert_eq!((add.at(&[100, 20]), add.at(&[100, 28])), (Some(120), Some(-128)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Computation {
    /// The operation.
    pub operation: Operation,
    /// Widths of the operands.
    pub operand_bits: Vec<u32>,
    /// Width of the result.
    pub result_bits: u32,
    /// Whether the result is undefined where its type is too narrow for it, read as signed.
    pub nsw: bool,
}

impl Computation {
    /// An op on operands of those widths.
    pub fn new(operation: Operation, operand_bits: Vec<u32>, result_bits: u32) -> Self {
        Computation { operation, operand_bits, result_bits, nsw: false }
    }

    /// An op on numbers of 64 bits.
    pub fn wide(operation: Operation) -> Self {
        let count = if operation == Operation::Select { 3 } else { 2 };
        let mut computation = Computation::new(operation, vec![64; count], 64);
        match operation {
            Operation::Compare(_) => computation.result_bits = 1,
            Operation::Select => computation.operand_bits[0] = 1,
            _ => {}
        }
        computation
    }

    /// The result for these operands; `None` where it is undefined.
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
            Operation::DivCeil => ceil_div(signed(0)?, signed(1)?)?,
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
            Operation::Compare(predicate) => {
                i64::from(predicate.holds((signed(0)?, signed(1)?), (unsigned(0)?, unsigned(1)?)))
            }
            Operation::Select => at(if at(0)? & 1 == 1 { 1 } else { 2 })?,
            Operation::Unsigned => unsigned(0)? as i64,
            Operation::Signed => signed(0)?,
        };
        Some(to_signed(value, self.result_bits))
    }

    /// The known remainder of the result; `wraps` where its type may be too narrow for it.
    pub fn residue(&self, operands: &[Residue], wraps: bool) -> Residue {
        let at = |index: usize| operands.get(index).copied().unwrap_or(Residue::ANY);
        let bits = |index: usize| self.operand_bits.get(index).copied().unwrap_or(1);
        let (from, to) = (bits(0), self.result_bits);
        let ring = |result: Residue| if wraps { result.wrapped(to) } else { result };
        // Read as unsigned, a negative number is larger by a power of two.
        let unsigned = |index: usize| if from < 64 || wraps { at(index).wrapped(from) } else { at(index) };
        match self.operation {
            Operation::Add => ring(at(0).plus(at(1))),
            Operation::Sub => ring(at(0).minus(at(1))),
            Operation::Mul => ring(at(0).times(at(1))),
            Operation::ShiftLeft => match at(1).constant() {
                Some(bits @ 0..=61) => ring(at(0).times(Residue::exactly(1 << bits))),
                _ => Residue::ANY,
            },
            Operation::DivFloor => at(1).constant().map_or(Residue::ANY, |by| at(0).floor_div(by)),
            Operation::DivSigned | Operation::DivCeil => at(0).exact_div(at(1)),
            Operation::DivUnsigned | Operation::DivCeilUnsigned => unsigned(0).exact_div(at(1)),
            Operation::ShiftRight | Operation::ShiftRightSigned => match at(1).constant() {
                Some(bits @ 0..=61) => unsigned(0).floor_div(1 << bits),
                _ => Residue::ANY,
            },
            // A remainder differs from the number by a multiple of the divisor.
            Operation::RemUnsigned => match at(1).constant() {
                Some(by) => unsigned(0).remainder(by),
                None => unsigned(0).plus(unsigned(1).times(Residue::ANY)),
            },
            Operation::RemSigned => at(0).plus(at(1).times(Residue::ANY)),
            Operation::And => at(0).and(at(1)),
            Operation::Or => at(0).bitwise(at(1), |a, b| a | b),
            Operation::Xor => at(0).bitwise(at(1), |a, b| a ^ b),
            Operation::Select => at(1).either(at(2)),
            Operation::MinSigned | Operation::MinUnsigned | Operation::MaxSigned | Operation::MaxUnsigned => {
                at(0).either(at(1))
            }
            Operation::Signed if to < from => at(0).wrapped(to),
            Operation::Signed => at(0),
            Operation::Unsigned if from.min(to) < 64 => at(0).wrapped(from.min(to)),
            Operation::Unsigned => at(0),
            Operation::Compare(_) => Residue::ANY,
        }
    }
}

fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

fn ceil_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) == (b < 0) { quotient + 1 } else { quotient })
}

fn to_unsigned(value: i64, bits: u32) -> u64 {
    if bits >= 64 { value as u64 } else { value as u64 & ((1 << bits) - 1) }
}

/// The signed number represented by the low `bits` of `value`.
pub fn to_signed(value: i64, bits: u32) -> i64 {
    match bits {
        0 => 0,
        1 => value & 1,
        2..64 => value << (64 - bits) >> (64 - bits),
        _ => value,
    }
}
