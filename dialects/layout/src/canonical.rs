//! The canonical, shortest form of a layout.

use crate::{Axis, Iter, Layout, Level};

/// Whether thread axes may be joined into wider ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fusion {
    /// Every axis stays what it is.
    #[default]
    None,
    /// Join by the CUDA thread hierarchy: lanes and warps of a warpgroup become its threads (`tid_in_wg`), those of a CTA
    /// become `tx`.
    Cuda,
}

impl Layout {
    /// The layout with the same locations and the fewest iters, without reordering any.
    ///
    /// Drops unit iters (a shard of units becomes one `1:1`), offsets of 0, replica iters that add no location and a
    /// swizzle that moves nothing; joins the thread axes as `fusion` says; joins adjacent iters that continue each other
    /// (`(2, 4, 8) : (32, 8, 1)` is `(64) : (1)`); sorts the replica by axis and stride. Layouts that are equal as functions
    /// have equal canonical shards, provided that all numbers are static, apart from the axis of an iter with stride 0.
    #[must_use]
    pub fn canonicalize(&self, fusion: Fusion) -> Layout {
        let mut layout = self.clone();
        layout.replica.retain(|iter| iter.extent != 1 && iter.stride != 0);
        layout.offset.retain(|_, value| *value != 0);
        layout.swizzle = self.swizzle.filter(|swizzle| swizzle.len != 0);
        if fusion == Fusion::Cuda {
            layout.shard = without_units(&layout.shard);
            layout = layout.fuse_scopes().unwrap_or(layout);
        }
        layout.shard = fused(&layout.shard);
        layout.replica = canonical_replica(layout.replica);
        layout.offset.retain(|_, value| *value != 0);
        layout
    }

    /// Renames the thread axes to the widest axis of their scope; `None` when they form no chain or the new numbers
    /// do not fit.
    fn fuse_scopes(&self) -> Option<Layout> {
        let scopes = self.scopes().ok()??;
        let rename = |iters: &[Iter]| -> Option<Vec<Iter>> {
            let fused = |iter: &Iter| {
                let (axis, factor) = fused_axis(scopes, iter.axis);
                Some(Iter::new(iter.extent, iter.stride.checked_mul(factor)?, axis))
            };
            iters.iter().map(fused).collect()
        };
        let mut layout = self.clone();
        layout.shard = rename(&self.shard)?;
        layout.replica = rename(&self.replica)?;
        layout.offset.clear();
        for (&axis, &value) in &self.offset {
            let (axis, factor) = fused_axis(scopes, axis);
            let total = layout.offset.entry(axis).or_default();
            *total = total.checked_add(value.checked_mul(factor)?)?;
        }
        layout.check_numbers().ok()?;
        Some(layout)
    }
}

/// The shard of the canonical layout: iters of extent 1 dropped, adjacent iters that continue each other joined.
pub fn fused(iters: &[Iter]) -> Vec<Iter> {
    fuse_adjacent(&without_units(iters))
}

/// The axis that `axis` becomes within `scopes`, and the number of its units in one unit of `axis`.
fn fused_axis(scopes: (Level, Level), axis: Axis) -> (Axis, i64) {
    const WARP: i64 = 32;
    const WARPGROUP: i64 = 128;
    match (scopes, axis) {
        ((Level::Thread, Level::Warpgroup), Axis::LaneId) => (Axis::TidInWg, 1),
        ((Level::Thread, Level::Warpgroup), Axis::WidInWg) => (Axis::TidInWg, WARP),
        ((Level::Thread, Level::Cta), Axis::LaneId | Axis::TidInWg) => (Axis::Tx, 1),
        ((Level::Thread, Level::Cta), Axis::WidInWg | Axis::WarpId) => (Axis::Tx, WARP),
        ((Level::Thread, Level::Cta), Axis::WgId) => (Axis::Tx, WARPGROUP),
        ((Level::Warp, Level::Cta), Axis::WidInWg) => (Axis::WarpId, 1),
        ((Level::Warp, Level::Cta), Axis::WgId) => (Axis::WarpId, WARPGROUP / WARP),
        _ => (axis, 1),
    }
}

/// The iters of extent 2 or more; `1:1` on the first axis when there are none.
pub(crate) fn without_units(shard: &[Iter]) -> Vec<Iter> {
    let kept: Vec<Iter> = shard.iter().filter(|iter| iter.extent != 1).copied().collect();
    if !kept.is_empty() {
        return kept;
    }
    vec![Iter::new(1, 1, shard.first().map_or(Axis::Memory, |iter| iter.axis))]
}

/// Joins every iter with the next one where the next one's positions continue in it.
///
/// ```text
///   (4:8, 8:1)    0 1 .. 7 | 8 9 .. 15 | ..     4 rows of 8, each right after the other: 32:1
/// ```
pub(crate) fn fuse_adjacent(iters: &[Iter]) -> Vec<Iter> {
    let mut fused: Vec<Iter> = Vec::with_capacity(iters.len());
    for &next in iters {
        match fused.last_mut() {
            Some(last) if continues(last, &next).is_some() => {
                *last = Iter::new(last.extent.saturating_mul(next.extent), next.stride, next.axis);
            }
            _ => fused.push(next),
        }
    }
    fused
}

/// The common extent of two iters, if one step of `outer` follows the last position of `inner`.
fn continues(outer: &Iter, inner: &Iter) -> Option<i64> {
    let joined = outer.axis == inner.axis && Some(outer.stride) == inner.stride.checked_mul(inner.extent);
    if joined { outer.extent.checked_mul(inner.extent) } else { None }
}

/// Sorts by axis and distance, and joins iters that continue each other: the order of replica iters has no meaning.
fn canonical_replica(mut replica: Vec<Iter>) -> Vec<Iter> {
    replica.sort_by_key(|iter| (iter.axis, iter.stride.signum(), iter.stride.unsigned_abs(), iter.extent));
    let mut joined: Vec<Iter> = Vec::with_capacity(replica.len());
    for outer in replica {
        match joined.iter_mut().find(|inner| continues(&outer, inner).is_some()) {
            Some(inner) => inner.extent = inner.extent.saturating_mul(outer.extent),
            None => joined.push(outer),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Axis::{LaneId, Memory, TidInWg, Tx, WarpId, WgId, WidInWg};

    fn canonical(iters: &[(i64, i64, Axis)], fusion: Fusion) -> Vec<(i64, i64, Axis)> {
        let iters: Vec<Iter> = iters.iter().map(|&(extent, stride, axis)| Iter::new(extent, stride, axis)).collect();
        let layout = Layout::new(iters).canonicalize(fusion);
        layout.shard.iter().map(|iter| (iter.extent, iter.stride, iter.axis)).collect()
    }

    #[test]
    fn joins_and_drops() {
        let plain = |iters| canonical(iters, Fusion::None);
        assert_eq!(plain(&[(2, 32, Memory), (4, 8, Memory), (8, 1, Memory)]), [(64, 1, Memory)]);
        assert_eq!(plain(&[(1, 7, Memory), (4, 8, Memory), (1, 3, Memory), (8, 1, Memory)]), [(32, 1, Memory)]);
        assert_eq!(plain(&[(8, 1, Memory), (4, 8, Memory)]), [(8, 1, Memory), (4, 8, Memory)]);
        assert_eq!(plain(&[(1, 5, LaneId), (1, 3, Memory)]), [(1, 1, LaneId)]);
    }

    #[test]
    fn joins_scopes_for_cuda() {
        let cuda = |iters| canonical(iters, Fusion::Cuda);
        let in_warpgroup = [(4, 1, WidInWg), (32, 1, LaneId), (8, 1, Memory)];
        assert_eq!(cuda(&in_warpgroup), [(128, 1, TidInWg), (8, 1, Memory)]);
        assert_eq!(canonical(&in_warpgroup, Fusion::None), in_warpgroup);
        assert_eq!(cuda(&[(4, 1, WarpId), (32, 1, LaneId), (8, 1, Memory)]), [(128, 1, Tx), (8, 1, Memory)]);
        assert_eq!(cuda(&[(2, 1, WgId), (4, 1, WidInWg), (32, 1, LaneId)]), [(256, 1, Tx)]);
        assert_eq!(cuda(&[(2, 1, WgId), (4, 1, WidInWg)]), [(8, 1, WarpId)]);
        assert_eq!(cuda(&[(32, 1, LaneId)]), [(32, 1, LaneId)]);
    }

    #[test]
    fn replica_order_says_nothing() {
        let a = [Iter::memory(2, 64), Iter::new(2, 1, LaneId), Iter::memory(4, 16), Iter::memory(1, 5)];
        let b = [Iter::memory(8, 16), Iter::memory(3, 0), Iter::new(2, 1, LaneId)];
        let canonical = |replica: &[Iter]| Layout::default().with_replica(replica).canonicalize(Fusion::None);
        assert_eq!(canonical(&a), canonical(&b));
    }
}
