//! Bit fields, counts and permutations (PTX ISA 9.7.1.16 to 9.7.1.22, 9.7.9.7).

use super::context::Cx;
use crate::code::{Lanes1, Lanes3, Op, lanes1, lanes2, lanes3};
use crate::parse::{Class, Result, Type};

const U32: Type = Type { class: Class::Unsigned, bits: 32, packed: 1 };

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    match cx.inst.root.as_str() {
        "bfe" => extract(cx),
        "bfi" => insert(cx),
        "bfind" => find(cx),
        "fns" => nth(cx),
        "prmt" => permute(cx),
        "bmsk" => mask(cx),
        "szext" => extend(cx),
        _ => count(cx),
    }
}

/// `brev`, `clz`, `popc`: counts are 32-bit.
fn count(cx: &mut Cx<'_>) -> Result<Op> {
    let ty = cx.ty()?;
    let f: Lanes1 = match (cx.inst.root.as_str(), ty.width()) {
        ("brev", 32) => lanes1!(|a| u64::from((a as u32).reverse_bits())),
        ("brev", 64) => lanes1!(|a| a.reverse_bits()),
        ("clz", 32) => lanes1!(|a| u64::from((a as u32).leading_zeros())),
        ("clz", 64) => lanes1!(|a| u64::from(a.leading_zeros())),
        ("popc", 32 | 64) => lanes1!(|a| u64::from(a.count_ones())),
        _ => return Err(cx.error("32 or 64 bits are expected")),
    };
    let result = if cx.inst.root == "brev" { ty } else { U32 };
    Ok(Op::Lanes1 { f, d: cx.dst(result)?, a: cx.src(ty)? })
}

/// Bits `pos .. pos + len` of `a`, zero- or sign-extended; a part of the field beyond `a` is filled in the same way.
fn field(a: u64, pos: u64, len: u64, bits: u64, signed: bool) -> u64 {
    let (pos, len) = (pos & 0xff, len & 0xff);
    let top = (pos + len).saturating_sub(1).min(bits - 1);
    let fill = signed && len > 0 && a >> top & 1 == 1;
    let taken = if pos < bits { len.min(bits - pos) } else { 0 };
    let low = if taken == 0 { 0 } else { a >> pos & (u64::MAX >> (64 - taken)) };
    let all = u64::MAX >> (64 - bits);
    let above = if taken >= 64 { 0 } else { all & u64::MAX << taken };
    low | if fill { above } else { 0 }
}

fn extract(cx: &mut Cx<'_>) -> Result<Op> {
    let ty = cx.ty()?;
    let f: Lanes3 = match (ty.class, ty.bits) {
        (Class::Unsigned, 32) => lanes3!(|a, p, n| field(a, p, n, 32, false)),
        (Class::Unsigned, 64) => lanes3!(|a, p, n| field(a, p, n, 64, false)),
        (Class::Signed, 32) => lanes3!(|a, p, n| field(a, p, n, 32, true)),
        (Class::Signed, 64) => lanes3!(|a, p, n| field(a, p, n, 64, true)),
        _ => return Err(cx.error("a 32- or 64-bit integer type is expected")),
    };
    Ok(Op::Lanes3 { f, d: cx.dst(ty)?, a: cx.src(ty)?, b: cx.src(U32)?, c: cx.src(U32)? })
}

/// `b` with the low `len` bits of `a` at `pos`; bits that do not fit are dropped.
pub(crate) fn insert_field(a: u64, b: u64, pos: u64, len: u64, bits: u64) -> u64 {
    let (pos, len) = (pos & 0xff, len & 0xff);
    let taken = if pos < bits { len.min(bits - pos) } else { 0 };
    if taken == 0 {
        return b;
    }
    let mask = (u64::MAX >> (64 - taken)) << pos;
    b & !mask | a << pos & mask
}

fn insert(cx: &mut Cx<'_>) -> Result<Op> {
    let ty = cx.ty()?;
    let bits = match (ty.class, ty.bits) {
        (Class::Bits, bits @ (32 | 64)) => bits,
        _ => return Err(cx.error("b32 or b64 is expected")),
    };
    let (d, a, b) = (cx.dst(ty)?, cx.src(ty)?, cx.src(ty)?);
    Ok(Op::Insert { d, a, b, pos: cx.src(U32)?, len: cx.src(U32)?, bits })
}

fn find(cx: &mut Cx<'_>) -> Result<Op> {
    let shift = cx.mods.take("shiftamt");
    let ty = cx.ty()?;
    macro_rules! variant {
        ($bits:literal, $signed:literal) => {
            match shift {
                false => lanes1!(|a| leading(a, $bits, $signed).map_or(0xffff_ffff, u64::from)),
                true => lanes1!(|a| leading(a, $bits, $signed).map_or(0xffff_ffff, |p| u64::from($bits - 1 - p))),
            }
        };
    }
    let f = match (ty.class, ty.bits) {
        (Class::Unsigned, 32) => variant!(32, false),
        (Class::Unsigned, 64) => variant!(64, false),
        (Class::Signed, 32) => variant!(32, true),
        (Class::Signed, 64) => variant!(64, true),
        _ => return Err(cx.error("a 32- or 64-bit integer type is expected")),
    };
    Ok(Op::Lanes1 { f, d: cx.dst(U32)?, a: cx.src(ty)? })
}

/// The position of the most significant bit of the low `bits` that is not a sign bit. Lanes that do not execute the
/// instruction may hold more bits, of another register.
fn leading(a: u64, bits: u32, signed: bool) -> Option<u32> {
    let negative = signed && a >> (bits - 1) & 1 == 1;
    let a = (if negative { !a } else { a }) & u64::MAX >> (64 - bits);
    (a != 0).then(|| 63 - a.leading_zeros())
}

/// `fns`: the n-th set bit of a mask, counted from `base` upwards or downwards.
fn nth(cx: &mut Cx<'_>) -> Result<Op> {
    let ty = cx.ty()?;
    if ty.width() != 32 {
        return Err(cx.error("b32 is expected"));
    }
    let f = lanes3!(|mask, base, offset| nth_set(mask as u32, base as u32, offset as i32));
    let signed = Type { class: Class::Signed, ..U32 };
    Ok(Op::Lanes3 { f, d: cx.dst(ty)?, a: cx.src(ty)?, b: cx.src(U32)?, c: cx.src(signed)? })
}

fn nth_set(mask: u32, base: u32, offset: i32) -> u64 {
    const NONE: u64 = 0xffff_ffff;
    let base = base & 31;
    let set = |p: &u32| mask >> p & 1 == 1;
    let bit = match offset {
        0 => set(&base).then_some(base),
        1.. => (base..32).filter(set).nth(offset as usize - 1),
        _ => (0..=base).rev().filter(set).nth(offset.unsigned_abs() as usize - 1),
    };
    bit.map_or(NONE, u64::from)
}

/// Byte `selector & 7` of `b:a`, or its sign bit replicated if `selector & 8`.
fn picked(a: u64, b: u64, selector: u64) -> u64 {
    let byte = (b << 32 | a) >> (8 * (selector & 7)) & 0xff;
    match selector & 8 {
        0 => byte,
        _ => 0xff * (byte >> 7),
    }
}

fn from_selectors(a: u64, b: u64, selectors: [u64; 4]) -> u64 {
    selectors.iter().enumerate().fold(0, |out, (i, &s)| out | picked(a, b, s) << (8 * i))
}

fn permute(cx: &mut Cx<'_>) -> Result<Op> {
    let ty = cx.ty()?;
    if ty.width() != 32 {
        return Err(cx.error("b32 is expected"));
    }
    let f: Lanes3 = match cx.mods.take_one(&["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]) {
        None => lanes3!(|a, b, c| from_selectors(a, b, [c & 15, c >> 4 & 15, c >> 8 & 15, c >> 12 & 15])),
        Some(0) => lanes3!(|a, b, c| from_selectors(a, b, [0, 1, 2, 3].map(|i| (c & 3) + i))),
        Some(1) => lanes3!(|a, b, c| from_selectors(a, b, [0, 7, 6, 5].map(|i| ((c & 3) + i) & 7))),
        Some(2) => lanes3!(|a, b, c| from_selectors(a, b, [c & 3; 4])),
        Some(3) => lanes3!(|a, b, c| from_selectors(a, b, [0, 1, 2, 3].map(|i: u64| i.max(c & 3)))),
        Some(4) => lanes3!(|a, b, c| from_selectors(a, b, [0, 1, 2, 3].map(|i: u64| i.min(c & 3)))),
        Some(_) => lanes3!(|a, b, c| from_selectors(a, b, [0, 1, 0, 1].map(|i| (c & 1) * 2 + i))),
    };
    Ok(Op::Lanes3 { f, d: cx.dst(ty)?, a: cx.src(ty)?, b: cx.src(ty)?, c: cx.src(ty)? })
}

/// `bmsk`: `b` ones from bit `a` on.
fn mask(cx: &mut Cx<'_>) -> Result<Op> {
    let clamp = cx.mods.take_one(&["clamp", "wrap"]).ok_or_else(|| cx.unknown_modifier())? == 0;
    let ty = cx.ty()?;
    let f = match clamp {
        true => lanes2!(|a, b| ones(a.min(32), b.min(32))),
        false => lanes2!(|a, b| ones(a & 31, b & 31)),
    };
    Ok(Op::Lanes2 { f, d: cx.dst(ty)?, a: cx.src(U32)?, b: cx.src(U32)? })
}

fn ones(from: u64, count: u64) -> u64 {
    ((1u64 << count) - 1) << from & 0xffff_ffff
}

/// `szext`: the low `b` bits of `a`, zero- or sign-extended.
fn extend(cx: &mut Cx<'_>) -> Result<Op> {
    let clamp = cx.mods.take_one(&["clamp", "wrap"]).ok_or_else(|| cx.unknown_modifier())? == 0;
    let ty = cx.ty()?;
    let f = match (clamp, ty.is_signed()) {
        (true, false) => lanes2!(|a, b| field(a, 0, b.min(32), 32, false)),
        (true, true) => lanes2!(|a, b| field(a, 0, b.min(32), 32, true)),
        (false, false) => lanes2!(|a, b| field(a, 0, b & 31, 32, false)),
        (false, true) => lanes2!(|a, b| field(a, 0, b & 31, 32, true)),
    };
    if ty.width() != 32 {
        return Err(cx.error("u32 or s32 is expected"));
    }
    Ok(Op::Lanes2 { f, d: cx.dst(ty)?, a: cx.src(ty)?, b: cx.src(U32)? })
}
