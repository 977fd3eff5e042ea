//! Scopes at run time: which of a block's warps or warpgroups a thread is in, and their barriers.

use melior::ir::{OperationRef, Value};
use tile_dialect::ops::Scope;
use tile_isa::WARPGROUP;
use tile_ops::gpu::Dimension;
use tile_ops::{Builder, arith, constant, gpu, nvvm, tile};

use super::{Cmp, Kit};
use crate::effects::inherent;
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

/// A barrier of all threads of the scope, which an op of the dialect contains. Of several warpgroups each has a named barrier, whose number is a constant, so that
/// passes that follow order know who meets there.
///
/// `instance` is the number of the thread's scope, and how many scopes there are; `None` where there is one.
pub fn scope_barrier<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    scope: Scope,
    instance: Option<(Value<'c, 'a>, i64)>,
) -> OperationRef<'c, 'a> {
    let kit = Kit::new(builder);
    let mark = |barrier: OperationRef<'c, 'a>| {
        inherent::mark(builder.rewriter, barrier);
        barrier
    };
    let named = |number: i64| {
        let op =
            nvvm::barrier(builder).barrier_id(kit.i32(FIRST_BARRIER + number)).number_of_threads(kit.i32(WARPGROUP));
        mark(op.build().operation())
    };
    match (scope, instance) {
        (Scope::Warp, _) => mark(nvvm::bar_warp_sync(builder, kit.i32(-1)).build().operation()),
        (Scope::Warpgroup, Some((own, count))) => {
            let mut last = None;
            for number in 0..count {
                let is_own = kit.cmp(Cmp::Eq, own, constant::index(builder, number));
                last = Some(kit.when(is_own, |_| {
                    named(number);
                }));
            }
            last.unwrap_or_else(|| named(0))
        }
        _ => mark(gpu::barrier(builder).build().operation()),
    }
}
