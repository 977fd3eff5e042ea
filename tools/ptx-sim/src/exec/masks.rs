//! Masks of bytes and of their bits.

/// All of up to 32 bytes.
pub(crate) fn all(bytes: usize) -> u32 {
    u32::MAX >> (32 - bytes.clamp(1, 32))
}

/// A mask of bytes as a mask of bits of a word; there are at most eight.
pub(crate) fn bits(bytes: u32) -> u64 {
    (0..8).filter(|i| bytes >> i & 1 == 1).fold(0, |m, i| m | 0xff << (8 * i))
}

/// The bytes of a word of which some bit is in the mask.
pub(crate) fn bytes(bits: u64) -> u32 {
    (0..8).filter(|i| bits >> (8 * i) & 0xff != 0).fold(0, |m, i| m | 1 << i)
}
