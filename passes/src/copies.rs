//! Asynchronous copies, and prefetches, made again with other operands, or of others.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_ops::{Builder, tile};

/// Replaces a `tile.copy_async` by one that another mbarrier completes, or that goes through other tensor maps; `None` for
/// another op.
pub fn again<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: Builder<'c, 'a>,
    barrier: Option<Value<'c, 'a>>,
    maps: &[Value<'c, 'a>],
) -> Option<OperationRef<'c, 'a>> {
    let of = tile::CopyAsyncOp::cast(op)?;
    let [src_offsets, dst_offsets] = [of.src_offsets().collect::<Vec<_>>(), of.dst_offsets().collect::<Vec<_>>()];
    let (src, dst) = ((of.src_static(), of.src_sizes()), (of.dst_static(), of.dst_sizes()));
    builder.rewriter.set_insertion_point_before(op);
    let here = Builder { location: op.location(), ..builder };
    let made = tile::copy_async(
        here,
        of.src(),
        &src_offsets,
        of.dst(),
        &dst_offsets,
        maps,
        &of.rows().collect::<Vec<_>>(),
        &of.filter().collect::<Vec<_>>(),
        &src.0,
        &src.1,
        &dst.0,
        &dst.1,
        of.scope()?,
    );
    let made = made.barrier(barrier).filler(of.filler()).predicate(of.predicate()).remote_cta(of.remote_cta());
    let made = made.cta_mask(of.cta_mask()).until(of.until());
    let made = made.build().operation();
    Some(in_place(op, builder, made))
}

/// Replaces a `tile.copy` by a `tile.copy_async`, which something else has to wait for; `None` for another op.
pub fn asynchronous<'c: 'a, 'a>(op: OperationRef<'c, 'a>, builder: Builder<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let of = tile::CopyOp::cast(op)?;
    builder.rewriter.set_insertion_point_before(op);
    let made = begun(of, builder, of.scope()?);
    Some(in_place(op, builder, made))
}

/// Replaces a `tile.copy` by a `tile.copy_async` of each thread that reaches the builder's insertion point; `None` for another op.
pub fn of_thread<'c: 'a, 'a>(op: OperationRef<'c, 'a>, builder: Builder<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let made = begun(tile::CopyOp::cast(op)?, builder, tile::Scope::Thread);
    Some(in_place(op, builder, made))
}

/// A `tile.copy_async` of what a `tile.copy` copies, at the builder's insertion point.
fn begun<'c: 'a, 'a>(of: tile::CopyOp<'c, 'a>, builder: Builder<'c, 'a>, scope: tile::Scope) -> OperationRef<'c, 'a> {
    let [src_offsets, dst_offsets] = [of.src_offsets().collect::<Vec<_>>(), of.dst_offsets().collect::<Vec<_>>()];
    let (src, dst) = ((of.src_static(), of.src_sizes()), (of.dst_static(), of.dst_sizes()));
    let here = Builder { location: of.operation().location(), ..builder };
    let made = tile::copy_async(
        here,
        of.src(),
        &src_offsets,
        of.dst(),
        &dst_offsets,
        &[],
        &[],
        &[],
        &src.0,
        &src.1,
        &dst.0,
        &dst.1,
        scope,
    );
    made.filler(of.filler()).build().operation()
}

/// Replaces a `tile.prefetch` by one that goes through tensor maps; `None` for one without a scope.
pub fn prefetch_again<'c: 'a, 'a>(
    of: tile::PrefetchOp<'c, 'a>,
    builder: Builder<'c, 'a>,
    maps: &[Value<'c, 'a>],
) -> Option<OperationRef<'c, 'a>> {
    let (op, offsets, rows) = (of.operation(), of.src_offsets().collect::<Vec<_>>(), of.rows().collect::<Vec<_>>());
    builder.rewriter.set_insertion_point_before(op);
    let here = Builder { location: op.location(), ..builder };
    let made = tile::prefetch(here, of.src(), &offsets, maps, &rows, &of.src_static(), &of.src_sizes(), of.scope()?);
    Some(in_place(op, builder, made.build().operation()))
}

/// Gives an op the attributes of the one in whose place it is, which is erased.
fn in_place<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: Builder<'c, 'a>,
    made: OperationRef<'c, 'a>,
) -> OperationRef<'c, 'a> {
    for (name, attribute) in op.attributes().collect::<Vec<_>>() {
        let name = name.as_string_ref();
        if let Some(name) = name.as_str().ok().filter(|name| !made.has_attribute(name)) {
            builder.rewriter.set_attribute(made, name, attribute);
        }
    }
    builder.rewriter.erase(op);
    made
}
