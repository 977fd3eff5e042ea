//! Cuts rows that begin or end within a vector into an aligned body and its rims.
//!
//! ```text
//!   a halo of 18 rows, 66 f32 each from column 64 i - 1 on         63 | 64 … 127 | 128
//!     as one   (18, 66) : (n, 1)     256 threads: 5 rounds of 32 bits
//!     body     (18, 64) : (n, 1)                  2 rounds of 128 bits
//!     rims     (18, 2)  : (n, 65)                 1 round of 32 bits
//! ```
//!
//! Both sides have to be cut at the same elements: a shared tile's rows begin where the halo does, three elements into the
//! first vector of a row of 72, so that its bodies are aligned, too.
//!
//! One thread's elements follow each other, and LLVM merges them by itself: of 3 bytes at the end of a buffer it would make a load
//! of 4, which reads beyond it.

use tile_isa::Space;
use tile_layout::{Axis, Iter, Layout};

use crate::families::vector::accesses::accesses;
use crate::families::vector::obstacles::obstacle;
use crate::families::vector::plan::MatchedCopy;
use crate::problem::mask::{Coordinate, Mask, MaskLimit};
use crate::problem::role::Role;
use crate::sides::side::Side;
use crate::target::Target;

/// The copy as a body of whole vectors and the rims beside it, in vectors of at most `max_bits`; `None` where threads take no
/// fewer accesses then, or the order of its elements is not that of rows.
pub(super) fn with_rims(copy: &MatchedCopy, target: &Target, max_bits: u32) -> Option<Vec<MatchedCopy>> {
    let row = row(copy)?;
    let lead = [Role::Src, Role::Dst].into_iter().find(|&role| copy.side(role).space == Space::Global)?;
    let widths = copy.transfer.widths().iter().filter(|&&bits| bits <= max_bits);
    let vectors = widths.map(|bits| i64::from(bits / copy.widest_element())).filter(|&vector| vector > 1);
    let (vector, body, parts) = vectors.into_iter().find_map(|vector| {
        let head = (-phase(copy.side(lead), vector)).rem_euclid(vector);
        let body = (row - head).max(0) / vector * vector;
        let parts = (body != 0 && body != row).then(|| cut(copy, head, body, row))??;
        obstacle(&parts[0], vector).is_none().then_some((vector, body, parts))
    })?;
    debug_assert!(body % vector == 0, "a body of whole vectors");
    let all = parts.iter().map(|part| accesses(part, target, max_bits).map(|(count, _)| count)).sum::<Option<i64>>()?;
    (all < accesses(copy, target, max_bits)?.0).then_some(parts)
}

/// The elements of a row: the extent of the last iter, where it counts elements that follow each other on all sides.
fn row(copy: &MatchedCopy) -> Option<i64> {
    let last = |side: &Side| side.layout.shard.iter().rev().find(|iter| iter.extent != 1).copied();
    let is_row = |iter: &Iter| iter.axis == Axis::Memory && iter.stride == 1;
    let row = last(&copy.dst).filter(is_row)?.extent;
    let is_same = |side: &Side| last(side).filter(is_row).is_some_and(|iter| iter.extent == row);
    let in_mask = |mask: &Mask| mask.digits.iter().rev().find(|digit| digit.extent != 1).map(|digit| digit.extent);
    let is_cut = copy.threads > 1
        && copy.thread_iters == 0
        && copy.forced_bits.is_none()
        && copy.src.as_ref().is_none_or(is_same)
        && copy.mask.as_ref().is_none_or(|mask| in_mask(mask) == Some(row));
    is_cut.then_some(row)
}

/// What is known of the first element's address modulo a vector, in elements, taking what is not known for 0.
fn phase(side: &Side, vector: i64) -> i64 {
    let terms = side.dynamic.iter().filter(|term| term.axis == Axis::Memory);
    let of_terms = terms.map(|term| term.residue.wrapping_mul(term.stride).rem_euclid(vector)).sum::<i64>();
    (side.layout.offset_on(Axis::Memory).rem_euclid(vector) + of_terms).rem_euclid(vector)
}

/// The body of `body` elements from element `head` of each row on, then its rims: one part of both where they are equally
/// long.
fn cut(copy: &MatchedCopy, head: i64, body: i64, row: i64) -> Option<Vec<MatchedCopy>> {
    let tail = row - head - body;
    let run = |extent| RowRun { extent, step: 1 };
    let between = RowRun { extent: 2, step: head + body };
    let mut parts = vec![part(copy, head, &[run(body)])?];
    if head == tail {
        parts.push(part(copy, 0, &[between, run(head)])?);
    } else {
        for (start, length) in [(0, head), (head + body, tail)].into_iter().filter(|(_, length)| *length != 0) {
            parts.push(part(copy, start, &[run(length)])?);
        }
    }
    Some(parts)
}

/// Elements of a row, at equal steps.
#[derive(Clone, Copy)]
struct RowRun {
    extent: i64,
    step: i64,
}

/// The elements of each row that the runs count, from element `start` on.
fn part(copy: &MatchedCopy, start: i64, runs: &[RowRun]) -> Option<MatchedCopy> {
    let side = |side: &Side| -> Option<Side> {
        let mut layout = Layout { shard: long(&side.layout.shard, |iter| iter.extent), ..side.layout.clone() };
        let last = layout.shard.pop()?;
        layout.shard.extend(runs.iter().map(|run| Iter { extent: run.extent, stride: run.step, ..last }));
        let offset = layout.offset_on(Axis::Memory).checked_add(start)?;
        layout.offset.insert(Axis::Memory, offset);
        Some(Side { layout, ..side.clone() })
    };
    let src = match &copy.src {
        Some(src) => Some(side(src)?),
        None => None,
    };
    let mask = match &copy.mask {
        Some(mask) => Some(masked(mask, start, runs)?),
        None => None,
    };
    Some(MatchedCopy { src, dst: side(&copy.dst)?, mask, ..copy.clone() })
}

/// The same for the mask, whose last digit counts the elements of a row.
fn masked(mask: &Mask, start: i64, runs: &[RowRun]) -> Option<Mask> {
    let mut digits = long(&mask.digits, |digit| digit.extent);
    let last = digits.pop()?;
    let digit = |run: &RowRun| Some(Coordinate { extent: run.extent, step: last.step.checked_mul(run.step)?, ..last });
    digits.extend(runs.iter().map(digit).collect::<Option<Vec<_>>>()?);
    let moved = last.step.checked_mul(start)?;
    let limit = |limit: &MaskLimit| {
        let is_moved = limit.dimension == Some(last.dimension);
        Some(MaskLimit { offset: limit.offset.checked_add(if is_moved { moved } else { 0 })?, ..*limit })
    };
    let limits = mask.limits.iter().map(limit).collect::<Option<Vec<_>>>()?;
    Some(Mask { digits, limits, ..mask.clone() })
}

/// Those that count more than one position.
fn long<T: Copy>(digits: &[T], extent: impl Fn(&T) -> i64) -> Vec<T> {
    digits.iter().filter(|digit| extent(digit) != 1).copied().collect()
}
