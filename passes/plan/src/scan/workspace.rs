//! The memory in which blocks publish their sums.

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

/// Offset of the counter that assigns tiles, 4 bytes; the last block to take one resets it to 0.
pub const TICKET: i64 = 0;
/// Offset of the error word, 4 bytes; not 0 when a block gave up.
pub const ERROR: i64 = 8;
/// Offset of the number of times that a needed state was read and found missing, 8 bytes.
pub const POLLS: i64 = 16;
/// Offset of the number of tiles that blocks looked back over, 8 bytes.
pub const LOOKED: i64 = 24;
/// Offset of the number of sums that a block started to compute for another one, 8 bytes.
pub const FALLBACKS: i64 = 32;
/// Offset of the number of these sums that were published, 8 bytes.
pub const INSERTED: i64 = 40;
/// Offset of the first state.
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
