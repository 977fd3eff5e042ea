//! `wmma`: loads, stores and products of matrices by a warp (PTX ISA 9.7.14.4).

use super::context::Cx;
use super::element_types::{element, element_types, is_type, sum_type};
use crate::code::{Element, Op, Src, Total, WarpMatrix, WmmaAccess, WmmaMultiply};
use crate::float::{BF16, F16, F64, TF32};
use crate::parse::{Class, Result, Space, Type};

/// m, n and k, with their name.
struct Shape {
    name: &'static str,
    m: usize,
    n: usize,
    k: usize,
}

const SHAPES: [Shape; 5] = [
    Shape { name: "m16n16k16", m: 16, n: 16, k: 16 },
    Shape { name: "m8n32k16", m: 8, n: 32, k: 16 },
    Shape { name: "m32n8k16", m: 32, n: 8, k: 16 },
    Shape { name: "m16n16k8", m: 16, n: 16, k: 8 },
    Shape { name: "m8n8k4", m: 8, n: 8, k: 4 },
];

impl Shape {
    /// Whether elements of A and B of a type are multiplied in this shape.
    fn multiplies(&self, element: Element) -> bool {
        match element {
            Element::Float(F16 | BF16) | Element::Integer { bits: 8, .. } => self.k == 16,
            Element::Float(TF32) => self.k == 8,
            Element::Float(F64) => self.k == 4,
            _ => false,
        }
    }

    /// Whether C and D of this shape have a type.
    fn sums(&self, total: Total) -> bool {
        match total {
            Total::F32 => self.k >= 8,
            Total::F64 => self.k == 4,
            Total::F16 | Total::S32 { .. } => self.k == 16,
        }
    }

    /// A, or B of so many lines.
    fn input(&self, element: Element, lines: usize) -> WarpMatrix {
        let matrix = WarpMatrix { lines, length: self.k, bits: element.bits(), registers: 0 };
        let registers = if element == Element::Float(F16) { 8 } else { matrix.distinct() };
        WarpMatrix { registers, ..matrix }
    }

    /// C or D.
    fn sum(&self, total: Total) -> WarpMatrix {
        let matrix = WarpMatrix { lines: self.m, length: self.n, bits: total.bits(), registers: 0 };
        WarpMatrix { registers: matrix.distinct(), ..matrix }
    }
}

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    let operation = cx.mods.lead_one(&["load", "store", "mma"]);
    let Some(operation) = operation else { return Err(cx.unknown_modifier()) };
    if operation == 2 {
        return multiply(cx);
    }
    let operand = cx.mods.lead_one(if operation == 0 { &["a", "b", "c"] } else { &["d"] });
    let Some(operand) = operand else { return Err(cx.unknown_modifier()) };
    access(cx, operation == 0, if operation == 0 { operand } else { 2 })
}

/// The shape, after `.sync.aligned`.
fn shape(cx: &mut Cx<'_>) -> Result<&'static Shape> {
    for wanted in ["sync", "aligned"] {
        if !cx.mods.take(wanted) {
            return Err(cx.unknown_modifier());
        }
    }
    let name = cx.mods.take_map(|name| name.starts_with('m').then_some(name)).ok_or_else(|| cx.unknown_modifier())?;
    SHAPES.iter().find(|shape| shape.name == name).ok_or_else(|| {
        let names = SHAPES.map(|shape| shape.name).join(", ");
        cx.error(format!("got {name}, expected {names}: products of 4-bit and 1-bit integers are not simulated"))
    })
}

/// `wmma.load` of A, B or C, `wmma.store` of D.
fn access(cx: &mut Cx<'_>, load: bool, operand: usize) -> Result<Op> {
    let shape = shape(cx)?;
    let Some(column) = cx.mods.take_one(&["row", "col"]) else { return Err(cx.unknown_modifier()) };
    let space = cx.mods.take_map(Space::parse).unwrap_or(Space::Generic);
    let matrix = if operand == 2 {
        let (name, total) = sum_type(cx, false)?;
        check(cx, shape, name, shape.sums(total))?;
        shape.sum(total)
    } else {
        let (name, element) = element(cx)?;
        check(cx, shape, name, shape.multiplies(element))?;
        shape.input(element, if operand == 0 { shape.m } else { shape.n })
    };
    let along = (column == 1) == (operand == 1);
    let (addr, regs) = if load {
        let regs = registers(cx, matrix, true)?;
        (cx.addr()?, regs)
    } else {
        let addr = cx.addr()?;
        (addr, registers(cx, matrix, false)?)
    };
    const U32: Type = Type { class: Class::Unsigned, bits: 32, packed: 1 };
    let dense = if along { matrix.length } else { matrix.lines };
    let stride = if cx.remaining() > 0 { cx.src(U32)? } else { Src::Imm(dense as u64) };
    Ok(Op::WmmaAccess(Box::new(WmmaAccess { load, matrix, along, space, addr, stride, regs })))
}

fn multiply(cx: &mut Cx<'_>) -> Result<Op> {
    let shape = shape(cx)?;
    for _ in ["A", "B"] {
        if cx.mods.take_one(&["row", "col"]).is_none() {
            return Err(cx.unknown_modifier());
        }
    }
    cx.mods.take("rn");
    let saturates = cx.mods.take("satfinite");
    // Products of f16 name the types of D and C alone.
    let (total, inputs) = if cx.inst.modifiers.iter().filter(|name| is_type(name)).count() == 2 {
        (sum_type(cx, saturates)?.1, [Element::Float(F16); 2])
    } else {
        element_types(cx, saturates)?
    };
    if sum_type(cx, saturates)?.1 != total {
        return Err(cx.error("C and D of different types are not supported"));
    }
    check(cx, shape, "these types", shape.multiplies(inputs[0]) && shape.sums(total))?;
    let c = shape.sum(total);
    let matrices = [shape.input(inputs[0], shape.m), shape.input(inputs[1], shape.n), c];
    let elements = cx.vector()?;
    check_count(cx, elements.len(), c.registers)?;
    let d = elements.iter().map(|e| cx.dst_of(e, c.register(), false)).collect::<Result<_>>()?;
    let [a, b, c] = [0, 1, 2].map(|which| registers(cx, matrices[which], false));
    Ok(Op::WmmaMultiply(Box::new(WmmaMultiply { inputs, total, matrices, d, a: a?, b: b?, c: c? })))
}

fn registers(cx: &mut Cx<'_>, matrix: WarpMatrix, destination: bool) -> Result<Box<[Src]>> {
    let elements = cx.vector()?;
    check_count(cx, elements.len(), matrix.registers)?;
    let (bits, ty) = (matrix.register(), Type { class: Class::Bits, bits: matrix.register(), packed: 1 });
    let read = |e| if destination { cx.dst_of(e, bits, false).map(Src::Reg) } else { cx.src_of(e, ty, false) };
    elements.iter().map(read).collect()
}

fn check(cx: &Cx<'_>, shape: &Shape, types: &str, fits: bool) -> Result<()> {
    if fits { Ok(()) } else { Err(cx.error(format!("there is no {} of {types}", shape.name))) }
}

fn check_count(cx: &Cx<'_>, got: usize, expected: usize) -> Result<()> {
    if got == expected { Ok(()) } else { Err(cx.error(format!("got {got} registers, expected {expected}"))) }
}
