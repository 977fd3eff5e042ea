//! Scopes at run time: which of a block's warps or warpgroups a thread is in, and their barriers.

use melior::ir::{OperationRef, Value};
use tile_dialect::ops::Scope;
use tile_isa::WARPGROUP;
use tile_ops::gpu::Dimension;
use tile_ops::{Builder, arith, constant, gpu, nvvm, tile};

use super::Kit;
use crate::read::divisibility::block;
use crate::read::kernel;

/// The first of the named barriers of warpgroups; a block has eight at most.
const FIRST_BARRIER: i64 = 8;

/// The index of the scope's instance in its block, the same for all of the instance's threads.
pub fn scope_number<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    scope: Scope,
) -> Option<Value<'c, 'a>> {
    let [width, height, depth] = block::size(kernel::function(op)?).ok()??;
    let thread = |dimension| gpu::thread_id(builder, dimension).value();
    let times = |value, factor| arith::muli(builder, value, constant::index(builder, factor)).value();
    let mut linear = thread(Dimension::X);
    for (dimension, extent, stride) in [(Dimension::Y, height, width), (Dimension::Z, depth, width * height)] {
        if extent > 1 {
            linear = arith::addi(builder, linear, times(thread(dimension), stride)).value();
        }
    }
    let threads = if scope == Scope::Warp { tile_isa::WARP } else { WARPGROUP };
    let number = arith::divui(builder, linear, constant::index(builder, threads)).value();
    Some(tile::assume(builder, number).uniform(scope).value())
}

/// A barrier of all threads of the scope. A block of several warpgroups has a named barrier for each.
pub fn scope_barrier<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    scope: Scope,
    number: Option<Value<'c, 'a>>,
) -> OperationRef<'c, 'a> {
    let kit = Kit::new(builder);
    match (scope, number) {
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
