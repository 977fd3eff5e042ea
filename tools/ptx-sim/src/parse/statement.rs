//! Statements of a function's body (PTX ISA 4.3).

use super::ast::{Instruction, Location, Spot, Statement};
use super::cursor::Cursor;
use super::lexer::TokenKind;
use super::types::Type;
use super::{ParseError, Result};
use super::{operand, variable};

/// Parses `{ … }`.
pub(crate) fn scope(c: &mut Cursor<'_>) -> Result<Vec<Statement>> {
    c.punct('{')?;
    let mut out = Vec::new();
    while !c.eat('}') {
        statement(c, &mut out)?;
    }
    Ok(out)
}

fn statement(c: &mut Cursor<'_>, out: &mut Vec<Statement>) -> Result<()> {
    match c.peek() {
        TokenKind::Punct('{') => out.push(Statement::Scope(c.nested(scope)?)),
        TokenKind::Punct(';') => drop(c.bump()),
        TokenKind::Dot(name) => directive(c, name, out)?,
        TokenKind::Punct('@') => out.push(Statement::Instruction(instruction(c)?)),
        TokenKind::Word(name) if c.peek_at(1) == TokenKind::Punct(':') => label(c, name, out)?,
        TokenKind::Word(_) => out.push(Statement::Instruction(instruction(c)?)),
        _ => return Err(c.expected("a statement or `}`")),
    }
    Ok(())
}

fn directive(c: &mut Cursor<'_>, name: &str, out: &mut Vec<Statement>) -> Result<()> {
    match name {
        "reg" => registers(c, out),
        "shared" | "local" | "param" | "global" | "const" => {
            out.push(Statement::Variable(variable::parse(c)?));
            c.punct(';')
        }
        "loc" => {
            out.push(Statement::Location(location(c)?));
            Ok(())
        }
        "pragma" => {
            c.bump();
            out.extend(pragma(c)?.into_iter().map(Statement::UsedBytes));
            Ok(())
        }
        other => Err(ParseError::new(c.at(), format!("unknown directive `.{other}`"))),
    }
}

/// `.loc file line column [, function_name label [+ offset], inlined_at file line column]`: the source line of the
/// statements after it. Line 0 means none.
fn location(c: &mut Cursor<'_>) -> Result<Option<Location>> {
    c.bump();
    let at = spot(c)?;
    let mut inlined_at = None;
    while c.eat(',') {
        match c.word("`function_name` or `inlined_at`")? {
            "function_name" => {
                c.word("a label")?;
                if c.eat('+') {
                    c.unsigned("an offset")?;
                }
            }
            "inlined_at" => inlined_at = Some(spot(c)?),
            _ => return Err(c.expected("`function_name` or `inlined_at`")),
        }
    }
    Ok((at.line > 0).then_some(Location { at, inlined_at }))
}

fn spot(c: &mut Cursor<'_>) -> Result<Spot> {
    let (file, line) = (c.unsigned("a file number")?, c.unsigned("a line")?);
    Ok(Spot { file, line, column: c.unsigned("a column")? })
}

/// The strings and `;` after `.pragma`. Returns the mask of `used_bytes_mask`; other pragmas have no modelled effect.
pub(crate) fn pragma(c: &mut Cursor<'_>) -> Result<Option<u32>> {
    let mut used = None;
    loop {
        let at = c.at();
        let TokenKind::Text(text) = c.bump() else {
            return Err(c.expected("a string"));
        };
        if let Some(mask) = text.strip_prefix("used_bytes_mask") {
            used = Some(bytes_mask(mask.trim()).ok_or_else(|| {
                ParseError::new(at, format!("got the mask `{}`, expected a number of 32 bits", mask.trim()))
            })?);
        }
        if !c.eat(',') {
            c.punct(';')?;
            return Ok(used);
        }
    }
}

fn bytes_mask(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn registers(c: &mut Cursor<'_>, out: &mut Vec<Statement>) -> Result<()> {
    let at = c.at();
    c.bump();
    let name = c.dot("a register type")?;
    let ty = Type::parse(name).ok_or_else(|| ParseError::new(at, format!("`.{name}` is not a register type")))?;
    let mut names = Vec::new();
    loop {
        let name = c.word("a register name")?.to_string();
        let count = if c.eat('<') {
            let count = c.u32("a number of registers")?;
            c.punct('>')?;
            Some(count)
        } else {
            None
        };
        names.push((name, count));
        if !c.eat(',') {
            break;
        }
    }
    out.push(Statement::Registers { ty, names, at });
    c.punct(';')
}

fn label(c: &mut Cursor<'_>, name: &str, out: &mut Vec<Statement>) -> Result<()> {
    let at = c.at();
    c.bump();
    c.bump();
    match c.peek() {
        TokenKind::Dot("branchtargets" | "calltargets") => {}
        TokenKind::Dot("callprototype") => {
            while !matches!(c.peek(), TokenKind::Punct(';') | TokenKind::End) {
                c.bump();
            }
            out.push(Statement::Prototype { label: name.to_string(), at });
            return c.punct(';');
        }
        _ => {
            out.push(Statement::Label(name.to_string(), at));
            return Ok(());
        }
    }
    c.bump();
    let mut targets = vec![c.word("a label")?.to_string()];
    while c.eat(',') {
        targets.push(c.word("a label")?.to_string());
    }
    out.push(Statement::Targets { label: name.to_string(), targets, at });
    c.punct(';')
}

fn instruction(c: &mut Cursor<'_>) -> Result<Instruction> {
    let guard = guard(c)?;
    let at = c.at();
    let root = c.word("an opcode")?.to_string();
    let mut modifiers = Vec::new();
    while let TokenKind::Dot(name) = c.peek() {
        c.bump();
        modifiers.push(name.to_string());
    }
    let mut operands = Vec::new();
    if !c.eat(';') {
        loop {
            operands.push(operand::parse(c)?);
            if !c.eat(',') {
                c.punct(';')?;
                break;
            }
        }
    }
    Ok(Instruction { guard, root, modifiers, operands, at })
}

fn guard(c: &mut Cursor<'_>) -> Result<Option<(String, bool)>> {
    if !c.eat('@') {
        return Ok(None);
    }
    let negated = c.eat('!');
    Ok(Some((c.word("a predicate")?.to_string(), negated)))
}
