//! `cp.async.bulk` without tensor maps (PTX ISA 9.7.9.25.4).

use super::context::Cx;
use super::loadstore::hint;
use crate::code::{Bulk, BulkCopy, Op};
use crate::parse::{Class, Result, Space, Type};

const U32: Type = Type { class: Class::Unsigned, bits: 32, packed: 1 };
const U16: Type = Type { class: Class::Unsigned, bits: 16, packed: 1 };

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    cx.mods.next();
    cx.mods.next();
    if cx.mods.take("prefetch") {
        return prefetch(cx);
    }
    let what = match cx.mods.take_one(&["commit_group", "wait_group"]) {
        Some(0) => Bulk::Commit,
        Some(_) => {
            let read = cx.mods.take("read");
            Bulk::Wait { pending: cx.constant()?, read }
        }
        None => Bulk::Copy(copy(cx)?),
    };
    Ok(Op::Bulk(Box::new(what)))
}

/// `cp.async.bulk.prefetch.L2.global [a], size`.
fn prefetch(cx: &mut Cx<'_>) -> Result<Op> {
    if !(cx.mods.take("L2") && cx.mods.take("global")) {
        return Err(cx.unknown_modifier());
    }
    let hinted = cx.mods.take("L2::cache_hint");
    cx.addr()?;
    cx.src(U32)?;
    hint(cx, hinted)?;
    Ok(Op::Nothing)
}

fn copy(cx: &mut Cx<'_>) -> Result<BulkCopy> {
    let dst_space = cx.mods.take_map(Space::parse).ok_or_else(|| cx.unknown_modifier())?;
    let src_space = cx.mods.take_map(Space::parse).ok_or_else(|| cx.unknown_modifier())?;
    let by_barrier = match cx.mods.take_one(&["mbarrier::complete_tx::bytes", "bulk_group"]) {
        Some(i) => i == 0,
        None => return Err(cx.unknown_modifier()),
    };
    use Space::*;
    let legal = match (dst_space, src_space) {
        (Shared | SharedCluster, Global) | (SharedCluster, Shared) => by_barrier,
        (Global, Shared) => !by_barrier,
        _ => false,
    };
    if !legal {
        return Err(cx.error("no bulk copy between these spaces with this completion"));
    }
    let multicast = by_barrier && src_space == Global && cx.mods.take("multicast::cluster");
    let hinted = cx.mods.take("L2::cache_hint");
    let (dst, src, size) = (cx.addr()?, cx.addr()?, cx.src(U32)?);
    let barrier = if by_barrier { Some(cx.addr()?) } else { None };
    let multicast = if multicast { Some(cx.src(U16)?) } else { None };
    hint(cx, hinted)?;
    Ok(BulkCopy { dst_space, src_space, dst, src, size, barrier, multicast })
}
