//! What a kernel whose blocks hold one tile each does with a tile.

use super::local::Rows;
use super::operator::Maybe;
use super::transfer::Items;
use crate::emit::{Kit, Val};

/// What is before a thread's elements.
#[derive(Clone, Copy)]
pub struct Prefixes<'c, 'a> {
    /// The prefix before the tile.
    pub tile: Maybe<'c, 'a>,
    /// The prefix before the warp.
    pub warp: Maybe<'c, 'a>,
}

/// The work on a tile around the exchange of sums.
pub trait TileWork<'c, 'a> {
    /// What a thread keeps of its part of a tile, for its results.
    type Part;

    /// Reads a thread's part of a tile (i32) from memory that nothing writes: the elements to be combined, and what it keeps.
    /// The owner of a tile calls it, and every block that computes the tile's sum in its place.
    fn load(&self, kit: Kit<'c, 'a>, number: Val<'c, 'a>) -> (Items<'c, 'a>, Self::Part);

    /// Begins to read a tile, by the block that owns it.
    fn begin(&self, _kit: Kit<'c, 'a>, _number: Val<'c, 'a>) {}

    /// As [`load`](Self::load), for a tile that the block has begun to read; then begins to read the next one, where the bit is set.
    fn load_begun(
        &self,
        kit: Kit<'c, 'a>,
        number: Val<'c, 'a>,
        _next: (Val<'c, 'a>, Val<'c, 'a>),
    ) -> (Items<'c, 'a>, Self::Part) {
        self.load(kit, number)
    }

    /// Writes the results of a tile, given the prefixes before it and before the warp.
    fn write(
        &self,
        kit: Kit<'c, 'a>,
        number: Val<'c, 'a>,
        part: Self::Part,
        rows: &Rows<'c, 'a>,
        prefixes: Prefixes<'c, 'a>,
    );
}
