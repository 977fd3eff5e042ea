//! Reading IR: from a `tile.copy` and what is around it to a problem on integers.

pub mod activity;
pub mod affine;
pub mod alignment;
pub mod arithmetic;
pub mod calls;
pub mod conflicts;
pub mod distance;
pub mod divisibility;
pub mod joins;
pub mod kernel;
pub mod launch;
pub mod place;
pub mod problem;
pub mod ranges;
pub mod residue;
pub mod sources;
pub mod spread;
pub mod storage;
pub mod target;
pub mod traffic;
pub mod uniformity;
pub mod words;

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;

/// The op's name.
pub fn name(op: OperationRef<'_, '_>) -> String {
    op.name().as_string_ref().as_str().unwrap_or_default().to_owned()
}
