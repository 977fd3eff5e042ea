//! `tile.planned_copy`: a plan that the planner accepts, and operands that fit it.

use melior::ir::{OperationRef, ValueLike};
use tile_layout::{Axis, counted};
use tile_plan::families::carried::{Carried, CarriedClauses, CarriedSide};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::problem::effect::Effect;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::{ValueList, ValueUse};

use super::asynchronous::is_barrier;
use super::copy::filler;
use super::outcome;
use crate::error::{VerifyError, mismatch};
use crate::memref::bit_width;
use crate::ops::PlannedOp;
use crate::{BufferType, Space, TensorMapType};

pub(crate) fn planned_copy(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(PlannedOp(op)))
}

fn check(op: PlannedOp<'_, '_>) -> Result<(), VerifyError> {
    let plan = op.plan().ok_or(VerifyError::Incomplete)?;
    let carried = plan.carried().ok_or(VerifyError::Incomplete)?;
    check_clauses(op, carried)?;
    check_maps(op, plan)?;
    let sides = sides(op, carried)?;
    for (side, role, buffer) in &sides {
        check_side(role.name(), side, *buffer, carried.mask().is_some())?;
    }
    plan.verify()?;
    let dst = check_types(plan, &sides)?;
    check_effect(op, plan, dst)?;
    check_values(op, plan)
}

/// The sides of the plan, each with its buffer.
fn sides<'p, 'c>(
    op: PlannedOp<'c, '_>,
    plan: &'p dyn Carried,
) -> Result<Vec<(CarriedSide<'p>, Role, BufferType<'c>)>, VerifyError> {
    let roles = op.roles();
    let (got, expected) = (op.buffer_count(), roles.len());
    if got != expected {
        let names: Vec<&str> = roles.iter().map(|role| role.name()).collect();
        return Err(mismatch!("{}", counted(got, "buffer"); expected "the plan's {}", names.join(" and ")));
    }
    let side = |role| Some((plan.side(role)?, role, BufferType::from_type(op.buffer(role)?.r#type())?));
    roles.into_iter().map(|role| side(role).ok_or(VerifyError::Incomplete)).collect()
}

/// Checks that the clauses are ones that the plan's instructions have.
fn check_clauses(op: PlannedOp<'_, '_>, plan: &dyn Carried) -> Result<(), VerifyError> {
    if let Some(barrier) = op.barrier() {
        is_barrier(barrier.r#type())?;
    }
    if op.zero_fills() && op.predicate().is_none() {
        return Err(VerifyError::NoPredicate("zero_fill"));
    }
    let clauses = CarriedClauses {
        barrier: op.barrier().is_some(),
        remote_cta: op.remote_cta().is_some(),
        cta_mask: op.cta_mask().is_some(),
        predicate: op.predicate().is_some(),
    };
    Ok(plan.check_clauses(clauses)?)
}

/// Checks that the operands are the plan's tensor maps.
fn check_maps(op: PlannedOp<'_, '_>, plan: &CopyPlan) -> Result<(), VerifyError> {
    let (given, maps) = (op.maps(), plan.tensor_maps().collect::<Vec<_>>());
    if given.len() != maps.len() {
        let (got, expected) = (counted(given.len(), "tensor map"), maps.len());
        return Err(mismatch!("{got}"; expected "the plan's {expected}"));
    }
    for (number, (given, map)) in given.into_iter().zip(maps).enumerate() {
        let stated = TensorMapType::from_type(given.r#type()).and_then(TensorMapType::map);
        if stated.as_ref() != Some(map) {
            let (got, expected) = (given.r#type(), map.to_text().unwrap_or_default());
            return Err(mismatch!("{got} as map {number}"; expected "the plan's <{expected}>"));
        }
    }
    let rows = if let CopyPlan::TensorMap(copy) = plan { copy.named_rows() } else { 0 };
    let ends = matches!(plan, CopyPlan::TensorMap(copy) if copy.until);
    if op.until().is_some() != ends {
        let until = |is: bool| if is { "until" } else { "no until" };
        return Err(mismatch!("{}", until(!ends); expected "the plan's {}", until(ends)));
    }
    let offsets = if let CopyPlan::TensorMap(copy) = plan { copy.filter_offsets() } else { 0 };
    if op.filter().len() != offsets {
        return Err(mismatch!("{} of a filter", counted(op.filter().len(), "offset"); expected "the plan's {offsets}"));
    }
    if op.rows().len() as i64 != rows {
        return Err(mismatch!("{}", counted(op.rows().len(), "row number"); expected "the plan's {rows}"));
    }
    Ok(())
}

/// Checks that a side of the plan is inside its buffer.
fn check_side(
    name: &'static str,
    side: &CarriedSide<'_>,
    buffer: BufferType<'_>,
    masked: bool,
) -> Result<(), VerifyError> {
    side.layout.validate().map_err(|error| VerifyError::SideLayout { name, error })?;
    if side.space != buffer.space() {
        let (got, expected) = (side.space.name(), buffer.space().name());
        return Err(mismatch!("a plan with the {name} in {got} memory"; expected "{expected}, that of the buffer"));
    }
    let element = buffer.element();
    if bit_width(element) != Some(side.bits) {
        let bits = counted(side.bits, "bit");
        return Err(mismatch!("a plan with elements of {bits} in the {name}"; expected "those of {element}"));
    }
    let (whole, used) = (buffer.layout(), side.layout.stride_count());
    let (got, expected) = (side.strides, whole.stride_count());
    if got != expected && got != 0 || used > got {
        let got = counted(got, "run-time stride");
        return Err(mismatch!("{got} of the {name} and a layout of {used}"; expected "the buffer's {expected}"));
    }
    // The end of an open buffer is not known, and a masked copy may extend beyond the end.
    let axes = [Axis::Memory, Axis::TLane, Axis::TCol].into_iter().chain(Axis::STRIDES);
    for axis in axes.filter(|_| !whole.is_open() && !masked) {
        let (inside, whole) = (side.layout.span(axis), whole.span(axis));
        if inside > whole {
            return Err(VerifyError::SideReach { name, axis, last: inside - 1, whole });
        }
    }
    let threads = side.layout.shard.iter().any(|iter| iter.axis.is_thread() && iter.extent > 1);
    if buffer.space() != Space::Local && threads {
        return Err(VerifyError::ThreadAxes(name));
    }
    Ok(())
}

/// Checks that the plan converts and combines elements of the buffers' types, and returns the buffer that is written.
fn check_types<'c>(
    plan: &CopyPlan,
    sides: &[(CarriedSide<'_>, Role, BufferType<'c>)],
) -> Result<BufferType<'c>, VerifyError> {
    let (Some((.., src)), Some((.., dst))) = (sides.first(), sides.last()) else {
        return Err(VerifyError::Incomplete);
    };
    let (from, to) = (src.element().to_string(), dst.element().to_string());
    if let Some(conversion) = plan.conversion()
        && (conversion.from.name() != from || conversion.to.name() != to)
    {
        return Err(mismatch!("a plan that converts {conversion}"; expected "{from} to {to}"));
    }
    match plan.reduces(&to).filter(|reduced| !reduced.fits) {
        Some(reduced) => Err(mismatch!("a plan that reduces by {}", reduced.by; expected "one that reduces {to}")),
        None => Ok(*dst),
    }
}

/// Checks the value that fills.
fn check_effect(op: PlannedOp<'_, '_>, plan: &CopyPlan, dst: BufferType<'_>) -> Result<(), VerifyError> {
    let fills = plan.effect() == Effect::Filled;
    if fills && op.filler().is_none() {
        return Err(mismatch!("no fill value"; expected "one: the plan fills"));
    }
    let fills_outside = plan.carried().and_then(Carried::mask).is_some_and(|mask| mask.fill.is_some());
    if fills_outside && op.filler().is_none() {
        return Err(mismatch!("no fill value"; expected "one: the plan fills what is outside"));
    }
    filler(op.filler(), fills || fills_outside, dst)
}

/// Checks that each index of the plan is that of a run-time value, and that each value is used.
fn check_values(op: PlannedOp<'_, '_>, plan: &CopyPlan) -> Result<(), VerifyError> {
    let lists = [
        (ValueList::Of(Role::Src), "the source"),
        (ValueList::Of(Role::Dst), "the destination"),
        (ValueList::Mask, "the mask"),
    ];
    check_counts(op)?;
    let mut used = lists.map(|(list, _)| vec![false; op.values(list).len()]);
    let mut missing = None;
    let mut plan = plan.clone();
    if let Some(carried) = plan.carried_mut() {
        carried.each_value(&mut |ValueUse { list, index, .. }| {
            let place = lists.iter().position(|(known, _)| *known == list).unwrap_or_default();
            match used[place].get_mut(*index) {
                Some(used) => *used = true,
                None => missing = Some((place, *index)),
            }
        });
    }
    if let Some((list, index)) = missing {
        let (name, count) = (lists[list].1, counted(used[list].len(), "run-time value"));
        return Err(mismatch!("{count} of {name}"; expected "a value {index}, which the plan uses"));
    }
    for ((_, name), used) in lists.iter().zip(&used) {
        if let Some(unused) = used.iter().position(|used| !used) {
            return Err(VerifyError::UnusedValue { index: unused, name });
        }
    }
    Ok(())
}

/// Checks that the run-time values are as many as the buffers have together.
fn check_counts(op: PlannedOp<'_, '_>) -> Result<(), VerifyError> {
    let counts = op.value_counts();
    let all = counts.iter().try_fold(0i64, |all, count| all.checked_add(*count).filter(|_| *count >= 0));
    let (got, buffers) = (op.value_count(), op.buffer_count());
    if counts.len() == buffers && all.and_then(|all| usize::try_from(all).ok()) == Some(got) {
        return Ok(());
    }
    let values = counted(got, "run-time value");
    Err(mismatch!("value_counts {counts:?}"; expected "one for each of {buffers} buffers, {values} together"))
}
