//! Tiles in shared memory: copied to registers, computed with there, and copied back.
//!
//! ```text
//!   tile.map %s to %s          tile.copy %s to %x        %x, %y: new tiles in registers, in the layout of the partition
//!                       ──▶    the map of %x to %y
//!                              tile.copy %y to %s
//! ```

use melior::ir::Value;
use tile_dialect::Space;
use tile_dialect::ops::Scope;
use tile_ops::tile;
use tile_plan::elementwise::{TileOperand, TilePartition};

use super::warps;
use crate::emit::Emit;

/// How an op holds its shared tiles.
pub struct SharedTiles<'p> {
    /// The scope of the op.
    pub scope: Scope,
    /// The partition; none where no tile is shared.
    pub partition: Option<&'p TilePartition>,
}

/// A tile, and what the op has in its place in registers.
struct HeldTile<'c, 'a> {
    tile: Value<'c, 'a>,
    registers: Value<'c, 'a>,
    /// The extents of a region of the tile that is as large as the registers; none for all of the tile.
    extents: Vec<i64>,
}

const NO_TILE: &str = "needs registers of a layout that no tile has";

impl SharedTiles<'_> {
    /// Writes the copies around what `compute` writes, which gets sources and results in registers.
    ///
    /// # Errors
    /// A layout that no tile has; those of `compute`.
    pub fn around<'c: 'a, 'a>(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        values: [Vec<Value<'c, 'a>>; 2],
        tiles: [&[TileOperand]; 2],
        compute: impl FnOnce(&mut Emit<'c, 'a, '_>, [&[Value<'c, 'a>]; 2]) -> Result<(), String>,
    ) -> Result<(), String> {
        let held = |emit: &Emit<'c, 'a, '_>, number: usize| {
            let all = values[number].iter().zip(tiles[number]);
            all.map(|(&value, tile)| self.held(emit, value, tile)).collect::<Result<Vec<_>, _>>()
        };
        let [sources, dests] = [held(emit, 0)?, held(emit, 1)?];
        for HeldTile { tile, registers, extents } in sources.iter().filter(|it| it.is_copied()) {
            self.copy(emit, (*tile, extents), (*registers, &[]));
        }
        let [from, to] =
            [&sources, &dests].map(|tiles| tiles.iter().map(|it| it.registers).collect::<Vec<Value<'c, 'a>>>());
        compute(emit, [&from, &to])?;
        for HeldTile { tile, registers, extents } in dests.iter().filter(|it| it.is_copied()) {
            self.copy(emit, (*registers, &[]), (*tile, extents));
        }
        Ok(())
    }

    /// An operand in registers: itself, or a new tile for one in shared memory.
    fn held<'c: 'a, 'a>(
        &self,
        emit: &Emit<'c, 'a, '_>,
        value: Value<'c, 'a>,
        tile: &TileOperand,
    ) -> Result<HeldTile<'c, 'a>, String> {
        let (TileOperand::Shared(_), Some(partition)) = (tile, self.partition) else {
            return Ok(HeldTile { tile: value, registers: value, extents: Vec::new() });
        };
        let TilePartition { layout, shape } = partition.repeated(tile.shape()).map_err(|refusal| refusal.reason)?;
        let registers = warps::alloc(emit, value, &shape, &layout, Space::Local).ok_or(NO_TILE)?;
        let extents = if shape == tile.shape() { Vec::new() } else { shape };
        Ok(HeldTile { tile: value, registers, extents })
    }

    /// A copy of a region of one side, masked, or of all.
    fn copy<'c: 'a, 'a>(
        &self,
        emit: &Emit<'c, 'a, '_>,
        (from, from_sizes): (Value<'c, 'a>, &[i64]),
        (to, to_sizes): (Value<'c, 'a>, &[i64]),
    ) {
        let (from_begins, to_begins) = (vec![0; from_sizes.len()], vec![0; to_sizes.len()]);
        let is_masked = !from_sizes.is_empty() || !to_sizes.is_empty();
        let builder = emit.kit.builder;
        tile::copy(builder, from, &[], to, &[], &from_begins, from_sizes, &to_begins, to_sizes, self.scope)
            .masked(is_masked)
            .build();
    }
}

impl HeldTile<'_, '_> {
    fn is_copied(&self) -> bool {
        self.tile != self.registers
    }
}
