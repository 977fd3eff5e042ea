//! The types of matrix products in opcodes.

use super::context::Cx;
use crate::code::{Element, Total};
use crate::float::{BF16, E4M3, E5M2, F16, F64, TF32};
use crate::parse::{Result, Type};

/// `.dtype.atype.btype`, after `.satfinite` if `saturates`.
pub(super) fn element_types(cx: &mut Cx<'_>, saturates: bool) -> Result<(Total, [Element; 2])> {
    let (sum, total) = sum_type(cx, saturates)?;
    let ((left, a), (right, b)) = (element(cx)?, element(cx)?);
    let inputs = [a, b];
    if !alike(inputs) {
        return Err(cx.error(format!("A of {left} cannot be multiplied by B of {right}")));
    }
    let fits = match inputs[0] {
        Element::Float(F16 | E4M3 | E5M2) => matches!(total, Total::F16 | Total::F32),
        Element::Float(F64) => total == Total::F64,
        Element::Float(_) => total == Total::F32,
        // Has no product of a warp here.
        Element::E2m1 => false,
        Element::Integer { .. } => matches!(total, Total::S32 { .. }),
    };
    if !fits {
        return Err(cx.error(format!("products of {left} cannot be summed in D of {sum}")));
    }
    if saturates && !matches!(total, Total::S32 { .. }) {
        return Err(cx.error("`.satfinite` is for integers only"));
    }
    Ok((total, inputs))
}

/// The next type, and its name.
fn named<'a, T>(cx: &mut Cx<'a>, meaning: impl Fn(&str) -> Option<T>) -> Result<(&'a str, T)> {
    let Some(name) = cx.mods.take_map(|name| is_type(name).then_some(name)) else {
        return Err(cx.unknown_modifier());
    };
    match meaning(name) {
        Some(meant) => Ok((name, meant)),
        None => Err(cx.error(format!("unknown modifier `.{name}`"))),
    }
}

/// Whether a modifier is a type that the elements of some matrix have.
pub(super) fn is_type(name: &str) -> bool {
    let small = ["tf32", "e4m3", "e5m2", "e3m2", "e2m3", "e2m1", "s4", "u4", "b1"];
    Type::parse(name).is_some() || small.contains(&name)
}

/// The type of C or of D, and its name.
pub(super) fn sum_type<'a>(cx: &mut Cx<'a>, saturates: bool) -> Result<(&'a str, Total)> {
    named(cx, |name| {
        Some(match name {
            "f16" => Total::F16,
            "f32" => Total::F32,
            "f64" => Total::F64,
            "s32" => Total::S32 { saturates },
            _ => return None,
        })
    })
}

/// The type of elements of A or B, and its name.
pub(super) fn element<'a>(cx: &mut Cx<'a>) -> Result<(&'a str, Element)> {
    named(cx, |name| {
        Some(match name {
            "f16" => Element::Float(F16),
            "bf16" => Element::Float(BF16),
            "tf32" => Element::Float(TF32),
            "f64" => Element::Float(F64),
            "e4m3" => Element::Float(E4M3),
            "e5m2" => Element::Float(E5M2),
            "s8" => Element::Integer { bits: 8, signed: true },
            "u8" => Element::Integer { bits: 8, signed: false },
            "s4" => Element::Integer { bits: 4, signed: true },
            "u4" => Element::Integer { bits: 4, signed: false },
            _ => return None,
        })
    })
}

/// Whether elements of the two types can be multiplied: the same type, or two types of 8 or of 4 bits of one kind.
fn alike([a, b]: [Element; 2]) -> bool {
    let float = |element: Element| matches!(element, Element::Float(_));
    a == b || a.bits() == b.bits() && float(a) == float(b) && a.bits() <= 8
}
