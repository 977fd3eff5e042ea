//! Numbers that stand for run-time strides while accesses are compared.

use tile_layout::{Axis, Layout};

/// The strides in elements, by how many a buffer has.
const ASSUMED: [&[i64]; 4] = [&[], &[1 << 40], &[1 << 44, 1 << 30], &[1 << 50, 1 << 38, 1 << 26]];

/// The largest offset in bytes that is computed with these strides; sums of two stay below 2^63.
const FURTHEST: i128 = 1 << 60;

/// The strides in elements that stand for `count` run-time strides of a buffer; `None` for none, or more than three.
///
/// A stride that is known only at run time gives no byte offsets. But the elements of a buffer have distinct addresses, so two
/// accesses through the same strides touch a common element exactly where their coordinates are equal. Any strides that keep
/// coordinates apart show that; these are large enough that no region reaches from one row into the next.
///
/// ```
/// // Element (3, 5) of (?, ?) : (1@s0, 1) is at 3 * 2^40 + 5.
/// assert_eq!(tile_plan::sync::assumed_strides(1), Some(&[1 << 40][..]));
/// ```
pub fn strides(count: usize) -> Option<&'static [i64]> {
    ASSUMED.get(count).copied().filter(|strides| !strides.is_empty())
}

/// As [`strides`], where all offsets of a layout, in elements of `bytes`, are small enough to compare.
pub(super) fn find(layout: &Layout, count: usize, bytes: i64) -> Option<&'static [i64]> {
    let strides = strides(count)?;
    let reach = |axis: Axis| {
        let steps = i128::from(layout.span(axis)) + i128::from(layout.offset.get(&axis).copied().unwrap_or(0)).abs();
        let stride = axis.stride_index().map_or(Some(1), |index| strides.get(index).copied());
        stride.map(|stride| steps * i128::from(stride))
    };
    let furthest = layout.axes().filter(|axis| axis.is_address()).map(reach).sum::<Option<i128>>()?;
    (furthest * i128::from(bytes) <= FURTHEST).then_some(strides)
}
