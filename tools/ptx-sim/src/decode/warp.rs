//! Operations of the lanes of a warp together (PTX ISA 9.7.9.6, 9.7.13.7 to 9.7.13.11).

use super::atomic::operation;
use super::context::Cx;
use crate::code::{Collective, Fold, Op, Shuffle, WarpOp};
use crate::float::F32;
use crate::parse::ast::Operand;
use crate::parse::{Class, Result, Type};

const U32: Type = Type { class: Class::Unsigned, bits: 32, packed: 1 };

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    if cx.inst.root == "activemask" {
        let ty = cx.ty()?;
        return Ok(Op::ActiveMask { d: cx.dst(ty)? });
    }
    let sync_first = matches!(cx.inst.root.as_str(), "shfl" | "vote" | "elect");
    if sync_first && !cx.mods.take("sync") {
        return Err(cx.error("only `.sync` forms exist on these targets"));
    }
    let what = match cx.inst.root.as_str() {
        "shfl" => shuffle(cx)?,
        "vote" => vote(cx)?,
        "match" => matching(cx)?,
        "redux" => reduce(cx)?,
        _ => elect(cx)?,
    };
    let members = cx.src(U32)?;
    Ok(Op::Collective(Box::new(WarpOp { what, members })))
}

fn shuffle(cx: &mut Cx<'_>) -> Result<Collective> {
    let modes = [Shuffle::Up, Shuffle::Down, Shuffle::Butterfly, Shuffle::Index];
    let mode = modes[cx.mods.take_one(&["up", "down", "bfly", "idx"]).ok_or_else(|| cx.unknown_modifier())?];
    let ty = cx.ty()?;
    if ty.width() != 32 {
        return Err(cx.error("b32 is expected"));
    }
    let (d, p) = match cx.operand()? {
        Operand::Pair(d, p) => (cx.dst_of(d, 32, false)?, Some(cx.pred_dst_of(p)?)),
        one => (cx.dst_of(one, 32, false)?, None),
    };
    Ok(Collective::Shuffle { mode, d, p, a: cx.src(ty)?, b: cx.src(U32)?, c: cx.src(U32)? })
}

fn vote(cx: &mut Cx<'_>) -> Result<Collective> {
    let mode = cx.mods.take_one(&["all", "any", "uni", "ballot"]).ok_or_else(|| cx.unknown_modifier())?;
    let ty = cx.ty()?;
    let wanted = if mode == 3 { 32 } else { 1 };
    if ty.width() != wanted {
        return Err(cx.error("`ballot` gives b32, the other votes give pred"));
    }
    if mode == 3 {
        return Ok(Collective::Ballot { d: cx.dst(ty)?, a: cx.pred_src()? });
    }
    let (d, a) = (cx.pred_dst()?, cx.pred_src()?);
    Ok(match mode {
        0 => Collective::VoteAll { d, a },
        1 => Collective::VoteAny { d, a },
        _ => Collective::VoteUniform { d, a },
    })
}

fn matching(cx: &mut Cx<'_>) -> Result<Collective> {
    let all = cx.mods.take_one(&["any", "all"]).ok_or_else(|| cx.unknown_modifier())? == 1;
    if !cx.mods.take("sync") {
        return Err(cx.unknown_modifier());
    }
    let ty = cx.ty()?;
    let result = Type { class: Class::Bits, bits: 32, packed: 1 };
    if !matches!(ty.width(), 32 | 64) {
        return Err(cx.error("b32 or b64 is expected"));
    }
    let (d, p) = match cx.operand()? {
        Operand::Pair(d, p) if all => (cx.dst_of(d, 32, false)?, Some(cx.pred_dst_of(p)?)),
        one => (cx.dst_of(one, result.bits, false)?, None),
    };
    let a = cx.src(ty)?;
    Ok(if all { Collective::MatchAll { d, p, a } } else { Collective::MatchAny { d, a } })
}

fn reduce(cx: &mut Cx<'_>) -> Result<Collective> {
    if !cx.mods.take("sync") {
        return Err(cx.unknown_modifier());
    }
    let name = cx.mods.take_map(operation).ok_or_else(|| cx.unknown_modifier())?;
    let nan = cx.mods.take("NaN");
    let ty = cx.ty()?;
    let fold = match ty.class {
        Class::Float if ty.bits == 32 => float_fold(name, nan),
        _ if ty.width() == 32 && !nan => fold(name, ty.class),
        _ => None,
    };
    let fold = fold.ok_or_else(|| cx.error(format!("no reduction `{name}` of this type")))?;
    Ok(Collective::Reduce { d: cx.dst(ty)?, a: cx.src(ty)?, fold })
}

fn fold(name: &str, class: Class) -> Option<Fold> {
    Some(match (name, class) {
        ("add", Class::Signed | Class::Unsigned) => |a, b| u64::from((a as u32).wrapping_add(b as u32)),
        ("min", Class::Unsigned) => |a, b| a.min(b),
        ("max", Class::Unsigned) => |a, b| a.max(b),
        ("min", Class::Signed) => |a, b| u64::from((a as i32).min(b as i32) as u32),
        ("max", Class::Signed) => |a, b| u64::from((a as i32).max(b as i32) as u32),
        ("and", Class::Bits) => |a, b| a & b,
        ("or", Class::Bits) => |a, b| a | b,
        ("xor", Class::Bits) => |a, b| a ^ b,
        _ => return None,
    })
}

/// f32 `min` and `max` (sm_100a); `.NaN` keeps NaN.
fn float_fold(name: &str, nan: bool) -> Option<Fold> {
    use crate::float::extremum;
    Some(match (name, nan) {
        ("min", false) => |a, b| extremum(F32, a, b, true, false),
        ("min", true) => |a, b| extremum(F32, a, b, true, true),
        ("max", false) => |a, b| extremum(F32, a, b, false, false),
        ("max", true) => |a, b| extremum(F32, a, b, false, true),
        _ => return None,
    })
}

/// `elect.sync d|p, members`.
fn elect(cx: &mut Cx<'_>) -> Result<Collective> {
    match cx.operand()? {
        Operand::Pair(d, p) => Ok(Collective::Elect { d: cx.dst_of(d, 32, false)?, p: cx.pred_dst_of(p)? }),
        _ => Err(cx.error("`d|p` is expected as destination")),
    }
}
