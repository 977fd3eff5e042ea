//! `tensormap.replace`: one field of an encoded map gets another value (PTX ISA 9.7.9.28).
//!
//! A field that is replaced may contradict others until they are replaced, too: what one value breaks by itself is found here,
//! and what fields break together where the map is used.

use thiserror::Error;

use super::bytes::{self, NotATensorMap};
use super::element::{Interleave, OutOfBounds, Swizzle, TensorElement};
use super::rules::{self, TensorMapError};
use super::{MAX_DIMENSIONS, TENSOR_MAP_BYTES};

/// A field that an instruction replaces, and what it becomes if the instruction states that itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MapField {
    GlobalAddress,
    /// The number of dimensions less 1.
    Rank,
    /// That of a dimension, as the next three.
    BoxDim(usize),
    GlobalDim(usize),
    /// In bytes, of the dimension after the one of this number.
    GlobalStride(usize),
    ElementStride(usize),
    Element(TensorElement),
    Interleave(Interleave),
    Swizzle(Swizzle),
    Fill(OutOfBounds),
}

/// Why a field cannot be replaced.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum ReplaceError {
    /// What should be a map.
    #[error(transparent)]
    Bytes(#[from] NotATensorMap),
    /// A value that no map has.
    #[error(transparent)]
    Value(#[from] TensorMapError),
}

/// Replaces a field of a map; `value` is ignored where the field states what it becomes.
///
/// # Errors
/// Bytes that are no map; a value that breaks a rule whatever the other fields are.
pub(crate) fn replace(map: &mut [u8; TENSOR_MAP_BYTES], field: MapField, value: u64) -> Result<(), ReplaceError> {
    bytes::check(map)?;
    if map[bytes::EMPTY] != 0 {
        let dimension = map[bytes::EMPTY].trailing_zeros() as usize;
        // A GPU has another map in its place.
        return Err(TensorMapError::Extent { dimension, got: 0 }.into());
    }
    check(field, value)?;
    let half = (value as u32).to_le_bytes();
    let mut put = |at: usize, bytes: &[u8]| map[at..at + bytes.len()].copy_from_slice(bytes);
    match field {
        MapField::GlobalAddress => put(bytes::BASE, &value.to_le_bytes()),
        MapField::Rank => put(bytes::KINDS, &[value as u8 + 1]),
        MapField::BoxDim(dimension) => put(bytes::BOX + 4 * dimension, &half),
        // An extent of 0 becomes one of 2^32, which no instruction takes.
        MapField::GlobalDim(dimension) => {
            put(bytes::EXTENTS + 4 * dimension, &(value as u32).wrapping_sub(1).to_le_bytes());
        }
        MapField::GlobalStride(number) => put(bytes::STRIDES + 8 * number, &value.to_le_bytes()),
        MapField::ElementStride(dimension) => put(bytes::STEPS + dimension, &half[..1]),
        MapField::Element(element) => put(bytes::KINDS + 1, &[element.number() as u8]),
        MapField::Interleave(interleave) => put(bytes::KINDS + 2, &[interleave.number() as u8]),
        MapField::Swizzle(swizzle) => put(bytes::KINDS + 3, &[swizzle.number() as u8]),
        MapField::Fill(fill) => put(bytes::KINDS + 5, &[fill.number() as u8]),
    }
    bytes::seal(map);
    Ok(())
}

fn check(field: MapField, value: u64) -> Result<(), TensorMapError> {
    let half = value as u32;
    match field {
        MapField::GlobalAddress => rules::check_base(value),
        MapField::Rank if value >= MAX_DIMENSIONS as u64 => {
            Err(TensorMapError::Rank { got: (value as usize).saturating_add(1) })
        }
        MapField::BoxDim(dimension) => rules::check_box(dimension, half),
        MapField::GlobalStride(number) => rules::check_stride(number + 1, value),
        MapField::ElementStride(dimension) => rules::check_element_stride(dimension, half),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor_map::{TensorMap, TiledMap};

    fn map() -> TiledMap {
        TiledMap::new(TensorElement::F16, 0x1000, &[64, 32], &[128], &[16, 4])
    }

    /// The map after replacements, if it still is one.
    fn after(fields: &[(MapField, u64)]) -> Result<TiledMap, ReplaceError> {
        let mut bytes = TensorMap::tiled(map()).unwrap().encode();
        fields.iter().try_for_each(|&(field, value)| replace(&mut bytes, field, value))?;
        Ok(TensorMap::decode(&bytes)?.arguments().clone())
    }

    #[test]
    fn each_field_is_replaced() {
        use MapField::*;
        type Change = fn(&mut TiledMap);
        let one: [(MapField, u64, Change); 9] = [
            (GlobalAddress, 0x7000_0000_4560, |m| m.base = 0x7000_0000_4560),
            (BoxDim(1), 256, |m| m.box_dims[1] = 256),
            (GlobalDim(0), 0xffff_ffff, |m| m.dims[0] = 0xffff_ffff),
            (GlobalStride(0), (1 << 40) - 16, |m| m.strides[0] = (1 << 40) - 16),
            (ElementStride(1), 8, |m| m.element_strides[1] = 8),
            (Element(TensorElement::Bf16), 0, |m| m.element = TensorElement::Bf16),
            (Swizzle(super::Swizzle::B64), 0, |m| m.swizzle = super::Swizzle::B64),
            (Fill(OutOfBounds::Nan), 0, |m| m.fill = OutOfBounds::Nan),
            (Interleave(super::Interleave::None), 0, |_| ()),
        ];
        for (field, value, change) in one {
            let mut expected = map();
            change(&mut expected);
            assert_eq!(after(&[(field, value)]), Ok(expected), "{field:?}");
        }
    }

    /// A dimension more: its fields may be set before the rank or after it.
    #[test]
    fn fields_go_together_only_at_the_end() {
        use MapField::*;
        let more = [(Rank, 2), (GlobalDim(2), 5), (GlobalStride(1), 4096), (BoxDim(2), 2), (ElementStride(2), 1)];
        let expected = TiledMap::new(TensorElement::F16, 0x1000, &[64, 32, 5], &[128, 4096], &[16, 4, 2]);
        assert_eq!(after(&more), Ok(expected.clone()));
        let rotated: Vec<_> = more[1..].iter().chain(&more[..1]).copied().collect();
        assert_eq!(after(&rotated), Ok(expected));
        let error = |fields: &[(MapField, u64)]| after(fields).unwrap_err().to_string();
        assert_eq!(
            error(&more[..3]),
            "the tensor map breaks a rule: got box extent 0 of dimension 2, expected 1 to 256"
        );
        assert_eq!(after(&[(Rank, 0)]).unwrap().dims, [64]);
        let narrow = "the tensor map breaks a rule: got an inner box of 24 bytes, expected a multiple of 16: 12 elements of 2 bytes";
        assert_eq!(error(&[(BoxDim(0), 12)]), narrow);
    }

    #[test]
    fn a_value_that_no_map_has_is_refused_at_once() {
        use MapField::*;
        let error = |field, value| after(&[(field, value)]).unwrap_err().to_string();
        assert_eq!(error(GlobalAddress, 0x1008), "got base address 0x1008, expected a multiple of 16");
        assert_eq!(error(Rank, 5), "got 6 dimensions, expected 1 to 5");
        assert_eq!(error(Rank, u64::MAX), format!("got {} dimensions, expected 1 to 5", u64::MAX));
        let stride = "of dimension 1, expected a multiple of 16 below 2^40";
        assert_eq!(error(GlobalStride(0), 24), format!("got a stride of 24 bytes {stride}"));
        assert_eq!(error(BoxDim(0), 257), "got box extent 257 of dimension 0, expected 1 to 256");
        assert_eq!(error(ElementStride(0), 0), "got element stride 0 of dimension 0, expected 1 to 8");
        let mut zeros = [0; TENSOR_MAP_BYTES];
        assert_eq!(replace(&mut zeros, Rank, 1), Err(ReplaceError::Bytes(NotATensorMap::Magic)));
        let mut changed = TensorMap::tiled(map()).unwrap().encode();
        changed[16] ^= 1;
        assert_eq!(replace(&mut changed, Rank, 1), Err(ReplaceError::Bytes(NotATensorMap::Checksum)));
    }
}
