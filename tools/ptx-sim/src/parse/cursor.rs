//! A cursor over tokens, with the few helpers that every part of the grammar needs.

use super::lexer::{Token, TokenKind};
use super::number::Number;
use super::{ParseError, Position, Result};

/// The maximum nesting depth of scopes, operands and initializers. Compilers print three levels.
const DEEPEST: u32 = 64;

pub(crate) struct Cursor<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
    /// The number of nested forms that are open.
    depth: u32,
}

/// A token as shown in a message.
fn show(kind: TokenKind<'_>) -> String {
    match kind {
        TokenKind::Word(w) => format!("`{w}`"),
        TokenKind::Dot(d) => format!("`.{d}`"),
        TokenKind::Number(_) => "a number".into(),
        TokenKind::Text(t) => format!("\"{t}\""),
        TokenKind::Punct(c) => format!("`{c}`"),
        TokenKind::End => "the end of the text".into(),
    }
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(tokens: Vec<Token<'a>>) -> Self {
        Self { tokens, next: 0, depth: 0 }
    }

    pub(crate) fn peek(&self) -> TokenKind<'a> {
        self.peek_at(0)
    }

    /// The token `ahead` tokens from here; past the end it is [`TokenKind::End`].
    pub(crate) fn peek_at(&self, ahead: usize) -> TokenKind<'a> {
        self.tokens.get(self.next + ahead).map_or(TokenKind::End, |t| t.kind)
    }

    pub(crate) fn at(&self) -> Position {
        self.tokens.get(self.next).or(self.tokens.last()).map_or(Position::default(), |t| t.at)
    }

    pub(crate) fn bump(&mut self) -> TokenKind<'a> {
        let kind = self.peek();
        self.next += 1;
        kind
    }

    /// The error "got X, expected Y" at the next token.
    pub(crate) fn expected(&self, what: &str) -> ParseError {
        ParseError::new(self.at(), format!("got {}, expected {what}", show(self.peek())))
    }

    pub(crate) fn eat(&mut self, c: char) -> bool {
        let hit = self.peek() == TokenKind::Punct(c);
        self.next += usize::from(hit);
        hit
    }

    pub(crate) fn punct(&mut self, c: char) -> Result<()> {
        if self.eat(c) { Ok(()) } else { Err(self.expected(&format!("`{c}`"))) }
    }

    pub(crate) fn word(&mut self, what: &str) -> Result<&'a str> {
        match self.peek() {
            TokenKind::Word(w) => {
                self.next += 1;
                Ok(w)
            }
            _ => Err(self.expected(what)),
        }
    }

    pub(crate) fn dot(&mut self, what: &str) -> Result<&'a str> {
        match self.peek() {
            TokenKind::Dot(d) => {
                self.next += 1;
                Ok(d)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Parses a form that may contain others of its kind. Nesting too deeply is an error rather than a stack overflow.
    pub(crate) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEEPEST {
            return Err(ParseError::new(self.at(), format!("nested more than {DEEPEST} deep")));
        }
        self.depth += 1;
        let out = parse(self);
        self.depth -= 1;
        out
    }

    pub(crate) fn unsigned(&mut self, what: &str) -> Result<u64> {
        match self.peek() {
            TokenKind::Number(Number::Integer(v)) => {
                self.next += 1;
                Ok(v)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// An integer with an optional sign.
    pub(crate) fn integer(&mut self, what: &str) -> Result<i128> {
        let negative = self.eat('-');
        let value = i128::from(self.unsigned(what)?);
        Ok(if negative { -value } else { value })
    }

    pub(crate) fn u32(&mut self, what: &str) -> Result<u32> {
        let at = self.at();
        let value = self.unsigned(what)?;
        u32::try_from(value).map_err(|_| ParseError::new(at, format!("{value} is too large for {what}")))
    }
}
