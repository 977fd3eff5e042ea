//! Factors in shared memory, as `wgmma` and `tcgen05.mma` name them: by descriptors.
//!
//! An instruction takes 32 bytes of depth of 64 rows, or of its columns. The descriptor says where these begin, and how they go on:
//!
//! ```text
//!   depth contiguous                                          rows (or columns) contiguous, elements of 16 bits only
//!     row r at  (r mod 8) * row bytes + (r / 8) * stride         depth d at  (d mod 8) * row bytes + (d / 8) * stride
//!     without a swizzle, 16 bytes of depth, then + leading       row bytes of rows, then + leading
//! ```
//!
//! Row bytes are 16 without a swizzle, else those of the swizzle. That a layout has this form is checked at every element.

use tile_isa::matrix_descriptor::UNIT_BYTES;
use tile_isa::wgmma::DEPTH_BYTES;
use tile_isa::{MatrixDescriptor, SwizzleMode};
use tile_layout::{Axis, Layout, Swizzle};

use crate::problem::refusal::Refusal;

/// Rows that are a group, and depths likewise.
const GROUP: i64 = 8;

/// A factor as descriptors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedOperand {
    /// The descriptor, without the address where it begins.
    pub descriptor: MatrixDescriptor,
    /// Whether rows of A, or columns of B, are contiguous, and not depths.
    pub is_transposed: bool,
}

/// A factor to describe: of `rows` rows of A, or columns of B.
pub struct SharedFactor<'l> {
    /// What messages call it.
    pub name: &'static str,
    /// Its layout.
    pub layout: &'l Layout,
    /// Rows and columns.
    pub shape: [i64; 2],
    /// Whether depths are its rows: it is B.
    pub depth_first: bool,
    /// Bytes of an element.
    pub bytes: i64,
    /// The alignment of its first element, in bytes.
    pub align_bytes: i64,
}

impl SharedFactor<'_> {
    /// The number of rows of A, or columns of B.
    pub fn rows(&self) -> i64 {
        self.shape[usize::from(self.depth_first)]
    }

    /// The number of depths.
    pub fn depth(&self) -> i64 {
        self.shape[usize::from(!self.depth_first)]
    }

    /// The bytes of all elements, before the swizzle.
    pub fn offsets(&self) -> ByteOffsets {
        let plain = Layout { swizzle: None, ..self.layout.clone() };
        let places = plain.places_on(Axis::Memory);
        let at = |linear: i64| places.get(linear as usize).copied().unwrap_or(0) * self.bytes;
        let linear =
            |row, depth| if self.depth_first { depth * self.shape[1] + row } else { row * self.shape[1] + depth };
        let all = (0..self.rows()).flat_map(|row| (0..self.depth()).map(move |depth| (row, depth)));
        ByteOffsets { bytes: all.map(|(row, depth)| at(linear(row, depth))).collect(), depth: self.depth() }
    }

    /// The descriptor for instructions of that many rows.
    ///
    /// # Errors
    /// Why no descriptor names such a part of the tile.
    pub fn describe(&self, offsets: &ByteOffsets, rows: i64) -> Result<SharedOperand, Refusal> {
        let swizzle = self.swizzle()?;
        let needed = swizzle.pattern_bytes();
        if self.align_bytes % needed != 0 {
            let reason = format!(
                "{} is aligned to {} bytes; needed {needed}, the pattern of {swizzle} (`alignment = {needed}`)",
                self.name, self.align_bytes
            );
            return Err(Refusal::new("storage-alignment", reason));
        }
        let depth_per = DEPTH_BYTES / self.bytes;
        let described = [false, true].into_iter().find_map(|is_transposed| {
            let form = DescriptorForm { swizzle, is_transposed, bytes: self.bytes, rows, depth: depth_per };
            form.describe(offsets, self.rows())
        });
        described.ok_or_else(|| {
            let row = swizzle.row_bytes();
            let reason = format!(
                "no descriptor names {rows} rows of {}: under {swizzle} needed rows of {row} contiguous bytes, 8 of them {row} bytes \
                 apart, along the depth or, for 16 bits, across it",
                self.name
            );
            Refusal::new("not-of-descriptor", reason)
        })
    }

    /// The mode that the layout's swizzle is.
    fn swizzle(&self) -> Result<SwizzleMode, Refusal> {
        let Some(swizzle) = self.layout.swizzle.filter(|swizzle| swizzle.len != 0) else {
            return Ok(SwizzleMode::None);
        };
        let Swizzle { len, atom_len, .. } = swizzle;
        let mode = SwizzleMode::of_chunks().find(|mode| mode.number() == i64::from(len));
        mode.filter(|_| atom_len == 3 && swizzle.chunk() * self.bytes == UNIT_BYTES).ok_or_else(|| {
            let reason = format!(
                "{} has {swizzle}, which is none of a descriptor's: 1 to 3 bits of pieces of 16 bytes",
                self.name
            );
            Refusal::new("swizzle-not-of-descriptor", reason)
        })
    }
}

/// The bytes of a factor's elements, by row of A or column of B, then depth.
pub struct ByteOffsets {
    bytes: Vec<i64>,
    depth: i64,
}

impl ByteOffsets {
    /// The byte of an element.
    pub fn at(&self, row: i64, depth: i64) -> Option<i64> {
        self.bytes.get((row * self.depth + depth) as usize).copied()
    }
}

/// A form of descriptors.
struct DescriptorForm {
    swizzle: SwizzleMode,
    is_transposed: bool,
    bytes: i64,
    rows: i64,
    depth: i64,
}

impl DescriptorForm {
    /// The descriptor, if all instructions of the tile can be named by one that differs in its start only.
    fn describe(&self, offsets: &ByteOffsets, rows: i64) -> Option<SharedOperand> {
        let row_bytes = self.swizzle.row_bytes();
        if self.is_transposed && (self.bytes != 2 || self.swizzle == SwizzleMode::None) {
            return None;
        }
        let from_first =
            |row: i64, depth: i64| offsets.at(row, depth).zip(offsets.at(0, 0)).map(|(to, from)| to - from);
        let (leading, stride) = if self.is_transposed {
            let width = row_bytes / self.bytes;
            let leading = if self.rows > width { from_first(width, 0)? } else { UNIT_BYTES };
            (leading, from_first(0, GROUP)?)
        } else {
            let leading =
                if self.swizzle == SwizzleMode::None { from_first(0, UNIT_BYTES / self.bytes)? } else { UNIT_BYTES };
            (leading, if self.rows > GROUP { from_first(GROUP, 0)? } else { UNIT_BYTES })
        };
        let fits = (0..rows).step_by(self.rows as usize).all(|first| {
            (0..offsets.depth)
                .step_by(self.depth as usize)
                .all(|begin| self.is_of_form(offsets, (first, begin), leading, stride))
        });
        if !fits || leading % UNIT_BYTES != 0 || stride % UNIT_BYTES != 0 {
            return None;
        }
        let (leading, stride) = (leading / UNIT_BYTES, stride / UNIT_BYTES);
        let descriptor = MatrixDescriptor { leading, stride, ..MatrixDescriptor::new(self.swizzle) };
        descriptor.wgmma()?;
        Some(SharedOperand { descriptor, is_transposed: self.is_transposed })
    }

    /// Whether the elements of one instruction are where the descriptor says.
    fn is_of_form(&self, offsets: &ByteOffsets, (row, depth): (i64, i64), leading: i64, stride: i64) -> bool {
        let Some(start) = offsets.at(row, depth) else { return false };
        // Within a pattern, only bytes of depth may be skipped: the swizzle depends on the row.
        let row_bytes = self.swizzle.row_bytes();
        let begins = start % self.swizzle.pattern_bytes();
        let is_start = if self.is_transposed { begins == 0 } else { begins < row_bytes && begins % UNIT_BYTES == 0 };
        is_start
            && (0..self.rows).all(|r| {
                (0..self.depth).all(|d| {
                    let expected = if self.is_transposed {
                        let width = row_bytes / self.bytes;
                        (r % width) * self.bytes
                            + (r / width) * leading
                            + (d % GROUP) * row_bytes
                            + (d / GROUP) * stride
                    } else if self.swizzle == SwizzleMode::None {
                        let width = UNIT_BYTES / self.bytes;
                        (d % width) * self.bytes
                            + (d / width) * leading
                            + (r % GROUP) * row_bytes
                            + (r / GROUP) * stride
                    } else {
                        d * self.bytes + (r % GROUP) * row_bytes + (r / GROUP) * stride
                    };
                    offsets.at(row + r, depth + d) == Some(start + expected)
                })
            })
    }
}
