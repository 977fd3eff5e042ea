//! Maps, reductions and scans of tiles: `tile.map`, `tile.reduce` and `tile.block_scan`.
//!
//! ```text
//!   tile.map       each thread: loads of registers, the region once for each element, stores
//!   tile.reduce    each thread: its registers; shuffles; where warps meet, copies through a tile in shared memory
//!   tile.block_scan    the same, in the order of the coordinate
//! ```
//!
//! They become ordinary ops before anything else is planned: copies that they need are planned, ordered and given memory like
//! those that are written.
//!
//! | module | subject |
//! | --- | --- |
//! | [`read`] | the problem that an op poses |
//! | [`map`] | functions of elements |
//! | [`combine`] | elements that are combined by an operator, and between lanes |
//! | [`computed`] | what an op accesses of shared tiles, for the choice of their layouts |
//! | [`extreme`] | the smaller or larger of two elements, with its index |
//! | [`warps`] | warps that exchange what they have |
//! | [`overlap`] | maps that read everything before they write |
//! | [`packed`] | functions of 16-bit floats, on pairs |
//! | [`reduce`] | reductions |
//! | [`shared`] | tiles in shared memory, which are computed with in registers, part by part |
//! | [`block_scan`] | scans along a dimension |

mod block_scan;
mod combine;
mod computed;
mod division;
mod extreme;
mod map;
mod overlap;
mod packed;
mod read;
mod reduce;
mod shared;
mod warps;

use std::collections::HashMap;
use std::rc::Rc;

use melior::ir::{OperationRef, Value, ValueLike};
use thiserror::Error;
use tile_dialect::Space;
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::ir::{Ir, uses};
use tile_dialect::ops::{BlockScanOp, MapOp, ReduceKind, ReduceOp, Scope, TotalOp};
use tile_dialect::pattern::Match;
use tile_ops::{Builder, llvm, tile};
use tile_plan::elementwise::TileParts;
use tile_plan::problem::refusal::Refusal;
use tile_plan::problem::threads::{Active, Threads};

use crate::emit::error::EmitError;
use crate::emit::{Emit, Function, RegisterTile};
use crate::options::LoweringOptions;
use crate::read::error::ReadError;
use crate::read::problem::Reader;
use crate::read::{kernel, name};
use crate::report::{self, Subject};
use crate::walk;
use map::MapWriter;
use read::{BlockScanReading, MapReading, PartedPlan, ReduceReading, TotalReading};
use reduce::ReduceInRegisters;
use shared::SharedTiles;

pub(crate) use computed::{ComputedTiles, Partitions};

/// Maps, reductions and scans; there is one way to compute each.
const MAPS: Subject = Subject { category: "tile-map", rule: "rule", argument: "Rule", arguments: "Rules" };
const REDUCTIONS: Subject = Subject { category: "tile-reduce", rule: "rule", argument: "Rule", arguments: "Rules" };
const SCANS: Subject = Subject { category: "tile-block-scan", rule: "rule", argument: "Rule", arguments: "Rules" };

/// The ops that are expanded here.
pub(crate) const OPS: [&str; 4] = [MapOp::NAME, ReduceOp::NAME, TotalOp::NAME, BlockScanOp::NAME];

/// Some of what they become.
pub(crate) const MADE: [&str; 1] = [tile::LocalViewOp::NAME];

/// Replaces every `tile.map`, `tile.reduce` and `tile.block_scan` below the root; `false`, after errors, if one is left.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let (reader, root) = (Reader::new(options), ir.root());
    let ops = walk::matching(root, |name| OPS.contains(&name));
    let mut functions: HashMap<usize, Rc<Function<'_, '_>>> = HashMap::new();
    let mut complete = true;
    for op in ops {
        let builder = Builder::before(ir.rewriter(), op);
        let function = match function(&mut functions, op, root, &reader) {
            Ok(function) => function,
            Err(reason) => {
                Diagnostic::error(reason).emit(op);
                complete = false;
                continue;
            }
        };
        let mut emit = Emit::new(builder, &function);
        match expand(&mut emit, op, &reader) {
            Ok(()) => ir.rewriter().erase(op),
            Err(failure) => {
                if let Failure::Declined(subject, refusal) = &failure {
                    subject.emit(op, RemarkKind::Missed, refusal.cause, &refusal.reason, &[]);
                }
                let error = Diagnostic::error(failure.to_string());
                report::with_block_size(error, op, failure.cause()).emit(op);
                complete = false;
            }
        }
    }
    complete
}

/// The pattern of the ops of one name, which keeps nothing between two of them.
pub(crate) fn pattern_of(options: LoweringOptions) -> Box<Match> {
    Box::new(move |op, rewriter| {
        let reader = Reader::new(&options);
        let around = kernel::function(op).ok_or(ReadError::NoFunction)?;
        let function = Function::around(op, around, reader.block(op)?).ok_or(ReadError::NoFunction)?;
        let mut emit = Emit::new(Builder::before(rewriter, op), &function);
        expand(&mut emit, op, &reader).map_err(|failure| failure.to_string())?;
        rewriter.erase(op);
        Ok(())
    })
}

fn function<'c, 'a>(
    functions: &mut HashMap<usize, Rc<Function<'c, 'a>>>,
    op: OperationRef<'c, 'a>,
    root: OperationRef<'c, 'a>,
    reader: &Reader<'_>,
) -> Result<Rc<Function<'c, 'a>>, EmitError> {
    let function = kernel::function(op).ok_or(ReadError::NoFunction)?;
    let key = walk::key(function);
    if let Some(known) = functions.get(&key) {
        return Ok(known.clone());
    }
    let made = Rc::new(Function::new(function, root, reader.block(op)?).ok_or(EmitError::NoBody)?);
    functions.insert(key, made.clone());
    Ok(made)
}

/// Why an op is left.
#[derive(Debug, Error)]
enum Failure {
    /// There is no plan.
    #[error("cannot be done: {1}")]
    Declined(Subject, Refusal),
    /// The op, where it stands, poses no problem, or its plan cannot be written.
    #[error(transparent)]
    Malformed(#[from] EmitError),
}

impl Failure {
    /// The name of the reason why there is no plan.
    fn cause(&self) -> Option<&'static str> {
        match self {
            Failure::Declined(_, refusal) => Some(refusal.cause),
            Failure::Malformed(_) => None,
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Failure::Malformed(error.into())
    }
}

/// Writes the ops that an op becomes.
fn expand<'c: 'a, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    reader: &Reader<'_>,
) -> Result<(), Failure> {
    if name(op) == MapOp::NAME {
        return expand_map(emit, MapOp(op), reader);
    }
    if name(op) == BlockScanOp::NAME {
        return expand_block_scan(emit, BlockScanOp(op), reader);
    }
    if name(op) == TotalOp::NAME {
        return expand_total(emit, TotalOp(op), reader);
    }
    expand_reduce(emit, ReduceOp(op), reader)
}

fn expand_map<'c: 'a, 'a>(emit: &mut Emit<'c, 'a, '_>, op: MapOp<'c, 'a>, reader: &Reader<'_>) -> Result<(), Failure> {
    let reading = MapReading::of(op, reader)?;
    if is_unreached(&reading.threads) {
        return Ok(());
    }
    let declined = |refusal| Failure::Declined(MAPS, refusal);
    let target = reader.target(op.0)?;
    let chosen = reading.plan(&target, reader.max_vector_bits()).map_err(declined)?;
    let PartedPlan { parts, problem, plan } = &chosen;
    let mut sources = SharedTiles::new(op.scope(), op.sources(), &reading.sources, parts.as_ref());
    let mut dests = SharedTiles::new(op.scope(), op.dests(), &reading.results, parts.as_ref());
    let writer = MapWriter::new(emit, op, (problem, plan), &target)?;
    let tiles = [reading.sources.as_slice(), &reading.results];
    for part in plan.in_parts(problem, tiles, parts.as_ref()).map_err(declined)? {
        let (from, to) = (sources.load(emit, &part.begin)?, dests.begin(emit, &part.begin)?);
        writer.write(emit, &part, [&from, &to])?;
        dests.store(emit);
    }
    map::remark_chosen(op, &reading, &chosen);
    Ok(())
}

fn expand_reduce<'c: 'a, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    op: ReduceOp<'c, 'a>,
    reader: &Reader<'_>,
) -> Result<(), Failure> {
    let reading = ReduceReading::of(op, reader)?;
    if is_unreached(&reading.threads) {
        return Ok(());
    }
    let declined = |refusal| Failure::Declined(REDUCTIONS, refusal);
    let target = reader.target(op.0)?;
    let PartedPlan { parts, problem, plan } = &reading.plan(&target, reader.max_vector_bits()).map_err(declined)?;
    let terms = plan.in_parts(&reading.threads, &reading.sources, parts.as_ref()).map_err(declined)?;
    // The results of all parts are one.
    let whole = parts.clone().map(|parts| TileParts::one(parts.whole));
    let operator = match op.kind() {
        ReduceKind::Combined(kind) => Some(kind),
        ReduceKind::Index(_) => None,
    };
    let mut sources =
        SharedTiles::new(op.scope(), op.sources(), &reading.sources, parts.as_ref()).combined_by(operator);
    let mut results = SharedTiles::new(op.scope(), op.dests(), &reading.results, whole.as_ref());
    let dests = results.begin(emit, &vec![0; reading.sources[0].shape().len()])?;
    let reduction = ReduceInRegisters {
        op: op.0,
        scope: op.scope(),
        kind: op.kind(),
        combine: op.combine(),
        term: None,
        parts: &terms,
        dests: &dests,
        problem,
        plan,
        votes: target.api().is_none(),
    };
    reduce::write(emit, &reduction, &mut sources)?;
    results.store(emit);
    reduce::remark_chosen(op.0, problem, plan, parts.as_ref());
    Ok(())
}

fn expand_block_scan<'c: 'a, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    op: BlockScanOp<'c, 'a>,
    reader: &Reader<'_>,
) -> Result<(), Failure> {
    let reading = BlockScanReading::of(op, reader)?;
    if is_unreached(&reading.threads) {
        return Ok(());
    }
    let declined = |refusal| Failure::Declined(SCANS, refusal);
    let PartedPlan { parts, problem, plan } =
        &reading.plan(&reader.target(op.0)?, reader.max_vector_bits()).map_err(declined)?;
    let whole = parts.clone().map(|parts| TileParts::one(parts.whole));
    let mut sources =
        SharedTiles::new(op.scope(), op.sources(), &reading.sources, whole.as_ref()).combined_by(Some(op.kind()));
    let mut dests = SharedTiles::new(op.scope(), op.dests(), &reading.results, whole.as_ref());
    let begin = vec![0; reading.sources[0].shape().len()];
    let tiles = [sources.load(emit, &begin)?, dests.begin(emit, &begin)?];
    block_scan::write(emit, op, tiles, (problem, plan))?;
    dests.store(emit);
    block_scan::remark_chosen(op, plan);
    Ok(())
}

fn expand_total<'c: 'a, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    op: TotalOp<'c, 'a>,
    reader: &Reader<'_>,
) -> Result<(), Failure> {
    let (reading, results) = (TotalReading::of(op, reader)?, op.results());
    let builder = emit.kit.builder;
    let replace = |result, total| {
        uses(result).into_iter().for_each(|(user, at)| builder.rewriter.set_operand(user, at, total));
    };
    if is_unreached(&reading.threads) {
        for result in results {
            replace(result, llvm::mlir_poison(builder, result.r#type()).value());
        }
        return Ok(());
    }
    let declined = |refusal| Failure::Declined(REDUCTIONS, refusal);
    let target = reader.target(op.0)?;
    let PartedPlan { parts, problem, plan } = &reading.plan(&target, reader.max_vector_bits()).map_err(declined)?;
    let terms = plan.in_parts(&reading.threads, &reading.sources, parts.as_ref()).map_err(declined)?;
    let made = &problem.results[0];
    let dest = |result: &Value<'c, 'a>| {
        warps::alloc_of(emit, result.r#type(), &made.shape, &made.layout, Space::Local).ok_or(EmitError::NoTileType)
    };
    let dests = results.iter().map(dest).collect::<Result<Vec<_>, _>>()?;
    let source = op.source().into_iter().collect();
    let mut sources =
        SharedTiles::new(op.scope(), source, &reading.sources, parts.as_ref()).combined_by(Some(op.kind()));
    let reduction = ReduceInRegisters {
        op: op.0,
        scope: op.scope(),
        kind: ReduceKind::Combined(op.kind()),
        combine: None,
        term: op.term(),
        parts: &terms,
        dests: &dests,
        problem,
        plan,
        votes: target.api().is_none(),
    };
    reduce::write(emit, &reduction, &mut sources)?;
    // Each thread, or each of a warp, has combined the same numbers.
    let alike = if op.is_per_warp() { op.scope().min(Scope::Warp) } else { op.scope() };
    for (result, dest) in results.into_iter().zip(dests) {
        let registers = RegisterTile::of(builder, dest).ok_or(EmitError::NotInRegisters)?;
        replace(result, tile::assume(builder, registers.load(0)).uniform(alike).build().result());
    }
    reduce::remark_chosen(op.0, problem, plan, parts.as_ref());
    Ok(())
}

/// Whether no thread executes the op.
fn is_unreached(threads: &Threads) -> bool {
    matches!(&threads.active, Active::Known(active) if active.is_empty())
}
