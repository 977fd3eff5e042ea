//! Text to layout.

use std::str::FromStr;

use super::lexer::{Lexer, Token};
use super::tuple::{self, tuple};
use crate::{Axis, Iter, Layout, LayoutError, OPEN, Swizzle};

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
    /// [`LayoutError::Parse`] or [`LayoutError::Refused`], with the position in bytes, got and expected.
    pub fn parse(text: &str) -> Result<Layout, LayoutError> {
        text.parse()
    }
}

/// `extents : strides`.
fn iters(lexer: &mut Lexer<'_>) -> Result<Vec<Iter>, LayoutError> {
    let mut extents = Vec::new();
    let nesting = tuple(lexer, |lexer| {
        extents.push(extent(lexer)?);
        Ok(())
    })?;
    lexer.expect(':')?;
    let at = lexer.at();
    let mut strides = Vec::with_capacity(extents.len());
    let other = tuple(lexer, |lexer| {
        strides.push(stride(lexer)?);
        Ok(())
    })?;
    if strides.len() != extents.len() {
        let (got, expected) = (strides.len(), extents.len());
        return Err(LayoutError::refused(at, format!("got {got} strides, expected {expected}, one for each extent")));
    }
    if other != nesting {
        let (got, expected) = (tuple::written(&other), tuple::written(&nesting));
        return Err(LayoutError::refused(
            at,
            format!("got strides nested as {got}, expected {expected}, as the extents are"),
        ));
    }
    let mut both: Vec<_> = extents.into_iter().zip(strides).collect();
    tuple::fastest_last(&nesting, &mut both);
    number_run_time(at, both)
}

/// An extent; [`OPEN`] for `?`.
fn extent(lexer: &mut Lexer<'_>) -> Result<i64, LayoutError> {
    if lexer.take('?') {
        return Ok(OPEN);
    }
    let at = lexer.at();
    match lexer.number("an extent (an integer of 64 bits) or '?'")? {
        OPEN => Err(LayoutError::refused(at, format!("got extent {OPEN}, expected at least 1"))),
        extent => Ok(extent),
    }
}

/// A stride and its axis; `None` for `?`.
fn stride(lexer: &mut Lexer<'_>) -> Result<Option<(i64, Axis)>, LayoutError> {
    if lexer.take('?') {
        return Ok(None);
    }
    let stride = lexer.number("a stride (an integer of 64 bits) or '?'")?;
    Ok(Some((stride, axis(lexer)?)))
}

/// The iters, where each stride `?` is one step on the next one of the axes `s0`, `s1`, ….
fn number_run_time(at: usize, both: Vec<(i64, Option<(i64, Axis)>)>) -> Result<Vec<Iter>, LayoutError> {
    let marks = both.iter().filter(|(_, stride)| stride.is_none()).count();
    let most = Axis::STRIDES.len();
    if marks > most {
        return Err(LayoutError::refused(at, format!("got {marks} strides '?', expected at most {most}")));
    }
    let mut axes = Axis::STRIDES.into_iter();
    let place = |stride: Option<(i64, Axis)>, next: Option<Axis>| stride.unwrap_or((1, next.unwrap_or(Axis::Memory)));
    let iter = |(extent, stride): (i64, Option<(i64, Axis)>)| {
        let next = if stride.is_none() { axes.next() } else { None };
        let (stride, axis) = place(stride, next);
        Iter::new(extent, stride, axis)
    };
    Ok(both.into_iter().map(iter).collect())
}

/// `@axis`, or nothing for memory.
fn axis(lexer: &mut Lexer<'_>) -> Result<Axis, LayoutError> {
    if !lexer.take('@') {
        return Ok(Axis::Memory);
    }
    let Token::Word(name) = lexer.peek() else { return Err(lexer.error("the name of an axis")) };
    let axis = name.parse().map_err(|error: LayoutError| LayoutError::refused(lexer.at(), error.to_string()))?;
    lexer.advance();
    Ok(axis)
}

/// The part after a `+`: a replica or an offset.
fn summand(lexer: &mut Lexer<'_>, layout: &mut Layout) -> Result<(), LayoutError> {
    let at = lexer.at();
    if lexer.peek() == Token::Word("R") {
        if !layout.replica.is_empty() {
            let text = "got a second replica, expected one; several digits go into one, as in R((2, 2) : (4, 16))";
            return Err(LayoutError::refused(at, text));
        }
        lexer.advance();
        lexer.expect('(')?;
        layout.replica = iters(lexer)?;
        return lexer.expect(')');
    }
    if lexer.peek() == Token::Sign('?') {
        let text = "got an offset '?', expected a number; run-time offsets belong in the region of a copy";
        return Err(LayoutError::refused(at, text));
    }
    let value: i64 = lexer.number("a replica 'R(..)' or an offset (an integer of 64 bits)")?;
    let axis = axis(lexer)?;
    if layout.offset.insert(axis, value).is_some() {
        let text = format!("got a second offset, {value}, on axis '{axis}', expected one for each axis");
        return Err(LayoutError::refused(at, text));
    }
    Ok(())
}

/// The part after the `,`: `swizzle<base = 3, bits = 3, shift = 3>`, or CuTe's `Sw<3, 3, 3>`.
fn swizzle(lexer: &mut Lexer<'_>) -> Result<Swizzle, LayoutError> {
    match lexer.peek() {
        Token::Word("swizzle") => {
            lexer.advance();
            lexer.expect('<')?;
            let swizzle = if let Token::Word(_) = lexer.peek() { named(lexer)? } else { positional(lexer)? };
            lexer.expect('>')?;
            Ok(swizzle)
        }
        Token::Word("Sw") => {
            lexer.advance();
            cute(lexer)
        }
        _ => Err(lexer.error("'swizzle' or 'Sw'")),
    }
}

/// The fields of a swizzle by name, in any order, and `outer` for the other direction.
fn named(lexer: &mut Lexer<'_>) -> Result<Swizzle, LayoutError> {
    let mut fields = [("base", BASE, None), ("bits", BITS, None), ("shift", SHIFT, None)];
    let mut inner = None;
    loop {
        let at = lexer.at();
        let Token::Word(name) = lexer.peek() else { return Err(lexer.error("'base', 'bits' or 'shift'")) };
        let is_new = if let Some((_, expected, value)) = fields.iter_mut().find(|(field, ..)| *field == name) {
            lexer.advance();
            lexer.expect('=')?;
            value.replace(lexer.number(expected)?).is_none()
        } else {
            inner.replace(direction(lexer, "'base', 'bits', 'shift', 'inner' or 'outer'")?).is_none()
        };
        if !is_new {
            return Err(LayoutError::refused(at, format!("got a second '{name}', expected each field once")));
        }
        if !lexer.take(',') {
            break;
        }
    }
    let [base, bits, shift] =
        fields.map(|(name, _, value)| value.ok_or_else(|| lexer.error(format!("', {name} = …'"))));
    Ok(Swizzle { per_element: base?, len: bits?, atom_len: shift?, inner: inner.unwrap_or(true) })
}

/// `base, bits, shift` without names, as texts were written before these had names; `, outer` for the other direction.
fn positional(lexer: &mut Lexer<'_>) -> Result<Swizzle, LayoutError> {
    let per_element = lexer.number(BASE)?;
    lexer.expect(',')?;
    let len = lexer.number(BITS)?;
    lexer.expect(',')?;
    let atom_len = lexer.number(SHIFT)?;
    let inner = if lexer.take(',') { direction(lexer, "'inner' or 'outer'")? } else { true };
    Ok(Swizzle { per_element, len, atom_len, inner })
}

/// The part after `Sw`: `<bits, base, shift>` in CuTe's order. Low bits change high ones where the shift is negative.
pub(super) fn cute(lexer: &mut Lexer<'_>) -> Result<Swizzle, LayoutError> {
    lexer.expect('<')?;
    let len = lexer.number(BITS)?;
    lexer.expect(',')?;
    let per_element = lexer.number(BASE)?;
    lexer.expect(',')?;
    let at = lexer.at();
    let shift: i64 = lexer.number("the distance of the bits, from -61 to 61")?;
    let atom_len = u32::try_from(shift.unsigned_abs()).ok();
    let atom_len = atom_len.ok_or_else(|| LayoutError::refused(at, format!("got {shift}, expected -61 to 61")))?;
    lexer.expect('>')?;
    Ok(Swizzle { per_element, len, atom_len, inner: shift >= 0 })
}

/// `inner` or `outer`: whether high bits change low ones.
fn direction(lexer: &mut Lexer<'_>, expected: &str) -> Result<bool, LayoutError> {
    let inner = match lexer.peek() {
        Token::Word("inner") => true,
        Token::Word("outer") => false,
        _ => return Err(lexer.error(expected)),
    };
    lexer.advance();
    Ok(inner)
}

const BASE: &str = "the elements that stay together, as a number of bits from 0 to 61";
const BITS: &str = "how many bits are exchanged, from 0 to 61";
const SHIFT: &str = "the distance of the bits, from 0 to 61";

impl FromStr for Axis {
    type Err = LayoutError;

    fn from_str(name: &str) -> Result<Self, LayoutError> {
        Self::ALL
            .into_iter()
            .find(|axis| axis.name() == name)
            .ok_or_else(|| LayoutError::UnknownAxis { name: name.to_owned() })
    }
}
