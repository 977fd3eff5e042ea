//! The words in which blocks publish their sums.

use super::problem::Element;
use crate::target::Target;

/// The state of a tile: one word, or several that each carry a part of the sum and a copy of the flag.
///
/// ```text
///   32-bit word     bits 15..0   part of the sum      bits 31..16    epoch << 2 | flag
///   64-bit word     bits 31..0   part of the sum      bits 63..32    epoch << 2 | flag
///   128-bit word    bits 63..0   part of the sum      bits 95..64    epoch << 2 | flag
/// ```
///
/// A word is read and written by one access, so flag and part always belong together and no order between accesses is
/// needed. Parts belong together when their flags are equal: all who publish the sum of a tile publish the same bits. Of several
/// words, those of the prefix stand behind those of the tile's sum and not in their place: a block that looks while a sum
/// is replaced by a prefix would see parts of both, and would have lost a sum that he has seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Bits of a word: 64; 128 where the chip exchanges such, 32 where it exchanges no wider ones.
    pub word_bits: u32,
    /// Words of a tile.
    pub words: i64,
    /// Bits of the sum in a word.
    pub part_bits: u32,
}

/// The sum is not published.
pub const MISSING: i64 = 0;
/// The sum of the tile.
pub const AGGREGATE: i64 = 1;
/// The sum of everything up to the end of the tile.
pub const PREFIX: i64 = 2;

impl State {
    /// The state for sums of an element type: words of 128 bits where the chip exchanges such and they halve their
    /// number.
    pub fn new(element: Element, target: &Target) -> Self {
        let bits = (element.bytes() * 8) as u32;
        let word_bits = match target.api() {
            Some(api) if !api.atomics_64 => 32,
            None if bits > 32 && target.has_128_bit_atomics() => 128,
            _ => 64,
        };
        let part_bits = bits.min(word_bits / 2);
        State { word_bits, words: i64::from(bits / part_bits), part_bits }
    }

    /// Is a word 128 bits wide?
    pub fn is_wide(&self) -> bool {
        self.word_bits == 128
    }

    /// The last epoch that a word has room for. A workspace that has seen it is zeroed before it is used again.
    ///
    /// ```
    /// # use tile_plan::{Target, scan::{Element, State}};
    /// let element = Element { bits: 32, lanes: 1, float: true };
    /// assert_eq!(State::new(element, &Target::parse("sm_90a").unwrap()).last_epoch(), (1 << 30) - 1);
    /// assert_eq!(State::new(element, &Target::portable("webgpu").unwrap()).last_epoch(), (1 << 14) - 1);
    /// ```
    pub fn last_epoch(&self) -> i64 {
        (1 << (self.word_bits.min(64) / 2 - 2)) - 1
    }

    /// Bytes of one word.
    pub fn word_bytes(&self) -> i64 {
        i64::from(self.word_bits / 8)
    }

    /// Where the prefix stands, in bytes behind the sum.
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
