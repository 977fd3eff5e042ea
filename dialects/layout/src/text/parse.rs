//! Text to layout.

use std::str::FromStr;

use super::lexer::{Lexer, Token};
use crate::{Axis, Iter, Layout, LayoutError, Swizzle};

impl FromStr for Layout {
    type Err = LayoutError;

    /// Reads the text form, see [`crate::text`].
    fn from_str(text: &str) -> Result<Self, LayoutError> {
        let mut lexer = Lexer::new(text);
        let mut layout = Layout::new(iters(&mut lexer)?);
        loop {
            if lexer.take('+') {
                summand(&mut lexer, &mut layout)?;
            } else if layout.swizzle.is_none() && lexer.take(',') {
                layout.swizzle = Some(swizzle(&mut lexer)?);
            } else if lexer.peek() == Token::End {
                return Ok(layout);
            } else {
                return Err(lexer.error("'+', ', swizzle<..>' once, or the end"));
            }
        }
    }
}

impl Layout {
    /// Reads the text form, see [`crate::text`].
    ///
    /// # Errors
    /// [`LayoutError::Parse`] with the position in bytes, what is there and what could be.
    pub fn parse(text: &str) -> Result<Layout, LayoutError> {
        text.parse()
    }
}

/// `extents : strides`.
fn iters(lexer: &mut Lexer<'_>) -> Result<Vec<Iter>, LayoutError> {
    let mut extents = Vec::new();
    let nesting = tuple(lexer, |lexer| {
        extents.push(lexer.number::<i64>("an extent (an integer of 64 bits)")?);
        Ok(())
    })?;
    lexer.expect(':')?;
    let mut iters = Vec::with_capacity(extents.len());
    let mut extents = extents.into_iter();
    strides(lexer, &nesting, |lexer| {
        let stride = lexer.number("a stride (an integer of 64 bits)")?;
        let axis = axis(lexer)?;
        iters.extend(extents.next().map(|extent| Iter::new(extent, stride, axis)));
        Ok(())
    })?;
    fastest_last(&nesting, &mut iters);
    Ok(iters)
}

/// Inside an entry of the outer tuple the leftmost digit is the fastest, as CuTe counts; ours is the last.
fn fastest_last(nesting: &[Nesting], iters: &mut [Iter]) {
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

/// How a tuple is nested.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nesting {
    Open,
    Item,
    Comma,
    Close,
}

/// Reads a tuple, its items by `item`, and returns its nesting. A loop rather than a recursion, so that no nesting is
/// too deep.
fn tuple<'a>(
    lexer: &mut Lexer<'a>,
    mut item: impl FnMut(&mut Lexer<'a>) -> Result<(), LayoutError>,
) -> Result<Vec<Nesting>, LayoutError> {
    let mut nesting = Vec::new();
    let mut depth = 0usize;
    loop {
        if lexer.take('(') {
            nesting.push(Nesting::Open);
            depth += 1;
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

/// Reads a tuple of a given nesting.
fn strides<'a>(
    lexer: &mut Lexer<'a>,
    nesting: &[Nesting],
    mut item: impl FnMut(&mut Lexer<'a>) -> Result<(), LayoutError>,
) -> Result<(), LayoutError> {
    for step in nesting {
        let sign = match step {
            Nesting::Item => {
                item(lexer)?;
                continue;
            }
            Nesting::Open => '(',
            Nesting::Comma => ',',
            Nesting::Close => ')',
        };
        if !lexer.take(sign) {
            return Err(lexer.error(format!("'{sign}', as the strides are nested like the extents")));
        }
    }
    Ok(())
}

/// `@axis`, or nothing for memory.
fn axis(lexer: &mut Lexer<'_>) -> Result<Axis, LayoutError> {
    if !lexer.take('@') {
        return Ok(Axis::Memory);
    }
    let found = match lexer.peek() {
        Token::Word(name) => name.parse().ok(),
        _ => None,
    };
    let axis = found.ok_or_else(|| lexer.error(format!("an axis: {}", Axis::ALL.map(Axis::name).join(", "))))?;
    lexer.advance();
    Ok(axis)
}

/// What follows a `+`: a replica or an offset.
fn summand(lexer: &mut Lexer<'_>, layout: &mut Layout) -> Result<(), LayoutError> {
    if lexer.peek() == Token::Word("R") {
        lexer.advance();
        lexer.expect('(')?;
        layout.replica.extend(iters(lexer)?);
        return lexer.expect(')');
    }
    let too_large = lexer.error("an offset that adds up to 64 bits with those before");
    let value: i64 = lexer.number("a replica 'R(..)' or an offset (an integer of 64 bits)")?;
    let total = layout.offset.entry(axis(lexer)?).or_default();
    *total = total.checked_add(value).ok_or(too_large)?;
    Ok(())
}

/// What follows the `,`: `swizzle<per_element, len, atom_len>`, with `, outer` for the other direction.
fn swizzle(lexer: &mut Lexer<'_>) -> Result<Swizzle, LayoutError> {
    if lexer.peek() != Token::Word("swizzle") {
        return Err(lexer.error("'swizzle'"));
    }
    lexer.advance();
    lexer.expect('<')?;
    let per_element = lexer.number("per_element (log2 of the elements that stay together)")?;
    lexer.expect(',')?;
    let len = lexer.number("the number of bits exchanged")?;
    lexer.expect(',')?;
    let atom_len = lexer.number("the distance of the bits")?;
    let mut inner = true;
    if lexer.take(',') {
        inner = match lexer.peek() {
            Token::Word("inner") => true,
            Token::Word("outer") => false,
            _ => return Err(lexer.error("'inner' or 'outer'")),
        };
        lexer.advance();
    }
    lexer.expect('>')?;
    Ok(Swizzle { per_element, len, atom_len, inner })
}
impl FromStr for Axis {
    type Err = LayoutError;

    fn from_str(name: &str) -> Result<Self, LayoutError> {
        Self::ALL
            .into_iter()
            .find(|axis| axis.name() == name)
            .ok_or_else(|| LayoutError::UnknownAxis { name: name.to_owned() })
    }
}
