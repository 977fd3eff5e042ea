//! Kernels and device functions (PTX ISA 5.4.6, 11.2 to 11.4).

use super::ast::{Function, Variable};
use super::cursor::Cursor;
use super::lexer::TokenKind;
use super::types::Space;
use super::{ParseError, Result};
use super::{statement, variable};
use crate::needs::{Dim3, Needs};
use crate::parse::Type;

/// Parses from `.entry` or `.func` to the end of the body, or to `;` of a declaration.
pub(crate) fn parse(c: &mut Cursor<'_>) -> Result<Function> {
    let (function, unknown) = header(c)?;
    if let Some(error) = unknown {
        return Err(error);
    }
    let body = if c.eat(';') { None } else { Some(statement::scope(c)?) };
    Ok(Function { body, ..function })
}

/// Parses from `.entry` or `.func` up to the body, or up to `;`; the error is that of a directive that is not known.
pub(crate) fn header(c: &mut Cursor<'_>) -> Result<(Function, Option<ParseError>)> {
    let at = c.at();
    let kernel = c.bump() == TokenKind::Dot("entry");
    let returns = if c.peek() == TokenKind::Punct('(') { parameters(c)? } else { Vec::new() };
    let name = c.word("a function name")?.to_string();
    let params = if c.peek() == TokenKind::Punct('(') { parameters(c)? } else { Vec::new() };
    let (needs, unknown) = directives(c)?;
    Ok((Function { name, kernel, returns, params, body: None, needs, at }, unknown))
}

fn parameters(c: &mut Cursor<'_>) -> Result<Vec<Variable>> {
    let mut out = Vec::new();
    c.punct('(')?;
    if c.eat(')') {
        return Ok(out);
    }
    loop {
        out.push(parameter(c)?);
        if !c.eat(',') {
            c.punct(')')?;
            return Ok(out);
        }
    }
}

/// `.param .u64 .ptr .global .align 16 name`, or a plain `.param` variable. `.reg` parameters are not in use since PTX 2.0.
fn parameter(c: &mut Cursor<'_>) -> Result<Variable> {
    if c.peek_at(2) != TokenKind::Dot("ptr") {
        let variable = variable::parse(c)?;
        return match variable.space {
            Space::Param => Ok(variable),
            other => Err(ParseError::new(variable.at, format!("a parameter in .{} is not supported", other.name()))),
        };
    }
    let at = c.at();
    c.bump();
    let spelled = c.dot("a type")?;
    let ty = Type::parse(spelled).ok_or_else(|| ParseError::new(at, format!("`.{spelled}` is not a type")))?;
    c.bump();
    while let TokenKind::Dot(attribute) = c.peek() {
        c.bump();
        match attribute {
            "align" => drop(variable::alignment(c)?),
            space if Space::parse(space).is_some() => {}
            other => return Err(ParseError::new(at, format!("unknown attribute `.{other}` of a pointer parameter"))),
        }
    }
    let name = c.word("a parameter name")?.to_string();
    let (init, relocations) = (Vec::new(), Vec::new());
    Ok(Variable {
        name,
        space: Space::Param,
        ty: spelled.to_owned(),
        pointer: true,
        array: false,
        align: ty.bytes(),
        size: Some(ty.bytes()),
        init,
        relocations,
        at,
    })
}

/// Directives between the parameters and the body, and the error of the first that is not known.
fn directives(c: &mut Cursor<'_>) -> Result<(Needs, Option<ParseError>)> {
    let (mut needs, mut unknown) = (Needs::default(), None);
    while let TokenKind::Dot(name) = c.peek() {
        let at = c.at();
        c.bump();
        match name {
            "reqntid" => needs.threads = Some(triple(c)?),
            "maxntid" => needs.max_threads = Some(triple(c)?),
            "reqnctapercluster" => needs.cluster = Some(triple(c)?),
            "minnctapersm" => needs.min_blocks = Some(number(c)?),
            "maxnreg" => needs.max_registers = Some(number(c)?),
            "maxclusterrank" | "maxnctapersm" => drop(c.unsigned("a number")?),
            "explicitcluster" | "noreturn" | "blocksareclusters" => {}
            "pragma" => drop(statement::pragma(c)?),
            other => {
                unknown.get_or_insert_with(|| ParseError::new(at, format!("unknown function directive `.{other}`")));
                while let TokenKind::Number(_) | TokenKind::Punct(',') = c.peek() {
                    c.bump();
                }
            }
        }
    }
    Ok((needs, unknown))
}

fn number(c: &mut Cursor<'_>) -> Result<u32> {
    let at = c.at();
    u32::try_from(c.unsigned("a number")?).map_err(|_| ParseError::new(at, "expected a number of 32 bits"))
}

fn triple(c: &mut Cursor<'_>) -> Result<Dim3> {
    let mut out = [1; 3];
    for (i, slot) in out.iter_mut().enumerate() {
        if i > 0 && !c.eat(',') {
            break;
        }
        *slot = c.u32("a number of threads or blocks")?;
    }
    Ok(Dim3(out))
}
