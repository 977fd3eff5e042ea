//! Maps of im2col mode: an instruction takes pixels of images, one after the other, as a filter visits them.
//!
//! ```text
//!   images of 5x4 pixels, lower = -1x-1, upper = -1x-2      the filter's first pixel is inside of the box
//!
//!     . . . . . .        -1 ┌───────────┐                   the first coordinate after the channels goes from
//!     . p p p p p         0 │           │                   -1 to 5 - 1, the next from -1 to 4 - 2, then the
//!     . p p p p p         1 └───────────┘                   next image begins
//! ```

use thiserror::Error;

use super::TiledMap;

/// The most pixels of an instruction.
const MAX_PIXELS: u32 = 1024;
/// The dimensions that such a tensor has: channels, one to three of images, and images.
const RANKS: [usize; 2] = [3, 5];

/// The pixels that an instruction walks through. Corners are innermost first, without channels and images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Im2col {
    /// From the first pixel of an image to the first pixel of the box.
    pub lower: Vec<i32>,
    /// From the end of an image to the end of the box.
    pub upper: Vec<i32>,
    /// The pixels of an instruction.
    pub pixels: u32,
}

/// Arguments of which `cuTensorMapEncodeIm2col` makes no tensor map.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Im2colError {
    /// The number of dimensions.
    #[error("got images of {got} dimensions, expected 3 to 5: channels, one to three of pixels, and images")]
    Rank {
        /// The number.
        got: usize,
    },
    /// A corner with the wrong number of dimensions.
    #[error("got {got} numbers of the {corner} corner, expected {expected} for images of {rank} dimensions")]
    Number {
        /// The corner.
        corner: &'static str,
        /// The numbers.
        got: usize,
        /// The numbers that it needs.
        expected: usize,
        /// The number of dimensions.
        rank: usize,
    },
    /// A corner too far from the image.
    #[error(
        "got {got} as the {corner} corner in dimension {dimension}, expected {first} to {last} for images of {rank} dimensions"
    )]
    Corner {
        /// The corner.
        corner: &'static str,
        /// The dimension of the tensor.
        dimension: usize,
        /// The number.
        got: i32,
        /// The least.
        first: i32,
        /// The greatest.
        last: i32,
        /// The number of dimensions.
        rank: usize,
    },
    /// A box without pixels.
    #[error("got a box from {lower} to {extent} + {upper} in dimension {dimension}, expected one pixel or more")]
    Empty {
        /// The dimension of the tensor.
        dimension: usize,
        /// Its extent.
        extent: u64,
        /// The lower corner.
        lower: i32,
        /// The upper corner.
        upper: i32,
    },
    /// The pixels of an instruction.
    #[error("got {got} pixels, expected 1 to {MAX_PIXELS}")]
    Pixels {
        /// The number.
        got: u32,
    },
    /// A box in a dimension of pixels.
    #[error("got box extent {got} of dimension {dimension}, expected 1: the number of pixels counts these")]
    Box {
        /// The dimension.
        dimension: usize,
        /// The extent.
        got: u32,
    },
    /// Images that are stepped over.
    #[error(
        "got element stride {got} of dimension {dimension}, expected 1: the engine steps between the pixels of an image"
    )]
    Step {
        /// The dimension.
        dimension: usize,
        /// The step.
        got: u32,
    },
}

impl Im2col {
    /// The bits of a corner, and of a filter's offset, in each dimension of pixels, of a tensor of so many dimensions.
    pub(crate) fn bits(rank: usize) -> u32 {
        match rank {
            3 => 16,
            4 => 8,
            _ => 5,
        }
    }

    /// The positions of a filter's first pixel in a dimension of pixels, which is `extent` pixels long.
    pub(crate) fn positions(&self, dimension: usize, extent: u64) -> std::ops::Range<i64> {
        self.lower[dimension].into()..extent as i64 + i64::from(self.upper[dimension])
    }

    pub(super) fn check(&self, map: &TiledMap) -> Result<(), Im2colError> {
        let rank = map.dims.len();
        if !(RANKS[0]..=RANKS[1]).contains(&rank) {
            return Err(Im2colError::Rank { got: rank });
        }
        self.check_corners(map, rank)?;
        if !(1..=MAX_PIXELS).contains(&self.pixels) {
            return Err(Im2colError::Pixels { got: self.pixels });
        }
        if let Some((dimension, &got)) = (0..).zip(&map.box_dims).skip(1).find(|(_, got)| **got != 1) {
            return Err(Im2colError::Box { dimension, got });
        }
        let (dimension, got) = (rank - 1, map.element_strides[rank - 1]);
        if got == 1 { Ok(()) } else { Err(Im2colError::Step { dimension, got }) }
    }

    fn check_corners(&self, map: &TiledMap, rank: usize) -> Result<(), Im2colError> {
        let (expected, half) = (rank - 2, 1 << (Self::bits(rank) - 1));
        for (corner, numbers) in [("lower", &self.lower), ("upper", &self.upper)] {
            if numbers.len() != expected {
                return Err(Im2colError::Number { corner, got: numbers.len(), expected, rank });
            }
            let far = (1..).zip(numbers).find(|(_, got)| !(-half..half).contains(*got));
            if let Some((dimension, &got)) = far {
                return Err(Im2colError::Corner { corner, dimension, got, first: -half, last: half - 1, rank });
            }
        }
        let extents = &map.dims[1..rank - 1];
        match (0..).zip(extents).find(|(dimension, extent)| self.positions(*dimension, **extent).is_empty()) {
            None => Ok(()),
            Some((place, &extent)) => {
                let (lower, upper) = (self.lower[place], self.upper[place]);
                Err(Im2colError::Empty { dimension: place + 1, extent, lower, upper })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{TensorElement, TensorMap};
    use super::*;

    fn images() -> TiledMap {
        let im2col = Some(Im2col { lower: vec![-1, -1], upper: vec![-1, -2], pixels: 64 });
        TiledMap { im2col, ..TiledMap::new(TensorElement::F16, 0, &[64, 9, 7, 4], &[128, 1152, 8064], &[32, 1, 1, 1]) }
    }

    fn error(change: impl FnOnce(&mut TiledMap, &mut Im2col)) -> String {
        let mut map = images();
        let mut im2col = map.im2col.take().unwrap();
        change(&mut map, &mut im2col);
        TensorMap::tiled(TiledMap { im2col: Some(im2col), ..map }).unwrap_err().to_string()
    }

    #[test]
    fn rules_of_pixels() {
        let map = TensorMap::tiled(images()).unwrap();
        assert_eq!(map.box_bytes(), 4096);
        assert!(error(|map, _| (map.dims, map.strides) = (vec![64, 9], vec![128])).starts_with("got 4 box extents"));
        assert_eq!(
            error(|_, walk| walk.lower.push(0)),
            "got 3 numbers of the lower corner, expected 2 for images of 4 dimensions"
        );
        let far = "as the upper corner in dimension 2, expected -128 to 127 for images of 4 dimensions";
        assert_eq!(error(|_, walk| walk.upper[1] = 128), format!("got 128 {far}"));
        assert_eq!(error(|_, walk| walk.upper[1] = -129), format!("got -129 {far}"));
        assert_eq!(
            error(|_, walk| walk.upper[0] = -10),
            "got a box from -1 to 9 + -10 in dimension 1, expected one pixel or more"
        );
        assert_eq!(error(|_, walk| walk.pixels = 1025), "got 1025 pixels, expected 1 to 1024");
        let counted = "got box extent 2 of dimension 3, expected 1: the number of pixels counts these";
        assert_eq!(error(|map, _| map.box_dims[3] = 2), counted);
        assert!(
            error(|map, _| map.element_strides[3] = 2).starts_with("got element stride 2 of dimension 3, expected 1")
        );
    }

    #[test]
    fn images_have_three_to_five_dimensions() {
        let flat = Im2col { lower: vec![], upper: vec![], pixels: 8 };
        let map = TiledMap::new(TensorElement::F16, 0, &[64, 9], &[128], &[32, 1]);
        let error = TensorMap::tiled(TiledMap { im2col: Some(flat), ..map }).unwrap_err().to_string();
        assert!(error.starts_with("got images of 2 dimensions, expected 3 to 5"), "{error}");
        let row = Im2col { lower: vec![-32768], upper: vec![32767], pixels: 1 };
        let map = TiledMap::new(TensorElement::F16, 0, &[64, 9, 2], &[128, 1152], &[32, 1, 1]);
        assert!(TensorMap::tiled(TiledMap { im2col: Some(row), ..map }).is_ok());
    }
}
