//! The function that an op computes, and the types for which it has an expansion.

use melior::ir::{Type, Value, ValueLike};
use tile_dialect::memref::is_float;
use tile_ops::intrinsic::Elementary;
use tile_ops::{arith, math};
use tile_plan::math::{Approximate, Arithmetic, error, exp, fast, inverse, log, power, trig};

use super::emit::{MathEmit, is_fp8, least_normal};
use super::integer;
use crate::foreign::{FLOATS, is_known};

type Unary<'c, 'a> = fn(&MathEmit<'c, 'a>, Value<'c, 'a>) -> Value<'c, 'a>;
type Binary<'c, 'a> = fn(&MathEmit<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>) -> Value<'c, 'a>;

/// The function that an op computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MathFunction {
    name: &'static str,
    approximate: bool,
}

/// The ops that are expanded: those that upstream converts to a call of libdevice, or cannot convert.
const NAMES: [&str; 48] = [
    arith::MaximumFOp::NAME,
    arith::MaxNumFOp::NAME,
    arith::MinimumFOp::NAME,
    arith::MinNumFOp::NAME,
    arith::RemFOp::NAME,
    math::AbsFOp::NAME,
    math::AbsIOp::NAME,
    math::AcosOp::NAME,
    math::AcoshOp::NAME,
    math::AsinOp::NAME,
    math::AsinhOp::NAME,
    math::AtanOp::NAME,
    math::Atan2Op::NAME,
    math::AtanhOp::NAME,
    math::CbrtOp::NAME,
    math::CeilOp::NAME,
    math::ClampFOp::NAME,
    math::CopySignOp::NAME,
    math::CosOp::NAME,
    math::CoshOp::NAME,
    math::ErfOp::NAME,
    math::ErfcOp::NAME,
    math::ExpOp::NAME,
    math::Exp2Op::NAME,
    math::ExpM1Op::NAME,
    math::FloorOp::NAME,
    math::FmaOp::NAME,
    math::FPowIOp::NAME,
    math::IPowIOp::NAME,
    math::IsFiniteOp::NAME,
    math::IsInfOp::NAME,
    math::IsNaNOp::NAME,
    math::IsNormalOp::NAME,
    math::LogOp::NAME,
    math::Log10Op::NAME,
    math::Log1pOp::NAME,
    math::Log2Op::NAME,
    math::PowFOp::NAME,
    math::RoundOp::NAME,
    math::RoundEvenOp::NAME,
    math::RsqrtOp::NAME,
    math::SinOp::NAME,
    math::SincosOp::NAME,
    math::SinhOp::NAME,
    math::SqrtOp::NAME,
    math::TanOp::NAME,
    math::TanhOp::NAME,
    math::TruncOp::NAME,
];

impl MathFunction {
    /// Whether an op of this name is expanded.
    pub fn has(name: &str) -> bool {
        NAMES.contains(&name)
    }

    /// The function of an op of this name; `approximate` allows the chip's approximation, where there is one.
    ///
    /// # Panics
    /// If there is none: see [`MathFunction::has`].
    pub fn of(name: &str, approximate: bool) -> Self {
        let name = NAMES.iter().find(|known| **known == name).expect("the op is expanded");
        MathFunction { name, approximate }
    }

    /// Writes the function for scalar operands.
    ///
    /// # Errors
    /// A type without an expansion: what to do instead.
    pub fn emit<'c: 'a, 'a>(
        self,
        m: &MathEmit<'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, String> {
        let operand_type = operands[0].r#type();
        if is_float(operand_type) && !is_known(operand_type) {
            return Err(format!("is on {operand_type}, expected {FLOATS}"));
        }
        let raised: Vec<_> = operands.iter().map(|&operand| m.raise(operand)).collect();
        // LLVM has these also for 16 bits.
        let exact = if is_fp8(operand_type) { &raised } else { operands };
        if let Some(value) = self.exact(m, exact) {
            return Ok(vec![m.lower(value, operand_type)]);
        }
        let values = match self.classified(m, raised[0], operand_type) {
            Some(value) => return Ok(vec![value]),
            None => self.computed(m, &raised)?,
        };
        Ok(values.into_iter().map(|value| m.lower(value, operand_type)).collect())
    }

    /// Functions that LLVM has an instruction or an exact expansion for.
    fn exact<'c: 'a, 'a>(self, m: &MathEmit<'c, 'a>, operands: &[Value<'c, 'a>]) -> Option<Value<'c, 'a>> {
        match self.name {
            math::AbsFOp::NAME => Some(m.abs(operands[0])),
            math::CopySignOp::NAME => Some(m.copysign(operands[0], operands[1])),
            math::FmaOp::NAME => Some(m.fma(operands[0], operands[1], operands[2])),
            arith::MaximumFOp::NAME => Some(m.elementary(Elementary::Maximum, operands)),
            arith::MinimumFOp::NAME => Some(m.elementary(Elementary::Minimum, operands)),
            arith::MaxNumFOp::NAME => Some(m.elementary(Elementary::MaxNum, operands)),
            arith::MinNumFOp::NAME => Some(m.elementary(Elementary::MinNum, operands)),
            math::AbsIOp::NAME => {
                let zero = m.zero_of(operands[0]);
                Some(m.two(arith::maxsi, operands[0], m.isub(zero, operands[0])))
            }
            math::IPowIOp::NAME => Some(integer::power(m.builder(), operands[0], operands[1])),
            math::ClampFOp::NAME => {
                let above = m.elementary(Elementary::Maximum, &operands[..2]);
                Some(m.elementary(Elementary::Minimum, &[above, operands[2]]))
            }
            _ => None,
        }
    }

    /// Functions on f32 and f64.
    fn computed<'c: 'a, 'a>(self, m: &MathEmit<'c, 'a>, x: &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, String> {
        if self.name == math::SincosOp::NAME {
            let part = |name| MathFunction { name, ..self }.computed(m, x);
            return Ok([part(math::SinOp::NAME)?, part(math::CosOp::NAME)?].concat());
        }
        let value = self.rounded(m, x[0]).or_else(|| self.approximated(m, x)).or_else(|| self.expanded(m, x));
        value.map(|value| vec![value]).ok_or_else(|| {
            format!(
                "has no expansion on {}; compute it in f32, or call a function that you link, as libdevice's",
                x[0].r#type()
            )
        })
    }

    /// Classification of a float of type `type`, which `x` holds: NaN, infinite, finite, normal.
    fn classified<'c: 'a, 'a>(self, m: &MathEmit<'c, 'a>, x: Value<'c, 'a>, r#type: Type<'c>) -> Option<Value<'c, 'a>> {
        let infinity = m.float(x, f64::INFINITY);
        match self.name {
            math::IsNaNOp::NAME => Some(m.unordered(x, x)),
            math::IsInfOp::NAME => Some(m.equal(m.abs(x), infinity)),
            math::IsFiniteOp::NAME => Some(m.less(m.abs(x), infinity)),
            math::IsNormalOp::NAME => {
                let large = m.at_least(m.abs(x), m.float(x, least_normal(r#type)));
                Some(m.and(large, m.less(m.abs(x), infinity)))
            }
            _ => None,
        }
    }

    fn rounded<'c: 'a, 'a>(self, m: &MathEmit<'c, 'a>, x: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        match self.name {
            math::CeilOp::NAME => Some(m.elementary(Elementary::Ceil, &[x])),
            math::FloorOp::NAME => Some(m.elementary(Elementary::Floor, &[x])),
            math::RoundOp::NAME => Some(m.elementary(Elementary::Round, &[x])),
            math::RoundEvenOp::NAME => Some(m.elementary(Elementary::RoundEven, &[x])),
            math::TruncOp::NAME => Some(m.trunc(x)),
            math::SqrtOp::NAME if !self.approximate || m.is_double(x) => Some(m.sqrt(x)),
            _ => None,
        }
    }

    /// The chip's approximations, where they are allowed: only of f32.
    fn approximated<'c: 'a, 'a>(self, m: &MathEmit<'c, 'a>, x: &[Value<'c, 'a>]) -> Option<Value<'c, 'a>> {
        if !self.approximate || m.is_double(x[0]) {
            return None;
        }
        let approximate = |function| Some(m.approximate(function, x[0]));
        match self.name {
            math::ExpOp::NAME => Some(fast::exp(m, x[0])),
            math::Exp2Op::NAME => approximate(Approximate::Ex2),
            math::LogOp::NAME => Some(fast::log(m, x[0])),
            math::Log2Op::NAME => approximate(Approximate::Lg2),
            math::Log10Op::NAME => Some(fast::log10(m, x[0])),
            math::SinOp::NAME => approximate(Approximate::Sin),
            math::CosOp::NAME => approximate(Approximate::Cos),
            math::TanOp::NAME => Some(fast::tan(m, x[0])),
            math::TanhOp::NAME => approximate(Approximate::Tanh),
            math::RsqrtOp::NAME => approximate(Approximate::Rsqrt),
            math::SqrtOp::NAME => approximate(Approximate::Sqrt),
            math::PowFOp::NAME => Some(fast::powf(m, x[0], x[1])),
            _ => None,
        }
    }

    fn expanded<'c: 'a, 'a>(self, m: &MathEmit<'c, 'a>, x: &[Value<'c, 'a>]) -> Option<Value<'c, 'a>> {
        if let Some(unary) = self.unary(m.is_double(x[0])) {
            return Some(unary(m, x[0]));
        }
        let binary: Binary<'c, 'a> = match self.name {
            math::Atan2Op::NAME => inverse::atan2,
            arith::RemFOp::NAME => power::remainder,
            math::PowFOp::NAME if !m.is_double(x[0]) => power::powf,
            math::FPowIOp::NAME if !m.is_double(x[0]) => {
                |m, x, n| m.narrow(power::pow_in_double(m, m.widen(x), m.double_of(n)))
            }
            _ => return None,
        };
        Some(binary(m, x[0], x[1]))
    }

    fn unary<'c: 'a, 'a>(self, double: bool) -> Option<Unary<'c, 'a>> {
        Some(match self.name {
            math::ExpOp::NAME => exp::exp,
            math::Exp2Op::NAME => exp::exp2,
            math::ExpM1Op::NAME => exp::expm1,
            math::SinhOp::NAME => exp::sinh,
            math::CoshOp::NAME => exp::cosh,
            math::TanhOp::NAME => exp::tanh,
            math::LogOp::NAME => log::log,
            math::Log2Op::NAME => log::log2,
            math::Log10Op::NAME => log::log10,
            math::Log1pOp::NAME => log::log1p,
            math::AsinhOp::NAME => log::asinh,
            math::AcoshOp::NAME => log::acosh,
            math::AtanhOp::NAME => log::atanh,
            math::SinOp::NAME => trig::sin,
            math::CosOp::NAME => trig::cos,
            math::TanOp::NAME => trig::tan,
            math::AtanOp::NAME => inverse::atan,
            math::AsinOp::NAME => inverse::asin,
            math::AcosOp::NAME => inverse::acos,
            math::CbrtOp::NAME => power::cbrt,
            math::RsqrtOp::NAME => power::rsqrt,
            math::ErfOp::NAME if !double => error::erf,
            math::ErfcOp::NAME if !double => error::erfc,
            _ => return None,
        })
    }
}
