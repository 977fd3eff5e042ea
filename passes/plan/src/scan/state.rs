//! The words by which blocks tell each other their sums.

use super::problem::Element;
use crate::target::Target;

/// The state of a tile: one word, or several that each carry a part of the sum and a copy of the flag.
///
/// ```text
///   64-bit word     bits 31..0   part of the sum      bits 63..32    epoch << 2 | flag
///   128-bit word    bits 63..0   part of the sum      bits 95..64    epoch << 2 | flag
/// ```
///
/// A word is read and written by one access, so flag and part always belong together and no order between accesses is
/// needed. Parts belong together when their flags are equal: all who tell the sum of a tile tell the same bits. Of several
/// words, those of the prefix stand behind those of the tile's sum and not in their place: somebody who looks while a sum
/// is replaced by a prefix would see parts of both, and would have lost a sum that he has seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Is a word 128 bits wide?
    pub wide: bool,
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
        let wide = bits > 32 && target.has_128_bit_atomics();
        let part_bits = bits.min(if wide { 64 } else { 32 });
        State { wide, words: i64::from(bits / part_bits), part_bits }
    }

    /// Bytes of one word.
    pub fn word_bytes(&self) -> i64 {
        if self.wide { 16 } else { 8 }
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
