//! The words in which blocks publish their sums.

use super::problem::ScannedElement;
use crate::target::Target;

/// The state of a tile: one word, or several that each carry a part of the sum and a copy of the flag.
///
/// ```text
///   32-bit word     bits 15..0   part of the sum      bits 31..16    epoch << 2 | flag
///   64-bit word     bits 31..0   part of the sum      bits 63..32    epoch << 2 | flag
///   128-bit word    bits 63..0   part of the sum      bits 95..64    epoch << 2 | flag
/// ```
///
/// A word is read and written by one access, so flag and part are always consistent, and no order between accesses is
/// needed. Parts belong to the same sum when their flags are equal, since all blocks that publish the sum of a tile
/// publish the same bits. With several words, those of the prefix follow those of the tile's sum instead of replacing
/// them: a block that reads while a sum is replaced by a prefix would see parts of both, and would lose a sum that was
/// visible before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileState {
    /// Bits of a word: 64; 128 where the chip has atomics of that width, 32 where it has none wider.
    pub word_bits: u32,
    /// Words of a tile.
    pub words: i64,
    /// Bits of the sum in a word.
    pub part_bits: u32,
}

/// Flag: no sum is published.
pub const MISSING: i64 = 0;
/// Flag: the sum of the tile is published.
pub const AGGREGATE: i64 = 1;
/// Flag: the sum of everything up to the end of the tile is published.
pub const PREFIX: i64 = 2;

/// How far before the nearest missing tile a waiting block computes one: about as many tiles as run on a large GPU.
pub const MAX_HELPED_TILES: i64 = 256;

impl TileState {
    /// The state for sums of an element type: with words of 128 bits where the chip has atomics of that width and they
    /// halve the number of words.
    pub fn new(element: ScannedElement, target: &Target) -> Self {
        let bits = (element.bytes() * 8) as u32;
        let word_bits = match target.api() {
            Some(api) if !api.atomics_64 => 32,
            None if bits > 32 && target.has_128_bit_atomics() => 128,
            _ => 64,
        };
        let part_bits = bits.min(word_bits / 2);
        TileState { word_bits, words: i64::from(bits / part_bits), part_bits }
    }

    /// Whether a word has 128 bits.
    pub fn is_wide(&self) -> bool {
        self.word_bits == 128
    }

    /// The last epoch that a word has room for. After that epoch, the workspace must be zeroed before it is used again.
    ///
    /// ```
    /// # use tile_plan::scan::{ScannedElement, TileState};
    /// # use tile_plan::target::Target;
    /// let element = ScannedElement { bits: 32, lanes: 1, float: true };
    /// assert_eq!(TileState::new(element, &Target::parse("sm_90a").unwrap()).last_epoch(), (1 << 30) - 1);
    /// assert_eq!(TileState::new(element, &Target::portable("webgpu").unwrap()).last_epoch(), (1 << 14) - 1);
    /// ```
    pub fn last_epoch(&self) -> i64 {
        (1 << (self.word_bits.min(64) / 2 - 2)) - 1
    }

    /// Bytes of one word.
    pub fn word_bytes(&self) -> i64 {
        i64::from(self.word_bits / 8)
    }

    /// Offset of the prefix from the sum, in bytes.
    ///
    /// ```text
    ///   one word        sum or prefix
    ///   two words       sum, sum, prefix, prefix
    /// ```
    pub fn prefix_offset(&self) -> i64 {
        if self.words == 1 { 0 } else { self.words * self.word_bytes() }
    }

    /// Bytes of a tile's state.
    pub fn bytes(&self) -> i64 {
        self.prefix_offset() + self.words * self.word_bytes()
    }
}
