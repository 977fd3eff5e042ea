//! Reads a `tile.chained` into a planning problem on integers.

use melior::ir::r#type::MemRefType;
use melior::ir::{ShapedTypeLike, Value, ValueLike};
use tile_dialect::ops::{ChainedOp, ScanElement, chain_hooks, chain_requests};
use tile_plan::chained::{ChainedProblem, ChainedSource};
use tile_plan::scan::ScannedElement;
use tile_plan::target::Target;

use super::error::ChainedKernelError;
use crate::options::LoweringOptions;
use crate::scan::read;

/// A pass in the planner's form.
pub struct ChainedReading {
    /// The problem.
    pub problem: ChainedProblem,
    /// The chip to plan for.
    pub target: Target,
}

/// What writes such an op for portable targets.
const ELSEWHERE: &str = "tile-translate writes a tile.chained for portable targets";

/// Reads an op whose verifier has run.
///
/// # Errors
/// An unknown element type or chip.
pub fn read(op: ChainedOp<'_, '_>, options: &LoweringOptions) -> Result<ChainedReading, String> {
    let problem = problem(op, options).map_err(|error| error.to_string())?;
    Ok(ChainedReading { problem, target: read::target(op.0, options, ELSEWHERE)? })
}

/// The problem alone, which is the same for every target.
///
/// # Errors
/// An unknown element type.
pub fn problem(op: ChainedOp<'_, '_>, options: &LoweringOptions) -> Result<ChainedProblem, ChainedKernelError> {
    let payload = op.packed().ok_or(ChainedKernelError::NoNumber)?;
    let bytes = |arrays: Vec<Value<'_, '_>>| -> Option<Vec<i64>> {
        arrays.into_iter().map(|array| Some(i64::from(element(array)?.bits() / 8))).collect()
    };
    let (sources, dests) = bytes(op.sources()).zip(bytes(op.dests())).ok_or(ChainedKernelError::NoNumber)?;
    let aligned = |array: Value<'_, '_>, bytes: i64| read::alignment(array, bytes, options);
    Ok(ChainedProblem {
        sources: (op.sources().into_iter().zip(sources))
            .map(|(array, bytes)| ChainedSource { bytes, alignment: aligned(array, bytes) })
            .collect(),
        dest_alignments: (op.dests().into_iter().zip(&dests)).map(|(array, &bytes)| aligned(array, bytes)).collect(),
        dests,
        has_halo: op.has_halo(),
        is_scattered: op.is_scattered(),
        payload: ScannedElement { bits: payload.scalar_bits, lanes: payload.lanes, float: payload.float },
        requests: chain_requests(op.0),
        hooks: chain_hooks(op.0),
    })
}

/// The type of an array's elements; `None` when it is no number.
pub fn element<'c>(array: Value<'c, '_>) -> Option<ScanElement<'c>> {
    ScanElement::new(MemRefType::try_from(array.r#type()).ok()?.element())
}
