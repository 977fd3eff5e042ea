//! Shifts two chunks together: the 16 bytes that begin at some place of the first.
//!
//! ```text
//!   place 6 of elements of 2 bytes      words      0 1 2 3 4 5 6 7
//!     8 is not set                                 0 1 2 3 4 5
//!     4 is set                                     1 2 3 4 5
//!     16 bits                                      1:2 2:3 3:4 4:5      a funnel shift each
//! ```

use melior::ir::Value;
use tile_ops::llvm;

use crate::emit::{Cmp, Kit};

/// Bytes of a word.
const WORD_BYTES: i64 = 4;

/// Words of a chunk.
const WORDS: usize = 4;

/// The chunk that begins at place `shift` of the first of two: eight words, of which the result has four. `shift` is an integer of 32
/// bits, a multiple of `element_bytes`.
pub fn shifted<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    words: Vec<Value<'c, 'a>>,
    shift: Value<'c, 'a>,
    element_bytes: i64,
) -> Vec<Value<'c, 'a>> {
    let mut words = words;
    for distance in [2, 1] {
        let bytes = distance as i64 * WORD_BYTES;
        if element_bytes <= bytes {
            let bit = kit.mask(shift, bytes);
            let is_set = kit.is(Cmp::Ne, bit, 0);
            // What a smaller distance and the last shift still need.
            let left = (WORDS + distance).min(words.len() - distance);
            words = (0..left).map(|at| kit.select(is_set, words[at + distance], words[at])).collect();
        }
    }
    if element_bytes < WORD_BYTES {
        let place = kit.mask(shift, WORD_BYTES - 1);
        let bits = kit.shl(place, 3);
        words = words.windows(2).map(|pair| llvm::intr_fshr(kit.builder, pair[1], pair[0], bits).value()).collect();
    }
    words.truncate(WORDS);
    words
}
