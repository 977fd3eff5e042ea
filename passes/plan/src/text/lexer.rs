//! Tokens of a text, and the position in it.

use super::mistake::Mistake;

/// The rest of a text.
pub(super) struct PlanLexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> PlanLexer<'t> {
    pub(super) fn new(text: &'t str, at: usize) -> Self {
        PlanLexer { text, at }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The position of the next token, after blanks and comments.
    pub(super) fn at(&mut self) -> usize {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            self.at += blanks;
            if !self.rest().starts_with("//") {
                return self.at;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// The next character.
    pub(super) fn peek(&mut self) -> Option<char> {
        self.at();
        self.rest().chars().next()
    }

    /// Takes a character, if it is the next one.
    pub(super) fn takes(&mut self, sign: char) -> bool {
        let is_next = self.peek() == Some(sign);
        if is_next {
            self.at += sign.len_utf8();
        }
        is_next
    }

    /// Takes a character.
    pub(super) fn take(&mut self, sign: char) -> Result<(), Mistake> {
        if self.takes(sign) { Ok(()) } else { Err(self.expected(&format!("'{sign}'"))) }
    }

    /// The mistake that the next token is something else.
    pub(super) fn expected(&mut self, what: &str) -> Mistake {
        let at = self.at();
        let got = self.next_token();
        Mistake::new(at, format!("got {got}, expected {what}"))
    }

    /// The next token, for a message.
    fn next_token(&self) -> String {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return "the end".to_owned() };
        let token = rest.find(|sign: char| !is_of_word(sign)).unwrap_or(rest.len());
        if token > 0 { format!("'{}'", &rest[..token]) } else { format!("'{first}'") }
    }

    /// Takes the longest run of characters of a word: `global`, `32`, `-4`.
    pub(super) fn word(&mut self) -> &'t str {
        self.at();
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let length = rest[sign..].find(|sign: char| !is_of_word(sign)).map_or(rest.len(), |length| length + sign);
        self.at += length;
        &rest[..length]
    }

    /// Takes a word, if it is the next one.
    pub(super) fn takes_word(&mut self, word: &str) -> bool {
        self.at();
        let rest = self.rest().strip_prefix(word);
        let is_next = rest.is_some_and(|rest| !rest.starts_with(is_of_word));
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    /// Takes a string in quotes, which has no escapes.
    pub(super) fn string(&mut self) -> Result<&'t str, Mistake> {
        self.take('"')?;
        let rest = self.rest();
        let Some(length) = rest.find('"') else { return Err(self.expected("the '\"' that ends the string")) };
        self.at += length + 1;
        Ok(&rest[..length])
    }

    /// Takes a layout: up to a sign that closes what encloses it, or a comma and the next key.
    pub(super) fn layout(&mut self) -> &'t str {
        self.at();
        let rest = self.rest();
        let mut open = 0usize;
        let mut end = rest.len();
        for (at, sign) in rest.char_indices() {
            match sign {
                '(' | '<' => open += 1,
                ')' | '>' | '}' | ']' if open == 0 => {
                    end = at;
                    break;
                }
                ')' | '>' => open -= 1,
                ',' if open == 0 && !rest[at + 1..].trim_start().starts_with("swizzle") => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        self.at += end;
        rest[..end].trim_end()
    }
}

fn is_of_word(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_'
}
