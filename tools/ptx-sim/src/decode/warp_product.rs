//! `mma.sync`: products of matrices in the registers of a warp (PTX ISA 9.7.14.5).

use super::context::Cx;
use super::element_types::{element_types, sum_type};
use crate::code::{COLUMNS, Element, Op, Src, WarpMultiply};
use crate::float::{BF16, F16, F64, TF32};
use crate::parse::{Class, Result, Type};

/// A shape: its rows of A, its k, and the compute capability that has it first, times ten.
type Shape = (u32, u32, u32);

/// The shapes in which elements of a type are multiplied.
fn shapes(element: Element) -> &'static [Shape] {
    match element {
        Element::Float(F16) => &[(16, 8, 75), (16, 16, 80)],
        Element::Float(BF16) => &[(16, 8, 80), (16, 16, 80)],
        Element::Float(TF32) => &[(16, 4, 80), (16, 8, 80)],
        Element::Float(F64) => &[(8, 4, 80), (16, 4, 90), (16, 8, 90), (16, 16, 90)],
        Element::Float(_) => &[(16, 16, 89), (16, 32, 89)],
        Element::E2m1 => &[],
        Element::Integer { bits: 8, .. } => &[(8, 16, 75), (16, 16, 80), (16, 32, 80)],
        Element::Integer { .. } => &[(8, 32, 75), (16, 32, 80), (16, 64, 80)],
    }
}

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    for wanted in ["sync", "aligned"] {
        if !cx.mods.take(wanted) {
            return Err(cx.unknown_modifier());
        }
    }
    let name = cx.mods.take_map(|name| name.starts_with('m').then_some(name)).ok_or_else(|| cx.unknown_modifier())?;
    let (rows, depth) = sizes(name).ok_or_else(|| cx.error(format!("`.{name}` is not a shape of products")))?;
    if [0, 1].map(|_| cx.mods.take_one(&["row", "col"])) != [Some(0), Some(1)] {
        return Err(cx.error("only A in rows and B in columns are supported: `.row.col`"));
    }
    let saturates = cx.mods.take("satfinite");
    let (total, inputs) = element_types(cx, saturates)?;
    if sum_type(cx, saturates)?.1 != total {
        return Err(cx.error("C and D of different types are not supported"));
    }
    let known = shapes(inputs[0]);
    let Some(&(.., since)) = known.iter().find(|shape| (shape.0, shape.1) == (rows, depth)) else {
        let names: Vec<String> = known.iter().map(|(rows, depth, _)| format!("m{rows}n{COLUMNS}k{depth}")).collect();
        return Err(cx.error(format!("got {name}, expected {} for these types", names.join(" or "))));
    };
    let element = inputs[0];
    let count = |lines: u32| (lines * depth * element.bits() / (32 * element.register())) as usize;
    let sums = (rows * COLUMNS / 32) as usize / total.packed();
    let d = cx.vector()?;
    check_count(cx, "D", d.len(), sums)?;
    let d = d.iter().map(|e| cx.dst_of(e, total.register(), false)).collect::<Result<_>>()?;
    let a = sources(cx, "A", element.register(), count(rows))?;
    let b = sources(cx, "B", element.register(), count(COLUMNS))?;
    let c = sources(cx, "C", total.register(), sums)?;
    Ok(Op::WarpMultiply(Box::new(WarpMultiply { rows, inputs, total, since, d, a, b, c })))
}

/// The rows and the k of `mMn8kK`.
fn sizes(name: &str) -> Option<(u32, u32)> {
    let (rows, rest) = name.strip_prefix('m')?.split_once('n')?;
    let (columns, depth) = rest.split_once('k')?;
    let sizes = (rows.parse().ok()?, depth.parse().ok()?);
    (columns.parse() == Ok(COLUMNS)).then_some(sizes)
}

fn sources(cx: &mut Cx<'_>, what: &str, bits: u32, count: usize) -> Result<Box<[Src]>> {
    let elements = cx.vector()?;
    check_count(cx, what, elements.len(), count)?;
    let ty = Type { class: Class::Bits, bits, packed: 1 };
    elements.iter().map(|e| cx.src_of(e, ty, false)).collect()
}

fn check_count(cx: &Cx<'_>, what: &str, got: usize, expected: usize) -> Result<()> {
    if got == expected { Ok(()) } else { Err(cx.error(format!("got {got} registers of {what}, expected {expected}"))) }
}
