//! The swizzle modes of the TMA engine, and the layouts that have them.

use serde::{Deserialize, Serialize};
use tile_layout::Swizzle;

use crate::problem::refusal::Refusal;
use crate::problem::role::Role;

/// The least alignment of a box in shared memory, whatever its swizzle.
pub const BOX_ALIGN: i64 = 128;

/// The bytes that a swizzle keeps together.
pub(super) const ATOM_BYTES: i64 = 16;

/// How the engine permutes 16-byte chunks in shared memory: `CUtensorMapSwizzle`.
///
/// Bits of the *absolute* shared address are XORed with bits three higher:
///
/// ```text
///   mode   span        bits of the address       repeats after
///   b32     32 bytes   4     ^= 7                 256 bytes
///   b64     64 bytes   4-5   ^= 7-8               512 bytes
///   b128   128 bytes   4-6   ^= 7-9              1024 bytes
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each is its span")]
pub enum MapSwizzle {
    #[default]
    None,
    B32,
    B64,
    B128,
}

impl MapSwizzle {
    /// The number of bits that change.
    pub fn bits(self) -> u32 {
        self as u32
    }

    /// The widest inner box in bytes, which rows of a narrower one stand apart; `None` without a swizzle.
    pub fn span(self) -> Option<i64> {
        (self != MapSwizzle::None).then(|| ATOM_BYTES << self.bits())
    }

    /// The bytes after which the pattern repeats: the alignment of the storage for which a layout's swizzle, which counts
    /// from the storage's start, is that of the addresses.
    pub fn period(self) -> i64 {
        self.span().map_or(BOX_ALIGN, |span| 8 * span)
    }

    /// The mode of a layout's swizzle.
    ///
    /// # Errors
    /// `swizzle-not-of-tma`: the parameters that were got, and those of the modes.
    pub fn of(swizzle: Option<Swizzle>, element_bytes: i64) -> Result<Self, Refusal> {
        let Some(swizzle) = swizzle.filter(|swizzle| swizzle.len != 0) else { return Ok(MapSwizzle::None) };
        let chunk = swizzle.chunk().saturating_mul(element_bytes);
        let mode = match swizzle.len {
            1 => Some(MapSwizzle::B32),
            2 => Some(MapSwizzle::B64),
            3 => Some(MapSwizzle::B128),
            _ => None,
        };
        match mode.filter(|_| swizzle.inner && swizzle.atom_len == 3 && chunk == ATOM_BYTES) {
            Some(mode) => Ok(mode),
            None => {
                let log2 = (ATOM_BYTES / element_bytes.clamp(1, ATOM_BYTES)).ilog2();
                let reason = format!(
                    "the shared layout has {swizzle} of {element_bytes}-byte elements; the TMA engine has swizzle<base = {log2}, bits = \
                     1 to 3, shift = 3>, which keeps 16 bytes together"
                );
                Err(Refusal { operand: Some(Role::Dst), ..Refusal::new("swizzle-not-of-tma", reason) })
            }
        }
    }
}

impl MapSwizzle {
    /// The byte that the engine puts shared byte `address` at.
    pub fn apply(self, address: i64) -> i64 {
        let chosen = ((1 << self.bits()) - 1) << 4;
        address ^ ((address >> 3) & chosen)
    }
}
