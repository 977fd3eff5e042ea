//! Mistakes in a text: what was got, what was expected, and where.

use std::fmt;

use serde::de::{self, Expected, Unexpected};
use serde::ser;

/// A mistake in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The position, in bytes from the start of the text; `None` until it is known.
    at: Option<usize>,
    /// Got and expected.
    pub text: String,
}

impl Mistake {
    /// A mistake at a position.
    pub fn new(at: usize, text: impl Into<String>) -> Self {
        Mistake { at: Some(at), text: text.into() }
    }

    /// The position, in bytes from the start of the text.
    pub fn at(&self) -> usize {
        self.at.unwrap_or(0)
    }

    /// The same mistake, at `at` if it has no position yet.
    #[must_use]
    pub(super) fn or_at(self, at: usize) -> Self {
        Mistake { at: self.at.or(Some(at)), ..self }
    }

    fn somewhere(text: String) -> Self {
        Mistake { at: None, text }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Mistake {}

impl ser::Error for Mistake {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Mistake::somewhere(text.to_string())
    }
}

impl de::Error for Mistake {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Mistake::somewhere(text.to_string())
    }

    fn invalid_type(got: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = match expected.to_string() {
            whole if whole == "usize" || whole == "u64" => "a number of at least 0".to_owned(),
            whole if whole == "u32" => format!("a number from 0 to {}", u32::MAX),
            other => other,
        };
        match got {
            Unexpected::Signed(got) => Mistake::somewhere(format!("got {got}, expected {expected}")),
            got => Mistake::somewhere(format!("got {got}, expected {expected}")),
        }
    }

    fn invalid_value(got: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Mistake::invalid_type(got, expected)
    }

    fn invalid_length(got: usize, expected: &dyn Expected) -> Self {
        Mistake::somewhere(format!("got {got} of them, expected {expected}"))
    }

    fn unknown_variant(got: &str, expected: &'static [&'static str]) -> Self {
        Mistake::somewhere(format!("got '{got}', expected {}", one_of(expected)))
    }

    fn unknown_field(got: &str, expected: &'static [&'static str]) -> Self {
        Mistake::somewhere(format!("got key '{got}', expected {}", one_of(expected)))
    }

    fn missing_field(name: &'static str) -> Self {
        Mistake::somewhere(format!("got no key '{name}'"))
    }
}

/// `one of a, b`.
fn one_of(words: &[&str]) -> String {
    if let [only] = words { (*only).to_owned() } else { format!("one of {}", words.join(", ")) }
}
