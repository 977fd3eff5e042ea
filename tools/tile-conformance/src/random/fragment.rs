//! Fragments of 16-bit elements as tensor cores use them, which `ldmatrix` and `stmatrix` move.
//!
//! ```text
//!   8 rows      ×  4 lanes × 2 elements of a row     one 8x8 matrix: lane 4 r + c holds (r, 2c) and (r, 2c + 1)
//!   more rows   →  registers, or warps
//!   more columns → registers, or warps
//! ```
//!
//! Also rows that threads hold: in global memory, runs of several vectors, dense or with gaps, aligned or not.

use tile_isa::Space;
use tile_layout::{Axis, Iter, Layout, Range, Swizzle};

use super::draw::Rng;
use super::{Threads, around};
use crate::case::{Element, Side};

/// Rows and columns of a fragment, with the layout over threads. Transposed, rows and columns are exchanged.
pub(super) struct Fragment {
    pub(super) shape: Vec<i64>,
    pub(super) layout: Layout,
}

/// A fragment of 1 to 16 matrices a warp, for `threads` threads on `axis`.
pub(super) fn registers(rng: &mut Rng, (axis, threads): (Axis, i64)) -> Fragment {
    let (down, across) = (*rng.one_of(&[1, 1, 2, 2, 3, 4]), *rng.one_of(&[1, 1, 2, 2, 4]));
    let warps = threads / 32;
    // The registers of a row of matrices, or of a column of them, are contiguous.
    let (down_stride, across_stride) = if rng.below(2) == 0 { (2 * across, 2) } else { (2, 2 * down) };
    let mut rows = vec![Iter::memory(down, down_stride), Iter::new(8, 4, axis)];
    let mut columns = vec![Iter::memory(across, across_stride), Iter::new(4, 1, axis), Iter::memory(2, 1)];
    if warps > 1 {
        let split = Iter::new(warps, 32, axis);
        if rng.below(3) == 0 { columns.insert(0, split) } else { rows.insert(0, split) }
    }
    let size = |iters: &[Iter]| iters.iter().map(|iter| iter.extent).product::<i64>();
    let (height, width) = (size(&rows), size(&columns));
    let kept = |iters: Vec<Iter>| iters.into_iter().filter(|iter| iter.extent != 1).collect::<Vec<_>>();
    let (rows, columns) = (kept(rows), kept(columns));
    if rng.below(3) == 0 {
        return Fragment { shape: vec![width, height], layout: Layout::new([columns, rows].concat()) };
    }
    Fragment { shape: vec![height, width], layout: Layout::new([rows, columns].concat()) }
}

/// Shared memory in which eight elements of a row, or of a column, are contiguous; occasionally padded or swizzled.
pub(super) fn memory(rng: &mut Rng, shape: &[i64]) -> Layout {
    let along = if rng.below(3) == 0 { 0 } else { 1 };
    let pitch = shape[along] + *rng.one_of(&[0, 0, 8, 16, 24, 4]);
    let strides = if along == 1 { [pitch, 1] } else { [1, pitch] };
    let layout = Layout::new([Iter::memory(shape[0], strides[0]), Iter::memory(shape[1], strides[1])]);
    let layout = match rng.below(6) {
        0 => layout.with_offset(Axis::Memory, *rng.one_of(&[8, 16, 64, 4])),
        _ => layout,
    };
    match Swizzle::new(3, rng.below(4) as u32, 3, true) {
        Ok(swizzle) if rng.below(2) == 0 => layout.with_swizzle(swizzle),
        _ => layout,
    }
}

/// Most elements of a row; each is a line of the program.
const MOST: i64 = 32;

/// Whether a copy between these memories consists of rows. Half of those between global memory and registers do.
pub(super) fn has_rows(rng: &mut Rng, spaces: (Space, Space), forced: Option<&str>) -> bool {
    let fits = matches!(spaces, (Space::Global, Space::Local) | (Space::Local, Space::Global));
    fits && forced.is_none() && rng.below(2) == 0
}

/// Source and destination of a copy between global memory and registers, a row for each thread or several that hold
/// the same.
pub(super) fn rows(rng: &mut Rng, element: Element, spaces: (Space, Space), threads: Threads) -> (Side, Side) {
    let (axis, count) = threads.axis();
    let vector = 128 / i64::from(element.bits);
    let most = (MOST / vector) as u64;
    let row = vector << rng.below(u64::from(most.ilog2()) + 1);
    let same = *rng.one_of(&[1, 1, 4, 2, 4, 16]);
    let same = if count % same == 0 { same } else { 1 };
    let rows = count / same;
    let outer = rng.below(2) == 0;
    let (step, copies) = if outer { (1, rows) } else { (same, 1) };
    let mut layout = Layout::new([Iter::new(rows, step, axis), Iter::memory(row, 1)]);
    if same > 1 {
        layout = layout.with_replica([Iter::new(same, copies, axis)]);
    }
    let begin = *rng.one_of(&[0, 0, 1, 2, 8]) * vector;
    let pitch = begin + row + *rng.one_of(&[0, 0, 1, 2, 8]) * vector;
    let mut side = |space, width, begin, layout| {
        let region = vec![Range::new(0, rows), Range::new(begin, row)];
        let begins = if space == Space::Local { Vec::new() } else { around::begins(rng, space, &region) };
        Side { space, element, shape: vec![rows, width], region, begins, open: Vec::new(), layout }
    };
    let near = side(Space::Local, row, 0, layout);
    let far = side(Space::Global, pitch, begin, Layout::row_major(&[rows, pitch]));
    if spaces.0 == Space::Local { (near, far) } else { (far, near) }
}
