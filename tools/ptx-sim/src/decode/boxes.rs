//! `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`, `cp.async.bulk.prefetch.tensor` (PTX ISA 9.7.9.27).

use super::atomic::{of_vector, update};
use super::context::Cx;
use super::loadstore::hint;
use crate::code::{BoxCopy, BoxReduction, BoxRows, BoxSide, Bulk, Corner, Op, Prefetch, Reduction, Src};
use crate::parse::ast::Operand;
use crate::parse::{Class, Result, Space, Type};
use crate::tensor_map::TensorElement;

const U16: Type = Type { class: Class::Unsigned, bits: 16, packed: 1 };
const S32: Type = Type { class: Class::Signed, bits: 32, packed: 1 };

/// From after `.tensor` on.
pub(super) fn copy(cx: &mut Cx<'_>, reduces: bool) -> Result<Op> {
    let dimensions = dimensions(cx)?;
    let spaces = (cx.mods.take_map(Space::parse), cx.mods.take_map(Space::parse));
    let copy = match spaces {
        (Some(space @ (Space::Shared | Space::SharedCluster)), Some(Space::Global)) if !reduces => {
            load(cx, dimensions, space)?
        }
        (Some(Space::Global), Some(Space::Shared)) => store(cx, dimensions, reduces)?,
        _ => return Err(cx.error("no copy of a box between these spaces")),
    };
    Ok(Op::Bulk(Box::new(Bulk::Box(copy))))
}

/// From after `.prefetch.tensor` on.
pub(super) fn prefetch(cx: &mut Cx<'_>) -> Result<Op> {
    let dimensions = dimensions(cx)?;
    if !(cx.mods.take("L2") && cx.mods.take("global")) {
        return Err(cx.unknown_modifier());
    }
    let rows = rows(cx, Some("tile::gather4"), "im2col")?;
    let hinted = cx.mods.take("L2::cache_hint");
    let mut corner = corner(cx, dimensions, rows)?;
    corner.filter = filter(cx, dimensions, rows)?;
    hint(cx, hinted)?;
    Ok(Op::Prefetch(Box::new(Prefetch::Box(corner))))
}

/// `.1d` to `.5d`.
fn dimensions(cx: &mut Cx<'_>) -> Result<usize> {
    let taken = cx.mods.take_one(&["1d", "2d", "3d", "4d", "5d"]);
    taken.map(|index| index + 1).ok_or_else(|| cx.unknown_modifier())
}

/// `.tile`, which is the default; the form that names four rows, if there is one; or that of pixels of images.
fn rows(cx: &mut Cx<'_>, four: Option<&str>, pixels: &str) -> Result<BoxRows> {
    let mode = cx.mods.take_map(|name| (name.starts_with("tile") || name.starts_with("im2col")).then_some(name));
    match mode {
        None | Some("tile") => Ok(BoxRows::Tile),
        Some(mode) if mode == pixels => Ok(BoxRows::Pixels),
        mode if mode == four => Ok(BoxRows::Four),
        Some(mode) if mode.starts_with("im2col") => {
            Err(cx.error(format!("pixels of images by `.{mode}` are not supported here, expected `.{pixels}`")))
        }
        Some(mode) => Err(cx.error(format!("unknown modifier `.{mode}`"))),
    }
}

fn load(cx: &mut Cx<'_>, dimensions: usize, space: Space) -> Result<BoxCopy> {
    let rows = rows(cx, Some("tile::gather4"), "im2col")?;
    if !cx.mods.take("mbarrier::complete_tx::bytes") {
        return Err(cx.unknown_modifier());
    }
    let multicast = space == Space::SharedCluster && cx.mods.take("multicast::cluster");
    let pair = cx.mods.take_one(&["cta_group::1", "cta_group::2"]) == Some(1);
    let hinted = cx.mods.take("L2::cache_hint");
    let (dst, mut corner, barrier) = (cx.addr()?, corner(cx, dimensions, rows)?, cx.addr()?);
    corner.filter = filter(cx, dimensions, rows)?;
    let multicast = if multicast { Some(cx.src(U16)?) } else { None };
    hint(cx, hinted)?;
    Ok(BoxCopy { corner, side: BoxSide::Load { space, dst, barrier, pair, multicast } })
}

fn store(cx: &mut Cx<'_>, dimensions: usize, reduces: bool) -> Result<BoxCopy> {
    let reduction = if reduces { Some(reduction(cx)?) } else { None };
    let rows = rows(cx, if reduces { None } else { Some("tile::scatter4") }, "im2col_no_offs")?;
    if !cx.mods.take("bulk_group") {
        return Err(cx.unknown_modifier());
    }
    let hinted = cx.mods.take("L2::cache_hint");
    let (corner, src) = (corner(cx, dimensions, rows)?, cx.addr()?);
    hint(cx, hinted)?;
    Ok(BoxCopy { corner, side: BoxSide::Store { src, reduction } })
}

/// `[map, {coordinates}]`.
fn corner(cx: &mut Cx<'_>, dimensions: usize, rows: BoxRows) -> Result<Corner> {
    let Operand::Corner(address, coordinates) = cx.operand()? else {
        return Err(cx.error("`[map, {coordinates}]` is expected"));
    };
    let expected = match rows {
        BoxRows::Pixels if dimensions < 3 => {
            return Err(cx.error(format!("got images of {dimensions} dimensions, expected 3 to 5")));
        }
        BoxRows::Tile | BoxRows::Pixels => dimensions,
        BoxRows::Four if dimensions == 2 => 5,
        BoxRows::Four => return Err(cx.error(format!("got {dimensions} dimensions, expected 2"))),
    };
    if coordinates.len() != expected {
        return Err(cx.error(format!("got {} coordinates, expected {expected}", coordinates.len())));
    }
    let map = cx.address(address)?;
    let coordinates = coordinates.iter().map(|operand| cx.src_of(operand, S32, false)).collect::<Result<_>>()?;
    Ok(Corner { map, coordinates, rows, filter: Box::default() })
}

/// `{offsets}` of a filter, of an instruction that takes pixels.
fn filter(cx: &mut Cx<'_>, dimensions: usize, rows: BoxRows) -> Result<Box<[Src]>> {
    if rows != BoxRows::Pixels {
        return Ok(Box::default());
    }
    let offsets = cx.vector()?;
    if offsets.len() != dimensions - 2 {
        return Err(cx.error(format!("got {} offsets of a filter, expected {}", offsets.len(), dimensions - 2)));
    }
    offsets.iter().map(|operand| cx.src_of(operand, U16, false)).collect()
}

/// The element types that a reduction may have, as they are named elsewhere.
const REDUCED: [(TensorElement, Class, u32); 7] = [
    (TensorElement::U32, Class::Unsigned, 32),
    (TensorElement::I32, Class::Signed, 32),
    (TensorElement::U64, Class::Unsigned, 64),
    (TensorElement::I64, Class::Signed, 64),
    (TensorElement::F32, Class::Float, 32),
    (TensorElement::F16, Class::Float, 16),
    (TensorElement::Bf16, Class::Brain, 16),
];

/// `.add`: the tensor map determines the type.
fn reduction(cx: &mut Cx<'_>) -> Result<BoxReduction> {
    const NAMES: [&str; 8] = ["add", "min", "max", "inc", "dec", "and", "or", "xor"];
    let name = NAMES[cx.mods.take_one(&NAMES).ok_or_else(|| cx.unknown_modifier())?];
    let one = |(element, class, bits)| {
        let ty = Type { class, bits, packed: 1 };
        let logic = matches!(name, "and" | "or" | "xor") && matches!(class, Class::Unsigned | Class::Signed);
        let update = match (name, element) {
            // What would not depend on the sign is there for `U64` alone; an H100 ends a kernel that asks for it.
            ("add" | "and" | "or" | "xor", TensorElement::I64) => None,
            ("min" | "max", TensorElement::F16 | TensorElement::Bf16) => of_vector(name, ty),
            _ => update(name, Type { class: if logic { Class::Bits } else { class }, ..ty }),
        };
        update.map(|update| (element, Reduction { update, bytes: bits / 8 }))
    };
    Ok(REDUCED.into_iter().filter_map(one).collect())
}
