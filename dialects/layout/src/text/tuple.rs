//! Nested tuples.

use super::lexer::{Lexer, Token};
use crate::LayoutError;

/// The deepest nesting of tuples that is accepted.
const MAX_NESTED: usize = 32;

/// One step of the nesting of a tuple.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Nesting {
    Open,
    Item,
    Comma,
    Close,
}

/// Reads a tuple, whose items `item` reads, and returns its nesting.
pub(super) fn tuple<'a>(
    lexer: &mut Lexer<'a>,
    mut item: impl FnMut(&mut Lexer<'a>) -> Result<(), LayoutError>,
) -> Result<Vec<Nesting>, LayoutError> {
    let mut nesting = Vec::new();
    let mut depth = 0usize;
    loop {
        let at = lexer.at();
        if lexer.take('(') {
            nesting.push(Nesting::Open);
            depth += 1;
            if depth > MAX_NESTED {
                let text = format!("got tuples nested deeper than {MAX_NESTED}, expected at most that");
                return Err(LayoutError::refused(at, text));
            }
            if lexer.peek() != Token::Sign(')') {
                continue;
            }
        } else {
            item(lexer)?;
            nesting.push(Nesting::Item);
        }
        while depth > 0 && lexer.take(')') {
            nesting.push(Nesting::Close);
            depth -= 1;
        }
        if depth == 0 {
            return Ok(nesting);
        }
        if !lexer.take(',') {
            return Err(lexer.error("',' or ')'"));
        }
        nesting.push(Nesting::Comma);
    }
}

/// `((x, x), x)`
pub(super) fn written(nesting: &[Nesting]) -> String {
    let sign = |step: &Nesting| match step {
        Nesting::Open => "(",
        Nesting::Item => "x",
        Nesting::Comma => ", ",
        Nesting::Close => ")",
    };
    nesting.iter().map(sign).collect()
}

/// Reverses the iters within each entry of the outer tuple: there CuTe's fastest iter is the leftmost, ours the last.
pub(super) fn fastest_last<T>(nesting: &[Nesting], iters: &mut [T]) {
    let (mut depth, mut start, mut end) = (0usize, 0usize, 0usize);
    for step in nesting {
        match step {
            Nesting::Open => depth += 1,
            Nesting::Close => depth -= 1,
            Nesting::Item => end += 1,
            Nesting::Comma => {}
        }
        if depth <= 1 {
            if let Some(entry) = iters.get_mut(start..end) {
                entry.reverse();
            }
            start = end;
        }
    }
}
