//! `ldmatrix` and `stmatrix` of 8×8 matrices of 16-bit elements (PTX ISA 9.7.14.5.15, 9.7.14.5.16).

use super::context::Cx;
use crate::code::{Matrix, Op, Src};
use crate::parse::{Class, Result, Space, Type};

const B32: Type = Type { class: Class::Bits, bits: 32, packed: 1 };

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    let load = cx.inst.root == "ldmatrix";
    for wanted in ["sync", "aligned", "m8n8"] {
        if !cx.mods.take(wanted) {
            return Err(cx.unknown_modifier());
        }
    }
    let count = match cx.mods.take_one(&["x1", "x2", "x4"]) {
        Some(i) => 1 << i,
        None => return Err(cx.unknown_modifier()),
    };
    let transposed = cx.mods.take("trans");
    let space = cx.mods.take_map(Space::parse).unwrap_or(Space::Generic);
    if !cx.mods.take("b16") {
        return Err(cx.unknown_modifier());
    }
    let (addr, regs) = if load {
        let regs = registers(cx, count, true)?;
        (cx.addr()?, regs)
    } else {
        let addr = cx.addr()?;
        (addr, registers(cx, count, false)?)
    };
    Ok(Op::Matrix(Box::new(Matrix { load, transposed, space, addr, regs })))
}

fn registers(cx: &mut Cx<'_>, count: usize, destination: bool) -> Result<Box<[Src]>> {
    let elements = cx.vector()?;
    if elements.len() != count {
        return Err(cx.error(format!("got {} registers, expected {count}", elements.len())));
    }
    let read = |e| if destination { cx.dst_of(e, 32, false).map(Src::Reg) } else { cx.src_of(e, B32, false) };
    elements.iter().map(read).collect()
}
