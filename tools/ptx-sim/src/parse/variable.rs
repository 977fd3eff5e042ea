//! Declarations of variables and parameters (PTX ISA 5.4).

use super::ast::Variable;
use super::cursor::Cursor;
use super::initializer;
use super::lexer::TokenKind;
use super::types::{Space, Type};
use super::{ParseError, Result};

/// The largest static variable that is accepted, in bytes.
const LARGEST: u64 = 1 << 30;

/// Parses `.space [.align n] .type name[dims] [= initializer]`, without the token after it.
pub(crate) fn parse(c: &mut Cursor<'_>) -> Result<Variable> {
    let at = c.at();
    let space = c.dot("a state space")?;
    let space = Space::parse(space).ok_or_else(|| ParseError::new(at, format!("`.{space}` is not a state space")))?;
    let mut attributes = Attributes::default();
    while attributes.read(c)? {}
    let type_at = c.at();
    let spelled = c.dot("a type")?;
    let ty = Type::parse(spelled).ok_or_else(|| ParseError::new(type_at, format!("`.{spelled}` is not a type")))?;
    let element = ty.bytes() * attributes.lanes;
    let name = c.word("a name")?.to_string();
    let bracketed = c.peek() == TokenKind::Punct('[');
    let count = dimensions(c)?;
    let size = count.map(|n| checked_size(n, element, c)).transpose()?;
    let mut variable = Variable {
        name,
        space,
        ty: spelled.to_owned(),
        pointer: false,
        array: bracketed,
        align: attributes.align.unwrap_or(element).max(1),
        size,
        init: Vec::new(),
        relocations: Vec::new(),
        at,
    };
    if c.eat('=') {
        initializer::parse(c, ty, &mut variable)?;
    }
    Ok(variable)
}

fn checked_size(count: u64, element: u64, c: &Cursor<'_>) -> Result<u64> {
    count
        .checked_mul(element)
        .filter(|&n| n <= LARGEST)
        .ok_or_else(|| ParseError::new(c.at(), format!("{count} elements of {element} bytes are too many")))
}

struct Attributes {
    align: Option<u64>,
    /// Elements of `.v2` and `.v4`.
    lanes: u64,
}

impl Default for Attributes {
    fn default() -> Self {
        Self { align: None, lanes: 1 }
    }
}

impl Attributes {
    /// Reads one attribute; returns false if the next token is none.
    fn read(&mut self, c: &mut Cursor<'_>) -> Result<bool> {
        match c.peek() {
            TokenKind::Dot("align") => {
                c.bump();
                self.align = Some(alignment(c)?);
            }
            TokenKind::Dot(v @ ("v2" | "v4")) => {
                c.bump();
                self.lanes = if v == "v2" { 2 } else { 4 };
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The number after `.align`.
pub(crate) fn alignment(c: &mut Cursor<'_>) -> Result<u64> {
    let at = c.at();
    let align = c.unsigned("an alignment")?;
    if align.is_power_of_two() && align <= 1 << 20 {
        Ok(align)
    } else {
        Err(ParseError::new(at, format!("got alignment {align}, expected a power of two up to 2^20")))
    }
}

/// The number of elements that `[a][b]` declares; 1 without brackets, none for `[]`.
fn dimensions(c: &mut Cursor<'_>) -> Result<Option<u64>> {
    let mut count = Some(1u64);
    while c.eat('[') {
        if c.eat(']') {
            count = None;
            continue;
        }
        let at = c.at();
        let extent = c.unsigned("an array extent")?;
        c.punct(']')?;
        if let Some(n) = count {
            let n = n.checked_mul(extent).ok_or_else(|| ParseError::new(at, "the array is too large"))?;
            count = Some(n);
        }
    }
    Ok(count)
}
