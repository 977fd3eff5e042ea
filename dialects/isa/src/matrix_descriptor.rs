//! Descriptors of matrices in shared memory: the 64 bits by which `wgmma.mma_async`, `tcgen05.mma` and `tcgen05.cp` name
//! them (PTX ISA, matrix descriptor format and shared memory descriptor).
//!
//! ```text
//!           wgmma                        tcgen05
//!    0–13   start address / 16           the same
//!   16–29   leading dimension / 16       the same
//!   32–45   stride dimension / 16        the same
//!   46–48                                1
//!   49–51   base offset                  the same
//!      52                                leading dimension is an address
//!   61–63   swizzle, in bits 62 and 63   swizzle
//! ```

use std::fmt;

use thiserror::Error;

use crate::messages::message_of;

/// Numbers that do not fit the fields of a matrix descriptor: leading dimension, stride dimension, swizzle mode.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("got descriptor {0:?}, expected two offsets below 16384 and a swizzle mode from 0 to 3")]
pub struct DescriptorError(pub Vec<i64>);

message_of!(DescriptorError);

/// The bytes that addresses and dimensions in a descriptor are counted in.
pub const UNIT_BYTES: i64 = 16;

/// Consecutive bits of a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    first: u32,
    width: u32,
}

impl Field {
    /// The start address, in units.
    pub const START: Field = Field { first: 0, width: 14 };
    /// The leading dimension, in units.
    pub const LEADING: Field = Field { first: 16, width: 14 };
    /// The stride dimension, in units.
    pub const STRIDE: Field = Field { first: 32, width: 14 };
    /// The format's version: 1 for `tcgen05`.
    pub const VERSION: Field = Field { first: 46, width: 3 };
    /// The base offset.
    pub const BASE_OFFSET: Field = Field { first: 49, width: 3 };
    /// Whether the leading dimension is an address.
    pub const LEADING_IS_ADDRESS: Field = Field { first: 52, width: 1 };
    /// The swizzle.
    pub const SWIZZLE: Field = Field { first: 61, width: 3 };

    pub(crate) const fn new(first: u32, width: u32) -> Self {
        Field { first, width }
    }

    /// The largest value.
    pub const fn max(self) -> i64 {
        (1 << self.width) - 1
    }

    /// The value in a descriptor.
    pub const fn get(self, bits: u64) -> i64 {
        (bits >> self.first) as i64 & self.max()
    }

    /// A descriptor with this field alone; bits beyond its width are dropped.
    pub const fn put(self, value: i64) -> u64 {
        ((value & self.max()) as u64) << self.first
    }
}

/// How 16-byte chunks are permuted: within rows of so many bytes, in groups of 8 rows.
///
/// ```text
///              row bytes   pattern bytes   16-byte chunks exchanged
///   none          16            16           none
///   Bytes32       32           256           2
///   Bytes64       64           512           4
///   Bytes128     128          1024           8
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SwizzleMode {
    /// Nothing is permuted.
    None,
    /// Rows of 32 bytes.
    Bytes32,
    /// Rows of 64 bytes.
    Bytes64,
    /// Rows of 128 bytes.
    Bytes128,
    /// Rows of 128 bytes whose pieces of 32 bytes are permuted; `tcgen05` only.
    Bytes128Pieces32,
}

impl SwizzleMode {
    /// All modes; those that permute 16-byte chunks come first, by their numbers.
    pub const ALL: [SwizzleMode; 5] = [
        SwizzleMode::None,
        SwizzleMode::Bytes32,
        SwizzleMode::Bytes64,
        SwizzleMode::Bytes128,
        SwizzleMode::Bytes128Pieces32,
    ];

    /// The modes that permute 16-byte chunks, or nothing: mode `n` has rows of `16 << n` bytes.
    pub fn of_chunks() -> impl Iterator<Item = SwizzleMode> {
        Self::ALL.into_iter().filter(|mode| *mode != SwizzleMode::Bytes128Pieces32)
    }

    /// The binary logarithm of the row's number of 16-byte chunks.
    pub fn number(self) -> i64 {
        match self {
            SwizzleMode::None => 0,
            SwizzleMode::Bytes32 => 1,
            SwizzleMode::Bytes64 => 2,
            SwizzleMode::Bytes128 | SwizzleMode::Bytes128Pieces32 => 3,
        }
    }

    /// Bytes of a row: from one row of a group of 8 to the next.
    pub fn row_bytes(self) -> i64 {
        UNIT_BYTES << self.number()
    }

    /// Bytes after which the pattern repeats.
    pub fn pattern_bytes(self) -> i64 {
        if self == SwizzleMode::None { UNIT_BYTES } else { 8 * self.row_bytes() }
    }

    /// The value of the descriptor's field.
    fn code(self) -> i64 {
        match self {
            SwizzleMode::None => 0,
            SwizzleMode::Bytes128Pieces32 => 1,
            SwizzleMode::Bytes128 => 2,
            SwizzleMode::Bytes64 => 4,
            SwizzleMode::Bytes32 => 6,
        }
    }

    fn of_code(code: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.code() == code)
    }
}

impl fmt::Display for SwizzleMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SwizzleMode::None => f.write_str("a descriptor without swizzle"),
            _ => write!(f, "the {}-byte swizzle", self.row_bytes()),
        }
    }
}

/// A matrix in shared memory. Addresses and dimensions are in units of [`UNIT_BYTES`].
///
/// ```
/// use tile_isa::{MatrixDescriptor, SwizzleMode};
/// let rows = MatrixDescriptor { stride: 64, ..MatrixDescriptor::new(SwizzleMode::Bytes128) };
/// assert_eq!(rows.tcgen05(), Some(1 << 62 | 1 << 46 | 64 << 32));
/// assert_eq!(MatrixDescriptor::of_tcgen05(rows.tcgen05().unwrap()), Some(rows));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixDescriptor {
    /// The start address.
    pub start: i64,
    /// The leading dimension.
    pub leading: i64,
    /// The stride dimension.
    pub stride: i64,
    /// The base offset, 0 to 7: where in its pattern a matrix starts.
    pub base_offset: i64,
    /// Whether the leading dimension is an address; `tcgen05` only.
    pub leading_is_address: bool,
    /// The swizzle.
    pub swizzle: SwizzleMode,
}

impl MatrixDescriptor {
    /// A matrix of that swizzle at address 0, without dimensions.
    pub fn new(swizzle: SwizzleMode) -> Self {
        MatrixDescriptor { start: 0, leading: 0, stride: 0, base_offset: 0, leading_is_address: false, swizzle }
    }

    /// The bits for `wgmma`; `None` where a number does not fit its field, or has none.
    pub fn wgmma(self) -> Option<u64> {
        let fits = !self.leading_is_address && self.swizzle != SwizzleMode::Bytes128Pieces32;
        self.common().filter(|_| fits)
    }

    /// The bits for `tcgen05`; `None` where a number does not fit its field.
    pub fn tcgen05(self) -> Option<u64> {
        let extra = Field::VERSION.put(1) | Field::LEADING_IS_ADDRESS.put(self.leading_is_address.into());
        self.common().map(|bits| bits | extra)
    }

    fn common(self) -> Option<u64> {
        let fields = [
            (Field::START, self.start),
            (Field::LEADING, self.leading),
            (Field::STRIDE, self.stride),
            (Field::BASE_OFFSET, self.base_offset),
            (Field::SWIZZLE, self.swizzle.code()),
        ];
        let put = |(field, value): (Field, i64)| (0..=field.max()).contains(&value).then(|| field.put(value));
        fields.into_iter().try_fold(0, |bits, field| Some(bits | put(field)?))
    }

    /// The matrix that bits name to `wgmma`, which ignores those without a meaning.
    pub fn of_wgmma(bits: u64) -> Self {
        // The lowest bit of the field belongs to the other format.
        let swizzle = SwizzleMode::of_code(Field::SWIZZLE.get(bits) & !1);
        let decoded = MatrixDescriptor::decode(bits, swizzle.unwrap_or(SwizzleMode::None));
        MatrixDescriptor { leading_is_address: false, ..decoded }
    }

    /// The matrix that bits name to `tcgen05`; `None` for another version, or a swizzle that there is not.
    pub fn of_tcgen05(bits: u64) -> Option<Self> {
        let swizzle = SwizzleMode::of_code(Field::SWIZZLE.get(bits))?;
        (Field::VERSION.get(bits) == 1).then(|| MatrixDescriptor::decode(bits, swizzle))
    }

    fn decode(bits: u64, swizzle: SwizzleMode) -> Self {
        MatrixDescriptor {
            start: Field::START.get(bits),
            leading: Field::LEADING.get(bits),
            stride: Field::STRIDE.get(bits),
            base_offset: Field::BASE_OFFSET.get(bits),
            leading_is_address: Field::LEADING_IS_ADDRESS.get(bits) == 1,
            swizzle,
        }
    }
}

/// The descriptor with that leading dimension, stride dimension and number of the swizzle mode.
///
/// # Errors
/// Numbers that do not fit the descriptor's fields: got and expected.
pub fn named(fields: &[i64]) -> Result<MatrixDescriptor, DescriptorError> {
    let decode = || {
        let &[leading, stride, number] = fields else { return None };
        let swizzle = SwizzleMode::of_chunks().find(|mode| mode.number() == number)?;
        let descriptor = MatrixDescriptor { leading, stride, ..MatrixDescriptor::new(swizzle) };
        descriptor.common().map(|_| descriptor)
    };
    decode().ok_or_else(|| DescriptorError(fields.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(
            (start, leading, stride) in (0..1i64 << 14, 0..1i64 << 14, 0..1i64 << 14),
            (base_offset, leading_is_address, mode) in (0..8i64, any::<bool>(), 0..5usize),
        ) {
            let swizzle = SwizzleMode::ALL[mode];
            let all = MatrixDescriptor { start, leading, stride, base_offset, leading_is_address, swizzle };
            prop_assert_eq!(all.tcgen05().and_then(MatrixDescriptor::of_tcgen05), Some(all));
            let only_tcgen05 = leading_is_address || swizzle == SwizzleMode::Bytes128Pieces32;
            prop_assert_eq!(all.wgmma().map(MatrixDescriptor::of_wgmma), (!only_tcgen05).then_some(all));
        }

        #[test]
        fn what_is_decoded_is_encoded(bits in any::<u64>()) {
            if let Some(found) = MatrixDescriptor::of_tcgen05(bits) {
                let fields = [
                    Field::START, Field::LEADING, Field::STRIDE, Field::VERSION, Field::BASE_OFFSET,
                    Field::LEADING_IS_ADDRESS, Field::SWIZZLE,
                ];
                let known = fields.into_iter().fold(0, |bits, field| bits | field.put(field.max()));
                prop_assert_eq!(found.tcgen05(), Some(bits & known));
            }
        }
    }

    #[test]
    fn each_field_has_its_bits() {
        let code = |swizzle| MatrixDescriptor::new(swizzle).tcgen05().unwrap() >> 61;
        assert_eq!(SwizzleMode::ALL.map(code), [0, 6, 4, 2, 1]);
        let matrix = MatrixDescriptor {
            start: 1,
            leading: 2,
            stride: 3,
            base_offset: 5,
            ..MatrixDescriptor::new(SwizzleMode::Bytes64)
        };
        assert_eq!(matrix.wgmma(), Some(1 | 2 << 16 | 3 << 32 | 5 << 49 | 2 << 62));
        assert_eq!(MatrixDescriptor { start: 1 << 14, ..matrix }.tcgen05(), None);
        assert_eq!(MatrixDescriptor { base_offset: -1, ..matrix }.wgmma(), None);
        assert_eq!(MatrixDescriptor::of_tcgen05(1 << 46 | 3 << 61), None);
        assert_eq!(MatrixDescriptor::of_tcgen05(0), None);
    }

    #[test]
    fn patterns_have_eight_rows() {
        let bytes = |mode: SwizzleMode| (mode.row_bytes(), mode.pattern_bytes());
        assert_eq!(SwizzleMode::ALL.map(bytes), [(16, 16), (32, 256), (64, 512), (128, 1024), (128, 1024)]);
    }

    #[test]
    fn numbers_fit_their_fields() {
        for field in [-1, 0, 1, 16383, 16384, i64::MAX] {
            let fits = (0..16384).contains(&field);
            assert_eq!(named(&[field, 0, 3]).is_ok(), fits, "{field}");
            assert_eq!(named(&[0, field, 0]).is_ok(), fits, "{field}");
        }
        assert!(named(&[0, 8]).is_err() && named(&[0, 8, -1]).is_err());
        assert_eq!(
            named(&[0, 8, 4]).unwrap_err().to_string(),
            "got descriptor [0, 8, 4], expected two offsets below 16384 and a swizzle mode from 0 to 3"
        );
    }
}
