//! What `fastmath<afn>` allows: the chip's approximations, of f32 values.

use super::{Approximate, Arithmetic};

/// `e^x`.
pub fn exp<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    m.approximate(Approximate::Ex2, m.mul(x, m.float(x, std::f64::consts::LOG2_E)))
}

/// The natural logarithm.
pub fn log<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    m.mul(m.approximate(Approximate::Lg2, x), m.float(x, std::f64::consts::LN_2))
}

/// The logarithm to base 10.
pub fn log10<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    m.mul(m.approximate(Approximate::Lg2, x), m.float(x, std::f64::consts::LOG10_2))
}

/// The tangent.
pub fn tan<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    m.div(m.approximate(Approximate::Sin, x), m.approximate(Approximate::Cos, x))
}

/// `x^y`, for a positive `x`.
pub fn powf<A: Arithmetic>(m: &A, x: A::Value, y: A::Value) -> A::Value {
    m.approximate(Approximate::Ex2, m.mul(y, m.approximate(Approximate::Lg2, x)))
}
