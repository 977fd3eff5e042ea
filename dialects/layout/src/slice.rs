//! The part of a layout that a region covers: found from the iters, or from the region's locations, as the list of iters
//! that visits them in order, if there is one.

use std::collections::BTreeMap;

use crate::canonical::fuse_adjacent;
use crate::check::{check_region, product, sum};
use crate::{Axis, Fusion, Iter, Layout, LayoutError, Range};

impl Layout {
    /// The layout of a region: its element (i, j, ..) is this layout's (begin0 + i, begin1 + j, ..) of `shape`.
    ///
    /// The result has one block of iters per dimension, in order; replica and swizzle stay (the swizzle still
    /// applies to the complete address), and the region's start is in the offset.
    ///
    /// ```text
    ///   (64, 64) : (64, 1)  rows 8..24, columns 16..48   ->   (16, 32) : (64, 1) + 528
    /// ```
    ///
    /// A dimension of several iters can be cut at a multiple of its inner iters, inside one iter, or in two equal
    /// halves across the end of one iter; `(4, 16) : (1024, 8)` positions 8..24 are `(2, 8) : (960, 8) + 64`. Other
    /// cuts are tried by enumerating their positions, up to 4096.
    ///
    /// # Errors
    /// [`LayoutError::OutOfBounds`] for a region outside the shape; [`LayoutError::NotSliceable`] when no list of
    /// iters describes it; and the errors of [`Layout::group`].
    pub fn slice(&self, shape: &[i64], region: &[Range]) -> Result<Layout, LayoutError> {
        self.expect_shape(shape)?;
        check_region(shape, region)?;
        let (grouped, seps) = self.canonicalize(Fusion::None).group(shape)?;
        let mut sliced = Layout { shard: Vec::new(), swizzle: self.swizzle, ..grouped.clone() };
        for (dim, (range, ends)) in region.iter().zip(seps.windows(2)).enumerate() {
            let block = fuse_adjacent(grouped.shard.get(ends[0]..ends[1]).unwrap_or_default());
            slice_block(dim, &block, *range, &mut sliced)?;
        }
        sliced.offset.retain(|_, value| *value != 0);
        Ok(sliced)
    }
}

/// Appends one dimension's iters and adds its start to the offset.
///
/// Starting with the fastest iter, whole iters are kept while the region starts at their first position and covers them
/// evenly; the next one, the pivot, holds the remaining positions; the slower ones are fixed at the region's start.
pub(crate) fn slice_block(dim: usize, block: &[Iter], range: Range, sliced: &mut Layout) -> Result<(), LayoutError> {
    let digits = split(block, range.begin);
    for (axis, position) in place(block, range.begin)? {
        let start = sliced.offset.entry(axis).or_default();
        *start = sum(*start, position)?;
    }
    let mut left = range.extent;
    let mut pivot = block.len();
    while let Some(inner) = pivot.checked_sub(1) {
        if digits[inner] != 0 || left % block[inner].extent != 0 {
            break;
        }
        left /= block[inner].extent;
        pivot = inner;
    }
    let kept = &block[pivot..];
    if let Some(pivot) = pivot.checked_sub(1) {
        let cut = cut_pivot(&block[..=pivot], &digits[..=pivot], left)?;
        let iter = block[pivot];
        sliced.shard.extend(cut.ok_or(LayoutError::NotSliceable {
            dim,
            begin: range.begin,
            extent: range.extent,
            iter,
        })?);
    }
    sliced.shard.extend(kept);
    Ok(())
}

/// The most positions that are enumerated where no rule applies.
const ENUMERATED: i64 = 1 << 12;

/// The iters of `left` positions of the last iter of `block` from the given digits on; `None` when no list of iters
/// describes them.
fn cut_pivot(block: &[Iter], digits: &[i64], left: i64) -> Result<Option<Vec<Iter>>, LayoutError> {
    let (Some(pivot), Some(&digit)) = (block.last(), digits.last()) else { return Ok(None) };
    if sum(digit, left)? <= pivot.extent {
        return Ok(Some(vec![Iter::new(left, pivot.stride, pivot.axis)]));
    }
    let begin = block.iter().zip(digits).fold(0, |begin, (iter, digit)| begin * iter.extent + digit);
    let half = left / 2;
    if left % 2 == 0 && sum(digit, half)? == pivot.extent {
        let ends = vec![place(block, begin)?, place(block, begin + half)?];
        let Some(mut cut) = fit(ends, pivot.axis) else { return Ok(None) };
        cut.push(Iter::new(half, pivot.stride, pivot.axis));
        return Ok(Some(cut));
    }
    if left > ENUMERATED {
        return Ok(None);
    }
    let places = (begin..begin + left).map(|position| place(block, position)).collect::<Result<_, _>>()?;
    Ok(fit(places, pivot.axis))
}

/// The location of a position in a block, without the layout's offset.
fn place(block: &[Iter], position: i64) -> Result<Coordinates, LayoutError> {
    let mut place = Coordinates::new();
    for (iter, digit) in block.iter().zip(split(block, position)) {
        let total = place.entry(iter.axis).or_default();
        *total = sum(*total, product(iter.stride, digit)?)?;
    }
    Ok(place)
}

/// The digits of a position in a block; the slowest is not reduced.
fn split(block: &[Iter], position: i64) -> Vec<i64> {
    let mut rest = position;
    let mut digits = vec![0; block.len()];
    for (index, iter) in block.iter().enumerate().rev() {
        digits[index] = if index == 0 { rest } else { rest % iter.extent };
        rest /= iter.extent;
    }
    digits
}

/// A position per axis; 0 on an axis without an entry.
type Coordinates = BTreeMap<Axis, i64>;

/// The iters, slowest first, or `None` when no list of iters visits these locations (or a number overflows).
///
/// The fastest iter must be the longest run of equal steps from the first location on, because joined iters are unique;
/// all further runs must equal it, and their starts must again be described by iters.
///
/// ```text
///   0 9 10 19    step 9, run of 2: 0 9 | 10 19   ->   starts 0 10: step 10   ->   (2, 2) : (10, 9)
/// ```
fn fit(mut places: Vec<Coordinates>, axis_of_no_step: Axis) -> Option<Vec<Iter>> {
    let mut iters = Vec::new();
    while let [first, second, ..] = &places[..] {
        let (axis, stride) = step(first, second, axis_of_no_step)?;
        let follows = |place: &Coordinates, next: &Coordinates| step(place, next, axis) == Some((axis, stride));
        let run = 1 + places.windows(2).take_while(|pair| follows(&pair[0], &pair[1])).count();
        let mut runs = places.chunks(run);
        if !runs.all(|chunk| chunk.len() == run && chunk.windows(2).all(|pair| follows(&pair[0], &pair[1]))) {
            return None;
        }
        iters.push(Iter::new(i64::try_from(run).ok()?, stride, axis));
        places = places.into_iter().step_by(run).collect();
    }
    iters.reverse();
    Some(iters)
}

/// The step from one location to another along a single axis.
fn step(from: &Coordinates, to: &Coordinates, axis_of_no_step: Axis) -> Option<(Axis, i64)> {
    let at = |place: &Coordinates, axis: &Axis| place.get(axis).copied().unwrap_or(0);
    let mut steps = from.keys().chain(to.keys()).filter(|axis| at(from, axis) != at(to, axis));
    let Some(&axis) = steps.next() else { return Some((axis_of_no_step, 0)) };
    let alone = steps.all(|&other| other == axis);
    if alone { Some((axis, at(to, &axis).checked_sub(at(from, &axis))?)) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Axis;

    fn memory(iters: &[(i64, i64)]) -> Layout {
        Layout::new(iters.iter().map(|&(extent, stride)| Iter::memory(extent, stride)).collect::<Vec<_>>())
    }

    fn slice(layout: &Layout, shape: &[i64], region: &[(i64, i64)]) -> Result<Layout, LayoutError> {
        let region: Vec<Range> = region.iter().map(|&(begin, end)| Range::new(begin, end - begin)).collect();
        layout.slice(shape, &region)
    }

    #[test]
    fn whole_and_part() {
        let part = memory(&[(16, 64), (32, 1)]).with_offset(Axis::Memory, 528);
        assert_eq!(slice(&memory(&[(64, 64), (64, 1)]), &[64, 64], &[(8, 24), (16, 48)]), Ok(part.clone()));
        assert_eq!(slice(&memory(&[(4096, 1)]), &[64, 64], &[(8, 24), (16, 48)]), Ok(part));
    }

    #[test]
    fn across_iters() {
        let tiled = memory(&[(4, 1024), (16, 8), (8, 1)]);
        let rows = |begin, end| slice(&tiled, &[64, 8], &[(begin, end), (0, 8)]);
        assert_eq!(rows(16, 32), Ok(memory(&[(1, 1024), (16, 8), (8, 1)]).with_offset(Axis::Memory, 1024)));
        assert_eq!(rows(8, 24), Ok(memory(&[(2, 960), (8, 8), (8, 1)]).with_offset(Axis::Memory, 64)));
        assert!(matches!(rows(4, 20), Err(LayoutError::NotSliceable { dim: 0, begin: 4, extent: 16, .. })));
        assert!(matches!(rows(60, 65), Err(LayoutError::OutOfBounds { dim: 0, limit: 64, .. })));
    }

    #[test]
    fn carries_into_slower_iters() {
        let layout = memory(&[(2, 1000), (2, 100), (4, 10)]);
        let part = slice(&layout, &[16], &[(6, 10)]).unwrap();
        assert_eq!(part, memory(&[(2, 880), (2, 10)]).with_offset(Axis::Memory, 120));
    }

    #[test]
    fn odd_starts() {
        let pairs = memory(&[(4, 10), (2, 1)]);
        let part = memory(&[(2, 10), (2, 9)]).with_offset(Axis::Memory, 1);
        assert_eq!(slice(&pairs, &[8], &[(1, 5)]), Ok(part));
        assert!(slice(&pairs, &[8], &[(1, 4)]).is_err());
    }

    #[test]
    fn threads_and_registers() {
        let layout = Layout::new([Iter::new(32, 1, Axis::LaneId), Iter::memory(8, 1)]);
        let part = Layout::new([Iter::new(8, 1, Axis::LaneId), Iter::memory(4, 1)])
            .with_offset(Axis::LaneId, 8)
            .with_offset(Axis::Memory, 4);
        assert_eq!(slice(&layout, &[32, 8], &[(8, 16), (4, 8)]), Ok(part));
    }

    #[test]
    fn replica_and_offset_stay() {
        let copies = [Iter::new(2, 16, Axis::LaneId)];
        let whole = Layout::new([Iter::new(16, 1, Axis::LaneId), Iter::memory(8, 1)]).with_replica(copies);
        let part = Layout::new([Iter::new(16, 1, Axis::LaneId), Iter::memory(2, 1)]).with_replica(copies);
        let sliced = slice(&whole.with_offset(Axis::Memory, 5), &[16, 8], &[(0, 16), (2, 4)]);
        assert_eq!(sliced, Ok(part.with_offset(Axis::Memory, 7)));
    }

    #[test]
    fn swizzle_stays() {
        let swizzle = crate::Swizzle::new(3, 3, 3, true).unwrap();
        let part = slice(&memory(&[(512, 1)]).with_swizzle(swizzle), &[8, 64], &[(2, 4), (0, 64)]);
        assert_eq!(part, Ok(memory(&[(2, 64), (64, 1)]).with_offset(Axis::Memory, 128).with_swizzle(swizzle)));
    }

    fn fitted(places: &[i64]) -> Option<Vec<Iter>> {
        fit(places.iter().map(|&m| Coordinates::from([(Axis::Memory, m)])).collect(), Axis::Memory)
    }

    #[test]
    fn finds_iters() {
        assert_eq!(fitted(&[0, 9, 10, 19]), Some(vec![Iter::memory(2, 10), Iter::memory(2, 9)]));
        assert_eq!(fitted(&[5, 5, 5]), Some(vec![Iter::memory(3, 0)]));
        assert_eq!(fitted(&[7]), Some(vec![]));
        assert_eq!(fitted(&[0, 1, 2, 10, 11]), None);
        assert_eq!(fitted(&[0, 1, 5, 7]), None);
    }
}
