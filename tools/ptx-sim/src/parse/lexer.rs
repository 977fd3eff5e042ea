//! Splits text into tokens (PTX ISA 4.2 to 4.5: comments, identifiers, constants).

use super::number::{self, Number};
use super::{ParseError, Position, Result};

/// One token; text is borrowed from the source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TokenKind<'a> {
    /// An identifier, with its leading `%` or `$` if it has one.
    Word(&'a str),
    /// The text after a dot: `global` of `.global`, `L2::128B` of `.L2::128B`.
    Dot(&'a str),
    Number(Number),
    /// The text between quotes, as it is written: [`unescaped`] is what it means.
    Text(&'a str),
    Punct(char),
    End,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind<'a>,
    pub(crate) at: Position,
}

struct Lexer<'a> {
    rest: &'a str,
    at: Position,
}

/// All tokens of `source`, with [`TokenKind::End`] last.
pub(crate) fn tokens(source: &str) -> Result<Vec<Token<'_>>> {
    let mut lexer = Lexer { rest: source, at: Position { line: 1, column: 1 } };
    let mut out = Vec::with_capacity(source.len() / 4);
    loop {
        let token = lexer.token()?;
        out.push(token);
        if token.kind == TokenKind::End {
            return Ok(out);
        }
    }
}

fn is_word_start(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '_' | '$' | '%')
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$')
}

/// The length in bytes of a modifier: name parts joined by `::`.
fn modifier_length(text: &str) -> usize {
    let part = |s: &str| s.find(|c: char| !is_word(c)).unwrap_or(s.len());
    let mut end = part(text);
    while end > 0 && text[end..].starts_with("::") {
        let next = part(&text[end + 2..]);
        if next == 0 {
            break;
        }
        end += 2 + next;
    }
    end
}

impl<'a> Lexer<'a> {
    fn token(&mut self) -> Result<Token<'a>> {
        self.skip_blank()?;
        let at = self.at;
        let Some(first) = self.rest.chars().next() else {
            return Ok(Token { kind: TokenKind::End, at });
        };
        let kind = match first {
            c if is_word_start(c) => {
                let tail = &self.rest[1..];
                let end = 1 + tail.find(|c: char| !is_word(c)).unwrap_or(tail.len());
                TokenKind::Word(self.take(end))
            }
            '.' => self.modifier()?,
            c if c.is_ascii_digit() => self.number()?,
            '"' => self.string()?,
            c => {
                self.take(c.len_utf8());
                TokenKind::Punct(c)
            }
        };
        Ok(Token { kind, at })
    }

    fn modifier(&mut self) -> Result<TokenKind<'a>> {
        let length = modifier_length(&self.rest[1..]);
        if length == 0 {
            return Err(ParseError::new(self.at, "a name is expected after `.`"));
        }
        Ok(TokenKind::Dot(&self.take(1 + length)[1..]))
    }

    fn number(&mut self) -> Result<TokenKind<'a>> {
        let (number, length) = number::scan(self.rest).map_err(|m| ParseError::new(self.at, m))?;
        self.take(length);
        Ok(TokenKind::Number(number))
    }

    fn string(&mut self) -> Result<TokenKind<'a>> {
        let mut escapes = false;
        let closes = |(_, c): &(usize, char)| {
            let escaped = std::mem::replace(&mut escapes, false);
            escapes = !escaped && *c == '\\';
            !escaped && *c == '"'
        };
        let Some((end, _)) = self.rest[1..].char_indices().find(closes) else {
            return Err(ParseError::new(self.at, "a string has no closing `\"`"));
        };
        let text = self.take(end + 2);
        Ok(TokenKind::Text(&text[1..text.len() - 1]))
    }

    fn skip_blank(&mut self) -> Result<()> {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.take(blank);
            if self.rest.starts_with("//") {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.take(end);
            } else if self.rest.starts_with("/*") {
                let Some(end) = self.rest.find("*/") else {
                    return Err(ParseError::new(self.at, "a comment has no closing `*/`"));
                };
                self.take(end + 2);
            } else {
                return Ok(());
            }
        }
    }

    /// Consumes `length` bytes and moves the position past them.
    fn take(&mut self, length: usize) -> &'a str {
        let (text, rest) = self.rest.split_at(length);
        for c in text.chars() {
            if c == '\n' {
                self.at = Position { line: self.at.line + 1, column: 1 };
            } else {
                self.at.column += 1;
            }
        }
        self.rest = rest;
        text
    }
}

/// What a string means: `\"` and `\\` are one character, `\n` and `\t` those of C, and three octal digits a byte.
pub(crate) fn unescaped(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let octal = tail.get(..3).filter(|digits| digits.iter().all(|digit| (b'0'..b'8').contains(digit)));
        (rest, _) = match (first, octal, tail) {
            (b'\\', Some(digits), _) => {
                (&tail[3..], out.push(digits.iter().fold(0, |byte: u8, digit| byte.wrapping_mul(8) + (digit - b'0'))))
            }
            (b'\\', None, [b'n', after @ ..]) => (after, out.push(b'\n')),
            (b'\\', None, [b't', after @ ..]) => (after, out.push(b'\t')),
            (b'\\', None, [escaped, after @ ..]) => (after, out.push(*escaped)),
            _ => (tail, out.push(*first)),
        };
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind<'_>> {
        tokens(text).unwrap().into_iter().map(|t| t.kind).collect()
    }

    #[test]
    fn splits_an_instruction() {
        use TokenKind::*;
        let got = kinds("@!%p1 ld.L2::128B.v2.b32 {%r1, _}, [%rd1+-8]; // tail");
        let want = [
            Punct('@'),
            Punct('!'),
            Word("%p1"),
            Word("ld"),
            Dot("L2::128B"),
            Dot("v2"),
            Dot("b32"),
            Punct('{'),
            Word("%r1"),
            Punct(','),
            Word("_"),
            Punct('}'),
            Punct(','),
            Punct('['),
            Word("%rd1"),
            Punct('+'),
            Punct('-'),
            Number(super::Number::Integer(8)),
            Punct(']'),
            Punct(';'),
            End,
        ];
        assert_eq!(got, want);
    }

    #[test]
    fn shapes_may_begin_with_a_digit() {
        assert_eq!(kinds(".64x128b.warpx2::02_13")[..2], [TokenKind::Dot("64x128b"), TokenKind::Dot("warpx2::02_13")]);
    }

    #[test]
    fn quotes_in_strings_are_escaped() {
        let got = kinds(r#""a\"b.py" "c:\\d\\" "é\303\251\n" x"#);
        let TokenKind::Text(first) = got[0] else { panic!("{got:?}") };
        let TokenKind::Text(second) = got[1] else { panic!("{got:?}") };
        let TokenKind::Text(third) = got[2] else { panic!("{got:?}") };
        assert_eq!([first, second, third].map(unescaped), ["a\"b.py", "c:\\d\\", "éé\n"]);
        assert_eq!(got[3..], [TokenKind::Word("x"), TokenKind::End]);
        assert!(tokens(r#""a\""#).unwrap_err().message.contains("no closing"));
    }

    #[test]
    fn positions_count_lines_and_columns() {
        let got = tokens("a\n /* x\n */ b").unwrap();
        assert_eq!(got[1].at, Position { line: 3, column: 5 });
    }

    #[test]
    fn reports_what_does_not_close() {
        assert_eq!(tokens("  /* x").unwrap_err().at, Position { line: 1, column: 3 });
        assert!(tokens("\"x").unwrap_err().message.contains("string"));
        assert!(tokens("a . b").unwrap_err().message.contains("`.`"));
    }
}
