//! Words, numbers and signs, with where they stand.

use std::fmt;

use crate::LayoutError;

/// One piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    Number(&'a str),
    Sign(char),
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(text) | Token::Number(text) => write!(f, "'{text}'"),
            Token::Sign(sign) => write!(f, "{sign:?}"),
            Token::End => f.write_str("the end"),
        }
    }
}

/// Reads a text piece by piece, one piece ahead.
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// Where the next piece starts, in bytes.
    at: usize,
    /// The next piece.
    next: Token<'a>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut lexer = Lexer { text, at: 0, next: Token::End };
        lexer.scan(0);
        lexer
    }

    pub(super) fn peek(&self) -> Token<'a> {
        self.next
    }

    /// Skips white space from `from` on and finds the piece behind it.
    fn scan(&mut self, from: usize) {
        let rest = self.text.get(from..).unwrap_or_default();
        let trimmed = rest.trim_start();
        self.at = from + (rest.len() - trimmed.len());
        let mut chars = trimmed.chars();
        self.next = match chars.next() {
            None => Token::End,
            Some(first) if first.is_ascii_alphabetic() || first == '_' => {
                Token::Word(prefix(trimmed, |c| c.is_ascii_alphanumeric() || c == '_'))
            }
            Some(first) if first.is_ascii_digit() => Token::Number(prefix(trimmed, |c| c.is_ascii_alphanumeric())),
            Some('-') if chars.next().is_some_and(|digit| digit.is_ascii_digit()) => {
                let digits = prefix(&trimmed[1..], |c| c.is_ascii_alphanumeric());
                Token::Number(&trimmed[..1 + digits.len()])
            }
            Some(sign) => Token::Sign(sign),
        };
    }

    /// Goes on to the next piece.
    pub(super) fn advance(&mut self) {
        let len = match self.next {
            Token::Word(text) | Token::Number(text) => text.len(),
            Token::Sign(sign) => sign.len_utf8(),
            Token::End => 0,
        };
        self.scan(self.at + len);
    }

    /// Consumes a sign if it is next.
    pub(super) fn take(&mut self, sign: char) -> bool {
        let found = self.next == Token::Sign(sign);
        if found {
            self.advance();
        }
        found
    }

    /// Consumes a sign, or says that it is missing.
    pub(super) fn expect(&mut self, sign: char) -> Result<(), LayoutError> {
        if self.take(sign) { Ok(()) } else { Err(self.error(format!("'{sign}'"))) }
    }

    /// Consumes a number.
    pub(super) fn number<N: std::str::FromStr>(&mut self, expected: &str) -> Result<N, LayoutError> {
        let Token::Number(text) = self.next else { return Err(self.error(expected)) };
        let number = text.parse().map_err(|_| self.error(expected))?;
        self.advance();
        Ok(number)
    }

    /// The refusal of the next piece.
    pub(super) fn error(&self, expected: impl Into<String>) -> LayoutError {
        LayoutError::Parse { at: self.at, got: self.next.to_string(), expected: expected.into() }
    }
}

/// The longest start of `text` made of such characters.
fn prefix(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    let len = text.find(|c| !belongs(c)).unwrap_or(text.len());
    &text[..len]
}
