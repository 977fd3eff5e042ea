//! Tensor maps: the 128 bytes that describe a tensor in global memory, and the boxes that TMA instructions copy of it.
//!
//! ```
//! use ptx_sim::{OutOfBounds, Swizzle, TensorElement, TensorMap, TiledMap};
//!
//! // Rows of 64 f16 elements, 512 of them, in boxes of 64x64; dimension 0 is the one whose elements are contiguous.
//! let map = TensorMap::tiled(TiledMap {
//!     swizzle: Swizzle::B128,
//!     ..TiledMap::new(TensorElement::F16, 0x7000_0000_0000, &[64, 512], &[128], &[64, 64])
//! })?;
//! assert_eq!((map.rank(), map.box_bytes()), (2, 8192));
//! assert_eq!(TensorMap::decode(&map.encode()), Ok(map));
//!
//! let narrow = TiledMap::new(TensorElement::F16, 0x7000_0000_0000, &[64, 512], &[128], &[4, 64]);
//! assert_eq!(TensorMap::tiled(narrow).unwrap_err().to_string(),
//!     "got an inner box of 8 bytes, expected a multiple of 16: 4 elements of 2 bytes");
//! # Ok::<(), ptx_sim::TensorMapError>(())
//! ```
//!
//! The driver keeps its layout of the bytes to itself, and so does this module: kernels may only copy them, prefetch them,
//! pass their address, and replace fields by `tensormap.replace`. Other bytes are recognised as no map.

mod bytes;
mod derived;
mod element;
mod im2col;
mod numbers;
mod replace;
mod rules;
mod text;

pub use bytes::NotATensorMap;
pub use derived::{DerivedMap, DerivedMapError, MapPlaces, derived_arguments};
pub use element::{Interleave, L2Promotion, OutOfBounds, Swizzle, TensorElement, UnknownName};
pub use im2col::{Im2col, Im2colError};
pub use numbers::NumberError;
pub(crate) use replace::{MapField, replace};
pub use rules::TensorMapError;
pub use text::MapTextError;

/// Bytes of an encoded map.
pub const TENSOR_MAP_BYTES: usize = 128;

/// The most dimensions of a tensor.
pub(crate) const MAX_DIMENSIONS: usize = 5;

/// The arguments of `cuTensorMapEncodeTiled`, or with pixels those of `cuTensorMapEncodeIm2col`. Dimension 0 is the innermost one,
/// whose elements are contiguous.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TiledMap {
    /// The type of the elements.
    pub element: TensorElement,
    /// The address of the first element.
    pub base: u64,
    /// The extents in elements; their number is the rank.
    pub dims: Vec<u64>,
    /// The strides of the dimensions from 1 on, in bytes.
    pub strides: Vec<u64>,
    /// The extents of a box, in elements of the tensor; of pixels that are walked through, their channels, and 1 in all others.
    pub box_dims: Vec<u32>,
    /// The steps from one element of a box to the next; dimension 0 always steps by 1.
    pub element_strides: Vec<u32>,
    /// How the channels of images are interleaved.
    pub interleave: Interleave,
    /// How 16-byte chunks of shared memory are permuted.
    pub swizzle: Swizzle,
    /// The size of the pieces in which data come into L2, which has no modelled effect.
    pub promotion: L2Promotion,
    /// What elements outside the tensor are read as.
    pub fill: OutOfBounds,
    /// The pixels that an instruction walks through, where the tensor holds images.
    pub im2col: Option<Im2col>,
}

impl TiledMap {
    /// A map without swizzle, with element strides of 1, whose outside reads as zeros.
    pub fn new(element: TensorElement, base: u64, dims: &[u64], strides: &[u64], box_dims: &[u32]) -> Self {
        Self {
            element,
            base,
            dims: dims.to_vec(),
            strides: strides.to_vec(),
            box_dims: box_dims.to_vec(),
            element_strides: vec![1; dims.len()],
            interleave: Interleave::None,
            swizzle: Swizzle::None,
            promotion: L2Promotion::None,
            fill: OutOfBounds::Zero,
            im2col: None,
        }
    }

    /// Whether it is a tensor without elements: all boxes are outside of it. The driver encodes no map of such a tensor.
    pub fn is_empty(&self) -> bool {
        self.im2col.is_none() && self.dims.contains(&0)
    }

    /// In place of an empty tensor's map, one that the driver encodes: of one element, in 16 bytes at `base` that hold
    /// [`TiledMap::filler`] and that nothing else uses. So loads read what they would be filled with, and stores are lost.
    #[must_use]
    pub fn of_one_element(&self, base: u64) -> Self {
        Self { base, dims: vec![1; self.dims.len()], strides: vec![16; self.strides.len()], ..self.clone() }
    }

    /// The bytes of what elements outside the tensor are read as.
    pub fn filler(&self) -> u8 {
        if self.fill == OutOfBounds::Nan { 0xff } else { 0 }
    }
}

/// A tensor map that follows the driver's rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorMap(TiledMap);

/// A tensor map of a buffer whose address is not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BufferMap {
    /// The index of the buffer among the arguments of a launch.
    pub buffer: usize,
    /// The map; its base is the offset of the tensor in the buffer.
    pub map: TensorMap,
}

impl BufferMap {
    /// The map if the buffer starts at this address.
    ///
    /// # Errors
    /// The tensor would not start at a multiple of 16.
    pub fn at(&self, start: u64) -> Result<TensorMap, TensorMapError> {
        let fields = self.map.arguments().clone();
        TensorMap::tiled(TiledMap { base: start.wrapping_add(fields.base), ..fields })
    }
}

impl TensorMap {
    /// Checks the arguments of the driver's encoder.
    ///
    /// # Errors
    /// The first rule of the driver that they break, or what the simulator does not support.
    pub fn tiled(map: TiledMap) -> Result<Self, TensorMapError> {
        rules::check(&map)?;
        Ok(Self(map))
    }

    /// The arguments that describe it.
    pub fn arguments(&self) -> &TiledMap {
        &self.0
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.0.dims.len()
    }

    /// The number of elements of a box along a dimension; pixels that are walked through are not counted.
    pub fn box_extent(&self, dimension: usize) -> u64 {
        let step = if dimension == 0 || self.0.im2col.is_some() { 1 } else { self.0.element_strides[dimension] };
        u64::from(self.0.box_dims[dimension].div_ceil(step))
    }

    /// Bytes of all elements of a box.
    pub fn box_bytes(&self) -> u64 {
        let pixels = self.0.im2col.as_ref().map_or(1, |im2col| im2col.pixels.into());
        (0..self.rank()).map(|dimension| self.box_extent(dimension)).product::<u64>() * pixels * self.0.element.bytes()
    }

    /// The 128 bytes that a kernel takes, in the simulator's own layout.
    pub fn encode(&self) -> [u8; TENSOR_MAP_BYTES] {
        bytes::encode(&self.0)
    }

    /// The map that bytes are.
    ///
    /// # Errors
    /// They are not what [`TensorMap::encode`] makes.
    pub fn decode(bytes: &[u8; TENSOR_MAP_BYTES]) -> Result<Self, NotATensorMap> {
        let map = bytes::decode(bytes)?;
        rules::check(&map).map_err(NotATensorMap::Rule)?;
        Ok(Self(map))
    }
}
