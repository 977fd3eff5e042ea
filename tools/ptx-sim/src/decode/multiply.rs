//! Integer multiplication, with and without addition (PTX ISA 9.7.1.3 to 9.7.1.6, 9.7.1.23, 9.7.1.24).

use super::context::Cx;
use crate::code::{Carry, Lanes2, Lanes3, Op, Src, lanes2, lanes3};
use crate::parse::{Class, Result, Type};

/// The part of the product that is kept.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Low,
    High,
    Wide,
}

fn part(cx: &mut Cx<'_>) -> Result<Part> {
    match cx.mods.lead_one(&["lo", "hi", "wide"]) {
        Some(0) => Ok(Part::Low),
        Some(1) => Ok(Part::High),
        Some(_) => Ok(Part::Wide),
        None => Err(cx.unknown_modifier()),
    }
}

fn product(part: Part, signed: bool, bits: u32) -> Option<Lanes2> {
    use Part::*;
    Some(match (part, signed, bits) {
        (Low, _, 16) => lanes2!(|a, b| u64::from((a as u16).wrapping_mul(b as u16))),
        (Low, _, 32) => lanes2!(|a, b| u64::from((a as u32).wrapping_mul(b as u32))),
        (Low, _, 64) => lanes2!(|a, b| a.wrapping_mul(b)),
        (High, true, 16) => lanes2!(|a, b| u64::from(((a as i16 as i32 * b as i16 as i32) >> 16) as u16)),
        (High, false, 16) => lanes2!(|a, b| (a as u16 as u64 * b as u16 as u64) >> 16),
        (High, true, 32) => lanes2!(|a, b| u64::from(((a as i32 as i64 * b as i32 as i64) >> 32) as u32)),
        (High, false, 32) => lanes2!(|a, b| (a as u32 as u64 * b as u32 as u64) >> 32),
        (High, true, 64) => lanes2!(|a, b| ((a as i64 as i128 * b as i64 as i128) >> 64) as u64),
        (High, false, 64) => lanes2!(|a, b| ((a as u128 * b as u128) >> 64) as u64),
        (Wide, true, 16) => lanes2!(|a, b| u64::from((a as i16 as i32 * b as i16 as i32) as u32)),
        (Wide, false, 16) => lanes2!(|a, b| a as u16 as u64 * b as u16 as u64),
        (Wide, true, 32) => lanes2!(|a, b| (a as i32 as i64 * b as i32 as i64) as u64),
        (Wide, false, 32) => lanes2!(|a, b| a as u32 as u64 * b as u32 as u64),
        _ => return None,
    })
}

fn product_sum(part: Part, signed: bool, bits: u32) -> Option<Lanes3> {
    use Part::*;
    Some(match (part, signed, bits) {
        (Low, _, 16) => lanes3!(|a, b, c| u64::from((a as u16).wrapping_mul(b as u16).wrapping_add(c as u16))),
        (Low, _, 32) => lanes3!(|a, b, c| u64::from((a as u32).wrapping_mul(b as u32).wrapping_add(c as u32))),
        (Low, _, 64) => lanes3!(|a, b, c| a.wrapping_mul(b).wrapping_add(c)),
        (High, true, 16) => lanes3!(|a, b, c| {
            u64::from((((a as i16 as i32 * b as i16 as i32) >> 16) as u16).wrapping_add(c as u16))
        }),
        (High, false, 16) => {
            lanes3!(|a, b, c| u64::from((((a as u16 as u32 * b as u16 as u32) >> 16) as u16).wrapping_add(c as u16)))
        }
        (High, true, 32) => lanes3!(|a, b, c| {
            u64::from((((a as i32 as i64 * b as i32 as i64) >> 32) as u32).wrapping_add(c as u32))
        }),
        (High, false, 32) => {
            lanes3!(|a, b, c| u64::from((((a as u32 as u64 * b as u32 as u64) >> 32) as u32).wrapping_add(c as u32)))
        }
        (High, true, 64) => {
            lanes3!(|a, b, c| (((a as i64 as i128 * b as i64 as i128) >> 64) as u64).wrapping_add(c))
        }
        (High, false, 64) => lanes3!(|a, b, c| (((a as u128 * b as u128) >> 64) as u64).wrapping_add(c)),
        (Wide, true, 16) => {
            lanes3!(|a, b, c| u64::from(((a as i16 as i32 * b as i16 as i32) as u32).wrapping_add(c as u32)))
        }
        (Wide, false, 16) => {
            lanes3!(|a, b, c| u64::from((a as u16 as u32 * b as u16 as u32).wrapping_add(c as u32)))
        }
        (Wide, true, 32) => lanes3!(|a, b, c| ((a as i32 as i64 * b as i32 as i64) as u64).wrapping_add(c)),
        (Wide, false, 32) => lanes3!(|a, b, c| (a as u32 as u64 * b as u32 as u64).wrapping_add(c)),
        _ => return None,
    })
}

fn result_type(part: Part, ty: Type) -> Type {
    if part == Part::Wide { Type { bits: ty.bits * 2, ..ty } } else { ty }
}

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    let root = cx.inst.root.as_str();
    if root.ends_with("24") {
        return short(cx);
    }
    let part = part(cx)?;
    let writes = root != "mul" && cx.mods.take("cc");
    let saturate = root == "mad" && part == Part::High && cx.mods.take("sat");
    let ty = cx.ty()?;
    if !matches!(ty.class, Class::Signed | Class::Unsigned) {
        return Err(cx.error("a signed or unsigned type is expected"));
    }
    let wide = result_type(part, ty);
    let (d, a, b) = (cx.dst(wide)?, cx.src(ty)?, cx.src(ty)?);
    if root == "mul" {
        let f = product(part, ty.is_signed(), ty.bits).ok_or_else(|| cx.error("no such product"))?;
        return Ok(Op::Lanes2 { f, d, a, b });
    }
    let c = cx.src(wide)?;
    if root == "madc" || writes {
        let f = product(part, ty.is_signed(), ty.bits).ok_or_else(|| cx.error("no such product"))?;
        let reads = root == "madc";
        let product = Some((f, c));
        return Ok(Op::Carry(Box::new(Carry { d, a, b, product, bits: ty.bits, subtract: false, reads, writes })));
    }
    let f = match (saturate, ty.class, ty.bits) {
        (true, Class::Signed, 32) => lanes3!(|a, b, c| {
            let high = ((a as i32 as i64 * b as i32 as i64) >> 32) as i32;
            u64::from(high.saturating_add(c as i32) as u32)
        }),
        (true, ..) => return Err(cx.error("`.sat` exists for s32")),
        _ => product_sum(part, ty.is_signed(), ty.bits).ok_or_else(|| cx.error("no such product"))?,
    };
    Ok(Op::Lanes3 { f, d, a, b, c })
}

/// `mul24` and `mad24`: the low or high 32 bits of the 48-bit product.
fn short(cx: &mut Cx<'_>) -> Result<Op> {
    let high = match cx.mods.lead_one(&["lo", "hi"]) {
        Some(i) => i == 1,
        None => return Err(cx.unknown_modifier()),
    };
    let ty = cx.ty()?;
    let signed = match (ty.class, ty.bits) {
        (Class::Signed, 32) => true,
        (Class::Unsigned, 32) => false,
        _ => return Err(cx.error("s32 or u32 is expected")),
    };
    let (d, a, b) = (cx.dst(ty)?, cx.src(ty)?, cx.src(ty)?);
    let c = if cx.inst.root == "mad24" { cx.src(ty)? } else { Src::Imm(0) };
    let f = match (signed, high) {
        (true, false) => {
            lanes3!(|a, b, c| u64::from((signed24(a).wrapping_mul(signed24(b)) as u32).wrapping_add(c as u32)))
        }
        (true, true) => lanes3!(|a, b, c| {
            u64::from(((signed24(a).wrapping_mul(signed24(b)) >> 16) as u32).wrapping_add(c as u32))
        }),
        (false, false) => {
            lanes3!(|a, b, c| u64::from((((a & 0xff_ffff) * (b & 0xff_ffff)) as u32).wrapping_add(c as u32)))
        }
        (false, true) => {
            lanes3!(
                |a, b, c| u64::from((((a & 0xff_ffff) * (b & 0xff_ffff)) >> 16) as u32).wrapping_add(c) & 0xffff_ffff
            )
        }
    };
    Ok(Op::Lanes3 { f, d, a, b, c })
}

fn signed24(a: u64) -> i64 {
    ((a << 40) as i64) >> 40
}

/// Byte `i` of `v` as a signed or unsigned number.
fn byte(v: u64, i: u32, signed: bool) -> i32 {
    let b = (v >> (8 * i)) as u8;
    if signed { i32::from(b as i8) } else { i32::from(b) }
}

/// Half `i` of `v` as a signed or unsigned number.
fn half(v: u64, i: u32, signed: bool) -> i32 {
    let h = (v >> (16 * i)) as u16;
    if signed { i32::from(h as i16) } else { i32::from(h) }
}

fn dot4(a: u64, b: u64, c: u64, x: bool, y: bool) -> u64 {
    let sum = (0..4).fold(c as u32, |s, i| s.wrapping_add((byte(a, i, x) * byte(b, i, y)) as u32));
    u64::from(sum)
}

fn dot2(a: u64, b: u64, c: u64, x: bool, y: bool, high: u32) -> u64 {
    let term = |i| half(a, i, x).wrapping_mul(byte(b, i + 2 * high, y)) as u32;
    u64::from((c as u32).wrapping_add(term(0)).wrapping_add(term(1)))
}

pub(crate) fn dot(cx: &mut Cx<'_>) -> Result<Op> {
    let high = match (cx.inst.root.as_str(), cx.mods.lead_one(&["lo", "hi"])) {
        ("dp4a", None) => None,
        ("dp2a", Some(i)) => Some(i == 1),
        _ => return Err(cx.unknown_modifier()),
    };
    let (x, y) = (cx.ty()?, cx.ty()?);
    if (x.bits, y.bits) != (32, 32) {
        return Err(cx.error("32-bit types are expected"));
    }
    macro_rules! variant {
        ($x:literal, $y:literal) => {
            match high {
                None => lanes3!(|a, b, c| dot4(a, b, c, $x, $y)),
                Some(false) => lanes3!(|a, b, c| dot2(a, b, c, $x, $y, 0)),
                Some(true) => lanes3!(|a, b, c| dot2(a, b, c, $x, $y, 1)),
            }
        };
    }
    let f = match (x.is_signed(), y.is_signed()) {
        (false, false) => variant!(false, false),
        (false, true) => variant!(false, true),
        (true, false) => variant!(true, false),
        (true, true) => variant!(true, true),
    };
    Ok(Op::Lanes3 { f, d: cx.dst(x)?, a: cx.src(x)?, b: cx.src(x)?, c: cx.src(x)? })
}
