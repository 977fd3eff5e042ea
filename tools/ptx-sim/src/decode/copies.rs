//! `cp.async` of 4, 8 and 16 bytes (PTX ISA 9.7.9.25.3).

use super::context::Cx;
use super::loadstore::hint;
use crate::code::{CpAsync, Op};
use crate::parse::ast::Operand;
use crate::parse::{Class, Result, Space, Type};

const U32: Type = Type { class: Class::Unsigned, bits: 32, packed: 1 };

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    if !cx.mods.take("async") {
        return Err(cx.unknown_modifier());
    }
    let what = match cx.mods.next() {
        Some("ca") => copy(cx, false)?,
        Some("cg") => copy(cx, true)?,
        Some("commit_group") => CpAsync::Commit,
        Some("wait_group") => CpAsync::Wait(cx.constant()?),
        Some("wait_all") => CpAsync::WaitAll,
        Some("mbarrier") => arrive(cx)?,
        _ => return Err(cx.error("unknown operation")),
    };
    Ok(Op::CpAsync(Box::new(what)))
}

fn shared(cx: &mut Cx<'_>) -> Result<()> {
    match cx.mods.take_map(Space::parse) {
        Some(Space::Shared) => Ok(()),
        _ => Err(cx.error("`.shared` is expected")),
    }
}

fn copy(cx: &mut Cx<'_>, global_only: bool) -> Result<CpAsync> {
    shared(cx)?;
    if !cx.mods.take("global") {
        return Err(cx.unknown_modifier());
    }
    let hinted = cx.mods.take("L2::cache_hint");
    cx.mods.take_one(&["L2::64B", "L2::128B", "L2::256B"]);
    let (dst, src) = (cx.addr()?, cx.addr()?);
    let bytes = cx.constant()?;
    if !(bytes == 16 || !global_only && matches!(bytes, 4 | 8)) {
        return Err(cx.error(format!("got {bytes} bytes, expected {}", if global_only { "16" } else { "4, 8 or 16" })));
    }
    let (mut read, mut ignore) = (None, None);
    if cx.remaining() > usize::from(hinted) {
        let operand = cx.peek();
        let predicate = operand.is_some_and(|o| matches!(o, Operand::Not(_)) || cx.pred_of(o).is_ok());
        let integer = matches!(operand, Some(Operand::Integer(_)));
        if predicate && !integer { ignore = Some(cx.pred_src()?) } else { read = Some(cx.src(U32)?) }
    }
    hint(cx, hinted)?;
    Ok(CpAsync::Copy { dst, src, bytes: bytes as u32, read, ignore })
}

fn arrive(cx: &mut Cx<'_>) -> Result<CpAsync> {
    if !cx.mods.take("arrive") {
        return Err(cx.unknown_modifier());
    }
    let noinc = cx.mods.take("noinc");
    let space = cx.mods.take_map(Space::parse).unwrap_or(Space::Generic);
    if !cx.mods.take("b64") {
        return Err(cx.unknown_modifier());
    }
    Ok(CpAsync::Arrive { addr: cx.addr()?, space, noinc })
}
