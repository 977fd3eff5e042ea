//! The kernel of a pass, and its launch.

use melior::ir::Value;
use thiserror::Error;
use tile_dialect::ops::{ChainedOp, kernel_names};
use tile_ops::{Builder, constant};
use tile_plan::chained::ChainedPlan;

use super::kernel::ChainedKernel;
use super::read::{ChainedReading, element};
use super::regions;
use crate::emit::{Cmp, EmittedElement, Kit, Special, Val};
use crate::scan::host::{Arguments, Grid, Launch, lowest_address};
use crate::scan::kernel::{ChainArguments, ScannedArray, TileChain};
use crate::scan::module::{self, Signature};
use crate::scan::operator::Operator;
use crate::scan::register::{self, RegisterKernel};

/// Why no kernel was written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChainedKernelError {
    /// A module that cannot hold the kernel, a name that is taken, or an operand without an address.
    #[error("{0}")]
    Module(String),
    /// A payload or an element that is no number.
    #[error("has elements or a payload that are no numbers")]
    NoNumber,
}

impl From<String> for ChainedKernelError {
    fn from(reason: String) -> Self {
        ChainedKernelError::Module(reason)
    }
}

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
    let exchange_bytes = (register::shared_bytes(&plan.tile, parts.payload.bytes()) + 15) / 16 * 16;
    let signature = Signature {
        name: &name,
        parameters: &arguments.types(),
        read_only: parts.sources.len(),
        threads: plan.tile.threads,
        resident: plan.resident,
        dynamic_shared: 0,
    };
    module::kernel(builder, module, &signature, |kit, values| {
        let shared = module::shared(kit, module, &format!("__{name}_shared"), exchange_bytes + plan.rooms.bytes);
        let kernel = parts.kernel(kit, (plan, values), [shared, kit.beyond(shared, exchange_bytes)]);
        body(kit, &kernel, plan);
    })?;
    let grid = Grid::Between(plan.tile.elements(), plan.blocks);
    let launch = Launch { name: &name, grid, threads: plan.tile.threads, dynamic_shared: 0 };
    arguments.launch(kit, &module_name, &[launch]);
    Ok(())
}

fn arguments<'c: 'a, 'a>(kit: Kit<'c, 'a>, op: ChainedOp<'c, 'a>) -> Result<Arguments<'c, 'a>, ChainedKernelError> {
    let arrays = [op.sources(), op.dests(), op.totals(), vec![op.workspace()]].concat();
    let length = op.length().map(|length| lowest_address(kit, length, kit.i64(1))).transpose()?;
    let others: Vec<_> = length.into_iter().chain(op.values()).collect();
    Ok(Arguments::new(kit, &arrays, op.epoch(), &others)?)
}

/// The body of the kernel. Without elements, one thread writes the results for all of them.
fn body<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &ChainedKernel<'_, 'c, 'a>, plan: &ChainedPlan) {
    let chain = &kernel.chain;
    if !kernel.totals.is_empty() {
        let alone = kit.and(kit.is(Cmp::Eq, kit.special(Special::Block), 0), kit.is(Cmp::Eq, chain.thread, 0));
        let none = kit.is(Cmp::Sle, chain.n, 0);
        kit.when(kit.and(alone, none), |kit| regions::finish(kit, kernel, chain.beginning(kit).value));
    }
    let ChainedPlan { exchange, tile, order, .. } = plan;
    let is_persistent = plan.blocks.is_some();
    RegisterKernel { chain, exchange, tile, order: *order, is_persistent, work: kernel }.body(kit);
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
            dests: elements(op.dests())?.into_iter().zip(reading.dest_alignments.iter().copied()).collect(),
            totals: totals.into_iter().map(|element| (element, element.bytes())).collect(),
        })
    }

    fn kernel<'k>(
        &self,
        kit: Kit<'c, 'a>,
        (plan, values): (&'k ChainedPlan, &[Val<'c, 'a>]),
        [shared, rooms]: [Val<'c, 'a>; 2],
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
            chain: TileChain::new(kit, operator, Some(first), arguments),
            payload: op.payload(),
            sources: arrays(&self.sources, sources),
            dests: arrays(&self.dests, dests),
            totals: arrays(&self.totals, totals),
            values: given.to_vec(),
            tile: &plan.tile,
            rooms: &plan.rooms,
            shared: rooms,
        }
    }
}

/// The number of elements, i64: that of the arrays, or the one in memory if it is less.
fn shorter<'c: 'a, 'a>(kit: Kit<'c, 'a>, op: ChainedOp<'c, 'a>, n: Val<'c, 'a>, pointer: Val<'c, 'a>) -> Val<'c, 'a> {
    let bits = op.length().and_then(element).map_or(64, |element| element.scalar_bits);
    let stored = kit.load(pointer, kit.int_type(bits), i64::from(bits / 8));
    kit.max(kit.min(kit.wide(stored), n), kit.i64(0))
}
