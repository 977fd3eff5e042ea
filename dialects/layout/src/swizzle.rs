//! The XOR of the memory axis that spreads rows over shared-memory banks.

use std::fmt;

use crate::{Eval, IndexArith, LayoutError};

/// Permutes the `2^per_element`-element chunks of a row, depending on the row's number.
///
/// With `q = m >> per_element`, `r` the bits below and `k = 2^len - 1`:
///
/// ```text
///   inner:   q' = q ^ ((q & (k << atom_len)) >> atom_len)     high bits change low bits (CuTe's Swizzle<B,M,S>)
///   outer:   q' = q ^ ((q & k) << atom_len)                   low bits change high bits
///   result:  (q' << per_element) | r
/// ```
///
/// `swizzle<base = 3, bits = 3, shift = 3>` over rows of 64 16-bit elements sends column 0 of rows 0 to 3 to
/// 0, 72, 144, 216: four different 16-byte chunks of the banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Swizzle {
    /// log2 of the number of elements that stay together.
    pub per_element: u32,
    /// Number of bits that change (TVM `swizzle_len`, CuTe `B`).
    pub len: u32,
    /// Distance between the bits that change and those that they are XORed with, at least `len` (CuTe `S`).
    pub atom_len: u32,
    /// Whether high bits change low ones (the usual direction).
    pub inner: bool,
}

impl Swizzle {
    /// A swizzle, or the reason why the parameters are malformed.
    ///
    /// # Errors
    /// [`LayoutError::BadSwizzle`] when `atom_len < len` or an address would not fit 62 bits.
    pub fn new(per_element: u32, len: u32, atom_len: u32, inner: bool) -> Result<Self, LayoutError> {
        let bits = u64::from(per_element) + u64::from(len) + u64::from(atom_len);
        if atom_len < len || bits >= 62 {
            return Err(LayoutError::BadSwizzle { per_element, len, atom_len });
        }
        Ok(Swizzle { per_element, len, atom_len, inner })
    }

    /// Checks that the parameters give a permutation: the fields are public, so they need not come from [`Swizzle::new`].
    ///
    /// # Errors
    /// As [`Swizzle::new`].
    pub fn validate(self) -> Result<(), LayoutError> {
        Swizzle::new(self.per_element, self.len, self.atom_len, self.inner).map(drop)
    }

    /// The address that memory address `m` (in elements, not negative) is moved to. Malformed parameters move nothing.
    pub fn apply(self, m: i64) -> i64 {
        self.apply_with(&mut Eval, m)
    }

    /// [`Swizzle::apply`] over any arithmetic.
    pub(crate) fn apply_with<A: IndexArith>(self, a: &mut A, address: A::Value) -> A::Value {
        if self.len == 0 || self.validate().is_err() {
            return address;
        }
        let mask = a.constant(((1i64 << self.len) - 1) << self.per_element);
        let distance = a.constant(i64::from(self.atom_len));
        let change = if self.inner {
            let deciding = a.shr(address.clone(), distance);
            a.and(deciding, mask)
        } else {
            let deciding = a.and(address.clone(), mask);
            a.shl(deciding, distance)
        };
        a.xor(address, change)
    }

    /// Elements after which the pattern repeats: `2^(per_element + len + atom_len)`.
    pub fn period(self) -> i64 {
        power(u64::from(self.per_element) + u64::from(self.len) + u64::from(self.atom_len))
    }

    /// The size, in elements, of the aligned block that no address leaves: `2^(per_element + len)` where low bits
    /// change, the period where high ones do.
    pub fn block(self) -> i64 {
        if self.inner { power(u64::from(self.per_element) + u64::from(self.len)) } else { self.period() }
    }

    /// Elements that stay together: `2^per_element`, the widest vector under this swizzle.
    pub fn chunk(self) -> i64 {
        power(u64::from(self.per_element))
    }

    /// Addresses below this one are not moved: the bits that they would be XORed with are all zero.
    pub fn identity_below(self) -> i64 {
        let unmoved = if self.inner {
            u64::from(self.per_element) + u64::from(self.atom_len)
        } else {
            u64::from(self.per_element)
        };
        if self.len == 0 { i64::MAX } else { power(unmoved) }
    }
}

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = if self.inner { "" } else { ", outer" };
        let Swizzle { per_element, len, atom_len, .. } = self;
        write!(f, "swizzle<base = {per_element}, bits = {len}, shift = {atom_len}{direction}>")
    }
}

/// `2^bits`, and the largest number where that does not fit.
fn power(bits: u64) -> i64 {
    if bits < 63 { 1 << bits } else { i64::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(swizzle: Swizzle, stride: i64, column: i64) -> Vec<i64> {
        (0..8).map(|row| swizzle.apply(row * stride + column)).collect()
    }

    #[test]
    fn inner_moves_columns() {
        let swizzle = Swizzle::new(3, 3, 3, true).unwrap();
        assert_eq!(column(swizzle, 64, 0), [0, 72, 144, 216, 288, 360, 432, 504]);
        assert_eq!(column(swizzle, 64, 8), [8, 64, 152, 208, 296, 352, 440, 496]);
        assert_eq!(swizzle.apply(5 * 64 + 19), 379);
        let narrow = Swizzle::new(2, 2, 3, true).unwrap();
        assert_eq!(column(narrow, 32, 0), [0, 36, 72, 108, 128, 164, 200, 236]);
    }

    #[test]
    fn outer_moves_rows() {
        let swizzle = Swizzle::new(3, 3, 3, false).unwrap();
        assert_eq!(column(swizzle, 64, 0), [0, 64, 128, 192, 256, 320, 384, 448]);
        assert_eq!((0..8).map(|j| swizzle.apply(8 * j)).collect::<Vec<_>>(), [0, 72, 144, 216, 288, 360, 432, 504]);
    }

    #[test]
    fn stays_within_its_block() {
        for (per_element, len, atom_len) in [(0, 1, 1), (2, 2, 3), (3, 3, 3), (1, 0, 2)] {
            for inner in [true, false] {
                let swizzle = Swizzle::new(per_element, len, atom_len, inner).unwrap();
                let stays = |m: i64| swizzle.apply(m) / swizzle.block() == m / swizzle.block();
                assert!((0..4 * swizzle.period()).all(stays), "{swizzle:?}");
            }
        }
    }

    #[test]
    fn refuses_short_atoms() {
        assert!(matches!(Swizzle::new(3, 4, 3, true), Err(LayoutError::BadSwizzle { .. })));
        assert!(Swizzle::new(30, 20, 20, true).is_err());
    }
}
