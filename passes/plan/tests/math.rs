//! Elementary functions, evaluated on numbers and compared with the C library's, in units of the last place.

use tile_plan::math::numbers::MathNumber::{self, F32, F64};
use tile_plan::math::numbers::Numbers;
use tile_plan::math::{error, exp, inverse, log, power, trig};

const M: &Numbers = &Numbers;

fn single(number: MathNumber) -> f32 {
    match number {
        F32(value) => value,
        other => panic!("{other:?} is no f32"),
    }
}

fn double(number: MathNumber) -> f64 {
    match number {
        F64(value) => value,
        other => panic!("{other:?} is no f64"),
    }
}

/// How far `got` is from `want`, in units of the last place of an f32 around `want`; 0 where both are NaN or the same.
fn ulps(got: f32, want: f64) -> f64 {
    let rounded = want as f32;
    if got.is_nan() && want.is_nan()
        || got == rounded && (got != 0.0 || got.is_sign_negative() == want.is_sign_negative())
    {
        return if got.is_infinite() || got.is_nan() { 0.0 } else { (f64::from(got) - want).abs() / ulp(rounded) };
    }
    if !got.is_finite() || !rounded.is_finite() || got == rounded {
        // Just beyond the largest number, infinity is one unit away.
        let large = |value: f32| value.abs() >= f32::MAX;
        return if large(got) && large(rounded) && (got > 0.0) == (want > 0.0) { 1.0 } else { f64::INFINITY };
    }
    (f64::from(got) - want).abs() / ulp(rounded)
}

fn ulp(value: f32) -> f64 {
    let exponent = (value.to_bits() >> 23 & 255).max(1) as i32 - 127;
    2f64.powi(exponent - 23)
}

/// The number of arguments that a function is evaluated on: more where properties run more cases.
fn evaluations() -> u32 {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse::<u32>().ok());
    cases.map_or(100_000, |cases| cases.saturating_mul(40).clamp(100_000, 4_000_000))
}

/// f32 values at equal distances of their bits, and the special ones.
fn arguments() -> impl Iterator<Item = f32> {
    let step = (u32::MAX / evaluations()) | 1;
    let special = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, f32::MIN];
    let small =
        [f32::MIN_POSITIVE, 1e-45, -1e-45, 88.72, 88.73, -103.9, -104.1, 127.99, -149.0, 105_414.3, 16_367_173e30];
    let near = (0..20_000).map(|i| (i as f32 - 10_000.0) * 1.0e-3);
    (0..=u32::MAX).step_by(step as usize).map(f32::from_bits).chain(special).chain(small).chain(near)
}

/// The largest error of an f32 function; fails above `most`.
#[track_caller]
fn check(name: &str, most: f64, function: impl Fn(MathNumber) -> MathNumber, reference: impl Fn(f64) -> f64) {
    let (mut worst, mut at) = (0.0, 0.0);
    for x in arguments() {
        let error = ulps(single(function(F32(x))), reference(x.into()));
        if error.is_nan() || error > worst {
            (worst, at) = (error, x);
        }
    }
    println!("{name} f32: {worst:.2} ulp at {at:e}");
    let got = single(function(F32(at)));
    assert!(
        worst <= most,
        "{name}: {worst} ulp at {at:e} ({:08x}), got {got:e}, want {:e}",
        at.to_bits(),
        reference(at.into())
    );
}

/// The same for an f64 function, on arguments with magnitudes between two powers of two.
#[track_caller]
fn check_double(
    name: &str,
    most: f64,
    least: i32,
    largest: i32,
    function: impl Fn(MathNumber) -> MathNumber,
    reference: impl Fn(f64) -> f64,
) {
    let mut state = 1u64;
    let (mut worst, mut at) = (0.0, 0.0);
    let special = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let random = (0..evaluations()).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let exponent = least + ((state >> 33) % (largest - least) as u64) as i32;
        let mantissa = f64::from_bits(1023 << 52 | state >> 12);
        mantissa * 2f64.powi(exponent) * if state >> 11 & 1 == 0 { 1.0 } else { -1.0 }
    });
    for x in special.into_iter().filter(|x| largest > 100 || x.is_finite()).chain(random) {
        let (got, want) = (double(function(F64(x))), reference(x));
        if got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan() {
            continue;
        }
        let exponent = (want.to_bits() >> 52 & 2047).max(1) as i32 - 1023;
        let error = (got - want).abs() / 2f64.powi(exponent.max(-970) - 52);
        let error = if got == want { f64::INFINITY } else { error };
        if error.is_nan() || error > worst {
            (worst, at) = (error, x);
        }
    }
    println!("{name} f64: {worst:.2} ulp at {at:e}");
    assert!(
        worst <= most,
        "{name}: {worst} ulp at {at:e}, got {:e}, want {:e}",
        double(function(F64(at))),
        reference(at)
    );
}

#[test]
fn exponentials() {
    check("exp", 1.1, |x| exp::exp(M, x), f64::exp);
    check("exp2", 1.0, |x| exp::exp2(M, x), f64::exp2);
    check("expm1", 2.0, |x| exp::expm1(M, x), f64::exp_m1);
    check_double("exp", 1.5, -60, 1023, |x| exp::exp(M, x), f64::exp);
    check_double("exp", 1.5, -4, 10, |x| exp::exp(M, x), f64::exp);
    check_double("exp2", 1.5, -60, 1023, |x| exp::exp2(M, x), f64::exp2);
    check_double("exp2", 1.5, -4, 10, |x| exp::exp2(M, x), f64::exp2);
    check_double("expm1", 2.5, -70, 1023, |x| exp::expm1(M, x), f64::exp_m1);
    check_double("expm1", 2.5, -4, 10, |x| exp::expm1(M, x), f64::exp_m1);
}

#[test]
fn hyperbolic() {
    check("sinh", 3.0, |x| exp::sinh(M, x), f64::sinh);
    check("cosh", 3.0, |x| exp::cosh(M, x), f64::cosh);
    check("tanh", 3.0, |x| exp::tanh(M, x), f64::tanh);
    check_double("sinh", 4.0, -70, 10, |x| exp::sinh(M, x), f64::sinh);
    check_double("cosh", 4.0, -70, 10, |x| exp::cosh(M, x), f64::cosh);
    check_double("tanh", 4.0, -70, 10, |x| exp::tanh(M, x), f64::tanh);
}

#[test]
fn logarithms() {
    check("log", 1.0, |x| log::log(M, x), f64::ln);
    check("log2", 1.5, |x| log::log2(M, x), f64::log2);
    check("log10", 1.5, |x| log::log10(M, x), f64::log10);
    check("log1p", 2.0, |x| log::log1p(M, x), f64::ln_1p);
    check_double("log", 1.5, -1070, 1023, |x| log::log(M, x), f64::ln);
    check_double("log", 1.5, -1, 2, |x| log::log(M, x), f64::ln);
    check_double("log2", 2.0, -1070, 1023, |x| log::log2(M, x), f64::log2);
    check_double("log2", 2.0, -1, 2, |x| log::log2(M, x), f64::log2);
    check_double("log10", 2.0, -1070, 1023, |x| log::log10(M, x), f64::log10);
    check_double("log10", 2.0, -1, 2, |x| log::log10(M, x), f64::log10);
    check_double("log1p", 2.5, -70, 1023, |x| log::log1p(M, x), f64::ln_1p);
}

#[test]
fn inverse_hyperbolic() {
    check("asinh", 4.0, |x| log::asinh(M, x), f64::asinh);
    check("acosh", 4.0, |x| log::acosh(M, x), f64::acosh);
    check("atanh", 4.0, |x| log::atanh(M, x), f64::atanh);
}

#[test]
fn trigonometric() {
    check("sin", 1.8, |x| trig::sin(M, x), f64::sin);
    check("cos", 1.8, |x| trig::cos(M, x), f64::cos);
    check("tan", 4.0, |x| trig::tan(M, x), f64::tan);
    check_double("sin", 2.0, -70, 29, |x| trig::sin(M, x), f64::sin);
    check_double("cos", 2.0, -70, 29, |x| trig::cos(M, x), f64::cos);
    check_double("tan", 4.0, -70, 29, |x| trig::tan(M, x), f64::tan);
    assert!(double(trig::sin(M, F64(1e10))).is_nan() && double(trig::cos(M, F64(1e300))).is_nan());
}

#[test]
fn inverse_trigonometric() {
    check("atan", 3.0, |x| inverse::atan(M, x), f64::atan);
    check("asin", 3.0, |x| inverse::asin(M, x), f64::asin);
    check("acos", 3.0, |x| inverse::acos(M, x), f64::acos);
    check_double("atan", 3.0, -70, 1023, |x| inverse::atan(M, x), f64::atan);
    check_double("asin", 3.0, -70, 0, |x| inverse::asin(M, x), f64::asin);
    check_double("acos", 3.0, -70, 0, |x| inverse::acos(M, x), f64::acos);
}

#[test]
fn roots_and_errors() {
    check("cbrt", 1.0, |x| power::cbrt(M, x), f64::cbrt);
    check("rsqrt", 1.6, |x| power::rsqrt(M, x), |x| 1.0 / x.sqrt());
    check_double("cbrt", 1.5, -1000, 1023, |x| power::cbrt(M, x), f64::cbrt);
    // Values of erf that are known to 10 digits.
    for (x, erf) in [
        (0.25, 0.276_326_390_2),
        (0.5, 0.520_499_877_8),
        (1.0, 0.842_700_793),
        (2.0, 0.995_322_265_0),
        (3.5, 0.999_999_256_9),
    ] {
        assert!(ulps(single(error::erf(M, F32(x))), erf) < 2.0, "erf({x})");
        assert!(ulps(single(error::erf(M, F32(-x))), -erf) < 2.0, "erf({x})");
    }
    for (x, erfc) in [
        (-1.0, 1.842_700_793),
        (0.5, 0.479_500_122_2),
        (2.0, 4.677_734_981e-3),
        (5.0, 1.537_459_794e-12),
        (9.0, 4.137_031_747e-37),
    ] {
        assert!(ulps(single(error::erfc(M, F32(x))), erfc) < 2.0, "erfc({x})");
    }
}

/// Two arguments: all pairs of these values.
const PAIRS: [f32; 26] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    3.0,
    -3.0,
    0.5,
    -0.5,
    0.333,
    7.25,
    -7.25,
    1e-3,
    1e10,
    -1e10,
    1e-30,
    3.4e38,
    1e-45,
    -1e-45,
    16_777_217.0,
    33.0,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    1.000_1,
];

#[track_caller]
fn check_pairs(
    name: &str,
    most: f64,
    function: impl Fn(MathNumber, MathNumber) -> MathNumber,
    reference: impl Fn(f64, f64) -> f64,
) {
    let mut worst = 0.0f64;
    for (x, y) in PAIRS.iter().flat_map(|&x| PAIRS.iter().map(move |&y| (x, y))) {
        let (got, want) = (single(function(F32(x), F32(y))), reference(x.into(), y.into()));
        let error = ulps(got, want);
        assert!(error <= most, "{name}({x:e}, {y:e}): got {got:e}, want {want:e}");
        worst = worst.max(error);
    }
    println!("{name} f32: {worst:.2} ulp");
}

#[test]
fn functions_of_two() {
    check_pairs("powf", 1.0, |x, y| power::powf(M, x, y), f64::powf);
    check_pairs("atan2", 3.0, |x, y| inverse::atan2(M, x, y), f64::atan2);
    check_pairs("remf", 0.0, |x, y| power::remainder(M, x, y), |x, y| f64::from((x as f32) % (y as f32)));
    for (x, y) in [(1e300, 3.0), (-1e300, 7e-300), (5.5, 5e-324), (1.7e308, 1.5e-323), (0.3, 0.1), (-8.0, 2.0)] {
        let got = double(power::remainder(M, F64(x), F64(y)));
        assert_eq!(got.to_bits(), (x % y).to_bits(), "{x} % {y}");
    }
}
