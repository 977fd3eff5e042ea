//! Operands (PTX ISA 6).

use super::ast::Operand;
use super::cursor::Cursor;
use super::lexer::TokenKind;
use super::number::Number;
use super::{ParseError, Result};

pub(crate) fn parse(c: &mut Cursor<'_>) -> Result<Operand> {
    let first = simple(c)?;
    if c.eat('|') {
        return Ok(Operand::Pair(Box::new(first), Box::new(simple(c)?)));
    }
    Ok(first)
}

fn simple(c: &mut Cursor<'_>) -> Result<Operand> {
    match c.peek() {
        TokenKind::Punct('{') => Ok(Operand::Vector(c.nested(|c| sequence(c, '{', '}'))?)),
        TokenKind::Punct('(') => Ok(Operand::List(c.nested(|c| sequence(c, '(', ')'))?)),
        TokenKind::Punct('[') => address(c),
        TokenKind::Punct('!') => {
            c.bump();
            Ok(Operand::Not(Box::new(c.nested(simple)?)))
        }
        TokenKind::Word("_") => {
            c.bump();
            Ok(Operand::Sink)
        }
        TokenKind::Word(_) => name(c, true),
        _ => constant(c),
    }
}

fn sequence(c: &mut Cursor<'_>, open: char, close: char) -> Result<Vec<Operand>> {
    c.punct(open)?;
    let mut out = Vec::new();
    if c.eat(close) {
        return Ok(out);
    }
    loop {
        out.push(parse(c)?);
        if !c.eat(',') {
            c.punct(close)?;
            return Ok(out);
        }
    }
}

/// A name with its component (`%tid.x`) and, if `addend` allows it, `+ offset`.
fn name(c: &mut Cursor<'_>, addend: bool) -> Result<Operand> {
    let mut text = c.word("a name")?.to_string();
    if let TokenKind::Dot(part @ ("x" | "y" | "z" | "w")) = c.peek() {
        c.bump();
        text.push('.');
        text.push_str(part);
    }
    let offset = if addend { offset(c)? } else { 0 };
    Ok(Operand::Name(text, offset))
}

/// `+8`, `+-8` or `-8`; 0 if absent.
fn offset(c: &mut Cursor<'_>) -> Result<i64> {
    if c.peek() != TokenKind::Punct('-') && !c.eat('+') {
        return Ok(0);
    }
    let at = c.at();
    let value = c.integer("an offset")?;
    i64::try_from(value).map_err(|_| ParseError::new(at, format!("offset {value} has more than 64 bits")))
}

fn address(c: &mut Cursor<'_>) -> Result<Operand> {
    c.punct('[')?;
    let base = match c.peek() {
        TokenKind::Word(_) => name(c, false)?,
        _ => constant(c)?,
    };
    let address = Operand::Address(Box::new(base), offset(c)?);
    let corner = if c.eat(',') { Some(sequence(c, '{', '}')?) } else { None };
    c.punct(']')?;
    Ok(match corner {
        Some(coordinates) => Operand::Corner(Box::new(address), coordinates),
        None => address,
    })
}

fn constant(c: &mut Cursor<'_>) -> Result<Operand> {
    match c.peek() {
        TokenKind::Number(Number::Single(bits)) => {
            c.bump();
            Ok(Operand::Single(bits))
        }
        TokenKind::Number(Number::Double(bits)) => {
            c.bump();
            Ok(Operand::Double(bits))
        }
        _ => Ok(Operand::Integer(c.integer("an operand")?)),
    }
}
