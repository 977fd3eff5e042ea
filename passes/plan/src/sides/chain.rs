//! Thread axes as coordinates of the scope-relative thread id.

use tile_isa::{WARP, WARPGROUP, threads_of};
use tile_layout::{Axis, Iter, Layout, Level};

use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::threads::Threads;

/// Threads between adjacent positions of a thread axis: 1 for `laneid`, 32 for `warpid`, 128 for `wgid`; `None` on an axis
/// that counts no threads of a block.
pub(crate) fn thread_stride(axis: Axis) -> Option<i64> {
    match axis.levels()? {
        (_, Level::Cluster | Level::Grid) => None,
        (counted, _) => threads_of(counted, None),
    }
}

/// An iter on a thread axis as an iter of the thread id, on the same axis.
pub(crate) fn on_threads(iter: Iter) -> Option<Iter> {
    let stride = iter.stride.checked_mul(thread_stride(iter.axis)?)?;
    Some(Iter { stride, ..iter })
}

/// The thread id of a layout's thread offsets.
pub(crate) fn thread_offset(layout: &Layout) -> i64 {
    layout
        .offset
        .iter()
        .filter_map(|(&axis, &value)| Some(value.saturating_mul(thread_stride(axis)?)))
        .fold(0, i64::saturating_add)
}

/// Whether the layout says which thread holds which elements.
pub(crate) fn is_distributed(layout: &Layout) -> bool {
    layout.axes().any(Axis::is_thread)
}

/// The threads of a scope that a layout does not distinguish, as iters of the thread id: they hold the same elements.
///
/// ```text
///   (32, 8) : (1@laneid, 1) at cta scope, 128 threads
///     laneid spans threads 1 to 32; nothing spans 32 to 128:   4 : 32@warpid
///   (4, 8) : (1@warpid, 1):                                    32 : 1@laneid
/// ```
///
/// # Errors
/// `thread-axis-wider-than-scope` for an axis that counts further than the scope, unless the block is no larger than
/// one scope and `allow_wider` is set; `thread-axes-conflict` for axes that overlap.
pub(crate) fn gaps(
    layout: &Layout,
    role: Role,
    threads: &Threads,
    count: i64,
    allow_wider: bool,
) -> Result<Vec<Iter>, Refusal> {
    gaps_of(layout, &format!("the {role}"), threads, count, allow_wider)
        .map_err(|refusal| Refusal { operand: Some(role), ..refusal })
}

/// As [`gaps`]; `name` is what messages call the tile.
///
/// # Errors
/// As [`gaps`].
pub(crate) fn gaps_of(
    layout: &Layout,
    name: &str,
    threads: &Threads,
    count: i64,
    allow_wider: bool,
) -> Result<Vec<Iter>, Refusal> {
    let single = allow_wider && threads.block.is_some_and(|block| block <= count);
    let mut spans = Vec::new();
    for axis in layout.axes().filter(|axis| axis.is_thread()) {
        let Some((counted, within)) = axis.levels() else { continue };
        if within > threads.scope.level() && !single {
            let reason = format!(
                "{name}'s axis '{axis}' counts within a {within}, wider than the op's scope, a {}",
                threads.scope
            );
            return Err(Refusal::new("thread-axis-wider-than-scope", reason));
        }
        let end = threads_of(within, None).map_or(count, |end| end.min(count));
        spans.push((threads_of(counted, None).unwrap_or(1), end, axis));
    }
    spans.sort();
    uncovered(&spans, name, count)
}

fn uncovered(spans: &[(i64, i64, Axis)], name: &str, count: i64) -> Result<Vec<Iter>, Refusal> {
    let mut gaps = Vec::new();
    let mut covered = 1;
    for &(begin, end, axis) in spans {
        if begin < covered {
            let reason = format!("{name}'s axis '{axis}' counts threads that another of its axes counts too");
            return Err(Refusal::new("thread-axes-conflict", reason));
        }
        gaps.extend(gap(covered, begin));
        covered = end.max(covered);
    }
    gaps.extend(gap(covered, count));
    Ok(gaps)
}

/// The iter that counts groups of `begin` threads up to `end` threads, unless its extent is 1.
fn gap(begin: i64, end: i64) -> Option<Iter> {
    let extent = (end + begin - 1) / begin;
    let axis = match (begin, end) {
        (1, WARP) => Axis::LaneId,
        (1, WARPGROUP) => Axis::TidInWg,
        (WARP, WARPGROUP) => Axis::WidInWg,
        (WARP, _) => Axis::WarpId,
        (WARPGROUP, _) => Axis::WgId,
        _ => Axis::Tx,
    };
    (extent > 1).then(|| Iter::new(extent, begin, axis))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_isa::Scope;

    fn gaps_of(axes: &[Axis], scope: Scope, block: i64) -> Result<Vec<(i64, i64)>, &'static str> {
        let layout = Layout::new(axes.iter().map(|&axis| Iter::new(2, 1, axis)).collect::<Vec<_>>());
        let threads = Threads::all(scope, Some(block));
        let count = threads.count().unwrap();
        let found = gaps(&layout, Role::Src, &threads, count, true).map_err(|refusal| refusal.cause)?;
        Ok(found.into_iter().map(|iter| (iter.extent, iter.stride)).collect())
    }

    #[test]
    fn what_no_axis_counts_is_a_gap() {
        assert_eq!(gaps_of(&[Axis::LaneId], Scope::Warp, 128), Ok(vec![]));
        assert_eq!(gaps_of(&[Axis::LaneId], Scope::Cta, 128), Ok(vec![(4, 32)]));
        assert_eq!(gaps_of(&[Axis::WarpId], Scope::Cta, 128), Ok(vec![(32, 1)]));
        assert_eq!(gaps_of(&[Axis::LaneId, Axis::WgId], Scope::Cta, 256), Ok(vec![(4, 32)]));
        assert_eq!(gaps_of(&[Axis::Memory], Scope::Warpgroup, 256), Ok(vec![(128, 1)]));
        assert_eq!(gaps_of(&[Axis::TidInWg], Scope::Cta, 192), Ok(vec![(2, 128)]));
        assert_eq!(gaps_of(&[], Scope::Thread, 32), Ok(vec![]));
    }

    #[test]
    fn wider_axes_need_a_block_of_one_scope() {
        assert_eq!(gaps_of(&[Axis::Tx], Scope::Warp, 32), Ok(vec![]));
        assert_eq!(gaps_of(&[Axis::Tx], Scope::Warp, 64), Err("thread-axis-wider-than-scope"));
        assert_eq!(gaps_of(&[Axis::Tx, Axis::LaneId], Scope::Cta, 64), Err("thread-axes-conflict"));
    }
}
