//! Conversions between element types: which pairs there are, and how integers are read (PTX ISA, cvt).

use std::fmt;

use thiserror::Error;

use crate::messages::message_of;
use crate::words::joined;

/// A conversion that there is not.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ConversionError {
    /// Elements of a type that has no conversions.
    #[error("got elements of type {element} in a copy that converts, expected one of {}", joined(.known))]
    Element { element: String, known: Vec<&'static str> },
    /// A clause `convert(…)` with an unknown word.
    #[error("got convert({word}), expected one of {}", joined(.known))]
    Word { word: String, known: Vec<&'static str> },
    /// A clause `convert(…)` that does not fit the types.
    #[error("got convert({word}) in a copy of {from} to {to}{because}")]
    Clause { word: &'static str, from: String, to: String, because: &'static str },
    /// Integers that may be signed or not.
    #[error(
        "converts {from} to {to} without the signedness of the integers, expected convert(signed) or convert(unsigned)"
    )]
    Signedness { from: &'static str, to: &'static str },
    /// Types between which there is no conversion.
    #[error("cannot convert {from} to {to}; what {fp8} converts to and from: {}", joined(.partners))]
    Unconverted { from: &'static str, to: &'static str, fp8: &'static str, partners: Vec<&'static str> },
    /// Text that is not two types.
    #[error("got '{0}', expected two types that differ: 'f32 to f16', 'i8 to f32, unsigned'")]
    Text(String),
}

message_of!(ConversionError);

/// A type of numbers that conversions support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberFormat {
    /// IEEE double.
    F64,
    /// IEEE single.
    F32,
    /// IEEE half.
    F16,
    /// The upper half of an `f32`.
    Bf16,
    /// 8 bits, 3 of mantissa; no infinities.
    E4m3,
    /// 8 bits, 2 of mantissa.
    E5m2,
    /// A signless integer of 8, 16, 32 or 64 bits.
    Integer(u32),
}

/// The types, as the dialect writes them.
const NAMES: [(&str, NumberFormat); 10] = [
    ("f64", NumberFormat::F64),
    ("f32", NumberFormat::F32),
    ("f16", NumberFormat::F16),
    ("bf16", NumberFormat::Bf16),
    ("f8E4M3FN", NumberFormat::E4m3),
    ("f8E5M2", NumberFormat::E5m2),
    ("i64", NumberFormat::Integer(64)),
    ("i32", NumberFormat::Integer(32)),
    ("i16", NumberFormat::Integer(16)),
    ("i8", NumberFormat::Integer(8)),
];

impl NumberFormat {
    /// The type of that name in the dialect; `None` for any other.
    pub fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|&(_, number)| number)
    }

    /// The type of that name.
    ///
    /// # Errors
    /// Got, and the known names.
    fn of(name: &str) -> Result<Self, ConversionError> {
        let names = || NAMES.map(|(name, _)| name).to_vec();
        NumberFormat::named(name).ok_or_else(|| ConversionError::Element { element: name.to_owned(), known: names() })
    }

    /// The name, as the dialect spells it.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|&&(_, number)| number == self).map_or("an integer", |&(name, _)| name)
    }

    /// The width in bits.
    pub fn bits(self) -> u32 {
        match self {
            NumberFormat::F64 => 64,
            NumberFormat::F32 => 32,
            NumberFormat::F16 | NumberFormat::Bf16 => 16,
            NumberFormat::E4m3 | NumberFormat::E5m2 => 8,
            NumberFormat::Integer(bits) => bits,
        }
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        matches!(self, NumberFormat::Integer(_))
    }

    /// Whether it is an 8-bit float.
    pub fn is_fp8(self) -> bool {
        matches!(self, NumberFormat::E4m3 | NumberFormat::E5m2)
    }
}

/// A clause `convert(…)`: how the bits of elements are read, or rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clause {
    /// Integers are signed.
    Signed,
    /// Integers are unsigned.
    Unsigned,
    /// `f32` values are rounded to the precision of `tf32`, and still stored as `f32`.
    Tf32,
}

impl Clause {
    const ALL: [(&str, Clause); 3] =
        [("signed", Clause::Signed), ("unsigned", Clause::Unsigned), ("tf32", Clause::Tf32)];

    /// The clause of that word; `None` for any other.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == word).map(|&(_, clause)| clause)
    }

    /// The clause of that word.
    ///
    /// # Errors
    /// Got, and the known words.
    fn of(word: &str) -> Result<Self, ConversionError> {
        let words = || Self::ALL.map(|(word, _)| word).to_vec();
        Clause::named(word).ok_or_else(|| ConversionError::Word { word: word.to_owned(), known: words() })
    }

    /// The word, as the dialect spells it.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|&&(_, clause)| clause == self).map_or("", |&(word, _)| word)
    }

    fn does_not_fit(self, from: &str, to: &str, because: &'static str) -> ConversionError {
        ConversionError::Clause { word: self.word(), from: from.to_owned(), to: to.to_owned(), because }
    }
}

/// A conversion of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Conversion {
    /// The type that is read.
    pub from: NumberFormat,
    /// The type that is written.
    pub to: NumberFormat,
    /// How integers are read, or that elements are rounded to `tf32`.
    pub clause: Option<Clause>,
}

impl Conversion {
    /// The conversion from elements of one type to those of another, by their names in the dialect, with the word of a
    /// `convert(…)`; `None` for a copy that converts nothing.
    ///
    /// # Errors
    /// Types that do not convert into each other, and a clause that is missing or does not fit: got and expected.
    pub fn of(from: &str, to: &str, word: Option<&str>) -> Result<Option<Self>, ConversionError> {
        let clause = word.map(Clause::of).transpose()?;
        if clause == Some(Clause::Tf32) {
            return Self::tf32(from, to).map(Some);
        }
        if from == to {
            return clause.map_or(Ok(None), |clause| Err(clause.does_not_fit(from, to, ", which converts nothing")));
        }
        let (from, to) = (NumberFormat::of(from)?, NumberFormat::of(to)?);
        exists(from, to)?;
        match (from.is_integer() || to.is_integer(), clause) {
            (true, None) => Err(ConversionError::Signedness { from: from.name(), to: to.name() }),
            (false, Some(clause)) => {
                Err(clause.does_not_fit(from.name(), to.name(), ", expected none: floats have their sign"))
            }
            _ => Ok(Some(Conversion { from, to, clause })),
        }
    }

    fn tf32(from: &str, to: &str) -> Result<Self, ConversionError> {
        if (from, to) != ("f32", "f32") {
            return Err(Clause::Tf32.does_not_fit(from, to, ", expected f32 to f32"));
        }
        Ok(Conversion { from: NumberFormat::F32, to: NumberFormat::F32, clause: Some(Clause::Tf32) })
    }

    /// Whether integers are signed.
    pub fn is_signed(self) -> bool {
        self.clause == Some(Clause::Signed)
    }

    /// Whether elements are rounded to `tf32`.
    pub fn is_tf32(self) -> bool {
        self.clause == Some(Clause::Tf32)
    }
}

/// 8-bit floats have no conversions from or to integers and `f64`: going through `f32` would round twice.
fn converts_with_fp8(other: NumberFormat) -> bool {
    !other.is_integer() && other != NumberFormat::F64
}

fn exists(from: NumberFormat, to: NumberFormat) -> Result<(), ConversionError> {
    let (fp8, other) = if from.is_fp8() { (from, to) } else { (to, from) };
    if !fp8.is_fp8() || converts_with_fp8(other) {
        return Ok(());
    }
    let partners = NAMES.iter().filter(|&&(_, number)| number != fp8 && converts_with_fp8(number));
    let partners: Vec<&str> = partners.map(|&(name, _)| name).collect();
    Err(ConversionError::Unconverted { from: from.name(), to: to.name(), fp8: fp8.name(), partners })
}

impl From<Conversion> for String {
    /// `i8 to f32, unsigned`.
    fn from(conversion: Conversion) -> Self {
        let Conversion { from, to, clause } = conversion;
        let clause = clause.map(|clause| format!(", {}", clause.word())).unwrap_or_default();
        format!("{} to {}{clause}", from.name(), to.name())
    }
}

impl TryFrom<String> for Conversion {
    type Error = ConversionError;

    fn try_from(text: String) -> Result<Self, ConversionError> {
        let (types, clause) = text.split_once(", ").map_or((&*text, None), |(types, clause)| (types, Some(clause)));
        let expected = || ConversionError::Text(text.clone());
        let (from, to) = types.split_once(" to ").ok_or_else(expected)?;
        Conversion::of(from, to, clause)?.ok_or_else(expected)
    }
}

impl fmt::Display for Conversion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to = if self.is_tf32() { "tf32" } else { self.to.name() };
        write!(f, "{} to {to}", self.from.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_clause_go_together() {
        let text = |from, to, word| Conversion::of(from, to, word).map(|found| found.map(|found| found.to_string()));
        assert_eq!(text("f32", "f32", None), Ok(None));
        assert_eq!(text("i4", "i4", None), Ok(None));
        assert_eq!(text("f32", "f16", None), Ok(Some("f32 to f16".to_owned())));
        assert_eq!(text("f32", "f32", Some("tf32")), Ok(Some("f32 to tf32".to_owned())));
        assert_eq!(text("i8", "f32", Some("unsigned")), Ok(Some("i8 to f32".to_owned())));
        let refused = |from, to, word| text(from, to, word).unwrap_err().to_string();
        assert_eq!(
            refused("i8", "f32", None),
            "converts i8 to f32 without the signedness of the integers, expected convert(signed) or \
             convert(unsigned)"
        );
        assert_eq!(
            refused("f16", "f32", Some("signed")),
            "got convert(signed) in a copy of f16 to f32, expected none: floats have their sign"
        );
        assert_eq!(
            refused("f64", "f8E5M2", None),
            "cannot convert f64 to f8E5M2; what f8E5M2 converts to and from: f32, f16, bf16, f8E4M3FN"
        );
        assert_eq!(
            refused("f16", "f16", Some("tf32")),
            "got convert(tf32) in a copy of f16 to f16, expected f32 to f32"
        );
        assert_eq!(refused("f16", "f32", Some("x")), "got convert(x), expected one of signed, unsigned, tf32");
        assert_eq!(
            refused("i8", "i8", Some("signed")),
            "got convert(signed) in a copy of i8 to i8, which converts nothing"
        );
        assert!(refused("i1", "i8", None).starts_with("got elements of type i1 in a copy that converts"));
    }

    #[test]
    fn as_text() {
        for text in ["f32 to f16", "i8 to f32, unsigned", "f32 to f32, tf32"] {
            assert_eq!(Conversion::try_from(text.to_owned()).map(String::from).as_deref(), Ok(text));
        }
        let refused = |text: &str| Conversion::try_from(text.to_owned()).unwrap_err().to_string();
        assert!(refused("f32 to f32").starts_with("got 'f32 to f32', expected two types that differ"));
        assert!(refused("f32").starts_with("got 'f32', expected two types"));
        assert!(refused("f32 to x").starts_with("got elements of type x"));
    }

    #[test]
    fn names_and_widths() {
        for (name, number) in NAMES {
            assert_eq!((NumberFormat::of(name), number.name()), (Ok(number), name));
            assert!(name.contains(&number.bits().to_string()) || number.is_fp8());
        }
    }
}
