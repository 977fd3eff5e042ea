//! Operands of an op that computes in registers: tiles that live there, and tiles in shared memory.

use super::operand::RegisterOperand;
use super::partition::TilePartition;
use crate::problem::Element;
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;

/// A tile in shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedTileOperand {
    /// What messages call it.
    pub name: String,
    /// The tile.
    pub tile: Operand,
    /// Its elements.
    pub element: Element,
}

impl SharedTileOperand {
    /// The extents, without those of a buffer that it is a part of.
    pub(super) fn extents(&self) -> &[i64] {
        &self.tile.extent
    }
}

/// An operand of an op that computes in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TileOperand {
    /// A tile in registers.
    Registers(RegisterOperand),
    /// A tile that is copied.
    Shared(SharedTileOperand),
}

impl TileOperand {
    /// Its extents.
    pub fn shape(&self) -> &[i64] {
        match self {
            TileOperand::Registers(tile) => &tile.shape,
            TileOperand::Shared(tile) => tile.extents(),
        }
    }

    /// The operand in registers: itself, or the tile that the shared one is copied from or to.
    ///
    /// # Errors
    /// As [`TilePartition::repeated`]; `no-partition` for a shared tile without one.
    pub fn in_registers(&self, partition: Option<&TilePartition>) -> Result<RegisterOperand, Refusal> {
        match self {
            TileOperand::Registers(tile) => Ok(tile.clone()),
            TileOperand::Shared(tile) => {
                let none = || Refusal::new("no-partition", format!("{} has no partition", tile.name));
                let partition = partition.ok_or_else(none)?;
                let TilePartition { layout, shape } = partition.repeated(tile.extents())?;
                Ok(RegisterOperand { name: tile.name.clone(), layout, shape })
            }
        }
    }
}
