//! `mov` in all its forms, and `cvta` (PTX ISA 9.7.9.4, 9.7.9.5, 9.7.9.19).

use super::context::Cx;
use crate::code::{Op, PredSrc, Reg, Special, Src, lanes1, lanes2};
use crate::parse::ast::Operand;
use crate::parse::{Class, Result, Space, Type};

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    let ty = cx.ty()?;
    if ty.class == Class::Predicate {
        return predicate(cx);
    }
    match (cx.inst.operands.first(), cx.inst.operands.get(1)) {
        (Some(Operand::Vector(_)), _) => unpack(cx, ty),
        (_, Some(Operand::Vector(_))) => pack(cx, ty),
        _ if ty.width() == 128 => wide(cx, ty),
        _ => Ok(Op::Lanes1 { f: lanes1!(|a| a), d: cx.dst(ty)?, a: source(cx, ty)? }),
    }
}

/// A source; truncations such as `mov.u32 %r, %clock64` and 64-bit moves of 32-bit ids, an old style, are accepted.
fn source(cx: &mut Cx<'_>, ty: Type) -> Result<Src> {
    cx.src_loose(ty)
}

fn predicate(cx: &mut Cx<'_>) -> Result<Op> {
    let d = cx.pred_dst()?;
    if let Some(Operand::Name(name, 0)) = cx.peek()
        && let Some((special, 1)) = crate::code::Special::parse(name)
    {
        cx.operand()?;
        return Ok(Op::ToPred { d, a: Src::Special(special) });
    }
    Ok(Op::Preds { f: |a, _| a, d, a: cx.pred_src()?, b: PredSrc::Const(true) })
}

/// The type of one of `count` parts of a value of type `ty`.
fn part_type(cx: &Cx<'_>, ty: Type, count: usize) -> Result<Type> {
    let count = count as u32;
    let bits = ty.width() / count.max(1);
    if matches!(count, 2 | 4) && matches!(bits, 8 | 16 | 32 | 64) {
        return Ok(Type { class: Class::Bits, bits, packed: 1 });
    }
    Err(cx.error(format!("{} bits do not split into {count} parts", ty.width())))
}

fn pack(cx: &mut Cx<'_>, ty: Type) -> Result<Op> {
    let d = cx.dst(ty)?;
    let elements = cx.vector()?;
    let part = part_type(cx, ty, elements.len())?;
    let parts = elements.iter().map(|e| cx.src_of(e, part, false)).collect::<Result<Box<[_]>>>()?;
    if let (&[a, b], 32) = (&*parts, part.bits) {
        return Ok(Op::Lanes2 { f: lanes2!(|a, b| a & 0xffff_ffff | b << 32), d, a, b });
    }
    Ok(Op::Pack { d, parts, bits: part.bits })
}

fn unpack(cx: &mut Cx<'_>, ty: Type) -> Result<Op> {
    let elements = cx.vector()?;
    let part = part_type(cx, ty, elements.len())?;
    let parts = elements.iter().map(|e| cx.dst_of(e, part.bits, false)).collect::<Result<Box<[Reg]>>>()?;
    let a = cx.src(ty)?;
    Ok(Op::Unpack { parts, a: [a, upper(a)], bits: part.bits })
}

/// The register that holds bits 64 and up of a 128-bit value.
pub(crate) fn upper(a: Src) -> Src {
    match a {
        Src::Reg(r) => Src::Reg(r + 1),
        _ => Src::Imm(0),
    }
}

fn wide(cx: &mut Cx<'_>, ty: Type) -> Result<Op> {
    let d = cx.dst(ty)?;
    match cx.src(ty)? {
        Src::Reg(a) => Ok(Op::Move128 { d, a }),
        _ => Err(cx.error("a register is expected")),
    }
}

/// `cvta.space` adds a window's base, for local memory the thread's own, for shared memory the block's; `cvta.to.space`
/// subtracts it; global, const and param addresses are already generic.
pub(crate) fn cvta(cx: &mut Cx<'_>) -> Result<Op> {
    let to = cx.mods.lead_if("to");
    let space = cx.mods.take_map(Space::parse).ok_or_else(|| cx.unknown_modifier())?;
    let ty = cx.ty()?;
    if ty.width() != 64 {
        return Err(cx.error("64-bit addresses are expected"));
    }
    let (d, a) = (cx.dst(ty)?, cx.src(ty)?);
    let window = match space {
        Space::Local => Special::LocalWindow,
        Space::Shared | Space::SharedCluster => Special::SharedWindow,
        _ => return Ok(Op::Lanes1 { f: lanes1!(|a| a), d, a }),
    };
    let f = if to { lanes2!(|a, b| a.wrapping_sub(b)) } else { lanes2!(|a, b| a.wrapping_add(b)) };
    Ok(Op::Lanes2 { f, d, a, b: Src::Special(window) })
}
