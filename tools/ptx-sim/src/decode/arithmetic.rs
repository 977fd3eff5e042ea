//! Integer addition, division, minimum and similar operations (PTX ISA 9.7.1, 9.7.2).

use super::context::Cx;
use crate::code::{Carry, Lanes1, Lanes2, Op, lanes1, lanes2, lanes3};
use crate::parse::{Class, Result, Type};

/// A [`Lanes2`] over the unsigned type `U` and signed type `S` of 16, 32 or 64 bits.
macro_rules! by_width {
    ($bits:expr, |$a:ident, $b:ident| $e:expr) => {
        match $bits {
            16 => Some(by_width!(@one u16, i16, $a, $b, $e)),
            32 => Some(by_width!(@one u32, i32, $a, $b, $e)),
            64 => Some(by_width!(@one u64, i64, $a, $b, $e)),
            _ => None,
        }
    };
    (@one $u:ty, $s:ty, $a:ident, $b:ident, $e:expr) => {{
        #[allow(dead_code)]
        type U = $u;
        #[allow(dead_code)]
        type S = $s;
        lanes2!(|$a, $b| u64::from(($e) as U))
    }};
}

/// Splits a packed pair of 16-bit integers, applies `$f` and packs again.
macro_rules! pairs {
    ($t:ty, |$a:ident, $b:ident| $e:expr) => {
        lanes2!(|x, y| {
            let one = |$a: $t, $b: $t| u64::from(($e) as u16);
            one(x as $t, y as $t) | one((x >> 16) as $t, (y >> 16) as $t) << 16
        })
    };
}

pub(crate) fn add(cx: &mut Cx<'_>) -> Result<Op> {
    let root = cx.inst.root.as_str();
    let subtract = root.starts_with("sub");
    let reads = root.ends_with('c');
    let writes = cx.mods.take("cc");
    if reads || writes {
        return carry(cx, subtract, reads, writes);
    }
    let saturate = cx.mods.take("sat");
    let ty = cx.ty()?;
    let f = match (saturate, ty.packed, subtract) {
        (true, ..) => saturating(ty, subtract),
        (_, 2, false) => Some(pairs!(u16, |a, b| a.wrapping_add(b))),
        (_, 2, true) => Some(pairs!(u16, |a, b| a.wrapping_sub(b))),
        (_, _, false) => by_width!(ty.bits, |a, b| (a as U).wrapping_add(b as U)),
        (_, _, true) => by_width!(ty.bits, |a, b| (a as U).wrapping_sub(b as U)),
    };
    lanes2(cx, f, ty)
}

fn saturating(ty: Type, subtract: bool) -> Option<Lanes2> {
    if (ty.class, ty.bits) != (Class::Signed, 32) {
        return None;
    }
    Some(match subtract {
        false => lanes2!(|a, b| u64::from((a as i32).saturating_add(b as i32) as u32)),
        true => lanes2!(|a, b| u64::from((a as i32).saturating_sub(b as i32) as u32)),
    })
}

/// Reads `d, a, b` and builds the operation, or rejects the type.
pub(crate) fn lanes2(cx: &mut Cx<'_>, f: Option<Lanes2>, ty: Type) -> Result<Op> {
    let Some(f) = f else {
        return Err(cx.error("this operation does not exist for this type"));
    };
    Ok(Op::Lanes2 { f, d: cx.dst(ty)?, a: cx.src(ty)?, b: cx.src(ty)? })
}

fn carry(cx: &mut Cx<'_>, subtract: bool, reads: bool, writes: bool) -> Result<Op> {
    let ty = cx.ty()?;
    if !matches!(ty.bits, 32 | 64) {
        return Err(cx.error("carries exist for 32 and 64 bits"));
    }
    let (d, a, b) = (cx.dst(ty)?, cx.src(ty)?, cx.src(ty)?);
    Ok(Op::Carry(Box::new(Carry { d, a, b, product: None, bits: ty.bits, subtract, reads, writes })))
}

pub(crate) fn binary(cx: &mut Cx<'_>) -> Result<Op> {
    let root = cx.inst.root.as_str();
    let relu = matches!(root, "min" | "max") && cx.mods.take("relu");
    let ty = cx.ty()?;
    if matches!(ty.class, Class::Bits | Class::Predicate) {
        return Err(cx.error("a signed or unsigned type is expected"));
    }
    if root == "sad" {
        return sad(cx, ty);
    }
    let f = if relu { relu_function(root, ty) } else { function(root, ty) };
    match (root, lanes2(cx, f, ty)?) {
        ("div" | "rem", Op::Lanes2 { f, d, a, b }) => Ok(Op::Divide { f, d, a, b }),
        (_, op) => Ok(op),
    }
}

/// `min.relu` and `max.relu`: the result is at least zero.
fn relu_function(root: &str, ty: Type) -> Option<Lanes2> {
    Some(match (root, ty.class, ty.bits, ty.packed) {
        ("min", Class::Signed, 32, 1) => lanes2!(|a, b| u64::from((a as i32).min(b as i32).max(0) as u32)),
        ("max", Class::Signed, 32, 1) => lanes2!(|a, b| u64::from((a as i32).max(b as i32).max(0) as u32)),
        ("min", Class::Signed, 16, 2) => pairs!(i16, |a, b| a.min(b).max(0)),
        ("max", Class::Signed, 16, 2) => pairs!(i16, |a, b| a.max(b).max(0)),
        _ => return None,
    })
}

/// The result of a division by zero is unspecified; it is treated as undefined, see [`Op::Divide`].
fn function(root: &str, ty: Type) -> Option<Lanes2> {
    let w = ty.bits;
    match (root, ty.is_signed(), ty.packed) {
        ("min", true, 2) => Some(pairs!(i16, |a, b| a.min(b))),
        ("max", true, 2) => Some(pairs!(i16, |a, b| a.max(b))),
        ("min", false, 2) => Some(pairs!(u16, |a, b| a.min(b))),
        ("max", false, 2) => Some(pairs!(u16, |a, b| a.max(b))),
        ("min", true, 1) => by_width!(w, |a, b| (a as S).min(b as S)),
        ("max", true, 1) => by_width!(w, |a, b| (a as S).max(b as S)),
        ("min", false, 1) => by_width!(w, |a, b| (a as U).min(b as U)),
        ("max", false, 1) => by_width!(w, |a, b| (a as U).max(b as U)),
        ("div", true, 1) => by_width!(w, |a, b| if b as S == 0 { -1 } else { (a as S).wrapping_div(b as S) }),
        ("div", false, 1) => by_width!(w, |a, b| (a as U).checked_div(b as U).unwrap_or(U::MAX)),
        ("rem", true, 1) => by_width!(w, |a, b| if b as S == 0 { -1 } else { (a as S).wrapping_rem(b as S) }),
        ("rem", false, 1) => by_width!(w, |a, b| (a as U).checked_rem(b as U).unwrap_or(U::MAX)),
        _ => None,
    }
}

/// `d = c + |a - b|`.
fn sad(cx: &mut Cx<'_>, ty: Type) -> Result<Op> {
    let f = match (ty.bits, ty.is_signed()) {
        (16, true) => lanes3!(|a, b, c| u64::from((c as u16).wrapping_add((a as i16).abs_diff(b as i16)))),
        (16, false) => lanes3!(|a, b, c| u64::from((c as u16).wrapping_add((a as u16).abs_diff(b as u16)))),
        (32, true) => lanes3!(|a, b, c| u64::from((c as u32).wrapping_add((a as i32).abs_diff(b as i32)))),
        (32, false) => lanes3!(|a, b, c| u64::from((c as u32).wrapping_add((a as u32).abs_diff(b as u32)))),
        (_, true) => lanes3!(|a, b, c| c.wrapping_add((a as i64).abs_diff(b as i64))),
        (_, false) => lanes3!(|a, b, c| c.wrapping_add(a.abs_diff(b))),
    };
    Ok(Op::Lanes3 { f, d: cx.dst(ty)?, a: cx.src(ty)?, b: cx.src(ty)?, c: cx.src(ty)? })
}

pub(crate) fn unary(cx: &mut Cx<'_>) -> Result<Op> {
    let ty = cx.ty()?;
    let f: Lanes1 = match (cx.inst.root.as_str(), ty.class, ty.width()) {
        ("abs", Class::Signed, 16) => lanes1!(|a| u64::from((a as i16).unsigned_abs())),
        ("abs", Class::Signed, 32) => lanes1!(|a| u64::from((a as i32).unsigned_abs())),
        ("abs", Class::Signed, 64) => lanes1!(|a| (a as i64).unsigned_abs()),
        ("neg", Class::Signed, 16) => lanes1!(|a| u64::from((a as u16).wrapping_neg())),
        ("neg", Class::Signed, 32) => lanes1!(|a| u64::from((a as u32).wrapping_neg())),
        ("neg", Class::Signed, 64) => lanes1!(|a| a.wrapping_neg()),
        _ => return Err(cx.error("a signed type is expected")),
    };
    Ok(Op::Lanes1 { f, d: cx.dst(ty)?, a: cx.src(ty)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::LANES;

    /// Rows are computed whole: lanes that do not execute may hold anything above the bits of the type.
    #[test]
    fn divisors_whose_low_bits_are_zero() {
        for (bits, class) in [16, 32].into_iter().flat_map(|bits| [(bits, Class::Signed), (bits, Class::Unsigned)]) {
            for root in ["div", "rem"] {
                let divide = function(root, Type { class, bits, packed: 1 }).unwrap();
                let mut out = [0; LANES];
                divide(&[7; LANES], &[1 << bits; LANES], &mut out);
                assert_eq!(out, [u64::MAX >> (64 - bits); LANES], "{root} of {bits} bits");
            }
        }
    }
}
