//! Floating-point arithmetic.

use super::{Widths, apply, check_on};

const W32: Widths = Widths(32, &[32, 32, 32]);
const W64: Widths = Widths(64, &[64, 64, 64]);
const W16: Widths = Widths(16, &[16, 16, 16]);

fn singles() -> Vec<[u64; 3]> {
    let v = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        1.5,
        3.25e-3,
        1e-40,
        -1e-45,
        3.4e38,
        f32::MIN_POSITIVE,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::from_bits(0x7f80_0123),
        16777217.0,
        0.333_333_34,
    ];
    triples(&v.map(|x: f32| u64::from(x.to_bits())))
}

fn doubles() -> Vec<[u64; 3]> {
    let v = [0.0, -0.0, 1.0, -2.5, 1e-310, 1.7e308, f64::INFINITY, f64::NAN, 0.1, 1e16].map(|x: f64| x.to_bits());
    triples(&[&v[..], &NANS].concat())
}

/// Quiet and signalling NaNs of both signs.
const NANS: [u64; 4] = [0xfff8_0000_0000_0777, 0x7ff8_0000_0000_1234, 0x7ff0_0000_0000_0001, 0xfff4_0000_0000_0055];

fn halves() -> Vec<[u64; 3]> {
    triples(&[0, 0x8000, 0x3c00, 0xbc00, 0x3555, 0x0001, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x4248, 0x1400])
}

fn triples(v: &[u64]) -> Vec<[u64; 3]> {
    let mut out = Vec::new();
    for &a in v {
        for &b in v {
            out.extend(v.iter().step_by(3).map(|&c| [a, b, c]));
        }
    }
    out
}

fn f(a: u64) -> f32 {
    f32::from_bits(a as u32)
}

/// The bits of `x`, with every NaN replaced by the one that the hardware returns.
fn g(x: f32) -> u64 {
    if x.is_nan() { 0x7fff_ffff } else { x.to_bits().into() }
}

/// An operation that produces a NaN from other values returns this one; an operation with NaN inputs propagates the
/// first of them.
fn d(x: f64, inputs: &[u64]) -> u64 {
    match inputs.iter().find(|&&i| f64::from_bits(i).is_nan()) {
        Some(nan) => nan | 1 << 51,
        None if x.is_nan() => 0xfff8_0000_0000_0000,
        None => x.to_bits(),
    }
}

#[test]
fn single() {
    let all = singles();
    check_on("add.f32 %d, %a, %b;", W32, &all, |a, b, _| g(f(a) + f(b)));
    check_on("sub.rn.f32 %d, %a, %b;", W32, &all, |a, b, _| g(f(a) - f(b)));
    check_on("mul.f32 %d, %a, %b;", W32, &all, |a, b, _| g(f(a) * f(b)));
    check_on("fma.rn.f32 %d, %a, %b, %c;", W32, &all, |a, b, c| g(f(a).mul_add(f(b), f(c))));
    check_on("div.rn.f32 %d, %a, %b;", W32, &all, |a, b, _| g(f(a) / f(b)));
    check_on("sqrt.rn.f32 %d, %a;", W32, &all, |a, _, _| g(f(a).sqrt()));
    check_on("rcp.rn.f32 %d, %a;", W32, &all, |a, _, _| g(1.0 / f(a)));
    check_on("abs.f32 %d, %a;", W32, &all, |a, _, _| g(f(a).abs()));
    check_on("neg.f32 %d, %a;", W32, &all, |a, _, _| g(-f(a)));
    check_on("copysign.f32 %d, %a, %b;", W32, &all, |a, b, _| f(b).copysign(f(a)).to_bits().into());
}

#[test]
fn directed_rounding() {
    let all = singles();
    // f32 sums and products are exact in f64 for these values, or far enough from ties.
    let down = |x: f64| {
        let y = x as f32;
        if f64::from(y) > x { y.next_down() } else { y }
    };
    let finite: Vec<_> =
        all.iter().copied().filter(|t| t.iter().all(|&x| f(x).is_finite() && f(x).abs() < 1e30)).collect();
    check_on("mul.rm.f32 %d, %a, %b;", W32, &finite, |a, b, _| g(down(f64::from(f(a)) * f64::from(f(b)))));
    check_on("mul.rz.f32 %d, %a, %b;", W32, &finite, |a, b, _| {
        let exact = f64::from(f(a)) * f64::from(f(b));
        g(down(exact.abs()).copysign(exact as f32))
    });
    check_on("add.rp.f32 %d, %a, 0f3F800000;", W32, &[[1e-20f32.to_bits().into(), 0, 0]], |_, _, _| {
        u64::from(1f32.to_bits()) + 1
    });
    check_on("add.rz.f64 %d, %a, 0d3FF0000000000000;", W64, &[[(-1e-30f64).to_bits(), 0, 0]], |_, _, _| {
        1f64.to_bits() - 1
    });
}

#[test]
fn flushing_and_saturation() {
    let all = singles();
    let z = |x: f32| if x.is_subnormal() { 0f32.copysign(x) } else { x };
    check_on("add.ftz.f32 %d, %a, %b;", W32, &all, |a, b, _| g(z(z(f(a)) + z(f(b)))));
    check_on("mul.ftz.f32 %d, %a, %b;", W32, &all, |a, b, _| g(z(z(f(a)) * z(f(b)))));
    check_on("add.sat.f32 %d, %a, %b;", W32, &all, |a, b, _| {
        let x = f(a) + f(b);
        if x.is_nan() || x.to_bits() >> 31 == 1 { 0 } else { g(x.min(1.0)) }
    });
    check_on("fma.rn.ftz.sat.f32 %d, %a, %b, %c;", W32, &all, |a, b, c| {
        let x = z(z(f(a)).mul_add(z(f(b)), z(f(c))));
        if x.is_nan() || x.to_bits() >> 31 == 1 { 0 } else { g(x.min(1.0)) }
    });
}

#[test]
fn minimum_and_maximum() {
    let all = singles();
    let less = |a: f32, b: f32| a < b || a == b && a.is_sign_negative() && b.is_sign_positive();
    let min = |a: f32, b: f32| match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if less(b, a) => b,
        _ => a,
    };
    let max = |a: f32, b: f32| -min(-a, -b);
    check_on("min.f32 %d, %a, %b;", W32, &all, |a, b, _| g(min(f(a), f(b))));
    check_on("max.f32 %d, %a, %b;", W32, &all, |a, b, _| g(max(f(a), f(b))));
    check_on("max.NaN.f32 %d, %a, %b;", W32, &all, |a, b, _| {
        if f(a).is_nan() || f(b).is_nan() { g(f32::NAN) } else { g(max(f(a), f(b))) }
    });
    check_on("min.xorsign.abs.f32 %d, %a, %b;", W32, &all, |a, b, _| {
        let x = min(f(a).abs(), f(b).abs());
        if x.is_nan() { g(x) } else { g(x) | (a ^ b) & 0x8000_0000 }
    });
}

#[test]
fn double() {
    let all = doubles();
    let f = f64::from_bits;
    check_on("add.f64 %d, %a, %b;", W64, &all, |a, b, _| d(f(a) + f(b), &[b, a]));
    check_on("sub.rn.f64 %d, %a, %b;", W64, &all, |a, b, _| d(f(a) - f(b), &[b, a]));
    check_on("mul.rn.f64 %d, %a, %b;", W64, &all, |a, b, _| d(f(a) * f(b), &[b, a]));
    check_on("fma.rn.f64 %d, %a, %b, %c;", W64, &all, |a, b, c| d(f(a).mul_add(f(b), f(c)), &[b, c, a]));
    let nans = triples_of(&[&NANS[..], &[1.5f64.to_bits()]].concat());
    check_on("fma.rn.f64 %d, %a, %b, %c;", W64, &nans, |a, b, c| d(f(a).mul_add(f(b), f(c)), &[b, c, a]));
    check_on("fma.rz.f64 %d, %a, %b, %c;", W64, &nans, |a, b, c| d(f(a).mul_add(f(b), f(c)), &[b, c, a]));
    check_on("div.rn.f64 %d, %a, %b;", W64, &all, |a, b, _| d(f(a) / f(b), &[a, b]));
    check_on("sqrt.rn.f64 %d, %a;", W64, &all, |a, _, _| d(f(a).sqrt(), &[a]));
    let larger = |a: u64, b: u64| match (f(a).is_nan(), f(b).is_nan()) {
        (true, true) => b | 1 << 51,
        (true, false) => b,
        (false, true) => a,
        _ if f(a) == f(b) => a & b,
        _ => {
            if f(a) > f(b) {
                a
            } else {
                b
            }
        }
    };
    check_on("max.f64 %d, %a, %b;", W64, &all, |a, b, _| larger(a, b));
    check_on("neg.f64 %d, %a;", W64, &all, |a, _, _| d(-f(a), &[a]));
    check_on("abs.f64 %d, %a;", W64, &all, |a, _, _| d(f(a).abs(), &[a]));
    check_on("cvt.rmi.f64.f64 %d, %a;", W64, &all, |a, _, _| d(f(a).floor(), &[a]));
}

/// All triples.
fn triples_of(v: &[u64]) -> Vec<[u64; 3]> {
    let pairs = v.iter().flat_map(|&a| v.iter().map(move |&b| [a, b]));
    pairs.flat_map(|[a, b]| v.iter().map(move |&c| [a, b, c])).collect()
}

/// f16 to f64 by its definition.
fn wide(h: u64) -> f64 {
    let (sign, e, m) = (if h >> 15 & 1 == 1 { -1.0 } else { 1.0 }, (h >> 10 & 31) as i32, (h & 0x3ff) as f64);
    match e {
        0 => sign * m * 2f64.powi(-24),
        31 if m == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        _ => sign * (1024.0 + m) * 2f64.powi(e - 25),
    }
}

/// f64 to the nearest f16, by trying all values.
fn narrow(x: f64) -> u64 {
    if x.is_nan() {
        return 0x7fff;
    }
    let sign = u64::from(x.is_sign_negative()) << 15;
    let x = x.abs();
    if x >= 65520.0 {
        return sign | 0x7c00;
    }
    let below = (0..0x7c00).rev().find(|&h| wide(h) <= x).unwrap_or(0);
    let above = (below + 1).min(0x7bff);
    let (low, high) = (x - wide(below), wide(above) - x);
    sign | if low < high || low == high && below & 1 == 0 || above == below { below } else { above }
}

#[test]
fn half() {
    let all = halves();
    check_on("add.rn.f16 %d, %a, %b;", W16, &all, |a, b, _| narrow(wide(a) + wide(b)));
    check_on("mul.f16 %d, %a, %b;", W16, &all, |a, b, _| narrow(wide(a) * wide(b)));
    check_on("fma.rn.f16 %d, %a, %b, %c;", W16, &all, |a, b, c| narrow(wide(a).mul_add(wide(b), wide(c))));
    check_on("fma.rn.relu.f16 %d, %a, %b, %c;", W16, &all, |a, b, c| {
        let h = narrow(wide(a).mul_add(wide(b), wide(c)));
        if h == 0x7fff || h >> 15 == 0 { h } else { 0 }
    });
    let sign = |h: u64, bit: u64| if h & 0x7fff > 0x7c00 { 0x7fff } else { h & 0x7fff | bit << 15 };
    check_on("neg.f16 %d, %a;", W16, &all, |a, _, _| sign(a, a >> 15 ^ 1));
    check_on("abs.f16 %d, %a;", W16, &all, |a, _, _| sign(a, 0));
    check_on("neg.f16x2 %d, %a;", W32, &[[0xfe01_3e00, 0, 0]], |_, _, _| 0x7fff_be00);
    check_on("abs.bf16x2 %d, %a;", W32, &[[0xff82_bf80, 0, 0]], |_, _, _| 0x7fff_3f80);
    check_on("sub.f16x2 %d, %a, %b;", W32, &[[0x3c00_4000, 0x3800_3c00, 0]], |_, _, _| 0x3800_3c00);
    check_on("fma.rn.bf16x2 %d, %a, %b, %c;", W32, &[[0x3f80_4000, 0x4040_4040, 0x3f80_bf80]], |_, _, _| 0x4080_40a0);
    check_on("neg.bf16x2 %d, %a;", W32, &[[0x3f80_c000, 0, 0]], |_, _, _| 0xbf80_4000);
    check_on("max.f16x2 %d, %a, %b;", W32, &[[0x3c00_bc00, 0x7e00_c000, 0]], |_, _, _| 0x3c00_bc00);
}

#[test]
fn approximations() {
    let close = |instruction: &str, x: f32, want: f64| {
        let bits = [[u64::from(x.to_bits()), 0, 0]];
        let got = super::apply(instruction, W32, &bits)[0];
        let error = (f64::from(f(got)) - want).abs();
        assert!(error <= want.abs() * 1e-6, "{instruction} of {x}: got {}, expected {want}", f(got));
    };
    close("ex2.approx.ftz.f32 %d, %a;", 3.5, 3.5f64.exp2());
    close("lg2.approx.f32 %d, %a;", 10.0, 10f64.log2());
    close("sin.approx.f32 %d, %a;", 1.25, 1.25f64.sin());
    close("cos.approx.ftz.f32 %d, %a;", 1.25, 1.25f64.cos());
    close("rsqrt.approx.f32 %d, %a;", 9.0, 1.0 / 3.0);
    close("rcp.approx.ftz.f32 %d, %a;", 7.0, 1.0 / 7.0);
    close("sqrt.approx.f32 %d, %a;", 2.0, 2f64.sqrt());
    close("tanh.approx.f32 %d, %a;", 0.5, 0.5f64.tanh());
    close("div.full.f32 %d, %a, 0f40400000;", 2.0, 2.0 / 3.0);
}

#[test]
fn comparison() {
    let all = singles();
    let text = |cmp: &str| format!("{{ .reg .pred p; setp.{cmp} p, %a, %b; selp.b32 %d, 1, 0, p; }}");
    check_on(&text("lt.f32"), W32, &all, |a, b, _| u64::from(f(a) < f(b)));
    check_on(&text("ne.f32"), W32, &all, |a, b, _| u64::from(f(a) < f(b) || f(a) > f(b)));
    check_on(&text("neu.f32"), W32, &all, |a, b, _| u64::from(f(a) != f(b)));
    check_on(&text("geu.f32"), W32, &all, |a, b, _| {
        u64::from(f(a).partial_cmp(&f(b)) != Some(std::cmp::Ordering::Less))
    });
    check_on(&text("num.f32"), W32, &all, |a, b, _| u64::from(!f(a).is_nan() && !f(b).is_nan()));
    check_on(&text("gt.ftz.f32"), W32, &[[1, 0, 0]], |_, _, _| 0);
    check_on(&text("le.f16"), Widths(32, &[16, 16]), &halves(), |a, b, _| u64::from(wide(a) <= wide(b)));
    check_on("{ .reg .pred p; testp.subnormal.f32 p, %a; selp.b32 %d, 1, 0, p; }", W32, &all, |a, _, _| {
        u64::from(f(a).is_subnormal())
    });
    check_on("{ .reg .pred p; testp.finite.f32 p, %a; selp.b32 %d, 1, 0, p; }", W32, &all, |a, _, _| {
        u64::from(f(a).is_finite())
    });
}

#[test]
fn the_extremum_of_three() {
    let bits = |v: f32| u64::from(v.to_bits());
    let nan = u64::from(0x7fff_ffffu32);
    let rows = [[1.0, -2.0, 3.0], [-0.0, 0.0, -0.0], [f32::NAN, 5.0, -7.0], [1.0, f32::NAN, f32::NAN], [f32::NAN; 3]];
    let inputs: Vec<[u64; 3]> = rows.iter().map(|row| row.map(bits)).collect();
    let widths = Widths(32, &[32, 32, 32]);
    let run = |instruction: &str| apply(&format!("{instruction} %d, %a, %b, %c;"), widths, &inputs);
    assert_eq!(run("max.f32"), [bits(3.0), bits(0.0), bits(5.0), bits(1.0), nan]);
    assert_eq!(run("min.ftz.f32"), [bits(-2.0), bits(-0.0), bits(-7.0), bits(1.0), nan]);
    assert_eq!(run("max.NaN.f32"), [bits(3.0), bits(0.0), nan, nan, nan]);
    assert_eq!(run("min.NaN.f32"), [bits(-2.0), bits(-0.0), nan, nan, nan]);
    assert_eq!(run("max.abs.f32"), [bits(3.0), bits(0.0), bits(7.0), bits(1.0), nan]);
    assert_eq!(run("min.ftz.NaN.abs.f32"), [bits(1.0), bits(0.0), nan, nan, nan]);
}
