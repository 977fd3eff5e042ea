//! The 128 bytes of a map.
//!
//! ```text
//!   0  magic number            8 bytes
//!   8  the base                8 bytes
//!  16  strides                 4 words of 8 bytes
//!  48  extents less 1          5 words of 4 bytes
//!  68  box extents             5 words of 4 bytes
//!  88  element strides         5 bytes
//!  93  rank, type, interleave, swizzle, L2 promotion, fill   one byte each
//! 100  pixels of an instruction, 0 for boxes      2 bytes
//! 102  lower corner of pixels  3 halfwords
//! 108  upper corner of pixels  3 halfwords
//! 114  the dimensions of extent 0, by bits        one byte
//! 120  checksum of all others  8 bytes
//! ```

use thiserror::Error;

use super::element::{Interleave, L2Promotion, OutOfBounds, Swizzle, TensorElement};
use super::rules::TensorMapError;
use super::{Im2col, MAX_DIMENSIONS, TENSOR_MAP_BYTES, TiledMap};

const MAGIC: u64 = u64::from_le_bytes(*b"tensmap\x01");
pub(super) const BASE: usize = 8;
pub(super) const STRIDES: usize = 16;
pub(super) const EXTENTS: usize = 48;
pub(super) const BOX: usize = 68;
pub(super) const STEPS: usize = 88;
pub(super) const KINDS: usize = 93;
const PIXELS: usize = 100;
const LOWER: usize = 102;
const UPPER: usize = 108;
pub(super) const EMPTY: usize = 114;
const CHECKSUM: usize = 120;

/// Bytes that are no tensor map.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotATensorMap {
    /// They do not begin as one.
    #[error("the bytes are not those of a tensor map")]
    Magic,
    /// They begin as one, and differ from what the encoder wrote.
    #[error("the bytes are those of a tensor map of which some have been changed")]
    Checksum,
    /// They have been replaced one by one, by fields that do not go together.
    #[error("the tensor map breaks a rule: {0}")]
    Rule(TensorMapError),
}

/// The FNV-1a hash of all bytes before the checksum.
fn checksum(bytes: &[u8; TENSOR_MAP_BYTES]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes[..CHECKSUM].iter().fold(0xcbf2_9ce4_8422_2325, step)
}

pub(super) fn encode(map: &TiledMap) -> [u8; TENSOR_MAP_BYTES] {
    let mut out = [0; TENSOR_MAP_BYTES];
    let mut put = |at: usize, bytes: &[u8]| out[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &MAGIC.to_le_bytes());
    put(BASE, &map.base.to_le_bytes());
    for (i, stride) in map.strides.iter().enumerate() {
        put(STRIDES + 8 * i, &stride.to_le_bytes());
    }
    for (i, extent) in map.dims.iter().enumerate() {
        put(EXTENTS + 4 * i, &(extent.wrapping_sub(1) as u32).to_le_bytes());
        put(BOX + 4 * i, &map.box_dims[i].to_le_bytes());
        put(STEPS + i, &[map.element_strides[i] as u8]);
    }
    let kinds = [
        map.dims.len() as u32,
        map.element.number(),
        map.interleave.number(),
        map.swizzle.number(),
        map.promotion.number(),
        map.fill.number(),
    ];
    put(KINDS, &kinds.map(|number| number as u8));
    put(EMPTY, &[(0..map.dims.len()).filter(|&i| map.dims[i] == 0).map(|i| 1 << i).sum()]);
    if let Some(im2col) = &map.im2col {
        put(PIXELS, &(im2col.pixels as u16).to_le_bytes());
        for (i, (lower, upper)) in im2col.lower.iter().zip(&im2col.upper).enumerate() {
            put(LOWER + 2 * i, &(*lower as i16).to_le_bytes());
            put(UPPER + 2 * i, &(*upper as i16).to_le_bytes());
        }
    }
    seal(&mut out);
    out
}

/// Writes the checksum of the other bytes.
pub(super) fn seal(bytes: &mut [u8; TENSOR_MAP_BYTES]) {
    let sum = checksum(bytes);
    bytes[CHECKSUM..].copy_from_slice(&sum.to_le_bytes());
}

/// Checks that bytes are what the encoder or a replacement has written.
pub(super) fn check(bytes: &[u8; TENSOR_MAP_BYTES]) -> Result<(), NotATensorMap> {
    match (word(bytes, 0) == MAGIC, word(bytes, CHECKSUM) == checksum(bytes)) {
        (false, _) => Err(NotATensorMap::Magic),
        (true, false) => Err(NotATensorMap::Checksum),
        (true, true) => Ok(()),
    }
}

pub(super) fn decode(bytes: &[u8; TENSOR_MAP_BYTES]) -> Result<TiledMap, NotATensorMap> {
    check(bytes)?;
    fields(bytes).ok_or(NotATensorMap::Checksum)
}

fn fields(bytes: &[u8; TENSOR_MAP_BYTES]) -> Option<TiledMap> {
    let [rank, element, interleave, swizzle, promotion, fill] = *bytes[KINDS..].first_chunk()?;
    let rank = Some(usize::from(rank)).filter(|rank| (1..=MAX_DIMENSIONS).contains(rank))?;
    let extent = |i: usize| u64::from(half(bytes, EXTENTS + 4 * i)) + 1;
    Some(TiledMap {
        element: TensorElement::of(element)?,
        base: word(bytes, BASE),
        dims: (0..rank).map(|i| if bytes[EMPTY] & (1 << i) != 0 { 0 } else { extent(i) }).collect(),
        strides: (0..rank - 1).map(|i| word(bytes, STRIDES + 8 * i)).collect(),
        box_dims: (0..rank).map(|i| half(bytes, BOX + 4 * i)).collect(),
        element_strides: bytes[STEPS..STEPS + rank].iter().map(|&step| step.into()).collect(),
        interleave: Interleave::of(interleave)?,
        swizzle: Swizzle::of(swizzle)?,
        promotion: L2Promotion::of(promotion)?,
        fill: OutOfBounds::of(fill)?,
        im2col: im2col(bytes, rank),
    })
}

fn im2col(bytes: &[u8; TENSOR_MAP_BYTES], rank: usize) -> Option<Im2col> {
    let number = |at: usize| i16::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
    let corner = |at: usize| (0..rank.saturating_sub(2)).map(|i| number(at + 2 * i).into()).collect();
    let pixels = u32::from(number(PIXELS) as u16);
    (pixels != 0).then(|| Im2col { lower: corner(LOWER), upper: corner(UPPER), pixels })
}

fn word(bytes: &[u8; TENSOR_MAP_BYTES], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn half(bytes: &[u8; TENSOR_MAP_BYTES], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor_map::TensorMap;

    fn map() -> TiledMap {
        TiledMap {
            dims: vec![1 << 32, 5, 1, 7, 9],
            element_strides: vec![1, 8, 2, 3, 4],
            swizzle: Swizzle::B64,
            promotion: L2Promotion::B256,
            fill: OutOfBounds::Nan,
            ..TiledMap::new(TensorElement::F64, 0x7000_0123_4560, &[1; 5], &[16, 0, 32, 1 << 39], &[8, 1, 256, 3, 4])
        }
    }

    #[test]
    fn every_field_comes_back() {
        for dims in [vec![1 << 32, 5, 1, 7, 9], vec![1 << 32, 0, 1, 7, 0]] {
            let map = TensorMap::tiled(TiledMap { dims, ..map() }).unwrap();
            assert_eq!(TensorMap::decode(&map.encode()), Ok(map));
        }
    }

    #[test]
    fn pixels_come_back() {
        let pixels = Im2col { lower: vec![-16, 15, 0], upper: vec![-1, -16, 15], pixels: 1024 };
        let images = TiledMap { im2col: Some(pixels), box_dims: vec![8, 1, 1, 1, 1], ..map() };
        let map =
            TensorMap::tiled(TiledMap { dims: vec![8, 40, 40, 40, 2], element_strides: vec![1, 2, 8, 3, 1], ..images });
        let map = map.unwrap();
        assert_eq!(TensorMap::decode(&map.encode()), Ok(map));
    }

    #[test]
    fn any_change_is_noticed() {
        let bytes = TensorMap::tiled(map()).unwrap().encode();
        assert_eq!(TensorMap::decode(&[0; TENSOR_MAP_BYTES]), Err(NotATensorMap::Magic));
        for at in 0..TENSOR_MAP_BYTES {
            let mut changed = bytes;
            changed[at] ^= 0x10;
            let expected = if at < 8 { NotATensorMap::Magic } else { NotATensorMap::Checksum };
            assert_eq!(TensorMap::decode(&changed), Err(expected), "byte {at}");
        }
    }
}
