//! Values that the code of a kernel shares.

use melior::ir::Type;
use tile_dialect::ops::ChainedOp;
use tile_plan::chained::SharedRooms;
use tile_plan::scan::Tile;

use crate::emit::{EmittedElement, Kit, Val};
use crate::scan::kernel::{ScannedArray, TileChain};

/// A kernel that is being written.
pub struct ChainedKernel<'k, 'c, 'a> {
    /// The op.
    pub op: ChainedOp<'c, 'a>,
    /// What its blocks exchange; always with a payload before the first element.
    pub chain: TileChain<'c, 'a>,
    /// The types of the numbers of a payload.
    pub payload: Vec<Type<'c>>,
    /// The arrays that are read.
    pub sources: Vec<ScannedArray<'c, 'a>>,
    /// The arrays of results.
    pub dests: Vec<ScannedArray<'c, 'a>>,
    /// The arrays of results for all elements.
    pub totals: Vec<ScannedArray<'c, 'a>>,
    /// Numbers that are passed to the regions.
    pub values: Vec<Val<'c, 'a>>,
    /// The tile of a block.
    pub tile: &'k Tile,
}

impl<'c: 'a, 'a> ChainedKernel<'_, 'c, 'a> {
    /// The element in which payloads travel.
    pub fn element(&self) -> EmittedElement<'c> {
        self.chain.element()
    }

    /// The numbers of a payload.
    pub fn numbers(&self, kit: Kit<'c, 'a>, packed: Val<'c, 'a>) -> Vec<Val<'c, 'a>> {
        self.element().numbers(kit, packed, &self.payload)
    }
}

/// The work of a block that holds one tile in registers.
pub struct RegisterWork<'k, 'c, 'a> {
    /// The kernel.
    pub kernel: ChainedKernel<'k, 'c, 'a>,
    /// Shared memory besides that of the exchange.
    pub rooms: &'k SharedRooms,
    /// Where it begins.
    pub shared: Val<'c, 'a>,
}

impl<'c: 'a, 'a> RegisterWork<'_, 'c, 'a> {
    /// The address of a room in shared memory.
    pub fn room(&self, kit: Kit<'c, 'a>, offset: i64) -> Val<'c, 'a> {
        kit.beyond(self.shared, offset)
    }
}
