//! Sine, cosine, tangent.

use super::reduce::{quarter, quarter_of_large, reach};
use super::{Arithmetic, polynomial, unless_tiny};

/// `x` as a number of quarter turns and a remainder. An f64 beyond `2^30` is not reduced accurately: the result is NaN.
fn turns<A: Arithmetic>(m: &A, x: A::Value) -> (A::Value, A::Value) {
    let (count, left) = quarter(m, x);
    let double = m.is_double(x);
    let near = m.less(m.abs(x), m.float(x, reach(double)));
    let nan = m.float(x, f64::NAN);
    if double {
        return (count, m.select(near, left, nan));
    }
    let [count, left] = m.unless(near, [count, left], || quarter_of_large(m, x));
    (count, m.select(m.less(m.abs(x), m.float(x, f64::INFINITY)), left, nan))
}

/// Sine of up to an eighth of a turn.
fn sine<A: Arithmetic>(m: &A, r: A::Value) -> A::Value {
    let z = m.mul(r, r);
    m.fma(m.mul(r, z), polynomial(m, z, &series(m, r, 3)), r)
}

/// Cosine of up to an eighth of a turn.
fn cosine<A: Arithmetic>(m: &A, r: A::Value) -> A::Value {
    let z = m.mul(r, r);
    let rest = m.mul(z, polynomial(m, z, &series(m, r, 4)));
    let half = m.mul(z, m.float(r, 0.5));
    // 1 - half, and the part that its rounding loses.
    let main = m.sub(m.float(r, 1.0), half);
    let lost = m.sub(m.sub(m.float(r, 1.0), main), half);
    m.add(main, m.fma(z, rest, lost))
}

/// The coefficients of a series from `x^first` on, of every other power.
fn series<A: Arithmetic>(m: &A, like: A::Value, first: u32) -> Vec<f64> {
    let last = if m.is_double(like) { first + 14 } else { first + 6 };
    let sign = |n: u32| if (n / 2).is_multiple_of(2) { 1.0 } else { -1.0 };
    let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
    (first..=last).step_by(2).map(|n| sign(n) / factorial(n)).collect()
}

/// `a` in odd quarters, `b` in even ones, negated in the second half of a turn.
fn by_quarter<A: Arithmetic>(m: &A, count: A::Value, a: A::Value, b: A::Value) -> A::Value {
    let (one, two, zero) = (m.integer(count, 1), m.integer(count, 2), m.integer(count, 0));
    let value = m.select(m.iequal(m.and(count, one), zero), b, a);
    let negated = m.sub(m.float(value, -0.0), value);
    m.select(m.iequal(m.and(count, two), zero), value, negated)
}

/// The sine.
pub fn sin<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let (count, left) = turns(m, x);
    unless_tiny(m, x, by_quarter(m, count, cosine(m, left), sine(m, left)))
}

/// The cosine.
pub fn cos<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let (count, left) = turns(m, x);
    let next = m.iadd(count, m.integer(count, 1));
    by_quarter(m, next, cosine(m, left), sine(m, left))
}

/// The tangent.
pub fn tan<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let (count, left) = turns(m, x);
    let (sine, cosine) = (sine(m, left), cosine(m, left));
    let odd = m.iequal(m.and(count, m.integer(count, 1)), m.integer(count, 1));
    let above = m.select(odd, m.sub(m.float(x, -0.0), cosine), sine);
    unless_tiny(m, x, m.div(above, m.select(odd, sine, cosine)))
}
