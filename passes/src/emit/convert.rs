//! Conversions of elements, a vector at a time.
//!
//! ```text
//!   f32 to f16        arith.truncf                                        cvt.rn.f16x2.f32, two at a time
//!   f32 to f8E4M3FN   nvvm.convert.f32x2.to.f8x2 of each pair             cvt.rn.satfinite.e4m3x2.f32
//!   f32 to i8         llvm.fptosi.sat                                     max, min, cvt.rzi
//! ```

use melior::ir::{Type, TypeLike, Value, ValueLike};
use tile_isa::{Conversion, NumberFormat};
use tile_ops::arith::{self, CmpFPredicate, CmpIPredicate};
use tile_ops::constant::{self, ConstantNumber as Constant};
use tile_ops::intrinsic::{self, Intrinsic};
use tile_ops::nvvm::{self, FPRoundingMode, SaturationMode};
use tile_ops::vector;
use tile_plan::convert::{ConversionStep, steps};
use tile_plan::target::Target;

use super::Kit;
use super::function::Storage;
use super::index::Emit;

/// Mantissa bits of an `f32` that `tf32` drops.
const TF32_DROPS: i64 = 13;

/// A conversion: its steps, and the element types at both ends.
pub struct Convert<'c> {
    /// In order.
    steps: Vec<ConversionStep>,
    /// The type of the elements that are read.
    from: Type<'c>,
    /// The type of the elements that are written.
    to: Type<'c>,
}

impl<'c> Convert<'c> {
    /// A conversion on a chip, between the elements of two buffers.
    pub fn of(conversion: Conversion, target: &Target, from: Storage<'c, '_>, to: Storage<'c, '_>) -> Self {
        Convert::between(conversion, target, from.element, to.element)
    }

    /// A conversion on a chip, between elements of two types.
    pub fn between(conversion: Conversion, target: &Target, from: Type<'c>, to: Type<'c>) -> Self {
        Convert { steps: steps(conversion, target), from, to }
    }
}

/// Elements as [`Emit::load`] returns them: a vector, or one element.
#[derive(Clone, Copy)]
struct Elements<'c, 'a> {
    value: Value<'c, 'a>,
    count: i64,
}

/// `count` elements of a type.
pub fn several<'c>(count: i64, element: Type<'c>) -> Type<'c> {
    if count == 1 { element } else { Type::vector(&[count as u64], element) }
}

impl<'c: 'a, 'a> Kit<'c, 'a> {
    /// `count` elements, converted to the destination's type.
    pub fn converted(self, value: Value<'c, 'a>, count: i64, convert: &Convert<'c>) -> Value<'c, 'a> {
        convert.steps.iter().fold(value, |value, step| self.step(Elements { value, count }, *step, convert))
    }

    /// Two `f32`, rounded to 16 bits by one instruction. Where an `arith.truncf` becomes a value of two branches, LLVM rounds behind them
    /// instead, and twice as many registers are live.
    pub fn rounded(self, low: Value<'c, 'a>, high: Value<'c, 'a>, to: Type<'c>) -> Value<'c, 'a> {
        let (builder, mode, pair) = (self.builder, FPRoundingMode::Rn, several(2, to));
        if to.is_f16() {
            return nvvm::convert_f32x2_to_f16x2(builder, high, low, pair).rnd(mode).value();
        }
        nvvm::convert_f32x2_to_bf16x2(builder, high, low, pair).rnd(mode).value()
    }

    fn step(self, from: Elements<'c, 'a>, step: ConversionStep, convert: &Convert<'c>) -> Value<'c, 'a> {
        let (builder, Elements { value, count }) = (self.builder, from);
        let integers = |bits| several(count, builder.context.integer(bits));
        let floats = |number| several(count, self.float(number));
        match step {
            ConversionStep::Widen(to) => arith::extf(builder, value, floats(to)).value(),
            ConversionStep::RoundToOdd => self.to_odd(from),
            ConversionStep::Round(to) => arith::truncf(builder, value, floats(to)).value(),
            ConversionStep::FromInteger { signed: true, to } => arith::sitofp(builder, value, floats(to)).value(),
            ConversionStep::FromInteger { signed: false, to } => arith::uitofp(builder, value, floats(to)).value(),
            ConversionStep::ToInteger { signed, bits } => intrinsic::saturated(builder, value, signed, integers(bits)),
            ConversionStep::Resize { signed, bits } => self.resized(from, signed, bits, convert.from),
            ConversionStep::Jam { signed, from, drop } => self.jammed(value, signed, (from, drop)),
            ConversionStep::ToFp8(_) => self.to_fp8(from, convert.to),
            ConversionStep::FromFp8(_) => self.widened_fp8(from, convert.from),
            ConversionStep::Tf32 { instruction } => self.to_tf32(from, instruction),
        }
    }

    fn float(self, number: NumberFormat) -> Type<'c> {
        let context = self.builder.context;
        match number {
            NumberFormat::F64 => context.f64(),
            NumberFormat::F16 => context.f16(),
            NumberFormat::Bf16 => context.bf16(),
            _ => context.f32(),
        }
    }

    /// A constant of the type of `like` with `number` in each element.
    fn all(self, like: Value<'c, 'a>, number: i64) -> Value<'c, 'a> {
        constant::typed(self.builder, constant::number(like.r#type(), Constant::Integer(number)))
    }

    fn resized(self, from: Elements<'c, 'a>, signed: bool, bits: u32, r#type: Type<'c>) -> Value<'c, 'a> {
        let builder = self.builder;
        let to = several(from.count, builder.context.integer(bits));
        let had = tile_dialect::memref::bit_width(r#type).unwrap_or(bits);
        match (bits < had, signed) {
            (true, _) => arith::trunci(builder, from.value, to).value(),
            (false, true) => arith::extsi(builder, from.value, to).value(),
            (false, false) => arith::extui(builder, from.value, to).value(),
        }
    }

    /// Clears the last `drop` bits of large integers, and sets the lowest kept bit where one of them was set (a sticky
    /// bit).
    fn jammed(self, value: Value<'c, 'a>, signed: bool, (from, drop): (u32, u32)) -> Value<'c, 'a> {
        let builder = self.builder;
        let low = arith::andi(builder, value, self.all(value, (1 << drop) - 1)).value();
        let kept = arith::subi(builder, value, low).value();
        let any = arith::cmpi(builder, low, self.all(value, 0), CmpIPredicate::Ne).value();
        let trace = arith::select(builder, any, self.all(value, 1 << drop), self.all(value, 0)).value();
        let jammed = arith::ori(builder, kept, trace).value();
        // The range of small integers, which stay as they are, moved to start at 0.
        let (moved, end) = if signed { (1i64 << from, 2i64 << from) } else { (0, 1i64 << from) };
        let above = arith::addi(builder, value, self.all(value, moved)).value();
        let small = arith::cmpi(builder, above, self.all(value, end), CmpIPredicate::Ult).value();
        arith::select(builder, small, value, jammed).value()
    }

    /// `f64` to `f32`, rounded to odd: towards zero, with the last bit set where the result is inexact.
    fn to_odd(self, from: Elements<'c, 'a>) -> Value<'c, 'a> {
        let (builder, count) = (self.builder, from.count);
        let [word, single] = [builder.context.integer(32), builder.context.f32()];
        let towards_zero = |value| intrinsic::call(builder, Intrinsic::TowardsZero, &[value], single);
        let near: Vec<_> = self.elements(from).into_iter().map(towards_zero).collect();
        let near =
            if count == 1 { near[0] } else { vector::from_elements(builder, &near, several(count, single)).value() };
        let back = arith::extf(builder, near, from.value.r#type()).value();
        let other = arith::cmpf(builder, back, from.value, CmpFPredicate::One).value();
        let bits = arith::bitcast(builder, near, several(count, word)).value();
        let odd = arith::ori(builder, bits, self.all(bits, 1)).value();
        let bits = arith::select(builder, other, odd, bits).value();
        arith::bitcast(builder, bits, near.r#type()).value()
    }

    /// Each element as a separate value.
    fn elements(self, from: Elements<'c, 'a>) -> Vec<Value<'c, 'a>> {
        if from.count == 1 {
            return vec![from.value];
        }
        (0..from.count).map(|at| vector::extract(self.builder, from.value, &[], &[at]).value()).collect()
    }

    /// `f32` rounded to nearest even with 10 bits of mantissa; the other mantissa bits are 0.
    fn to_tf32(self, from: Elements<'c, 'a>, instruction: bool) -> Value<'c, 'a> {
        let builder = self.builder;
        let word = several(from.count, builder.context.integer(32));
        let kept = |bits| arith::andi(builder, bits, self.all(bits, -1 << TF32_DROPS)).value();
        let rounded = if instruction {
            let rounded = |value| nvvm::convert_float_to_tf32(builder, value).rnd(FPRoundingMode::Rn).value();
            let words: Vec<_> = self.elements(from).into_iter().map(rounded).collect();
            kept(if from.count == 1 { words[0] } else { vector::from_elements(builder, &words, word).value() })
        } else {
            let bits = arith::bitcast(builder, from.value, word).value();
            let last = arith::shrui(builder, bits, self.all(bits, TF32_DROPS)).value();
            let last = arith::andi(builder, last, self.all(bits, 1)).value();
            let sum = arith::addi(builder, bits, self.all(bits, (1 << (TF32_DROPS - 1)) - 1)).value();
            let sum = kept(arith::addi(builder, sum, last).value());
            let is_nan = arith::cmpf(builder, from.value, from.value, CmpFPredicate::Uno).value();
            let nan = self.all(bits, i64::from(i32::MAX) & (-1 << TF32_DROPS));
            arith::select(builder, is_nan, nan, sum).value()
        };
        arith::bitcast(builder, rounded, from.value.r#type()).value()
    }

    /// `f32` or `f16` to floats of 8 bits, in pairs; an odd last element is paired with a zero.
    fn to_fp8(self, from: Elements<'c, 'a>, to: Type<'c>) -> Value<'c, 'a> {
        let builder = self.builder;
        let (half, pair) = (builder.context.integer(16), |bits| Type::vector(&[2], bits));
        let elements = self.elements(from);
        let element = elements[0].r#type();
        let zero = || constant::typed(builder, constant::number(element, Constant::Float(0.0)));
        let packed = |two: &[Value<'c, 'a>]| {
            let (low, high) = (two[0], two.get(1).copied().unwrap_or_else(zero));
            if element == builder.context.f16() {
                let both = vector::from_elements(builder, &[low, high], pair(element)).value();
                return nvvm::convert_f16x2_to_f8x2(builder, both, to, half).value();
            }
            let both = nvvm::convert_f32x2_to_f8x2(builder, high, low, to, half);
            both.rnd(FPRoundingMode::Rn).sat(SaturationMode::Satfinite).value()
        };
        let pairs: Vec<_> = elements.chunks(2).map(packed).collect();
        let halves = Type::vector(&[pairs.len() as u64], half);
        let halves = vector::from_elements(builder, &pairs, halves).value();
        let all = Type::vector(&[2 * pairs.len() as u64], to);
        let all = vector::bitcast(builder, halves, all).value();
        if from.count != 1 { all } else { vector::extract(builder, all, &[], &[0]).value() }
    }

    /// Floats of 8 bits to `f16`, in pairs.
    fn widened_fp8(self, from: Elements<'c, 'a>, r#type: Type<'c>) -> Value<'c, 'a> {
        let builder = self.builder;
        let (byte, half) = (builder.context.integer(8), builder.context.f16());
        let bytes = arith::bitcast(builder, from.value, several(from.count, byte)).value();
        let bytes = self.elements(Elements { value: bytes, ..from });
        let pair = |element| Type::vector(&[2], element);
        let mut halves = Vec::with_capacity(bytes.len());
        for two in bytes.chunks(2) {
            let both = [two[0], two.get(1).copied().unwrap_or(two[0])];
            let both = vector::from_elements(builder, &both, pair(byte)).value();
            let value = nvvm::convert_f8x2_to_f16x2(builder, both, r#type, pair(half)).value();
            halves.extend(self.elements(Elements { value, count: 2 }).into_iter().take(two.len()));
        }
        match halves[..] {
            [one] => one,
            _ => vector::from_elements(builder, &halves, several(from.count, half)).value(),
        }
    }
}

impl<'c, 'a> Emit<'c, 'a, '_> {
    /// A vector of `count` copies of a value; the value itself where `count` is 1.
    pub fn spread(&self, value: Value<'c, 'a>, count: i64) -> Value<'c, 'a> {
        use melior::ir::ValueLike;
        if count == 1 {
            return value;
        }
        vector::broadcast(self.kit.builder, value, several(count, value.r#type())).value()
    }

    /// The results of several loads, `count` elements each, joined into one value.
    pub fn joined(&self, parts: &[Value<'c, 'a>], count: i64, element: Type<'c>) -> Value<'c, 'a> {
        if let [one] = *parts {
            return one;
        }
        let all: Vec<_> = parts.iter().flat_map(|&value| self.kit.elements(Elements { value, count })).collect();
        vector::from_elements(self.kit.builder, &all, several(all.len() as i64, element)).value()
    }

    /// Part `number` of a value of `of` elements, where each part has `count` elements.
    pub fn part(&self, value: Value<'c, 'a>, (number, count, of): (i64, i64, i64)) -> Value<'c, 'a> {
        if count == of {
            return value;
        }
        let first = number * count;
        if count == 1 {
            return vector::extract(self.kit.builder, value, &[], &[first]).value();
        }
        let places: Vec<i64> = (first..first + count).collect();
        vector::shuffle(self.kit.builder, value, value, &places).value()
    }
}
