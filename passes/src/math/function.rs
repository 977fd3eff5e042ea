//! Which function an op is, and for which types there is an expansion.

use melior::ir::{Value, ValueLike};
use tile_plan::math::{Approximate, Arithmetic, error, exp, fast, inverse, log, power, trig};

use super::emit::Emit;

type Unary<'c, 'a> = fn(&Emit<'c, 'a>, Value<'c, 'a>) -> Value<'c, 'a>;
type Binary<'c, 'a> = fn(&Emit<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>) -> Value<'c, 'a>;

/// What an op computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    name: &'static str,
    approximate: bool,
}

/// The ops that are expanded: those that upstream would make a call of libdevice, or that have no conversion.
const NAMES: [&str; 45] = [
    "arith.maxnumf",
    "arith.minnumf",
    "arith.remf",
    "math.absf",
    "math.absi",
    "math.acos",
    "math.acosh",
    "math.asin",
    "math.asinh",
    "math.atan",
    "math.atan2",
    "math.atanh",
    "math.cbrt",
    "math.ceil",
    "math.clampf",
    "math.copysign",
    "math.cos",
    "math.cosh",
    "math.erf",
    "math.erfc",
    "math.exp",
    "math.exp2",
    "math.expm1",
    "math.floor",
    "math.fma",
    "math.fpowi",
    "math.isfinite",
    "math.isinf",
    "math.isnan",
    "math.isnormal",
    "math.log",
    "math.log10",
    "math.log1p",
    "math.log2",
    "math.powf",
    "math.round",
    "math.roundeven",
    "math.rsqrt",
    "math.sin",
    "math.sincos",
    "math.sinh",
    "math.sqrt",
    "math.tan",
    "math.tanh",
    "math.trunc",
];

impl Function {
    /// Is an op of that name expanded?
    pub fn has(name: &str) -> bool {
        NAMES.contains(&name)
    }

    /// The function of an op of that name; the chip's approximation of it, where there is one and it is allowed.
    ///
    /// # Panics
    /// When there is none: see [`Function::has`].
    pub fn of(name: &str, approximate: bool) -> Self {
        let name = NAMES.iter().find(|known| **known == name).expect("the op is expanded");
        Function { name, approximate }
    }

    /// Writes it for scalar operands.
    ///
    /// # Errors
    /// A type that there is no expansion for: what to do.
    pub fn emit<'c: 'a, 'a>(self, m: &Emit<'c, 'a>, operands: &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, String> {
        if let Some(value) = self.exact(m, operands) {
            return Ok(vec![value]);
        }
        let own = operands[0].r#type();
        let raised: Vec<_> = operands.iter().map(|&operand| m.raise(operand)).collect();
        if !m.is_float(raised[0].r#type()) {
            return Err(format!("is on {own}, expected f16, bf16, f32 or f64"));
        }
        let values = self.computed(m, &raised)?;
        Ok(values.into_iter().map(|value| m.lower(value, own)).collect())
    }

    /// Functions that LLVM has an instruction or an exact expansion for.
    fn exact<'c: 'a, 'a>(self, m: &Emit<'c, 'a>, operands: &[Value<'c, 'a>]) -> Option<Value<'c, 'a>> {
        let intrinsic = |name| Some(m.intrinsic(name, operands));
        match self.name {
            "math.absf" => intrinsic("fabs"),
            "math.copysign" => intrinsic("copysign"),
            "math.fma" => intrinsic("fma"),
            "arith.maxnumf" => intrinsic("maxnum"),
            "arith.minnumf" => intrinsic("minnum"),
            "math.absi" => {
                let zero = m.zero_of(operands[0]);
                Some(m.same("arith.maxsi", &[operands[0], m.same("arith.subi", &[zero, operands[0]])]))
            }
            "math.clampf" => {
                let above = m.same("arith.maximumf", &[operands[0], operands[1]]);
                Some(m.same("arith.minimumf", &[above, operands[2]]))
            }
            _ => None,
        }
    }

    /// Functions of f32 and f64.
    fn computed<'c: 'a, 'a>(self, m: &Emit<'c, 'a>, x: &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, String> {
        if self.name == "math.sincos" {
            let part = |name| Function { name, ..self }.computed(m, x);
            return Ok([part("math.sin")?, part("math.cos")?].concat());
        }
        let value = self.classified(m, x[0]).or_else(|| self.rounded(m, x[0]));
        let value = value.or_else(|| self.approximated(m, x)).or_else(|| self.expanded(m, x));
        value.map(|value| vec![value]).ok_or_else(|| {
            format!(
                "has no expansion on {}; compute it in f32, or call a function that you link, as libdevice's",
                x[0].r#type()
            )
        })
    }

    /// Tests of what kind of number it is.
    fn classified<'c: 'a, 'a>(self, m: &Emit<'c, 'a>, x: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let infinity = m.float(x, f64::INFINITY);
        match self.name {
            "math.isnan" => Some(m.unordered(x, x)),
            "math.isinf" => Some(m.equal(m.abs(x), infinity)),
            "math.isfinite" => Some(m.less(m.abs(x), infinity)),
            "math.isnormal" => {
                let least = if m.is_double(x) { f64::MIN_POSITIVE } else { f64::from(f32::MIN_POSITIVE) };
                let large = m.at_least(m.abs(x), m.float(x, least));
                Some(m.same("arith.andi", &[large, m.less(m.abs(x), infinity)]))
            }
            _ => None,
        }
    }

    fn rounded<'c: 'a, 'a>(self, m: &Emit<'c, 'a>, x: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let name = match self.name {
            "math.ceil" => "ceil",
            "math.floor" => "floor",
            "math.round" => "round",
            "math.roundeven" => "roundeven",
            "math.trunc" => "trunc",
            "math.sqrt" if !self.approximate || m.is_double(x) => "sqrt",
            _ => return None,
        };
        Some(m.intrinsic(name, &[x]))
    }

    /// The chip's approximations, where they are allowed: of f32 alone.
    fn approximated<'c: 'a, 'a>(self, m: &Emit<'c, 'a>, x: &[Value<'c, 'a>]) -> Option<Value<'c, 'a>> {
        if !self.approximate || m.is_double(x[0]) {
            return None;
        }
        let own = |function| Some(m.approximate(function, x[0]));
        match self.name {
            "math.exp" => Some(fast::exp(m, x[0])),
            "math.exp2" => own(Approximate::Ex2),
            "math.log" => Some(fast::log(m, x[0])),
            "math.log2" => own(Approximate::Lg2),
            "math.log10" => Some(fast::log10(m, x[0])),
            "math.sin" => own(Approximate::Sin),
            "math.cos" => own(Approximate::Cos),
            "math.tan" => Some(fast::tan(m, x[0])),
            "math.tanh" => own(Approximate::Tanh),
            "math.rsqrt" => own(Approximate::Rsqrt),
            "math.sqrt" => own(Approximate::Sqrt),
            "math.powf" => Some(fast::powf(m, x[0], x[1])),
            _ => None,
        }
    }

    fn expanded<'c: 'a, 'a>(self, m: &Emit<'c, 'a>, x: &[Value<'c, 'a>]) -> Option<Value<'c, 'a>> {
        if let Some(unary) = self.unary(m.is_double(x[0])) {
            return Some(unary(m, x[0]));
        }
        let binary: Binary<'c, 'a> = match self.name {
            "math.atan2" => inverse::atan2,
            "arith.remf" => power::remainder,
            "math.powf" if !m.is_double(x[0]) => power::powf,
            "math.fpowi" if !m.is_double(x[0]) => {
                |m, x, n| m.narrow(power::pow_in_double(m, m.widen(x), m.double_of(n)))
            }
            _ => return None,
        };
        Some(binary(m, x[0], x[1]))
    }

    fn unary<'c: 'a, 'a>(self, double: bool) -> Option<Unary<'c, 'a>> {
        Some(match self.name {
            "math.exp" => exp::exp,
            "math.exp2" => exp::exp2,
            "math.expm1" => exp::expm1,
            "math.sinh" => exp::sinh,
            "math.cosh" => exp::cosh,
            "math.tanh" => exp::tanh,
            "math.log" => log::log,
            "math.log2" => log::log2,
            "math.log10" => log::log10,
            "math.log1p" => log::log1p,
            "math.asinh" => log::asinh,
            "math.acosh" => log::acosh,
            "math.atanh" => log::atanh,
            "math.sin" => trig::sin,
            "math.cos" => trig::cos,
            "math.tan" => trig::tan,
            "math.atan" => inverse::atan,
            "math.asin" => inverse::asin,
            "math.acos" => inverse::acos,
            "math.cbrt" => power::cbrt,
            "math.rsqrt" => power::rsqrt,
            "math.erf" if !double => error::erf,
            "math.erfc" if !double => error::erfc,
            _ => return None,
        })
    }
}
