//! Reads a `tile.map`, `tile.reduce` or `tile.block_scan` into a planning problem on integers.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, Value, ValueLike};
use tile_dialect::ir::arguments_of;
use tile_dialect::ops::{BlockScanOp, MapOp, ReduceKind, ReduceOp, ScanElement, TotalOp};
use tile_dialect::{BufferType, Space};
use tile_plan::elementwise::block_scan::{BlockScanPlan, BlockScanProblem};
use tile_plan::elementwise::{
    ComputedParts, MapPlan, MapProblem, PartitionProblem, ReducePlan, ReduceProblem, RegisterOperand,
    SharedTileOperand, SpareThreads, TileOperand, TilePartition, TileParts, TotalProblem,
};
use tile_plan::problem::refusal::Refusal;
use tile_plan::problem::threads::Threads;
use tile_plan::target::Target;

use super::overlap::{WrittenEarly, written_early};
use crate::emit::error::EmitError;
use crate::read::error::ReadError;
use crate::read::problem::Reader;
use crate::read::{kernel, storage};

/// What an op computes, in the parts in which it does.
pub struct PartedPlan<Problem, Plan> {
    /// The parts; `None` where no tile is shared.
    pub parts: Option<TileParts>,
    pub problem: Problem,
    pub plan: Plan,
}

impl<Problem, Plan> From<(Option<TileParts>, (Problem, Plan))> for PartedPlan<Problem, Plan> {
    fn from((parts, (problem, plan)): (Option<TileParts>, (Problem, Plan))) -> Self {
        PartedPlan { parts, problem, plan }
    }
}

/// A map: its problem, but for the registers of tiles that are in shared memory.
pub struct MapReading {
    pub sources: Vec<TileOperand>,
    pub results: Vec<TileOperand>,
    /// The threads that compute.
    pub threads: Threads,
    /// Why all of it is read before anything is written.
    pub overlap: Option<WrittenEarly>,
    has_coordinates: bool,
    ops: usize,
}

impl MapReading {
    /// The problem of a map whose verifier has run.
    ///
    /// # Errors
    /// Why the op, where it stands, poses no problem.
    pub fn of(op: MapOp<'_, '_>, reader: &Reader<'_>) -> Result<Self, EmitError> {
        let (sources, dests) = (op.sources(), op.dests());
        are_defined(op.0, sources.iter().chain(&dests))?;
        let body = op.body().ok_or(EmitError::Operands)?;
        let ops = std::iter::successors(body.first_operation(), |op| op.next_in_block()).count();
        let (read, written) = (tiles(&sources, "source", reader)?, tiles(&dests, "result", reader)?);
        Ok(MapReading {
            has_coordinates: arguments_of(body).len() > sources.len(),
            overlap: written_early((&sources, &read), (&dests, &written)),
            sources: read,
            results: written,
            ops,
            threads: reader.threads(op.0, op.scope())?,
        })
    }

    /// In how many parts it would be computed if nothing overlapped; `None` where one part is enough.
    pub fn parts_without_overlap(&self, parts: Option<&TileParts>) -> Option<usize> {
        let search = PartitionProblem { in_parts: ComputedParts::All, ..self.search(0) };
        parts.map(|parts| search.parts(parts.whole.clone()).count()).filter(|&count| count > 1)
    }

    /// The search for the partition, with accesses of at most so many bits.
    pub fn search(&self, max_vector_bits: u32) -> PartitionProblem<'_> {
        PartitionProblem {
            shape: self.results[0].shape(),
            tiles: [&self.sources, &self.results],
            threads: &self.threads,
            spare: &[SpareThreads::Beyond],
            max_vector_bits,
            in_parts: if self.overlap.is_some() { ComputedParts::None } else { ComputedParts::All },
        }
    }

    /// The plan, with accesses of at most so many bits.
    ///
    /// # Errors
    /// As [`PartitionProblem::find`].
    pub fn plan(&self, target: &Target, max_vector_bits: u32) -> Result<PartedPlan<MapProblem, MapPlan>, Refusal> {
        let plan = |partition: Option<&TilePartition>| {
            let problem = self.problem(partition)?;
            problem.plan().map(|plan| (problem, plan))
        };
        self.search(max_vector_bits).find(target, plan).map(PartedPlan::from)
    }

    /// The problem with shared tiles in the registers of a partition.
    ///
    /// # Errors
    /// As [`TileOperand::in_registers`].
    pub fn problem(&self, partition: Option<&TilePartition>) -> Result<MapProblem, Refusal> {
        let shape = self.results.first().map_or(&[][..], TileOperand::shape);
        Ok(MapProblem {
            sources: held(&self.sources, partition)?,
            results: held(&self.results, partition)?,
            has_coordinates: self.has_coordinates,
            ops: self.ops,
            limits: partition.map_or_else(Vec::new, |partition| partition.limits(shape)),
            threads: self.threads.clone(),
        })
    }
}

/// A reduction: its problem, but for the registers of tiles that are in shared memory.
pub struct ReduceReading {
    pub sources: Vec<TileOperand>,
    pub results: Vec<TileOperand>,
    /// The threads that reduce.
    pub threads: Threads,
    dim: usize,
    is_total: bool,
    has_index: bool,
    spare: &'static [SpareThreads],
}

impl ReduceReading {
    /// The problem of a reduction whose verifier has run.
    ///
    /// # Errors
    /// Why the op, where it stands, poses no problem.
    pub fn of(op: ReduceOp<'_, '_>, reader: &Reader<'_>) -> Result<Self, EmitError> {
        let (sources, dests) = (op.sources(), op.dests());
        are_defined(op.0, sources.iter().chain(&dests))?;
        let has_neutral = matches!(op.kind(), ReduceKind::Combined(_)) && op.combine().is_none();
        Ok(ReduceReading {
            spare: spare_terms(&sources, has_neutral),
            sources: tiles(&sources, "source", reader)?,
            results: tiles(&dests, "result", reader)?,
            dim: usize::try_from(op.dim()).map_err(|_| EmitError::Operands)?,
            is_total: op.combine().is_none(),
            has_index: matches!(op.kind(), ReduceKind::Index(_)),
            threads: reader.threads(op.0, op.scope())?,
        })
    }

    /// The search for the partition, with accesses of at most so many bits.
    pub fn search(&self, max_vector_bits: u32) -> PartitionProblem<'_> {
        reduction([&self.sources, &self.results], &self.threads, self.spare, max_vector_bits)
    }

    /// The plan, with accesses of at most so many bits.
    ///
    /// # Errors
    /// As [`PartitionProblem::find`].
    pub fn plan(
        &self,
        target: &Target,
        max_vector_bits: u32,
    ) -> Result<PartedPlan<ReduceProblem, ReducePlan>, Refusal> {
        let plan = |partition: Option<&TilePartition>| {
            let problem = self.problem(partition)?;
            problem.plan().map(|plan| (problem, plan))
        };
        self.search(max_vector_bits).find(target, plan).map(PartedPlan::from)
    }

    /// The problem with shared tiles in the registers of a partition.
    ///
    /// # Errors
    /// As [`TileOperand::in_registers`].
    pub fn problem(&self, partition: Option<&TilePartition>) -> Result<ReduceProblem, Refusal> {
        let mut results = held(&self.results, partition)?;
        let elsewhere = |(at, &extent): (usize, &i64)| {
            at != self.dim && results.iter().any(|result| result.shape.get(at) != Some(&extent))
        };
        if let Some(partition) = partition.filter(|tile| tile.shape.iter().enumerate().any(elsewhere)) {
            let reason = format!("results in registers have other rows than the partition of {:?}", partition.shape);
            return Err(Refusal::new("no-partition", reason));
        }
        if self.has_index && results.len() == self.sources.len() {
            // The elements, which are compared all the same, are where their indices are.
            results.extend(results.clone());
        }
        Ok(ReduceProblem {
            sources: held(&self.sources, partition)?,
            results,
            dim: self.dim,
            is_total: self.is_total,
            has_index: self.has_index,
            threads: self.threads.clone(),
        })
    }
}

/// A total: its problem, but for the registers of a tile that is in shared memory.
pub struct TotalReading {
    /// The tile; one.
    pub sources: Vec<TileOperand>,
    /// The threads that combine.
    pub threads: Threads,
    spare: &'static [SpareThreads],
    is_per_warp: bool,
    totals: usize,
}

impl TotalReading {
    /// The problem of a total whose verifier has run.
    ///
    /// # Errors
    /// Why the op, where it stands, poses no problem.
    pub fn of(op: TotalOp<'_, '_>, reader: &Reader<'_>) -> Result<Self, EmitError> {
        let sources: Vec<_> = op.source().into_iter().collect();
        are_defined(op.0, sources.iter())?;
        let (tiles, spare) = (tiles(&sources, "source", reader)?, spare_terms(&sources, op.term().is_none()));
        let (threads, is_per_warp) = (reader.threads(op.0, op.scope())?, op.is_per_warp());
        Ok(TotalReading { sources: tiles, threads, spare, is_per_warp, totals: op.results().len() })
    }

    /// The search for the partition, with accesses of at most so many bits.
    pub fn search(&self, max_vector_bits: u32) -> PartitionProblem<'_> {
        reduction([&self.sources, &[]], &self.threads, self.spare, max_vector_bits)
    }

    /// The plan, with accesses of at most so many bits.
    ///
    /// # Errors
    /// As [`PartitionProblem::find`].
    pub fn plan(
        &self,
        target: &Target,
        max_vector_bits: u32,
    ) -> Result<PartedPlan<ReduceProblem, ReducePlan>, Refusal> {
        let plan = |partition: Option<&TilePartition>| self.problem(partition)?.plan();
        self.search(max_vector_bits).find(target, plan).map(PartedPlan::from)
    }

    /// The problem with a shared tile in the registers of a partition.
    ///
    /// # Errors
    /// As [`TileOperand::in_registers`].
    pub fn problem(&self, partition: Option<&TilePartition>) -> Result<TotalProblem, Refusal> {
        let source = self.sources[0].in_registers(partition)?;
        let TotalReading { is_per_warp, totals, .. } = *self;
        Ok(TotalProblem { source, threads: self.threads.clone(), is_per_warp, totals })
    }
}

/// A scan: its problem, but for the registers of tiles that are in shared memory.
pub struct BlockScanReading {
    pub sources: Vec<TileOperand>,
    pub results: Vec<TileOperand>,
    /// The threads that scan.
    pub threads: Threads,
    dim: usize,
    is_total: bool,
}

impl BlockScanReading {
    /// The problem of a scan whose verifier has run.
    ///
    /// # Errors
    /// Why the op, where it stands, poses no problem.
    pub fn of(op: BlockScanOp<'_, '_>, reader: &Reader<'_>) -> Result<Self, EmitError> {
        let (sources, dests) = (op.sources(), op.dests());
        are_defined(op.0, sources.iter().chain(&dests))?;
        Ok(BlockScanReading {
            sources: tiles(&sources, "source", reader)?,
            results: tiles(&dests, "result", reader)?,
            dim: usize::try_from(op.dim()).map_err(|_| EmitError::Operands)?,
            is_total: op.combine().is_none(),
            threads: reader.threads(op.0, op.scope())?,
        })
    }

    /// The search for the partition, with accesses of at most so many bits. Whatever is beyond a row comes after all of its elements.
    pub fn search(&self, max_vector_bits: u32) -> PartitionProblem<'_> {
        let spare = if self.is_total { &SPARE_TERMS } else { &SPARE_TERMS[..1] };
        let search = reduction([&self.sources, &self.results], &self.threads, spare, max_vector_bits);
        PartitionProblem { in_parts: ComputedParts::None, ..search }
    }

    /// The plan, with accesses of at most so many bits.
    ///
    /// # Errors
    /// As [`PartitionProblem::find`].
    pub fn plan(
        &self,
        target: &Target,
        max_vector_bits: u32,
    ) -> Result<PartedPlan<BlockScanProblem, BlockScanPlan>, Refusal> {
        let plan = |partition: Option<&TilePartition>| {
            let problem = self.problem(partition)?;
            problem.plan().map(|plan| (problem, plan))
        };
        self.search(max_vector_bits).find(target, plan).map(PartedPlan::from)
    }

    /// The problem with shared tiles in the registers of a partition.
    ///
    /// # Errors
    /// As [`TileOperand::in_registers`].
    pub fn problem(&self, partition: Option<&TilePartition>) -> Result<BlockScanProblem, Refusal> {
        Ok(BlockScanProblem {
            sources: held(&self.sources, partition)?,
            results: held(&self.results, partition)?,
            dim: self.dim,
            is_total: self.is_total,
            threads: self.threads.clone(),
        })
    }
}

/// What threads to spare hold of terms: copies, which all can combine, or where terms are elements that may be neutral, such.
const SPARE_TERMS: [SpareThreads; 2] = [SpareThreads::Copies, SpareThreads::Neutral];

fn spare_terms(sources: &[Value<'_, '_>], has_neutral: bool) -> &'static [SpareThreads] {
    let is_number = |value: &Value<'_, '_>| {
        BufferType::from_type(value.r#type()).is_some_and(|buffer| ScanElement::new(buffer.element()).is_some())
    };
    if has_neutral && sources.iter().all(is_number) { &SPARE_TERMS } else { &SPARE_TERMS[..1] }
}

/// The search for the partition of a reduction, which divides what is read.
fn reduction<'p>(
    tiles: [&'p [TileOperand]; 2],
    threads: &'p Threads,
    spare: &'p [SpareThreads],
    max_vector_bits: u32,
) -> PartitionProblem<'p> {
    let (shape, in_parts) = (tiles[0][0].shape(), ComputedParts::Read);
    PartitionProblem { shape, tiles, threads, spare, max_vector_bits, in_parts }
}

fn held(tiles: &[TileOperand], partition: Option<&TilePartition>) -> Result<Vec<RegisterOperand>, Refusal> {
    tiles.iter().map(|tile| tile.in_registers(partition)).collect()
}

fn are_defined<'c: 'a, 'a: 'v, 'v>(
    op: OperationRef<'c, 'a>,
    tiles: impl Iterator<Item = &'v Value<'c, 'a>>,
) -> Result<(), EmitError> {
    let function = kernel::function(op).ok_or(ReadError::NoFunction)?;
    for &tile in tiles {
        storage::is_defined(tile, function)?;
    }
    Ok(())
}

/// Tiles in registers or in shared memory.
fn tiles(values: &[Value<'_, '_>], what: &str, reader: &Reader<'_>) -> Result<Vec<TileOperand>, EmitError> {
    let shared = |(value, registers): (&Value<'_, '_>, RegisterOperand)| {
        let buffer = BufferType::from_type(value.r#type()).ok_or(ReadError::NotABuffer)?;
        if buffer.space() == Space::Local {
            return Ok(TileOperand::Registers(registers));
        }
        let element = reader.element(buffer)?;
        Ok(TileOperand::Shared(SharedTileOperand { name: registers.name, tile: reader.whole(*value)?, element }))
    };
    values.iter().zip(operands(values, what)?).map(shared).collect()
}

fn operands(values: &[Value<'_, '_>], what: &str) -> Result<Vec<RegisterOperand>, EmitError> {
    let operand = |(number, value): (usize, &Value<'_, '_>)| {
        let buffer = BufferType::from_type(value.r#type()).ok_or(ReadError::NotABuffer)?;
        let name = if values.len() == 1 { format!("the {what}") } else { format!("{what} {}", number + 1) };
        Ok(RegisterOperand { name, layout: buffer.layout(), shape: buffer.shape().to_vec() })
    };
    values.iter().enumerate().map(operand).collect()
}
