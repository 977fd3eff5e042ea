//! The common steps of the inverses of products and sums: take apart, subtract, rebuild and compare.
//!
//! Each inverse only guesses the other factor; [`Inverse::confirm`] then performs the forward operation and compares,
//! so that a returned layout always is the other factor.

use std::collections::BTreeMap;

use crate::address::expect_count;
use crate::check::shape_size;
use crate::{Axis, Fusion, Iter, Layout, LayoutError};

/// One question "is `part` a factor of `whole`?".
pub(crate) struct Inverse {
    /// The role of the part, for the refusal.
    operation: &'static str,
    /// The canonical layout of the whole.
    pub(crate) whole: Layout,
    /// The shape of the other factor.
    pub(crate) other_shape: Vec<i64>,
}

impl Inverse {
    pub(crate) fn new(
        operation: &'static str,
        whole: &Layout,
        whole_shape: &[i64],
        part: &Layout,
        part_shape: &[i64],
    ) -> Result<Self, LayoutError> {
        whole.expect_shape(whole_shape)?;
        part.expect_shape(part_shape)?;
        expect_count("dimensions of the factor's shape", part_shape.len(), whole_shape.len())?;
        let mut inverse = Inverse { operation, whole: whole.canonicalize(Fusion::None), other_shape: Vec::new() };
        for (dim, (&whole, &part)) in whole_shape.iter().zip(part_shape).enumerate() {
            if whole % part != 0 {
                return Err(inverse.refuse(format!("dimension {dim} has extent {whole}, no multiple of {part}")));
            }
            inverse.other_shape.push(whole / part);
        }
        shape_size(&inverse.other_shape)?;
        Ok(inverse)
    }

    pub(crate) fn refuse(&self, reason: String) -> LayoutError {
        LayoutError::NoFactor { operation: self.operation, reason }
    }

    /// The iters of the slow and of the fast part of each dimension.
    pub(crate) fn take_apart(&self, slow: &[i64], fast: &[i64]) -> Result<[Vec<Iter>; 2], LayoutError> {
        let shape: Vec<i64> = slow.iter().zip(fast).flat_map(|(&slow, &fast)| [slow, fast]).collect();
        let (grouped, seps) = self.whole.group(&shape).map_err(|error| self.refuse(error.to_string()))?;
        let mut parts = [Vec::new(), Vec::new()];
        for (position, ends) in seps.windows(2).enumerate() {
            parts[position % 2].extend(grouped.shard.get(ends[0]..ends[1]).unwrap_or_default());
        }
        Ok(parts)
    }

    /// `shard` with the whole's replica and offset, less those of `part`.
    pub(crate) fn without(&self, part: &Layout, shard: Vec<Iter>) -> Result<Layout, LayoutError> {
        let parts = part.canonicalize(Fusion::None).replica;
        let replica = without_copies(&self.whole.replica, &parts, &mut { MAX_COPIES }).ok_or_else(|| {
            let parts: Vec<String> = parts.iter().map(Iter::to_string).collect();
            self.refuse(format!("its replica has no part {}", parts.join(", ")))
        })?;
        let mut offset = self.whole.offset.clone();
        for (&axis, &value) in &part.offset {
            let left = offset.entry(axis).or_default();
            let too_large = || LayoutError::TooLarge { what: "offset", got: format!("{left} - {value}") };
            *left = left.checked_sub(value).ok_or_else(too_large)?;
        }
        Ok(Layout { shard, replica, offset, swizzle: None })
    }

    /// The candidate, if the forward operation on it gives the whole.
    pub(crate) fn confirm(
        &self,
        candidate: Layout,
        forward: impl FnOnce(&Layout) -> Result<Layout, LayoutError>,
    ) -> Result<Layout, LayoutError> {
        match forward(&candidate) {
            Ok(rebuilt) if same(&rebuilt, &self.whole) => Ok(candidate.canonicalize(Fusion::None)),
            Ok(rebuilt) => {
                Err(self.refuse(format!("with {candidate} the result would be {rebuilt}, not {}", self.whole)))
            }
            Err(error) => Err(self.refuse(format!("the other side would be {candidate}, but {error}"))),
        }
    }
}

/// Whether two canonical layouts are the same. Replica iters that overlap can be joined in more than one way, so their
/// lists may differ: then the locations are compared.
fn same(a: &Layout, b: &Layout) -> bool {
    a.shard == b.shard
        && a.offset == b.offset
        && a.swizzle == b.swizzle
        && (a.replica == b.replica || copies(&a.replica).is_some_and(|places| Some(places) == copies(&b.replica)))
}

/// The most copies that are compared one by one.
const MAX_COPIES: usize = 4096;

/// The sorted locations of the copies, with multiplicity; `None` for too many.
fn copies(replica: &[Iter]) -> Option<Vec<Vec<(Axis, i64)>>> {
    let mut places: Vec<BTreeMap<Axis, i64>> = vec![BTreeMap::new()];
    for iter in replica {
        let extent = usize::try_from(iter.extent).ok()?;
        if places.len().checked_mul(extent)? > MAX_COPIES {
            return None;
        }
        let mut next = Vec::with_capacity(places.len() * extent);
        for place in places {
            for digit in 0..iter.extent {
                let mut moved = place.clone();
                let total = moved.entry(iter.axis).or_default();
                *total = total.checked_add(digit.checked_mul(iter.stride)?)?;
                next.push(moved);
            }
        }
        places = next;
    }
    let mut places: Vec<Vec<_>> = places.into_iter().map(|place| place.into_iter().collect()).collect();
    places.sort_unstable();
    Some(places)
}

/// The rest of `replica` without the copies of all `parts`, which may be joined with others in it.
///
/// An iter may be part of several iters of `replica`: `2:6` and `4:6` can be removed from `4:6, 6:6` only if the first
/// is removed from `6:6`. All possibilities are tried, up to the number that `tries` allows.
fn without_copies(replica: &[Iter], parts: &[Iter], tries: &mut usize) -> Option<Vec<Iter>> {
    let Some((part, others)) = parts.split_first() else { return Some(replica.to_vec()) };
    replica.iter().enumerate().find_map(|(position, whole)| {
        *tries = tries.checked_sub(1)?;
        let left = without(whole, part)?;
        let rest = replica.iter().enumerate().filter(|(other, _)| *other != position).map(|(_, iter)| *iter);
        let rest: Vec<Iter> = rest.chain(left.into_iter().filter(|iter| iter.extent > 1)).collect();
        without_copies(&rest, others, tries)
    })
}

/// The two iters that remain of an iter when a part of it is removed: `2:4` out of `16:1` leaves `4:1` and `2:8`.
fn without(whole: &Iter, part: &Iter) -> Option<[Iter; 2]> {
    let same = whole.axis == part.axis && whole.stride.signum() == part.stride.signum();
    if !same || part.stride.checked_rem(whole.stride)? != 0 {
        return None;
    }
    let below = part.stride.checked_div(whole.stride)?;
    let used = below.checked_mul(part.extent)?;
    let above = Iter::new(whole.extent.checked_div(used)?, part.stride.checked_mul(part.extent)?, part.axis);
    let even = whole.extent.checked_rem(used)? == 0;
    even.then_some([Iter::new(below, whole.stride, whole.axis), above])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replicated(replica: &[(i64, i64)]) -> Layout {
        Layout::new([Iter::memory(2, 1)])
            .with_replica(replica.iter().map(|&(extent, stride)| Iter::memory(extent, stride)).collect::<Vec<_>>())
    }

    #[test]
    fn parts_come_out_of_the_iters_that_leave_the_others() {
        let iter = |(extent, stride)| Iter::memory(extent, stride);
        let left = |replica: &[(i64, i64)], parts: &[(i64, i64)]| {
            let [replica, parts] = [replica, parts].map(|iters| iters.iter().copied().map(iter).collect::<Vec<_>>());
            without_copies(&replica, &parts, &mut { MAX_COPIES })
        };
        assert_eq!(left(&[(16, 1)], &[(2, 4)]), Some(vec![iter((4, 1)), iter((2, 8))]));
        assert_eq!(left(&[(4, 6), (6, 6)], &[(2, 6), (4, 6)]), Some(vec![iter((3, 12))]));
        assert_eq!(left(&[(4, 6), (6, 6)], &[(4, 6), (4, 6)]), None);
        assert_eq!(left(&[(4, 1)], &[(3, 1)]), None);
    }

    #[test]
    fn ways_to_join_copies_do_not_matter() {
        // 4:4 and 16:4 can be joined in either order.
        assert!(same(&replicated(&[(4, 4), (16, 4)]), &replicated(&[(16, 4), (4, 4)])));
        assert!(same(&replicated(&[(4, 4), (4, 4), (4, 16)]), &replicated(&[(4, 4), (16, 4)])));
        assert!(!same(&replicated(&[(4, 4), (8, 4)]), &replicated(&[(4, 4), (16, 4)])));
        assert!(!same(&replicated(&[(1 << 40, 1)]), &replicated(&[(1 << 20, 1)])));
    }
}
