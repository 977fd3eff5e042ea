//! Asynchronous copies made again with other operands, or of others.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::memref::DYNAMIC;
use tile_ops::{Builder, Draft, arith, constant, tile};

/// A region of a buffer, as ops state it.
pub struct CopyRegion<'c, 'a> {
    /// The offsets that are values.
    pub offsets: Vec<Value<'c, 'a>>,
    /// The offset in each dimension; [`DYNAMIC`] for a value.
    pub begins: Vec<i64>,
    /// The extent in each dimension.
    pub sizes: Vec<i64>,
}

impl<'c: 'a, 'a> CopyRegion<'c, 'a> {
    /// The region, which is all of the buffer where the op states none.
    fn of(buffer: Value<'c, 'a>, offsets: Vec<Value<'c, 'a>>, begins: Vec<i64>, sizes: Vec<i64>) -> Self {
        match BufferType::from_type(buffer.r#type()).filter(|_| sizes.is_empty()) {
            Some(whole) => CopyRegion { offsets, begins: vec![0; whole.shape().len()], sizes: whole.shape().to_vec() },
            None => CopyRegion { offsets, begins, sizes },
        }
    }

    /// Moves the region by a number of elements.
    pub fn moves(&mut self, dimension: usize, by: Value<'c, 'a>, builder: Builder<'c, 'a>) {
        let at = self.begins[..dimension].iter().filter(|&&begin| begin == DYNAMIC).count();
        match std::mem::replace(&mut self.begins[dimension], DYNAMIC) {
            DYNAMIC => self.offsets[at] = arith::addi(builder, self.offsets[at], by).value(),
            0 => self.offsets.insert(at, by),
            begin => {
                let moved = arith::addi(builder, by, constant::index(builder, begin)).value();
                self.offsets.insert(at, moved);
            }
        }
    }
}

/// The regions of an asynchronous copy.
pub struct CopyRegions<'c, 'a> {
    /// What is read.
    pub src: CopyRegion<'c, 'a>,
    /// What is written.
    pub dst: CopyRegion<'c, 'a>,
}

impl<'c: 'a, 'a> CopyRegions<'c, 'a> {
    /// The regions of a copy.
    pub fn of(copy: tile::CopyAsyncOp<'c, 'a>) -> Self {
        CopyRegions {
            src: CopyRegion::of(copy.src(), copy.src_offsets().collect(), copy.src_static(), copy.src_sizes()),
            dst: CopyRegion::of(copy.dst(), copy.dst_offsets().collect(), copy.dst_static(), copy.dst_sizes()),
        }
    }
}

/// Replaces a `tile.copy_async` by one that another mbarrier completes, or that goes through other tensor maps; `None` for
/// another op.
pub fn again<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: Builder<'c, 'a>,
    barrier: Option<Value<'c, 'a>>,
    maps: &[Value<'c, 'a>],
) -> Option<OperationRef<'c, 'a>> {
    let copy = tile::CopyAsyncOp::cast(op)?;
    builder.rewriter.set_insertion_point_before(op);
    let made =
        made(copy, &CopyRegions::of(copy), builder, barrier, maps)?.cta_mask(copy.cta_mask()).build().operation();
    Some(in_place(op, builder, made))
}

/// A copy as another one, of other regions and with another mbarrier and other maps, at the builder's insertion point; not to several
/// blocks.
pub fn made<'c: 'a, 'a>(
    copy: tile::CopyAsyncOp<'c, 'a>,
    CopyRegions { src, dst }: &CopyRegions<'c, 'a>,
    builder: Builder<'c, 'a>,
    barrier: Option<Value<'c, 'a>>,
    maps: &[Value<'c, 'a>],
) -> Option<Draft<'c, 'a, tile::CopyAsyncOp<'c, 'a>>> {
    let made = tile::copy_async(
        Builder { location: copy.operation().location(), ..builder },
        copy.src(),
        &src.offsets,
        copy.dst(),
        &dst.offsets,
        maps,
        &copy.rows().collect::<Vec<_>>(),
        &copy.filter().collect::<Vec<_>>(),
        &src.begins,
        &src.sizes,
        &dst.begins,
        &dst.sizes,
        copy.scope()?,
    );
    let made = made.barrier(barrier).filler(copy.filler()).constant(copy.constant());
    let made = made.predicate(copy.predicate()).remote_cta(copy.remote_cta());
    Some(made.until(copy.until()))
}

/// Replaces a `tile.copy` by a `tile.copy_async`, which something else has to wait for; `None` for another op.
pub fn asynchronous<'c: 'a, 'a>(op: OperationRef<'c, 'a>, builder: Builder<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let copy = tile::CopyOp::cast(op)?;
    builder.rewriter.set_insertion_point_before(op);
    let made = begun(copy, builder, copy.scope()?);
    Some(in_place(op, builder, made))
}

/// Replaces a `tile.copy` by a `tile.copy_async` of each thread that reaches the builder's insertion point; `None` for another op.
pub fn of_thread<'c: 'a, 'a>(op: OperationRef<'c, 'a>, builder: Builder<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let made = begun(tile::CopyOp::cast(op)?, builder, tile::Scope::Thread);
    Some(in_place(op, builder, made))
}

/// A `tile.copy_async` of what a `tile.copy` copies, at the builder's insertion point.
fn begun<'c: 'a, 'a>(copy: tile::CopyOp<'c, 'a>, builder: Builder<'c, 'a>, scope: tile::Scope) -> OperationRef<'c, 'a> {
    let [src_offsets, dst_offsets] = [copy.src_offsets().collect::<Vec<_>>(), copy.dst_offsets().collect::<Vec<_>>()];
    let (src, dst) = ((copy.src_static(), copy.src_sizes()), (copy.dst_static(), copy.dst_sizes()));
    let here = Builder { location: copy.operation().location(), ..builder };
    let made = tile::copy_async(
        here,
        copy.src(),
        &src_offsets,
        copy.dst(),
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
    made.filler(copy.filler()).constant(copy.constant()).build().operation()
}

/// Gives an op the attributes of the one in whose place it is, which is erased.
fn in_place<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: Builder<'c, 'a>,
    made: OperationRef<'c, 'a>,
) -> OperationRef<'c, 'a> {
    let made = alike(op, builder, made);
    builder.rewriter.erase(op);
    made
}

/// Gives an op the attributes that it lacks of another one.
pub fn alike<'c: 'a, 'a>(
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
    made
}
