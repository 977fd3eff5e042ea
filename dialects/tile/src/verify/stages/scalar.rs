//! `tile.scalar_copy`.

use melior::ir::OperationRef;
use tile_isa::check_elected;
use tile_isa::words::one_of;

use crate::ops::{integers, string};

pub(super) fn scalar(op: OperationRef<'_, '_>) -> Result<(), String> {
    let by = string(op, "by").unwrap_or_default();
    one_of("by", &by, ["everyone", "elected", "elected_in_block", "owners"])?;
    check_elected(&by, &integers(op, "threads"))
}
