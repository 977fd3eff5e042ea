//! The rules of `cuTensorMapEncodeTiled`, which those of `cuTensorMapEncodeIm2col` contain; and maps of boxes of empty tensors, of
//! which launches make [another one](TiledMap::of_one_element).

use thiserror::Error;

use super::element::{Interleave, OutOfBounds, Swizzle, TensorElement};
use super::im2col::Im2colError;
use super::{MAX_DIMENSIONS, TiledMap};

/// The largest extent of a tensor.
const MAX_EXTENT: u64 = 1 << 32;
/// Strides are less than this.
const MAX_STRIDE: u64 = 1 << 40;
/// The largest extent of a box.
const MAX_BOX: u32 = 256;
/// The largest step between elements of a box.
const MAX_ELEMENT_STRIDE: u32 = 8;
/// Addresses, strides and rows of a box are multiples of this many bytes.
const CHUNK: u64 = 16;

/// Arguments of which the driver makes no tensor map, or which the simulator does not support.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TensorMapError {
    /// The number of dimensions.
    #[error("got {got} dimensions, expected 1 to {MAX_DIMENSIONS}")]
    Rank {
        /// The number.
        got: usize,
    },
    /// A list with the wrong number of elements.
    #[error("got {got} {what}, expected {expected} for a tensor of {rank} dimensions")]
    Number {
        /// What the list holds.
        what: &'static str,
        /// Its number of elements.
        got: usize,
        /// The number that it needs.
        expected: usize,
        /// The number of dimensions.
        rank: usize,
    },
    /// The address of the tensor.
    #[error("got base address {got:#x}, expected a multiple of {CHUNK}")]
    Base {
        /// The address.
        got: u64,
    },
    /// An extent of the tensor.
    #[error("got extent {got} of dimension {dimension}, expected 1 to 2^32")]
    Extent {
        /// The dimension.
        dimension: usize,
        /// The extent.
        got: u64,
    },
    /// A stride of the tensor.
    #[error("got a stride of {got} bytes of dimension {dimension}, expected a multiple of {CHUNK} below 2^40")]
    Stride {
        /// The dimension.
        dimension: usize,
        /// The stride.
        got: u64,
    },
    /// An extent of the box.
    #[error("got box extent {got} of dimension {dimension}, expected 1 to {MAX_BOX}")]
    Box {
        /// The dimension.
        dimension: usize,
        /// The extent.
        got: u32,
    },
    /// A step between elements of a box.
    #[error("got element stride {got} of dimension {dimension}, expected 1 to {MAX_ELEMENT_STRIDE}")]
    ElementStride {
        /// The dimension.
        dimension: usize,
        /// The step.
        got: u32,
    },
    /// The innermost extent of the box.
    #[error("got an inner box of {} bytes, expected a multiple of {CHUNK}: {extent} elements of {size} bytes", u64::from(*extent) * size)]
    InnerBox {
        /// The extent.
        extent: u32,
        /// Bytes of an element.
        size: u64,
    },
    /// The innermost extent of the box, with a swizzle.
    #[error("got an inner box of {got} bytes, expected at most the {swizzle} bytes of the swizzle")]
    Span {
        /// Bytes of the inner box.
        got: u64,
        /// The swizzle.
        swizzle: Swizzle,
    },
    /// NaN where there is none.
    #[error("got elements of type {element} filled with NaN, expected a floating-point type")]
    Fill {
        /// The type of the elements.
        element: TensorElement,
    },
    /// Pixels that no instruction walks through.
    #[error(transparent)]
    Im2col(#[from] Im2colError),
    /// What the driver accepts and the simulator does not.
    #[error("{what} is not supported by the simulator")]
    Unsupported {
        /// What it is.
        what: String,
    },
}

/// Checks every rule.
pub(super) fn check(map: &TiledMap) -> Result<(), TensorMapError> {
    let rank = map.dims.len();
    if !(1..=MAX_DIMENSIONS).contains(&rank) {
        return Err(TensorMapError::Rank { got: rank });
    }
    let numbers = [
        ("strides", map.strides.len(), rank - 1),
        ("box extents", map.box_dims.len(), rank),
        ("element strides", map.element_strides.len(), rank),
    ];
    if let Some(&(what, got, expected)) = numbers.iter().find(|(_, got, expected)| got != expected) {
        return Err(TensorMapError::Number { what, got, expected, rank });
    }
    supported(map)?;
    tensor(map)?;
    boxes(map)?;
    Ok(map.im2col.as_ref().map_or(Ok(()), |im2col| im2col.check(map))?)
}

fn supported(map: &TiledMap) -> Result<(), TensorMapError> {
    use TensorElement::*;
    if map.interleave != Interleave::None {
        return Err(TensorMapError::Unsupported { what: format!("interleave {}", map.interleave) });
    }
    if matches!(map.element, U4Align8 | U4Align16 | U6Align16) {
        return Err(TensorMapError::Unsupported { what: format!("element type {}", map.element) });
    }
    Ok(())
}

fn tensor(map: &TiledMap) -> Result<(), TensorMapError> {
    if !map.is_empty() {
        check_base(map.base)?;
        map.dims.iter().enumerate().try_for_each(|(dimension, &got)| check_extent(dimension, got))?;
        (1..).zip(&map.strides).try_for_each(|(dimension, &got)| check_stride(dimension, got))?;
    }
    if map.fill == OutOfBounds::Nan && !map.element.is_float() {
        return Err(TensorMapError::Fill { element: map.element });
    }
    Ok(())
}

fn boxes(map: &TiledMap) -> Result<(), TensorMapError> {
    map.box_dims.iter().enumerate().try_for_each(|(dimension, &got)| check_box(dimension, got))?;
    map.element_strides.iter().enumerate().try_for_each(|(dimension, &got)| check_element_stride(dimension, got))?;
    let (extent, size) = (map.box_dims[0], map.element.bytes());
    let got = u64::from(extent) * size;
    if !got.is_multiple_of(CHUNK) {
        return Err(TensorMapError::InnerBox { extent, size });
    }
    if map.swizzle.span().is_some_and(|span| got > span) {
        return Err(TensorMapError::Span { got, swizzle: map.swizzle });
    }
    Ok(())
}

/// Checks the address of a tensor.
pub(super) fn check_base(got: u64) -> Result<(), TensorMapError> {
    if got.is_multiple_of(CHUNK) { Ok(()) } else { Err(TensorMapError::Base { got }) }
}

/// Checks an extent of a tensor.
pub(super) fn check_extent(dimension: usize, got: u64) -> Result<(), TensorMapError> {
    if (1..=MAX_EXTENT).contains(&got) { Ok(()) } else { Err(TensorMapError::Extent { dimension, got }) }
}

/// Checks the stride of a dimension, in bytes.
pub(super) fn check_stride(dimension: usize, got: u64) -> Result<(), TensorMapError> {
    let is_legal = got.is_multiple_of(CHUNK) && got < MAX_STRIDE;
    if is_legal { Ok(()) } else { Err(TensorMapError::Stride { dimension, got }) }
}

/// Checks an extent of a box.
pub(super) fn check_box(dimension: usize, got: u32) -> Result<(), TensorMapError> {
    if (1..=MAX_BOX).contains(&got) { Ok(()) } else { Err(TensorMapError::Box { dimension, got }) }
}

/// Checks a step between elements of a box.
pub(super) fn check_element_stride(dimension: usize, got: u32) -> Result<(), TensorMapError> {
    if (1..=MAX_ELEMENT_STRIDE).contains(&got) { Ok(()) } else { Err(TensorMapError::ElementStride { dimension, got }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor_map::{L2Promotion, TensorMap};

    fn map() -> TiledMap {
        TiledMap::new(TensorElement::F16, 0x1000, &[64, 32], &[128], &[16, 4])
    }

    fn error(change: impl FnOnce(&mut TiledMap)) -> String {
        let mut map = map();
        change(&mut map);
        TensorMap::tiled(map).unwrap_err().to_string()
    }

    fn accepted(change: impl FnOnce(&mut TiledMap)) {
        let mut map = map();
        change(&mut map);
        TensorMap::tiled(map).unwrap();
    }

    #[test]
    fn rules_of_the_tensor() {
        assert_eq!(error(|m| m.base = 0x1008), "got base address 0x1008, expected a multiple of 16");
        assert_eq!(error(|m| m.dims = Vec::new()), "got 0 dimensions, expected 1 to 5");
        assert_eq!(error(|m| m.dims = vec![8; 6]), "got 6 dimensions, expected 1 to 5");
        accepted(|m| (m.dims[1], m.base, m.strides[0]) = (0, 8, 136));
        assert_eq!(error(|m| m.dims[0] = (1 << 32) + 1), "got extent 4294967297 of dimension 0, expected 1 to 2^32");
        accepted(|m| m.dims[1] = 1 << 32);
        let stride = "of dimension 1, expected a multiple of 16 below 2^40";
        assert_eq!(error(|m| m.strides[0] = 136), format!("got a stride of 136 bytes {stride}"));
        assert_eq!(error(|m| m.strides[0] = 1 << 40), format!("got a stride of 1099511627776 bytes {stride}"));
        // Rows may overlap, and a stride of 0 repeats one row.
        [0, 16, (1 << 40) - 16].into_iter().for_each(|bytes| accepted(|m| m.strides[0] = bytes));
    }

    #[test]
    fn rules_of_the_box() {
        assert_eq!(error(|m| m.box_dims[1] = 257), "got box extent 257 of dimension 1, expected 1 to 256");
        assert_eq!(error(|m| m.box_dims[0] = 0), "got box extent 0 of dimension 0, expected 1 to 256");
        assert_eq!(error(|m| m.element_strides[1] = 9), "got element stride 9 of dimension 1, expected 1 to 8");
        assert_eq!(error(|m| m.element_strides[0] = 0), "got element stride 0 of dimension 0, expected 1 to 8");
        assert_eq!(
            error(|m| m.box_dims[0] = 12),
            "got an inner box of 24 bytes, expected a multiple of 16: 12 elements of 2 bytes"
        );
        let span = |m: &mut TiledMap| (m.swizzle, m.box_dims[0]) = (Swizzle::B32, 24);
        assert_eq!(error(span), "got an inner box of 48 bytes, expected at most the 32 bytes of the swizzle");
        accepted(|m| (m.swizzle, m.box_dims[0]) = (Swizzle::B64, 24));
        accepted(|m| m.box_dims = vec![256, 256]);
    }

    #[test]
    fn rules_of_the_lists() {
        let tail = "for a tensor of 2 dimensions";
        assert_eq!(error(|m| m.strides.push(16)), format!("got 2 strides, expected 1 {tail}"));
        assert_eq!(error(|m| m.box_dims.truncate(1)), format!("got 1 box extents, expected 2 {tail}"));
        assert_eq!(error(|m| m.element_strides.clear()), format!("got 0 element strides, expected 2 {tail}"));
    }

    #[test]
    fn what_is_filled_and_what_is_not_supported() {
        assert_eq!(
            error(|m| (m.element, m.fill) = (TensorElement::U16, OutOfBounds::Nan)),
            "got elements of type u16 filled with NaN, expected a floating-point type"
        );
        accepted(|m| m.fill = OutOfBounds::Nan);
        accepted(|m| m.promotion = L2Promotion::B256);
        assert_eq!(error(|m| m.interleave = Interleave::B32), "interleave 32 is not supported by the simulator");
        assert_eq!(
            error(|m| m.element = TensorElement::U4Align16),
            "element type 16u4_align16b is not supported by the simulator"
        );
    }

    #[test]
    fn names_are_read_back() {
        assert_eq!("bf16".parse(), Ok(TensorElement::Bf16));
        assert_eq!("128".parse(), Ok(Swizzle::B128));
        let unknown = "8".parse::<Swizzle>().unwrap_err().to_string();
        assert_eq!(unknown, "got swizzle `8`, expected none, 32, 64, 128");
        assert!(TensorElement::ALL.iter().all(|element| element.name().parse() == Ok(*element)));
    }
}
