//! Atomic reductions of a thread's element into memory (PTX ISA, red).

use thiserror::Error;

use crate::messages::message_of;
use crate::words::{UnknownWord, joined, one_of};

/// A reduction that there is not.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RedError {
    /// A word that is none of those known.
    #[error(transparent)]
    Word(#[from] UnknownWord),
    /// Elements of a type that it does not combine.
    #[error("got reduce({word}) of elements of type {element}; allowed: {}", joined(.allowed))]
    Element { word: String, element: String, allowed: Vec<&'static str> },
    /// Text that is not a word and a type.
    #[error("got '{0}', expected 'add f32'")]
    Text(String),
}

message_of!(RedError);

/// A reduction of elements of one type: the operator combines an element in memory with the thread's, and the result
/// replaces it.
///
/// ```text
///   add of f32     red.add.f32                         on sm_90 in global memory 2 or 4 at a time: red.add.v4.f32
///   add of f16     red.add.noftz.f16, .f16x2           likewise 4 or 8: red.add.noftz.v4.f16x2
///   min of f32     none: a loop of compare-and-swap
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Red {
    row: &'static Row,
}

impl From<Red> for String {
    /// `add f32`.
    fn from(red: Red) -> Self {
        format!("{} {}", red.word(), red.element())
    }
}

impl TryFrom<String> for Red {
    type Error = RedError;

    fn try_from(text: String) -> Result<Self, RedError> {
        let (word, element) = text.split_once(' ').ok_or_else(|| RedError::Text(text.clone()))?;
        Red::of(word, element)
    }
}

/// The operator that combines an element in memory with one of the thread. `Min` and `Max` of integers are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is its word")]
pub enum Operator {
    Add,
    Min,
    Max,
    UMin,
    UMax,
    And,
    Or,
    Xor,
    Inc,
    Dec,
}

impl Operator {
    /// All of them.
    pub const ALL: [Operator; 10] = [
        Operator::Add,
        Operator::Min,
        Operator::Max,
        Operator::UMin,
        Operator::UMax,
        Operator::And,
        Operator::Or,
        Operator::Xor,
        Operator::Inc,
        Operator::Dec,
    ];

    /// Checks that there is an operator of that name.
    ///
    /// # Errors
    /// Got, and the known words.
    pub fn check_word(word: &str) -> Result<(), UnknownWord> {
        one_of("reduce", word, Self::ALL.map(Operator::word))
    }

    /// The operator that the dialect spells like this.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operator| operator.word() == word)
    }

    /// The operator, as the dialect spells it: `umin`.
    pub fn word(self) -> &'static str {
        match self {
            Operator::Add => "add",
            Operator::Min => "min",
            Operator::Max => "max",
            Operator::UMin => "umin",
            Operator::UMax => "umax",
            Operator::And => "and",
            Operator::Or => "or",
            Operator::Xor => "xor",
            Operator::Inc => "inc",
            Operator::Dec => "dec",
        }
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Row {
    operator: Operator,
    element: &'static str,
    bits: u32,
    /// The part of the suffix of `red` before the number and type of the elements, where several are reduced at a time:
    /// `add.noftz`.
    several: &'static str,
    /// A pair of 16-bit elements in one register, in any memory: `f16x2`.
    packed: Option<&'static str>,
    /// Bits of the widest vector in global memory.
    vector: u32,
}

const fn one(operator: Operator, element: &'static str, bits: u32) -> Row {
    Row { operator, element, bits, several: "", packed: None, vector: 0 }
}

static ROWS: [Row; 30] = [
    one(Operator::Add, "i32", 32),
    one(Operator::Add, "i64", 64),
    Row { several: "add.noftz", packed: Some("f16x2"), vector: 128, ..one(Operator::Add, "f16", 16) },
    Row { several: "add.noftz", packed: Some("bf16x2"), vector: 128, ..one(Operator::Add, "bf16", 16) },
    Row { several: "add", vector: 128, ..one(Operator::Add, "f32", 32) },
    one(Operator::Add, "f64", 64),
    one(Operator::Min, "i32", 32),
    one(Operator::Min, "i64", 64),
    Row { several: "min.noftz", vector: 128, ..one(Operator::Min, "f16", 16) },
    Row { several: "min.noftz", vector: 128, ..one(Operator::Min, "bf16", 16) },
    one(Operator::Min, "f32", 32),
    one(Operator::Min, "f64", 64),
    one(Operator::Max, "i32", 32),
    one(Operator::Max, "i64", 64),
    Row { several: "max.noftz", vector: 128, ..one(Operator::Max, "f16", 16) },
    Row { several: "max.noftz", vector: 128, ..one(Operator::Max, "bf16", 16) },
    one(Operator::Max, "f32", 32),
    one(Operator::Max, "f64", 64),
    one(Operator::UMin, "i32", 32),
    one(Operator::UMin, "i64", 64),
    one(Operator::UMax, "i32", 32),
    one(Operator::UMax, "i64", 64),
    one(Operator::And, "i32", 32),
    one(Operator::And, "i64", 64),
    one(Operator::Or, "i32", 32),
    one(Operator::Or, "i64", 64),
    one(Operator::Xor, "i32", 32),
    one(Operator::Xor, "i64", 64),
    one(Operator::Inc, "i32", 32),
    one(Operator::Dec, "i32", 32),
];

/// The forms of the instruction that a chip has, in one memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RedForms {
    /// Whether there are pairs of the element's type in one register.
    pub packed: bool,
    /// Whether there are vectors, which exist in global memory only.
    pub vectors: bool,
}

/// One instruction of several elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Several {
    /// The part of the instruction after the memory: `add.noftz.v4.f16x2`.
    pub suffix: String,
    /// Registers of the thread.
    pub registers: i64,
    /// Bits of each register.
    pub register_bits: u32,
}

impl Red {
    /// The reduction of elements of a type, by its name in the dialect.
    ///
    /// # Errors
    /// A word that does not exist, or not for these elements: got, and what is allowed.
    pub fn of(word: &str, element: &str) -> Result<Self, RedError> {
        Operator::check_word(word)?;
        let rows = || ROWS.iter().filter(|row| row.operator.word() == word);
        if let Some(row) = rows().find(|row| row.element == element) {
            return Ok(Red { row });
        }
        let allowed: Vec<_> = rows().map(|row| row.element).collect();
        Err(RedError::Element { word: word.to_owned(), element: element.to_owned(), allowed })
    }

    /// The operator, as the dialect spells it: `umin`.
    pub fn word(self) -> &'static str {
        self.row.operator.word()
    }

    /// The operator.
    pub fn operator(self) -> Operator {
        self.row.operator
    }

    /// The type of an element: `f16`.
    pub fn element(self) -> &'static str {
        self.row.element
    }

    /// Whether elements are floats.
    pub fn is_float(self) -> bool {
        !self.row.element.starts_with('i')
    }

    /// Whether there is an instruction for one element; otherwise the reduction is a compare-and-swap loop.
    pub fn is_instruction(self, forms: RedForms) -> bool {
        match (self.is_float(), self.row.operator) {
            (false, _) => true,
            // Chips without pairs of bf16 have no instruction for a single bf16 either.
            (true, Operator::Add) => self.row.element != "bf16" || forms.packed,
            (true, _) => false,
        }
    }

    /// The numbers of bits that may be reduced at a time, widest first; the last is one element.
    pub fn widths(self, forms: RedForms) -> Vec<u32> {
        [128, 64, 32, 16]
            .into_iter()
            .filter(|&bits| bits == self.row.bits || self.several(bits, forms).is_some())
            .collect()
    }

    /// The instruction that reduces `bits` at a time, several elements; `None` where there is none.
    ///
    /// ```
    /// use tile_isa::red::{Red, RedForms};
    /// let add = Red::of("add", "f16")?;
    /// let forms = RedForms { packed: true, vectors: true };
    /// assert_eq!(add.several(128, forms).map(|one| one.suffix), Some("add.noftz.v4.f16x2".to_owned()));
    /// assert_eq!(add.several(32, forms).map(|one| one.suffix), Some("add.noftz.f16x2".to_owned()));
    /// # Ok::<(), tile_isa::red::RedError>(())
    /// ```
    pub fn several(self, bits: u32, forms: RedForms) -> Option<Several> {
        let Row { bits: one, several, packed, vector, element, .. } = *self.row;
        let instruction = |r#type: &str, registers: u32, register_bits: u32| {
            let count = if registers == 1 { String::new() } else { format!(".v{registers}") };
            let suffix = format!("{several}{count}.{type}");
            Some(Several { suffix, registers: i64::from(registers), register_bits })
        };
        if bits <= one || !bits.is_power_of_two() {
            return None;
        }
        match packed.filter(|_| bits == 32 && forms.packed) {
            Some(pair) => instruction(pair, 1, 32),
            None if !forms.vectors || bits > vector => None,
            None if bits == 32 => instruction(element, bits / one, one),
            None if one == 16 => instruction(&format!("{element}x2"), bits / 32, 32),
            None => instruction(element, bits / one, one),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: RedForms = RedForms { packed: true, vectors: true };
    const NONE: RedForms = RedForms { packed: false, vectors: false };

    fn widths(word: &str, element: &str, forms: RedForms) -> Vec<u32> {
        Red::of(word, element).map(|red| red.widths(forms)).unwrap_or_default()
    }

    #[test]
    fn widths_follow_element_and_chip() {
        let shared = RedForms { packed: true, vectors: false };
        assert_eq!(widths("add", "f32", ALL), [128, 64, 32]);
        assert_eq!(widths("add", "f32", shared), [32]);
        assert_eq!(widths("add", "f16", ALL), [128, 64, 32, 16]);
        assert_eq!(widths("add", "f16", shared), [32, 16]);
        assert_eq!(widths("add", "bf16", NONE), [16]);
        assert_eq!(widths("max", "bf16", ALL), [128, 64, 32, 16]);
        assert_eq!(widths("max", "bf16", shared), [16]);
        assert_eq!(widths("min", "i64", ALL), [64]);
        assert_eq!(widths("min", "f32", ALL), [32]);
    }

    #[test]
    fn as_text() {
        let text = |text: &str| Red::try_from(text.to_owned()).map(String::from);
        assert_eq!(text("umax i32").as_deref(), Ok("umax i32"));
        assert_eq!(text("umax").unwrap_err().to_string(), "got 'umax', expected 'add f32'");
        let unknown = "got reduce(add) of elements of type x; allowed: i32, i64, f16, bf16, f32, f64";
        assert_eq!(text("add x").unwrap_err().to_string(), unknown);
    }

    #[test]
    fn instructions_of_several() {
        let text = |word, element, bits| {
            Red::of(word, element).unwrap().several(bits, ALL).map(|one| (one.suffix, one.registers, one.register_bits))
        };
        let some = |suffix: &str, registers, bits| Some((suffix.to_owned(), registers, bits));
        assert_eq!(text("add", "f32", 128), some("add.v4.f32", 4, 32));
        assert_eq!(text("add", "f32", 32), None);
        assert_eq!(text("min", "f16", 32), some("min.noftz.v2.f16", 2, 16));
        assert_eq!(text("min", "bf16", 64), some("min.noftz.v2.bf16x2", 2, 32));
        assert_eq!(text("add", "i32", 128), None);
    }

    #[test]
    fn what_there_is_not_lists_what_there_is() {
        assert_eq!(
            Red::of("and", "f32").map_err(String::from),
            Err("got reduce(and) of elements of type f32; allowed: i32, i64".to_owned())
        );
        assert!(Red::of("mul", "f32").is_err());
        for row in &ROWS {
            assert_eq!(
                Red::of(row.operator.word(), row.element).map(|red| (red.operator(), red.element())),
                Ok((row.operator, row.element))
            );
        }
    }
}
