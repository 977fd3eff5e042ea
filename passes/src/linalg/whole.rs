//! The extents of the tiles that a kernel has in registers: those of its maps and reductions, where there is no product to decide which
//! thread has which element.

use std::collections::{BTreeSet, HashMap};

use indexmap::IndexMap;
use melior::ir::OperationRef;
use tile_dialect::emit::RemarkKind;
use tile_dialect::memref as memrefs;
use tile_dialect::ops::Scope;
use tile_layout::{by_x, gcd};
use tile_plan::linalg::{HeldRows, LinalgForm, RowsRefusal, TileDivision, run_of_rows};
use tile_plan::problem::threads::Threads;

use super::convert::{Converter, LinalgCandidate};
use super::team::Team;
use super::tiles::memref_type;
use super::{body, read};
use crate::read::{alias, name};
use crate::{report, shim, walk};

/// An op of a kernel.
type KernelOp<'c, 'a> = (OperationRef<'c, 'a>, LinalgCandidate<'c, 'a>);

/// What kernels have in registers.
#[derive(Default)]
pub struct KernelRows<'c, 'a> {
    /// The extents, by the key of the kernel's op.
    pub held: HashMap<usize, HeldRows>,
    /// The largest op of each other kernel without products, and why its rows are not.
    elsewhere: Vec<(OperationRef<'c, 'a>, RowsRefusal)>,
}

impl<'c: 'a, 'a> KernelRows<'c, 'a> {
    /// Those of the kernels at or below the root.
    pub fn new(converter: &Converter<'_, '_, 'c, 'a>, root: OperationRef<'c, 'a>) -> Self {
        let ops = walk::matching(root, |_| true).into_iter().filter(|op| read::read(*op).is_some());
        let mut kernels: IndexMap<usize, Vec<KernelOp<'c, 'a>>> = IndexMap::new();
        for (op, candidate) in ops.filter_map(|op| Some((op, converter.candidate(op)?.ok()?))) {
            kernels.entry(walk::key(candidate.kernel)).or_default().push((op, candidate));
        }
        let mut rows = KernelRows::default();
        for (kernel, ops) in kernels {
            let Some(&(op, ref largest)) = largest(&ops) else { continue };
            match rows_of(converter, &ops, (op, largest)) {
                Some(Ok(held)) => _ = rows.held.insert(kernel, held),
                Some(Err(reason)) => rows.elsewhere.push((op, reason)),
                None => {}
            }
        }
        rows
    }

    /// Says why rows are not in registers.
    pub fn report(&self) {
        for (op, reason) in &self.elsewhere {
            let cause = "rows-in-shared";
            let text = format!("rows are in shared memory: {reason}");
            report::emit(*op, RemarkKind::Missed, cause, &text, &[]);
        }
    }
}

/// The map or reduction of a block with the most iterations, in a kernel without products.
fn largest<'k, 'c, 'a>(ops: &'k [KernelOp<'c, 'a>]) -> Option<&'k KernelOp<'c, 'a>> {
    let computes = |(_, op): &&KernelOp<'c, 'a>| {
        op.scope == Scope::Cta && matches!(op.form, LinalgForm::Map | LinalgForm::Reduce { .. })
    };
    let iterations = |op: &LinalgCandidate<'c, 'a>| {
        op.reading.structured.ends.iter().fold(1i64, |all, &extent| all.saturating_mul(extent))
    };
    let multiplies = ops.iter().any(|(_, op)| matches!(op.form, LinalgForm::Product(_)));
    ops.iter().filter(computes).filter(|_| !multiplies).max_by_key(|(_, op)| iterations(op))
}

/// The extents of the largest op, if threads divide its tiles; `None` where nothing is known of its elements or of the threads.
fn rows_of<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    ops: &[KernelOp<'c, 'a>],
    (op, largest): (OperationRef<'c, 'a>, &LinalgCandidate<'c, 'a>),
) -> Option<Result<HeldRows, RowsRefusal>> {
    let shape = &largest.reading.structured.ends;
    let alike = || ops.iter().map(|(_, op)| op).filter(|op| op.reading.structured.ends == *shape);
    let reduced: BTreeSet<usize> = alike()
        .flat_map(|op| match &op.form {
            LinalgForm::Reduce { along, .. } => along.clone(),
            _ => Vec::new(),
        })
        .collect();
    let bits = alike().flat_map(|op| op.reading.structured.bits.iter().copied()).filter(|&bits| bits > 0);
    let (widest, narrowest) = (bits.clone().max()?, bits.min()?);
    let team = Team::new(converter.reader, op, Scope::Cta).ok()?;
    let threads = Threads::all(Scope::Cta, Some(team.threads));
    let reduced: Vec<usize> = reduced.into_iter().collect();
    let run = alike().fold(0, |run, op| gcd(run, run_of(op)));
    let division = TileDivision { shape, bits: [widest, narrowest], reduced: &reduced, threads: &threads, run };
    let undefined =
        || alike().find_map(|op| body::ops(op.reading.body?).into_iter().find(|op| !shim::is_speculatable(*op)));
    Some(HeldRows::new(&division).and_then(|rows| match undefined().filter(|_| rows.is_padded()) {
        Some(op) => {
            Err(RowsRefusal::Undefined { got: by_x(&rows.shape), held: by_x(&rows.held), op: name(op).to_owned() })
        }
        None => Ok(rows),
    }))
}

/// What divides the places at which rows of the operands begin in memory that the kernel does not allocate, in elements; 0 where it is
/// not known.
fn run_of(op: &LinalgCandidate<'_, '_>) -> i64 {
    let last = op.reading.structured.ends.iter().rposition(|&end| end > 1);
    let operands = op.reading.operands.iter().zip(&op.reading.structured.maps);
    let of_rows = operands.filter(|(value, map)| {
        let is_along = last.is_some() && map.as_ref().and_then(|map| map.last().copied()) == last;
        is_along && !alias::is_made_in(**value, op.kernel)
    });
    of_rows.fold(0, |run, (value, _)| {
        let memref = memref_type(*value);
        let strides = memref.and_then(memrefs::strides_and_offset).map(|(strides, _)| strides).unwrap_or_default();
        let extents = memref.map(memrefs::extents).unwrap_or_default();
        gcd(run, run_of_rows(&extents, &strides))
    })
}
