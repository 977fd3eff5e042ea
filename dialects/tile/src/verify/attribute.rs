//! The verifier of attributes of the dialect on ops of other dialects.

use melior::ir::OperationRef;
use tile_plan::pipeline::MAX_STAGES;

use super::outcome;
use crate::STAGES;
use crate::ops::integer;

/// Verifies the attribute of that name, which the op has.
pub(crate) fn attribute(op: OperationRef<'_, '_>, name: &[u8]) -> bool {
    name != STAGES.as_bytes() || outcome(op, stages(op))
}

fn stages(op: OperationRef<'_, '_>) -> Result<(), String> {
    match integer(op, STAGES) {
        Some(1..=MAX_STAGES) => Ok(()),
        _ => Err(format!("has {STAGES}, expected an integer from 1 to {MAX_STAGES}")),
    }
}
