//! The name of a fragment: `mma.m16n8k16.a over (2, 4) warps`.

use std::fmt;
use std::str::FromStr;

use tile_layout::text::behind_blanks;

use super::error::{FragmentError, FragmentMistake, scopes};
use super::{Fragment, MatrixInstruction, MatrixOperand};

impl fmt::Display for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.instruction, self.operand)?;
        match self.scopes {
            [1, 1] => Ok(()),
            [rows, columns] => write!(f, " over ({rows}, {columns}) {}", scopes(self.instruction.scope())),
        }
    }
}

impl FromStr for Fragment {
    type Err = FragmentMistake;

    /// Reads an instruction and its operand, and over how many warps or warpgroups it is spread.
    fn from_str(text: &str) -> Result<Self, FragmentMistake> {
        let mut words = Words { text, at: 0 };
        let (at, name) = words.word();
        let fragment = named(name).map_err(|error| FragmentMistake { at, error })?;
        let (at, over) = words.word();
        if over.is_empty() {
            return Ok(fragment);
        }
        if over != "over" {
            return Err(mistake(at, over, "'over' or the end"));
        }
        let at = words.begin();
        words.expect("(")?;
        let rows = words.number()?;
        words.expect(",")?;
        let columns = words.number()?;
        words.expect(")")?;
        words.expect(&scopes(fragment.instruction.scope()))?;
        let (end, rest) = words.word();
        if !rest.is_empty() {
            return Err(mistake(end, rest, "the end"));
        }
        fragment.over([rows, columns]).map_err(|error| FragmentMistake { at, error })
    }
}

/// The fragment of a name without warps.
fn named(name: &str) -> Result<Fragment, FragmentError> {
    if let Some(instruction) = MatrixInstruction::named(name) {
        return Err(FragmentError::Operand { instruction, got: format!("'{name}' without an operand") });
    }
    let Some((instruction, operand)) = name.rsplit_once('.') else {
        let expected = "an instruction and its operand, as in mma.m16n8k16.a".to_owned();
        return Err(FragmentError::Text { got: quoted(name), expected });
    };
    let instruction = MatrixInstruction::named(instruction)
        .ok_or_else(|| FragmentError::Instruction { got: instruction.to_owned() })?;
    match MatrixOperand::named(operand) {
        Some(operand) => Fragment::new(instruction, operand),
        None => Err(FragmentError::Operand { instruction, got: quoted(name) }),
    }
}

/// The words, numbers and signs of a text. White space and comments are those of layouts.
struct Words<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Words<'t> {
    fn rest(&self) -> &'t str {
        behind_blanks(self.text.get(self.at..).unwrap_or_default())
    }

    /// Where the next word begins.
    fn begin(&self) -> usize {
        self.text.len() - self.rest().len()
    }

    /// The next word and where it begins; empty at the end.
    fn word(&mut self) -> (usize, &'t str) {
        let (begin, rest) = (self.begin(), self.rest());
        let belongs = |c: char| c.is_ascii_alphanumeric() || ['_', '.', '-'].contains(&c);
        let of_word = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        let length = if of_word > 0 { of_word } else { rest.chars().next().map_or(0, char::len_utf8) };
        self.at = begin + length;
        (begin, &rest[..length])
    }

    fn expect(&mut self, expected: &str) -> Result<(), FragmentMistake> {
        let (at, got) = self.word();
        if got == expected { Ok(()) } else { Err(mistake(at, got, &quoted(expected))) }
    }

    fn number(&mut self) -> Result<i64, FragmentMistake> {
        let (at, got) = self.word();
        got.parse().map_err(|_| mistake(at, got, "a number"))
    }
}

fn mistake(at: usize, got: &str, expected: &str) -> FragmentMistake {
    FragmentMistake { at, error: FragmentError::Text { got: quoted(got), expected: expected.to_owned() } }
}

/// `'word'`, or `the end`.
fn quoted(word: &str) -> String {
    if word.is_empty() { "the end".to_owned() } else { format!("'{word}'") }
}
