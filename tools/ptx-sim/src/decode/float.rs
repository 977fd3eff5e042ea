//! Floating-point arithmetic (PTX ISA 9.7.3, 9.7.4): decodes modifiers to a [`FloatOp`], or to a function over lanes.
//!
//! The host computes some instructions directly: those of f32 and f64, rounded to nearest, without clamping.

use super::context::Cx;
use crate::code::{FloatKind, FloatOp, Op, Src, lanes1, lanes2, lanes3};
use crate::float::{BF16, F16, F32, F64, Format, Mode};
use crate::parse::{Class, Result, Type};

/// The format of a floating type.
pub(crate) fn format(ty: Type) -> Option<Format> {
    Some(match (ty.class, ty.bits) {
        (Class::Float, 16) => F16,
        (Class::Float, 32) => F32,
        (Class::Float, 64) => F64,
        (Class::Brain, 16) => BF16,
        _ => return None,
    })
}

fn kind(root: &str) -> Option<FloatKind> {
    use FloatKind::*;
    Some(match root {
        "add" => Add,
        "sub" => Sub,
        "mul" => Mul,
        "fma" | "mad" => Fma,
        "div" => Div,
        "sqrt" => Sqrt,
        "rcp" => Rcp,
        "min" => Min,
        "max" => Max,
        "abs" => Abs,
        "neg" => Neg,
        "copysign" => CopySign,
        "rsqrt" => Rsqrt,
        "ex2" => Ex2,
        "lg2" => Lg2,
        "sin" => Sin,
        "cos" => Cos,
        "tanh" => Tanh,
        _ => return None,
    })
}

/// The number of operands that an instruction reads.
fn arity(kind: FloatKind) -> usize {
    use FloatKind::*;
    match kind {
        Fma => 3,
        Add | Sub | Mul | Div | Min | Max | CopySign => 2,
        _ => 1,
    }
}

/// `.rn`, `.rz`, `.rm` or `.rp`.
pub(crate) fn rounding(name: &str) -> Option<Mode> {
    Some(match name {
        "rn" => Mode::Nearest,
        "rz" => Mode::Zero,
        "rm" => Mode::Down,
        "rp" => Mode::Up,
        _ => return None,
    })
}

/// Rounding and precision: `approx` and `full` are computed as `rn`, which is within their error bounds.
fn precision(cx: &mut Cx<'_>, kind: FloatKind) -> Result<Mode> {
    use FloatKind::*;
    match kind {
        Add | Sub | Mul | Fma => Ok(cx.mods.take_map(rounding).unwrap_or(Mode::Nearest)),
        Div if cx.mods.take("full") => Ok(Mode::Nearest),
        Div | Sqrt | Rcp => {
            if cx.mods.take("approx") {
                return Ok(Mode::Nearest);
            }
            cx.mods.take_map(rounding).ok_or_else(|| cx.error("a rounding mode or `.approx` is expected"))
        }
        Rsqrt | Ex2 | Lg2 | Sin | Cos | Tanh => {
            if cx.mods.take("approx") {
                return Ok(Mode::Nearest);
            }
            Err(cx.error("`.approx` is expected"))
        }
        Min | Max | Abs | Neg | CopySign => Ok(Mode::Nearest),
    }
}

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    let kind = kind(&cx.inst.root).ok_or_else(|| cx.error("not a floating-point instruction"))?;
    let approximate = cx.inst.modifiers.iter().any(|m| m == "approx");
    let mode = precision(cx, kind)?;
    let ftz = cx.mods.take("ftz");
    let minmax = matches!(kind, FloatKind::Min | FloatKind::Max);
    let (sat, relu) = if minmax { (false, false) } else { (cx.mods.take("sat"), cx.mods.take("relu")) };
    let nan = minmax && cx.mods.take("NaN");
    let xorsign = minmax && cx.mods.take("xorsign");
    let magnitude = minmax && cx.mods.take("abs");
    if xorsign && !magnitude {
        return Err(cx.unknown_modifier());
    }
    let ty = cx.ty()?;
    let three = minmax && cx.remaining() > 3;
    let single = (ty.class, ty.bits, ty.packed) == (Class::Float, 32, 1);
    if three && (xorsign || !single) || magnitude && !three && !xorsign {
        return Err(cx.error("three inputs need f32 without `.xorsign`; `.abs` without `.xorsign` needs three inputs"));
    }
    let format = format(ty).ok_or_else(|| cx.error("a floating type is expected"))?;
    check(cx, kind, format, approximate, ftz)?;
    let d = cx.dst(ty)?;
    let mut sources = [Src::Imm(0); 3];
    for slot in sources.iter_mut().take(arity(kind) + usize::from(three)) {
        *slot = cx.src(ty)?;
    }
    let [a, b, c] = sources;
    let packed = ty.packed;
    let op = FloatOp { kind, format, packed, mode, ftz, sat, relu, nan, xorsign, magnitude, three, d, a, b, c };
    Ok(fast(&op).unwrap_or_else(|| Op::Float(Box::new(op))))
}

/// Rejects combinations that the ISA does not have.
fn check(cx: &Cx<'_>, kind: FloatKind, format: Format, approximate: bool, ftz: bool) -> Result<()> {
    let double = format == F64;
    let half = format == F16 || format == BF16;
    let reciprocal = matches!(kind, FloatKind::Rcp | FloatKind::Rsqrt) && approximate;
    if double && ftz && !reciprocal {
        return Err(cx.error("`.ftz` does not exist for f64"));
    }
    if double && approximate && !matches!(kind, FloatKind::Rcp | FloatKind::Rsqrt) {
        return Err(cx.error("`.approx` does not exist for f64"));
    }
    if half && matches!(kind, FloatKind::Div | FloatKind::Sqrt | FloatKind::Rcp | FloatKind::Rsqrt) {
        return Err(cx.error("this operation does not exist for 16-bit types"));
    }
    Ok(())
}

fn f32(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// A result's bits; every NaN becomes the one that the hardware returns.
fn single(value: f32) -> u64 {
    let bits = u64::from(value.to_bits());
    if F32.is_nan(bits) { F32.nan() } else { bits }
}

fn f64(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// A result's bits for f64, where the first NaN among the inputs is propagated.
fn double(value: f64, inputs: &[u64]) -> u64 {
    let bits = value.to_bits();
    if F64.is_nan(bits) { F64.nan_of(inputs) } else { bits }
}

/// The operation as a function over lanes, if there is one.
fn fast(op: &FloatOp) -> Option<Op> {
    use FloatKind::*;
    let plain = op.mode == Mode::Nearest && !op.ftz && !op.sat && !op.relu && op.packed == 1;
    let &FloatOp { d, a, b, c, .. } = op;
    if !plain || (op.format != F32 && op.format != F64) {
        return None;
    }
    let two = |f| Some(Op::Lanes2 { f, d, a, b });
    let one = |f| Some(Op::Lanes1 { f, d, a });
    match (op.kind, op.format == F32) {
        (Add, true) => two(lanes2!(|a, b| single(f32(a) + f32(b)))),
        (Sub, true) => two(lanes2!(|a, b| single(f32(a) - f32(b)))),
        (Mul, true) => two(lanes2!(|a, b| single(f32(a) * f32(b)))),
        (Div, true) => two(lanes2!(|a, b| single(f32(a) / f32(b)))),
        (Fma, true) => Some(Op::Lanes3 { f: lanes3!(|a, b, c| single(f32(a).mul_add(f32(b), f32(c)))), d, a, b, c }),
        (Sqrt, true) => one(lanes1!(|a| single(f32(a).sqrt()))),
        (Rcp, true) => one(lanes1!(|a| single(1.0 / f32(a)))),
        (Neg, true) => one(lanes1!(|a| single(-f32(a)))),
        (Abs, true) => one(lanes1!(|a| single(f32(a).abs()))),
        (Add, false) => two(lanes2!(|a, b| double(f64(a) + f64(b), &[b, a]))),
        (Sub, false) => two(lanes2!(|a, b| double(f64(a) - f64(b), &[b, a]))),
        (Mul, false) => two(lanes2!(|a, b| double(f64(a) * f64(b), &[b, a]))),
        (Div, false) => two(lanes2!(|a, b| double(f64(a) / f64(b), &[a, b]))),
        (Fma, false) => {
            Some(Op::Lanes3 { f: lanes3!(|a, b, c| double(f64(a).mul_add(f64(b), f64(c)), &[b, c, a])), d, a, b, c })
        }
        (Sqrt, false) => one(lanes1!(|a| double(f64(a).sqrt(), &[a]))),
        (Rcp, false) => one(lanes1!(|a| double(1.0 / f64(a), &[a]))),
        (Neg, false) => one(lanes1!(|a| if F64.is_nan(a) { F64.nan_of(&[a]) } else { a ^ 1 << 63 })),
        (Abs, false) => one(lanes1!(|a| if F64.is_nan(a) { F64.nan_of(&[a]) } else { a & !(1 << 63) })),
        _ => None,
    }
}
