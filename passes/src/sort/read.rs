//! Reads a `tile.sort` into a planning problem on integers.

use tile_dialect::ops::{ScanElement, SortOp, chain_hooks, chain_requests};
use tile_plan::sort::{KeyKind, SortProblem};
use tile_plan::target::Target;

use super::error::SortKernelError;
use crate::options::LoweringOptions;
use crate::scan::read;

/// A sort in the planner's form.
pub struct SortReading {
    /// The problem.
    pub problem: SortProblem,
    /// The chip to plan for.
    pub target: Target,
}

/// What writes such an op for portable targets.
const NOWHERE: &str = "tile.sort is not written for portable targets";

/// Reads an op whose verifier has run.
///
/// # Errors
/// An unknown element type or chip.
pub fn read(op: SortOp<'_, '_>, options: &LoweringOptions) -> Result<SortReading, SortKernelError> {
    let elements: Option<Vec<_>> = op.elements().into_iter().map(ScanElement::new).collect();
    let elements = elements.filter(|elements| !elements.is_empty()).ok_or(SortKernelError::NoNumber)?;
    let (key, bytes) = (elements[0], |element: &ScanElement<'_>| i64::from(element.bits() / 8));
    let kind = match (key.float, op.is_unsigned()) {
        (true, _) => KeyKind::Float,
        (false, true) => KeyKind::Unsigned,
        (false, false) => KeyKind::Signed,
    };
    let problem = SortProblem {
        kind,
        key_bytes: bytes(&key),
        value_bytes: elements.get(1).map(bytes),
        is_descending: op.is_descending(),
        alignment: read::alignment(op.sources()[0], bytes(&key), options),
        requests: chain_requests(op.0),
        hooks: chain_hooks(op.0),
    };
    Ok(SortReading { problem, target: read::target(op.0, options, NOWHERE)? })
}
