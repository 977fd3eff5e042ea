//! What a copy through a tensor map requests beyond an asynchronous copy.

use serde::{Deserialize, Serialize};

/// What a copy through a tensor map requests beyond an asynchronous copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MapRequest {
    /// Whether the region may leave the tensor: loads fill what is outside, stores leave it out. Otherwise the region is
    /// inside, as that of any copy.
    pub clips: bool,
    /// What a load writes for elements outside of the tensor.
    pub fill: OutOfBounds,
    /// The bytes that a miss fetches into L2; chosen where it is `None`.
    pub promotion: Option<Promotion>,
    /// Whether each row of the region is any row of the tensor, named by its number at run time.
    pub rows: bool,
    /// Whether the tensor's first dimension ends at a row that is known at run time, before its own end.
    pub until: bool,
    /// Whether elements of type `f32` are rounded to tf32.
    pub tf32: bool,
    /// The pixels that the copy walks through, if its region is pixels of images.
    pub im2col: Option<PixelBox>,
}

/// The pixels of images, as a filter visits them: a box of each image, and the steps in it. The innermost dimension first, which is
/// the width, then height and depth; where the images have no such dimension, corners are 0 and the step is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelBox {
    /// From an image's first pixel to the first one of the box.
    pub lower: [i64; 3],
    /// From the image's end to that of the box.
    pub upper: [i64; 3],
    /// From one pixel to the next.
    pub step: [i64; 3],
}

/// The bytes that a miss fetches into L2: `CUtensorMapL2promotion`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each is its number of bytes")]
pub enum Promotion {
    #[default]
    None,
    B64,
    B128,
    B256,
}

impl Promotion {
    /// The number of bytes; 0 for none.
    pub fn bytes(self) -> i64 {
        match self {
            Promotion::None => 0,
            Promotion::B64 => 64,
            Promotion::B128 => 128,
            Promotion::B256 => 256,
        }
    }
}

impl OutOfBounds {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            OutOfBounds::Zero => "zero",
            OutOfBounds::Nan => "nan",
        }
    }
}

/// What a load writes for elements outside of the tensor: `CUtensorMapFloatOOBfill`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutOfBounds {
    /// Zeros.
    #[default]
    Zero,
    /// A NaN, of elements that are floating-point numbers.
    Nan,
}
