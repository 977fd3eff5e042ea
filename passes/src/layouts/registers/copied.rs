//! Tiles in registers that have what a shared tile has, for as long as products multiply them: a product may read the shared tile instead.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::{Parts, results_of, uses};
use tile_dialect::ops::{BlockScanOp, CopyOp, MapOp, ReduceOp};
use tile_dialect::{BufferType, Space};
use tile_ops::tile;
use tile_plan::problem::role::Role;

use super::super::flow::{TileClass, use_of};
use super::super::uses::TileUse;
use crate::effects::inherent::is_other;
use crate::read::root::root;
use crate::read::values::{is_view, key};
use crate::read::{kernel, name};
use crate::walk;

/// The copy that alone fills a tile, with all of a shared one.
#[derive(Clone, Copy)]
pub struct CopiedTile<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub source: Value<'c, 'a>,
}

/// The copy that fills a tile whose other uses are factors of products, if the products may read its source: nothing writes that in
/// between. In a kernel that synchronizes by itself other threads may.
pub fn shared_copy<'c: 'a, 'a>(class: &TileClass<'c, 'a>) -> Option<CopiedTile<'c, 'a>> {
    let [root] = class.roots[..] else { return None };
    // A product of a view does not take the source as it is.
    let is_viewed = class.values.len() > 1;
    if is_viewed {
        return None;
    }
    let (products, others): (Vec<_>, Vec<_>) =
        class.accesses.iter().copied().partition(|op| use_of(*op) == TileUse::Product);
    let [op] = others[..] else { return None };
    let source = whole_source(op, root)?;
    let is_factor = |product: &OperationRef<'c, 'a>| product.operand_at(2).is_some_and(|sums| key(sums) != key(root));
    let kernel = kernel::function(op)?;
    let is_ordered_here = !walk::matching(kernel, |_| true).into_iter().any(is_other);
    let is_kept = |product: &OperationRef<'c, 'a>| is_factor(product) && is_unchanged(source, op, *product);
    (is_ordered_here && products.iter().all(is_kept)).then_some(CopiedTile { op, source })
}

/// Whether a product follows a copy from a tile in its block, and nothing writes the tile in between.
pub fn is_unchanged<'c: 'a, 'a>(
    tile: Value<'c, 'a>,
    copy: OperationRef<'c, 'a>,
    product: OperationRef<'c, 'a>,
) -> bool {
    let writers = writers(root(tile));
    writers.is_some_and(|writers| writers.into_iter().all(|writer| !is_between(writer, copy, product)))
        && !is_between(copy, copy, product)
}

/// The shared tile all of which a `tile.copy` moves, as it is, to all of another.
fn whole_source<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    tile::CopyOp::cast(op)?;
    let copy = CopyOp(op);
    let [from, dest] = [copy.written(Role::Src)?, copy.written(Role::Dst)?];
    let [of_from, of_dest] = [from.buffer, dest.buffer].map(|value| BufferType::from_type(value.r#type()));
    let is_plain = !copy.masked() && copy.filler().is_none() && copy.reduce().is_none();
    let is_whole = from.sizes.is_empty() && dest.sizes.is_empty() && key(dest.buffer) == key(to);
    let is_alike = |from: BufferType<'_>, to: BufferType<'_>| {
        from.space() == Space::Shared && from.element() == to.element() && from.shape() == to.shape()
    };
    (is_plain && is_whole && is_alike(of_from?, of_dest?)).then_some(from.buffer)
}

/// The ops that write a tile, or a view of it; `None` where not all are known.
fn writers<'c: 'a, 'a>(tile: Value<'c, 'a>) -> Option<Vec<OperationRef<'c, 'a>>> {
    let mut writers = Vec::new();
    for (op, _) in uses(tile) {
        let written = match use_of(op) {
            TileUse::View => {
                for view in results_of(op).into_iter().filter(|_| is_view(op)) {
                    writers.extend(self::writers(view)?);
                }
                continue;
            }
            TileUse::Product => vec![op.operand_at(2)?],
            TileUse::Copy => vec![CopyOp(op).dst()?.value],
            TileUse::Computed => match name(op) {
                MapOp::NAME => MapOp(op).dests(),
                ReduceOp::NAME => ReduceOp(op).dests(),
                BlockScanOp::NAME => BlockScanOp(op).dests(),
                _ => Vec::new(),
            },
            _ => return None,
        };
        if written.into_iter().any(|written| key(root(written)) == key(root(tile))) {
            writers.push(op);
        }
    }
    Some(writers)
}

/// Whether an op may come after a copy and before a product; also where the product does not follow the copy in its block.
fn is_between<'c: 'a, 'a>(op: OperationRef<'c, 'a>, copy: OperationRef<'c, 'a>, product: OperationRef<'c, 'a>) -> bool {
    let in_block = |op: OperationRef<'c, 'a>| {
        let mut around = std::iter::once(op).chain(kernel::ancestors(op));
        around.find(|one| one.block() == copy.block())
    };
    let Some(product) = in_block(product).filter(|product| walk::precedes(copy, *product)) else { return true };
    in_block(op).is_some_and(|op| walk::precedes(copy, op) && !walk::precedes(product, op))
}
