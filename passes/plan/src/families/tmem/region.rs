//! Regions of tensor memory, and the checks of the sides of both plans: stage 3 also reads plans written by hand.
//!
//! Tensor memory has 128 lanes of 512 columns of 32 bits; an address is `lane << 16 | column` (PTX ISA, tensor memory
//! addressing). Layouts count its columns in elements.

use thiserror::Error;
use tile_isa::{Space, TENSOR_COLUMNS as COLUMNS, TENSOR_LANES as LANES};
use tile_layout::{Axis, Iter, Layout, counted, gcd};

use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::DynamicTerm;
use crate::sides::region::region_parts;
use crate::sides::side::{Side, SideError};

/// Address distance between adjacent lanes.
pub(crate) const LANE: i64 = 1 << 16;

/// Bits of a column of a lane, and of a register.
pub(crate) const COLUMN_BITS: i64 = 32;

/// Distance between adjacent lanes in bits of columns; larger than all columns of a lane.
pub(crate) const LANE_BITS: i64 = LANE * COLUMN_BITS;

/// The region of a tensor-memory operand with elements of `bits`. Its run-time terms are in address units, and move in
/// steps of `step` bits along the columns (a multiple of 32).
///
/// # Errors
/// `lanes-exceeded` and `columns-exceeded` for a buffer larger than tensor memory; those of
/// [`region_side`](crate::sides::region::region_side); `dynamic-begin-not-divisible` for a start inside a step.
pub(crate) fn tensor_side(operand: &Operand, role: Role, bits: u32, step: u32) -> Result<Side, Refusal> {
    check_size(operand, role, bits)?;
    let (mut layout, terms) = region_parts(operand, role)?;
    let mut dynamic = Vec::with_capacity(terms.len());
    for term in terms {
        let unit = if term.axis == Axis::TCol { i64::from(step / bits.min(step)) } else { 1 };
        let term = whole_units(&mut layout, term, unit).ok_or_else(|| begins_inside(role, term, unit))?;
        dynamic.push(DynamicTerm { stride: address_of(term.axis, term.stride, bits), axis: Axis::Memory, ..term });
    }
    Ok(Side { space: operand.space, layout, dynamic, strides: Vec::new(), align_bytes: operand.align_bytes })
}

fn check_size(operand: &Operand, role: Role, bits: u32) -> Result<(), Refusal> {
    let lanes = operand.layout.span(Axis::TLane);
    if lanes > LANES {
        let reason = format!("the {role} reaches lane {}; tensor memory has lanes 0 to {}", lanes - 1, LANES - 1);
        return Err(Refusal::of(role, "lanes-exceeded", reason));
    }
    let held = i128::from(operand.layout.span(Axis::TCol)) * i128::from(bits);
    let columns = (held + i128::from(COLUMN_BITS) - 1) / i128::from(COLUMN_BITS);
    if columns > i128::from(COLUMNS) {
        let reason = format!("the {role} takes {columns} columns of 32 bits; tensor memory has {COLUMNS}");
        return Err(Refusal::of(role, "columns-exceeded", reason));
    }
    Ok(())
}

/// The term with steps that are whole units of `unit` elements; the part of its residue that is left over goes to the
/// layout's offset.
///
/// ```text
///   columns of 2 elements, value ≡ 6 (mod 8), stride 1:   floor(value / 2) * 2
///   value ≡ 1 (mod 8):                                    floor(value / 2) * 2, and 1 more in the offset
///   value ≡ 0 (mod 1):                                    none
/// ```
pub(crate) fn whole_units(layout: &mut Layout, term: DynamicTerm, unit: i64) -> Option<DynamicTerm> {
    let steps = unit / gcd(unit, term.stride.checked_abs()?);
    if term.divisor % steps != 0 {
        return None;
    }
    let low = term.residue % steps;
    if low != 0 {
        let offset = layout.offset.entry(term.axis).or_default();
        *offset = offset.checked_add(low.checked_mul(term.stride)?)?;
    }
    Some(DynamicTerm {
        div: term.div.checked_mul(steps)?,
        stride: term.stride.checked_mul(steps)?,
        divisor: term.divisor / steps,
        residue: term.residue / steps,
        ..term
    })
}

/// The refusal where [`whole_units`] returns `None`.
pub(crate) fn begins_inside(role: Role, term: DynamicTerm, unit: i64) -> Refusal {
    let DynamicTerm { div, stride, divisor, residue, .. } = term;
    let reason = format!(
        "the {role}'s start moves by {} a run-time value; the value (divided by {div}) is known as \
         {residue} modulo {divisor}, and steps of {} are needed",
        counted(stride, "time"),
        counted(unit, "element")
    );
    Refusal::of(role, "dynamic-begin-not-divisible", reason)
}

/// A distance on an axis of tensor memory, in elements of `bits`, as a distance of addresses. Fractions of a column are
/// dropped.
pub(crate) fn address_of(axis: Axis, distance: i64, bits: u32) -> i64 {
    match axis {
        Axis::TLane => distance.saturating_mul(LANE),
        Axis::TCol => distance.saturating_mul(i64::from(bits)) / COLUMN_BITS,
        _ => 0,
    }
}

/// Iters of tensor memory as iters of its addresses.
pub(crate) fn address_iters(iters: &[Iter], bits: u32) -> Vec<Iter> {
    iters.iter().map(|iter| Iter::memory(iter.extent, address_of(iter.axis, iter.stride, bits))).collect()
}

/// The static part of a side's start, as an address.
pub(crate) fn address_offset(layout: &Layout, bits: u32) -> i64 {
    layout.offset.iter().fold(0i64, |sum, (&axis, &value)| sum.saturating_add(address_of(axis, value, bits)))
}

pub(super) fn check_side(side: &Side, space: Space, allowed: impl Fn(Axis) -> bool) -> Result<(), RegionError> {
    if side.space != space {
        return Err(RegionError::Space { got: side.space, needed: space });
    }
    side.validate(space.name())?;
    let other = side.layout.axes().find(|axis| !allowed(*axis));
    other.map_or(Ok(()), |axis| Err(RegionError::Axis { space, axis }))
}

/// What is wrong with the sides of a plan for tensor memory.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum RegionError {
    #[error("a side is in {got} memory; needed {needed}")]
    Space { got: Space, needed: Space },
    #[error(transparent)]
    Side(#[from] SideError),
    #[error("the {space} side has the axis '{axis}'")]
    Axis { space: Space, axis: Axis },
    #[error("one side counts {0:?}, the other {1:?}")]
    Extents(Vec<i64>, Vec<i64>),
    /// Something that is no multiple of `unit`: `what` names it.
    #[error("{what} {number}; needed multiples of {unit}")]
    Multiple { what: &'static str, number: i64, unit: i64 },
}

/// The first `count` iters of a side, which number instructions, and the remainder.
pub(super) fn split(side: &Side, count: usize) -> (&[Iter], &[Iter]) {
    let shard = &side.layout.shard;
    shard.split_at(count.min(shard.len()))
}

pub(super) fn same_extents(one: &[Iter], other: &[Iter]) -> Result<(), RegionError> {
    let [one, other] = [one, other].map(|iters| iters.iter().map(|iter| iter.extent).collect::<Vec<_>>());
    if one == other { Ok(()) } else { Err(RegionError::Extents(one, other)) }
}

pub(super) fn multiples(
    what: &'static str,
    mut numbers: impl Iterator<Item = i64>,
    unit: i64,
) -> Result<(), RegionError> {
    let other = numbers.find(|number| number % unit != 0);
    other.map_or(Ok(()), |number| Err(RegionError::Multiple { what, number, unit }))
}

/// Number of elements of the iters.
pub(super) fn size(iters: &[Iter]) -> i64 {
    iters.iter().fold(1i64, |size, iter| size.saturating_mul(iter.extent))
}

pub(super) fn tensor_unit(iter: &Iter, bits: i64) -> i64 {
    if iter.axis == Axis::TLane { LANE_BITS } else { bits }
}

/// The location of each position, in order; a stride counts in the `unit` of its iter.
pub(super) fn places(iters: &[Iter], unit: impl Fn(&Iter) -> i64) -> Vec<i64> {
    let mut places = vec![0i64];
    for iter in iters {
        let step = iter.stride.saturating_mul(unit(iter));
        let next = |place: i64| (0..iter.extent).map(move |digit| place.saturating_add(step.saturating_mul(digit)));
        places = places.into_iter().flat_map(next).collect();
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(stride: i64, divisor: i64, residue: i64) -> DynamicTerm {
        DynamicTerm { value: 0, div: 1, stride, axis: Axis::TCol, divisor, residue }
    }

    #[test]
    fn a_residue_inside_a_unit_is_static() {
        let mut layout = Layout::default();
        let whole = whole_units(&mut layout, term(1, 8, 5), 4).unwrap();
        assert_eq!((whole.div, whole.stride, whole.divisor, whole.residue), (4, 4, 2, 1));
        assert_eq!(layout.offset_on(Axis::TCol), 1);
        assert_eq!(whole_units(&mut layout, term(1, 2, 0), 4), None);
        let whole = whole_units(&mut layout, term(6, 2, 1), 4).unwrap();
        assert_eq!((whole.div, whole.stride, whole.divisor, whole.residue), (2, 12, 1, 0));
        assert_eq!(layout.offset_on(Axis::TCol), 7);
    }

    #[test]
    fn addresses_count_lanes_and_columns() {
        let layout = Layout::default().with_offset(Axis::TLane, 16).with_offset(Axis::TCol, 6);
        assert_eq!(address_offset(&layout, 16), (16 << 16) + 3);
        assert_eq!(address_of(Axis::TCol, 3, 64), 6);
        assert_eq!(address_of(Axis::Memory, 3, 32), 0);
    }
}
