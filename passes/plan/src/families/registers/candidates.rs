//! Candidate layouts of a scratch tile in shared memory.

use std::cmp::Reverse;

use tile_layout::{Axis, Iter, Layout, Swizzle};

use crate::families::composite::walked_shape;
use crate::problem::operands::Operand;
use crate::problem::role::Role;
use crate::sides::chain::on_threads;
use crate::sides::order::{Pair, refine};
use crate::sides::region::moved_region;

/// Padding between rows, in bytes, that spreads rows over banks; padding of `n` bytes keeps vectors of `n` bytes
/// aligned.
const PADS: [i64; 4] = [0, 4, 8, 16];

/// Bytes of a line, one word of each bank.
const LINE: i64 = 128;

/// The candidate layouts for a tile of the copy's region with elements of `bytes` bytes, those that take the least
/// memory first.
///
/// | order | fastest positions |
/// | --- | --- |
/// | row-major over the region | its last dimension |
/// | as the destination holds it | the registers of a thread there: wide loads |
/// | as the source holds it | the registers of a thread there: wide stores |
pub(super) fn candidates(src: &Operand, dst: &Operand, bytes: i64) -> Vec<Layout> {
    let shape = walked_shape(dst);
    let mut layouts = Vec::new();
    let plain = Layout::row_major(&shape);
    let row = shape.last().copied().unwrap_or(1);
    variations(&plain, row, bytes, &mut layouts);
    if let Some(pairs) = common(src, dst).filter(|pairs| !pairs.is_empty()) {
        for role in [Role::Dst, Role::Src] {
            let (layout, row) = held_together(&pairs, role);
            variations(&layout, row, bytes, &mut layouts);
        }
    }
    layouts.sort_by_key(|layout| layout.memory_span());
    layouts.dedup();
    layouts
}

/// The common iters of both regions, in the order of the region.
fn common(src: &Operand, dst: &Operand) -> Option<Vec<Pair>> {
    let (src, _) = moved_region(src, Role::Src).ok()?;
    let (dst, _) = moved_region(dst, Role::Dst).ok()?;
    refine(&dst.shard, &src.shard)
}

/// A dense layout in which the elements that a thread of one side holds are contiguous, and the length of that row.
fn held_together(pairs: &[Pair], role: Role) -> (Layout, i64) {
    let place = |pair: &Pair| match role {
        Role::Dst => Iter::new(pair.extent, pair.lead, pair.axis),
        Role::Src => Iter::new(pair.extent, pair.follow, pair.follow_axis),
    };
    let key = |digit: usize| {
        let iter = place(&pairs[digit]);
        let stride = on_threads(iter).map_or(iter.stride, |on| on.stride);
        (iter.axis != Axis::Memory, stride.saturating_abs(), Reverse(digit))
    };
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by_key(|&digit| key(digit));
    let mut strides = vec![1; pairs.len()];
    let (mut next, mut row) = (1i64, 1i64);
    for digit in order {
        strides[digit] = next;
        next = next.saturating_mul(pairs[digit].extent);
        if place(&pairs[digit]).axis == Axis::Memory {
            row = next;
        }
    }
    let iters: Vec<Iter> = pairs.iter().zip(strides).map(|(pair, stride)| Iter::memory(pair.extent, stride)).collect();
    (Layout::new(iters), row)
}

/// Adds a dense layout, the same with padded rows, and the same under swizzles.
fn variations(dense: &Layout, row: i64, bytes: i64, layouts: &mut Vec<Layout>) {
    for pad in PADS {
        if pad % bytes == 0 {
            layouts.push(padded(dense, row, pad / bytes));
        }
    }
    for chunk in [4, 8, 16].into_iter().filter(|chunk| chunk % bytes == 0) {
        let bits = (LINE / chunk).ilog2();
        // The swizzle permutes chunks by the number of their line, or by the number of their group of four lines.
        for distance in [bits, bits + 2] {
            if let Ok(swizzle) = Swizzle::new((chunk / bytes).ilog2(), bits, distance, true) {
                layouts.push(dense.clone().with_swizzle(swizzle));
            }
        }
    }
}

/// The layout with rows `more` elements further apart.
fn padded(dense: &Layout, row: i64, more: i64) -> Layout {
    let iters = dense.shard.iter().map(|iter| {
        let stride = if iter.stride < row { iter.stride } else { iter.stride / row * (row + more) };
        Iter { stride, ..*iter }
    });
    Layout::new(iters.collect::<Vec<_>>())
}
