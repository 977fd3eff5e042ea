//! Matrices in the registers of a warp or a warpgroup: `ldmatrix` and `stmatrix` of 8×8 matrices of 16-bit elements
//! (PTX ISA 9.7.14.5.15, 9.7.14.5.16), and `wgmma` (PTX ISA 9.7.15.5 to 9.7.15.7).

use super::context::Cx;
use super::element_types::element_types;
use crate::code::{Element, Left, Matrix, Multiply, Op, Product, Src, Total, WgmmaOp};
use crate::float::F64;
use crate::parse::ast::Operand;
use crate::parse::{Class, Result, Space, Type};

const B32: Type = Type { class: Class::Bits, bits: 32, packed: 1 };

/// `ldmatrix` and `stmatrix`.
pub(crate) fn fragments(cx: &mut Cx<'_>) -> Result<Op> {
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

/// `wgmma`.
pub(crate) fn wgmma(cx: &mut Cx<'_>) -> Result<Op> {
    let name = cx.mods.lead().ok_or_else(|| cx.unknown_modifier())?;
    if !(cx.mods.take("sync") && cx.mods.take("aligned")) {
        return Err(cx.unknown_modifier());
    }
    let op = match name {
        "fence" => WgmmaOp::Fence,
        "commit_group" => WgmmaOp::Commit,
        "wait_group" => WgmmaOp::Wait(cx.constant()?),
        "mma_async" => WgmmaOp::Multiply(multiply(cx)?),
        other => return Err(cx.error(format!("unknown operation `.{other}`"))),
    };
    Ok(Op::Wgmma(Box::new(op)))
}

/// `.m64nNkK{.satfinite}.dtype.atype.btype`.
fn product(cx: &mut Cx<'_>) -> Result<Product> {
    let shape = cx.mods.take_map(|name| name.starts_with('m').then_some(name)).ok_or_else(|| cx.unknown_modifier())?;
    let sizes = shape.strip_prefix("m64n").and_then(|rest| rest.split_once('k'));
    let sizes = sizes.and_then(|(n, k)| Some((n.parse::<u32>().ok()?, k.parse::<u32>().ok()?)));
    let (columns, depth) = sizes.ok_or_else(|| cx.error(format!("`.{shape}` is not a shape of `wgmma`")))?;
    if columns == 0 || columns > 256 || !columns.is_multiple_of(8) {
        return Err(cx.error(format!("got n{columns}, expected a multiple of 8 up to 256")));
    }
    let saturates = cx.mods.take("satfinite");
    let (total, inputs) = element_types(cx, saturates)?;
    if matches!(inputs[0], Element::Float(F64) | Element::Integer { bits: 4, .. }) {
        return Err(cx.error("elements of 4 or 64 bits cannot be multiplied by a warpgroup"));
    }
    let integer = matches!(total, Total::S32 { .. });
    if integer && columns > 24 && !columns.is_multiple_of(16) {
        return Err(cx.error(format!("got n{columns}, expected 8, 24, or a multiple of 16 for integers")));
    }
    let product = Product { columns, inputs, total };
    if depth != product.depth() {
        return Err(cx.error(format!("got k{depth}, expected k{} for these types", product.depth())));
    }
    Ok(product)
}

fn multiply(cx: &mut Cx<'_>) -> Result<Multiply> {
    let product = product(cx)?;
    let elements = cx.vector()?;
    check_count(cx, elements.len(), product.registers() as usize)?;
    let d = elements.iter().map(|e| cx.dst_of(e, 32, false)).collect::<Result<Box<[_]>>>()?;
    // The registers of D are read, too: whether their values are used is known only at execution.
    cx.uses.extend(&d);
    let a = match cx.peek() {
        Some(Operand::Vector(elements)) => {
            cx.operand()?;
            check_count(cx, elements.len(), 4)?;
            Left::Registers(elements.iter().map(|e| cx.src_of(e, B32, false)).collect::<Result<_>>()?)
        }
        _ => Left::Shared(cx.src(Type::B64)?),
    };
    let b: Src = cx.src(Type::B64)?;
    let adds = cx.pred_src()?;
    let integer = matches!(product.total, Total::S32 { .. });
    let negated = if integer { [false; 2] } else { [sign(cx)?, sign(cx)?] };
    let mut transposed = [false; 2];
    if product.inputs[0].bits() == 16 {
        let first = usize::from(matches!(a, Left::Registers(_)));
        for transposed in &mut transposed[first..] {
            *transposed = bit(cx)?;
        }
    }
    Ok(Multiply { product, d, a, b, adds, negated, transposed })
}

fn check_count(cx: &Cx<'_>, got: usize, expected: usize) -> Result<()> {
    if got == expected { Ok(()) } else { Err(cx.error(format!("got {got} registers, expected {expected}"))) }
}

/// The scale of an input: 1, or -1 to negate it.
fn sign(cx: &mut Cx<'_>) -> Result<bool> {
    match cx.operand()? {
        Operand::Integer(1) => Ok(false),
        Operand::Integer(-1) => Ok(true),
        _ => Err(cx.error("1 or -1 is expected as scale of an input")),
    }
}

fn bit(cx: &mut Cx<'_>) -> Result<bool> {
    match cx.constant()? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(cx.error(format!("got {other}, expected 0 or 1: whether an input is transposed"))),
    }
}
