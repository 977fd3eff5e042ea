//! `cvt`.

use super::{Widths, check, check_on};

fn single(x: f32) -> [u64; 3] {
    [x.to_bits().into(), 0, 0]
}

const F32_32: Widths = Widths(32, &[32, 32]);

#[test]
fn integers() {
    check("cvt.u64.u32 %d, %a;", Widths(64, &[32]), 32, |a, _, _| a);
    check("cvt.s64.s32 %d, %a;", Widths(64, &[32]), 32, |a, _, _| a as i32 as u64);
    check("cvt.s32.s8 %d, %a;", Widths(32, &[32]), 32, |a, _, _| a as i8 as u64);
    check("cvt.u16.u64 %d, %a;", Widths(16, &[64]), 64, |a, _, _| a);
    check("cvt.u8.u32 %d, %a;", Widths(32, &[32]), 32, |a, _, _| a & 0xff);
    check("cvt.s8.s32 %d, %a;", Widths(32, &[32]), 32, |a, _, _| a as i8 as u64);
    check("cvt.sat.u8.s32 %d, %a;", Widths(32, &[32]), 32, |a, _, _| (a as i32).clamp(0, 255) as u64);
    check("cvt.sat.s16.s64 %d, %a;", Widths(16, &[64]), 64, |a, _, _| (a as i64).clamp(-32768, 32767) as u64);
    check("cvt.sat.u32.s64 %d, %a;", Widths(32, &[64]), 64, |a, _, _| (a as i64).clamp(0, u32::MAX.into()) as u64);
    check("cvt.u32.s16 %d, %a;", Widths(32, &[16]), 16, |a, _, _| a as i16 as u64);
}

#[test]
fn integer_to_float() {
    check("cvt.rn.f32.s32 %d, %a;", Widths(32, &[32]), 32, |a, _, _| (a as i32 as f32).to_bits().into());
    check("cvt.rn.f32.u64 %d, %a;", Widths(32, &[64]), 64, |a, _, _| (a as f32).to_bits().into());
    check("cvt.rn.f64.s64 %d, %a;", Widths(64, &[64]), 64, |a, _, _| (a as i64 as f64).to_bits());
    check_on("cvt.rz.f32.u32 %d, %a;", F32_32, &[[0xffff_ffff, 0, 0]], |_, _, _| 4294967040f32.to_bits().into());
    check_on("cvt.rp.f32.u32 %d, %a;", F32_32, &[[0xffff_ffff, 0, 0]], |_, _, _| 4294967296f32.to_bits().into());
    check_on("cvt.rn.f16.s32 %d, %a;", Widths(16, &[32]), &[[2049, 0, 0], [65535, 0, 0]], |a, _, _| {
        if a == 2049 { 0x6800 } else { 0x7c00 }
    });
}

#[test]
fn float_to_integer() {
    let values =
        [0.0, -0.5, 0.5, 1.5, 2.5, -2.5, 1e10, -1e10, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 2147483647.0, 3.99];
    let all: Vec<_> = values.iter().map(|&x| single(x)).collect();
    let f = |a: u64| f32::from_bits(a as u32);
    check_on("cvt.rzi.s32.f32 %d, %a;", F32_32, &all, |a, _, _| f(a) as i32 as u64);
    check_on("cvt.rni.s32.f32 %d, %a;", F32_32, &all, |a, _, _| f(a).round_ties_even() as i32 as u64);
    check_on("cvt.rmi.s32.f32 %d, %a;", F32_32, &all, |a, _, _| f(a).floor() as i32 as u64);
    check_on("cvt.rpi.u32.f32 %d, %a;", F32_32, &all, |a, _, _| f(a).ceil() as u32 as u64);
    let wide = |x: f64, value: u64| if x.is_nan() { 1 << 63 } else { value };
    check_on("cvt.rzi.u64.f32 %d, %a;", Widths(64, &[32]), &all, |a, _, _| wide(f(a).into(), f(a) as u64));
    check_on("cvt.rzi.s64.f32 %d, %a;", Widths(64, &[32]), &all, |a, _, _| wide(f(a).into(), f(a) as i64 as u64));
    let doubles: Vec<_> = values.iter().map(|&x| [f64::from(x).to_bits(), 0, 0]).collect();
    let d = f64::from_bits;
    check_on("cvt.rzi.s64.f64 %d, %a;", Widths(64, &[64]), &doubles, |a, _, _| wide(d(a), d(a) as i64 as u64));
    check_on("cvt.rni.u64.f64 %d, %a;", Widths(64, &[64]), &doubles, |a, _, _| {
        wide(d(a), d(a).round_ties_even() as u64)
    });
    let half = |x: f64, value: u64| if x.is_nan() { 1 << 31 } else { value };
    check_on("cvt.rzi.s32.f64 %d, %a;", Widths(32, &[64]), &doubles, |a, _, _| half(d(a), d(a) as i32 as u64));
    check_on("cvt.rzi.u32.f64 %d, %a;", Widths(32, &[64]), &doubles, |a, _, _| half(d(a), (d(a) as u32).into()));
    check_on(
        "cvt.rzi.s32.f16 %d, %a;",
        Widths(32, &[16]),
        &[[0x7e00, 0, 0], [0x7c00, 0, 0], [0xc500, 0, 0]],
        |a, _, _| match a {
            0x7e00 => 0,
            0x7c00 => 0x7fff_ffff,
            _ => u64::from(-5i32 as u32),
        },
    );
    check_on("cvt.rzi.s64.f16 %d, %a;", Widths(64, &[16]), &[[0x7e00, 0, 0], [0xfc00, 0, 0]], |_, _, _| 1 << 63);
    check_on("cvt.rzi.s8.f32 %d, %a;", Widths(32, &[32]), &all, |a, _, _| f(a) as i8 as u64);
    check_on("cvt.rmi.f32.f32 %d, %a;", F32_32, &all, |a, _, _| {
        if f(a).is_nan() { 0x7fff_ffff } else { f(a).floor().to_bits().into() }
    });
}

#[test]
fn between_floats() {
    check_on(
        "cvt.f32.f16 %d, %a;",
        Widths(32, &[16]),
        &[[0x3555, 0, 0], [1, 0, 0], [0xfc00, 0, 0]],
        |a, _, _| match a {
            0x3555 => 0x3eaa_a000,
            1 => 0x3380_0000,
            _ => 0xff80_0000,
        },
    );
    check_on(
        "cvt.rn.f16.f32 %d, %a;",
        Widths(16, &[32]),
        &[single(1.0 / 3.0), single(65519.9), single(65520.0)],
        |a, _, _| match f32::from_bits(a as u32) {
            x if x < 1.0 => 0x3555,
            x if x < 65520.0 => 0x7bff,
            _ => 0x7c00,
        },
    );
    check_on(
        "cvt.rn.bf16.f32 %d, %a;",
        Widths(16, &[32]),
        &[[0x3f80_8000, 0, 0], [0x3f81_8000, 0, 0], [0x3f80_8001, 0, 0]],
        |a, _, _| match a {
            0x3f80_8000 => 0x3f80,
            0x3f81_8000 => 0x3f82,
            _ => 0x3f81,
        },
    );
    check_on(
        "cvt.rn.f32.f64 %d, %a;",
        Widths(32, &[64]),
        &[[0.1f64.to_bits(), 0, 0], [1e300f64.to_bits(), 0, 0]],
        |a, _, _| (f64::from_bits(a) as f32).to_bits().into(),
    );
    check_on("cvt.rz.f32.f64 %d, %a;", Widths(32, &[64]), &[[1e300f64.to_bits(), 0, 0]], |_, _, _| {
        f32::MAX.to_bits().into()
    });
    check_on("cvt.f64.f32 %d, %a;", Widths(64, &[32]), &[single(0.1)], |a, _, _| {
        f64::from(f32::from_bits(a as u32)).to_bits()
    });
    check_on(
        "cvt.rn.f16x2.f32 %d, %a, %b;",
        F32_32,
        &[[1f32.to_bits().into(), 2f32.to_bits().into(), 0]],
        |_, _, _| 0x3c00_4000,
    );
    check_on(
        "cvt.rn.relu.bf16x2.f32 %d, %a, %b;",
        F32_32,
        &[[(-1f32).to_bits().into(), 2f32.to_bits().into(), 0]],
        |_, _, _| 0x4000,
    );
    check_on("cvt.rna.tf32.f32 %d, %a;", F32_32, &[[0x3f80_1000, 0, 0]], |_, _, _| 0x3f80_2000);
    check_on("cvt.sat.f32.f32 %d, %a;", F32_32, &[single(-2.0), single(0.25), single(7.0)], |a, _, _| {
        f32::from_bits(a as u32).clamp(0.0, 1.0).to_bits().into()
    });
}

/// Conversions to and from f64 keep the part of a NaN's payload that fits, and so do those from bf16 to f32; other
/// formats have one NaN.
#[test]
fn not_a_number() {
    for (types, widths, from, to) in [
        ("f64.f32", Widths(64, &[32]), 0xffc0_0777, 0xfff8_00ee_e000_0000),
        ("f64.f32", Widths(64, &[32]), 0x7f80_0123, 0x7ff8_0024_6000_0000),
        ("ftz.f64.f32", Widths(64, &[32]), 0xffc0_0777, 0x7fff_ffff_e000_0000),
        ("f64.f16", Widths(64, &[16]), 0xfe01, 0xfff8_0400_0000_0000),
        ("f64.bf16", Widths(64, &[16]), 0x7f81, 0x7ff8_2000_0000_0000),
        ("rn.f32.f64", Widths(32, &[64]), 0xfff4_0000_0000_0055, 0xffe0_0000),
        ("rn.f16.f64", Widths(16, &[64]), 0xfff4_0000_0000_0055, 0xff00),
        ("rn.bf16.f64", Widths(16, &[64]), 0x7ff8_0000_0000_1234, 0x7fc0),
        ("f32.bf16", Widths(32, &[16]), 0xff82, 0xff82_0000),
        ("f32.f16", Widths(32, &[16]), 0xfe01, 0x7fff_ffff),
        ("rn.bf16.f32", Widths(16, &[32]), 0xffc0_0777, 0x7fff),
        ("rn.f16.f32", Widths(16, &[32]), 0xffc0_0777, 0x7fff),
    ] {
        check_on(&format!("cvt.{types} %d, %a;"), widths, &[[from, 0, 0]], |_, _, _| to);
    }
}
