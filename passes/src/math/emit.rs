//! The arithmetic of the functions on SSA values.

use melior::ir::{Type, Value, ValueLike};
use tile_isa::NumberFormat;
use tile_ops::arith::{CmpFPredicate, CmpIPredicate};
use tile_ops::constant::{self, ConstantNumber};
use tile_ops::intrinsic::{self, Elementary, Intrinsic};
use tile_ops::{Builder, Draft, OneResult, Op, arith};
use tile_plan::math::{Approximate, Arithmetic};

use crate::emit::Kit;

/// Writes ops at a builder's insertion point.
pub struct MathEmit<'c, 'a> {
    kit: Kit<'c, 'a>,
    f32: Type<'c>,
    f64: Type<'c>,
    /// Whether approximations take subnormal numbers for zero.
    flushes: bool,
}

/// A function that makes an op on two values.
type Binary<'c, 'a, T> = fn(Builder<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>) -> Draft<'c, 'a, T>;

/// A function that makes an op that converts a value to a type.
type Convert<'c, 'a, T> = fn(Builder<'c, 'a>, Value<'c, 'a>, Type<'c>) -> Draft<'c, 'a, T>;

impl<'c: 'a, 'a> MathEmit<'c, 'a> {
    /// An emitter at the builder's insertion point.
    pub fn new(builder: Builder<'c, 'a>, flushes: bool) -> Self {
        let context = builder.context;
        MathEmit { kit: Kit::new(builder), f32: context.f32(), f64: context.f64(), flushes }
    }

    /// The builder.
    pub fn builder(&self) -> Builder<'c, 'a> {
        self.kit.builder
    }

    /// Converts floats of 16 and 8 bits to f32, in which their functions are computed; returns other values unchanged.
    pub fn raise(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        if is_narrow(value.r#type()) { self.to(arith::extf, value, self.f32) } else { value }
    }

    /// Converts an f32 to a float of 16 or 8 bits, where `to` is one of them.
    pub fn lower(&self, value: Value<'c, 'a>, to: Type<'c>) -> Value<'c, 'a> {
        if is_narrow(to) && value.r#type() == self.f32 { self.to(arith::truncf, value, to) } else { value }
    }

    /// A zero of the type of `integer`.
    pub fn zero_of(&self, integer: Value<'c, 'a>) -> Value<'c, 'a> {
        constant::typed(self.kit.builder, constant::number(integer.r#type(), ConstantNumber::Integer(0)))
    }

    /// An integer as an f64.
    pub fn double_of(&self, integer: Value<'c, 'a>) -> Value<'c, 'a> {
        self.to(arith::sitofp, integer, self.f64)
    }

    /// A function that LLVM has an instruction or an exact expansion for.
    pub fn elementary(&self, function: Elementary, operands: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        intrinsic::elementary(self.kit.builder, function, operands)
    }

    /// An op on two values.
    pub fn two<T: Op<'c, 'a> + OneResult>(
        &self,
        make: Binary<'c, 'a, T>,
        a: Value<'c, 'a>,
        b: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        make(self.kit.builder, a, b).value()
    }

    fn call(&self, name: Intrinsic, a: Value<'c, 'a>) -> Value<'c, 'a> {
        intrinsic::call(self.kit.builder, name, &[a], self.f32)
    }

    fn to<T: Op<'c, 'a> + OneResult>(
        &self,
        make: Convert<'c, 'a, T>,
        value: Value<'c, 'a>,
        to: Type<'c>,
    ) -> Value<'c, 'a> {
        make(self.kit.builder, value, to).value()
    }

    fn compare(&self, predicate: CmpFPredicate, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        arith::cmpf(self.kit.builder, a, b, predicate).value()
    }

    /// The float type and the integer type that are as wide as a value.
    fn as_wide(&self, value: Value<'c, 'a>) -> (Type<'c>, Type<'c>) {
        let double = self.is_double(value);
        (if double { self.f64 } else { self.f32 }, self.kit.int_type(if double { 64 } else { 32 }))
    }
}

/// The numbers of a float type; `None` for other types.
fn format(float: Type<'_>) -> Option<NumberFormat> {
    NumberFormat::named(&float.to_string()).filter(|number| !number.is_integer())
}

/// Whether a type is one of the floats of 8 bits.
pub fn is_fp8(r#type: Type<'_>) -> bool {
    format(r#type).is_some_and(NumberFormat::is_fp8)
}

/// Whether a type is a float of 16 or 8 bits.
fn is_narrow(r#type: Type<'_>) -> bool {
    format(r#type).is_some_and(|number| number.bits() <= 16)
}

/// The least normal number of a float type.
pub fn least_normal(float: Type<'_>) -> f64 {
    let exponent = match format(float) {
        Some(NumberFormat::F64) => -1022,
        Some(NumberFormat::F16 | NumberFormat::E5m2) => -14,
        Some(NumberFormat::E4m3) => -6,
        _ => -126,
    };
    2f64.powi(exponent)
}

/// Methods that each make one op on their operands.
macro_rules! ops {
    ($($name:ident = $make:path;)+) => {
        $(fn $name(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
            self.two($make, a, b)
        })+
    };
}

impl<'c: 'a, 'a> Arithmetic for MathEmit<'c, 'a> {
    type Value = Value<'c, 'a>;

    fn is_double(&self, value: Value<'c, 'a>) -> bool {
        value.r#type() == self.f64 || value.r#type() == self.kit.int_type(64)
    }

    fn float(&self, like: Value<'c, 'a>, constant: f64) -> Value<'c, 'a> {
        let (float, _) = self.as_wide(like);
        constant::typed(self.kit.builder, constant::number(float, ConstantNumber::Float(constant)))
    }

    fn integer(&self, like: Value<'c, 'a>, constant: i64) -> Value<'c, 'a> {
        self.kit.int(if self.is_double(like) { 64 } else { 32 }, constant)
    }

    ops! {
        add = arith::addf;
        sub = arith::subf;
        mul = arith::mulf;
        div = arith::divf;
        iadd = arith::addi;
        isub = arith::subi;
        imul = arith::muli;
        and = arith::andi;
        or = arith::ori;
        shl = arith::shli;
        shr = arith::shrui;
        sar = arith::shrsi;
    }

    fn fma(&self, a: Value<'c, 'a>, b: Value<'c, 'a>, c: Value<'c, 'a>) -> Value<'c, 'a> {
        self.elementary(Elementary::Fma, &[a, b, c])
    }

    fn sqrt(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.elementary(Elementary::Sqrt, &[a])
    }

    fn abs(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.elementary(Elementary::Abs, &[a])
    }

    fn copysign(&self, a: Value<'c, 'a>, sign: Value<'c, 'a>) -> Value<'c, 'a> {
        self.elementary(Elementary::CopySign, &[a, sign])
    }

    fn trunc(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.elementary(Elementary::Trunc, &[a])
    }

    fn widen(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.to(arith::extf, a, self.f64)
    }

    fn narrow(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.to(arith::truncf, a, self.f32)
    }

    fn approximate(&self, function: Approximate, a: Value<'c, 'a>) -> Value<'c, 'a> {
        match function {
            Approximate::Ex2 if self.flushes => self.call(Intrinsic::Ex2ApproxFtz, a),
            Approximate::Lg2 if self.flushes => self.call(Intrinsic::Lg2ApproxFtz, a),
            Approximate::Rsqrt if self.flushes => self.call(Intrinsic::RsqrtApproxFtz, a),
            Approximate::Sqrt if self.flushes => self.call(Intrinsic::SqrtApproxFtz, a),
            Approximate::Ex2 => self.call(Intrinsic::Ex2Approx, a),
            Approximate::Lg2 => self.call(Intrinsic::Lg2Approx, a),
            Approximate::Sin => self.call(Intrinsic::SinApprox, a),
            Approximate::Cos => self.call(Intrinsic::CosApprox, a),
            Approximate::Rsqrt => self.call(Intrinsic::RsqrtApprox, a),
            Approximate::Sqrt => self.call(Intrinsic::SqrtApprox, a),
            // LLVM has no intrinsic for it.
            Approximate::Tanh => self.kit.pure_assembly("tanh.approx.f32 $0, $1;", "=f,f", &[a], self.f32),
        }
    }

    fn less(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        self.compare(CmpFPredicate::Olt, a, b)
    }

    fn at_least(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        self.compare(CmpFPredicate::Oge, a, b)
    }

    fn equal(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        self.compare(CmpFPredicate::Oeq, a, b)
    }

    fn unordered(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        self.compare(CmpFPredicate::Uno, a, b)
    }

    fn iequal(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        self.kit.cmp(CmpIPredicate::Eq, a, b)
    }

    fn select(&self, condition: Value<'c, 'a>, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        self.kit.select(condition, a, b)
    }

    fn bits(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        let (_, integer) = self.as_wide(a);
        self.to(arith::bitcast, a, integer)
    }

    fn of_bits(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        let (float, _) = self.as_wide(a);
        self.to(arith::bitcast, a, float)
    }

    fn to_float(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        let (float, _) = self.as_wide(a);
        self.to(arith::sitofp, a, float)
    }

    fn widen_integer(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.kit.zero_extended(a, 64)
    }

    fn low_integer(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.kit.truncated(a, 32)
    }

    fn unless<const N: usize>(
        &self,
        condition: Value<'c, 'a>,
        values: [Value<'c, 'a>; N],
        other: impl FnOnce() -> [Value<'c, 'a>; N],
    ) -> [Value<'c, 'a>; N] {
        let types = values.map(|value| value.r#type());
        let made = self.kit.either_list(condition, |_| values.to_vec(), &types, |_| other().to_vec());
        std::array::from_fn(|index| made[index])
    }

    fn repeat(
        &self,
        value: Value<'c, 'a>,
        condition: impl Fn(Value<'c, 'a>) -> Value<'c, 'a>,
        body: impl Fn(Value<'c, 'a>) -> Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        self.kit.repeat_after_list(
            &[value],
            |_, values| (condition(values[0]), values.to_vec()),
            |_, values| vec![body(values[0])],
        )[0]
    }
}
