//! Rows that threads hold: in global memory runs of several vectors, dense or apart, aligned or not.

use tile_layout::{Iter, Layout, Range};
use tile_plan::Space;

use super::rng::Rng;
use super::{Threads, around};
use crate::case::{Element, Side};

/// Most elements of a row; each is a line of the program.
const MOST: i64 = 32;

/// Is a copy between these made of rows? Half of those between global memory and registers are.
pub(super) fn taken(rng: &mut Rng, spaces: (Space, Space), forced: Option<&str>) -> bool {
    let fits = matches!(spaces, (Space::Global, Space::Local) | (Space::Local, Space::Global));
    fits && forced.is_none() && rng.below(2) == 0
}

/// Source and destination of a copy between global memory and registers, a row for each thread or several that hold
/// the same.
pub(super) fn sides(rng: &mut Rng, element: Element, spaces: (Space, Space), threads: Threads) -> (Side, Side) {
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
