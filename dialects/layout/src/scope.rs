//! The chain of scopes that a layout's thread axes form.

use std::collections::BTreeSet;

use crate::{Axis, Layout, LayoutError, Level};

impl Layout {
    /// The levels that the thread axes of shard and replica span: (innermost counted level, outermost level counted
    /// within); `None` without thread axes.
    ///
    /// Each axis spans some levels, and the axes must follow one another from inner to outer:
    ///
    /// ```text
    ///            thread    warp    warpgroup    cta
    ///   laneid     |--------|
    ///   wid_in_wg           |---------|                 laneid, wid_in_wg: (thread, warpgroup)
    ///   wgid                          |----------|      laneid, wgid: a gap from warp to warpgroup
    ///   tx         |-----------------------------|      laneid, tx: both count threads
    /// ```
    ///
    /// Axes that span the same levels (`bx`, `by`) may be combined.
    ///
    /// # Errors
    /// [`LayoutError::DisconnectedScopes`] for a gap, [`LayoutError::ConflictingScopes`] for an overlap.
    pub fn scopes(&self) -> Result<Option<(Level, Level)>, LayoutError> {
        let axes: BTreeSet<(Level, Level, Axis)> = self
            .shard
            .iter()
            .chain(&self.replica)
            .filter_map(|iter| iter.axis.levels().map(|(counted, within)| (counted, within, iter.axis)))
            .collect();
        for (&(counted, within, first), &(next, next_within, second)) in axes.iter().zip(axes.iter().skip(1)) {
            if (counted, within) == (next, next_within) || within == next {
                continue;
            }
            return Err(if next < within {
                LayoutError::ConflictingScopes { first, second }
            } else {
                LayoutError::DisconnectedScopes { inner_axis: first, inner: within, outer_axis: second, outer: next }
            });
        }
        Ok(axes.first().zip(axes.last()).map(|(inner, outer)| (inner.0, outer.1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Iter;

    fn scopes(axes: &[Axis]) -> Result<Option<(Level, Level)>, LayoutError> {
        let (shard, replica) = axes.split_at(axes.len() / 2);
        let iters = |axes: &[Axis]| axes.iter().map(|&axis| Iter::new(2, 1, axis)).collect::<Vec<_>>();
        Layout::new(iters(shard)).with_replica(iters(replica)).scopes()
    }

    #[test]
    fn chains() {
        assert_eq!(scopes(&[Axis::Memory, Axis::TCol]), Ok(None));
        assert_eq!(scopes(&[Axis::WidInWg, Axis::LaneId]), Ok(Some((Level::Thread, Level::Warpgroup))));
        let whole = [Axis::WgId, Axis::LaneId, Axis::Memory, Axis::WidInWg];
        assert_eq!(scopes(&whole), Ok(Some((Level::Thread, Level::Cta))));
        assert_eq!(scopes(&[Axis::By, Axis::Tx, Axis::Bx]), Ok(Some((Level::Thread, Level::Grid))));
    }

    #[test]
    fn gaps_and_overlaps() {
        let gap = scopes(&[Axis::WgId, Axis::LaneId]).unwrap_err();
        assert_eq!(
            gap.to_string(),
            "disconnected scope chain: 'laneid' counts up to a warp, but 'wgid' starts at a warpgroup"
        );
        for overlap in [[Axis::Tx, Axis::LaneId], [Axis::WgId, Axis::WarpId], [Axis::Bx, Axis::Cbx]] {
            assert!(scopes(&overlap).unwrap_err().to_string().starts_with("conflicting scopes"), "{overlap:?}");
        }
    }
}
