//! What a shared memory matrix descriptor can say (PTX ISA, tcgen05 shared memory descriptor and canonical layouts).

use std::fmt;

use crate::plan::Refusal;
use crate::problem::{Operand, Which};

/// Largest value of the leading and the stride field, in units of 16 bytes.
pub(super) const LARGEST_FIELD: i64 = (1 << 14) - 1;

/// Elements in 16 bytes, the unit of all fields.
pub(super) fn unit(bits: u32) -> i64 {
    128 / i64::from(bits)
}

/// A swizzle mode: rows of `16 << mode` bytes, in groups of 8.
///
/// ```text
///   mode   row bytes   pattern bytes   16-byte chunks exchanged
///   0        16            16           none
///   1        32           256           2
///   2        64           512           4
///   3       128          1024           8
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mode(i64);

impl Mode {
    /// The mode that exchanges the chunks as the layout's swizzle does.
    ///
    /// # Errors
    /// `swizzle-not-of-descriptor` for a swizzle that is none of a descriptor's.
    pub(super) fn of(src: &Operand, bits: u32) -> Result<Mode, Refusal> {
        let Some(swizzle) = src.layout.swizzle.filter(|swizzle| swizzle.len != 0) else { return Ok(Mode(0)) };
        let chunk = unit(bits).ilog2();
        if swizzle.inner && swizzle.atom_len == 3 && swizzle.per_element == chunk && swizzle.len <= 3 {
            return Ok(Mode(i64::from(swizzle.len)));
        }
        let (per_element, len, atom_len) = (swizzle.per_element, swizzle.len, swizzle.atom_len);
        let outer = if swizzle.inner { "" } else { ", outer" };
        let reason = format!(
            "the source has swizzle<{per_element}, {len}, {atom_len}{outer}>; a descriptor of {bits}-bit elements has \
             none, swizzle<{chunk}, 1, 3>, swizzle<{chunk}, 2, 3> and swizzle<{chunk}, 3, 3>"
        );
        Err(Refusal::of(Which::Src, "swizzle-not-of-descriptor", reason))
    }

    /// The mode for rows that many bytes apart.
    pub(super) fn of_row(bytes: i128) -> Option<Mode> {
        (0..4).map(Mode).find(|mode| i128::from(mode.row_bytes()) == bytes)
    }

    /// As the descriptor counts it: 0 to 3.
    pub(super) fn number(self) -> i64 {
        self.0
    }

    /// Bytes from a row to the next of its 8.
    pub(super) fn row_bytes(self) -> i64 {
        16 << self.0
    }

    /// Bytes after which the pattern repeats: 8 rows; 16 where nothing is exchanged.
    pub(super) fn pattern_bytes(self) -> i64 {
        if self.0 == 0 { 16 } else { 8 * self.row_bytes() }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("a descriptor without swizzle"),
            _ => write!(f, "the {}-byte swizzle", self.row_bytes()),
        }
    }
}
