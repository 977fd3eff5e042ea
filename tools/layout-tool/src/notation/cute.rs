//! CuTe's notation, as CuTe prints it and as the types of CuTe IR hold it.

use tile_layout::{Layout, Swizzle};

use super::lexer::{Lexer, Token};
use super::moved;
use crate::error::ToolError;
use crate::modes::{Modes, Part};

/// The deepest nesting that is read.
const MAX_NESTED: usize = 32;

/// Whether a text can only be CuTe's: a composition, or static numbers.
pub(super) fn is_cute(text: &str) -> bool {
    text.contains(" o ") || text.contains("(_") || text.contains(",_")
}

/// A nested tuple of numbers.
enum Tree {
    Number(i64),
    Tuple(Vec<Tree>),
}

pub(super) fn read(text: &str) -> Result<Modes, ToolError> {
    let trimmed = text.trim_start();
    if let Some(rest) = trimmed.strip_prefix("!cute.") {
        let quoted = rest.split_once('<').and_then(|(_, body)| body.trim_end().strip_suffix('>'));
        let inner = quoted.and_then(|body| body.trim().strip_prefix('"')?.strip_suffix('"'));
        let mut lexer = Lexer::new(text);
        (0..2).for_each(|_| lexer.advance());
        let inner = inner.ok_or_else(|| lexer.error("'<\"', a layout, and '\">'"))?;
        let start = text.find(inner).unwrap_or(0);
        return read(inner).map_err(|error| moved(error, text, start));
    }
    let mut lexer = Lexer::new(text);
    let mut modes = Modes::default();
    if let Token::Word("S" | "Sw" | "Swizzle") = lexer.peek() {
        lexer.advance();
        modes.swizzle = Some(swizzle(&mut lexer)?);
        composed(&mut lexer)?;
    }
    let start = lexer.at();
    if let Token::Number(_) = lexer.peek() {
        let offset = lexer.number("an offset")?;
        if lexer.take_word("o") {
            modes.offset = offset;
        } else {
            lexer = Lexer::new(text);
            while lexer.at() < start {
                lexer.advance();
            }
        }
    }
    let extents = tree(&mut lexer, 0)?;
    lexer.expect(':')?;
    let at = lexer.at();
    let strides = tree(&mut lexer, 0)?;
    if lexer.peek() != Token::End {
        return Err(lexer.error("the end"));
    }
    let outer = |tree: Tree| match tree {
        Tree::Tuple(entries) => entries,
        number @ Tree::Number(_) => vec![number],
    };
    let (extents, strides) = (outer(extents), outer(strides));
    let mode = |(extents, strides): (&Tree, &Tree)| {
        let mut parts = Vec::new();
        paired(extents, strides, &mut parts).then_some(parts)
    };
    let pairs = extents.iter().zip(&strides).map(mode).collect::<Option<Vec<Vec<Part>>>>();
    let pairs = pairs.filter(|_| extents.len() == strides.len());
    let mismatch = || lexer.refused(at, "got strides of another nesting, expected that of the extents".to_owned());
    modes.modes = pairs.ok_or_else(mismatch)?;
    Ok(modes)
}

/// Pairs numbers of the same place; whether both have the same nesting.
fn paired(extents: &Tree, strides: &Tree, parts: &mut Vec<Part>) -> bool {
    match (extents, strides) {
        (Tree::Number(extent), Tree::Number(stride)) => {
            parts.push((*extent, *stride));
            true
        }
        (Tree::Tuple(extents), Tree::Tuple(strides)) => {
            extents.len() == strides.len()
                && extents.iter().zip(strides).all(|(extent, stride)| paired(extent, stride, parts))
        }
        _ => false,
    }
}

fn tree(lexer: &mut Lexer<'_>, depth: usize) -> Result<Tree, ToolError> {
    if !lexer.take('(') {
        return lexer.number("a number or '('").map(Tree::Number);
    }
    if depth == MAX_NESTED {
        return Err(lexer.error(&format!("at most {MAX_NESTED} tuples inside each other")));
    }
    let mut entries = Vec::new();
    while !lexer.take(')') {
        if !entries.is_empty() {
            lexer.expect(',')?;
        }
        entries.push(tree(lexer, depth + 1)?);
    }
    Ok(Tree::Tuple(entries))
}

/// `<bits, base, shift>`.
fn swizzle(lexer: &mut Lexer<'_>) -> Result<Swizzle, ToolError> {
    lexer.expect('<')?;
    let at = lexer.at();
    let bits = lexer.number("the number of bits")?;
    lexer.expect(',')?;
    let base = lexer.number("the base")?;
    lexer.expect(',')?;
    let shift = lexer.number("the shift")?;
    lexer.expect('>')?;
    let [len, per_element] = [bits, base].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    let atom_len = u32::try_from(shift.unsigned_abs()).unwrap_or(u32::MAX);
    Swizzle::new(per_element, len, atom_len, shift >= 0).map_err(|error| lexer.refused(at, error.to_string()))
}

fn composed(lexer: &mut Lexer<'_>) -> Result<(), ToolError> {
    if lexer.take_word("o") { Ok(()) } else { Err(lexer.error("'o'")) }
}

/// The shape that the extents of a text in the project's notation have: the product of each entry of the outer tuple.
pub(super) fn shape_of(text: &str, layout: &Layout) -> Vec<i64> {
    let product = |tree: &Tree| {
        fn size(tree: &Tree) -> i64 {
            match tree {
                Tree::Number(number) => *number,
                Tree::Tuple(entries) => entries.iter().map(size).fold(1, i64::saturating_mul),
            }
        }
        size(tree)
    };
    let extents: Vec<i64> = match tree(&mut Lexer::new(text), 0) {
        Ok(Tree::Tuple(entries)) => entries.iter().map(product).collect(),
        Ok(number) => vec![product(&number)],
        Err(_) => layout.shard.iter().map(|iter| iter.extent).collect(),
    };
    let fits = extents.iter().copied().fold(1, i64::saturating_mul) == layout.size();
    if fits { extents } else { layout.shard.iter().map(|iter| iter.extent).collect() }
}
