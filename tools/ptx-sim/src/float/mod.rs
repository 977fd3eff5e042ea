//! Binary floating point in any format and rounding mode, by a library that computes exactly and rounds once; and what a
//! GPU does about NaN, about overflow without infinities, and about integers out of range.
//!
//! The host computes `rn` on f32 and f64 directly; this module is for everything else: f16, bf16, directed rounding.

mod arithmetic;
mod convert;
mod format;
mod round;

pub(crate) use arithmetic::{add, divide, extremum, fma, multiply, square_root};
pub(crate) use convert::{from_integer, number, resize, round_to_integral, to_integer};
pub(crate) use format::{BF16, E4M3, E5M2, F16, F32, F64, Format, TF32};
pub(crate) use round::Mode;
