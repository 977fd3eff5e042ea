//! Inverse trigonometric functions. Coefficients are fitted at Chebyshev nodes.

use super::{Arithmetic, odd, polynomial};

/// `(atan(sqrt(z)) / sqrt(z) - 1) / z` up to the square of `sqrt(2) - 1`.
const ATAN_SINGLE: [f64; 7] =
    [-3.333333333e-1, 1.999999892e-1, -1.428561251e-1, 1.110749514e-1, -9.0289835e-2, 7.135325122e-2, -4.043224826e-2];
const ATAN_DOUBLE: [f64; 15] = [
    -0.3333333333333333,
    2.0e-1,
    -0.1428571428571428,
    0.11111111111109946,
    -0.09090909090803775,
    0.07692307686566288,
    -0.0666666646195965,
    0.05882347923411834,
    -0.052630706812495244,
    0.04760810854977868,
    -0.043378578577287524,
    0.03934238417380301,
    -0.03394188289926891,
    0.0243764527468894,
    -0.010324989864592826,
];

/// `(asin(sqrt(z)) / sqrt(z) - 1) / z` up to 1/4.
const ASIN_SINGLE: [f64; 6] =
    [1.666666634e-1, 7.500094543e-2, 4.459940153e-2, 3.110066274e-2, 1.714923836e-2, 3.36908472e-2];
const ASIN_DOUBLE: [f64; 14] = [
    0.16666666666666666,
    0.07500000000000118,
    0.044642857142551895,
    0.03038194447553234,
    0.02237215744350722,
    0.017352816540325496,
    0.01396378001220357,
    0.011566459612121669,
    0.009621842970100282,
    0.009319560794767446,
    0.0030448799094556773,
    0.019554513336123378,
    -0.01924167174674304,
    0.02961201126495512,
];

/// pi / 2 minus its rounded value.
const HALF_PI_REST: f64 = 6.123233995736766e-17;

/// `t + t^3 * p(t^2)`.
fn odd_series<A: Arithmetic>(m: &A, t: A::Value, single: &[f64], double: &[f64]) -> A::Value {
    let z = m.mul(t, t);
    m.fma(m.mul(t, z), polynomial(m, z, if m.is_double(t) { double } else { single }), t)
}

/// `angle`, a multiple of pi / 4, minus `value`.
fn angle_minus<A: Arithmetic>(m: &A, angle: f64, value: A::Value) -> A::Value {
    let high = if m.is_double(value) { angle } else { f64::from(angle as f32) };
    let rest = if m.is_double(value) { HALF_PI_REST * angle / std::f64::consts::FRAC_PI_2 } else { angle - high };
    m.add(m.float(value, high), m.sub(m.float(value, rest), value))
}

/// The inverse tangent of `t` from 0 to 1.
fn arc<A: Arithmetic>(m: &A, t: A::Value) -> A::Value {
    let one = m.float(t, 1.0);
    let steep = m.less(m.float(t, std::f64::consts::SQRT_2 - 1.0), t);
    // atan(t) = pi/4 + atan((t - 1) / (t + 1)).
    let turned = m.div(m.sub(t, one), m.add(t, one));
    let value = odd_series(m, m.select(steep, turned, t), &ATAN_SINGLE, &ATAN_DOUBLE);
    let minus = m.sub(m.float(t, -0.0), value);
    m.select(steep, angle_minus(m, std::f64::consts::FRAC_PI_4, minus), value)
}

/// The inverse tangent.
pub fn atan<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let (a, one) = (m.abs(x), m.float(x, 1.0));
    let beyond = m.less(one, a);
    let value = arc(m, m.select(beyond, m.div(one, a), a));
    odd(m, x, m.select(beyond, angle_minus(m, std::f64::consts::FRAC_PI_2, value), value))
}

/// The angle of the point `(x, y)`.
pub fn atan2<A: Arithmetic>(m: &A, y: A::Value, x: A::Value) -> A::Value {
    let (above, along) = (m.abs(y), m.abs(x));
    let steep = m.less(along, above);
    let (large, small) = (m.select(steep, above, along), m.select(steep, along, above));
    let (zero, one) = (m.float(x, 0.0), m.float(x, 1.0));
    let ratio = m.div(small, large);
    let ratio = m.select(m.equal(large, zero), zero, ratio);
    let ratio = m.select(m.equal(small, m.float(x, f64::INFINITY)), one, ratio);
    let value = arc(m, ratio);
    let value = m.select(steep, angle_minus(m, std::f64::consts::FRAC_PI_2, value), value);
    let behind = m.less(m.copysign(one, x), zero);
    let value = m.select(behind, angle_minus(m, std::f64::consts::PI, value), value);
    m.select(m.unordered(x, y), m.add(x, y), m.copysign(value, y))
}

/// The inverse sine of `root`, up to 1/2.
fn asin_of<A: Arithmetic>(m: &A, root: A::Value) -> A::Value {
    odd_series(m, root, &ASIN_SINGLE, &ASIN_DOUBLE)
}

/// `sqrt((1 - a) / 2)`.
fn half_chord<A: Arithmetic>(m: &A, a: A::Value) -> A::Value {
    m.sqrt(m.mul(m.sub(m.float(a, 1.0), a), m.float(a, 0.5)))
}

/// The inverse sine.
pub fn asin<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let a = m.abs(x);
    let near = m.less(a, m.float(x, 0.5));
    let value = asin_of(m, m.select(near, a, half_chord(m, a)));
    let far = angle_minus(m, std::f64::consts::FRAC_PI_2, m.add(value, value));
    odd(m, x, m.select(near, value, far))
}

/// The inverse cosine.
pub fn acos<A: Arithmetic>(m: &A, x: A::Value) -> A::Value {
    let a = m.abs(x);
    let near = m.less(a, m.float(x, 0.5));
    let value = asin_of(m, m.select(near, x, half_chord(m, a)));
    let twice = m.add(value, value);
    let left = m.less(x, m.float(x, 0.0));
    let far = m.select(left, angle_minus(m, std::f64::consts::PI, twice), twice);
    m.select(near, angle_minus(m, std::f64::consts::FRAC_PI_2, value), far)
}
