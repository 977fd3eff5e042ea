//! Splits a PTX text into words, without comments.

/// A directive, name or number, or a single other character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'a> {
    /// The characters.
    pub text: &'a str,
    /// The line, from 1.
    pub line: u32,
}

/// The words of a text, in order.
#[derive(Debug, Clone)]
pub struct Words<'a> {
    words: Vec<Word<'a>>,
    at: usize,
}

impl<'a> Words<'a> {
    /// The word that [`Iterator::next`] will return.
    pub fn peek(&self) -> Option<Word<'a>> {
        self.words.get(self.at).copied()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let word = self.peek();
        self.at += 1;
        word
    }
}

/// Splits `text` into words. Comments and strings are left out.
pub fn split(text: &str) -> Words<'_> {
    let (mut words, mut line, mut rest) = (Vec::new(), 1, text);
    while let Some(first) = rest.chars().next() {
        let (length, kept) = measure(rest, first);
        let (word, after) = rest.split_at(length);
        if kept {
            words.push(Word { text: word, line });
        }
        line += word.bytes().filter(|&b| b == b'\n').count() as u32;
        rest = after;
    }
    Words { words, at: 0 }
}

/// The length in bytes of the token that `rest` starts with, and whether it is a word.
fn measure(rest: &str, first: char) -> (usize, bool) {
    let until = |end: &str, from: usize| rest[from..].find(end).map_or(rest.len(), |at| from + at + end.len());
    if rest.starts_with("//") {
        (until("\n", 2), false)
    } else if rest.starts_with("/*") {
        (until("*/", 2), false)
    } else if first == '"' {
        (until("\"", 1), false)
    } else if first == '.' || is_name(first) {
        let end = rest[first.len_utf8()..].find(|c: char| !is_name(c));
        (end.map_or(rest.len(), |at| at + first.len_utf8()), true)
    } else {
        (first.len_utf8(), !first.is_whitespace())
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || "_$%".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_their_lines() {
        let text = ".file 1 \"a b\" // x\n.entry k$1(/* ( \n */.param .b8 s[16])";
        let words: Vec<_> = split(text).map(|w| (w.text, w.line)).collect();
        let first = [(".file", 1), ("1", 1), (".entry", 2), ("k$1", 2), ("(", 2)];
        let second = [(".param", 3), (".b8", 3), ("s", 3), ("[", 3), ("16", 3), ("]", 3), (")", 3)];
        assert_eq!(words, [&first[..], &second].concat());
    }

    #[test]
    fn open_ends_and_other_letters_do_not_break_it() {
        for text in ["/* é", "// é", "\"é", "é.é", "→x", ".", ""] {
            assert!(split(text).count() <= 2, "{text}");
        }
    }
}
