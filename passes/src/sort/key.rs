//! Keys as integers that are not negative and have the order of the keys.
//!
//! ```text
//!   signed      the sign bit inverted
//!   float       the sign bit inverted; of negative numbers, all bits
//!   descending  the same, all bits inverted
//! ```

use tile_plan::sort::{DIGIT_BITS, DIGITS, KeyKind, SortProblem};

use crate::emit::{Kit, Val};

/// The bits of a key, and their order.
#[derive(Clone, Copy)]
pub struct KeyOrder {
    /// What the bits mean.
    pub kind: KeyKind,
    /// Bits of a key.
    pub bits: u32,
    /// Whether the largest key comes first.
    pub is_descending: bool,
}

impl KeyOrder {
    /// The order of a problem's keys.
    pub fn new(problem: &SortProblem) -> Self {
        KeyOrder { kind: problem.kind, bits: 8 * problem.key_bytes as u32, is_descending: problem.is_descending }
    }

    fn sign(self) -> i64 {
        i64::MIN >> (64 - self.bits)
    }

    /// Bits of the register of a key.
    pub fn register_bits(self) -> u32 {
        self.bits.max(32)
    }

    /// The key with these bits in a register, ordered.
    pub fn ordered<'c: 'a, 'a>(self, kit: Kit<'c, 'a>, key: Val<'c, 'a>) -> Val<'c, 'a> {
        let reverse = if self.is_descending { -1 } else { 0 };
        match self.kind {
            KeyKind::Unsigned => kit.flipped(key, reverse),
            KeyKind::Signed => kit.flipped(key, self.sign() ^ reverse),
            KeyKind::Float => {
                let negative = kit.shr_signed(key, i64::from(self.bits) - 1);
                let mask = kit.flipped(kit.or(negative, kit.like(key, self.sign())), reverse);
                kit.xor(key, mask)
            }
        }
    }

    /// The bits of the key that is ordered like this.
    pub fn restored<'c: 'a, 'a>(self, kit: Kit<'c, 'a>, ordered: Val<'c, 'a>) -> Val<'c, 'a> {
        if self.kind != KeyKind::Float {
            return self.ordered(kit, ordered);
        }
        let ascending = kit.flipped(ordered, if self.is_descending { -1 } else { 0 });
        let negative = kit.flipped(kit.shr_signed(ascending, i64::from(self.bits) - 1), -1);
        kit.xor(ascending, kit.or(negative, kit.like(ordered, self.sign())))
    }

    /// The word of an ordered key, in a register, that has a digit, and the digit's first bit in the word.
    pub fn digit_word<'c: 'a, 'a>(self, kit: Kit<'c, 'a>, key: Val<'c, 'a>, digit: i64) -> (Val<'c, 'a>, i64) {
        let bit = digit * DIGIT_BITS;
        let word = bit - bit % i64::from(u32::BITS);
        (kit.narrow(if word == 0 { key } else { kit.shr(key, word) }), bit - word)
    }

    /// A digit of an ordered key in a register, i32.
    pub fn digit<'c: 'a, 'a>(self, kit: Kit<'c, 'a>, key: Val<'c, 'a>, digit: i64) -> Val<'c, 'a> {
        let (word, bit) = self.digit_word(kit, key, digit);
        kit.mask(kit.shr(word, bit), DIGITS - 1)
    }
}

impl<'c: 'a, 'a> Kit<'c, 'a> {
    /// An integer with the bits of a mask inverted.
    fn flipped(self, a: Val<'c, 'a>, mask: i64) -> Val<'c, 'a> {
        if mask == 0 { a } else { self.xor(a, self.like(a, mask)) }
    }
}
