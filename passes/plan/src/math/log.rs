//! Logarithms.

use super::reduce::{ln2, log10_2, mantissa};
use super::{Arithmetic, odd, polynomial, unless_tiny};

/// `(log(1 + f) - f + f^2 / 2) / f^3`, for f32; fitted at Chebyshev nodes between `sqrt(1/2) - 1` and `sqrt(2) - 1`.
const SINGLE: [f64; 9] = [
    3.333333118e-1,
    -2.499999696e-1,
    2.000071575e-1,
    -1.666780232e-1,
    1.424905765e-1,
    -1.242568733e-1,
    1.168541992e-1,
    -1.147973385e-1,
    6.971611471e-2,
];

/// `log(1 + f) - f`, for the `f` of [`mantissa`].
fn log_minus<A: Arithmetic>(m: &A, f: A::Value) -> A::Value {
    let square = m.mul(f, f);
    let half = m.mul(square, m.float(f, 0.5));
    if !m.is_double(f) {
        return m.sub(m.mul(m.mul(square, f), polynomial(m, f, &SINGLE)), half);
    }
    // The series of artanh(s) with s = f / (2 + f): log(1 + f) = f - (f^2/2 - s * (f^2/2 + R)).
    let s = m.div(f, m.add(f, m.float(f, 2.0)));
    let z = m.mul(s, s);
    let series: Vec<f64> = (1..=11).map(|k| 2.0 / f64::from(2 * k + 1)).collect();
    let rest = m.mul(z, polynomial(m, z, &series));
    m.sub(m.mul(s, m.add(half, rest)), half)
}

/// Handles arguments that are not positive and finite: minus infinity at zero, NaN below, `x` itself for infinity and
/// NaN.
fn ends<A: Arithmetic>(m: &A, x: A::Value, value: A::Value) -> A::Value {
    let zero = m.float(x, 0.0);
    let value = m.select(m.less(x, m.float(x, f64::INFINITY)), value, x);
    let value = m.select(m.equal(x, zero), m.float(x, f64::NEG_INFINITY), value);
    m.select(m.less(x, zero), m.float(x, f64::NAN), value)
}

/// The natural logarithm.
pub fn log<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let (k, f) = mantissa(m, x);
    let (high, low) = ln2(m.is_double(x));
    let small = m.fma(k, m.float(x, low), log_minus(m, f));
    ends(m, x, m.fma(k, m.float(x, high), m.add(f, small)))
}

/// The logarithm to another base: `factor` is the logarithm of e to that base, `two` that of 2, each in two parts.
fn to_base<A: Arithmetic>(m: &A, x: A::Value, factor: (f64, f64), two: (f64, f64)) -> A::Value {
    let (k, f) = mantissa(m, x);
    let (minus, c) = (log_minus(m, f), |constant| m.float(x, constant));
    let small = m.fma(minus, c(factor.0), m.fma(f, c(factor.1), m.mul(k, c(two.1))));
    let small = m.fma(f, c(factor.0), small);
    ends(m, x, m.fma(k, c(two.0), small))
}

/// The logarithm to base 2.
pub fn log2<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let high = if m.is_double(x) { std::f64::consts::LOG2_E } else { f64::from(std::f32::consts::LOG2_E) };
    let rest = if m.is_double(x) { 2.0355273740931033e-17 } else { std::f64::consts::LOG2_E - high };
    to_base(m, x, (high, rest), (1.0, 0.0))
}

/// The logarithm to base 10.
pub fn log10<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let high = if m.is_double(x) { std::f64::consts::LOG10_E } else { f64::from(std::f32::consts::LOG10_E) };
    let rest = if m.is_double(x) { 1.098319650216765e-17 } else { std::f64::consts::LOG10_E - high };
    to_base(m, x, (high, rest), log10_2(m.is_double(x)))
}

/// `log(1 + x)`, corrected for the rounding of `1 + x`.
pub fn log1p<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let one = m.float(x, 1.0);
    let u = m.add(x, one);
    let large = m.less(one, x);
    let lost = m.select(large, m.sub(one, m.sub(u, x)), m.sub(x, m.sub(u, one)));
    let lost = m.div(lost, u);
    let zero = m.float(x, 0.0);
    let counts = m.select(m.less(zero, u), lost, zero);
    let counts = m.select(m.less(u, m.float(x, f64::INFINITY)), counts, zero);
    unless_tiny(m, x, m.add(log(m, u), counts))
}

/// Beyond it 1 is negligible compared with the square.
fn large<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    m.float(x, if m.is_double(x) { 2f64.powi(28) } else { 2f64.powi(13) })
}

/// `log(2 a)`, for large `a`.
fn log_of_twice<A: Arithmetic>(m: &A, a: A::Value) -> A::Value {
    m.add(log(m, a), m.float(a, std::f64::consts::LN_2))
}

/// The inverse of the hyperbolic sine.
pub fn asinh<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let (a, one) = (m.abs(x), m.float(x, 1.0));
    let square = m.mul(a, a);
    let part = m.div(square, m.add(one, m.sqrt(m.add(square, one))));
    let near = log1p(m, m.add(a, part));
    odd(m, x, m.select(m.less(large(m, x), a), log_of_twice(m, a), near))
}

/// The inverse of the hyperbolic cosine.
pub fn acosh<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let one = m.float(x, 1.0);
    let t = m.sub(x, one);
    let near = log1p(m, m.add(t, m.sqrt(m.fma(t, t, m.add(t, t)))));
    let value = m.select(m.less(large(m, x), x), log_of_twice(m, x), near);
    m.select(m.less(x, one), m.float(x, f64::NAN), value)
}

/// The inverse of the hyperbolic tangent.
pub fn atanh<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let a = m.abs(x);
    let inner = m.div(m.add(a, a), m.sub(m.float(x, 1.0), a));
    odd(m, x, m.mul(log1p(m, inner), m.float(x, 0.5)))
}
