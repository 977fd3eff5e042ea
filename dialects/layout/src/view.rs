//! The layouts of views of a buffer: a part, permuted dimensions, another shape.
//!
//! ```text
//!   (64, 96) : (96, 1)    rows 8 … 24, columns 16 … 48     (16, 32) : (96, 1)      begins 8 * 96 + 16 further
//!                         dimensions 1, 0                  (96, 64) : (1, 96)
//!                         as 8x8x96                        (8, 8, 96) : (768, 96, 1)
//! ```
//!
//! The start of a part is either the offset of its layout, or left out of it ([`Layout::from_begin`]): then the buffer
//! records it, and it is added before a swizzle is applied.

use crate::canonical::fuse_adjacent;
use crate::check::{product, sum};
use crate::slice::slice_block;
use crate::{Axis, Fusion, Iter, Layout, LayoutError, OPEN, Range};

impl Layout {
    /// The iters of each dimension of a shape that may have open dimensions, slowest first.
    ///
    /// # Errors
    /// As [`Layout::group`] and [`Layout::open_iters`].
    pub fn dimensions(&self, shape: &[i64]) -> Result<Vec<Vec<Iter>>, LayoutError> {
        let open = self.open_iters(shape)?;
        let mut iters = self.shard.split(|iter| iter.extent == OPEN);
        let mut blocks = Vec::with_capacity(shape.len());
        for between in shape.split(|&extent| extent == OPEN) {
            let first = blocks.len();
            let segment = Layout::new(iters.next().unwrap_or_default()).canonicalize(Fusion::None);
            let (grouped, seps) = segment.group(between).map_err(|error| behind(error, first))?;
            let block = |ends: &[usize]| fuse_adjacent(grouped.shard.get(ends[0]..ends[1]).unwrap_or_default());
            blocks.extend(seps.windows(2).map(block));
            if let Some(iter) = open.get(blocks.len()).copied().flatten() {
                blocks.push(vec![self.shard[iter]]);
            }
        }
        Ok(blocks)
    }

    /// The layout of a part: `sizes` positions of each dimension, from `begins` on. Its offset holds those begins that are
    /// known.
    ///
    /// In a dimension with a run-time begin the part starts at a step of the slowest iter; the offset does not include it.
    ///
    /// # Errors
    /// As [`Layout::slice`].
    pub fn part(&self, shape: &[i64], begins: &[Option<i64>], sizes: &[i64]) -> Result<Layout, LayoutError> {
        crate::address::expect_count("begins", begins.len(), shape.len())?;
        crate::address::expect_count("sizes", sizes.len(), shape.len())?;
        let blocks = self.dimensions(shape)?;
        let mut part = Layout { shard: Vec::new(), ..self.clone() };
        for (dim, (block, (&begin, &extent))) in blocks.iter().zip(begins.iter().zip(sizes)).enumerate() {
            let limit = shape[dim];
            let range = Range::new(begin.unwrap_or(0), extent);
            let end = range.begin.checked_add(extent);
            if range.begin < 0 || extent < 1 || end.is_none_or(|end| limit != OPEN && end > limit) {
                return Err(LayoutError::OutOfBounds { dim, begin: range.begin, extent, limit });
            }
            match block[..] {
                [iter] if limit == OPEN => {
                    let moved = part.offset.entry(iter.axis).or_default();
                    *moved = sum(*moved, product(iter.stride, range.begin)?)?;
                    part.shard.push(Iter { extent, ..iter });
                }
                _ => slice_block(dim, block, range, &mut part)?,
            }
        }
        part.offset.retain(|_, value| *value != 0);
        Ok(part)
    }

    /// The layout of a part, relative to the start of the part in `whole`.
    #[must_use]
    pub fn from_begin(self, whole: &Layout) -> Layout {
        Layout { offset: whole.offset.clone(), ..self }
    }

    /// The layout of a tile of which this one, of registers, is the part of `sizes` positions from `begins` on: each thread has further
    /// registers for each of the other parts, those of the last dimension first.
    ///
    /// ```text
    ///   (8, 4, 2) : (4@laneid, 1@laneid, 1)  of 8x8, columns 8 … 16 of 8x24     (8, 3, 4, 2) : (4@laneid, 2, 1@laneid, 1)
    /// ```
    ///
    /// # Errors
    /// As [`Layout::dimensions`]; [`LayoutError::UnequalParts`] where the whole is not several of the part.
    pub fn around(&self, shape: &[i64], begins: &[i64], sizes: &[i64]) -> Result<Layout, LayoutError> {
        crate::address::expect_count("begins", begins.len(), shape.len())?;
        crate::address::expect_count("sizes", sizes.len(), shape.len())?;
        let mut blocks = self.dimensions(sizes)?;
        let registers = self.shard.iter().chain(&self.replica).filter(|iter| iter.axis == Axis::Memory);
        let mut step = registers.map(|iter| (iter.extent - 1) * iter.stride).sum::<i64>() + 1;
        for dim in (0..shape.len()).rev() {
            let (begin, extent, limit) = (begins[dim], sizes[dim], shape[dim]);
            if extent < 1 || begin % extent != 0 || limit % extent != 0 {
                return Err(LayoutError::UnequalParts { dim, begin, extent, limit });
            }
            let parts = limit / extent;
            let block = &mut blocks[dim];
            block.retain(|iter| iter.extent != 1);
            if parts > 1 || block.is_empty() {
                block.insert(0, Iter::memory(parts, step));
                step = product(step, parts)?;
            }
        }
        let mut whole = Layout { shard: blocks.concat(), ..self.clone() };
        whole.offset.remove(&Axis::Memory);
        Ok(whole)
    }

    /// The layout of the buffer whose dimension `k` is this one's `order[k]`.
    ///
    /// # Errors
    /// As [`Layout::dimensions`]; [`LayoutError::BadPermutation`] and [`LayoutError::Count`] if `order` is no permutation.
    pub fn transposed(&self, shape: &[i64], order: &[usize]) -> Result<Layout, LayoutError> {
        let blocks = self.dimensions(shape)?;
        crate::reshape::check_permutation(order, blocks.len())?;
        let shard = order.iter().flat_map(|&from| blocks[from].iter().copied()).collect();
        Ok(Layout { shard, ..self.clone() })
    }

    /// The layout with the known value of a run-time stride filled in.
    ///
    /// # Errors
    /// [`LayoutError::TooLarge`] where a product overflows.
    pub fn with_stride(&self, axis: Axis, stride: i64) -> Result<Layout, LayoutError> {
        let mut layout = self.clone();
        let elements = |steps: i64| product(steps, stride);
        for iter in layout.shard.iter_mut().chain(&mut layout.replica).filter(|iter| iter.axis == axis) {
            *iter = Iter::memory(iter.extent, elements(iter.stride)?);
        }
        if let Some(steps) = layout.offset.remove(&axis) {
            let moved = layout.offset.entry(Axis::Memory).or_default();
            *moved = sum(*moved, elements(steps)?)?;
        }
        Ok(layout)
    }

    /// The layout with its run-time strides renumbered in the order in which the iters name them.
    #[must_use]
    pub fn renumbered(&self) -> Layout {
        let mut met: Vec<Axis> = Vec::new();
        for axis in self.shard.iter().map(|iter| iter.axis).chain(self.offset.keys().copied()) {
            if axis.stride_index().is_some() && !met.contains(&axis) {
                met.push(axis);
            }
        }
        let rename = |axis: Axis| met.iter().position(|&old| old == axis).map_or(axis, |new| Axis::STRIDES[new]);
        let mut layout = self.clone();
        layout.shard.iter_mut().for_each(|iter| iter.axis = rename(iter.axis));
        layout.offset = self.offset.iter().map(|(&axis, &value)| (rename(axis), value)).collect();
        layout
    }
}

/// The error for a dimension that is preceded by `first` others.
fn behind(error: LayoutError, first: usize) -> LayoutError {
    match error {
        LayoutError::NotGroupable { dim, needed, iter } => LayoutError::NotGroupable { dim: dim + first, needed, iter },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> Layout {
        text.parse().expect("a layout")
    }

    #[test]
    fn parts_begin_elsewhere() {
        let part = |text: &str, shape: &[i64], begins: &[Option<i64>], sizes: &[i64]| {
            layout(text).part(shape, begins, sizes).map(|part| part.to_string())
        };
        let dense = "(64, 96) : (96, 1)";
        assert_eq!(part(dense, &[64, 96], &[Some(8), Some(16)], &[16, 32]).as_deref(), Ok("(16, 32) : (96, 1) + 784"));
        assert_eq!(part(dense, &[64, 96], &[None, Some(16)], &[16, 32]).as_deref(), Ok("(16, 32) : (96, 1) + 16"));
        let fragment = "(8, 4, 2) : (4@laneid, 1@laneid, 1) + 3";
        let lanes = part(fragment, &[8, 8], &[Some(2), Some(4)], &[4, 4]);
        assert_eq!(lanes.as_deref(), Ok("(4, 2, 2) : (4@laneid, 1@laneid, 1) + 3 + 10@laneid"));
        assert!(matches!(part(dense, &[64, 96], &[Some(60), Some(0)], &[8, 8]), Err(LayoutError::OutOfBounds { .. })));
        assert!(matches!(part(dense, &[64, 96], &[Some(0)], &[8, 8]), Err(LayoutError::Count { .. })));
        let moved = layout(dense).part(&[64, 96], &[Some(8), Some(16)], &[16, 32]).unwrap();
        assert_eq!(moved.from_begin(&layout("(6144) : (1) + 2")).to_string(), "(16, 32) : (96, 1) + 2");
    }

    #[test]
    fn parts_are_continued_in_registers() {
        let around = |text: &str, shape: &[i64], begins: &[i64], sizes: &[i64]| {
            let (part, whole) = (layout(text), layout(text).around(shape, begins, sizes)?);
            let begins: Vec<_> = begins.iter().copied().map(Some).collect();
            let mut again = whole.part(shape, &begins, sizes)?;
            again.offset.remove(&Axis::Memory);
            let agreement = part.agreement(sizes, &again, sizes);
            assert!(agreement.is_some_and(|agreement| agreement.is_exact()), "{part}: {again}");
            Ok::<_, LayoutError>(whole.to_string())
        };
        let lanes = "(8, 4, 2) : (4@laneid, 1@laneid, 1)";
        let columns = around(lanes, &[8, 24], &[0, 8], &[8, 8]);
        assert_eq!(columns.as_deref(), Ok("(8, 3, 4, 2) : (4@laneid, 2, 1@laneid, 1)"));
        let both = around(lanes, &[16, 24], &[8, 8], &[8, 8]);
        assert_eq!(both.as_deref(), Ok("(2, 8, 3, 4, 2) : (6, 4@laneid, 2, 1@laneid, 1)"));
        let rows = around("(1, 32) : (1, 1@laneid) + R(2 : 1@warpid)", &[8, 32], &[5, 0], &[1, 32]);
        assert_eq!(rows.as_deref(), Ok("(8, 32) : (1, 1@laneid) + R(2 : 1@warpid)"));
        assert!(matches!(around(lanes, &[8, 20], &[0, 8], &[8, 8]), Err(LayoutError::UnequalParts { dim: 1, .. })));
        assert!(matches!(around(lanes, &[8, 24], &[0, 4], &[8, 8]), Err(LayoutError::UnequalParts { dim: 1, .. })));
    }

    fn rows() -> Layout {
        Layout::new([Iter::new(OPEN, 1, Axis::S0), Iter::memory(8, 64), Iter::memory(8, 1)])
    }

    #[test]
    fn open_dimensions_stay_and_are_cut() {
        let part = rows().part(&[OPEN, 64], &[Some(1 << 40), Some(8)], &[16, 8]).unwrap();
        assert_eq!(part.canonicalize(Fusion::None).to_string(), "(16, 8) : (?, 1) + 64 + 1099511627776@s0");
        let turned = rows().transposed(&[OPEN, 64], &[1, 0]).unwrap();
        assert_eq!(turned.shard, [Iter::memory(8, 64), Iter::memory(8, 1), Iter::new(OPEN, 1, Axis::S0)]);
        assert!(rows().transposed(&[OPEN, 64], &[1, 1]).is_err());
        assert!(rows().part(&[OPEN, 64], &[Some(-1), Some(0)], &[1, 64]).is_err());
    }

    #[test]
    fn strides_get_numbers_and_values() {
        let two = layout("(4, 8) : (1@s1, 2@s0)");
        assert_eq!(two.renumbered().to_string(), "(4, 8) : (1@s0, 2@s1)");
        assert_eq!(two.with_stride(Axis::S0, 5).unwrap().to_string(), "(4, 8) : (1@s1, 10)");
        assert!(two.with_stride(Axis::S0, i64::MAX).is_err());
    }
}
