//! Copies to a part of a tile, such as what `tensor.pad` becomes: the tile is loaded whole, and masked where there are no elements.
//!
//! ```text
//!   linalg.fill ins(%v) outs(%p)                         tile.copy %x[-%i, -1] [18, 66] to %p masked fill(%v)
//!   %in = memref.subview %p[%i, 1] [%n, 64]
//!   memref.copy %x, %in
//! ```

use melior::ir::{OperationRef, ShapedTypeLike, Value};
use tile_dialect::ir::uses;
use tile_ops::{memref, tile};
use tile_plan::linalg::LinalgRefusal;

use super::copies;
use super::site::Site;
use super::tiles::{self, memref_type};
use crate::read::effects::touches_nothing;
use crate::read::values::key;
use crate::walk;

/// The memory that a `memref.subview` views a part of whose extents are known only at run time, in steps of 1 and all its dimensions.
pub fn viewed_open<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let view = memref::SubViewOp::cast(op)?;
    let is_rank_kept = memref_type(view.source())?.rank() == memref_type(view.result())?.rank();
    let is_plain = view.static_strides().iter().all(|stride| *stride == 1) && view.sizes().len() > 0;
    (is_rank_kept && is_plain).then(|| view.source())
}

/// The tile that a memref is such a part of, and the view.
pub fn open_part<'c: 'a, 'a>(memref: Value<'c, 'a>) -> Option<(Value<'c, 'a>, OperationRef<'c, 'a>)> {
    let view = tile_dialect::ir::defining_op(memref)?;
    Some((tiles::tile(viewed_open(view)?)?, view))
}

/// Writes a copy to a part of a tile: what is beside the part keeps its value, or what the tile was filled with just before.
///
/// # Errors
/// No `tile.copy` does.
pub fn write<'c: 'a, 'a>(
    site: &Site<'_, 'c, 'a>,
    from: Value<'c, 'a>,
    (tile, view): (Value<'c, 'a>, OperationRef<'c, 'a>),
) -> Result<(), LinalgRefusal> {
    let fill = filled_before(site.op, tile);
    let filler = fill.and_then(tile::FillOp::filler);
    copies::copy_to_part(site.op, from, tile, view, filler)?;
    if let Some(fill) = fill.filter(|_| filler.is_some()) {
        site.builder.rewriter.erase(fill.operation());
    }
    Ok(())
}

/// The op that fills a tile, if nothing touches memory between it and another op.
fn filled_before<'c: 'a, 'a>(op: OperationRef<'c, 'a>, tile: Value<'c, 'a>) -> Option<tile::FillOp<'c, 'a>> {
    let before = walk::before(op)?;
    let last = before.into_iter().rev().find(|op| !touches_nothing(*op))?;
    tile::FillOp::cast(last).filter(|fill| key(fill.dst()) == key(tile) && fill.dst_sizes().is_empty())
}

/// Erases views of parts at or below the root that nothing uses any more.
pub fn erase_unused<'c: 'a, 'a>(root: OperationRef<'c, 'a>, rewriter: tile_dialect::ir::Rewriter<'c, 'a>) {
    let views = walk::named(root, memref::SubViewOp::NAME).into_iter();
    let is_unused = |view: &OperationRef<'c, 'a>| {
        let results = tile_dialect::ir::results_of(*view);
        results.into_iter().all(|part| open_part(part).is_some() && uses(part).is_empty())
    };
    views.filter(is_unused).for_each(|view| rewriter.erase(view));
}
