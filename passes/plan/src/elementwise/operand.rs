//! Operands of an op that computes in registers: tiles that live there, the threads that hold their elements, and tiles in shared memory.

use std::collections::HashMap;

use tile_layout::Layout;

use super::partition::TilePartition;
use crate::distribution::RegisterDistribution;
use crate::problem::Element;
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;

/// A tile in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterOperand {
    /// What messages call it.
    pub name: String,
    /// Which thread holds which element in which register.
    pub layout: Layout,
    /// Its extents.
    pub shape: Vec<i64>,
}

impl RegisterOperand {
    /// Where its elements are.
    ///
    /// # Errors
    /// As [`RegisterDistribution::new`].
    pub(super) fn distribution(&self, threads: &Threads) -> Result<RegisterDistribution, Refusal> {
        RegisterDistribution::new(&self.layout, &self.shape, &self.name, threads)
    }
}

/// The registers in which the first thread holds elements.
pub(super) fn of_first_thread(tile: &RegisterDistribution) -> HashMap<i64, usize> {
    tile.elements(0).map(|(register, element)| (element, register)).collect()
}

/// Which threads of a scope hold elements of a tile: all, or those before one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoldingThreads {
    /// The number of threads that do.
    pub count: usize,
    /// The threads of the scope.
    pub all: usize,
}

impl HoldingThreads {
    /// Those of a tile.
    ///
    /// # Errors
    /// Threads that hold some, but not all, of the registers that the first one holds, or that hold elements after one that
    /// does not.
    pub(super) fn new(tile: &RegisterDistribution, name: &str) -> Result<Self, Refusal> {
        let registers = |thread: usize| tile.elements(thread).map(|(register, _)| register);
        let count = (0..tile.threads()).take_while(|&thread| registers(thread).next().is_some()).count();
        let uneven = |thread: usize| {
            let (got, needed) = (registers(thread).count(), registers(0).count());
            let reason =
                format!("thread {thread} holds {got} elements of {name}, thread 0 holds {needed}; needed the same");
            Refusal::new("registers-partly-held", reason)
        };
        if let Some(thread) = (0..count).find(|&thread| !registers(thread).eq(registers(0))) {
            return Err(uneven(thread));
        }
        if let Some(thread) = (count..tile.threads()).find(|&thread| registers(thread).next().is_some()) {
            return Err(uneven(thread.min(count)));
        }
        Ok(HoldingThreads { count, all: tile.threads() })
    }

    /// Whether other threads of the scope hold none.
    pub fn is_part(&self) -> bool {
        self.count < self.all
    }

    /// Why an operator that is not defined for all values cannot be computed.
    pub(super) fn refusal(&self, what: &str, name: &str) -> Refusal {
        let HoldingThreads { count, all } = self;
        let reason = format!("only {count} of {all} threads hold elements of {name}; {what} needs all of the scope");
        Refusal::new("registers-partly-held", reason)
    }
}

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
                let TilePartition { layout, shape, .. } = partition.repeated(tile.extents())?;
                Ok(RegisterOperand { name: tile.name.clone(), layout, shape })
            }
        }
    }
}
