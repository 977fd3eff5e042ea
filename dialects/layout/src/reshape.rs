//! The storage of a thread, and permutations.

use crate::address::expect_count;
use crate::{Layout, LayoutError};

impl Layout {
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
    use crate::{Axis, Iter};

    #[test]
    fn refuses_what_is_no_permutation() {
        assert_eq!(check_permutation(&[2, 0, 1], 3), Ok(()));
        assert!(matches!(check_permutation(&[0], 2), Err(LayoutError::Count { got: 1, expected: 2, .. })));
        assert!(matches!(check_permutation(&[1, 1], 2), Err(LayoutError::BadPermutation { .. })));
    }

    #[test]
    fn storage_of_a_thread() {
        let layout = Layout::new([Iter::new(32, 1, Axis::LaneId), Iter::memory(8, 1)])
            .with_replica([Iter::new(4, 1, Axis::WarpId)])
            .with_offset(Axis::WarpId, 2);
        assert_eq!(layout.storage(), Layout::new([Iter::memory(8, 1)]));
    }
}
