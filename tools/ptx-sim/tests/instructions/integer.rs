//! Integer arithmetic.

use super::{Widths, check, check_on, triples};

const W16: Widths = Widths(16, &[16, 16, 16]);
const W32: Widths = Widths(32, &[32, 32, 32]);
const W64: Widths = Widths(64, &[64, 64, 64]);

#[test]
fn add_and_subtract() {
    check("add.s16 %d, %a, %b;", W16, 16, |a, b, _| a.wrapping_add(b));
    check("add.u32 %d, %a, %b;", W32, 32, |a, b, _| a.wrapping_add(b));
    check("add.s64 %d, %a, %b;", W64, 64, |a, b, _| a.wrapping_add(b));
    check("sub.s32 %d, %a, %b;", W32, 32, |a, b, _| a.wrapping_sub(b));
    check("sub.u64 %d, %a, %b;", W64, 64, |a, b, _| a.wrapping_sub(b));
    check("add.sat.s32 %d, %a, %b;", W32, 32, |a, b, _| {
        (a as i32 as i64 + b as i32 as i64).clamp(i32::MIN.into(), i32::MAX.into()) as u64
    });
    check("sub.sat.s32 %d, %a, %b;", W32, 32, |a, b, _| {
        (a as i32 as i64 - b as i32 as i64).clamp(i32::MIN.into(), i32::MAX.into()) as u64
    });
    check("add.u16x2 %d, %a, %b;", W32, 32, |a, b, _| {
        (a & 0xffff).wrapping_add(b) & 0xffff | (((a >> 16) + (b >> 16)) & 0xffff) << 16
    });
}

#[test]
fn carries() {
    // 128-bit sums and differences of (c:a) and (a:b), the high word stored.
    check("{ .reg .b64 t; add.cc.u64 t, %a, %b; addc.u64 %d, %c, %a; }", W64, 64, |a, b, c| {
        ((u128::from(c) << 64 | u128::from(a)).wrapping_add(u128::from(a) << 64 | u128::from(b)) >> 64) as u64
    });
    check("{ .reg .b32 t; sub.cc.u32 t, %a, %b; subc.cc.u32 t, %c, %a; subc.u32 %d, 0, 0; }", W32, 32, |a, b, c| {
        if (c << 32 | a) < (a << 32 | b) { u64::MAX } else { 0 }
    });
    check("{ .reg .b32 t; mad.lo.cc.u32 t, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0; }", W32, 32, |a, b, c| {
        (a * b).wrapping_add(c) >> 32
    });
}

#[test]
fn multiply() {
    check("mul.lo.s32 %d, %a, %b;", W32, 32, |a, b, _| a.wrapping_mul(b));
    check("mul.lo.u64 %d, %a, %b;", W64, 64, |a, b, _| a.wrapping_mul(b));
    check("mul.hi.s32 %d, %a, %b;", W32, 32, |a, b, _| ((a as i32 as i64 * b as i32 as i64) >> 32) as u64);
    check("mul.hi.u32 %d, %a, %b;", W32, 32, |a, b, _| (a * b) >> 32);
    check("mul.hi.u64 %d, %a, %b;", W64, 64, |a, b, _| ((u128::from(a) * u128::from(b)) >> 64) as u64);
    check("mul.hi.s64 %d, %a, %b;", W64, 64, |a, b, _| ((a as i64 as i128 * b as i64 as i128) >> 64) as u64);
    check("mul.hi.s16 %d, %a, %b;", W16, 16, |a, b, _| ((a as i16 as i64 * b as i16 as i64) >> 16) as u64);
    check("mul.wide.s16 %d, %a, %b;", Widths(32, &[16, 16]), 16, |a, b, _| (a as i16 as i64 * b as i16 as i64) as u64);
    check("mul.wide.u32 %d, %a, %b;", Widths(64, &[32, 32]), 32, |a, b, _| a * b);
    check("mul.wide.s32 %d, %a, %b;", Widths(64, &[32, 32]), 32, |a, b, _| (a as i32 as i64 * b as i32 as i64) as u64);
    check("mad.lo.s32 %d, %a, %b, %c;", W32, 32, |a, b, c| a.wrapping_mul(b).wrapping_add(c));
    check("mad.wide.u32 %d, %a, %b, %c;", Widths(64, &[32, 32, 64]), 64, |a, b, c| (a * b).wrapping_add(c));
    check("mad.wide.s32 %d, %a, %b, %c;", Widths(64, &[32, 32, 64]), 64, |a, b, c| {
        ((a as i32 as i64 * b as i32 as i64) as u64).wrapping_add(c)
    });
    check("mad.hi.sat.s32 %d, %a, %b, %c;", W32, 32, |a, b, c| {
        (((a as i32 as i64 * b as i32 as i64) >> 32) as i32).saturating_add(c as i32) as u64
    });
    check("mul24.lo.u32 %d, %a, %b;", W32, 32, |a, b, _| (a & 0xff_ffff) * (b & 0xff_ffff));
    check("mad24.hi.u32 %d, %a, %b, %c;", W32, 32, |a, b, c| {
        (((a & 0xff_ffff) * (b & 0xff_ffff)) >> 16).wrapping_add(c)
    });
    check("mul24.hi.s32 %d, %a, %b;", W32, 32, |a, b, _| {
        let short = |v: u64| ((v as u32) << 8) as i32 as i64 >> 8;
        ((short(a) * short(b)) >> 16) as u64
    });
}

#[test]
fn dot_products() {
    let byte = |v: u64, i: u32| (v >> (8 * i)) as u8;
    check("dp4a.u32.s32 %d, %a, %b, %c;", W32, 32, |a, b, c| {
        (0..4).fold(c as i64, |s, i| s + i64::from(byte(a, i)) * i64::from(byte(b, i) as i8)) as u64
    });
    check("dp2a.hi.s32.u32 %d, %a, %b, %c;", W32, 32, |a, b, c| {
        let half = |v: u64, i: u32| (v >> (16 * i)) as i16;
        (0..2).fold(c as i64, |s, i| s + i64::from(half(a, i)) * i64::from(byte(b, i + 2))) as u64
    });
}

/// A quotient by zero has no value, which the tests of the checkers cover.
#[test]
fn divide() {
    let some = |bits: u32| -> Vec<[u64; 3]> { triples(bits).into_iter().filter(|t| t[1] != 0).collect() };
    check_on("div.u32 %d, %a, %b;", W32, &some(32), |a, b, _| a / b);
    check_on("div.s32 %d, %a, %b;", W32, &some(32), |a, b, _| (a as i32).wrapping_div(b as i32) as u64);
    check_on("rem.s64 %d, %a, %b;", W64, &some(64), |a, b, _| (a as i64).wrapping_rem(b as i64) as u64);
    check_on("rem.u16 %d, %a, %b;", W16, &some(16), |a, b, _| a % b);
}

#[test]
fn minimum_maximum_absolute() {
    check("min.s32 %d, %a, %b;", W32, 32, |a, b, _| (a as i32).min(b as i32) as u64);
    check("max.u64 %d, %a, %b;", W64, 64, |a, b, _| a.max(b));
    check("max.s16 %d, %a, %b;", W16, 16, |a, b, _| (a as i16).max(b as i16) as u64);
    check("max.relu.s32 %d, %a, %b;", W32, 32, |a, b, _| (a as i32).max(b as i32).max(0) as u64);
    check("min.s16x2 %d, %a, %b;", W32, 32, |a, b, _| {
        let one = |s: u32| u64::from(((a >> s) as i16).min((b >> s) as i16) as u16);
        one(0) | one(16) << 16
    });
    check("abs.s32 %d, %a;", W32, 32, |a, _, _| u64::from((a as i32).unsigned_abs()));
    check("neg.s64 %d, %a;", W64, 64, |a, _, _| a.wrapping_neg());
    check("sad.s32 %d, %a, %b, %c;", W32, 32, |a, b, c| u64::from((a as i32).abs_diff(b as i32)) + c);
    check("sad.u16 %d, %a, %b, %c;", W16, 16, |a, b, c| a.abs_diff(b) + c);
}
