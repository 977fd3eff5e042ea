//! LLVM's intrinsics for which neither the LLVM nor the NVVM dialect has an op, or whose op cannot be used: before the
//! conversion of kernels, upstream treats an `llvm.intr.fabs` as one of its own, to be replaced by libdevice.

use melior::ir::{Type, Value, ValueLike};

use crate::builder::Builder;
use crate::llvm;

/// A function for which the chip has an instruction; the approximations take an `f32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intrinsic {
    /// A power of 2.
    Ex2Approx,
    /// The same, where subnormal numbers count as zero.
    Ex2ApproxFtz,
    /// The logarithm to base 2.
    Lg2Approx,
    /// The same, where subnormal numbers count as zero.
    Lg2ApproxFtz,
    /// The sine.
    SinApprox,
    /// The cosine.
    CosApprox,
    /// One over the square root.
    RsqrtApprox,
    /// The same, where subnormal numbers count as zero.
    RsqrtApproxFtz,
    /// The square root.
    SqrtApprox,
    /// The same, where subnormal numbers count as zero.
    SqrtApproxFtz,
    /// The nearest `f32` to an `f64` that is not further from zero.
    TowardsZero,
}

impl Intrinsic {
    /// The approximations.
    pub const APPROXIMATE: [Intrinsic; 10] = [
        Intrinsic::Ex2Approx,
        Intrinsic::Ex2ApproxFtz,
        Intrinsic::Lg2Approx,
        Intrinsic::Lg2ApproxFtz,
        Intrinsic::SinApprox,
        Intrinsic::CosApprox,
        Intrinsic::RsqrtApprox,
        Intrinsic::RsqrtApproxFtz,
        Intrinsic::SqrtApprox,
        Intrinsic::SqrtApproxFtz,
    ];

    /// Its name in LLVM.
    pub fn name(self) -> &'static str {
        match self {
            Intrinsic::Ex2Approx => "llvm.nvvm.ex2.approx.f32",
            Intrinsic::Ex2ApproxFtz => "llvm.nvvm.ex2.approx.ftz.f32",
            Intrinsic::Lg2ApproxFtz => "llvm.nvvm.lg2.approx.ftz.f",
            Intrinsic::RsqrtApproxFtz => "llvm.nvvm.rsqrt.approx.ftz.f",
            Intrinsic::SqrtApproxFtz => "llvm.nvvm.sqrt.approx.ftz.f",
            Intrinsic::Lg2Approx => "llvm.nvvm.lg2.approx.f",
            Intrinsic::SinApprox => "llvm.nvvm.sin.approx.f",
            Intrinsic::CosApprox => "llvm.nvvm.cos.approx.f",
            Intrinsic::RsqrtApprox => "llvm.nvvm.rsqrt.approx.f",
            Intrinsic::SqrtApprox => "llvm.nvvm.sqrt.approx.f",
            Intrinsic::TowardsZero => "llvm.nvvm.d2f.rz",
        }
    }
}

/// Calls an intrinsic.
pub fn call<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    intrinsic: Intrinsic,
    operands: &[Value<'c, 'a>],
    result: Type<'c>,
) -> Value<'c, 'a> {
    named(builder, intrinsic.name(), operands, result)
}

/// A function of floats of any width, whose operands and result have the same type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Elementary {
    /// The absolute value.
    Abs,
    /// The least integer not below the operand.
    Ceil,
    /// The first operand with the sign of the second.
    CopySign,
    /// The greatest integer not above the operand.
    Floor,
    /// The first operand times the second, plus the third, rounded once.
    Fma,
    /// The larger one; NaN if either is.
    Maximum,
    /// The larger number.
    MaxNum,
    /// The smaller one; NaN if either is.
    Minimum,
    /// The smaller number.
    MinNum,
    /// The nearest integer, halves away from zero.
    Round,
    /// The nearest integer, halves to the even one.
    RoundEven,
    /// The square root, correctly rounded.
    Sqrt,
    /// The integer part.
    Trunc,
}

impl Elementary {
    /// All of them.
    pub const ALL: [Elementary; 13] = [
        Elementary::Abs,
        Elementary::Ceil,
        Elementary::CopySign,
        Elementary::Floor,
        Elementary::Fma,
        Elementary::Maximum,
        Elementary::MaxNum,
        Elementary::Minimum,
        Elementary::MinNum,
        Elementary::Round,
        Elementary::RoundEven,
        Elementary::Sqrt,
        Elementary::Trunc,
    ];

    /// The function that an intrinsic is, by its name with the type: `llvm.fma.f32`.
    pub fn from_name(name: &str) -> Option<Self> {
        let (function, _) = name.rsplit_once('.')?;
        Self::ALL.into_iter().find(|known| known.name() == function)
    }

    /// Its name in LLVM for `f32` or `f64`, without the type.
    fn name(self) -> &'static str {
        match self {
            Elementary::Abs => "llvm.fabs",
            Elementary::Ceil => "llvm.ceil",
            Elementary::CopySign => "llvm.copysign",
            Elementary::Floor => "llvm.floor",
            Elementary::Fma => "llvm.fma",
            Elementary::Maximum => "llvm.maximum",
            Elementary::MaxNum => "llvm.maxnum",
            Elementary::Minimum => "llvm.minimum",
            Elementary::MinNum => "llvm.minnum",
            Elementary::Round => "llvm.round",
            Elementary::RoundEven => "llvm.roundeven",
            Elementary::Sqrt => "llvm.sqrt",
            Elementary::Trunc => "llvm.trunc",
        }
    }
}

/// Calls the variant of a function for the type of its operands.
///
/// # Panics
/// Without operands.
pub fn elementary<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    function: Elementary,
    operands: &[Value<'c, 'a>],
) -> Value<'c, 'a> {
    let r#type = operands[0].r#type();
    named(builder, &format!("{}.{type}", function.name()), operands, r#type)
}

/// Converts a float, or a vector of floats, to integers of a type: rounds towards zero and saturates; NaN becomes 0.
pub fn saturated<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    value: Value<'c, 'a>,
    signed: bool,
    to: Type<'c>,
) -> Value<'c, 'a> {
    named(builder, if signed { "llvm.fptosi.sat" } else { "llvm.fptoui.sat" }, &[value], to)
}

fn named<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    name: &str,
    operands: &[Value<'c, 'a>],
    result: Type<'c>,
) -> Value<'c, 'a> {
    let call = llvm::call_intrinsic(builder, operands, &[], name, &[]).results(result).build();
    call.results().expect("the intrinsic has a result")
}
