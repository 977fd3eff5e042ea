//! `cvt` (PTX ISA 9.7.9.21).

use super::context::Cx;
use super::float::{format, rounding};
use crate::code::{Convert, Lanes1, Number, Op, lanes1};
use crate::float::{BF16, E4M3, E5M2, F16, F32, Mode};
use crate::parse::{Class, Result, Type};

/// Modifiers before the types.
#[derive(Default)]
struct Modifiers {
    mode: Option<Mode>,
    integral: bool,
    ftz: bool,
    sat: bool,
    relu: bool,
    satfinite: bool,
}

fn modifiers(cx: &mut Cx<'_>) -> Modifiers {
    let mut m = Modifiers::default();
    if let Some(i) = cx.mods.take_one(&["rni", "rzi", "rmi", "rpi"]) {
        m.mode = Some([Mode::Nearest, Mode::Zero, Mode::Down, Mode::Up][i]);
        m.integral = true;
    } else if cx.mods.take("rna") {
        m.mode = Some(Mode::Away);
    } else {
        m.mode = cx.mods.take_map(rounding);
    }
    m.ftz = cx.mods.take("ftz");
    m.relu = cx.mods.take("relu");
    m.satfinite = cx.mods.take("satfinite");
    m.sat = cx.mods.take("sat");
    m
}

/// The source or the result type of the conversion, and the type of the register that holds it.
fn side(cx: &mut Cx<'_>) -> Result<(Number, Type)> {
    const B32: Type = Type { class: Class::Bits, bits: 32, packed: 1 };
    const PAIR: Type = Type { class: Class::Bits, bits: 8, packed: 2 };
    let named = cx.mods.take_map(|name| match name {
        "tf32" => Some((Some(Number::Tf32), B32)),
        "e4m3x2" => Some((Some(Number::Float(E4M3)), PAIR)),
        "e5m2x2" => Some((Some(Number::Float(E5M2)), PAIR)),
        name => Some((None, Type::parse(name)?)),
    });
    let ty = match named {
        Some((Some(number), ty)) => return Ok((number, ty)),
        Some((None, ty)) => ty,
        None => return Err(cx.unknown_modifier()),
    };
    let number = match ty.class {
        Class::Signed | Class::Unsigned => Number::Integer(ty.bits, ty.is_signed()),
        Class::Float | Class::Brain => Number::Float(format(ty).ok_or_else(|| cx.error("no such format"))?),
        _ => return Err(cx.error("a signed, unsigned or floating type is expected")),
    };
    Ok((number, ty))
}

pub(crate) fn decode(cx: &mut Cx<'_>) -> Result<Op> {
    let m = modifiers(cx);
    let (to, to_type) = side(cx)?;
    let (from, from_type) = side(cx)?;
    check(cx, &m, (from, from_type), (to, to_type))?;
    let register = destination_bits(cx);
    let d = cx.dst_loose(to_type)?;
    let a = cx.src_loose(from_type)?;
    let packed = from_type.packed == 2;
    let b = if to_type.packed == 2 && !packed { Some(cx.src_loose(from_type)?) } else { None };
    let plain = !m.sat && !m.ftz && !m.relu && !m.satfinite && b.is_none() && !packed;
    if let Some(f) = plain.then(|| fast(from, to, m.mode, register)).flatten() {
        return Ok(Op::Lanes1 { f, d, a });
    }
    let Modifiers { integral, ftz, sat, relu, satfinite, .. } = m;
    let mode = m.mode.unwrap_or(Mode::Nearest);
    Ok(Op::Convert(Box::new(Convert {
        from,
        to,
        mode,
        integral,
        ftz,
        sat,
        relu,
        satfinite,
        register,
        d,
        a,
        packed,
        b,
    })))
}

/// The destination register's width, to which a signed result is extended.
fn destination_bits(cx: &Cx<'_>) -> u32 {
    use crate::decode::state::Binding;
    use crate::parse::ast::Operand;
    match cx.peek() {
        Some(Operand::Name(name, _)) => match cx.scopes.find(name) {
            Some(Binding::Register { ty, .. }) => ty.width().min(64),
            _ => 64,
        },
        _ => 64,
    }
}

fn is_fp8(number: Number) -> bool {
    matches!(number, Number::Float(E4M3 | E5M2))
}

/// Checks the rounding modifier, which must be present exactly if a conversion can lose precision.
fn check(cx: &Cx<'_>, m: &Modifiers, (from, from_type): (Number, Type), (to, to_type): (Number, Type)) -> Result<()> {
    let needs = match (from, to) {
        (Number::Float(_), Number::Integer(..)) => m.integral,
        (Number::Integer(..), Number::Float(_)) => m.mode.is_some() && !m.integral,
        // ptxas rounds to nearest even where nothing is said.
        (Number::Float(F16), Number::Float(BF16)) => true,
        (Number::Float(f), Number::Float(t)) => {
            f.mantissa() <= t.mantissa() && f.exponent() <= t.exponent() || m.mode.is_some()
        }
        (Number::Float(F32), Number::Tf32) => m.mode.is_some() && !m.integral,
        (Number::Integer(..), Number::Integer(..)) => m.mode.is_none(),
        _ => false,
    };
    let packed = match (from_type.packed, to_type.packed) {
        (1, 1) => true,
        (1, 2) => from == Number::Float(F32),
        (2, 2) => from != to && (is_fp8(from) || is_fp8(to)),
        _ => false,
    };
    // Floats of 8 bits come in pairs, saturate, and are rounded to nearest even (PTX ISA, cvt).
    let fp8 = !is_fp8(to) || m.satfinite && m.mode == Some(Mode::Nearest);
    if needs && packed && fp8 { Ok(()) } else { Err(cx.error("this rounding does not go with these types")) }
}

/// The conversions that compilers emit most often.
fn fast(from: Number, to: Number, mode: Option<Mode>, register: u32) -> Option<Lanes1> {
    use Number::*;
    let fits = |bits: u32| bits == register;
    match (from, to) {
        (Integer(f, _), Integer(t, _)) if f == t && t == register => Some(lanes1!(|a| a)),
        (Integer(..), Integer(8, false)) => Some(lanes1!(|a| a & 0xff)),
        (Integer(f, _), Integer(16, false)) if f >= 16 => Some(lanes1!(|a| a & 0xffff)),
        (Integer(f, _), Integer(32, _)) if f >= 32 && fits(32) => Some(lanes1!(|a| a & 0xffff_ffff)),
        (Integer(8, false), Integer(..)) => Some(lanes1!(|a| a & 0xff)),
        (Integer(16, false), Integer(t, _)) if t >= 16 => Some(lanes1!(|a| a & 0xffff)),
        (Integer(32, false), Integer(t, _)) if t >= 32 => Some(lanes1!(|a| a & 0xffff_ffff)),
        (Integer(32, true), Integer(64, _)) => Some(lanes1!(|a| a as i32 as i64 as u64)),
        (Integer(16, true), Integer(32, _)) if fits(32) => Some(lanes1!(|a| u64::from(a as i16 as i32 as u32))),
        (Integer(32, true), Float(F32)) if mode == Some(Mode::Nearest) => {
            Some(lanes1!(|a| u64::from((a as i32 as f32).to_bits())))
        }
        (Integer(32, false), Float(F32)) if mode == Some(Mode::Nearest) => {
            Some(lanes1!(|a| u64::from((a as u32 as f32).to_bits())))
        }
        (Float(F32), Integer(32, true)) if mode == Some(Mode::Zero) && fits(32) => {
            Some(lanes1!(|a| u64::from(f32::from_bits(a as u32) as i32 as u32)))
        }
        _ => None,
    }
}
