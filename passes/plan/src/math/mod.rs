//! Elementary functions, built from the arithmetic that every chip has.
//!
//! The PTX is not linked with libdevice, so its functions are computed here. Each is written once, generic over an
//! [`Arithmetic`]: tests evaluate it on [`numbers`] and measure its error, the lowering emits it as SSA values.
//! `docs/math.md` has the table of measured errors.
//!
//! | module | functions |
//! | --- | --- |
//! | [`exp`] | exp, exp2, expm1, and the hyperbolic ones |
//! | [`log`] | log, log2, log10, log1p, and the inverse hyperbolic ones |
//! | [`trig`] | sin, cos, tan |
//! | [`inverse`] | atan, atan2, asin, acos |
//! | [`power`] | powf, cbrt, rsqrt, remainder |
//! | [`error`] | erf, erfc |
//! | [`fast`] | what `fastmath<afn>` allows: the chip's approximations |

pub mod error;
pub mod exp;
pub mod inverse;
pub mod log;
pub mod numbers;
pub mod power;
mod reduce;
pub mod trig;

/// An approximation that chips have an instruction for, f32 to f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approximate {
    /// 2 to the power of the operand.
    Ex2,
    /// Logarithm to base 2.
    Lg2,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Hyperbolic tangent.
    Tanh,
    /// Reciprocal of the square root.
    Rsqrt,
    /// Square root.
    Sqrt,
}

/// The operations that functions are built from, on values of f32, f64, i32, i64 and truth values. The operands of an
/// operation have the same type; every float operation rounds once, to nearest.
pub trait Arithmetic {
    /// A value.
    type Value: Copy;

    /// Whether the value is an f64 (or an i64, of the same width).
    fn is_double(&self, value: Self::Value) -> bool;
    /// A float constant of the type of `like`.
    fn float(&self, like: Self::Value, constant: f64) -> Self::Value;
    /// An i64 constant when `like` is 64 bits wide, else an i32.
    fn integer(&self, like: Self::Value, constant: i64) -> Self::Value;

    /// `a + b`.
    fn add(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a - b`.
    fn sub(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a * b`.
    fn mul(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a / b`.
    fn div(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a * b + c`, rounded once.
    fn fma(&self, a: Self::Value, b: Self::Value, c: Self::Value) -> Self::Value;
    /// The square root.
    fn sqrt(&self, a: Self::Value) -> Self::Value;
    /// `|a|`.
    fn abs(&self, a: Self::Value) -> Self::Value;
    /// `a` with the sign of `sign`.
    fn copysign(&self, a: Self::Value, sign: Self::Value) -> Self::Value;
    /// Rounded to an integer towards zero.
    fn trunc(&self, a: Self::Value) -> Self::Value;
    /// f32 to f64.
    fn widen(&self, a: Self::Value) -> Self::Value;
    /// f64 to f32.
    fn narrow(&self, a: Self::Value) -> Self::Value;
    /// The chip's approximation, of an f32.
    fn approximate(&self, function: Approximate, a: Self::Value) -> Self::Value;

    /// `a < b`; false for a NaN.
    fn less(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a == b`; false for a NaN.
    fn equal(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a >= b`; false for a NaN.
    fn at_least(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Whether one of the operands is a NaN.
    fn unordered(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a` where `condition`, else `b`.
    fn select(&self, condition: Self::Value, a: Self::Value, b: Self::Value) -> Self::Value;

    /// The bits of a float.
    fn bits(&self, a: Self::Value) -> Self::Value;
    /// The float with the bits `a`.
    fn of_bits(&self, a: Self::Value) -> Self::Value;
    /// An integer as a float of its width.
    fn to_float(&self, a: Self::Value) -> Self::Value;
    /// `a + b` of integers.
    fn iadd(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a - b` of integers.
    fn isub(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a * b` of integers.
    fn imul(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a & b`.
    fn and(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a | b`.
    fn or(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a << n`.
    fn shl(&self, a: Self::Value, n: Self::Value) -> Self::Value;
    /// `a >> n`, shifting in zeros.
    fn shr(&self, a: Self::Value, n: Self::Value) -> Self::Value;
    /// `a >> n`, shifting in the sign.
    fn sar(&self, a: Self::Value, n: Self::Value) -> Self::Value;
    /// `a == b` of integers.
    fn iequal(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// i32 to i64, zero-extended.
    fn widen_integer(&self, a: Self::Value) -> Self::Value;
    /// The low 32 bits of an i64.
    fn low_integer(&self, a: Self::Value) -> Self::Value;

    /// `values` where `condition`, else `other()`, which is executed only there and returns values of the same types.
    fn unless<const N: usize>(
        &self,
        condition: Self::Value,
        values: [Self::Value; N],
        other: impl FnOnce() -> [Self::Value; N],
    ) -> [Self::Value; N];
    /// `value = body(value)` for as long as `condition(value)`.
    fn repeat(
        &self,
        value: Self::Value,
        condition: impl Fn(Self::Value) -> Self::Value,
        body: impl Fn(Self::Value) -> Self::Value,
    ) -> Self::Value;
}

/// Properties of a value's float format.
#[derive(Clone, Copy, Debug)]
struct Format {
    /// Bits of the mantissa.
    mantissa: i64,
    /// `1.5 * 2^mantissa`: adding and then subtracting it rounds to an integer.
    rounder: f64,
    /// The smallest normal number.
    normal: f64,
    /// Below it `x` and `x + x^2` are the same.
    tiny: f64,
}

fn format<A: Arithmetic>(m: &A, value: A::Value) -> Format {
    match m.is_double(value) {
        false => {
            Format { mantissa: 23, rounder: 12_582_912.0, normal: f64::from(f32::MIN_POSITIVE), tiny: 2f64.powi(-25) }
        }
        true => Format { mantissa: 52, rounder: 6755399441055744.0, normal: f64::MIN_POSITIVE, tiny: 2f64.powi(-54) },
    }
}

/// `c[0] + x * (c[1] + x * …)`.
fn polynomial<A: Arithmetic>(m: &A, x: A::Value, coefficients: &[f64]) -> A::Value {
    let (last, rest) = coefficients.split_last().expect("a polynomial has a coefficient");
    rest.iter().rev().fold(m.float(x, *last), |sum, &c| m.fma(sum, x, m.float(x, c)))
}

/// `x` where it is so small that the function is `x`, else `value`: keeps the sign of zero.
fn unless_tiny<A: Arithmetic>(m: &A, x: A::Value, value: A::Value) -> A::Value {
    let tiny = m.float(x, format(m, x).tiny);
    m.select(m.less(m.abs(x), tiny), x, value)
}

/// An odd function from its value for `|x|`.
fn odd<A: Arithmetic>(m: &A, x: A::Value, value: A::Value) -> A::Value {
    unless_tiny(m, x, m.copysign(value, x))
}

/// Computes an f32 in f64 and rounds once; computes an f64 directly.
fn in_double<A: Arithmetic>(m: &A, x: A::Value, function: impl FnOnce(A::Value) -> A::Value) -> A::Value {
    if m.is_double(x) { function(x) } else { m.narrow(function(m.widen(x))) }
}

/// Clamps `x` to `low` and `high`; a NaN stays a NaN.
fn clamp<A: Arithmetic>(m: &A, x: A::Value, low: f64, high: f64) -> A::Value {
    let (low, high) = (m.float(x, low), m.float(x, high));
    let x = m.select(m.less(x, low), low, x);
    m.select(m.less(high, x), high, x)
}

/// What `fastmath<afn>` allows: the chip's approximations, of f32 values.
pub mod fast {
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
}
