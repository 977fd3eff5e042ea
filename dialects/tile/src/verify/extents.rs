//! `tile.extents`: an index for each dimension.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, ValueLike};
use tile_layout::counted;

use super::outcome;
use crate::BufferType;
use crate::error::{VerifyError, mismatch};
use crate::ir::Parts;

pub(crate) fn extents(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(op))
}

fn check(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    let source = op.operand_at(0).ok_or(VerifyError::Incomplete)?;
    let buffer = BufferType::from_type(source.r#type()).ok_or(VerifyError::Incomplete)?;
    let (rank, got) = (buffer.shape().len(), op.result_count());
    if rank == got {
        return Ok(());
    }
    let [got, dimensions] = [(got, "result"), (rank, "dimension")].map(|(count, what)| counted(count as u64, what));
    Err(mismatch!("{got}"; expected "one for each of {dimensions}"))
}
