//! The requirements on every instruction of a copy.

use tile_isa::{MAX_INSTRUCTIONS, TmemShape, WARP};
use tile_layout::Axis;

use super::places::Places;
use crate::families::tmem::region::{COLUMN_BITS, LANE, LANE_BITS};
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::digits::apart;
use crate::sides::order::Pair;

/// Requires every instruction to start at a whole register, at a whole column, and at a lane that its warps reach.
pub(super) fn check_instructions(
    places: &Places,
    shape: TmemShape,
    num: i64,
    instructions: &[Pair],
) -> Result<(), Refusal> {
    let (bits, tmem) = (i64::from(places.bits), places.local.other());
    let offset = places.registers.layout.offset_on(Axis::Memory).saturating_mul(bits);
    if let Some(at) = inside_32_bits(offset, instructions.iter().map(|pair| pair.lead)) {
        let reason = format!("the {} begins {at} bits into its registers; needed a multiple of 32", places.local);
        return Err(Refusal::of(places.local, "register-misaligned", reason));
    }
    let offset = places.tmem.layout.offset_on(Axis::TCol).saturating_mul(bits);
    if let Some(at) = inside_32_bits(offset, instructions.iter().map(|pair| pair.follow)) {
        let reason = format!("the {tmem} begins {at} bits into its lanes; needed a multiple of 32");
        return Err(Refusal::of(tmem, "columns-misaligned", reason));
    }
    check_lanes(places, shape, instructions)?;
    let count = instructions.iter().fold(1i64, |count, pair| count.saturating_mul(pair.extent));
    if count > MAX_INSTRUCTIONS {
        let reason = format!("each warp would issue {count} instructions; needed {MAX_INSTRUCTIONS} at most");
        return Err(Refusal::new("too-many-instructions", reason));
    }
    check_own_places(places, shape, num, instructions)
}

/// Requires that no two instructions write the same register, or the same column of a lane.
fn check_own_places(places: &Places, shape: TmemShape, num: i64, instructions: &[Pair]) -> Result<(), Refusal> {
    let placed = |place: fn(&Pair) -> i64| instructions.iter().map(move |pair| (pair.extent, place(pair)));
    let are_apart = if places.load {
        apart(placed(|pair| pair.lead), COLUMN_BITS * num * shape.registers())
    } else {
        apart(placed(|pair| pair.follow), COLUMN_BITS * num * shape.columns())
    };
    if are_apart {
        return Ok(());
    }
    let reason = "the destination has several elements in one place; needed one";
    Err(Refusal::of(Role::Dst, "destination-overlaps", reason))
}

fn inside_32_bits(offset: i64, mut steps: impl Iterator<Item = i64>) -> Option<i64> {
    if offset % COLUMN_BITS != 0 { Some(offset) } else { steps.find(|step| step % COLUMN_BITS != 0) }
}

/// A warp reaches the 32 lanes of its quarter: a shape of 32 lanes must start at the first, one of 16 may also start in
/// the middle.
fn check_lanes(places: &Places, shape: TmemShape, instructions: &[Pair]) -> Result<(), Refusal> {
    let tmem = places.local.other();
    if places.tmem.dynamic.iter().any(|term| term.stride.saturating_abs() >= LANE) {
        let reason = format!("the {tmem} begins at a run-time lane; needed a lane that is known");
        return Err(Refusal::of(tmem, "dynamic-lane", reason));
    }
    let step = shape.lanes();
    let first = places.tmem.layout.offset_on(Axis::TLane);
    let mut last = first;
    let mut even = first % step == 0;
    for pair in instructions {
        let lanes = pair.follow / LANE_BITS;
        last = last.saturating_add((pair.extent - 1).saturating_mul(lanes));
        even &= lanes >= 0 && lanes % step == 0;
    }
    if even && last < WARP {
        return Ok(());
    }
    let allowed = if step == WARP { "0" } else { "0 or 16" };
    let reason = format!(
        "{} of warp 0 would begin at lanes {first} to {last} of the {tmem}; a warp reaches its own {WARP} lanes only: \
         needed lane {allowed}",
        shape.name()
    );
    Err(Refusal::of(tmem, "lanes-not-reached", reason))
}
