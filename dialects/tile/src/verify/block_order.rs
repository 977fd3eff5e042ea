//! `tile.block_order`: a group of rows where the order has groups, and only there.

use melior::ir::OperationRef;

use super::outcome;
use crate::ops::integer;

/// The order of groups, as ODS numbers it.
const GROUPED: i64 = 2;

pub(crate) fn block_order(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(op))
}

fn check(op: OperationRef<'_, '_>) -> Result<(), String> {
    match (integer(op, "order") == Some(GROUPED), integer(op, "group")) {
        (true, None) => Err("got grouped without a number of rows, expected grouped(8) or another".to_owned()),
        (false, Some(rows)) => {
            Err(format!("got groups of {rows} rows for an order without groups, expected grouped({rows})"))
        }
        _ => Ok(()),
    }
}
