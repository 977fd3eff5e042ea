//! `ld` and `st` (PTX ISA 9.7.9.8 to 9.7.9.12).

use super::context::Cx;
use super::moves::upper;
use super::state::VariableLocation;
use crate::code::{Addr, AsyncStore, Bulk, Load, Op, Order, Reg, SINK, Scope, Src, Store, StoreBulk, Within};
use crate::memory::{CALL_PARAM_WINDOW, PARAM_WINDOW};
use crate::parse::ast::Operand;
use crate::parse::{Class, Result, Space, Type};

/// Modifiers between the opcode and the type.
struct Access {
    order: Order,
    space: Space,
    /// `L2::cache_hint`, which takes one more operand.
    hint: bool,
    /// `.nc`.
    constant: bool,
    lanes: usize,
}

/// A scope, which strong operations must name.
fn scope(cx: &mut Cx<'_>) -> Result<Scope> {
    cx.mods.take_map(Scope::parse).ok_or_else(|| cx.error("a scope is expected"))
}

fn order(cx: &mut Cx<'_>) -> Result<Order> {
    let sys = Order::strong(Scope::Sys, false, false);
    if cx.mods.take("volatile") {
        return Ok(sys);
    }
    if cx.mods.take("mmio") {
        return match cx.mods.take("relaxed") && cx.mods.take("sys") {
            true => Ok(sys),
            false => Err(cx.unknown_modifier()),
        };
    }
    let store = cx.inst.root == "st";
    Ok(match cx.mods.take_one(&["weak", "relaxed", "acquire", "release"]) {
        None | Some(0) => Order::WEAK,
        Some(1) => Order::strong(scope(cx)?, false, false),
        Some(2) if !store => Order::strong(scope(cx)?, true, false),
        Some(3) if store => Order::strong(scope(cx)?, false, true),
        Some(_) => return Err(cx.error("a load does not release and a store does not acquire")),
    })
}

/// Whether a modifier only affects caches.
fn is_cache_modifier(name: &str) -> bool {
    const LEVELS: [&str; 12] = [
        "L1::evict_normal",
        "L1::evict_unchanged",
        "L1::evict_first",
        "L1::evict_last",
        "L1::no_allocate",
        "L2::evict_normal",
        "L2::evict_first",
        "L2::evict_last",
        "L2::cache_hint",
        "L2::64B",
        "L2::128B",
        "L2::256B",
    ];
    matches!(name, "ca" | "cg" | "cs" | "lu" | "cv" | "wb" | "wt" | "nc" | "unified") || LEVELS.contains(&name)
}

fn access(cx: &mut Cx<'_>) -> Result<Access> {
    let order = order(cx)?;
    let space = cx.mods.take_map(Space::parse).unwrap_or(Space::Generic);
    let (mut hint, mut constant) = (false, false);
    while let Some(name) = cx.mods.take_map(|m| is_cache_modifier(m).then_some(m)) {
        hint |= name == "L2::cache_hint";
        constant |= name == "nc";
    }
    let lanes = match cx.mods.take_one(&["v2", "v4", "v8"]) {
        None => 1,
        Some(i) => 2 << i,
    };
    Ok(Access { order, space, hint, constant, lanes })
}

/// The address operand; the name of a parameter means its address in the parameters' window. Only there is an access beyond the variable
/// an error here: elsewhere it is one where it is executed, and compilers leave accesses behind that never are.
fn address(cx: &mut Cx<'_>, space: Space, bytes: u64) -> Result<Addr> {
    let direct = cx.peek().and_then(|o| cx.direct(o));
    let (base, left) = match direct {
        Some((VariableLocation::KernelParam(offset), left)) if space == Space::Param => {
            (Src::Imm(PARAM_WINDOW.wrapping_add(offset)), left)
        }
        Some((VariableLocation::CallParam(offset), left)) if space == Space::Param => {
            (cx.in_frame(CALL_PARAM_WINDOW.wrapping_add(offset)), left)
        }
        _ => return cx.addr(),
    };
    if left < bytes {
        return Err(cx.error(format!("an access of {bytes} B, but the parameter has only {left} B left")));
    }
    cx.operand()?;
    Ok(Addr { base, offset: 0, within: Within::Any })
}

/// Whether the elements have 256 bits together, so that `_` can leave some out.
fn is_wide(ty: Type, lanes: usize) -> bool {
    ty.bytes() as usize * lanes == 32
}

/// Checks that the element's width is supported, and that the whole access has at most 32 bytes in global memory, or 16
/// elsewhere.
fn check(cx: &Cx<'_>, space: Space, ty: Type, lanes: usize) -> Result<()> {
    let total = ty.bytes() as usize * lanes;
    let wide = ty.width() == 128 && lanes > 1 || total == 32 && space != Space::Global;
    if ty.class == Class::Predicate || total > 32 || wide || (lanes == 8 && ty.width() != 32) {
        return Err(cx.error("no access of this width exists"));
    }
    Ok(())
}

pub(crate) fn load(cx: &mut Cx<'_>) -> Result<Op> {
    let access = access(cx)?;
    let ty = cx.ty()?;
    check(cx, access.space, ty, access.lanes)?;
    let elements = cx.vector()?;
    if elements.len() != access.lanes {
        return Err(cx.error(format!("got {} destinations, expected {}", elements.len(), access.lanes)));
    }
    let mut dst = Vec::new();
    for element in elements {
        let reg = cx.dst_of(element, ty.width(), true)?;
        dst.push(reg);
        if ty.width() == 128 {
            dst.push(reg + u32::from(reg != 0));
        }
    }
    let extend = if ty.is_signed() { register_bits(cx, &elements[0]) } else { 0 };
    let needed = (ty.bytes() * access.lanes as u64).min(u64::from(32 - cx.used.leading_zeros()));
    let addr = address(cx, access.space, needed)?;
    hint(cx, access.hint)?;
    let element = ty.bytes().min(8) as u32;
    // In accesses of 256 bits, elements with destination `_` are not accessed; in narrower ones they are read and
    // dropped.
    let left_out = |&(_, &d): &(usize, &Reg)| is_wide(ty, access.lanes) && d == SINK;
    let bytes = |i: usize| (u32::MAX >> (32 - element)) << (i as u32 * element);
    let used = cx.used & !dst.iter().enumerate().filter(left_out).fold(0, |mask, (i, _)| mask | bytes(i));
    Ok(Op::Load(Box::new(Load {
        space: access.space,
        order: access.order,
        addr,
        dst: dst.into(),
        element,
        extend,
        unit: ty.bytes() as u32,
        used,
        constant: access.constant || cx.inst.root == "ldu",
    })))
}

/// The width of the register that `operand` names.
fn register_bits(cx: &Cx<'_>, operand: &Operand) -> u32 {
    use super::state::Binding;
    match operand {
        Operand::Name(name, _) => match cx.scopes.find(name) {
            Some(Binding::Register { ty, .. }) => ty.width().min(64),
            _ => 64,
        },
        _ => 64,
    }
}

/// Consumes the operand of `L2::cache_hint`, which has no modelled effect.
pub(crate) fn hint(cx: &mut Cx<'_>, given: bool) -> Result<()> {
    if given {
        cx.src(Type::B64)?;
    }
    Ok(())
}

pub(crate) fn store(cx: &mut Cx<'_>) -> Result<Op> {
    if cx.mods.take("bulk") {
        return bulk(cx);
    }
    if cx.mods.take("async") {
        return asynchronous(cx);
    }
    let access = access(cx)?;
    let ty = cx.ty()?;
    check(cx, access.space, ty, access.lanes)?;
    let addr = address(cx, access.space, ty.bytes() * access.lanes as u64)?;
    let elements = cx.vector()?;
    if elements.len() != access.lanes {
        return Err(cx.error(format!("got {} sources, expected {}", elements.len(), access.lanes)));
    }
    let mut src = Vec::new();
    let mut masked = false;
    for element in elements {
        if is_wide(ty, access.lanes) && matches!(element, Operand::Sink) {
            masked = true;
            src.push(Src::Reg(SINK));
            continue;
        }
        let value = cx.src_of(element, ty, true)?;
        src.push(value);
        if ty.width() == 128 {
            src.push(upper(value));
        }
    }
    hint(cx, access.hint)?;
    Ok(Op::Store(Box::new(Store {
        space: access.space,
        order: access.order,
        addr,
        src: src.into(),
        element: ty.bytes().min(8) as u32,
        unit: ty.bytes() as u32,
        masked,
    })))
}

/// `st.async{.weak}{.shared::cluster}.mbarrier::complete_tx::bytes{.v2, .v4}.b64 [a], b, [mbar]`.
fn asynchronous(cx: &mut Cx<'_>) -> Result<Op> {
    cx.mods.take("weak");
    let space = cx.mods.take_map(Space::parse).unwrap_or(Space::SharedCluster);
    if space != Space::SharedCluster || !cx.mods.take("mbarrier::complete_tx::bytes") {
        return Err(cx.unknown_modifier());
    }
    let lanes = cx.mods.take_one(&["v2", "v4"]).map_or(1, |number| 2 << number);
    let ty = cx.ty()?;
    if !matches!(ty.width(), 32 | 64) {
        return Err(cx.error(format!("got a type of {} bits, expected 32 or 64", ty.width())));
    }
    let (dst, elements) = (cx.addr()?, cx.vector()?);
    if elements.len() != lanes {
        return Err(cx.error(format!("got {} sources, expected {lanes}", elements.len())));
    }
    let values = elements.iter().map(|element| cx.src_of(element, ty, true)).collect::<Result<_>>()?;
    let (bytes, barrier) = (ty.bytes() as u32, cx.addr()?);
    Ok(Op::Bulk(Box::new(Bulk::Store(AsyncStore { dst, values, bytes, barrier }))))
}

/// `st.bulk{.weak}{.shared::cta} [a], size, 0`.
fn bulk(cx: &mut Cx<'_>) -> Result<Op> {
    cx.mods.take("weak");
    let space = cx.mods.take_map(Space::parse).unwrap_or(Space::Generic);
    let addr = cx.addr()?;
    let size = cx.src_loose(Type { bits: 32, ..Type::B64 })?;
    match cx.constant()? {
        0 => Ok(Op::StoreBulk(StoreBulk { space, addr, size })),
        other => Err(cx.error(format!("got {other}, expected 0"))),
    }
}
