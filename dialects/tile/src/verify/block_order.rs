//! `tile.block_order`: a group of rows where the order has groups, and only there.

use melior::ir::OperationRef;

use super::outcome;
use crate::error::{VerifyError, mismatch};
use crate::ops::integer;

/// The order of groups, as ODS numbers it.
const GROUPED: i64 = 2;

pub(crate) fn block_order(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(op))
}

fn check(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    match (integer(op, "order") == Some(GROUPED), integer(op, "group")) {
        (true, None) => Err(mismatch!("grouped without a number of rows"; expected "grouped(8) or another")),
        (false, Some(rows)) => Err(mismatch!("groups of {rows} rows for an order without groups";
            expected "grouped({rows})")),
        _ => Ok(()),
    }
}
