//! Exponential functions.

use super::reduce::{exp_minus_one, ln2, nearest, power_of_two, scale};
use super::{Arithmetic, clamp, odd, unless_tiny};

/// `x` as `n * ln 2 + r`: the integer `n`, and `r`.
fn reduce<A: Arithmetic>(m: &A, x: A::Value) -> (A::Value, A::Value) {
    let (n, count) = nearest(m, m.mul(x, m.float(x, std::f64::consts::LOG2_E)));
    let (high, low) = ln2(m.is_double(x));
    let left = m.fma(n, m.float(x, -high), x);
    (count, m.fma(n, m.float(x, -low), left))
}

/// `e^x`.
pub fn exp<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let (low, high) = if m.is_double(x) { (-746.0, 710.0) } else { (-104.0, 89.0) };
    let (count, left) = reduce(m, clamp(m, x, low, high));
    scale(m, m.add(exp_minus_one(m, left), m.float(x, 1.0)), count)
}

/// `2^x`.
pub fn exp2<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let (low, high) = if m.is_double(x) { (-1076.0, 1024.0) } else { (-151.0, 128.0) };
    let x = clamp(m, x, low, high);
    let (n, count) = nearest(m, x);
    let (log, rest) = ln2(m.is_double(x));
    let part = m.sub(x, n);
    let left = m.fma(part, m.float(x, log), m.mul(part, m.float(x, rest)));
    scale(m, m.add(exp_minus_one(m, left), m.float(x, 1.0)), count)
}

/// `e^x - 1`.
pub fn expm1<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let (low, high) = if m.is_double(x) { (-40.0, 710.0) } else { (-20.0, 89.0) };
    let (count, left) = reduce(m, clamp(m, x, low, high));
    // Compute half the result, which does not overflow before the result does.
    let power = power_of_two(m, m.isub(count, m.integer(count, 1)));
    let half = m.fma(power, exp_minus_one(m, left), m.sub(power, m.float(x, 0.5)));
    unless_tiny(m, x, m.add(half, half))
}

/// Half of `e^a`, for large `a`.
fn half_exp<A: Arithmetic>(m: &A, a: A::Value) -> A::Value {
    let root = exp(m, m.mul(a, m.float(a, 0.5)));
    m.mul(m.mul(root, m.float(a, 0.5)), root)
}

/// Beyond it `e^-x` is negligible compared with `e^x`.
fn large<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    m.float(x, if m.is_double(x) { 40.0 } else { 20.0 })
}

/// The hyperbolic sine.
pub fn sinh<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let a = m.abs(x);
    let t = expm1(m, a);
    let sum = m.add(t, m.div(t, m.add(t, m.float(x, 1.0))));
    let near = m.mul(sum, m.float(x, 0.5));
    odd(m, x, m.select(m.less(large(m, x), a), half_exp(m, a), near))
}

/// The hyperbolic cosine.
pub fn cosh<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let a = m.abs(x);
    let half = m.mul(exp(m, a), m.float(x, 0.5));
    let near = m.add(half, m.div(m.float(x, 0.25), half));
    m.select(m.less(large(m, x), a), half_exp(m, a), near)
}

/// The hyperbolic tangent.
pub fn tanh<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let a = m.abs(x);
    let t = expm1(m, m.add(a, a));
    let near = m.div(t, m.add(t, m.float(x, 2.0)));
    odd(m, x, m.select(m.less(large(m, x), a), m.float(x, 1.0), near))
}
