//! What a bulk copy to global memory may do with what is there (PTX ISA, cp.reduce.async.bulk).

use crate::words::one_of;

/// A reduction of elements of one type: the destination gets what the operator makes of its element and the source's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reduction {
    row: &'static Row,
}

/// A word of the dialect for one instruction, and the element types of the dialect that this takes.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Row {
    word: &'static str,
    elements: &'static [&'static str],
    suffix: &'static str,
}

const fn row(word: &'static str, elements: &'static [&'static str], suffix: &'static str) -> Row {
    Row { word, elements, suffix }
}

/// `min` and `max` of integers are signed, `umin` and `umax` are not.
static ROWS: [Row; 26] = [
    row("add", &["i32", "si32", "ui32"], "add.u32"),
    row("add", &["i64", "si64", "ui64"], "add.u64"),
    row("add", &["f16"], "add.noftz.f16"),
    row("add", &["bf16"], "add.noftz.bf16"),
    row("add", &["f32"], "add.f32"),
    row("add", &["f64"], "add.f64"),
    row("min", &["i32", "si32"], "min.s32"),
    row("min", &["i64", "si64"], "min.s64"),
    row("min", &["f16"], "min.f16"),
    row("min", &["bf16"], "min.bf16"),
    row("max", &["i32", "si32"], "max.s32"),
    row("max", &["i64", "si64"], "max.s64"),
    row("max", &["f16"], "max.f16"),
    row("max", &["bf16"], "max.bf16"),
    row("umin", &["i32", "ui32"], "min.u32"),
    row("umin", &["i64", "ui64"], "min.u64"),
    row("umax", &["i32", "ui32"], "max.u32"),
    row("umax", &["i64", "ui64"], "max.u64"),
    row("and", &["i32", "si32", "ui32"], "and.b32"),
    row("and", &["i64", "si64", "ui64"], "and.b64"),
    row("or", &["i32", "si32", "ui32"], "or.b32"),
    row("or", &["i64", "si64", "ui64"], "or.b64"),
    row("xor", &["i32", "si32", "ui32"], "xor.b32"),
    row("xor", &["i64", "si64", "ui64"], "xor.b64"),
    row("inc", &["i32", "ui32"], "inc.u32"),
    row("dec", &["i32", "ui32"], "dec.u32"),
];

impl Reduction {
    /// The words that there are.
    pub fn words() -> Vec<&'static str> {
        let mut words: Vec<_> = ROWS.iter().map(|row| row.word).collect();
        words.dedup();
        words
    }

    /// Is there a reduction of that word?
    ///
    /// # Errors
    /// Got, and those that there are.
    pub fn check_word(word: &str) -> Result<(), String> {
        one_of("reduce", word, Self::words())
    }

    /// The reduction of elements of a type, by its name in the dialect.
    ///
    /// # Errors
    /// A word that there is not, or that the instruction has not for these elements: got, and what is allowed.
    pub fn of(word: &str, element: &str) -> Result<Self, String> {
        Self::check_word(word)?;
        let rows = || ROWS.iter().filter(|row| row.word == word);
        if let Some(row) = rows().find(|row| row.elements.contains(&element)) {
            return Ok(Reduction { row });
        }
        let allowed: Vec<_> = rows().flat_map(|row| row.elements).copied().collect();
        Err(format!("got reduce = \"{word}\" of elements of type {element}; allowed: {}", allowed.join(", ")))
    }

    /// As the dialect writes it: `umin`.
    pub fn word(self) -> &'static str {
        self.row.word
    }

    /// As PTX writes it behind the instruction: `min.u32`, `add.noftz.f16`.
    pub fn suffix(self) -> &'static str {
        self.row.suffix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_follow_the_word() {
        let suffix = |word, element| Reduction::of(word, element).map(Reduction::suffix);
        assert_eq!(suffix("add", "i32"), Ok("add.u32"));
        assert_eq!(suffix("min", "i64"), Ok("min.s64"));
        assert_eq!(suffix("umin", "i64"), Ok("min.u64"));
        assert_eq!(suffix("add", "f16"), Ok("add.noftz.f16"));
        assert_eq!(
            suffix("min", "f32"),
            Err("got reduce = \"min\" of elements of type f32; allowed: i32, si32, i64, si64, f16, bf16".to_owned())
        );
        assert_eq!(
            suffix("mul", "f32"),
            Err("got reduce = \"mul\", expected one of add, min, max, umin, umax, and, or, xor, inc, dec".to_owned())
        );
    }

    #[test]
    fn each_type_has_one_instruction_of_a_word() {
        for row in &ROWS {
            for element in row.elements {
                assert_eq!(Reduction::of(row.word, element).map(Reduction::suffix), Ok(row.suffix), "{element}");
            }
        }
    }
}
