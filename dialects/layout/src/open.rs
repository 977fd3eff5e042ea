//! Dimensions whose extent is known only at run time.
//!
//! Such a dimension is *open*: [`OPEN`] stands for its extent, in a shape and in the one iter that the layout has for it.
//! The text of a type writes both as `?`.
//!
//! ```text
//!   shape (?, 64)    layout (?, 8, 8) : (1@s0, 64, 1)      row r, column c   at   r * ld + c / 8 * 64 + c % 8
//! ```
//!
//! No other operation of this crate accepts an open layout. [`Layout::closed`] gives one that all operations accept, with
//! the extent of each open dimension in a particular use.

use crate::{Axis, Iter, Layout, LayoutError};

/// Stands for an extent that is known only at run time, as MLIR's `kDynamic` does.
pub const OPEN: i64 = i64::MIN;

impl Layout {
    /// Whether there is an open iter.
    pub fn is_open(&self) -> bool {
        self.shard.iter().any(|iter| iter.extent == OPEN)
    }

    /// The number of run-time strides that the layout steps by: one more than the largest index among its stride axes.
    pub fn stride_count(&self) -> usize {
        self.axes().filter_map(Axis::stride_index).max().map_or(0, |last| last + 1)
    }

    /// The dense row-major layout of a shape that may have open dimensions: dimensions outside of one have run-time strides.
    ///
    /// ```
    /// use tile_layout::{Layout, OPEN};
    /// assert_eq!(Layout::open_row_major(&[OPEN, OPEN, 64]).unwrap().closed(&[2, 3]).unwrap().to_string(),
    ///     "(2, 3, 64) : (?, 64, 1)");
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::Count`] for more run-time strides than there are axes for them.
    pub fn open_row_major(shape: &[i64]) -> Result<Layout, LayoutError> {
        let last = shape.iter().rposition(|&extent| extent == OPEN).unwrap_or(0);
        let known = Layout::row_major(shape.get(last + usize::from(!shape.is_empty())..).unwrap_or_default());
        let inside = known.shard.first().map_or(1, |iter| iter.stride.saturating_mul(iter.extent));
        let mut shard = Vec::with_capacity(shape.len());
        if !shape.contains(&OPEN) {
            return Ok(Layout::row_major(shape));
        }
        for (dimension, &extent) in shape.iter().enumerate().take(last + 1) {
            shard.push(match (dimension == last, Axis::STRIDES.get(dimension)) {
                (true, _) => Iter::memory(extent, inside),
                (_, Some(&axis)) => Iter::new(extent, 1, axis),
                (_, None) => {
                    let (what, expected) = ("run-time strides", Axis::STRIDES.len());
                    return Err(LayoutError::Count { what, got: last, expected });
                }
            });
        }
        shard.extend(known.shard);
        Ok(Layout::new(shard))
    }

    /// The iter of each open dimension of a shape; `None` for the other dimensions.
    ///
    /// The iters between two open iters must have as many elements as the dimensions between two open dimensions.
    ///
    /// # Errors
    /// [`LayoutError::SizeMismatch`] for the first dimensions for which they do not; [`LayoutError::Count`] if the numbers of
    /// open iters and open dimensions differ.
    pub fn open_iters(&self, shape: &[i64]) -> Result<Vec<Option<usize>>, LayoutError> {
        let open: Vec<usize> = (0..self.shard.len()).filter(|&index| self.shard[index].extent == OPEN).collect();
        let dimensions: Vec<usize> = (0..shape.len()).filter(|&dimension| shape[dimension] == OPEN).collect();
        crate::address::expect_count("open iters", open.len(), dimensions.len())?;
        let mut iters = self.shard.split(|iter| iter.extent == OPEN);
        for between in shape.split(|&extent| extent == OPEN) {
            let product = |extents: &mut dyn Iterator<Item = i64>| extents.fold(1i64, i64::saturating_mul);
            let got = product(&mut iters.next().unwrap_or_default().iter().map(|iter| iter.extent));
            let expected = product(&mut between.iter().copied());
            if got != expected {
                return Err(LayoutError::SizeMismatch { got: expected, expected: got });
            }
        }
        let mut by_dimension = vec![None; shape.len()];
        for (dimension, iter) in dimensions.into_iter().zip(open) {
            by_dimension[dimension] = Some(iter);
        }
        Ok(by_dimension)
    }

    /// The same layout with the open iters' extents replaced by `extents`, in order.
    ///
    /// # Errors
    /// [`LayoutError::Count`] for more or fewer extents than open iters.
    pub fn closed(&self, extents: &[i64]) -> Result<Layout, LayoutError> {
        let mut layout = self.clone();
        let open = layout.shard.iter_mut().filter(|iter| iter.extent == OPEN);
        let (mut given, mut expected) = (extents.iter(), 0);
        for iter in open {
            expected += 1;
            iter.extent = given.next().copied().unwrap_or(1);
        }
        crate::address::expect_count("extents", extents.len(), expected)?;
        Ok(layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Layout {
        Layout::new([Iter::new(OPEN, 1, Axis::S0), Iter::memory(8, 64), Iter::memory(8, 1)])
    }

    #[test]
    fn each_open_dimension_has_an_iter() {
        assert_eq!(rows().open_iters(&[OPEN, 64]), Ok(vec![Some(0), None]));
        assert_eq!(rows().open_iters(&[OPEN, 8, 4, 2]), Ok(vec![Some(0), None, None, None]));
        assert_eq!(Layout::row_major(&[4]).open_iters(&[4]), Ok(vec![None]));
        assert!(matches!(rows().open_iters(&[OPEN, 32]), Err(LayoutError::SizeMismatch { got: 32, expected: 64 })));
        assert!(matches!(rows().open_iters(&[64, OPEN]), Err(LayoutError::SizeMismatch { .. })));
        assert!(matches!(rows().open_iters(&[2, 64]), Err(LayoutError::Count { got: 1, expected: 0, .. })));
    }

    #[test]
    fn closed_layouts_are_layouts() {
        let closed = rows().closed(&[16]).unwrap();
        assert_eq!(closed.to_string(), "(16, 8, 8) : (?, 64, 1)");
        assert_eq!((closed.validate(), closed.size()), (Ok(()), 1024));
        assert!(matches!(rows().closed(&[]), Err(LayoutError::Count { got: 0, expected: 1, .. })));
    }
}
