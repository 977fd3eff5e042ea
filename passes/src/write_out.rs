//! What is written short, written out before anything else is read.

use tile_dialect::ir::Ir;

use crate::{allocs, block_order, extents, return_if, shim, view_promises};

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
    allocs::write_out(ir);
    extents::write_out(ir);
    // What is at the top of a kernel, and so a symbol of affine ops, is inside a branch after that.
    structure(ir);
    return_if::write_out(ir);
}

/// Loops, branches and accesses of the affine dialect, which say what those of `scf`, `memref` and `vector` say: no pass reads both.
///
/// Every pass begins with this that asks what is around an op, what a loop carries, or what an op accesses. Functions that no pass reads
/// keep theirs: no thread of a grid executes them, and nothing in them is ours. `affine.apply`, `min` and `max` stay, which are values.
pub(crate) fn structure(ir: &mut Ir<'_>) {
    shim::lower_affine(ir.root());
}
