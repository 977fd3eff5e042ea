//! Is a tensor-memory copy what stage 1 makes? Stage 3 also reads copies that were written by hand.

use tile_layout::{Axis, Iter};

use crate::families::tmem::region::LANE_BITS;
use crate::problem::scope::Space;
use crate::sides::side::Side;

pub(super) fn check_side(side: &Side, space: Space, allowed: impl Fn(Axis) -> bool) -> Result<(), String> {
    if side.space != space {
        return Err(format!("a side is in {} memory; needed {space}", side.space));
    }
    side.validate(space.name())?;
    if let Some(axis) = side.layout.axes().into_iter().find(|axis| !allowed(*axis)) {
        return Err(format!("the {space} side has the axis '{axis}'"));
    }
    Ok(())
}

/// The digits that number instructions, of which a side has so many, and the remainder.
pub(super) fn split(side: &Side, count: usize) -> (&[Iter], &[Iter]) {
    let shard = &side.layout.shard;
    shard.split_at(count.min(shard.len()))
}

pub(super) fn same_extents(one: &[Iter], other: &[Iter]) -> Result<(), String> {
    let [one, other] = [one, other].map(|iters| iters.iter().map(|iter| iter.extent).collect::<Vec<_>>());
    if one == other { Ok(()) } else { Err(format!("one side counts {one:?}, the other {other:?}")) }
}

pub(super) fn multiples(what: &str, mut numbers: impl Iterator<Item = i64>, of: i64) -> Result<(), String> {
    match numbers.find(|number| number % of != 0) {
        Some(number) => Err(format!("{what} {number}; needed multiples of {of}")),
        None => Ok(()),
    }
}

/// Number of elements; those of one instruction are few.
pub(super) fn size(iters: &[Iter]) -> i64 {
    iters.iter().fold(1i64, |size, iter| size.saturating_mul(iter.extent))
}

pub(super) fn tensor_unit(iter: &Iter, bits: i64) -> i64 {
    if iter.axis == Axis::TLane { LANE_BITS } else { bits }
}

/// The place of each position, in order; a stride counts in `unit`s of its iter.
pub(super) fn places(iters: &[Iter], unit: impl Fn(&Iter) -> i64) -> Vec<i64> {
    let mut places = vec![0i64];
    for iter in iters {
        let step = iter.stride.saturating_mul(unit(iter));
        let next = |place: i64| (0..iter.extent).map(move |digit| place.saturating_add(step.saturating_mul(digit)));
        places = places.into_iter().flat_map(next).collect();
    }
    places
}
