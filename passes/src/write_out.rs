//! What is written short, written out before anything else is read.

use tile_dialect::ir::Ir;

use crate::{block_order, return_if, view_promises};

/// For passes that read copies: what a copy may depend on is arithmetic, promises and branches.
pub(crate) fn for_copies(ir: &mut Ir<'_>) {
    for_all(ir);
    block_order::lower(ir);
}

/// For passes that read bounds, and know the ranges of tiles in a grid.
pub(crate) fn for_bounds(ir: &mut Ir<'_>) {
    for_all(ir);
    block_order::write_grids(ir);
}

fn for_all(ir: &mut Ir<'_>) {
    view_promises::write_out(ir);
    return_if::write_out(ir);
}
