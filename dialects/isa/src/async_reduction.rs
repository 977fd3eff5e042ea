//! The reductions of asynchronous copies from shared memory (PTX ISA, cp.reduce.async.bulk, cp.reduce.async.bulk.tensor).

use thiserror::Error;

use crate::messages::message_of;
use crate::red::Operator;
use crate::words::{UnknownWord, joined};

/// A reduction that these copies do not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ReductionError {
    /// A word that is none of those known.
    #[error(transparent)]
    Word(#[from] UnknownWord),
    /// Elements of a type that it does not combine.
    #[error("got reduce = \"{word}\" of elements of type {element}; allowed: {}", joined(.allowed))]
    Element { word: String, element: String, allowed: Vec<&'static str> },
}

message_of!(ReductionError);

/// A reduction of elements of one type: the operator combines each destination element with the source's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub struct Reduction {
    row: &'static ReductionRow,
}

impl From<Reduction> for &'static str {
    /// As [`Reduction::suffix`].
    fn from(reduction: Reduction) -> Self {
        reduction.suffix()
    }
}

impl TryFrom<String> for Reduction {
    type Error = ReductionError;

    fn try_from(suffix: String) -> Result<Self, ReductionError> {
        let row = ROWS.iter().find(|row| row.suffix == suffix);
        let unknown = || UnknownWord::new("reduction", &suffix, ROWS.iter().map(|row| row.suffix));
        Ok(Reduction { row: row.ok_or_else(unknown)? })
    }
}

/// One instruction, and the element types of the dialect that it supports.
#[derive(Debug, PartialEq, Eq, Hash)]
struct ReductionRow {
    operator: Operator,
    elements: &'static [&'static str],
    suffix: &'static str,
}

const fn row(operator: Operator, elements: &'static [&'static str], suffix: &'static str) -> ReductionRow {
    ReductionRow { operator, elements, suffix }
}

/// `min` and `max` of integers are signed, `umin` and `umax` unsigned.
static ROWS: [ReductionRow; 26] = [
    row(Operator::Add, &["i32", "si32", "ui32"], "add.u32"),
    row(Operator::Add, &["i64", "si64", "ui64"], "add.u64"),
    row(Operator::Add, &["f16"], "add.noftz.f16"),
    row(Operator::Add, &["bf16"], "add.noftz.bf16"),
    row(Operator::Add, &["f32"], "add.f32"),
    row(Operator::Add, &["f64"], "add.f64"),
    row(Operator::Min, &["i32", "si32"], "min.s32"),
    row(Operator::Min, &["i64", "si64"], "min.s64"),
    row(Operator::Min, &["f16"], "min.f16"),
    row(Operator::Min, &["bf16"], "min.bf16"),
    row(Operator::Max, &["i32", "si32"], "max.s32"),
    row(Operator::Max, &["i64", "si64"], "max.s64"),
    row(Operator::Max, &["f16"], "max.f16"),
    row(Operator::Max, &["bf16"], "max.bf16"),
    row(Operator::UMin, &["i32", "ui32"], "min.u32"),
    row(Operator::UMin, &["i64", "ui64"], "min.u64"),
    row(Operator::UMax, &["i32", "ui32"], "max.u32"),
    row(Operator::UMax, &["i64", "ui64"], "max.u64"),
    row(Operator::And, &["i32", "si32", "ui32"], "and.b32"),
    row(Operator::And, &["i64", "si64", "ui64"], "and.b64"),
    row(Operator::Or, &["i32", "si32", "ui32"], "or.b32"),
    row(Operator::Or, &["i64", "si64", "ui64"], "or.b64"),
    row(Operator::Xor, &["i32", "si32", "ui32"], "xor.b32"),
    row(Operator::Xor, &["i64", "si64", "ui64"], "xor.b64"),
    row(Operator::Inc, &["i32", "ui32"], "inc.u32"),
    row(Operator::Dec, &["i32", "ui32"], "dec.u32"),
];

impl Reduction {
    /// The reduction of elements of a type, by its name in the dialect.
    ///
    /// # Errors
    /// A word that does not exist, or that the instruction does not support for these elements: got and allowed.
    pub fn of(word: &str, element: &str) -> Result<Self, ReductionError> {
        Operator::check_word(word)?;
        let rows = || ROWS.iter().filter(|row| row.operator.word() == word);
        if let Some(row) = rows().find(|row| row.elements.contains(&element)) {
            return Ok(Reduction { row });
        }
        let allowed: Vec<_> = rows().flat_map(|row| row.elements).copied().collect();
        Err(ReductionError::Element { word: word.to_owned(), element: element.to_owned(), allowed })
    }

    /// The operator, as the dialect spells it: `umin`.
    pub fn word(self) -> &'static str {
        self.row.operator.word()
    }

    /// Whether the instruction reduces elements of a type, by its name in the dialect.
    pub fn takes(self, element: &str) -> bool {
        self.row.elements.contains(&element)
    }

    /// The suffix of the PTX instruction: `min.u32`, `add.noftz.f16`.
    pub fn suffix(self) -> &'static str {
        self.row.suffix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_follow_the_word() {
        let suffix = |word, element| Reduction::of(word, element).map(Reduction::suffix).map_err(String::from);
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
                let reduction = Reduction::of(row.operator.word(), element);
                assert_eq!(reduction.clone().map(Reduction::suffix), Ok(row.suffix), "{element}");
                assert_eq!(Reduction::try_from(row.suffix.to_owned()), reduction, "{element}");
            }
        }
    }
}
