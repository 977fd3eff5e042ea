//! Splits a copy into parts: where a region is not a list of iters, parts of it may be.

use tile_layout::{Fusion, Layout, LayoutError, Range};

use crate::problem::Problem;
use crate::problem::operands::Operand;
use crate::problem::role::Role;
use crate::problem::run_time::Begin;

/// The most parts that a copy is cut into.
const MAX_PIECES: usize = 8;

/// The copy as several copies whose regions are all lists of iters, in the order of the region; `None` where the copy
/// is masked, a region is refused for another reason, or a dimension to be cut starts at a run-time value.
///
/// A dimension is cut at the boundaries of its slower iters, the slowest first:
///
/// ```text
///   rows 13 to 48 of (4, 16) : (…)      13 … 15 | 16 … 47 | 48        3, 2 * 16 and 1 rows
///   rows 0 to 35 of (6, 8) : (…)        0 … 31 | 32 … 35              4 * 8 and 4 rows
/// ```
pub(crate) fn pieces(problem: &Problem) -> Option<Vec<Problem>> {
    if problem.mask.is_some() {
        return None;
    }
    let mut waiting = vec![problem.clone()];
    let mut even = Vec::new();
    while let Some(next) = waiting.pop() {
        if waiting.len() + even.len() >= MAX_PIECES {
            return None;
        }
        let cut = next.operands.iter().find_map(|(role, operand)| Some((role, uneven(operand)?)));
        let Some((role, dim)) = cut else {
            even.push(next);
            continue;
        };
        let parts = cut_dimension(&next, role, dim)?;
        waiting.extend(parts.into_iter().rev());
    }
    (even.len() > 1).then_some(even)
}

/// The dimension in which a region is not a list of iters, with run-time starts taken as 0.
fn uneven(operand: &Operand) -> Option<usize> {
    let ranges: Vec<Range> = operand
        .begin
        .iter()
        .zip(&operand.extent)
        .zip(&operand.shape)
        .map(|((begin, &extent), &limit)| match begin {
            Begin::Const(begin) => Range::new(*begin, extent),
            // The start does not matter here: a run-time value moves by whole iters, or the copy is refused.
            Begin::Dynamic { .. } => Range::new(0, extent.min(limit)),
        })
        .collect();
    match operand.layout.slice(&operand.shape, &ranges) {
        Err(LayoutError::NotSliceable { dim, .. }) => Some(dim),
        _ => None,
    }
}

/// The copy with one dimension of an operand, and the matching one of the other operand, cut at boundaries of iters.
fn cut_dimension(problem: &Problem, role: Role, dim: usize) -> Option<Vec<Problem>> {
    let operand = problem.operands.get(role)?;
    let other = problem.operands.get(role.other())?;
    let other_dim = matching(operand, dim, other)?;
    let Begin::Const(begin) = *operand.begin.get(dim)? else { return None };
    let mut lengths = Vec::new();
    cut_range(&boundaries(operand, dim)?, begin, begin.checked_add(operand.extent[dim])?, &mut lengths);
    if lengths.len() < 2 {
        return None;
    }
    let mut start = 0;
    let part = |length: i64| {
        let mut part = problem.clone();
        narrow(part.operands.get_mut(role)?, dim, start, length)?;
        narrow(part.operands.get_mut(role.other())?, other_dim, start, length)?;
        start += length;
        Some(part)
    };
    lengths.into_iter().map(part).collect()
}

/// The dimension of `other` that matches dimension `dim` of `operand`, not counting extents of 1.
fn matching(operand: &Operand, dim: usize, other: &Operand) -> Option<usize> {
    let before = operand.extent[..dim].iter().filter(|&&extent| extent != 1).count();
    other.extent.iter().enumerate().filter(|(_, extent)| **extent != 1).nth(before).map(|(dim, _)| dim)
}

/// Narrows the region in one dimension to `length` positions from `start` on.
fn narrow(operand: &mut Operand, dim: usize, start: i64, length: i64) -> Option<()> {
    operand.begin[dim] = match operand.begin[dim] {
        Begin::Const(begin) => Begin::Const(begin.checked_add(start)?),
        Begin::Dynamic { .. } => return None,
    };
    operand.extent[dim] = length;
    Some(())
}

/// For each iter of a dimension except the fastest, slowest first, the number of positions per step: cuts are at
/// multiples of these.
fn boundaries(operand: &Operand, dim: usize) -> Option<Vec<i64>> {
    let (grouped, seps) = operand.layout.canonicalize(Fusion::None).group(&operand.shape).ok()?;
    let block = grouped.shard.get(*seps.get(dim)?..*seps.get(dim + 1)?)?;
    let iters = Layout::new(block).canonicalize(Fusion::None).shard;
    let mut inside = 1i64;
    let mut bounds: Vec<i64> = Vec::new();
    for iter in iters.iter().skip(1).rev() {
        inside = inside.checked_mul(iter.extent)?;
        bounds.push(inside);
    }
    bounds.reverse();
    Some(bounds)
}

/// Appends the lengths of the parts of `begin..end`, cut at the first and the last multiple of the first boundary that
/// has a multiple inside, and recursively at finer boundaries.
fn cut_range(boundaries: &[i64], begin: i64, end: i64, lengths: &mut Vec<i64>) {
    let Some((&boundary, finer)) = boundaries.split_first() else {
        lengths.push(end - begin);
        return;
    };
    let (first, last) = ((begin + boundary - 1) / boundary * boundary, end / boundary * boundary);
    if first > last || (first == last && (first == begin || last == end)) {
        return cut_range(finer, begin, end, lengths);
    }
    if begin < first {
        cut_range(finer, begin, first, lengths);
    }
    if first < last {
        lengths.push(last - first);
    }
    if last < end {
        cut_range(finer, last, end, lengths);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(boundaries: &[i64], begin: i64, end: i64) -> Vec<i64> {
        let mut lengths = Vec::new();
        cut_range(boundaries, begin, end, &mut lengths);
        lengths
    }

    #[test]
    fn cuts_where_slower_iters_begin() {
        assert_eq!(cut(&[8], 0, 36), [32, 4]);
        assert_eq!(cut(&[16], 13, 49), [3, 32, 1]);
        assert_eq!(cut(&[6], 2, 38), [4, 30, 2]);
        assert_eq!(cut(&[16], 13, 21), [3, 5]);
        assert_eq!(cut(&[16], 16, 32), [16]);
        assert_eq!(cut(&[16], 3, 9), [6]);
        assert_eq!(cut(&[32, 4], 6, 71), [2, 24, 32, 4, 3]);
        assert_eq!(cut(&[], 3, 9), [6]);
    }
}
