//! Asynchronous copies: `cp.async` of 4, 8 and 16 bytes (PTX ISA 9.7.9.25.3); `cp.async.bulk` and `cp.reduce.async.bulk`
//! without tensor maps (PTX ISA 9.7.9.25.4).

use super::atomic::{of_vector, operation, update};
use super::boxes;
use super::context::Cx;
use super::loadstore::hint;
use crate::code::{Bulk, BulkCopy, CpAsync, Op, Prefetch, Reduction};
use crate::parse::ast::Operand;
use crate::parse::{Class, Result, Space, Type};

const U32: Type = Type { class: Class::Unsigned, bits: 32, packed: 1 };
const U16: Type = Type { class: Class::Unsigned, bits: 16, packed: 1 };

/// The non-bulk `cp.async…`.
pub(crate) fn simple(cx: &mut Cx<'_>) -> Result<Op> {
    if !cx.mods.lead_if("async") {
        return Err(cx.unknown_modifier());
    }
    let what = match cx.mods.lead() {
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
    if !cx.mods.lead_if("arrive") {
        return Err(cx.unknown_modifier());
    }
    let noinc = cx.mods.lead_if("noinc");
    let space = cx.mods.take_map(Space::parse).unwrap_or(Space::Generic);
    if !cx.mods.take("b64") {
        return Err(cx.unknown_modifier());
    }
    Ok(CpAsync::Arrive { addr: cx.addr()?, space, noinc })
}

/// `cp.async.bulk…`.
pub(crate) fn bulk(cx: &mut Cx<'_>) -> Result<Op> {
    cx.mods.lead();
    cx.mods.lead();
    if cx.mods.lead_if("prefetch") {
        return if cx.mods.lead_if("tensor") { boxes::prefetch(cx) } else { prefetch(cx) };
    }
    if cx.mods.lead_if("tensor") {
        return boxes::copy(cx, false);
    }
    let what = match cx.mods.lead_one(&["commit_group", "wait_group"]) {
        Some(0) => Bulk::Commit,
        Some(_) => {
            let read = cx.mods.take("read");
            Bulk::Wait { pending: cx.constant()?, read }
        }
        None => Bulk::Copy(bulk_copy(cx, false)?),
    };
    Ok(Op::Bulk(Box::new(what)))
}

/// `cp.reduce.async.bulk…`.
pub(crate) fn reduce(cx: &mut Cx<'_>) -> Result<Op> {
    if !(cx.mods.lead_if("reduce") && cx.mods.lead_if("async") && cx.mods.lead_if("bulk")) {
        return Err(cx.unknown_modifier());
    }
    if cx.mods.lead_if("tensor") {
        return boxes::copy(cx, true);
    }
    Ok(Op::Bulk(Box::new(Bulk::Copy(bulk_copy(cx, true)?))))
}

/// `.add.noftz.f16`, `.min.s64`.
fn reduction(cx: &mut Cx<'_>, to_global: bool) -> Result<Reduction> {
    let name = cx.mods.take_map(operation).ok_or_else(|| cx.unknown_modifier())?;
    let keeps_small = cx.mods.take("noftz");
    let ty = cx.ty()?;
    let small = matches!(ty.class, Class::Float | Class::Brain) && ty.bits == 16;
    if keeps_small != (small && name == "add") {
        return Err(cx.error("`.noftz` goes with `.add` of f16 and bf16, and with nothing else"));
    }
    let known = match (name, ty.class, ty.bits) {
        ("exch" | "cas", ..) => None,
        (_, Class::Float | Class::Brain, _) if !to_global => None,
        ("min" | "max", Class::Float | Class::Brain, 16) if ty.packed == 1 => of_vector(name, ty),
        _ if ty.packed == 1 => update(name, ty),
        _ => None,
    };
    let update = known.ok_or_else(|| cx.error(format!("no bulk reduction `{name}` of this type")))?;
    Ok(Reduction { update, bytes: ty.bytes() as u32 })
}

/// `cp.async.bulk.prefetch.L2.global [a], size`.
fn prefetch(cx: &mut Cx<'_>) -> Result<Op> {
    if !(cx.mods.take("L2") && cx.mods.take("global")) {
        return Err(cx.unknown_modifier());
    }
    let hinted = cx.mods.take("L2::cache_hint");
    let (addr, size) = (cx.addr()?, cx.src(U32)?);
    hint(cx, hinted)?;
    Ok(Op::Prefetch(Box::new(Prefetch::Bytes { addr, size })))
}

fn bulk_copy(cx: &mut Cx<'_>, reduces: bool) -> Result<BulkCopy> {
    let dst_space = cx.mods.take_map(Space::parse).ok_or_else(|| cx.unknown_modifier())?;
    let src_space = cx.mods.take_map(Space::parse).ok_or_else(|| cx.unknown_modifier())?;
    let by_barrier = match cx.mods.take_one(&["mbarrier::complete_tx::bytes", "bulk_group"]) {
        Some(i) => i == 0,
        None => return Err(cx.unknown_modifier()),
    };
    use Space::*;
    let legal = match (dst_space, src_space) {
        (Shared | SharedCluster, Global) => by_barrier && !reduces,
        (SharedCluster, Shared) => by_barrier,
        (Global, Shared) => !by_barrier,
        _ => false,
    };
    if !legal {
        return Err(cx.error("no bulk copy between these spaces with this completion"));
    }
    let multicast = by_barrier && src_space == Global && cx.mods.take("multicast::cluster");
    let hinted = cx.mods.take("L2::cache_hint");
    let reduction = if reduces { Some(reduction(cx, !by_barrier)?) } else { None };
    let (dst, src, size) = (cx.addr()?, cx.addr()?, cx.src(U32)?);
    let barrier = if by_barrier { Some(cx.addr()?) } else { None };
    let multicast = if multicast { Some(cx.src(U16)?) } else { None };
    hint(cx, hinted)?;
    Ok(BulkCopy { dst_space, src_space, dst, src, size, barrier, multicast, reduction })
}
