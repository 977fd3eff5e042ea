//! Takes the iters that an instruction prescribes out of the common iters of a copy.

use tile_layout::Axis;

use crate::sides::order::Pair;

/// Takes positions `0, stride, …, (extent - 1) * stride` of the driving side's `axis` out of the pairs; slowest first.
/// `None` where no pairs count exactly these.
///
/// ```text
///   pairs  64:1  2:64        take 128:1   ->   2:64 64:1, nothing is left
///   pairs  128:1             take  32:1   ->   32:1, and 4:32 is left
/// ```
pub(crate) fn take_run(pairs: &mut Vec<Pair>, axis: Axis, extent: i64, stride: i64) -> Option<Vec<Pair>> {
    let (mut needed, mut at) = (extent, stride);
    let mut taken = Vec::new();
    while needed > 1 {
        let index = pairs.iter().position(|pair| pair.axis == axis && pair.lead == at)?;
        let pair = pairs[index];
        if needed % pair.extent == 0 {
            taken.push(pairs.remove(index));
            needed /= pair.extent;
            at = at.checked_mul(pair.extent)?;
        } else if pair.extent % needed == 0 {
            let (outer, inner) = pair.split(needed);
            pairs[index] = outer;
            taken.push(inner);
            needed = 1;
        } else {
            return None;
        }
    }
    taken.reverse();
    Some(taken)
}

/// The pairs of the slower positions, and those of the `inner` fastest ones; `None` where that cuts a pair unevenly.
pub(crate) fn cut(pairs: &[Pair], inner: i64) -> Option<(Vec<Pair>, Vec<Pair>)> {
    let (mut outer, mut fast) = (pairs.to_vec(), Vec::new());
    let mut needed = inner;
    while needed > 1 {
        let pair = outer.pop()?;
        if needed % pair.extent == 0 {
            fast.push(pair);
            needed /= pair.extent;
        } else if pair.extent % needed == 0 {
            let (rest, part) = pair.split(needed);
            outer.push(rest);
            fast.push(part);
            needed = 1;
        } else {
            return None;
        }
    }
    fast.reverse();
    Some((outer, fast))
}

/// The other side's distance between adjacent positions, where it is constant; 0 for a single position.
pub(crate) fn follow_stride(pairs: &[Pair]) -> Option<i64> {
    let continues = |ends: &[Pair]| ends[1].follow.checked_mul(ends[1].extent) == Some(ends[0].follow);
    pairs.windows(2).all(continues).then(|| pairs.last().map_or(0, |pair| pair.follow))
}

/// The most locations that are enumerated where the strides alone do not decide.
const ENUMERATED: i64 = 1 << 12;

/// Whether the locations that iters of `(extent, stride)` count are at least `width` apart. Interleaved iters with more
/// than [`ENUMERATED`] locations are assumed not to be.
///
/// ```text
///   2 : 8, 2 : 4     0 4 8 12      4 apart
///   2 : 8, 2 : 6     0 6 8 14      2 apart
/// ```
pub(crate) fn apart(digits: impl IntoIterator<Item = (i64, i64)>, width: i64) -> bool {
    let mut digits: Vec<(i64, i64)> = digits.into_iter().filter(|(extent, _)| *extent != 1).collect();
    digits.sort_unstable_by_key(|(_, stride)| *stride);
    let nested = digits.iter().try_fold(width, |reach, &(extent, stride)| {
        if stride < reach { None } else { stride.checked_mul(extent - 1)?.checked_add(reach) }
    });
    if nested.is_some() {
        return true;
    }
    let count = digits.iter().fold(1i64, |count, (extent, _)| count.saturating_mul(*extent));
    if count > ENUMERATED {
        return false;
    }
    let mut places = vec![0i64];
    for (extent, stride) in digits {
        let next = |place: i64| (0..extent).map(move |step| place.saturating_add(stride.saturating_mul(step)));
        places = places.into_iter().flat_map(next).collect();
    }
    places.sort_unstable();
    places.windows(2).all(|ends| ends[1].saturating_sub(ends[0]) >= width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_apart_or_not() {
        assert!(apart([(2, 8), (2, 4)], 4) && !apart([(2, 8), (2, 4)], 5));
        assert!(apart([(2, 8), (2, 6)], 2) && !apart([(2, 8), (2, 6)], 3));
        assert!(apart([(2, -4)], 4) && apart([(1, 0)], 4) && !apart([(2, 0)], 1));
        assert!(!apart([(1 << 40, 1), (2, 1)], 1));
        assert!(apart([(1 << 40, 1)], 1));
    }

    fn pairs(digits: &[(i64, i64, i64)]) -> Vec<Pair> {
        digits
            .iter()
            .map(|&(extent, lead, follow)| Pair {
                extent,
                lead,
                axis: Axis::TLane,
                follow,
                follow_axis: Axis::Memory,
                moves: (0, 0),
            })
            .collect()
    }

    #[test]
    fn takes_what_counts_the_positions() {
        let mut from = pairs(&[(64, 1, 8), (2, 64, 4)]);
        assert_eq!(take_run(&mut from, Axis::TLane, 128, 1), Some(pairs(&[(2, 64, 4), (64, 1, 8)])));
        assert!(from.is_empty());
        let mut from = pairs(&[(128, 1, 8)]);
        assert_eq!(take_run(&mut from, Axis::TLane, 32, 1), Some(pairs(&[(32, 1, 8)])));
        assert_eq!(from, pairs(&[(4, 32, 256)]));
        assert_eq!(take_run(&mut from, Axis::TLane, 2, 1), None);
        assert_eq!(take_run(&mut from, Axis::TCol, 2, 32), None);
        assert_eq!(take_run(&mut pairs(&[(6, 1, 1)]), Axis::TLane, 4, 1), None);
        assert_eq!(take_run(&mut from, Axis::TLane, 1, 7), Some(Vec::new()));
    }

    #[test]
    fn cuts_the_fast_positions_off() {
        let rows = pairs(&[(2, 64, 512), (32, 1, 16)]);
        assert_eq!(cut(&rows, 8), Some((pairs(&[(2, 64, 512), (4, 8, 128)]), pairs(&[(8, 1, 16)]))));
        assert_eq!(cut(&rows, 128), None);
        assert_eq!(cut(&pairs(&[(6, 1, 1)]), 4), None);
        assert_eq!((follow_stride(&rows), follow_stride(&[])), (Some(16), Some(0)));
        assert_eq!(follow_stride(&pairs(&[(2, 64, 1024), (32, 1, 16)])), None);
    }
}
