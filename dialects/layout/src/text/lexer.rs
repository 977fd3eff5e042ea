//! Words, numbers and signs, with their positions.

use std::fmt;

use crate::LayoutError;

/// One token of the text.
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

/// Reads a text token by token, one token ahead. White space and comments are those of MLIR's lexer.
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// The start of the next token, in bytes.
    at: usize,
    /// The next token.
    next: Token<'a>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut lexer = Lexer { text, at: 0, next: Token::End };
        lexer.scan(0);
        lexer
    }

    /// The start of the next token, in bytes.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> Token<'a> {
        self.next
    }

    /// Skips white space and comments from `from` on and finds the token after them.
    fn scan(&mut self, from: usize) {
        let rest = self.text.get(from..).unwrap_or_default();
        let trimmed = behind_blanks(rest);
        self.at = from + (rest.len() - trimmed.len());
        let mut chars = trimmed.chars();
        self.next = match chars.next() {
            None => Token::End,
            Some(first) if first.is_ascii_alphabetic() || first == '_' => {
                Token::Word(prefix(trimmed, |c| c.is_ascii_alphanumeric() || c == '_'))
            }
            Some(first) if first.is_ascii_digit() => Token::Number(prefix(trimmed, |c| c.is_ascii_alphanumeric())),
            Some('-') => {
                let digits = behind_blanks(&trimmed[1..]);
                match prefix(digits, |c| c.is_ascii_alphanumeric()) {
                    number if number.starts_with(|c: char| c.is_ascii_digit()) => {
                        Token::Number(&trimmed[..trimmed.len() - digits.len() + number.len()])
                    }
                    _ => Token::Sign('-'),
                }
            }
            Some(sign) => Token::Sign(sign),
        };
    }

    /// Advances to the next token.
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
        let is_next = self.next == Token::Sign(sign);
        if is_next {
            self.advance();
        }
        is_next
    }

    /// Consumes a sign, or reports that it is missing.
    pub(super) fn expect(&mut self, sign: char) -> Result<(), LayoutError> {
        if self.take(sign) { Ok(()) } else { Err(self.error(format!("'{sign}'"))) }
    }

    /// Consumes a number.
    pub(super) fn number<N: TryFrom<i128>>(&mut self, expected: &str) -> Result<N, LayoutError> {
        let Token::Number(text) = self.next else { return Err(self.error(expected)) };
        let number = value(text).and_then(|value| N::try_from(value).ok()).ok_or_else(|| self.error(expected))?;
        self.advance();
        Ok(number)
    }

    /// The refusal of the next token.
    pub(super) fn error(&self, expected: impl Into<String>) -> LayoutError {
        LayoutError::Parse { at: self.at, got: self.next.to_string(), expected: expected.into() }
    }
}

/// The value of a decimal or, with `0x`, hexadecimal number, which may have a leading `-`.
fn value(text: &str) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, behind_blanks(digits)));
    let magnitude = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    magnitude.ok().map(|magnitude| sign * i128::from(magnitude))
}

/// `text` from its first token on: behind white space and comments, as MLIR's lexer skips them.
pub fn behind_blanks(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', '\r', '\0']);
        let Some(comment) = rest.strip_prefix("//") else { return rest };
        rest = comment.find(['\n', '\r']).map_or("", |end| &comment[end..]);
    }
}

/// The longest prefix of `text` that consists of such characters.
fn prefix(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    let len = text.find(|c| !belongs(c)).unwrap_or(text.len());
    &text[..len]
}
