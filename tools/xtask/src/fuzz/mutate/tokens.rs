//! The tokens of MLIR's and PTX's text, as far as damaging them needs it.

use std::ops::Range;

/// Words, numbers and single signs.
pub fn tokens(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, first) = rest.by_ref().find(|(_, c)| !c.is_whitespace())?;
        let digit = first.is_ascii_digit();
        let part = |c: char| if digit { c.is_ascii_digit() } else { c.is_alphanumeric() || "_.$".contains(c) };
        let long = digit || first.is_alphabetic() || "_%@#!^.".contains(first);
        let mut end = start + first.len_utf8();
        while let Some(&(at, c)) = rest.peek().filter(|(_, c)| long && part(*c)) {
            end = at + c.len_utf8();
            rest.next();
        }
        Some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fall_into_tokens() {
        let text = "tile.copy %a[12] : f32";
        let all: Vec<&str> = tokens(text).map(|range| &text[range]).collect();
        assert_eq!(all, ["tile.copy", "%a", "[", "12", "]", ":", "f32"]);
    }
}
