//! The extents of the tiles that a kernel has in registers: those of its maps and reductions, where there is no product to decide which
//! thread has which element, and threads divide them evenly.

use std::collections::{BTreeSet, HashMap};

use melior::ir::OperationRef;
use tile_dialect::ops::Scope;
use tile_plan::linalg::{LinalgForm, TileDivision};
use tile_plan::problem::threads::Threads;

use super::convert::{Converter, LinalgCandidate};
use super::read;
use super::team::Team;
use crate::walk;

/// An op of a kernel.
type KernelOp<'c, 'a> = (OperationRef<'c, 'a>, LinalgCandidate<'c, 'a>);

/// The most registers of 32 bits that a thread holds of a tile.
const MAX_REGISTERS: i64 = 64;

/// A converter that keeps such tiles of the kernels at or below the root in registers.
pub fn in_registers<'r, 'o, 'c: 'a, 'a>(
    converter: Converter<'r, 'o, 'c, 'a>,
    root: OperationRef<'c, 'a>,
) -> Converter<'r, 'o, 'c, 'a> {
    let wholes = extents(&converter, root);
    converter.with_registers(wholes)
}

/// The extents for each kernel at or below the root, by the key of its op.
fn extents<'c: 'a, 'a>(converter: &Converter<'_, '_, 'c, 'a>, root: OperationRef<'c, 'a>) -> HashMap<usize, Vec<i64>> {
    let ops = walk::matching(root, |_| true).into_iter().filter(|op| read::read(*op).is_some());
    let mut kernels: HashMap<usize, Vec<KernelOp<'c, 'a>>> = HashMap::new();
    for (op, candidate) in ops.filter_map(|op| Some((op, converter.candidate(op)?.ok()?))) {
        kernels.entry(walk::key(candidate.kernel)).or_default().push((op, candidate));
    }
    kernels.into_iter().filter_map(|(kernel, ops)| Some((kernel, of_kernel(converter, &ops)?))).collect()
}

fn of_kernel(converter: &Converter<'_, '_, '_, '_>, ops: &[KernelOp<'_, '_>]) -> Option<Vec<i64>> {
    if ops.iter().any(|(_, op)| matches!(op.form, LinalgForm::Product(_))) {
        return None;
    }
    let computes = |(_, op): &&KernelOp<'_, '_>| {
        op.scope == Scope::Cta && matches!(op.form, LinalgForm::Map | LinalgForm::Reduce { .. })
    };
    let (first, whole) =
        ops.iter().filter(computes).max_by_key(|(_, op)| op.reading.structured.extents.iter().product::<i64>())?;
    let shape = &whole.reading.structured.extents;
    let alike = || ops.iter().map(|(_, op)| op).filter(|op| op.reading.structured.extents == *shape);
    let reduced: BTreeSet<usize> = alike()
        .flat_map(|op| match &op.form {
            LinalgForm::Reduce { along, .. } => along.clone(),
            _ => Vec::new(),
        })
        .collect();
    let bits = alike().flat_map(|op| op.reading.structured.bits.iter().copied()).filter(|&bits| bits > 0);
    let (widest, narrowest) = (bits.clone().max()?, bits.min()?);
    let team = Team::new(converter.reader, *first, Scope::Cta).ok()?;
    let threads = Threads::all(Scope::Cta, Some(team.threads));
    let reduced: Vec<usize> = reduced.into_iter().collect();
    let division = TileDivision { shape, bits: [widest, narrowest], reduced: &reduced, threads: &threads };
    let held = division.held().ok()?.saturating_mul(i64::from(widest));
    (held <= MAX_REGISTERS * 32).then(|| shape.clone())
}
