//! Kernel arguments in the syntax of the command line.
//!
//! ```text
//! f32[32x32]=random:7     a buffer, passed as one pointer, with its contents before the run
//! f16[60x100:128x1+8]=…   a buffer that is part of a larger memory: strides, and optionally an offset
//! i32=5                   a scalar
//! map(base=0,…)           a tensor map of argument 0
//! null                    a null pointer
//! ```

use std::str::FromStr;

use ptx_sim::BufferMap;
use thiserror::Error;

use crate::contents::{ContentsError, Fill};
use crate::element::{Element, UnknownElement};
use crate::map::{self, MapError};
use crate::placement::{Placement, PlacementError};
use crate::tensor::{Shape, ShapeError};

/// One kernel argument.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// Device memory, passed by its address.
    Buffer {
        /// Type and extents.
        shape: Shape,
        /// The placement of the elements in memory; `None` for dense rows.
        placement: Option<Placement>,
        /// Contents before the run.
        fill: Fill,
    },
    /// A number, passed by value.
    Scalar {
        /// Its type.
        element: Element,
        /// Its bits, in the lowest bits of the word.
        bits: u64,
    },
    /// A tensor map of another argument's memory.
    Map(BufferMap),
    /// A null pointer.
    Null,
}

/// Why a text is not an argument.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArgumentError {
    /// There is no `=`.
    #[error("expected TYPE[EXTENTS]=CONTENTS, TYPE=NUMBER, map(base=ARGUMENT,…) or null")]
    Form,
    /// It is a tensor map, and wrong.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The type has no known name.
    #[error(transparent)]
    Element(#[from] UnknownElement),
    /// An extent is not a number.
    #[error("got extents `{0}`, expected whole numbers with an x between them, as in 32x32")]
    Extents(String),
    /// The strides are not numbers.
    #[error("got strides `{0}`, expected whole numbers with an x between them and an offset, as in 128x1 or 128x1+8")]
    Strides(String),
    /// The strides are numbers, but impossible.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The extents are numbers, but impossible.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The contents after the `=` of a buffer are wrong.
    #[error(transparent)]
    Contents(#[from] ContentsError),
    /// The number after the `=` of a scalar is wrong.
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
        if text.starts_with("map(") {
            return Ok(Self::Map(map::parse(text)?));
        }
        if text == "null" {
            return Ok(Self::Null);
        }
        let (ty, value) = text.split_once('=').ok_or(ArgumentError::Form)?;
        match ty.split_once('[') {
            None => scalar(ty.parse()?, value),
            Some((element, extents)) => {
                let extents = extents.strip_suffix(']').ok_or(ArgumentError::Form)?;
                let (extents, strides) = extents.split_once(':').map_or((extents, None), |(e, s)| (e, Some(s)));
                let shape = Shape::new(element.parse()?, parse_extents(extents)?)?;
                let placement = strides.map(|strides| parse_placement(strides, &shape)).transpose()?;
                let fill: Fill = value.parse()?;
                fill.check(shape.element)?;
                Ok(Self::Buffer { shape, placement, fill })
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

/// Parses strides and an optional offset.
fn parse_placement(text: &str, shape: &Shape) -> Result<Placement, ArgumentError> {
    let error = || ArgumentError::Strides(text.into());
    let (strides, offset) = text.split_once('+').unwrap_or((text, "0"));
    let strides = strides.split('x').map(str::parse).collect::<Result<_, _>>().map_err(|_| error())?;
    let placement = Placement { strides, offset: offset.parse().map_err(|_| error())? };
    // The size of the whole memory must be possible, too.
    Shape::new(shape.element, vec![placement.span(&shape.extents)?])?;
    Ok(placement)
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
        let buffer = |fill| Argument::Buffer { shape: shape.clone(), placement: None, fill };
        assert_eq!("f32[32x8]=random:7".parse(), Ok(buffer(Fill::Random(Some(7)))));
        assert_eq!("f32[32x8]=random".parse(), Ok(buffer(Fill::Random(None))));
        assert_eq!("f32[32x8]=a=b/c.npy".parse(), Ok(buffer(Fill::File("a=b/c.npy".into()))));
        let placement = Some(Placement { strides: vec![10, 1], offset: 3 });
        let part = Argument::Buffer { shape: shape.clone(), placement, fill: Fill::Zeros };
        assert_eq!("f32[32x8:10x1+3]=zeros".parse(), Ok(part));
        assert_eq!("null".parse(), Ok(Argument::Null));
        let scalar = Argument::Scalar { element: "i32".parse().unwrap(), bits: 0xffff_fffb };
        assert_eq!("i32=-5".parse(), Ok(scalar));
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(error("f32[4]"), "expected TYPE[EXTENTS]=CONTENTS, TYPE=NUMBER, map(base=ARGUMENT,…) or null");
        assert_eq!(error("f32[4=zeros"), "expected TYPE[EXTENTS]=CONTENTS, TYPE=NUMBER, map(base=ARGUMENT,…) or null");
        assert_eq!(error("map(base=0,type=u8,dims=16)"), "field `box` is missing");
        assert!(error("x=1").starts_with("got element type `x`"));
        assert!(error("f32[4,4]=zeros").starts_with("got extents `4,4`"));
        assert!(error("f32[]=zeros").starts_with("got extents ``"));
        assert!(error("f32[4x4:4,1]=zeros").starts_with("got strides `4,1`"));
        assert!(error("f32[4x4:3x1]=zeros").starts_with("got a stride of 3 for an extent of 4, expected at least 4"));
        assert!("f32[0x4]=zeros".parse::<Argument>().is_ok(), "an empty array");
        assert!(error("f32[4]=random:x").starts_with("got contents `random:x`"));
        assert_eq!(error("u8=256"), "got `256`, expected a number that fits u8");
    }
}
