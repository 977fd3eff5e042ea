//! The extents of the tiles that a kernel has in registers: those of its maps and reductions, where there is no product to decide which
//! thread has which element, and threads divide them evenly.

use std::collections::{BTreeSet, HashMap};

use indexmap::IndexMap;
use melior::ir::OperationRef;
use thiserror::Error;
use tile_dialect::emit::RemarkKind;
use tile_dialect::ops::Scope;
use tile_isa::registers::REGISTER_BITS;
use tile_plan::linalg::{DivisionError, LinalgForm, TileDivision};
use tile_plan::problem::threads::Threads;

use super::convert::{Converter, LinalgCandidate};
use super::read;
use super::team::Team;
use crate::{report, walk};

/// An op of a kernel.
type KernelOp<'c, 'a> = (OperationRef<'c, 'a>, LinalgCandidate<'c, 'a>);

/// The most registers of 32 bits that a thread holds of a tile.
const MAX_REGISTERS: i64 = 64;

/// Why the rows of a kernel without products are not in registers.
#[derive(Debug, Error)]
enum RowsElsewhere {
    #[error(transparent)]
    Division(#[from] DivisionError),
    #[error("got {0} registers of a thread for each tile, expected at most {MAX_REGISTERS}")]
    Registers(i64),
}

/// What kernels have in registers.
#[derive(Default)]
pub struct KernelRows<'c, 'a> {
    /// The extents, by the key of the kernel's op.
    pub extents: HashMap<usize, Vec<i64>>,
    /// The largest op of each other kernel without products, and why its rows are not.
    elsewhere: Vec<(OperationRef<'c, 'a>, RowsElsewhere)>,
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
                Some(Ok(extents)) => _ = rows.extents.insert(kernel, extents),
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
        op.reading.structured.extents.iter().fold(1i64, |all, &extent| all.saturating_mul(extent))
    };
    let multiplies = ops.iter().any(|(_, op)| matches!(op.form, LinalgForm::Product(_)));
    ops.iter().filter(computes).filter(|_| !multiplies).max_by_key(|(_, op)| iterations(op))
}

/// The extents of the largest op, if threads divide its tiles; `None` where nothing is known of its elements or of the threads.
fn rows_of<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    ops: &[KernelOp<'c, 'a>],
    (op, largest): (OperationRef<'c, 'a>, &LinalgCandidate<'c, 'a>),
) -> Option<Result<Vec<i64>, RowsElsewhere>> {
    let shape = &largest.reading.structured.extents;
    let alike = || ops.iter().map(|(_, op)| op).filter(|op| op.reading.structured.extents == *shape);
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
    let division = TileDivision { shape, bits: [widest, narrowest], reduced: &reduced, threads: &threads };
    Some(division.held().map_err(RowsElsewhere::from).and_then(|elements| {
        let registers = elements.saturating_mul(i64::from(widest)) / REGISTER_BITS;
        if registers > MAX_REGISTERS { Err(RowsElsewhere::Registers(registers)) } else { Ok(shape.clone()) }
    }))
}
