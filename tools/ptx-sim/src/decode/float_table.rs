//! The floating-point instructions that the host does itself: f32 and f64, to nearest, without clamping.

use crate::code::{FloatKind, FloatOp, Op, lanes1, lanes2, lanes3};
use crate::float::{F32, F64, Mode};

fn f32(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// A result's bits; every NaN becomes the one that the hardware gives.
fn single(value: f32) -> u64 {
    let bits = u64::from(value.to_bits());
    if F32.is_nan(bits) { F32.nan } else { bits }
}

fn f64(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The same of f64, where a NaN among the inputs is passed on: the first one.
fn double(value: f64, inputs: &[u64]) -> u64 {
    let bits = value.to_bits();
    if F64.is_nan(bits) { F64.nan_of(inputs) } else { bits }
}

/// The operation as a function over lanes, where there is one.
pub(crate) fn fast(op: &FloatOp) -> Option<Op> {
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
