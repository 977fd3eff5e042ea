//! Draws one mutant: an input with a few edits.

use std::ops::Range;

use super::corpus::{Corpus, Input, InputKind};
use super::reduce::tokens;
use crate::fuzz::Rng;

/// Numbers at common limits.
const NUMBERS: [&str; 18] = [
    "0",
    "-1",
    "1",
    "2",
    "3",
    "31",
    "32",
    "33",
    "64",
    "127",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
];

/// The maximum number of edits of a mutant.
const MAX_EDITS: usize = 4;

/// The maximum number of bytes of a mutant.
const MAX_BYTES: usize = 1 << 17;

/// Mutant number `index` of `seed`: the input that it was made from, and its bytes.
pub fn mutant(corpus: &Corpus, seed: u64, index: u64) -> (&Input, Vec<u8>) {
    let mut rng = Rng::of(seed, index);
    let input = corpus.draw(&mut rng);
    let mut bytes = input.bytes.clone();
    let edits = 1 + rng.below(MAX_EDITS);
    for _ in 0..edits {
        match (input.kind, String::from_utf8(std::mem::take(&mut bytes))) {
            (InputKind::Bytecode, text) => {
                bytes = damaged(text.map_or_else(|error| error.into_bytes(), String::into_bytes), &mut rng)
            }
            (kind, Ok(text)) => bytes = edited(kind, &text, corpus, &mut rng),
            (_, Err(error)) => bytes = damaged(error.into_bytes(), &mut rng),
        }
        bytes.truncate(MAX_BYTES);
    }
    (input, bytes)
}

/// An edit of raw bytes, regardless of their meaning.
fn damaged(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    if bytes.is_empty() {
        return bytes;
    }
    let at = rng.below(bytes.len());
    let end = bytes.len().min(at + 1 + rng.below(16));
    match rng.below(8) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let again = bytes[at..end].to_vec();
            bytes.splice(at..at, again);
        }
        3 => bytes[at..end].fill([0, 0xff, 0x7f, 0x80][rng.below(4)]),
        4 => bytes[at] = rng.next() as u8,
        5 => bytes[at] = bytes[at].wrapping_add(1),
        _ => bytes[at] ^= 1 << rng.below(8),
    }
    bytes
}

/// An edit of a text: of a token, a line, a list in brackets, or raw bytes.
fn edited(kind: InputKind, text: &str, corpus: &Corpus, rng: &mut Rng) -> Vec<u8> {
    let out = match rng.below(12) {
        0 | 1 => number(text, rng),
        2 | 3 => word(kind, text, corpus, rng),
        4 => token(text, rng),
        5 => line(text, rng),
        6 => foreign_line(kind, text, corpus, rng),
        7 => region(kind, text, corpus, rng),
        8..=10 => entry(text, rng),
        _ => None,
    };
    out.map_or_else(|| damaged(text.as_bytes().to_vec(), rng), String::into_bytes)
}

/// Replaces a number by another one.
fn number(text: &str, rng: &mut Rng) -> Option<String> {
    let digits = |range: &Range<usize>| text.as_bytes()[range.start].is_ascii_digit();
    let all: Vec<Range<usize>> = tokens(text).filter(digits).collect();
    let range = rng.pick(&all)?.clone();
    let old: Option<i128> = text[range.clone()].parse().ok();
    let new = match (rng.below(3), old) {
        (0, Some(old)) => [old + 1, old - 1, old * 2, -old, old ^ 1][rng.below(5)].to_string(),
        _ => (*rng.pick(&NUMBERS)?).to_owned(),
    };
    Some(replaced(text, range, &new))
}

/// Replaces a token by another one of this or another input.
fn word(kind: InputKind, text: &str, corpus: &Corpus, rng: &mut Rng) -> Option<String> {
    let all: Vec<Range<usize>> = tokens(text).collect();
    let range = rng.pick(&all)?.clone();
    let inside = rng.once_in(2).then(|| rng.pick(&all).map(|range| text[range.clone()].to_owned())).flatten();
    let new = inside.or_else(|| rng.pick(corpus.words(kind)).cloned())?;
    Some(replaced(text, range, &new))
}

/// Deletes or duplicates a token.
fn token(text: &str, rng: &mut Rng) -> Option<String> {
    let all: Vec<Range<usize>> = tokens(text).collect();
    let range = rng.pick(&all)?.clone();
    let old = &text[range.clone()];
    let new = if rng.once_in(2) { String::new() } else { format!("{old} {old}") };
    Some(replaced(text, range, &new))
}

/// Deletes or duplicates a line, or swaps it with another.
fn line(text: &str, rng: &mut Rng) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        return None;
    }
    let (at, other) = (rng.below(lines.len()), rng.below(lines.len()));
    match rng.below(4) {
        0 | 1 => drop(lines.remove(at)),
        2 => lines.insert(other, lines[at]),
        _ => lines.swap(at, other),
    }
    Some(lines.join("\n"))
}

/// Inserts a line of another input.
fn foreign_line(kind: InputKind, text: &str, corpus: &Corpus, rng: &mut Rng) -> Option<String> {
    let other = corpus.other(kind, rng)?;
    let lines: Vec<&str> = other.lines().collect();
    let line = rng.pick(&lines)?;
    let mut mutated: Vec<&str> = text.lines().collect();
    mutated.insert(rng.below(mutated.len() + 1), line);
    Some(mutated.join("\n"))
}

/// Replaces the text in one pair of brackets by that in another pair, most often of another input.
fn region(kind: InputKind, text: &str, corpus: &Corpus, rng: &mut Rng) -> Option<String> {
    let other = if rng.once_in(3) { text } else { corpus.other(kind, rng)? };
    let (to, from) = (brackets(text), brackets(other));
    let to = rng.pick(&to)?.clone();
    let open = text.as_bytes()[to.start - 1];
    let alike: Vec<&Range<usize>> = from.iter().filter(|range| other.as_bytes()[range.start - 1] == open).collect();
    let from = (*rng.pick(&alike)?).clone();
    Some(replaced(text, to, &other[from]))
}

/// Deletes, duplicates or swaps entries of a list in brackets (attributes of an operation, operands, dimensions).
fn entry(text: &str, rng: &mut Rng) -> Option<String> {
    let all = brackets(text);
    let range = rng.pick(&all)?.clone();
    let mut entries = entries(&text[range.clone()]);
    let at = rng.below(entries.len());
    match rng.below(4) {
        0 => entries.insert(at, entries[at]),
        1 => {
            let other = rng.below(entries.len());
            entries.swap(at, other);
        }
        _ => drop(entries.remove(at)),
    }
    Some(replaced(text, range, &entries.join(",")))
}

fn replaced(text: &str, range: Range<usize>, new: &str) -> String {
    [&text[..range.start], new, &text[range.end..]].concat()
}

/// The ranges inside each pair of matching brackets.
fn brackets(text: &str) -> Vec<Range<usize>> {
    let (mut open, mut out) = (Vec::new(), Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => open.push((at, byte)),
            b')' | b']' | b'}' | b'>' => {
                let fits = |&(_, b): &(usize, u8)| (b == b'(' && byte == b')') || (b != b'(' && byte == b + 2);
                if let Some((start, _)) = open.pop_if(|bracket| fits(bracket)) {
                    out.push(start + 1..at);
                }
            }
            _ => {}
        }
    }
    out
}

/// The entries of a list, which are separated by commas outside of brackets.
fn entries(list: &str) -> Vec<&str> {
    let (mut out, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth -= 1,
            b',' if depth <= 0 => {
                out.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(&list[start..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_and_their_entries() {
        let text = "a(b, c<d, e>) {x}";
        let inside: Vec<&str> = brackets(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(inside, ["d, e", "b, c<d, e>", "x"]);
        assert_eq!(entries("b, c<d, e>"), ["b", " c<d, e>"]);
        assert!(brackets("->)(").is_empty());
    }

    #[test]
    fn the_same_number_draws_the_same_mutant() {
        let corpus = Corpus::of_texts(
            InputKind::Ir,
            &["func.func @f(%a: index) {\n  return\n}", "\"a.b\"() {x = 1} : () -> ()"],
        );
        let draw = |index| mutant(&corpus, 7, index).1;
        assert!((0..200).all(|index| draw(index) == draw(index)));
        assert!((0..200).any(|index| draw(index) != draw(index + 1)));
    }
}
