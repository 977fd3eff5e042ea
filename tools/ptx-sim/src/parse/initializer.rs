//! Initializers of `.global` and `.const` variables (PTX ISA 5.4.4).

use super::ast::{Relocation, Variable};
use super::cursor::Cursor;
use super::lexer::TokenKind;
use super::number::Number;
use super::types::{Class, Type};
use super::{ParseError, Result};

/// Parses the text after `=` into `variable`.
pub(crate) fn parse(c: &mut Cursor<'_>, ty: Type, variable: &mut Variable) -> Result<()> {
    let at = c.at();
    if c.peek() == TokenKind::Punct('{') {
        list(c, ty, variable)?
    } else {
        element(c, ty, variable)?
    }
    let bytes = variable.init.len() as u64;
    match variable.size {
        Some(size) if size < bytes => {
            Err(ParseError::new(at, format!("the initializer has {bytes} bytes, the variable {size}")))
        }
        None => {
            variable.size = Some(bytes);
            Ok(())
        }
        Some(_) => Ok(()),
    }
}

fn list(c: &mut Cursor<'_>, ty: Type, variable: &mut Variable) -> Result<()> {
    c.punct('{')?;
    if c.eat('}') {
        return Ok(());
    }
    loop {
        if c.peek() == TokenKind::Punct('{') {
            c.nested(|c| list(c, ty, variable))?
        } else {
            element(c, ty, variable)?
        }
        if !c.eat(',') {
            return c.punct('}');
        }
    }
}

fn element(c: &mut Cursor<'_>, ty: Type, variable: &mut Variable) -> Result<()> {
    let width = ty.bytes() as usize;
    let value = match c.peek() {
        TokenKind::Word(_) => {
            symbol(c, ty, variable)?;
            0
        }
        _ => literal(c, ty)?,
    };
    variable.init.extend_from_slice(&value.to_le_bytes()[..width]);
    Ok(())
}

/// `name`, `name+4` or `generic(name)+4`; its bytes are filled in when addresses are known.
fn symbol(c: &mut Cursor<'_>, ty: Type, variable: &mut Variable) -> Result<()> {
    let at = c.at();
    let mut name = c.word("a symbol")?;
    // Addresses of global variables are already generic.
    if name == "generic" && c.eat('(') {
        name = c.word("a symbol")?;
        c.punct(')')?;
    }
    let addend = if c.eat('+') { c.integer("an offset")? } else { 0 };
    let addend = i64::try_from(addend).map_err(|_| ParseError::new(at, "the offset has more than 64 bits"))?;
    if ty.width() != 64 {
        return Err(ParseError::new(at, format!("an address needs 64 bits, the element has {}", ty.width())));
    }
    let offset = variable.init.len() as u64;
    variable.relocations.push(Relocation { offset, symbol: name.to_string(), addend });
    Ok(())
}

fn literal(c: &mut Cursor<'_>, ty: Type) -> Result<u128> {
    let at = c.at();
    match c.peek() {
        TokenKind::Number(Number::Single(bits)) => {
            c.bump();
            Ok(u128::from(bits))
        }
        TokenKind::Number(Number::Double(bits)) => {
            c.bump();
            let narrow = ty.class == Class::Float && ty.bits == 32;
            Ok(if narrow { u128::from((f64::from_bits(bits) as f32).to_bits()) } else { u128::from(bits) })
        }
        _ => {
            let value = c.integer("a constant")?;
            let limit = 1i128 << ty.width().min(64);
            if value >= limit || value < -(limit / 2) {
                return Err(ParseError::new(at, format!("{value} does not fit {} bits", ty.width())));
            }
            Ok(value as u128)
        }
    }
}
