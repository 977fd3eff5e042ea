//! Bitwise operations and shifts (PTX ISA 9.7.8), and bitwise operations on predicates.

use super::context::Cx;
use crate::code::{Logic, Op, PredSrc, Src, lanes1, lanes2, lanes3};
use crate::parse::{Class, Result, Type};

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    if cx.inst.root == "lop3" {
        return lop3(cx);
    }
    let ty = cx.ty()?;
    match ty.class {
        Class::Predicate => predicates(cx),
        Class::Bits if matches!(ty.bits, 16 | 32 | 64) => words(cx, ty),
        _ => Err(cx.error("b16, b32, b64 or pred is expected")),
    }
}

/// The function of two predicates with this name.
pub(crate) fn function(name: &str) -> Option<Logic> {
    Some(match name {
        "and" => |a, b| a & b,
        "or" => |a, b| a | b,
        "xor" => |a, b| a ^ b,
        _ => return None,
    })
}

fn predicates(cx: &mut Cx<'_>) -> Result<Op> {
    let d = cx.pred_dst()?;
    let a = cx.pred_src()?;
    if cx.inst.root == "not" {
        return Ok(Op::Preds { f: |a, _| !a, d, a, b: PredSrc::Const(true) });
    }
    let f = function(&cx.inst.root).ok_or_else(|| cx.error("no such operation on predicates"))?;
    Ok(Op::Preds { f, d, a, b: cx.pred_src()? })
}

fn words(cx: &mut Cx<'_>, ty: Type) -> Result<Op> {
    let (d, a) = (cx.dst(ty)?, cx.src(ty)?);
    let f = match (cx.inst.root.as_str(), ty.bits) {
        ("not", 16) => lanes1!(|a| !a & 0xffff),
        ("not", 32) => lanes1!(|a| !a & 0xffff_ffff),
        ("not", _) => lanes1!(|a| !a),
        ("cnot", _) => lanes1!(|a| u64::from(a == 0)),
        (root, _) => {
            let f = match root {
                "and" => lanes2!(|a, b| a & b),
                "or" => lanes2!(|a, b| a | b),
                _ => lanes2!(|a, b| a ^ b),
            };
            return Ok(Op::Lanes2 { f, d, a, b: cx.src(ty)? });
        }
    };
    Ok(Op::Lanes1 { f, d, a })
}

fn lop3(cx: &mut Cx<'_>) -> Result<Op> {
    let ty = cx.ty()?;
    if ty.width() != 32 {
        return Err(cx.error("b32 is expected"));
    }
    let (d, a, b, c) = (cx.dst(ty)?, cx.src(ty)?, cx.src(ty)?, cx.src(ty)?);
    let table = cx.constant()?;
    let table = u8::try_from(table).map_err(|_| cx.error(format!("table {table} has more than 8 bits")))?;
    Ok(Op::Lop3 { d, a, b, c, table })
}

const U32: Type = Type { class: Class::Unsigned, bits: 32, packed: 1 };

pub(crate) fn shift(cx: &mut Cx<'_>) -> Result<Op> {
    if cx.inst.root == "shf" {
        return funnel(cx);
    }
    let ty = cx.ty()?;
    let left = cx.inst.root == "shl";
    let f = match (left, ty.is_signed(), ty.width()) {
        (true, _, 16) => lanes2!(|a, n| u64::from((a as u16).checked_shl(n as u32).unwrap_or(0))),
        (true, _, 32) => lanes2!(|a, n| u64::from((a as u32).checked_shl(n as u32).unwrap_or(0))),
        (true, _, 64) => lanes2!(|a, n| a.checked_shl(n as u32).unwrap_or(0)),
        (false, false, 16) => lanes2!(|a, n| u64::from((a as u16).checked_shr(n as u32).unwrap_or(0))),
        (false, false, 32) => lanes2!(|a, n| u64::from((a as u32).checked_shr(n as u32).unwrap_or(0))),
        (false, false, 64) => lanes2!(|a, n| a.checked_shr(n as u32).unwrap_or(0)),
        (false, true, 16) => lanes2!(|a, n| u64::from((a as i16 >> (n as u32).min(15)) as u16)),
        (false, true, 32) => lanes2!(|a, n| u64::from((a as i32 >> (n as u32).min(31)) as u32)),
        (false, true, 64) => lanes2!(|a, n| (a as i64 >> (n as u32).min(63)) as u64),
        _ => return Err(cx.error("16, 32 or 64 bits are expected")),
    };
    Ok(Op::Lanes2 { f, d: cx.dst(ty)?, a: cx.src(ty)?, b: cx.src(U32)? })
}

/// `shf`: shifts the 64 bits `b:a`; `l` keeps the high word, `r` the low one.
fn funnel(cx: &mut Cx<'_>) -> Result<Op> {
    let left = cx.mods.lead_one(&["l", "r"]).ok_or_else(|| cx.unknown_modifier())? == 0;
    let clamp = cx.mods.take_one(&["clamp", "wrap"]).ok_or_else(|| cx.unknown_modifier())? == 0;
    let ty = cx.ty()?;
    let f = match (left, clamp) {
        (true, true) => lanes3!(|a, b, n| (b << 32 | a) << (n as u32).min(32) >> 32),
        (true, false) => lanes3!(|a, b, n| (b << 32 | a) << (n & 31) >> 32),
        (false, true) => lanes3!(|a, b, n| (b << 32 | a) >> (n as u32).min(32) & 0xffff_ffff),
        (false, false) => lanes3!(|a, b, n| (b << 32 | a) >> (n & 31) & 0xffff_ffff),
    };
    if ty.width() != 32 {
        return Err(cx.error("b32 is expected"));
    }
    let (d, a, b): (_, Src, Src) = (cx.dst(ty)?, cx.src(ty)?, cx.src(ty)?);
    Ok(Op::Lanes3 { f, d, a, b, c: cx.src(U32)? })
}
