//! Floating-point instructions in their general form (PTX ISA 9.7.3, 9.7.4).

use super::core::Core;
use crate::code::{FloatKind, FloatOp, FloatTest, LANES, Row, TestFloat};
use crate::float::{self, F64, Format, Mode, extremum, resize};

impl Core<'_, '_> {
    pub(crate) fn float(&self, op: &FloatOp) -> Row {
        let (a, b, c) = (self.row(op.a), self.row(op.b), self.row(op.c));
        std::array::from_fn(|i| packed(op, a[i], b[i], c[i]))
    }

    pub(crate) fn test_float(&self, op: &TestFloat) -> u32 {
        let row = self.row(op.a);
        (0..LANES).fold(0, |m, i| m | u32::from(holds(op.test, op.format, row[i])) << i)
    }
}

fn packed(op: &FloatOp, a: u64, b: u64, c: u64) -> u64 {
    if op.packed == 1 {
        return one(op, a, b, c);
    }
    let bits = op.format.bits();
    let part = |v: u64, n: u32| v >> (n * bits) & ((1 << bits) - 1);
    (0..op.packed).fold(0, |out, n| out | one(op, part(a, n), part(b, n), part(c, n)) << (n * bits))
}

/// Flushes subnormals to zeros of the same sign.
fn flush(format: Format, bits: u64) -> u64 {
    if format.is_subnormal(bits) { bits & format.sign_bit(true) } else { bits }
}

fn one(op: &FloatOp, a: u64, b: u64, c: u64) -> u64 {
    let f = op.format;
    let (a, b, c) = if op.ftz { (flush(f, a), flush(f, b), flush(f, c)) } else { (a, b, c) };
    let sign = f.sign_bit(true);
    use FloatKind::*;
    let out = match op.kind {
        Add => float::add(f, a, b, op.mode),
        Sub => float::add(f, a, b ^ sign, op.mode),
        Mul => float::multiply(f, a, b, op.mode),
        Fma => float::fma(f, a, b, c, op.mode),
        Div => float::divide(f, a, b, op.mode),
        Sqrt => float::square_root(f, a, op.mode),
        Rcp => float::divide(f, one_of(f), a, op.mode),
        Min => minmax(op, a, b, c, true),
        Max => minmax(op, a, b, c, false),
        Abs | Neg if f.is_nan(a) => f.nan_of(&[a]),
        Abs => a & !sign,
        Neg => a ^ sign,
        CopySign => b & !sign | a & sign,
        Rsqrt => through_double(f, a, |x| 1.0 / x.sqrt()),
        Ex2 => through_double(f, a, f64::exp2),
        Lg2 => through_double(f, a, f64::log2),
        Sin => through_double(f, a, f64::sin),
        Cos => through_double(f, a, f64::cos),
        Tanh => through_double(f, a, f64::tanh),
    };
    let computes = !matches!(op.kind, Min | Max | Abs | Neg | CopySign);
    let out = if computes && f.is_nan(out) { f.nan_of(&in_order(op.kind, a, b, c)) } else { out };
    let out = if op.ftz { flush(f, out) } else { out };
    clamp(f, out, op.sat, op.relu)
}

/// The operands in the order in which their NaNs take precedence.
fn in_order(kind: FloatKind, a: u64, b: u64, c: u64) -> [u64; 3] {
    match kind {
        FloatKind::Add | FloatKind::Sub | FloatKind::Mul => [b, a, a],
        FloatKind::Fma => [b, c, a],
        _ => [a, b, b],
    }
}

fn one_of(format: Format) -> u64 {
    (format.bias() as u64) << format.mantissa()
}

/// A real function, computed in f64 and rounded; the hardware's approximations differ in the last bits.
fn through_double(format: Format, a: u64, f: impl Fn(f64) -> f64) -> u64 {
    let x = f64::from_bits(resize(format, F64, a, Mode::Nearest));
    let y = f(x);
    if y.is_nan() { format.nan() } else { resize(F64, format, y.to_bits(), Mode::Nearest) }
}

fn minmax(op: &FloatOp, a: u64, b: u64, c: u64, min: bool) -> u64 {
    let sign = op.format.sign_bit(true);
    let value = |v: u64| if op.magnitude { v & !sign } else { v };
    let two = extremum(op.format, value(a), value(b), min, op.nan);
    if op.three {
        return extremum(op.format, two, value(c), min, op.nan);
    }
    if op.xorsign && !op.format.is_nan(two) { two | (a ^ b) & sign } else { two }
}

/// Applies `.sat` and `.relu`.
pub(crate) fn clamp(format: Format, bits: u64, sat: bool, relu: bool) -> u64 {
    let negative = bits & format.sign_bit(true) != 0;
    if format.is_nan(bits) {
        return if sat { 0 } else { bits };
    }
    if (sat || relu) && negative {
        return 0;
    }
    if sat { bits.min(one_of(format)) } else { bits }
}

fn holds(test: FloatTest, format: Format, bits: u64) -> bool {
    let magnitude = bits & !format.sign_bit(true);
    let infinite = magnitude == format.infinity(false);
    let nan = format.is_nan(bits);
    match test {
        FloatTest::Finite => !nan && !infinite,
        FloatTest::Infinite => infinite,
        FloatTest::Number => !nan,
        FloatTest::NotANumber => nan,
        FloatTest::Normal => !nan && !infinite && magnitude >> format.mantissa() != 0,
        FloatTest::Subnormal => format.is_subnormal(bits),
    }
}
