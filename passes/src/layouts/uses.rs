//! How each op that takes a tile is counted where a layout is chosen.
//!
//! | op | counted |
//! | --- | --- |
//! | `tile.copy`, `tile.fill` | the requests of its plan: vectors, matrices by `ldmatrix` and `stmatrix`, elements, atomics |
//! | `tile.copy_async` | likewise by `cp.async`; through tensor maps as a layout of the engine; other bulk copies are listed as not counted |
//! | `tile.map`, `tile.reduce`, `tile.total`, `tile.block_scan` | the requests of the copies that it becomes, by the partition that each layout leads to |
//! | `tile.mma` | as a layout of the engine, which reads by descriptors; tiles in registers come by copies |
//! | `tile.subview`, `tile.permute`, `tile.reshape`, `tile.cast` | by what takes the view |
//! | `scf.for`, `scf.yield` | by what takes what they carry |
//! | `tile.update_map` | refused: the instruction changes a map of 128 bytes in their order |
//! | `tile.local_view`, `tile.tensor_map`, `tile.block_order` | take no tile whose layout is open |
//! | `tile.extents` | written out before |
//! | `tile.parts`, `tile.planned_copy` | refused: passes that come later make them, for layouts that are known |
//! | any other that states its accesses (`TileAccessOpInterface`) | listed as not counted; refused for registers |
//! | any other, such as a call | refused |

use tile_dialect::Space;
use tile_dialect::ops::{BlockScanOp, MapOp, MmaOp, ReduceOp, TotalOp, UpdateMapOp};
use tile_ops::{scf, tile};

/// What an op does with a tile that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileUse {
    /// It is planned as a copy.
    Copy,
    /// It becomes copies to and from registers.
    Computed,
    /// A product, which reads it by descriptors.
    Product,
    /// It makes another tile of the same memory.
    View,
    /// It carries the tile on.
    Carried,
    /// It accesses bytes that no layout may reorder.
    Bytes,
    /// It takes tiles in other memories, or is made once layouts are known.
    Elsewhere,
    /// It accesses it as it states, whatever the layout.
    Stated,
    /// Not known.
    Unknown,
}

const USES: [(&str, TileUse); 21] = [
    (tile::CopyOp::NAME, TileUse::Copy),
    (tile::CopyAsyncOp::NAME, TileUse::Copy),
    (tile::FillOp::NAME, TileUse::Copy),
    (MapOp::NAME, TileUse::Computed),
    (ReduceOp::NAME, TileUse::Computed),
    (TotalOp::NAME, TileUse::Computed),
    (BlockScanOp::NAME, TileUse::Computed),
    (MmaOp::NAME, TileUse::Product),
    (tile::SubviewOp::NAME, TileUse::View),
    (tile::PermuteOp::NAME, TileUse::View),
    (tile::ReshapeOp::NAME, TileUse::View),
    (tile::CastOp::NAME, TileUse::View),
    (scf::ForOp::NAME, TileUse::Carried),
    (scf::YieldOp::NAME, TileUse::Carried),
    (UpdateMapOp::NAME, TileUse::Bytes),
    (tile::LocalViewOp::NAME, TileUse::Elsewhere),
    (tile::TensorMapOp::NAME, TileUse::Elsewhere),
    (tile::BlockOrderOp::NAME, TileUse::Elsewhere),
    (tile::ExtentsOp::NAME, TileUse::Elsewhere),
    (tile::PartsOp::NAME, TileUse::Elsewhere),
    (tile::PlannedCopyOp::NAME, TileUse::Elsewhere),
];

impl TileUse {
    /// Whether the op accesses a tile of that memory, with any layout.
    pub fn accesses(self, space: Option<Space>) -> bool {
        let is_stated = self == TileUse::Stated && space == Some(Space::Shared);
        is_stated || matches!(self, TileUse::Copy | TileUse::Computed | TileUse::Product)
    }

    /// That of an op of this name; `Unknown` for those that may state what they access.
    pub fn named(name: &str) -> Self {
        USES.iter().find(|(op, _)| *op == name).map_or(TileUse::Unknown, |(_, tile_use)| *tile_use)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_op_that_takes_a_tile_has_a_row() {
        assert!(tile_ops::TAKE_BUFFERS.len() > 10);
        for op in tile_ops::TAKE_BUFFERS {
            assert_ne!(TileUse::named(op), TileUse::Unknown, "{op}");
        }
        let others = USES.iter().filter(|(op, _)| !tile_ops::TAKE_BUFFERS.contains(op));
        assert!(others.clone().all(|(_, found)| *found == TileUse::Carried), "{:?}", others.collect::<Vec<_>>());
    }
}
