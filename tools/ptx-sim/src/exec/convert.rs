//! `cvt` in its general form (PTX ISA 9.7.9.21).

use super::core::Core;
use super::float::clamp;
use crate::code::{Convert, Number, Row};
use crate::float::{F32, Format, Mode, TF32, from_integer, resize, round_to_integral, to_integer};

impl Core<'_, '_> {
    pub(crate) fn convert(&self, op: &Convert) -> Row {
        let (a, from, to) = (self.row(op.a), op.from.bits(), op.to.bits());
        match op.b {
            None if op.packed => std::array::from_fn(|i| {
                let (low, high) = (a[i] & u64::MAX >> (64 - from), a[i] >> from);
                one(op, low) | one(op, high & u64::MAX >> (64 - from)) << to
            }),
            None => a.map(|v| op.single(v)),
            Some(b) => {
                let b = self.row(b);
                std::array::from_fn(|i| one(op, b[i]) | one(op, a[i]) << to)
            }
        }
    }
}

impl Number {
    /// The width of one value in bits.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Number::Integer(bits, _) => bits,
            Number::Float(format) => format.bits(),
            Number::Tf32 => 32,
        }
    }
}

impl Convert {
    /// Whether it converts one integer to another, so that bits are only moved or replicated.
    pub(crate) fn is_resize(&self) -> bool {
        !self.sat && matches!((self.from, self.to), (Number::Integer(..), Number::Integer(..)))
    }

    /// One converted value, extended to the register.
    pub(crate) fn single(&self, v: u64) -> u64 {
        extend(self, one(self, v))
    }
}

/// The low `bits` of `v` as a number.
fn integer(v: u64, bits: u32, signed: bool) -> i128 {
    let v = v & u64::MAX >> (64 - bits);
    if signed && v >> (bits - 1) & 1 == 1 { i128::from(v) - (1i128 << bits) } else { i128::from(v) }
}

fn range(bits: u32, signed: bool) -> (i128, i128) {
    match signed {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    }
}

/// Sign-extends a signed result to the register.
fn extend(op: &Convert, v: u64) -> u64 {
    match op.to {
        Number::Integer(bits, true) => integer(v, bits, true) as u64 & u64::MAX >> (64 - op.register),
        _ => v,
    }
}

fn one(op: &Convert, v: u64) -> u64 {
    match (op.from, op.to) {
        (Number::Integer(from, signed), Number::Integer(to, to_signed)) => {
            let value = integer(v, from, signed);
            let (low, high) = range(to, to_signed);
            (if op.sat { value.clamp(low, high) } else { value }) as u64 & u64::MAX >> (64 - to)
        }
        (Number::Integer(from, signed), Number::Float(to)) => {
            clamp(to, from_integer(to, integer(v, from, signed), op.mode), op.sat, op.relu)
        }
        (Number::Float(from), Number::Integer(to, signed)) => {
            let (low, high) = range(to, signed);
            let v = if op.ftz && from == F32 { flush(from, v) } else { v };
            to_integer(from, v, op.mode, low, high) as u64 & u64::MAX >> (64 - to)
        }
        (Number::Float(from), Number::Float(to)) => floats(op, from, to, v),
        (Number::Float(from), Number::Tf32) => floats(op, from, TF32, v) << 13,
        _ => v,
    }
}

fn flush(format: Format, v: u64) -> u64 {
    if format.is_subnormal(v) { v & format.sign_bit(true) } else { v }
}

fn floats(op: &Convert, from: Format, to: Format, v: u64) -> u64 {
    let v = if op.ftz && from == F32 { flush(from, v) } else { v };
    let v = if op.ftz && from.is_nan(v) { from.nan() } else { v };
    let mut out = match (op.integral, from == to) {
        (true, true) => round_to_integral(from, v, op.mode),
        (true, false) => resize(from, to, round_to_integral(from, v, op.mode), Mode::Nearest),
        (false, _) => resize(from, to, v, op.mode),
    };
    if op.ftz && to == F32 {
        out = flush(to, out);
    }
    let negative = out & to.sign_bit(true) != 0;
    if op.satfinite && out & !to.sign_bit(true) == to.infinity(false) {
        out = to.largest(negative);
    }
    clamp(to, out, op.sat, op.relu)
}
