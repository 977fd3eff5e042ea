//! Argument reduction: by powers of two and by quarter turns.

use super::{Arithmetic, format, polynomial};

/// ln 2 in two parts of a format's precision.
pub fn ln2(double: bool) -> (f64, f64) {
    split(std::f64::consts::LN_2, 2.3190468138462996e-17, double)
}

/// log10 2 in two parts of a format's precision.
pub fn log10_2(double: bool) -> (f64, f64) {
    split(std::f64::consts::LOG10_2, -2.80372812778517e-18, double)
}

/// Splits the constant `high + low` into a part of the format's precision and a remainder.
fn split(high: f64, low: f64, double: bool) -> (f64, f64) {
    if double {
        return (high, low);
    }
    let rounded = f64::from(high as f32);
    (rounded, high - rounded)
}

/// The integer nearest to `x`, as a float and as an integer.
pub fn nearest<A: Arithmetic>(m: &A, x: A::Value) -> (A::Value, A::Value) {
    let rounder = m.float(x, format(m, x).rounder);
    let moved = m.add(x, rounder);
    (m.sub(moved, rounder), m.isub(m.bits(moved), m.bits(rounder)))
}

/// `2^n`, for an `n` that is at least the smallest exponent of a normal number.
pub fn power_of_two<A: Arithmetic>(m: &A, n: A::Value) -> A::Value {
    let (bias, mantissa) = if m.is_double(n) { (1023, 52) } else { (127, 23) };
    m.of_bits(m.shl(m.iadd(n, m.integer(n, bias)), m.integer(n, mantissa)))
}

/// `value * 2^n`, rounded once: computed in two steps, of which only the second may leave the range of normal numbers.
pub fn scale<A: Arithmetic>(m: &A, value: A::Value, n: A::Value) -> A::Value {
    let half = m.sar(n, m.integer(n, 1));
    let first = m.mul(value, power_of_two(m, half));
    m.mul(first, power_of_two(m, m.isub(n, half)))
}

/// `e^r - 1` for `|r|` up to `ln 2 / 2`: its series, to the format's precision.
pub fn exp_minus_one<A: Arithmetic>(m: &A, r: A::Value) -> A::Value {
    let terms = if m.is_double(r) { 13 } else { 7 };
    let series: Vec<f64> = (2..=terms)
        .scan(1.0, |factorial, k| {
            *factorial *= f64::from(k);
            Some(1.0 / *factorial)
        })
        .collect();
    m.fma(m.mul(r, r), polynomial(m, r, &series), r)
}

/// A positive `x` as `2^k * (1 + f)` with `1 + f` between `sqrt(1/2)` and `sqrt(2)`: `k` as a float, and `f`.
pub fn mantissa<A: Arithmetic>(m: &A, x: A::Value) -> (A::Value, A::Value) {
    let shape = format(m, x);
    let lift = shape.mantissa as i32 + 2;
    let small = m.less(x, m.float(x, shape.normal));
    let lifted = m.mul(x, m.float(x, 2f64.powi(lift)));
    let x = m.select(small, lifted, x);
    let bits = m.bits(x);
    let root = m.bits(m.float(x, std::f64::consts::FRAC_1_SQRT_2));
    let width = m.integer(bits, shape.mantissa);
    let exponent = m.sar(m.isub(bits, root), width);
    let mantissa = m.of_bits(m.isub(bits, m.shl(exponent, width)));
    let down = m.select(small, m.float(x, f64::from(lift)), m.float(x, 0.0));
    (m.sub(m.to_float(exponent), down), m.sub(mantissa, m.float(x, 1.0)))
}

/// pi / 2 in three parts.
fn half_pi(double: bool) -> [f64; 3] {
    let parts = [std::f64::consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591691e-33];
    if double {
        return parts;
    }
    let first = f64::from(parts[0] as f32);
    let second = f64::from((parts[0] - first) as f32);
    [first, second, parts[0] - first - second + parts[1]]
}

/// The magnitude beyond which multiples of a quarter turn are not exact in three parts.
pub fn reach(double: bool) -> f64 {
    if double { 2f64.powi(30) } else { 2f64.powi(16) }
}

/// `x` as a number of quarter turns and a remainder of magnitude up to `pi / 4`.
pub fn quarter<A: Arithmetic>(m: &A, x: A::Value) -> (A::Value, A::Value) {
    let (turns, count) = nearest(m, m.mul(x, m.float(x, std::f64::consts::FRAC_2_PI)));
    let left = half_pi(m.is_double(x)).iter().fold(x, |left, &part| m.fma(turns, m.float(x, -part), left));
    (count, left)
}

/// The fraction bits of 2 / pi.
const TWO_BY_PI: [u32; 7] = [0xa2f9_836e, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041, 0xfe51_63ab];

/// As [`quarter`], for an f32 of any magnitude: multiplied in integers by the bits of `2 / pi` that matter.
///
/// ```text
///   |x| = M * 2^e, M of 24 bits, e from -7 to 104
///   window: the 96 bits of 2/pi from weight 2^(1-e) on, so that M times its first word counts in quarter turns of 2^-30
/// ```
pub fn quarter_of_large<A: Arithmetic>(m: &A, x: A::Value) -> [A::Value; 2] {
    let int = |constant| m.integer(x, constant);
    let bits = m.bits(m.abs(x));
    let whole = m.or(m.and(bits, int(0x7f_ffff)), int(0x80_0000));
    // The bit offset of the window in the fraction, which a word of zeros precedes.
    let offset = m.iadd(m.isub(m.shr(bits, int(23)), int(150)), int(30));
    let (index, shift) = (m.shr(offset, int(5)), m.and(offset, int(31)));
    let word = |at: i64| {
        let bits = |index: i64| match index {
            0 => 0,
            index => i64::from(TWO_BY_PI[index as usize - 1] as i32),
        };
        (1..=4).fold(int(bits(at)), |word, i| m.select(m.iequal(index, int(i)), int(bits(at + i)), word))
    };
    let words = [0, 1, 2, 3].map(word);
    let window = [0, 1, 2].map(|i| {
        let pair = m.or(m.shl(m.widen_integer(words[i]), wide(m, x, 32)), m.widen_integer(words[i + 1]));
        m.low_integer(m.shr(m.shl(pair, m.widen_integer(shift)), wide(m, x, 32)))
    });
    let times = |word| m.imul(m.widen_integer(whole), m.widen_integer(word));
    let product = m.iadd(
        m.iadd(m.shl(times(window[0]), wide(m, x, 32)), times(window[1])),
        m.shr(times(window[2]), wide(m, x, 32)),
    );
    // The two bits before the point are quarter turns. Take the nearest one, and the signed remainder.
    let half = m.shl(wide(m, x, 1), wide(m, x, 61));
    let count = m.shr(m.iadd(product, half), wide(m, x, 62));
    let left = m.isub(product, m.shl(count, wide(m, x, 62)));
    let left = m.mul(m.to_float(left), m.float(left, 2f64.powi(-62) * std::f64::consts::FRAC_PI_2));
    let (left, count) = (m.narrow(left), m.low_integer(count));
    let negative = m.less(x, m.float(x, 0.0));
    let zero = int(0);
    [m.select(negative, m.isub(zero, count), count), m.select(negative, m.sub(m.float(x, -0.0), left), left)]
}

/// An i64 constant.
fn wide<A: Arithmetic>(m: &A, narrow: A::Value, constant: i64) -> A::Value {
    m.widen_integer(m.integer(narrow, constant))
}
