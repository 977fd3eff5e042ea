//! Miscellaneous instructions (PTX ISA 9.7.9, 9.7.13, 9.7.19).

use super::context::Cx;
use crate::code::{IsSpace, Mapa, Op, Prefetch, Src, lanes1};
use crate::parse::{Class, Result, Space, Type};

const U32: Type = Type { class: Class::Unsigned, bits: 32, packed: 1 };

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    match cx.inst.root.as_str() {
        "nanosleep" => {
            let ty = cx.ty()?;
            cx.src(ty)?;
            Ok(Op::Sleep)
        }
        "isspacep" => is_space(cx),
        "mapa" => mapa(cx),
        "getctarank" => rank(cx),
        "prefetch" | "prefetchu" | "discard" | "applypriority" => cache(cx),
        "createpolicy" => policy(cx),
        "griddepcontrol" => match cx.mods.lead_one(&["wait", "launch_dependents"]) {
            Some(_) => Ok(Op::Nothing),
            None => Err(cx.unknown_modifier()),
        },
        "setmaxnreg" => set_registers(cx),
        "tex" | "tld4" | "txq" | "istypep" | "suld" | "sust" | "sured" | "suq" => {
            Err(cx
                .error("textures and surfaces are not simulated: the kernel may take the memory as a pointer instead"))
        }
        _ => Err(cx.error("unknown instruction")),
    }
}

fn is_space(cx: &mut Cx<'_>) -> Result<Op> {
    let space = cx.mods.take_map(Space::parse).ok_or_else(|| cx.unknown_modifier())?;
    let dst = cx.pred_dst()?;
    Ok(Op::IsSpace(IsSpace { space, dst, a: cx.src(Type::B64)? }))
}

fn mapa(cx: &mut Cx<'_>) -> Result<Op> {
    let window = cx.mods.take("shared::cluster");
    let ty = cx.ty()?;
    let (dst, a) = (cx.dst(ty)?, cx.src(ty)?);
    Ok(Op::Mapa(Mapa { dst, a, rank: Some(cx.src(U32)?), window }))
}

fn rank(cx: &mut Cx<'_>) -> Result<Op> {
    let window = cx.mods.take("shared::cluster");
    let ty = cx.ty()?;
    let dst = cx.dst(U32)?;
    Ok(Op::Mapa(Mapa { dst, a: cx.src(ty)?, rank: None, window }))
}

/// Prefetches of lines of global memory into L2 are counted. Other cache hints have no modelled effect; `discard` would have
/// one, so it is rejected.
fn cache(cx: &mut Cx<'_>) -> Result<Op> {
    if cx.inst.root == "discard" {
        return Err(cx.error("unknown instruction"));
    }
    let space = cx.mods.take_map(Space::parse);
    let level = cx.mods.lead();
    match (cx.inst.root.as_str(), level) {
        ("prefetch" | "prefetchu", Some("L1" | "L2" | "L2::evict_last" | "L2::evict_normal")) => {
            let addr = cx.addr()?;
            if space == Some(Space::Global) && level != Some("L1") {
                return Ok(Op::Prefetch(Box::new(Prefetch::Line(addr))));
            }
        }
        ("prefetch", Some("tensormap")) if matches!(space, None | Some(Space::Param | Space::Const)) => {
            let space = space.unwrap_or(Space::Generic);
            return Ok(Op::Prefetch(Box::new(Prefetch::TensorMap { addr: cx.addr()?, space })));
        }
        ("applypriority", Some("L2::evict_normal")) => {
            cx.addr()?;
            cx.constant()?;
        }
        _ => return Err(cx.error("unknown cache operation")),
    }
    Ok(Op::Nothing)
}

/// `createpolicy.fractional.L2::p{.L2::q}.b64 d{, fraction}`: the uses of the policy have no modelled effect.
fn policy(cx: &mut Cx<'_>) -> Result<Op> {
    const PRIORITIES: [&str; 4] = ["L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged"];
    if !cx.mods.lead_if("fractional") {
        return Err(cx.unknown_modifier());
    }
    let primary = cx.mods.take_one(&PRIORITIES).ok_or_else(|| cx.unknown_modifier())?;
    cx.mods.take_one(&["L2::evict_first", "L2::evict_unchanged"]);
    let ty = cx.ty()?;
    let d = cx.dst(ty)?;
    if cx.remaining() > 0 {
        cx.src(Type { class: Class::Float, bits: 32, packed: 1 })?;
    }
    Ok(Op::Lanes1 { f: lanes1!(|a| a), d, a: Src::Imm(primary as u64) })
}

/// `setmaxnreg.{inc,dec}.sync.aligned.u32 n`.
fn set_registers(cx: &mut Cx<'_>) -> Result<Op> {
    let action = cx.mods.lead_one(&["inc", "dec"]).filter(|_| cx.mods.take("sync") && cx.mods.take("aligned"));
    let action = action.filter(|_| cx.ty().is_ok_and(|ty| ty.bits == 32)).ok_or_else(|| cx.unknown_modifier())?;
    match cx.constant()? {
        count @ 24..=256 if count % 8 == 0 => Ok(Op::SetRegisters { increase: action == 0, count: count as u32 }),
        count => Err(cx.error(format!("got {count} registers, expected a multiple of 8 from 24 to 256"))),
    }
}
