//! The allowed deviation of numbers.
//!
//! ```text
//! |got - expected| <= atol + rtol * |expected|         as in numpy's allclose
//! ```

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::element::Element;

/// The allowed deviation of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// The part that is multiplied by the magnitude of the expected number.
    pub relative: f64,
    /// The part that is independent of the expected number.
    pub absolute: f64,
}

/// A valid tolerance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound(pub f64);

/// A text that is not a [`Bound`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("got tolerance `{0}`, expected a finite number from 0, as in 1e-5")]
pub struct BoundError(String);

impl FromStr for Bound {
    type Err = BoundError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
        number.map(Self).ok_or_else(|| BoundError(text.into()))
    }
}

impl Tolerance {
    /// The tolerance from optional bounds; `None` without both.
    pub fn of(relative: Option<Bound>, absolute: Option<Bound>) -> Option<Self> {
        let raw = |bound: Option<Bound>| bound.map_or(0.0, |bound| bound.0);
        (relative.is_some() || absolute.is_some()).then(|| Self { relative: raw(relative), absolute: raw(absolute) })
    }

    /// Whether a number is close enough. A NaN is close to any NaN, as for numpy's `assert_allclose`, an infinity only to itself.
    pub fn allows(&self, got: Number, expected: Number) -> bool {
        let size = expected.value();
        if !size.is_finite() {
            return got.value() == size || got.value().is_nan() && size.is_nan();
        }
        got.distance(expected) <= self.absolute + self.relative * size.abs()
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:e} + {:e} * |expected|", self.absolute, self.relative)
    }
}

/// An element with its type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// The type.
    pub element: Element,
    /// Its bits.
    pub bits: u64,
}

impl Number {
    fn value(self) -> f64 {
        self.element.number(self.bits)
    }

    /// The distance of two numbers; for integers it is computed exactly, then rounded.
    pub fn distance(self, other: Self) -> f64 {
        if self.element.is_integer() && other.element.is_integer() {
            return (self.element.integer(self.bits) - other.element.integer(other.bits)).unsigned_abs() as f64;
        }
        (self.value() - other.value()).abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(name: &str, text: &str) -> Number {
        let element: Element = name.parse().unwrap();
        Number { element, bits: element.parse(text).unwrap() }
    }

    fn close(relative: f64, absolute: f64, got: (&str, &str), expected: (&str, &str)) -> bool {
        Tolerance { relative, absolute }.allows(number(got.0, got.1), number(expected.0, expected.1))
    }

    #[test]
    fn as_numpys_assert_allclose() {
        assert!(close(0.0, 0.0, ("f32", "0"), ("f32", "-0")));
        assert!(close(1e-3, 0.0, ("f32", "1000.9"), ("f32", "1000")));
        assert!(!close(1e-3, 0.0, ("f32", "1001.1"), ("f32", "1000")));
        assert!(close(0.0, 0.5, ("f16", "1.5"), ("f16", "1")) && !close(0.0, 0.4, ("f16", "1.5"), ("f16", "1")));
        assert!(close(1.0, 1.0, ("f32", "inf"), ("f32", "inf")) && !close(1.0, 1.0, ("f32", "1"), ("f32", "inf")));
        assert!(!close(1.0, 1.0, ("f32", "inf"), ("f32", "1")) && !close(1.0, 1.0, ("f32", "inf"), ("f32", "-inf")));
        assert!(close(0.0, 0.0, ("f32", "NaN"), ("f32", "NaN")));
        assert!(!close(1.0, 1.0, ("f32", "NaN"), ("f32", "1.0")) && !close(1.0, 1.0, ("f32", "1.0"), ("f32", "NaN")));
    }

    #[test]
    fn other_types_and_integers() {
        assert!(close(1e-3, 0.0, ("f16", "0.3333"), ("f64", "0.33333333")));
        assert!(close(0.0, 1.0, ("i8", "-128"), ("i8", "-127")));
        assert!(!close(0.0, 1.0, ("u64", "18446744073709551615"), ("u64", "18446744073709551613")));
    }

    #[test]
    fn bounds_are_numbers_from_0() {
        for text in ["-1", "nan", "inf", "x", ""] {
            assert!(text.parse::<Bound>().is_err(), "{text}");
        }
        assert_eq!("1e-5".parse(), Ok(Bound(1e-5)));
        assert_eq!(Tolerance::of(None, Some(Bound(0.5))), Some(Tolerance { relative: 0.0, absolute: 0.5 }));
        assert_eq!(Tolerance::of(None, None), None);
    }
}
