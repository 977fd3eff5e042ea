//! Kernel arguments as the command line states them.
//!
//! ```text
//! f32[32x32]=random:7     a buffer, passed as one pointer, with its contents before the run
//! i32=5                   a scalar
//! ```

use std::path::PathBuf;
use std::str::FromStr;

use thiserror::Error;

use crate::element::{Element, UnknownElement};
use crate::tensor::{Shape, ShapeError};

/// One kernel argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// Device memory, passed by its address.
    Buffer {
        /// Type and extents.
        shape: Shape,
        /// Contents before the run.
        fill: Fill,
    },
    /// A number, passed as it is.
    Scalar {
        /// Its type.
        element: Element,
        /// Its bits, the lowest ones where it is narrower than 64.
        bits: u64,
    },
}

/// What a buffer holds before the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fill {
    /// Random numbers of a seed, any finite one of the type as likely as another. None: the run's own seed.
    Random(Option<u64>),
    /// 0, 1, 2, … in row-major order.
    Iota,
    /// Zero bits.
    Zeros,
    /// The number 1.
    Ones,
    /// No value: the simulator finds a kernel that reads it, a GPU starts from a pattern.
    Poison,
    /// An array that numpy saved.
    File(PathBuf),
}

/// Why a text is no argument.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArgumentError {
    /// There is no `=`.
    #[error("expected TYPE[EXTENTS]=CONTENTS or TYPE=NUMBER")]
    Form,
    /// The type has no known name.
    #[error(transparent)]
    Element(#[from] UnknownElement),
    /// An extent is not a number.
    #[error("got extents `{0}`, expected whole numbers with an x between them, as in 32x32")]
    Extents(String),
    /// The extents are numbers, but impossible.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// What follows the `=` of a buffer.
    #[error(
        "got contents `{0}`, expected random, random:SEED, iota, zeros, ones, poison or a file whose name ends in .npy"
    )]
    Fill(String),
    /// What follows the `=` of a scalar.
    #[error("got `{text}`, expected a number that fits {element}")]
    Number {
        /// The text.
        text: String,
        /// The type.
        element: Element,
    },
}

impl FromStr for Argument {
    type Err = ArgumentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (ty, value) = text.split_once('=').ok_or(ArgumentError::Form)?;
        match ty.split_once('[') {
            None => scalar(ty.parse()?, value),
            Some((element, extents)) => {
                let extents = extents.strip_suffix(']').ok_or(ArgumentError::Form)?;
                let shape = Shape::new(element.parse()?, parse_extents(extents)?)?;
                Ok(Self::Buffer { shape, fill: value.parse()? })
            }
        }
    }
}

fn scalar(element: Element, text: &str) -> Result<Argument, ArgumentError> {
    let bits = element.parse(text).ok_or_else(|| ArgumentError::Number { text: text.into(), element })?;
    Ok(Argument::Scalar { element, bits })
}

fn parse_extents(text: &str) -> Result<Vec<usize>, ArgumentError> {
    let extents = text.split('x').map(str::parse).collect::<Result<_, _>>();
    extents.map_err(|_| ArgumentError::Extents(text.into()))
}

impl FromStr for Fill {
    type Err = ArgumentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ArgumentError::Fill(text.into());
        match text {
            "random" => Ok(Self::Random(None)),
            "iota" => Ok(Self::Iota),
            "zeros" => Ok(Self::Zeros),
            "ones" => Ok(Self::Ones),
            "poison" => Ok(Self::Poison),
            _ if text.ends_with(".npy") => Ok(Self::File(text.into())),
            _ => {
                let seed = text.strip_prefix("random:").ok_or_else(error)?;
                seed.parse().map(|s| Self::Random(Some(s))).map_err(|_| error())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Argument>().unwrap_err().to_string()
    }

    #[test]
    fn buffers_and_scalars() {
        let shape = Shape::new("f32".parse().unwrap(), vec![32, 8]).unwrap();
        let buffer = |fill| Argument::Buffer { shape: shape.clone(), fill };
        assert_eq!("f32[32x8]=random:7".parse(), Ok(buffer(Fill::Random(Some(7)))));
        assert_eq!("f32[32x8]=random".parse(), Ok(buffer(Fill::Random(None))));
        assert_eq!("f32[32x8]=a=b/c.npy".parse(), Ok(buffer(Fill::File("a=b/c.npy".into()))));
        let scalar = Argument::Scalar { element: "i32".parse().unwrap(), bits: 0xffff_fffb };
        assert_eq!("i32=-5".parse(), Ok(scalar));
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(error("f32[4]"), "expected TYPE[EXTENTS]=CONTENTS or TYPE=NUMBER");
        assert_eq!(error("f32[4=zeros"), "expected TYPE[EXTENTS]=CONTENTS or TYPE=NUMBER");
        assert!(error("x=1").starts_with("got element type `x`"));
        assert!(error("f32[4,4]=zeros").starts_with("got extents `4,4`"));
        assert!(error("f32[]=zeros").starts_with("got extents ``"));
        assert!(error("f32[0]=zeros").contains("extent of 0"));
        assert!(error("f32[4]=random:x").starts_with("got contents `random:x`"));
        assert_eq!(error("u8=256"), "got `256`, expected a number that fits u8");
    }
}
