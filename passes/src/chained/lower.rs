//! The kernel of a pass, and its launch.

use melior::ir::Value;
use tile_dialect::ops::{ChainedOp, kernel_names};
use tile_ops::{Builder, constant};
use tile_plan::chained::{ChainedPlan, ChainedRing, ChainedShape, RegisterTiles};
use tile_plan::scan::Tile;
use tile_plan::scan::ring::SumRooms;

use super::error::ChainedKernelError;
use super::kernel::{ChainedKernel, RegisterWork};
use super::read::{ChainedReading, element};
use super::regions;
use super::ring::ChainedRingWork;
use crate::emit::{Cmp, EmittedElement, Kit, Special, Val};
use crate::scan::host::{Arguments, Grid, Launch, lowest_address};
use crate::scan::kernel::{ChainArguments, ScannedArray, TileChain};
use crate::scan::module::{self, Signature};
use crate::scan::operator::Operator;
use crate::scan::register::{self, RegisterKernel};
use crate::scan::ring;

/// Writes the kernel into the module that the op names, and its launch in place of the op.
///
/// # Errors
/// A module that cannot hold the kernel, or a name that is taken.
pub fn lower<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    op: ChainedOp<'c, 'a>,
    reading: &ChainedReading,
    plan: &ChainedPlan,
) -> Result<(), ChainedKernelError> {
    let module = module::find_or_make(builder, op.0, &reading.target)?;
    let (module_name, name) = kernel_names(op.0).unwrap_or_default();
    let kit = Kit::new(builder);
    let arguments = arguments(kit, op)?;
    let parts = KernelParts::new(op, reading).ok_or(ChainedKernelError::NoNumber)?;
    let Block { threads, resident, dynamic_shared, grid } = Block::of(plan);
    let signature = Signature {
        name: &name,
        parameters: &arguments.types(),
        read_only: parts.sources.len(),
        threads,
        resident,
        dynamic_shared,
    };
    let dynamic = format!("__{name}_ring");
    module::kernel(builder, module, &signature, |kit, values| {
        let shared = |bytes| module::shared(kit, module, &format!("__{name}_shared"), bytes);
        match &plan.shape {
            ChainedShape::Register(tiles) => {
                let exchange_bytes = (register::shared_bytes(&tiles.tile, parts.payload.bytes()) + 15) / 16 * 16;
                let shared = shared(exchange_bytes + tiles.rooms.bytes);
                let kernel = parts.kernel(kit, (&tiles.tile, values), shared);
                finish_without_elements(kit, &kernel);
                let (chain, is_persistent) = (kernel.chain, tiles.blocks.is_some());
                let work = RegisterWork { kernel, rooms: &tiles.rooms, shared: kit.beyond(shared, exchange_bytes) };
                let (exchange, tile, order) = (&plan.exchange, &tiles.tile, tiles.order);
                RegisterKernel { chain: &chain, exchange, tile, order, is_persistent, work: &work }.body(kit);
            }
            ChainedShape::Ring(chained) => {
                let ring = &chained.ring;
                let kernel = parts.kernel(kit, (&ring.tile, values), shared(SumRooms::of_ring(ring).bytes));
                finish_without_elements(kit, &kernel);
                let stages = module::shared(kit, module, &dynamic, 0);
                let (chain, work) = (kernel.chain, ChainedRingWork { kernel, ring: chained });
                ring::body(kit, (chain, &work), (&plan.exchange, ring), stages);
            }
        }
    })?;
    arguments.launch(kit, &module_name, &[Launch { name: &name, grid, threads, dynamic_shared }]);
    Ok(())
}

/// The blocks of a kernel.
struct Block {
    threads: i64,
    /// The number of blocks that should be resident on an SM.
    resident: i64,
    /// Bytes of dynamic shared memory.
    dynamic_shared: i64,
    grid: Grid,
}

impl Block {
    fn of(plan: &ChainedPlan) -> Self {
        let grid = |most| Grid::Between(plan.tile().elements(), most);
        match &plan.shape {
            ChainedShape::Register(RegisterTiles { tile, resident, blocks, .. }) => {
                Block { threads: tile.threads, resident: *resident, dynamic_shared: 0, grid: grid(*blocks) }
            }
            ChainedShape::Ring(ChainedRing { ring, dynamic_bytes, .. }) => Block {
                threads: ring.threads(),
                resident: 1,
                dynamic_shared: *dynamic_bytes,
                grid: grid(Some(ring.blocks)),
            },
        }
    }
}

fn arguments<'c: 'a, 'a>(kit: Kit<'c, 'a>, op: ChainedOp<'c, 'a>) -> Result<Arguments<'c, 'a>, ChainedKernelError> {
    let arrays = [op.sources(), op.dests(), op.totals(), vec![op.workspace()]].concat();
    let length = op.length().map(|length| lowest_address(kit, length, kit.i64(1))).transpose()?;
    let others: Vec<_> = length.into_iter().chain(op.values()).collect();
    Ok(Arguments::new(kit, &arrays, op.epoch(), &others)?)
}

/// Without elements, one thread writes the results for all of them.
fn finish_without_elements<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &ChainedKernel<'_, 'c, 'a>) {
    let chain = &kernel.chain;
    if !kernel.totals.is_empty() {
        let alone = kit.and(kit.is(Cmp::Eq, kit.special(Special::Block), 0), kit.is(Cmp::Eq, chain.thread, 0));
        let none = kit.is(Cmp::Sle, chain.n, 0);
        kit.when(kit.and(alone, none), |kit| regions::finish(kit, kernel, chain.beginning(kit).value));
    }
}

/// An array among the parameters of the kernel: the type of its elements, and its alignment.
type ParameterArray<'c> = (EmittedElement<'c>, i64);

/// What is known of a kernel before its values are there.
struct KernelParts<'c, 'a> {
    op: ChainedOp<'c, 'a>,
    payload: EmittedElement<'c>,
    sources: Vec<ParameterArray<'c>>,
    dests: Vec<ParameterArray<'c>>,
    totals: Vec<ParameterArray<'c>>,
}

impl<'c: 'a, 'a> KernelParts<'c, 'a> {
    fn new(op: ChainedOp<'c, 'a>, reading: &ChainedReading) -> Option<Self> {
        let elements = |arrays: Vec<Value<'c, 'a>>| -> Option<Vec<EmittedElement<'c>>> {
            arrays.into_iter().map(|array| element(array).map(EmittedElement)).collect()
        };
        let alignments = reading.problem.sources.iter().map(|source| source.alignment);
        let totals = elements(op.totals())?;
        Some(KernelParts {
            op,
            payload: EmittedElement(op.packed()?),
            sources: elements(op.sources())?.into_iter().zip(alignments).collect(),
            dests: elements(op.dests())?.into_iter().zip(reading.problem.dest_alignments.iter().copied()).collect(),
            totals: totals.into_iter().map(|element| (element, element.bytes())).collect(),
        })
    }

    fn kernel<'k>(
        &self,
        kit: Kit<'c, 'a>,
        (tile, values): (&'k Tile, &[Val<'c, 'a>]),
        shared: Val<'c, 'a>,
    ) -> ChainedKernel<'k, 'c, 'a> {
        let op = self.op;
        let (sources, rest) = values.split_at(self.sources.len());
        let (dests, rest) = rest.split_at(self.dests.len());
        let (totals, rest) = rest.split_at(self.totals.len());
        let (length, given) = rest[3..].split_at(usize::from(op.length().is_some()));
        let n = length.first().map_or(rest[1], |&length| shorter(kit, op, rest[1], length));
        let init: Vec<_> = op.init().into_iter().map(|number| constant::typed(kit.builder, number)).collect();
        let first = self.payload.of_numbers(kit, &init);
        let combine = op.combine().expect("the verifier requires it");
        let operator = Operator::of_region(self.payload, combine);
        let arguments = ChainArguments { workspace: rest[0], n, epoch: rest[2], shared };
        let arrays = |parameters: &[ParameterArray<'c>], values: &[Val<'c, 'a>]| {
            let array = |(&(element, alignment), &first): (&ParameterArray<'c>, &Val<'c, 'a>)| ScannedArray {
                first,
                step: element.bytes(),
                element,
                alignment,
            };
            parameters.iter().zip(values).map(array).collect()
        };
        ChainedKernel {
            op,
            chain: TileChain {
                most: regions::most(op).filter(|_| operator.adds()),
                ..TileChain::new(kit, operator, Some(first), arguments)
            },
            payload: op.payload(),
            sources: arrays(&self.sources, sources),
            dests: arrays(&self.dests, dests),
            totals: arrays(&self.totals, totals),
            values: given.to_vec(),
            tile,
        }
    }
}

/// The number of elements, i64: that of the arrays, or the one in memory if it is less.
fn shorter<'c: 'a, 'a>(kit: Kit<'c, 'a>, op: ChainedOp<'c, 'a>, n: Val<'c, 'a>, pointer: Val<'c, 'a>) -> Val<'c, 'a> {
    let bits = op.length().and_then(element).map_or(64, |element| element.scalar_bits);
    let stored = kit.load(pointer, kit.int_type(bits), i64::from(bits / 8));
    kit.max(kit.min(kit.wide(stored), n), kit.i64(0))
}
