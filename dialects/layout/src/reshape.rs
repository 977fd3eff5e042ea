//! Small derived layouts, and the question whether a layout is the identity.

use crate::{Axis, Fusion, Iter, Layout, LayoutError};

impl Layout {
    /// What one thread stores: the layout without its thread axes.
    ///
    /// Of `(32, 8) : (1@laneid, 1)` each lane stores `(8) : (1)`.
    #[must_use]
    pub fn storage(&self) -> Layout {
        let mut layout = self.clone();
        layout.shard.retain(|iter| !iter.axis.is_thread());
        layout.replica.retain(|iter| !iter.axis.is_thread());
        layout.offset.retain(|axis, _| !axis.is_thread());
        layout
    }

    /// The layout with a further iter `n:0` before iter `position`: `n` logical elements in one place.
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

    /// Is element `i` at memory address `i`, and nowhere else?
    pub fn is_trivial(&self) -> bool {
        let layout = self.canonicalize(Fusion::None);
        let dense = matches!(layout.shard[..], [Iter { stride: 1, axis: Axis::Memory, .. }]);
        dense && layout.replica.is_empty() && layout.offset.is_empty() && layout.swizzle.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
