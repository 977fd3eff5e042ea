//! `atom` and `red` (PTX ISA 9.7.13.5, 9.7.13.6).

use super::context::Cx;
use super::loadstore::hint;
use crate::code::{Atomic, Op, Order, Scope, Src, Update};
use crate::float::{self, BF16, F16, F32, F64, Format, Mode};
use crate::parse::{Class, Result, Space, Type};

/// `.relaxed`, `.acquire`, … and `.scope`. The default order is relaxed, the default scope gpu.
fn order(cx: &mut Cx<'_>) -> (bool, bool, Scope) {
    let (acquire, release) = match cx.mods.take_one(&["relaxed", "acquire", "release", "acq_rel"]) {
        Some(1) => (true, false),
        Some(2) => (false, true),
        Some(3) => (true, true),
        _ => (false, false),
    };
    (acquire, release, cx.mods.take_map(Scope::parse).unwrap_or(Scope::Gpu))
}

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    let atom = cx.inst.root == "atom";
    let (acquire, release, scope) = order(cx);
    let space = cx.mods.take_map(Space::parse).unwrap_or(Space::Generic);
    let name = cx.mods.take_map(operation).ok_or_else(|| cx.unknown_modifier())?;
    cx.mods.take("noftz");
    let hinted = cx.mods.take("L2::cache_hint");
    let count = cx.mods.take_one(&["v2", "v4", "v8"]).map(|index| 2 << index);
    let ty = cx.ty()?;
    let update = match count {
        Some(count) if atom || space != Space::Global || !is_vector(name, ty, count) => None,
        Some(_) => of_vector(name, ty),
        None => update(name, ty),
    };
    let update = update.ok_or_else(|| cx.error(format!("no atomic `{name}` of this type")))?;
    if !atom && matches!(name, "cas" | "exch") {
        return Err(cx.error("`red` has no such operation"));
    }
    if acquire && !atom {
        return Err(cx.error("`red` does not acquire"));
    }
    let dst = match atom {
        true => Some(cx.dst(ty)?).filter(|&d| d != crate::code::SINK),
        false => None,
    };
    let addr = cx.addr()?;
    let (a, more) = match count {
        Some(count) => words(cx, ty, count)?,
        None => (cx.src(ty)?, Vec::new()),
    };
    let b = if name == "cas" { cx.src(ty)? } else { Src::Imm(0) };
    hint(cx, hinted)?;
    let order = Order::strong(scope, acquire, release);
    Ok(Op::Atomic(Box::new(Atomic { space, order, addr, update, bytes: ty.bytes() as u32, dst, a, b, more })))
}

/// The operation that a modifier names.
pub(super) fn operation(name: &str) -> Option<&str> {
    const NAMES: [&str; 10] = ["add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"];
    NAMES.contains(&name).then_some(name)
}

/// Whether there is a `red` of `count` words, which exists in global memory from sm_90 on.
fn is_vector(name: &str, ty: Type, count: usize) -> bool {
    match (ty.class, ty.bits, ty.packed) {
        (Class::Float, 32, 1) => name == "add" && count <= 4,
        (Class::Float | Class::Brain, 16, 1) => true,
        (Class::Float | Class::Brain, 16, 2) => count <= 4,
        _ => false,
    }
}

/// The words of a vector: the first, and the others.
fn words(cx: &mut Cx<'_>, ty: Type, count: usize) -> Result<(Src, Vec<Src>)> {
    let operands = cx.vector()?;
    if operands.len() != count {
        return Err(cx.error(format!("got a vector of {} words, expected {count}", operands.len())));
    }
    let mut words = operands.iter().map(|operand| cx.src_of(operand, ty, false)).collect::<Result<Vec<_>>>()?;
    let first = words.remove(0);
    Ok((first, words))
}

/// The update of each word of a vector, also of one that a bulk copy reduces: there are more operations than on single
/// words.
pub(super) fn of_vector(name: &str, ty: Type) -> Option<Update> {
    Some(match (name, ty.class, ty.packed) {
        ("min", Class::Float, 1) => |old, a, _| least(F16, old, a, true),
        ("max", Class::Float, 1) => |old, a, _| least(F16, old, a, false),
        ("min", Class::Brain, 1) => |old, a, _| least(BF16, old, a, true),
        ("max", Class::Brain, 1) => |old, a, _| least(BF16, old, a, false),
        ("min", Class::Float, 2) => |old, a, _| both(old, a, |a, b| least(F16, a, b, true)),
        ("max", Class::Float, 2) => |old, a, _| both(old, a, |a, b| least(F16, a, b, false)),
        ("min", Class::Brain, 2) => |old, a, _| both(old, a, |a, b| least(BF16, a, b, true)),
        ("max", Class::Brain, 2) => |old, a, _| both(old, a, |a, b| least(BF16, a, b, false)),
        _ => return float_update(name, ty),
    })
}

/// The smaller or the larger of two numbers; if one is NaN, the other.
fn least(format: Format, a: u128, b: u128, min: bool) -> u128 {
    u128::from(float::extremum(format, a as u64, b as u64, min, false))
}

/// Applies `operation` to each half.
fn both(a: u128, b: u128, operation: impl Fn(u128, u128) -> u128) -> u128 {
    let half = |shift: u32| operation(a >> shift & 0xffff, b >> shift & 0xffff) << shift;
    half(0) | half(16)
}

/// The update of an operation on words of a type.
pub(super) fn update(name: &str, ty: Type) -> Option<Update> {
    let float = matches!(ty.class, Class::Float | Class::Brain);
    match name {
        "exch" if matches!(ty.width(), 32 | 64 | 128) => Some(|_, a, _| a),
        "cas" if matches!(ty.width(), 16 | 32 | 64 | 128) && !float => Some(|old, a, b| if old == a { b } else { old }),
        _ if float => float_update(name, ty),
        _ if ty.packed != 1 => None,
        _ => integer_update(name, ty),
    }
}

fn integer_update(name: &str, ty: Type) -> Option<Update> {
    let bits = ty.bits;
    Some(match (name, ty.class, bits) {
        ("and", Class::Bits, 32 | 64) => |old, a, _| old & a,
        ("or", Class::Bits, 32 | 64) => |old, a, _| old | a,
        ("xor", Class::Bits, 32 | 64) => |old, a, _| old ^ a,
        ("add", Class::Signed | Class::Unsigned, 32) => |old, a, _| u128::from((old as u32).wrapping_add(a as u32)),
        ("add", Class::Signed | Class::Unsigned, 64) => |old, a, _| u128::from((old as u64).wrapping_add(a as u64)),
        ("min", Class::Signed, 32) => |old, a, _| u128::from((old as i32).min(a as i32) as u32),
        ("max", Class::Signed, 32) => |old, a, _| u128::from((old as i32).max(a as i32) as u32),
        ("min", Class::Signed, 64) => |old, a, _| u128::from((old as i64).min(a as i64) as u64),
        ("max", Class::Signed, 64) => |old, a, _| u128::from((old as i64).max(a as i64) as u64),
        ("min", Class::Unsigned, 32 | 64) => |old, a, _| old.min(a),
        ("max", Class::Unsigned, 32 | 64) => |old, a, _| old.max(a),
        ("inc", Class::Unsigned, 32) => |old, a, _| if old >= a { 0 } else { old + 1 },
        ("dec", Class::Unsigned, 32) => |old, a, _| if old == 0 || old > a { a } else { old - 1 },
        _ => return None,
    })
}

fn sum(format: Format, a: u128, b: u128) -> u128 {
    u128::from(float::add(format, a as u64, b as u64, Mode::Nearest))
}

fn pair(format: Format, a: u128, b: u128) -> u128 {
    both(a, b, |a, b| sum(format, a, b))
}

fn float_update(name: &str, ty: Type) -> Option<Update> {
    if name != "add" {
        return None;
    }
    Some(match (ty.class, ty.bits, ty.packed) {
        (Class::Float, 32, 1) => |old, a, _| sum(F32, old, a),
        (Class::Float, 64, 1) => |old, a, _| sum(F64, old, a),
        (Class::Float, 16, 1) => |old, a, _| sum(F16, old, a),
        (Class::Brain, 16, 1) => |old, a, _| sum(BF16, old, a),
        (Class::Float, 16, 2) => |old, a, _| pair(F16, old, a),
        (Class::Brain, 16, 2) => |old, a, _| pair(BF16, old, a),
        _ => return None,
    })
}
