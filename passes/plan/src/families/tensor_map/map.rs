//! A tensor map: how the TMA engine sees a tensor in global memory, and the rules for it.

use serde::{Deserialize, Serialize};

use super::element::MapElement;
use super::swizzle::{ATOM_BYTES, MapSwizzle};
use crate::problem::refusal::Refusal;
use crate::problem::tensor_map::{OutOfBounds, Promotion};
use crate::text::{self, Mistake, is_default, is_one, one};

/// The bytes of an encoded map.
pub const MAP_BYTES: i64 = 128;
/// The most dimensions of a map.
pub const MAX_DIMENSIONS: usize = 5;
/// The most elements of a box in one dimension.
pub const MAX_BOX: i64 = 256;
/// The most pixels of images that an instruction takes.
pub(super) const MAX_PIXELS: i64 = 1024;
/// The fewest dimensions of images: channels, pixels, and images.
pub(super) const MIN_IMAGE_DIMENSIONS: usize = 3;
/// The largest step between pixels.
const MAX_STEP: i64 = 8;
/// The most elements of a tensor in one dimension.
const MAX_EXTENT: i64 = 1 << 32;
/// The extent of rows that end at run time, a prime below 2^30, so that no box needs two dimensions for its rows.
pub(super) const UNTIL_ROWS: i64 = 1_073_741_789;
/// Strides are below this number of bytes.
const STRIDE_LIMIT: i64 = 1 << 40;

/// A tensor map: the arguments of `cuTensorMapEncodeTiled`, or with pixels those of `cuTensorMapEncodeIm2col`, besides the address
/// of the tensor.
///
/// Dimension 0 is the innermost; its elements are adjacent. Numbers that are known only at run time are read where the
/// map is made: on the host, whose encoder checks the same rules again.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TensorMap {
    /// The type of its elements; a copy may move several elements of the tensor as one.
    pub element: MapElement,
    /// Bytes from the tensor's first element to where the map begins.
    #[serde(default, skip_serializing_if = "is_default")]
    pub base: i64,
    /// The dimensions, innermost first.
    pub dims: Vec<MapDim>,
    /// The pixels of an instruction, whose tensor holds images; 0 where instructions take boxes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pixels: i64,
    /// The permutation of 16-byte chunks in shared memory.
    #[serde(default, skip_serializing_if = "is_default")]
    pub swizzle: MapSwizzle,
    /// The bytes that a miss fetches into L2.
    #[serde(default, skip_serializing_if = "is_default")]
    pub promotion: Promotion,
    /// What a load writes for elements outside of the tensor.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fill: OutOfBounds,
}

/// One dimension of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapDim {
    /// Elements of the tensor in this dimension.
    pub extent: Extent,
    /// From one of them to the next.
    pub stride: Stride,
    /// Elements of a box.
    #[serde(rename = "box")]
    pub boxed: i64,
    /// The engine takes every so many elements.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub element_stride: i64,
    /// Of pixels: from the image's first one to the first one that a filter begins at.
    #[serde(default, skip_serializing_if = "is_default")]
    pub lower: i64,
    /// Of pixels: from the image's end to that of the pixels that a filter begins at.
    #[serde(default, skip_serializing_if = "is_default")]
    pub upper: i64,
}

impl MapDim {
    /// A dimension of which every element is taken.
    pub fn new(extent: Extent, stride: Stride, boxed: i64) -> Self {
        MapDim { extent, stride, boxed, element_stride: 1, lower: 0, upper: 0 }
    }
}

/// The extent of a tensor in one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// Known.
    Const(i64),
    /// That of a dimension of the tensor as declared, known only at run time.
    Of(usize),
    /// The number of blocks in such a dimension, the last of which may be a part of one.
    Blocks {
        /// The dimension of the tensor.
        dimension: usize,
        /// Elements of a block.
        elements: i64,
    },
}

impl Extent {
    /// The number of blocks of so many elements in a dimension of the tensor whose extent is known only at run time.
    pub fn of(dimension: usize, elements: i64) -> Self {
        if elements == 1 { Extent::Of(dimension) } else { Extent::Blocks { dimension, elements } }
    }

    /// The dimension of the tensor whose extent is needed to know it, and the elements of a block of that.
    pub fn open(self) -> Option<(usize, i64)> {
        match self {
            Extent::Const(_) => None,
            Extent::Of(dimension) => Some((dimension, 1)),
            Extent::Blocks { dimension, elements } => Some((dimension, elements)),
        }
    }
}

/// A stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stride {
    /// In bytes.
    Bytes(i64),
    /// A stride of the tensor that is known only at run time.
    Times {
        /// Its number among the tensor's run-time strides, which count elements.
        stride: usize,
        /// Bytes for each of these.
        bytes: i64,
    },
}

/// The largest offset of a filter in each dimension of pixels, of images with so many dimensions. A corner is at most half as far
/// from its image, on either side.
pub fn max_filter_offset(rank: usize) -> i64 {
    let bits = match rank {
        ..=MIN_IMAGE_DIMENSIONS => 16,
        4 => 8,
        _ => 5,
    };
    (1 << bits) - 1
}

impl TensorMap {
    /// The map as text.
    ///
    /// ```
    /// use tile_plan::families::tensor_map::TensorMap;
    ///
    /// let text = "element = float16, dims = [{extent = of(1), stride = bytes(2), box = 64}, \
    ///             {extent = const(32), stride = times{stride = 0, bytes = 2}, box = 32}], swizzle = b128";
    /// let map = TensorMap::from_text(text).unwrap();
    /// assert_eq!((map.box_bytes(), map.check()), (4096, Ok(())));
    /// assert_eq!(map.to_text().unwrap(), text);
    /// ```
    ///
    /// # Errors
    /// None for a map that [`TensorMap::check`] accepts.
    pub fn to_text(&self) -> Result<String, Mistake> {
        text::write(self)
    }

    /// The map that a text describes. The encoder may not accept it: see [`TensorMap::check`].
    ///
    /// # Errors
    /// The first mistake.
    pub fn from_text(fields: &str) -> Result<Self, Mistake> {
        text::read(fields, 0)
    }

    /// The elements that one instruction moves, those outside of the tensor included.
    pub fn box_elements(&self) -> i64 {
        self.dims.iter().fold(self.pixels.max(1), |all, dim| all.saturating_mul(dim.boxed))
    }

    /// The bytes that one instruction moves, and by which it completes an mbarrier.
    pub fn box_bytes(&self) -> i64 {
        self.box_elements().saturating_mul(self.element.bytes())
    }

    /// The bytes of the innermost dimension of a box.
    pub fn inner_bytes(&self) -> i64 {
        self.dims.first().map_or(1, |dim| dim.boxed).saturating_mul(self.element.bytes())
    }

    /// The bytes in shared memory from one row of a box to the next: rows narrower than the swizzle's span stand a span
    /// apart.
    pub fn row_pitch(&self) -> i64 {
        self.swizzle.span().map_or(self.inner_bytes(), |span| span.max(self.inner_bytes()))
    }

    /// Of a map whose rows end at a row that is known at run time: the coordinates from which that row is subtracted, and to which
    /// it is added.
    pub fn until(&self) -> Option<[usize; 2]> {
        let rows = self.dims.iter().position(|dim| dim.extent == Extent::Const(UNTIL_ROWS))?;
        let back = self.dims.len().checked_sub(2).filter(|&back| back > rows)?;
        Some([rows, back])
    }

    /// The offsets of a filter that an instruction names: one for each dimension of pixels.
    pub fn filter_offsets(&self) -> usize {
        if self.pixels == 0 { 0 } else { self.dims.len().saturating_sub(2) }
    }

    /// Checks what the encoder requires of a map, as far as the numbers are known.
    ///
    /// # Errors
    /// The first rule that is broken, with what was got and what is needed.
    pub fn check(&self) -> Result<(), Refusal> {
        let rank = self.dims.len();
        if !(1..=MAX_DIMENSIONS).contains(&rank) {
            return Err(Refusal::new(
                "map-rank",
                format!("the map has {rank} dimensions; needed 1 to {MAX_DIMENSIONS}"),
            ));
        }
        if self.base % ATOM_BYTES != 0 {
            return Err(Refusal::new(
                "map-base",
                format!("the map begins {} bytes into the tensor; needed a multiple of 16", self.base),
            ));
        }
        self.dims.iter().enumerate().try_for_each(|(number, dim)| self.check_dim(number, dim))?;
        self.check_pixels()?;
        self.check_row()?;
        if self.fill == OutOfBounds::Nan && !self.element.is_float() {
            let name = self.element.name();
            return Err(Refusal::new(
                "map-fill",
                format!("the map fills with NaN and has elements of type {name}; needed floating-point ones"),
            ));
        }
        Ok(())
    }

    fn check_dim(&self, number: usize, dim: &MapDim) -> Result<(), Refusal> {
        if !(1..=MAX_BOX).contains(&dim.boxed) {
            let boxed = dim.boxed;
            return Err(Refusal::new(
                "map-box",
                format!("the box has {boxed} elements in dimension {number}; needed 1 to {MAX_BOX}"),
            ));
        }
        let (stride, steps) = (dim.element_stride, self.is_of_pixels(number));
        if stride != 1 && !(steps && (1..=MAX_STEP).contains(&stride)) {
            let needed = if steps { format!("1 to {MAX_STEP}") } else { "1".to_owned() };
            return Err(Refusal::new(
                "map-element-stride",
                format!("the map takes every {stride} elements in dimension {number}; needed {needed}"),
            ));
        }
        check_extent(number, dim.extent)?;
        match dim.stride {
            Stride::Bytes(bytes) if number == 0 && bytes != self.element.bytes() => {
                let size = self.element.bytes();
                Err(Refusal::new(
                    "map-inner-stride",
                    format!("the innermost stride is {bytes} bytes; needed {size}, that of adjacent elements"),
                ))
            }
            Stride::Times { .. } if number == 0 => Err(Refusal::new(
                "map-inner-stride",
                "the innermost stride is known only at run time; needed adjacent elements".to_owned(),
            )),
            Stride::Bytes(bytes) if number > 0 && !(0..STRIDE_LIMIT).contains(&bytes) => Err(Refusal::new(
                "map-stride-range",
                format!("the stride of dimension {number} is {bytes} bytes; needed 0 to {}", STRIDE_LIMIT - 1),
            )),
            Stride::Bytes(bytes) if number > 0 && bytes % ATOM_BYTES != 0 => Err(Refusal::new(
                "map-stride",
                format!("the stride of dimension {number} is {bytes} bytes; needed a multiple of 16"),
            )),
            _ => Ok(()),
        }
    }

    /// Whether a dimension is one of pixels: between channels and images.
    fn is_of_pixels(&self, number: usize) -> bool {
        self.pixels != 0 && number > 0 && number + 1 < self.dims.len()
    }

    fn check_pixels(&self) -> Result<(), Refusal> {
        if self.pixels != 0 && !(1..=MAX_PIXELS).contains(&self.pixels) {
            let pixels = self.pixels;
            return Err(Refusal::new(
                "map-pixels",
                format!("an instruction takes {pixels} pixels; needed 1 to {MAX_PIXELS}"),
            ));
        }
        let rank = self.dims.len();
        if self.pixels != 0 && rank < MIN_IMAGE_DIMENSIONS {
            return Err(Refusal::new("map-rank", format!("the map has {rank} dimensions; needed 3 to 5 for images")));
        }
        self.dims.iter().enumerate().try_for_each(|(number, dim)| self.check_corners(number, dim))
    }

    fn check_corners(&self, number: usize, dim: &MapDim) -> Result<(), Refusal> {
        let rank = self.dims.len();
        let half = (max_filter_offset(rank) + 1) / 2;
        let allowed = if self.is_of_pixels(number) { -half..half } else { 0..1 };
        if let Some(corner) = [dim.lower, dim.upper].into_iter().find(|corner| !allowed.contains(corner)) {
            let (first, last) = (allowed.start, allowed.end - 1);
            return Err(Refusal::new(
                "map-corner",
                format!(
                    "a corner is {corner} in dimension {number}; needed {first} to {last} for a map of {rank} dimensions"
                ),
            ));
        }
        if self.pixels != 0 && number > 0 && dim.boxed != 1 {
            let boxed = dim.boxed;
            return Err(Refusal::new(
                "map-box",
                format!("the box has {boxed} elements in dimension {number}; needed 1, as pixels are counted"),
            ));
        }
        match dim.extent {
            Extent::Const(extent) if extent + dim.upper <= dim.lower => {
                let (lower, upper) = (dim.lower, dim.upper);
                Err(Refusal::new(
                    "map-corner",
                    format!(
                        "pixels go from {lower} to {extent} + {upper} in dimension {number}; needed one pixel or more"
                    ),
                ))
            }
            _ => Ok(()),
        }
    }

    fn check_row(&self) -> Result<(), Refusal> {
        let inner = self.inner_bytes();
        if inner % ATOM_BYTES != 0 {
            return Err(Refusal::new(
                "map-inner-box",
                format!("the innermost dimension of the box has {inner} bytes; needed a multiple of 16"),
            ));
        }
        match self.swizzle.span() {
            Some(span) if inner > span => Err(Refusal::new(
                "map-swizzle-span",
                format!(
                    "the innermost dimension of the box has {inner} bytes; needed at most the {span} of its swizzle"
                ),
            )),
            _ => Ok(()),
        }
    }
}

fn check_extent(number: usize, extent: Extent) -> Result<(), Refusal> {
    match extent {
        Extent::Const(extent) if !(1..=MAX_EXTENT).contains(&extent) => Err(Refusal::new(
            "map-extent",
            format!("the map has {extent} elements in dimension {number}; needed 1 to {MAX_EXTENT}"),
        )),
        Extent::Blocks { elements, .. } if !(2..=MAX_EXTENT).contains(&elements) => Err(Refusal::new(
            "map-extent",
            format!("the map has blocks of {elements} elements in dimension {number}; needed 2 to {MAX_EXTENT}"),
        )),
        _ => Ok(()),
    }
}
