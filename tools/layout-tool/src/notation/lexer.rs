//! Words, numbers and signs of the foreign notations, with their places.

use crate::error::ToolError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Word(&'t str),
    /// Decimal, with a `-` or CuTe's `_` before it if it is static.
    Number(&'t str),
    Sign(char),
    End,
}

/// Reads a text token by token.
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Lexer { text, at: 0 }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default().trim_start()
    }

    /// The place of the next token.
    pub(super) fn at(&self) -> usize {
        self.text.len() - self.rest().len()
    }

    pub(super) fn peek(&self) -> Token<'t> {
        let rest = self.rest();
        let digits = rest.strip_prefix(['_', '-']).unwrap_or(rest);
        let Some(first) = rest.chars().next() else { return Token::End };
        if digits.starts_with(|c: char| c.is_ascii_digit()) {
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            return Token::Number(&rest[..rest.len() - digits.len() + end]);
        }
        if first.is_ascii_alphabetic() {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
            return Token::Word(&rest[..end]);
        }
        Token::Sign(first)
    }

    pub(super) fn advance(&mut self) {
        let len = match self.peek() {
            Token::Word(text) | Token::Number(text) => text.len(),
            Token::Sign(sign) => sign.len_utf8(),
            Token::End => 0,
        };
        self.at = self.at() + len;
    }

    pub(super) fn take(&mut self, sign: char) -> bool {
        let is_next = self.peek() == Token::Sign(sign);
        if is_next {
            self.advance();
        }
        is_next
    }

    pub(super) fn expect(&mut self, sign: char) -> Result<(), ToolError> {
        if self.take(sign) { Ok(()) } else { Err(self.error(&format!("'{sign}'"))) }
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let is_next = self.peek() == Token::Word(word);
        if is_next {
            self.advance();
        }
        is_next
    }

    pub(super) fn number(&mut self, expected: &str) -> Result<i64, ToolError> {
        let Token::Number(text) = self.peek() else { return Err(self.error(expected)) };
        let number = text.strip_prefix('_').unwrap_or(text).parse().map_err(|_| self.error(expected))?;
        self.advance();
        Ok(number)
    }

    /// The refusal of the next token.
    pub(super) fn error(&self, expected: &str) -> ToolError {
        let got = match self.peek() {
            Token::Word(text) | Token::Number(text) => format!("'{text}'"),
            Token::Sign(sign) => format!("'{sign}'"),
            Token::End => "the end".to_owned(),
        };
        self.refused(self.at(), format!("got {got}, expected {expected}"))
    }

    pub(super) fn refused(&self, at: usize, message: String) -> ToolError {
        ToolError::Text { text: self.text.to_owned(), at, message }
    }
}
