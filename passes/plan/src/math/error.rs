//! The error function, of f32 values. Coefficients are fitted at Chebyshev nodes.

use super::exp::exp;
use super::{Arithmetic, polynomial};

/// `(erf(sqrt(z)) / sqrt(z) - 2 / sqrt(pi)) / z` up to 1.
const NEAR: [f64; 8] = [
    -3.76126389e-1,
    1.128379163e-1,
    -2.68661612e-2,
    5.223901522e-3,
    -8.545300982e-4,
    1.198947493e-4,
    -1.411945013e-5,
    1.113101391e-6,
];

/// `log(erfc(a))` from 1 to 4.
const FAR: [f64; 11] = [
    0.0002734751661745717,
    -1.1299690886049099,
    -0.6324793302946242,
    -0.10915372189464703,
    0.025586929204771732,
    -0.004261094287588628,
    0.00039648828113367365,
    7.4475762798570666e-06,
    -7.467047474496743e-06,
    8.925321669513983e-07,
    -3.834714142238689e-08,
];

/// `exp(a^2) * erfc(a) * (1 + a)` for `u = (a - 2) / (a + 2)`, up to `a = 10.2`.
const TAIL: [f64; 15] = [
    0.7661870289315108,
    -0.25997483699857205,
    0.03781389825098563,
    0.042536349329477856,
    -0.02524355085560176,
    -0.000518270275800877,
    0.003937702429534714,
    0.0001445874520162836,
    -0.0007062936639237418,
    -0.00013933329271873158,
    0.0001160231623351331,
    5.939959179393188e-05,
    -7.072615422456342e-06,
    -1.3526715043401622e-05,
    -3.366550387199157e-06,
];

/// 2 divided by the square root of pi.
const SLOPE: f64 = std::f64::consts::FRAC_2_SQRT_PI;

/// The error function.
pub fn erf<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let (a, one) = (m.abs(x), m.float(x, 1.0));
    let z = m.mul(a, a);
    let tail = m.fma(a, m.float(x, SLOPE - f64::from(SLOPE as f32)), m.mul(m.mul(a, z), polynomial(m, z, &NEAR)));
    let near = m.fma(a, m.float(x, SLOPE), tail);
    let four = m.float(x, 4.0);
    let clamped = m.select(m.less(four, a), four, a);
    let far = m.sub(one, exp(m, polynomial(m, clamped, &FAR)));
    let value = m.copysign(m.select(m.less(a, one), near, far), x);
    m.select(m.less(a, m.float(x, 1e-30)), m.mul(x, m.float(x, SLOPE)), value)
}

/// 1 minus the error function, computed in f64.
pub fn erfc<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let x = m.widen(x);
    let (one, two) = (m.float(x, 1.0), m.float(x, 2.0));
    let end = m.float(x, 10.2);
    let a = m.abs(x);
    let a = m.select(m.less(end, a), end, a);
    let u = m.div(m.sub(a, two), m.add(a, two));
    let decay = exp(m, m.sub(m.float(x, -0.0), m.mul(a, a)));
    let value = m.mul(decay, m.div(polynomial(m, u, &TAIL), m.add(one, a)));
    m.narrow(m.select(m.less(x, m.float(x, 0.0)), m.sub(two, value), value))
}
