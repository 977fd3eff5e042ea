//! What an op accesses of the shared tiles that it computes with, for the choice of their layouts.

use std::cell::RefCell;

use melior::ir::{OperationRef, Value};
use rustc_hash::FxHashMap;
use tile_dialect::ops::{BlockScanOp, MapOp, ReduceOp, TotalOp};
use tile_plan::choose_layout::PlanCost;
use tile_plan::elementwise::{PartitionProblem, SharedCopy, TilePartition};
use tile_plan::problem::refusal::Refusal;
use tile_plan::target::Target;

use super::is_unreached;
use super::read::{BlockScanReading, MapReading, ReduceReading, TotalReading};
use crate::emit::error::EmitError;
use crate::read::name;
use crate::read::problem::Reader;

/// An op that computes with tiles which may be in shared memory, as they are laid out now.
pub struct ComputedTiles {
    reading: ComputedReading,
    target: Target,
}

enum ComputedReading {
    Map(MapReading),
    Reduce(ReduceReading),
    Total(TotalReading),
    BlockScan(BlockScanReading),
}

/// With which partitions an op can be done, as far as that has been asked: it does not depend on the layouts of shared tiles.
#[derive(Default)]
pub struct Partitions(RefCell<FxHashMap<TilePartition, Result<(), Refusal>>>);

impl ComputedTiles {
    /// Those of an op whose verifier has run.
    ///
    /// # Errors
    /// Why the op, where it stands, poses no problem.
    pub fn of(op: OperationRef<'_, '_>, reader: &Reader<'_>) -> Result<Self, EmitError> {
        let reading = match name(op) {
            MapOp::NAME => MapReading::of(MapOp(op), reader).map(ComputedReading::Map),
            ReduceOp::NAME => ReduceReading::of(ReduceOp(op), reader).map(ComputedReading::Reduce),
            TotalOp::NAME => TotalReading::of(TotalOp(op), reader).map(ComputedReading::Total),
            BlockScanOp::NAME => BlockScanReading::of(BlockScanOp(op), reader).map(ComputedReading::BlockScan),
            other => Err(EmitError::NotComputed(other.to_owned())),
        };
        Ok(ComputedTiles { reading: reading?, target: reader.target(op)? })
    }

    /// The chip.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The tiles that the op reads, and those that it writes.
    pub fn operands<'c: 'a, 'a>(&self, op: OperationRef<'c, 'a>) -> [Vec<Value<'c, 'a>>; 2] {
        match self.reading {
            ComputedReading::Map(_) => [MapOp(op).sources(), MapOp(op).dests()],
            ComputedReading::Reduce(_) => [ReduceOp(op).sources(), ReduceOp(op).dests()],
            ComputedReading::BlockScan(_) => [BlockScanOp(op).sources(), BlockScanOp(op).dests()],
            ComputedReading::Total(_) => [TotalOp(op).source().into_iter().collect(), Vec::new()],
        }
    }

    /// The copies of shared tiles that the op becomes, with accesses of at most so many bits; none where no thread reaches it.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub fn copies(&self, max_vector_bits: u32, known: &Partitions) -> Result<Vec<SharedCopy>, Refusal> {
        let search = self.search(max_vector_bits);
        if is_unreached(search.threads) {
            return Ok(Vec::new());
        }
        let (parts, ()) = search.find(&self.target, |partition| self.accepts(partition, known))?;
        parts.map_or(Ok(Vec::new()), |parts| search.copies(&parts))
    }

    /// What these cost at least, whatever the layouts.
    pub fn least(&self, max_vector_bits: u32) -> PlanCost {
        self.search(max_vector_bits).least(&self.target)
    }

    fn search(&self, max_vector_bits: u32) -> PartitionProblem<'_> {
        match &self.reading {
            ComputedReading::Map(reading) => reading.search(max_vector_bits),
            ComputedReading::Reduce(reading) => reading.search(max_vector_bits),
            ComputedReading::Total(reading) => reading.search(max_vector_bits),
            ComputedReading::BlockScan(reading) => reading.search(max_vector_bits),
        }
    }

    fn accepts(&self, partition: Option<&TilePartition>, known: &Partitions) -> Result<(), Refusal> {
        let Some(given) = partition else { return Ok(()) };
        if let Some(verdict) = known.0.borrow().get(given) {
            return verdict.clone();
        }
        let verdict = match &self.reading {
            ComputedReading::Map(reading) => reading.problem(partition).and_then(|problem| problem.plan()).map(|_| ()),
            ComputedReading::Reduce(reading) => {
                reading.problem(partition).and_then(|problem| problem.plan()).map(|_| ())
            }
            ComputedReading::BlockScan(reading) => {
                reading.problem(partition).and_then(|problem| problem.plan()).map(|_| ())
            }
            ComputedReading::Total(reading) => {
                reading.problem(partition).and_then(|problem| problem.plan()).map(|_| ())
            }
        };
        known.0.borrow_mut().insert(given.clone(), verdict.clone());
        verdict
    }
}
