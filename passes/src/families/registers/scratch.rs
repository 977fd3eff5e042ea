//! A copy through shared memory, as two copies and the barriers around them.
//!
//! ```mlir
//!   tile.copy %r to %q scope(warp)
//!     ──▶   %s = tile.alloc : !tile.buffer<4x32x32xf32, shared, …>      a tile for each warp
//!           tile.copy %r to %s[%warp, 0, 0] [1, 32, 32] scope(warp)
//!           nvvm.bar.warp.sync
//!           tile.copy %s[%warp, 0, 0] [1, 32, 32] to %q scope(warp)
//!           nvvm.bar.warp.sync                                          before the tile is written again
//! ```

use melior::ir::{OperationRef, Value};
use tile_dialect::memref::DYNAMIC;
use tile_dialect::ops::{CopyOp, Scope};
use tile_dialect::{BufferType, LayoutAttr, Space};
use tile_isa::WARPGROUP;
use tile_ops::gpu::Dimension;
use tile_ops::{Builder, arith, constant, gpu, nvvm, tile};
use tile_plan::ScratchCopy;

use crate::emit::Kit;
use crate::read::divisibility::block;
use crate::read::kernel;

/// The first of the named barriers of warpgroups; a block has eight at most.
const FIRST_BARRIER: i64 = 8;

/// One side of one of the copies: the buffer, the start of the region, and its extents.
struct End<'c, 'a> {
    buffer: Value<'c, 'a>,
    offsets: Vec<Value<'c, 'a>>,
    begins: Vec<i64>,
    extents: Vec<i64>,
}

/// Makes the ops and returns the last.
pub(super) fn build<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &ScratchCopy,
) -> Option<OperationRef<'c, 'a>> {
    let (src, dst) = (copy.src()?, copy.dst()?);
    let [src_begins, src_extents, dst_begins, dst_extents] = copy.regions();
    let [from_offsets, to_offsets] = copy.offsets();
    let from = End { buffer: src.value, offsets: from_offsets, begins: src_begins, extents: src_extents };
    let to = End { buffer: dst.value, offsets: to_offsets, begins: dst_begins, extents: dst_extents };
    let element = if plan.converts_first { dst.buffer.element() } else { src.buffer.element() };
    let layout = LayoutAttr::new(builder.location, &plan.layout)?;
    let buffer = BufferType::new(builder.location, &plan.buffer_shape(), element, Space::Shared, layout)?;
    let number = (plan.instances > 1).then(|| number(builder, copy)).flatten();
    if plan.instances > 1 && number.is_none() {
        return None;
    }
    let alloc = tile::alloc(builder, buffer.as_type()).value();
    let tile = || End {
        buffer: alloc,
        offsets: number.into_iter().collect(),
        begins: number.map(|_| DYNAMIC).into_iter().chain(plan.shape.iter().map(|_| 0)).collect(),
        extents: number.map(|_| 1).into_iter().chain(plan.shape.iter().copied()).collect(),
    };
    let word = copy.convert();
    half(builder, copy, (&from, &tile()), word.as_deref().filter(|_| plan.converts_first));
    barrier(builder, copy, number);
    half(builder, copy, (&tile(), &to), word.as_deref().filter(|_| !plan.converts_first));
    Some(barrier(builder, copy, number))
}

fn half<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    (from, to): (&End<'c, 'a>, &End<'c, 'a>),
    convert: Option<&str>,
) {
    tile::copy(
        builder,
        from.buffer,
        &from.offsets,
        to.buffer,
        &to.offsets,
        &from.begins,
        &from.extents,
        &to.begins,
        &to.extents,
        copy.scope(),
    )
    .convert(convert)
    .build();
}

/// The index of the scope's instance in its block, the same for all of the instance's threads.
fn number<'c: 'a, 'a>(builder: Builder<'c, 'a>, copy: CopyOp<'c, 'a>) -> Option<Value<'c, 'a>> {
    let [width, height, depth] = block::size(kernel::function(copy.0)?).ok()??;
    let thread = |dimension| gpu::thread_id(builder, dimension).value();
    let times = |value, factor| arith::muli(builder, value, constant::index(builder, factor)).value();
    let mut linear = thread(Dimension::X);
    for (dimension, extent, stride) in [(Dimension::Y, height, width), (Dimension::Z, depth, width * height)] {
        if extent > 1 {
            linear = arith::addi(builder, linear, times(thread(dimension), stride)).value();
        }
    }
    let threads = if copy.scope() == Scope::Warp { tile_isa::WARP } else { WARPGROUP };
    let number = arith::divui(builder, linear, constant::index(builder, threads)).value();
    Some(tile::assume(builder, number).uniform(copy.scope()).value())
}

/// A barrier of all threads of the scope. A block of several warpgroups has a named barrier for each.
fn barrier<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    number: Option<Value<'c, 'a>>,
) -> OperationRef<'c, 'a> {
    let kit = Kit::new(builder);
    match (copy.scope(), number) {
        (Scope::Warp, _) => nvvm::bar_warp_sync(builder, kit.i32(-1)).build().operation(),
        (Scope::Warpgroup, Some(number)) => {
            let number = arith::index_cast(builder, number, kit.int_type(32)).value();
            let barrier = arith::addi(builder, number, kit.i32(FIRST_BARRIER)).value();
            let op = nvvm::barrier(builder).barrier_id(barrier).number_of_threads(kit.i32(WARPGROUP));
            op.build().operation()
        }
        _ => gpu::barrier(builder).build().operation(),
    }
}
