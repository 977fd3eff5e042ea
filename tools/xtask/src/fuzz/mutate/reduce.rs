//! Reduces a finding's mutant as long as the finding persists; and splits MLIR and PTX text into tokens, as far as
//! mutations need them.

use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::Result;

/// The limits of one reduction: runs and time.
const RUNS: usize = 600;
const TIME: Duration = Duration::from_secs(60);

/// The smallest input found for which `fails` holds: leaves out lines, then tokens (bytes, if it is not text).
pub fn reduce(bytes: &[u8], mut fails: impl FnMut(&[u8]) -> Result<bool>) -> Result<Vec<u8>> {
    let start = Instant::now();
    let mut runs = 0;
    let mut still = |pieces: &[&[u8]]| -> Result<bool> {
        runs += 1;
        Ok(runs <= RUNS && start.elapsed() < TIME && fails(&pieces.concat())?)
    };
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let fewer = without(lines, &mut still)?.concat();
    let pieces: Vec<&[u8]> = match std::str::from_utf8(&fewer) {
        Ok(text) => {
            let ends: Vec<usize> = tokens(text).map(|range| range.end).collect();
            let starts = std::iter::once(0).chain(ends.iter().copied());
            starts.zip(ends.iter().copied().chain([text.len()])).map(|(from, to)| &fewer[from..to]).collect()
        }
        Err(_) => fewer.chunks(1).collect(),
    };
    Ok(without(pieces, &mut still)?.concat())
}

/// Leaves out sequences of pieces, long ones first.
fn without<'b>(mut pieces: Vec<&'b [u8]>, still: &mut impl FnMut(&[&[u8]]) -> Result<bool>) -> Result<Vec<&'b [u8]>> {
    let mut size = pieces.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < pieces.len() {
            let end = (at + size).min(pieces.len());
            let rest = [&pieces[..at], &pieces[end..]].concat();
            if still(&rest)? { pieces = rest } else { at = end }
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    Ok(pieces)
}

/// The ranges of tokens: words, numbers and single characters.
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
    fn only_what_matters_is_left() {
        let text = b"a b\nc bad d\ne f\nworse\n";
        let fails = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            Ok(text.contains("bad") && text.contains("worse"))
        };
        assert_eq!(
            String::from_utf8(reduce(text, fails).unwrap()).unwrap().split_whitespace().collect::<Vec<_>>(),
            ["bad", "worse"]
        );
    }

    #[test]
    fn texts_fall_into_tokens() {
        let text = "tile.copy %a[12] : f32";
        let all: Vec<&str> = tokens(text).map(|range| &text[range]).collect();
        assert_eq!(all, ["tile.copy", "%a", "[", "12", "]", ":", "f32"]);
    }
}
