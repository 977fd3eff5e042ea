//! The contents of a buffer before the run, in the syntax of the command line.
//!
//! ```text
//! uniform(-1,1)        with the run's seed
//! normal(0,2):7        with its own seed
//! ```

use std::path::PathBuf;
use std::str::FromStr;

use thiserror::Error;

use crate::element::Element;

/// The contents of a buffer before the run. Without a seed, that of the run is used.
#[derive(Debug, Clone, PartialEq)]
pub enum Fill {
    /// Random numbers; all finite numbers of the type are equally likely.
    Random(Option<u64>),
    /// Random numbers of a distribution.
    Drawn(Distribution, Option<u64>),
    /// 0, 1, 2, … in row-major order.
    Iota,
    /// Zero bits.
    Zeros,
    /// The number 1.
    Ones,
    /// No value: the simulator reports a kernel that reads it; a GPU starts from a pattern.
    Poison,
    /// An array that numpy saved.
    File(PathBuf),
}

/// A distribution of random numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Distribution {
    /// Uniform from the first number to below the second. Floats are rounded to the nearest of the type; integers in
    /// the range are equally likely.
    Uniform(f64, f64),
    /// A mean and a standard deviation; numbers are rounded to the nearest of the type, at most its largest finite one.
    Normal(f64, f64),
}

/// Why a text does not state contents.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ContentsError {
    /// An unknown word.
    #[error(
        "got contents `{0}`, expected random, uniform(LOW,HIGH), normal(MEAN,DEVIATION), each optionally followed by \
         :SEED, iota, zeros, ones, poison or a file whose name ends in .npy"
    )]
    Word(String),
    /// Bounds with nothing in between.
    #[error("got uniform({0},{1}), expected a first bound below the second")]
    Bounds(String, String),
    /// A deviation below 0.
    #[error("got normal({0},{1}), expected a standard deviation of at least 0")]
    Deviation(String, String),
    /// A bound of integers that is not a whole number.
    #[error("got {0} as a bound of integers of type {1}, expected a whole number")]
    Whole(String, Element),
    /// A number that the type does not have.
    #[error("got {got} for elements of type {element}, expected a number from {low} to {high}")]
    Range {
        /// The number.
        got: String,
        /// The type.
        element: Element,
        /// The type's smallest number.
        low: String,
        /// The type's largest number.
        high: String,
    },
}

impl FromStr for Fill {
    type Err = ContentsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ContentsError::Word(text.into());
        match text {
            "iota" => return Ok(Self::Iota),
            "zeros" => return Ok(Self::Zeros),
            "ones" => return Ok(Self::Ones),
            "poison" => return Ok(Self::Poison),
            _ if text.ends_with(".npy") => return Ok(Self::File(text.into())),
            _ => {}
        }
        let (name, seed) = match text.rsplit_once(':') {
            Some((name, seed)) => (name, Some(seed.parse().map_err(|_| error())?)),
            None => (text, None),
        };
        if name == "random" {
            return Ok(Self::Random(seed));
        }
        let (name, numbers) = name.strip_suffix(')').and_then(|call| call.split_once('(')).ok_or_else(error)?;
        let [first, second] = numbers.split(',').map(number).collect::<Vec<_>>()[..] else { return Err(error()) };
        let (Some(first), Some(second)) = (first, second) else { return Err(error()) };
        match name {
            "uniform" => Ok(Self::Drawn(Distribution::Uniform(first, second), seed)),
            "normal" => Ok(Self::Drawn(Distribution::Normal(first, second), seed)),
            _ => Err(error()),
        }
    }
}

/// A finite number.
fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

impl Fill {
    /// Whether elements of this type can hold it.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self, element: Element) -> Result<(), ContentsError> {
        match *self {
            Self::Drawn(Distribution::Uniform(low, high), _) if low >= high => {
                Err(ContentsError::Bounds(low.to_string(), high.to_string()))
            }
            Self::Drawn(Distribution::Uniform(low, high), _) => {
                // The bound itself is excluded, so 256 is a valid one for u8.
                let last = if element.is_integer() { high - 1.0 } else { high };
                [low, high].into_iter().try_for_each(|bound| whole(element, bound))?;
                within(element, low).and_then(|()| within(element, last))
            }
            Self::Drawn(Distribution::Normal(mean, deviation), _) if deviation < 0.0 => {
                Err(ContentsError::Deviation(mean.to_string(), deviation.to_string()))
            }
            Self::Drawn(Distribution::Normal(mean, _), _) => within(element, mean),
            _ => Ok(()),
        }
    }
}

fn whole(element: Element, bound: f64) -> Result<(), ContentsError> {
    let fits = !element.is_integer() || bound.fract() == 0.0;
    if fits { Ok(()) } else { Err(ContentsError::Whole(bound.to_string(), element)) }
}

fn within(element: Element, number: f64) -> Result<(), ContentsError> {
    let (low, high) = element.range();
    if (low..=high).contains(&number) {
        return Ok(());
    }
    Err(ContentsError::Range { got: number.to_string(), element, low: low.to_string(), high: high.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(element: &str, text: &str) -> String {
        let fill = text.parse::<Fill>();
        fill.and_then(|fill| fill.check(element.parse().unwrap())).unwrap_err().to_string()
    }

    #[test]
    fn distributions_with_and_without_seeds() {
        assert_eq!("random:7".parse(), Ok(Fill::Random(Some(7))));
        assert_eq!("uniform(-1,1.5)".parse(), Ok(Fill::Drawn(Distribution::Uniform(-1.0, 1.5), None)));
        assert_eq!("normal(0, 1e-3):9".parse(), Ok(Fill::Drawn(Distribution::Normal(0.0, 1e-3), Some(9))));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for text in ["random:x", "normal", "normal(1)", "normal(1,2,3)", "uniform(a,b)", "uniform(0,inf)", "gauss(0,1)"]
        {
            assert!(error("f32", text).starts_with(&format!("got contents `{text}`, expected random, ")), "{text}");
        }
        assert_eq!(error("f32", "uniform(2,1)"), "got uniform(2,1), expected a first bound below the second");
        assert_eq!(error("f32", "normal(0,-1)"), "got normal(0,-1), expected a standard deviation of at least 0");
        assert!(error("i8", "uniform(0.5,3)").starts_with("got 0.5 as a bound of integers of type i8"));
        assert_eq!(
            error("f16", "uniform(0,1e6)"),
            "got 1000000 for elements of type f16, expected a number from -65504 to 65504"
        );
        assert!(error("u8", "uniform(-1,3)").contains("expected a number from 0 to 255"));
        assert!(error("u8", "uniform(0,257)").contains("got 256 "));
        assert!("uniform(0,256)".parse::<Fill>().unwrap().check("u8".parse().unwrap()).is_ok());
        assert!(error("f8E4M3FN", "normal(500,1)").contains("got 500 "));
    }
}
