//! Barriers of a block and a cluster, and fences (PTX ISA 9.7.13.1 to 9.7.13.4).

use super::context::Cx;
use super::tensor_map;
use crate::code::{BarrierOp, BarrierReduce, ClusterBarrier, Fence, Op, Scope, Src};
use crate::parse::{Class, Result, Type};

const U32: Type = Type { class: Class::Unsigned, bits: 32, packed: 1 };

pub(crate) fn barrier(cx: &mut Cx<'_>) -> Result<Op> {
    let modern = cx.inst.root == "barrier";
    if !modern && cx.mods.lead_if("warp") {
        return warp(cx);
    }
    if modern && cx.mods.lead_if("cluster") {
        return cluster(cx);
    }
    cx.mods.lead_if("cta");
    let mut aligned = cx.mods.lead_if("aligned");
    let what = cx.mods.lead_one(&["sync", "arrive", "red"]).ok_or_else(|| cx.unknown_modifier())?;
    if what == 2 {
        return reduction(cx, aligned, modern);
    }
    aligned |= cx.mods.take("aligned") || !modern;
    let id = cx.src(U32)?;
    let threads = if cx.remaining() > 0 { Some(cx.src(U32)?) } else { None };
    if what == 1 && threads.is_none() {
        return Err(cx.error("an arrival needs the number of threads"));
    }
    Ok(Op::Barrier(Box::new(BarrierOp { id, threads, aligned, wait: what == 0, reduce: None })))
}

/// `bar.red.popc.u32 d, id{, threads}, p` and `bar.red.{and,or}.pred p, …`.
fn reduction(cx: &mut Cx<'_>, aligned: bool, modern: bool) -> Result<Op> {
    let what = cx.mods.take_one(&["popc", "and", "or"]).ok_or_else(|| cx.unknown_modifier())?;
    let aligned = aligned || cx.mods.take("aligned") || !modern;
    let ty = cx.ty()?;
    let result = match (what, ty.class) {
        (0, Class::Unsigned) => BarrierReduce::Popc(cx.dst(U32)?),
        (1, Class::Predicate) => BarrierReduce::And(cx.pred_dst()?),
        (2, Class::Predicate) => BarrierReduce::Or(cx.pred_dst()?),
        _ => return Err(cx.error("the type does not go with the reduction")),
    };
    let id = cx.src(U32)?;
    let threads = if cx.remaining() > 1 { Some(cx.src(U32)?) } else { None };
    let reduce = Some((result, cx.pred_src()?));
    Ok(Op::Barrier(Box::new(BarrierOp { id, threads, aligned, wait: true, reduce })))
}

fn warp(cx: &mut Cx<'_>) -> Result<Op> {
    use crate::code::{Collective, WarpOp};
    if !cx.mods.lead_if("sync") {
        return Err(cx.unknown_modifier());
    }
    Ok(Op::Collective(Box::new(WarpOp { what: Collective::Barrier, members: cx.src(U32)? })))
}

fn cluster(cx: &mut Cx<'_>) -> Result<Op> {
    let wait = cx.mods.lead_one(&["arrive", "wait"]).ok_or_else(|| cx.unknown_modifier())? == 1;
    let ordered = match cx.mods.take_one(&["release", "acquire", "relaxed"]) {
        None => true,
        Some(0) if !wait => true,
        Some(1) if wait => true,
        Some(2) if !wait => false,
        Some(_) => return Err(cx.error("this order does not go with this step")),
    };
    let aligned = cx.mods.take("aligned");
    Ok(Op::ClusterBarrier(ClusterBarrier { wait, aligned, ordered }))
}

pub(crate) fn fence(cx: &mut Cx<'_>) -> Result<Op> {
    if cx.inst.root == "membar" {
        return membar(cx);
    }
    if cx.mods.lead_if("proxy") {
        return proxy(cx);
    }
    if cx.mods.take("mbarrier_init") {
        return match cx.mods.take("release") && cx.mods.take("cluster") {
            true => Ok(Op::Fence(Fence::MbarrierInit)),
            false => Err(cx.unknown_modifier()),
        };
    }
    // `fence.scope` means acq_rel; a sequentially consistent fence is also an acquire and a release.
    let (acquire, release) = match cx.mods.take_one(&["acquire", "release", "acq_rel", "sc"]) {
        Some(0) => (true, false),
        Some(1) => (false, true),
        _ => (true, true),
    };
    let scope = cx.mods.take_map(Scope::parse).ok_or_else(|| cx.unknown_modifier())?;
    Ok(Op::Fence(Fence::Thread { scope, acquire, release }))
}

fn membar(cx: &mut Cx<'_>) -> Result<Op> {
    if cx.mods.lead_if("proxy") {
        return proxy(cx);
    }
    let scope = match cx.mods.take_one(&["cta", "gl", "sys"]) {
        Some(0) => Scope::Cta,
        Some(1) => Scope::Gpu,
        Some(_) => Scope::Sys,
        None => return Err(cx.unknown_modifier()),
    };
    Ok(Op::Fence(Fence::Thread { scope, acquire: true, release: true }))
}

fn proxy(cx: &mut Cx<'_>) -> Result<Op> {
    if cx.mods.lead_if("alias") {
        return Ok(Op::Fence(Fence::Nothing));
    }
    if cx.mods.lead_if("async") {
        cx.mods.take_one(&["global", "shared::cta", "shared::cluster"]);
        return Ok(Op::Fence(Fence::ProxyAsync));
    }
    if cx.mods.lead_if("tensormap::generic") {
        return tensor_map::fence(cx);
    }
    Err(cx.unknown_modifier())
}

/// One arrival, for instructions without a count.
pub(crate) const ONE: Src = Src::Imm(1);
