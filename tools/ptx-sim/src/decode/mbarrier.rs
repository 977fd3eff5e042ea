//! `mbarrier` (PTX ISA 9.7.13.15).

use super::context::Cx;
use super::sync::ONE;
use crate::code::{Mbarrier, MbarrierOp, Op, Scope, Src, lanes1};
use crate::parse::ast::Operand;
use crate::parse::{Class, Result, Space, Type};

const U32: Type = Type { class: Class::Unsigned, bits: 32, packed: 1 };

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    let name = cx.mods.lead().ok_or_else(|| cx.unknown_modifier())?;
    match name {
        "init" | "inval" => init(cx, name == "init"),
        "expect_tx" | "complete_tx" => transaction(cx, name == "expect_tx"),
        "arrive" => arrive(cx, false),
        "arrive_drop" => arrive(cx, true),
        "test_wait" => test(cx, false),
        "try_wait" => test(cx, true),
        "pending_count" => pending(cx),
        other => Err(cx.error(format!("unknown operation `.{other}`"))),
    }
}

/// `{.space}.b64`.
fn space(cx: &mut Cx<'_>) -> Result<Space> {
    let space = cx.mods.take_map(Space::parse).unwrap_or(Space::Generic);
    if !matches!(space, Space::Generic | Space::Shared | Space::SharedCluster) {
        return Err(cx.error("a barrier is in shared memory"));
    }
    if cx.mods.take("b64") { Ok(space) } else { Err(cx.unknown_modifier()) }
}

/// `{.sem}{.scope}`: the scope of its order, by default the block; none for `.relaxed`.
fn order(cx: &mut Cx<'_>, strong: &str) -> Option<Scope> {
    let relaxed = !cx.mods.take(strong) && cx.mods.take("relaxed");
    let scope = cx.mods.take_map(Scope::parse).unwrap_or(Scope::Cta);
    (!relaxed).then_some(scope)
}

fn op(space: Space, addr: crate::code::Addr, what: MbarrierOp) -> Op {
    Op::Mbarrier(Box::new(Mbarrier { space, addr, what }))
}

fn init(cx: &mut Cx<'_>, init: bool) -> Result<Op> {
    let space = space(cx)?;
    let addr = cx.addr()?;
    let what = if init { MbarrierOp::Init { count: cx.src(U32)? } } else { MbarrierOp::Inval };
    Ok(op(space, addr, what))
}

fn transaction(cx: &mut Cx<'_>, expect: bool) -> Result<Op> {
    order(cx, "relaxed");
    let space = space(cx)?;
    let addr = cx.addr()?;
    let bytes = cx.src(U32)?;
    Ok(op(space, addr, if expect { MbarrierOp::ExpectTx { bytes } } else { MbarrierOp::CompleteTx { bytes } }))
}

fn arrive(cx: &mut Cx<'_>, drop: bool) -> Result<Op> {
    let expects = cx.mods.lead_if("expect_tx");
    let no_complete = !expects && cx.mods.lead_if("noComplete");
    let release = order(cx, "release");
    let space = space(cx)?;
    let state = match cx.peek() {
        Some(Operand::Sink) => {
            cx.operand()?;
            None
        }
        Some(Operand::Address(..)) => None,
        _ => Some(cx.dst(Type::B64)?),
    };
    let addr = cx.addr()?;
    let expect = if expects { Some(cx.src(U32)?) } else { None };
    let count = if cx.remaining() > 0 { cx.src(U32)? } else { ONE };
    if no_complete && cx.inst.operands.len() != 3 {
        return Err(cx.error("`.noComplete` needs a count"));
    }
    Ok(op(space, addr, MbarrierOp::Arrive { state, count, expect, drop, no_complete, release }))
}

fn test(cx: &mut Cx<'_>, waits: bool) -> Result<Op> {
    let parity = cx.mods.lead_if("parity");
    let acquire = order(cx, "acquire");
    let space = space(cx)?;
    let d = cx.pred_dst()?;
    let addr = cx.addr()?;
    let state = cx.src(if parity { U32 } else { Type::B64 })?;
    if waits && cx.remaining() > 0 {
        // The time limit of the hardware's wait: other warps run in any case.
        cx.src(U32)?;
    }
    Ok(op(space, addr, MbarrierOp::Test { d, state, parity, acquire }))
}

/// `mbarrier.pending_count`: the low half of a state, as the simulator builds states.
fn pending(cx: &mut Cx<'_>) -> Result<Op> {
    if !cx.mods.take("b64") {
        return Err(cx.unknown_modifier());
    }
    let d = cx.dst(U32)?;
    let a: Src = cx.src(Type::B64)?;
    Ok(Op::Lanes1 { f: lanes1!(|a| a & 0xffff_ffff), d, a })
}
