//! `tensormap.replace`, `tensormap.cp_fenceproxy` and the fences of tensor maps (PTX ISA 9.7.9.28, 9.7.9.29, 9.7.13.4).

use super::context::Cx;
use crate::code::{MapOp, Op, Scope, Src};
use crate::parse::{Result, Space, Type};
use crate::tensor_map::{Interleave, MapField, OutOfBounds, Swizzle, TENSOR_MAP_BYTES, TensorElement};

const B32: Type = Type { bits: 32, ..Type::B64 };

/// The numbers that the instruction gives element types, which are not those of the driver's interface.
const ELEMENTS: [TensorElement; 16] = [
    TensorElement::U8,
    TensorElement::U16,
    TensorElement::U32,
    TensorElement::I32,
    TensorElement::U64,
    TensorElement::I64,
    TensorElement::F16,
    TensorElement::F32,
    TensorElement::F32Ftz,
    TensorElement::F64,
    TensorElement::Bf16,
    TensorElement::Tf32,
    TensorElement::Tf32Ftz,
    TensorElement::U4Align8,
    TensorElement::U4Align16,
    TensorElement::U6Align16,
];

/// `tensormap.…`.
pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    let op = match cx.mods.lead_one(&["replace", "cp_fenceproxy"]) {
        Some(0) => replace(cx)?,
        Some(_) => copy(cx)?,
        None => return Err(cx.unknown_modifier()),
    };
    Ok(Op::TensorMap(Box::new(op)))
}

/// `fence.proxy.tensormap::generic.…`, from after `.proxy.tensormap::generic` on.
pub(super) fn fence(cx: &mut Cx<'_>) -> Result<Op> {
    let acquires = cx.mods.take_one(&["release", "acquire"]).ok_or_else(|| cx.unknown_modifier())? == 1;
    let scope = cx.mods.take_map(Scope::parse).ok_or_else(|| cx.unknown_modifier())?;
    let op = if acquires {
        let addr = cx.addr()?;
        whole(cx)?;
        MapOp::Acquire { addr, scope }
    } else {
        MapOp::Release(scope)
    };
    Ok(Op::TensorMap(Box::new(op)))
}

/// `tensormap.replace.tile.field{.space}.b1024.type [map]{, number}, value`.
fn replace(cx: &mut Cx<'_>) -> Result<MapOp> {
    let named = cx.mods.lead_if("tile").then(|| cx.mods.lead()).flatten();
    let name = named.ok_or_else(|| cx.unknown_modifier())?;
    let space = cx.mods.take_map(Space::parse).unwrap_or(Space::Generic);
    if !matches!(space, Space::Generic | Space::Global | Space::Shared) {
        return Err(cx.error("a map in global or shared memory of the block is expected"));
    }
    let ty = if matches!(name, "global_address" | "global_stride") { Type::B64 } else { B32 };
    if !cx.mods.take("b1024") || cx.ty()? != ty {
        return Err(cx.error(format!("`.b1024.b{}` is expected for `.{name}`", ty.bits)));
    }
    let addr = cx.addr()?;
    let field = field(cx, name)?;
    let stated =
        matches!(field, MapField::Element(_) | MapField::Interleave(_) | MapField::Swizzle(_) | MapField::Fill(_));
    let value = if stated { Src::Imm(0) } else { cx.src(ty)? };
    Ok(MapOp::Replace { space, addr, field, value })
}

fn field(cx: &mut Cx<'_>, name: &str) -> Result<MapField> {
    Ok(match name {
        "global_address" => MapField::GlobalAddress,
        "rank" => MapField::Rank,
        "box_dim" => MapField::BoxDim(number(cx, 5)?),
        "global_dim" => MapField::GlobalDim(number(cx, 5)?),
        "global_stride" => MapField::GlobalStride(number(cx, 4)?),
        "element_stride" => MapField::ElementStride(number(cx, 5)?),
        "elemtype" => MapField::Element(ELEMENTS[number(cx, ELEMENTS.len())?]),
        "interleave_layout" => MapField::Interleave(Interleave::ALL[number(cx, Interleave::ALL.len())?]),
        "swizzle_mode" => MapField::Swizzle(Swizzle::ALL[number(cx, Swizzle::ALL.len())?]),
        "fill_mode" => MapField::Fill(OutOfBounds::ALL[number(cx, OutOfBounds::ALL.len())?]),
        _ => return Err(cx.error(format!("field `.{name}` of a tensor map is not supported"))),
    })
}

/// A constant below `end`.
fn number(cx: &mut Cx<'_>, end: usize) -> Result<usize> {
    let got = cx.constant()?;
    let index = usize::try_from(got).ok().filter(|&number| number < end);
    index.ok_or_else(|| cx.error(format!("got {got}, expected 0 to {}", end - 1)))
}

/// `tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned [dst], [src], 128`.
fn copy(cx: &mut Cx<'_>) -> Result<MapOp> {
    let spaces = cx.mods.take("global") && cx.mods.take("shared::cta");
    if !(spaces && cx.mods.take("tensormap::generic") && cx.mods.take("release")) {
        return Err(cx.unknown_modifier());
    }
    let scope = cx.mods.take_map(Scope::parse).ok_or_else(|| cx.unknown_modifier())?;
    if !(cx.mods.take("sync") && cx.mods.take("aligned")) {
        return Err(cx.unknown_modifier());
    }
    let (dst, src) = (cx.addr()?, cx.addr()?);
    whole(cx)?;
    Ok(MapOp::Copy { dst, src, scope })
}

/// The size of a map, which is the only one.
fn whole(cx: &mut Cx<'_>) -> Result<()> {
    match cx.constant()? {
        got if got == TENSOR_MAP_BYTES as u64 => Ok(()),
        got => Err(cx.error(format!("got {got} bytes, expected {TENSOR_MAP_BYTES}"))),
    }
}
