//! Contiguous bytes of a region of memory with strides.

/// The most runs of contiguous bytes of a region that is followed.
const MAX_RUNS: i64 = 1 << 12;

/// The runs of contiguous bytes of a box, each by its first byte and the one after it, in ascending order. A dimension is given by the bytes
/// from one coordinate to the next and the number of coordinates. `None` where there are too many runs, or they may overlap.
///
/// ```
/// use tile_plan::sync::contiguous_runs;
///
/// // Two rows of 32 elements of 4 bytes, 256 bytes apart; rows that follow each other are one run.
/// assert_eq!(contiguous_runs([(256, 2), (4, 32)].into_iter(), 4), Some(vec![(0, 128), (256, 384)]));
/// assert_eq!(contiguous_runs([(128, 8), (4, 32)].into_iter(), 4), Some(vec![(0, 1024)]));
/// assert_eq!(
///     contiguous_runs([(4, 1), (8, 2), (32, 2)].into_iter(), 4),
///     Some(vec![(0, 4), (8, 12), (32, 36), (40, 44)])
/// );
/// // Rows that overlap, and more runs than are followed.
/// assert_eq!(contiguous_runs([(4, 4), (8, 2)].into_iter(), 4), None);
/// assert_eq!(contiguous_runs([(8, 1 << 13)].into_iter(), 4), None);
/// ```
pub fn contiguous_runs(dimensions: impl Iterator<Item = (i64, i64)>, bytes: i64) -> Option<Vec<(i64, i64)>> {
    let mut dimensions: Vec<_> = dimensions.filter(|(_, extent)| *extent != 1).collect();
    dimensions.sort_unstable();
    let (mut runs, mut end) = (vec![(0, bytes)], bytes);
    for (step, extent) in dimensions {
        if step < end {
            return None;
        }
        match runs[..] {
            [(_, one)] if step == one => runs = vec![(0, one.checked_mul(extent)?)],
            _ if extent.checked_mul(runs.len() as i64)? > MAX_RUNS => return None,
            _ => {
                let moved = |at: i64| runs.iter().map(move |&(begin, end)| (begin + at * step, end + at * step));
                runs = (0..extent).flat_map(moved).collect();
            }
        }
        end = step.checked_mul(extent - 1)?.checked_add(end)?;
    }
    Some(runs)
}
