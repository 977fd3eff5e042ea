//! The nesting depth of MLIR texts.
//!
//! MLIR's parser recurses for each level of regions, types and attributes, and overflows the stack at some tens of
//! thousands.
//! Texts that people and compilers write nest a few dozen levels deep.

use std::fmt;

/// The maximum number of levels that are parsed.
pub const LIMIT: usize = 256;

/// The position at which a text nests too deeply; 1-based.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep {
    /// Line.
    pub line: u64,
    /// Column, in bytes.
    pub column: u64,
}

impl fmt::Display for TooDeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: error: nests deeper than {LIMIT} levels", self.line, self.column)
    }
}

/// Checks brackets outside of strings and comments, and runs of minus signs, which nest, too.
///
/// # Errors
/// The first position beyond [`LIMIT`]. Bytecode has none.
pub fn check(text: &[u8]) -> Result<(), TooDeep> {
    if text.starts_with(b"ML\xefR") {
        return Ok(());
    }
    let mut depth = Depth::default();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = skipped(rest);
        if rest.starts_with(b"// -----") {
            depth = Depth::default();
        }
        if length == 0 && depth.enter(rest, at.checked_sub(1).map(|before| text[before])) > LIMIT {
            return Err(place(text, at));
        }
        at += length.max(1);
    }
    Ok(())
}

/// Length of a comment or a string at the start of a text; 0 where there is neither.
fn skipped(rest: &[u8]) -> usize {
    if rest.starts_with(b"//") {
        return rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    }
    if rest[0] != b'"' {
        return 0;
    }
    let mut escaped = false;
    let end = rest[1..].iter().position(|&byte| {
        let ends = !escaped && matches!(byte, b'"' | b'\n');
        escaped = !escaped && byte == b'\\';
        ends
    });
    end.map_or(rest.len(), |end| end + 2)
}

#[derive(Default)]
struct Depth {
    brackets: usize,
    signs: usize,
}

impl Depth {
    /// The depth after the first byte of `rest`; arrows and comparisons are not brackets.
    fn enter(&mut self, rest: &[u8], before: Option<u8>) -> usize {
        let next = rest.get(1).copied();
        match rest[0] {
            b'-' if next != Some(b'>') => self.signs += 1,
            byte if byte.is_ascii_whitespace() => {}
            byte => {
                self.signs = 0;
                match byte {
                    b'(' | b'[' | b'{' => self.brackets += 1,
                    b'<' if next != Some(b'=') => self.brackets += 1,
                    b')' | b']' | b'}' => self.brackets = self.brackets.saturating_sub(1),
                    b'>' if before != Some(b'-') && next != Some(b'=') => {
                        self.brackets = self.brackets.saturating_sub(1);
                    }
                    _ => {}
                }
            }
        }
        self.brackets + self.signs
    }
}

fn place(text: &[u8], at: usize) -> TooDeep {
    let before = &text[..at];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    TooDeep { line, column: (at - start) as u64 + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_parsed() {
        let text = "#m = affine_map<(d0) -> (d0)>\n#s = affine_set<(d0) : (d0 >= 0, 7 <= d0)>\n".repeat(1000);
        assert_eq!(check(text.as_bytes()), Ok(()));
        assert_eq!(check("() -> ".repeat(1000).as_bytes()), Ok(()));
        assert_eq!(check(format!("\"{}\" // {}\n", "(".repeat(1000), "<".repeat(1000)).as_bytes()), Ok(()));
        assert_eq!(check("module { // -----\n".repeat(1000).as_bytes()), Ok(()));
    }

    #[test]
    fn too_many_levels_are_found_where_they_are() {
        let deep = |text: &str, count: usize| check(text.repeat(count).as_bytes());
        assert_eq!(deep("tuple<", LIMIT), Ok(()));
        assert_eq!(deep("tuple<", LIMIT + 1), Err(TooDeep { line: 1, column: 6 * LIMIT as u64 + 6 }));
        assert_eq!(deep("module {\n", 20_000), Err(TooDeep { line: LIMIT as u64 + 1, column: 8 }));
        assert!(deep("- ", 1000).is_err() && deep("\"\\\"\" (", 1000).is_err() && deep("[", 1000).is_err());
    }
}
