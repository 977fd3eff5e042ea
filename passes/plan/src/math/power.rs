//! Powers, roots, remainders.

use super::exp::exp2;
use super::log::log2;
use super::reduce::scale;
use super::{Arithmetic, format, in_double};

/// `x^y` of f32 values, computed in f64. For f64 values there is no wider format to compute the logarithm in.
pub fn powf<A: Arithmetic>(m: &A, x: A::Value, y: A::Value) -> A::Value {
    m.narrow(pow_in_double(m, m.widen(x), m.widen(y)))
}

/// `x^y` in f64 to the precision of an f32.
pub fn pow_in_double<A: Arithmetic>(m: &A, x: A::Value, y: A::Value) -> A::Value {
    let c = |constant| m.float(x, constant);
    let (zero, one) = (c(0.0), c(1.0));
    let a = m.abs(x);
    let exponent = m.mul(y, log2(m, a));
    // 1 to any power is 1; with an infinite power the product would be a NaN.
    let exponent = m.select(m.equal(a, one), zero, exponent);
    let value = exp2(m, exponent);
    let whole = m.equal(m.trunc(y), y);
    let half = m.mul(y, c(0.5));
    let even = m.equal(m.trunc(half), half);
    let negative = m.less(m.copysign(one, x), zero);
    let turned = m.select(even, value, m.sub(c(-0.0), value));
    let signed = m.select(whole, turned, m.select(m.equal(a, zero), value, c(f64::NAN)));
    let signed = m.select(m.equal(a, c(f64::INFINITY)), m.select(whole, turned, value), signed);
    let value = m.select(negative, signed, value);
    let value = m.select(m.unordered(x, y), m.add(x, y), value);
    // These hold whatever the other operand is, even for a NaN.
    let value = m.select(m.equal(y, zero), one, value);
    m.select(m.equal(x, one), one, value)
}

/// The cube root.
pub fn cbrt<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    in_double(m, x, |x| {
        let a = m.abs(x);
        let guess = exp2(m, m.div(log2(m, a), m.float(x, 3.0)));
        // One step of Newton's method, with a residual that is rounded once.
        let square = m.mul(guess, guess);
        let residue = m.fma(square, guess, m.sub(m.float(x, -0.0), a));
        let step = m.div(residue, m.mul(square, m.float(x, 3.0)));
        let root = m.copysign(m.sub(guess, step), x);
        let finite = m.less(a, m.float(x, f64::INFINITY));
        let plain = m.select(finite, root, x);
        m.select(m.equal(a, m.float(x, 0.0)), x, plain)
    })
}

/// The reciprocal of the square root.
pub fn rsqrt<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    m.div(m.float(x, 1.0), m.sqrt(x))
}

/// The remainder of a division that is rounded towards zero, exactly: `arith.remf`.
///
/// ```text
///   while r >= y:  r -= q * y * 2^shift, with q = trunc(r / (y * 2^shift)) of at most 52 bits
/// ```
pub fn remainder<A: Arithmetic>(m: &A, x: A::Value, y: A::Value) -> A::Value {
    if !m.is_double(x) {
        return m.narrow(remainder(m, m.widen(x), m.widen(y)));
    }
    let c = |constant| m.float(x, constant);
    let (a, divisor) = (m.abs(x), m.abs(y));
    let (finite, some) = (m.less(a, c(f64::INFINITY)), m.less(c(0.0), divisor));
    let defined = |value, otherwise| m.select(finite, m.select(some, value, otherwise), otherwise);
    let (rest, divisor) = (defined(a, c(0.0)), defined(divisor, c(1.0)));
    let rest = m.repeat(rest, |rest| m.at_least(rest, divisor), |rest| reduce_once(m, rest, divisor));
    m.select(m.unordered(x, y), m.add(x, y), defined(m.copysign(rest, x), c(f64::NAN)))
}

/// One step of a long division.
fn reduce_once<A: Arithmetic>(m: &A, rest: A::Value, divisor: A::Value) -> A::Value {
    let (zero, most) = (m.integer(rest, 0), m.integer(rest, 2046));
    let far = m.isub(m.isub(exponent(m, rest), exponent(m, divisor)), m.integer(rest, 50));
    let far = m.select(m.less(m.to_float(far), m.float(rest, 0.0)), zero, far);
    let shift = m.select(m.less(m.to_float(most), m.to_float(far)), most, far);
    let moved = scale(m, divisor, shift);
    let quotient = m.trunc(m.div(rest, moved));
    let left = m.fma(m.sub(m.float(rest, -0.0), quotient), moved, rest);
    // The quotient may have been rounded up to a whole number.
    m.select(m.less(left, m.float(rest, 0.0)), m.add(left, moved), left)
}

/// The biased exponent of a positive f64; below 1 for subnormal numbers.
fn exponent<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let shape = format(m, x);
    let biased = |value| m.shr(m.bits(value), m.integer(x, shape.mantissa));
    let lifted = m.isub(biased(m.mul(x, m.float(x, 2f64.powi(54)))), m.integer(x, 54));
    m.select(m.less(x, m.float(x, shape.normal)), lifted, biased(x))
}
