//! Comparison and selection (PTX ISA 9.7.6).

use std::cmp::Ordering::{Equal, Greater, Less};

use super::context::Cx;
use super::float::format;
use super::logic;
use crate::code::{Compare, FloatTest, Lanes3, Logic, Op, SINK, SetNumber, SetPred, TestFloat, compare, lanes3};
use crate::float::{BF16, F16, F32, F64, Format, Mode, resize};
use crate::parse::ast::Operand;
use crate::parse::{Class, Result, Type};

/// An integer comparison over `U` or `S` of the type's width.
macro_rules! ordered {
    ($ty:expr, $op:tt) => {
        match ($ty.is_signed(), $ty.bits) {
            (true, 16) => Some(compare!(|a, b| (a as i16) $op (b as i16))),
            (true, 32) => Some(compare!(|a, b| (a as i32) $op (b as i32))),
            (true, 64) => Some(compare!(|a, b| (a as i64) $op (b as i64))),
            (false, 16 | 32 | 64) => Some(compare!(|a, b| a $op b)),
            _ => None,
        }
    };
}

/// The comparison that a modifier names.
fn comparison(name: &str) -> Option<&str> {
    const NAMES: [&str; 18] = [
        "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num",
        "nan",
    ];
    NAMES.contains(&name).then_some(name)
}

fn integer(name: &str, ty: Type) -> Option<Compare> {
    match name {
        "eq" => Some(compare!(|a, b| a == b)),
        "ne" => Some(compare!(|a, b| a != b)),
        _ if ty.class == Class::Bits => None,
        "lt" => ordered!(ty, <),
        "le" => ordered!(ty, <=),
        "gt" => ordered!(ty, >),
        "ge" => ordered!(ty, >=),
        "lo" if !ty.is_signed() => ordered!(ty, <),
        "ls" if !ty.is_signed() => ordered!(ty, <=),
        "hi" if !ty.is_signed() => ordered!(ty, >),
        "hs" if !ty.is_signed() => ordered!(ty, >=),
        _ => None,
    }
}

/// The exact value of `bits`; subnormals are zero if `ftz`.
fn value(format: Format, bits: u64, ftz: bool) -> f64 {
    if ftz && format.is_subnormal(bits) {
        return 0.0;
    }
    match format {
        F64 => f64::from_bits(bits),
        F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(resize(format, F64, bits, Mode::Nearest)),
    }
}

macro_rules! float_compare {
    ($name:expr, $format:ident, $ftz:literal) => {{
        /// A condition on the order of the operands, which is none if one of them is NaN.
        macro_rules! holds {
            (|$order:ident| $e:expr) => {
                compare!(|a, b| {
                    let $order = value($format, a, $ftz).partial_cmp(&value($format, b, $ftz));
                    $e
                })
            };
        }
        Some(match $name {
            "eq" => holds!(|o| matches!(o, Some(Equal))),
            "ne" => holds!(|o| matches!(o, Some(Less | Greater))),
            "lt" => holds!(|o| matches!(o, Some(Less))),
            "le" => holds!(|o| matches!(o, Some(Less | Equal))),
            "gt" => holds!(|o| matches!(o, Some(Greater))),
            "ge" => holds!(|o| matches!(o, Some(Greater | Equal))),
            "equ" => holds!(|o| matches!(o, None | Some(Equal))),
            "neu" => holds!(|o| matches!(o, None | Some(Less | Greater))),
            "ltu" => holds!(|o| matches!(o, None | Some(Less))),
            "leu" => holds!(|o| matches!(o, None | Some(Less | Equal))),
            "gtu" => holds!(|o| matches!(o, None | Some(Greater))),
            "geu" => holds!(|o| matches!(o, None | Some(Greater | Equal))),
            "num" => holds!(|o| o.is_some()),
            "nan" => holds!(|o| o.is_none()),
            _ => return None,
        })
    }};
}

fn float(name: &str, ty: Type, ftz: bool) -> Option<Compare> {
    match (format(ty)?, ftz) {
        (F16, false) => float_compare!(name, F16, false),
        (F16, true) => float_compare!(name, F16, true),
        (BF16, _) => float_compare!(name, BF16, false),
        (F32, false) => float_compare!(name, F32, false),
        (F32, true) => float_compare!(name, F32, true),
        (F64, false) => float_compare!(name, F64, false),
        _ => None,
    }
}

/// What `setp` and `set` compare, and how.
struct Comparison<'a> {
    name: &'a str,
    combine: Option<Logic>,
    ftz: bool,
}

impl<'a> Comparison<'a> {
    /// `.op{.bool}{.ftz}`.
    fn take(cx: &mut Cx<'a>) -> Result<Self> {
        let name = cx.mods.take_map(comparison).ok_or_else(|| cx.unknown_modifier())?;
        Ok(Self { name, combine: cx.mods.take_map(logic::function), ftz: cx.mods.take("ftz") })
    }

    /// The comparison of one value of a type.
    fn of(&self, cx: &Cx<'_>, ty: Type) -> Result<Compare> {
        if ty.packed != 1 && (ty.packed, ty.bits) != (2, 16) {
            return Err(cx.error("two packed values of 16 bits are expected"));
        }
        let float_type = matches!(ty.class, Class::Float | Class::Brain);
        let compare = if float_type { float(self.name, ty, self.ftz) } else { integer(self.name, ty) };
        compare.ok_or_else(|| cx.error(format!("no comparison `{}` for this type", self.name)))
    }
}

/// `set.op{.bool}{.ftz}.dtype.stype d, a, b{, {!}c}`: 1.0 for floats and all ones for integers where the comparison holds, of two
/// packed values in each half; otherwise 0.
pub(crate) fn set(cx: &mut Cx<'_>) -> Result<Op> {
    let comparison = Comparison::take(cx)?;
    let (to, from) = (cx.ty()?, cx.ty()?);
    let compare = comparison.of(cx, from)?;
    let packed = from.packed == 2;
    let is_float = matches!(to.class, Class::Float | Class::Brain);
    let fits = match packed {
        true => to.width() == 32 && (to.packed == 2 || !is_float),
        false => to.packed == 1 && matches!(to.width(), 16 | 32),
    };
    if !fits {
        return Err(cx.error("the type of the result does not go with that of the comparison"));
    }
    let holds = match (to.class, to.bits) {
        (Class::Float, 16) => 0x3c00,
        (Class::Brain, 16) => 0x3f80,
        (Class::Float, _) => u64::from(1.0f32.to_bits()),
        (_, bits) => u64::MAX >> (64 - bits),
    };
    let (d, a, b) = (cx.dst(to)?, cx.src(from)?, cx.src(from)?);
    let combine = match comparison.combine {
        Some(f) => Some((f, cx.pred_src()?)),
        None => None,
    };
    // Of two packed values, each half of the result follows from one comparison; where there is one value, all bits.
    let holds = match (packed, to.packed) {
        (false, _) => [holds, 0],
        (true, 2) => [holds, holds << 16],
        (true, _) => [0xffff, 0xffff_0000],
    };
    let test = SetPred { compare, a, b, combine, d: SINK, q: None, packed };
    Ok(Op::SetNumber(Box::new(SetNumber { test, holds, d })))
}

/// `setp.op{.bool}{.ftz}.type p[|q], a, b{, {!}c}`; of two packed values, `p` is the comparison of the lower ones and `q` that of the
/// upper ones.
pub(crate) fn setp(cx: &mut Cx<'_>) -> Result<Op> {
    let comparison = Comparison::take(cx)?;
    let ty = cx.ty()?;
    let packed = ty.packed == 2;
    let (compare, combine) = (comparison.of(cx, ty)?, comparison.combine);
    let (d, q) = match cx.operand()? {
        Operand::Pair(p, q) => (cx.pred_dst_of(p)?, Some(cx.pred_dst_of(q)?)),
        _ if packed => return Err(cx.error("two predicates are expected, one for each packed value")),
        one => (cx.pred_dst_of(one)?, None),
    };
    let (a, b) = (cx.src(ty)?, cx.src(ty)?);
    let combine = match combine {
        Some(f) => Some((f, cx.pred_src()?)),
        None => None,
    };
    Ok(Op::SetPred(Box::new(SetPred { compare, a, b, combine, d, q, packed })))
}

pub(crate) fn select(cx: &mut Cx<'_>) -> Result<Op> {
    if cx.inst.root == "slct" {
        return slct(cx);
    }
    let ty = cx.ty()?;
    if ty.class == Class::Predicate || ty.width() > 64 {
        return Err(cx.error("16, 32 or 64 bits are expected"));
    }
    Ok(Op::Select { d: cx.dst(ty)?, a: cx.src(ty)?, b: cx.src(ty)?, p: cx.pred_src()? })
}

/// `slct`: `a` in lanes where `c` is not negative, otherwise `b`.
fn slct(cx: &mut Cx<'_>) -> Result<Op> {
    let ftz = cx.mods.take("ftz");
    let (ty, test) = (cx.ty()?, cx.ty()?);
    let f: Lanes3 = match (test.class, test.bits, ftz) {
        (Class::Signed, 32, false) => lanes3!(|a, b, c| if c as i32 >= 0 { a } else { b }),
        (Class::Float, 32, _) => lanes3!(|a, b, c| if f32::from_bits(c as u32) >= 0.0 { a } else { b }),
        _ => return Err(cx.error("s32 or f32 is expected as the type of the test")),
    };
    Ok(Op::Lanes3 { f, d: cx.dst(ty)?, a: cx.src(ty)?, b: cx.src(ty)?, c: cx.src(test)? })
}

pub(crate) fn testp(cx: &mut Cx<'_>) -> Result<Op> {
    use FloatTest::*;
    let names = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"];
    let tests = [Finite, Infinite, Number, NotANumber, Normal, Subnormal];
    let test = tests[cx.mods.take_one(&names).ok_or_else(|| cx.unknown_modifier())?];
    let ty = cx.ty()?;
    let format = format(ty).ok_or_else(|| cx.error("a floating type is expected"))?;
    Ok(Op::TestFloat(TestFloat { test, format, d: cx.pred_dst()?, a: cx.src(ty)? }))
}
