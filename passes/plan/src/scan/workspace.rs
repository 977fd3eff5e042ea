//! Where blocks publish their sums.

/// The workspace of a plan.
///
/// ```text
///   byte 0     4       8        16     24       32         40         256
///        ticket  -  error   -   polls  looked   fallbacks  inserted   state of tile 0, of tile 1, …
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Elements of a tile.
    pub tile: i64,
    /// Bytes of a tile's state (of its sum and its prefix, where there are three kernels).
    pub words: i64,
}

/// Counter that deals out tiles, 4 bytes; the last taker sets it back to 0.
pub const TICKET: i64 = 0;
/// Not 0, 4 bytes, when a block gave up.
pub const ERROR: i64 = 8;
/// How often a state that was needed was read and found missing, 8 bytes.
pub const POLLS: i64 = 16;
/// Tiles that blocks looked back over, 8 bytes.
pub const LOOKED: i64 = 24;
/// Sums that a block began to compute for another one, 8 bytes.
pub const FALLBACKS: i64 = 32;
/// Those of them that were published, 8 bytes.
pub const INSERTED: i64 = 40;
/// Where the states begin.
pub const STATES: i64 = 256;

impl Workspace {
    /// Bytes for an array of `n` elements.
    ///
    /// ```
    /// # use tile_plan::scan::Workspace;
    /// assert_eq!(Workspace { tile: 4096, words: 8 }.bytes(4097), 256 + 2 * 8);
    /// ```
    pub fn bytes(&self, n: i64) -> i64 {
        STATES + self.words * n.div_euclid(self.tile) + if n % self.tile == 0 { 0 } else { self.words }
    }
}
