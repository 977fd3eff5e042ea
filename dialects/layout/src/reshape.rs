//! Reordering iters, small derived layouts, and whether a layout is the identity.

use crate::address::expect_count;
use crate::{Axis, Fusion, Iter, Layout, LayoutError};

impl Layout {
    /// The layout whose iter `k` is this one's iter `perm[k]`.
    ///
    /// `(2, 3, 4) : (12, 4, 1)` by (2, 0, 1) is `(4, 2, 3) : (1, 12, 4)`.
    ///
    /// # Errors
    /// [`LayoutError::Count`] and [`LayoutError::BadPermutation`] when `perm` is no permutation of the iters.
    pub fn permute(&self, perm: &[usize]) -> Result<Layout, LayoutError> {
        check_permutation(perm, self.shard.len())?;
        Ok(Layout { shard: perm.iter().map(|&from| self.shard[from]).collect(), ..self.clone() })
    }

    /// The layout whose block `k` is this one's block `perm[k]`; `seps` are the blocks' ends as [`Layout::group`]
    /// returns them.
    ///
    /// `(2, 3, 4) : (12, 4, 1)` with separators 0 1 3 by (1, 0) is `(3, 4, 2) : (4, 1, 12)`.
    ///
    /// # Errors
    /// [`LayoutError::BadSeparators`] when `seps` does not cut the shard into blocks; as [`Layout::permute`] for the
    /// permutation.
    pub fn permute_groups(&self, seps: &[usize], perm: &[usize]) -> Result<Layout, LayoutError> {
        let blocks = blocks(&self.shard, seps)?;
        check_permutation(perm, blocks.len())?;
        Ok(Layout { shard: perm.iter().flat_map(|&from| blocks[from]).copied().collect(), ..self.clone() })
    }

    /// The storage of one thread: the layout without its thread axes.
    ///
    /// For `(32, 8) : (1@laneid, 1)` each lane stores `(8) : (1)`.
    #[must_use]
    pub fn storage(&self) -> Layout {
        let mut layout = self.clone();
        layout.shard.retain(|iter| !iter.axis.is_thread());
        layout.replica.retain(|iter| !iter.axis.is_thread());
        layout.offset.retain(|axis, _| !axis.is_thread());
        layout
    }

    /// The layout with a further iter `n:0` before iter `position`: `n` logical elements at one location.
    ///
    /// # Errors
    /// [`LayoutError::BadFactor`] for `n` below 1, [`LayoutError::Count`] for a position beyond the end, and whatever
    /// makes the result malformed.
    pub fn broadcast(&self, n: i64, position: usize) -> Result<Layout, LayoutError> {
        if n < 1 {
            return Err(LayoutError::BadFactor { factor: n, expected: "at least 1" });
        }
        if position > self.shard.len() {
            return Err(LayoutError::Count {
                what: "iters before the broadcast one",
                got: position,
                expected: self.shard.len(),
            });
        }
        let mut layout = self.clone();
        layout.shard.insert(position, Iter::memory(n, 0));
        layout.check_numbers()?;
        Ok(layout)
    }

    /// Whether element `i` is at memory address `i`, and nowhere else, for all `i`.
    pub fn is_trivial(&self) -> bool {
        let layout = self.canonicalize(Fusion::None);
        let dense = matches!(layout.shard[..], [Iter { stride: 1, axis: Axis::Memory, .. }]);
        dense && layout.replica.is_empty() && layout.offset.is_empty() && layout.swizzle.is_none()
    }
}

/// The blocks of a shard between its separators.
fn blocks<'a>(shard: &'a [Iter], seps: &[usize]) -> Result<Vec<&'a [Iter]>, LayoutError> {
    let whole = seps.first() == Some(&0) && seps.last() == Some(&shard.len());
    if !whole || !seps.is_sorted() {
        return Err(LayoutError::BadSeparators { got: seps.to_vec(), len: shard.len() });
    }
    Ok(seps.windows(2).map(|ends| &shard[ends[0]..ends[1]]).collect())
}

pub(crate) fn check_permutation(perm: &[usize], len: usize) -> Result<(), LayoutError> {
    expect_count("positions in the permutation", perm.len(), len)?;
    let mut sorted = perm.to_vec();
    sorted.sort_unstable();
    if sorted.into_iter().eq(0..len) { Ok(()) } else { Err(LayoutError::BadPermutation { got: perm.to_vec(), len }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reorders_iters_and_blocks() {
        let layout = Layout::new([Iter::memory(2, 12), Iter::memory(3, 4), Iter::memory(4, 1)]);
        let [a, b, c] = [0, 1, 2].map(|index| layout.shard[index]);
        assert_eq!(layout.permute(&[2, 0, 1]).unwrap().shard, [c, a, b]);
        assert_eq!(layout.permute_groups(&[0, 1, 3], &[1, 0]).unwrap().shard, [b, c, a]);
    }

    #[test]
    fn refuses_what_is_no_permutation() {
        let layout = Layout::new([Iter::memory(2, 1), Iter::memory(3, 2)]);
        assert!(matches!(layout.permute(&[0]), Err(LayoutError::Count { got: 1, expected: 2, .. })));
        assert!(matches!(layout.permute(&[1, 1]), Err(LayoutError::BadPermutation { .. })));
        for seps in [&[][..], &[0], &[1, 2], &[0, 3, 2], &[0, 3]] {
            assert!(matches!(layout.permute_groups(seps, &[0]), Err(LayoutError::BadSeparators { .. })), "{seps:?}");
        }
    }

    #[test]
    fn storage_of_a_thread() {
        let layout = Layout::new([Iter::new(32, 1, Axis::LaneId), Iter::memory(8, 1)])
            .with_replica([Iter::new(4, 1, Axis::WarpId)])
            .with_offset(Axis::WarpId, 2);
        assert_eq!(layout.storage(), Layout::new([Iter::memory(8, 1)]));
    }

    #[test]
    fn broadcast_inserts() {
        let layout = Layout::new([Iter::memory(8, 1)]);
        assert_eq!(layout.broadcast(4, 1).unwrap().shard, [Iter::memory(8, 1), Iter::memory(4, 0)]);
        assert!(layout.broadcast(0, 0).is_err() && layout.broadcast(2, 2).is_err());
    }

    #[test]
    fn trivial_layouts() {
        assert!(Layout::row_major(&[2, 3, 4]).is_trivial());
        assert!(!Layout::row_major(&[4]).with_offset(Axis::Memory, 1).is_trivial());
        assert!(!Layout::row_major(&[4]).with_replica([Iter::memory(2, 4)]).is_trivial());
        assert!(!Layout::new([Iter::new(32, 1, Axis::LaneId)]).is_trivial());
    }
}
