//! The requirements on every copy, whichever variant takes it. The op's verifier makes the same checks.

use tile_isa::{ELEMENT_BITS, Scope, Space, element_widths, threads_of};
use tile_layout::{Axis, counted};

use crate::problem::effect::check_effect;
use crate::problem::operands::Operand;
use crate::problem::overlap::check_one_place_each;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{Begin, DynamicTerm, check_strides};
use crate::problem::threads::{MAX_BLOCK, Threads};
use crate::problem::{Element, Problem};

/// Checks that the copy is well-formed: the element, the threads, each operand, both operands together, and load hints.
///
/// # Errors
/// The first defect, with what was got and needed, and the operand at fault.
pub fn check_copy(problem: &Problem) -> Result<(), Refusal> {
    check_without_hints(problem)?;
    check_cache(problem)
}

/// The same without load hints, for a variant that has its own hints.
pub(crate) fn check_without_hints(problem: &Problem) -> Result<(), Refusal> {
    check_element(&problem.element)?;
    check_conversion(problem)?;
    check_threads(&problem.threads)?;
    for (role, operand) in problem.operands.iter() {
        check_operand(operand, role, problem)?;
    }
    check_extents(problem)?;
    check_mask(problem)?;
    check_effect(problem)?;
    check_one_place_each(problem)
}

fn check_element(element: &Element) -> Result<(), Refusal> {
    if ELEMENT_BITS.contains(&element.bits) {
        return Ok(());
    }
    let bits = counted(element.bits, "bit");
    let reason = format!("elements of type {} have {bits}; needed {}", element.name, element_widths());
    Err(Refusal::new("element-width-unsupported", reason))
}

/// Requires a conversion to start from the elements of the source.
fn check_conversion(problem: &Problem) -> Result<(), Refusal> {
    let Some(conversion) = problem.conversion.filter(|conversion| conversion.from.name() != problem.element.name)
    else {
        return Ok(());
    };
    let reason = format!("converts {conversion}, but the source has elements of type {}", problem.element.name);
    Err(Refusal::new("different-elements", reason))
}

fn check_threads(threads: &Threads) -> Result<(), Refusal> {
    match threads.block {
        None if threads.scope == Scope::Cta => Err(Refusal::new(
            "block-size-unknown",
            "a copy at cta scope needs to know the block's size; got a function without known_block_size",
        )),
        Some(block) if !(1..=MAX_BLOCK).contains(&block) => Err(Refusal::new(
            "block-size-out-of-range",
            format!("got a block of {block} threads; needed 1 to {MAX_BLOCK}"),
        )),
        _ => Ok(()),
    }
}

fn check_operand(operand: &Operand, role: Role, problem: &Problem) -> Result<(), Refusal> {
    check_layout(operand, role)?;
    check_axes(operand, role, &problem.threads)?;
    check_region(operand, role)?;
    check_run_time(operand, role)?;
    check_alignment(operand, role, i64::from(problem.bits_of(role) / 8))
}

fn check_layout(operand: &Operand, role: Role) -> Result<(), Refusal> {
    operand.layout.validate().map_err(|error| Refusal::of(role, "invalid-layout", error.to_string()))?;
    let positive = operand.shape.iter().all(|&extent| extent >= 1);
    let size = operand.shape.iter().try_fold(1i64, |size, &extent| size.checked_mul(extent));
    match size {
        Some(size) if positive && size == operand.layout.size() => Ok(()),
        _ => {
            let (shape, got) = (&operand.shape, counted(operand.layout.size(), "element"));
            let reason = format!("shape {shape:?} does not have the {got} of the {role}'s layout");
            Err(Refusal::of(role, "layout-size-differs", reason))
        }
    }
}

/// Requires axes that the memory space has, and thread axes that count no further than there are threads.
fn check_axes(operand: &Operand, role: Role, threads: &Threads) -> Result<(), Refusal> {
    for axis in operand.layout.axes() {
        let fits = match operand.space {
            Space::Global => axis.is_address(),
            Space::Shared => axis == Axis::Memory,
            Space::Local => axis == Axis::Memory || units_in_block(axis, threads).is_some(),
            Space::Tmem => matches!(axis, Axis::TLane | Axis::TCol),
        };
        if !fits {
            let reason = format!("a {} buffer has no axis '{axis}'", operand.space);
            return Err(Refusal::of(role, "axis-not-of-space", reason));
        }
        let (span, units) = (operand.layout.span(axis), units_in_block(axis, threads).unwrap_or(i64::MAX));
        if span > units {
            let reason = format!("the {role}'s layout counts to {span} on '{axis}'; there are {units}");
            return Err(Refusal::of(role, "thread-axis-too-long", reason));
        }
    }
    Ok(())
}

/// The number of units that a thread axis can count within a block; `None` for an axis that is no thread axis of a
/// block.
fn units_in_block(axis: Axis, threads: &Threads) -> Option<i64> {
    let (counted, within) = axis.levels()?;
    let size = |level| threads_of(level, Some(threads.block.unwrap_or(MAX_BLOCK)));
    let (unit, whole) = (size(counted)?, size(within)?);
    Some((whole + unit - 1) / unit)
}

fn check_region(operand: &Operand, role: Role) -> Result<(), Refusal> {
    let rank = operand.shape.len();
    if operand.begin.len() != rank || operand.extent.len() != rank {
        let (begins, extents) = (counted(operand.begin.len(), "begin"), counted(operand.extent.len(), "extent"));
        let reason = format!("got {begins} and {extents} for the {role}; its rank is {rank}");
        return Err(Refusal::of(role, "region-rank-differs", reason));
    }
    for (dim, ((begin, &extent), &limit)) in operand.begin.iter().zip(&operand.extent).zip(&operand.shape).enumerate() {
        let lowest = lowest_begin(*begin);
        let end = lowest.and_then(|lowest| lowest.checked_add(extent));
        if extent < 1 || end.is_none_or(|end| end > limit) {
            let begin = describe_begin(*begin);
            let reason = format!(
                "dimension {dim} of the {role}'s region is {} from {begin} on; needed a non-empty part of [0, {limit})",
                counted(extent, "element")
            );
            return Err(Refusal::of(role, "region-out-of-bounds", reason));
        }
    }
    Ok(())
}

/// Checks the run-time parts of the address: the terms of the origin, and a stride for each stride axis.
fn check_run_time(operand: &Operand, role: Role) -> Result<(), Refusal> {
    let axes = operand.layout.axes().chain(operand.origin.iter().map(|term| term.axis));
    check_strides(role.name(), axes, &operand.strides)
        .map_err(|error| Refusal::of(role, "invalid-layout", error.to_string()))?;
    let on_axis = |axis: Axis| match operand.space {
        Space::Tmem => matches!(axis, Axis::TLane | Axis::TCol),
        _ => axis.is_address(),
    };
    let known = |term: &&DynamicTerm| term.div < 1 || lowest_begin(term.begin()).is_none() || !on_axis(term.axis);
    operand.origin.iter().find(known).map_or(Ok(()), |term| {
        let reason =
            format!("the {role}'s origin moves by {} of a run-time value on axis '{}'", term.stride, term.axis);
        Err(Refusal::of(role, "invalid-layout", reason))
    })
}

/// The smallest possible begin; `None` when it is malformed.
fn lowest_begin(begin: Begin) -> Option<i64> {
    match begin {
        Begin::Const(value) => (value >= 0).then_some(value),
        Begin::Dynamic { divisor, residue, .. } => (divisor >= 1 && (0..divisor).contains(&residue)).then_some(residue),
    }
}

fn describe_begin(begin: Begin) -> String {
    match begin {
        Begin::Const(value) => value.to_string(),
        Begin::Dynamic { divisor, residue, .. } => format!("a run-time value ≡ {residue} (mod {divisor})"),
    }
}

fn check_alignment(operand: &Operand, role: Role, element_bytes: i64) -> Result<(), Refusal> {
    let align = operand.align_bytes;
    if align >= 1 && align % element_bytes == 0 {
        return Ok(());
    }
    let align = counted(align, "byte");
    let reason = format!("the {role} is aligned to {align}; needed a multiple of the element's {element_bytes}");
    Err(Refusal::of(role, "element-misaligned", reason))
}

/// Requires a mask to count the elements of the region. Masks of operations always do: they are built from the region.
fn check_mask(problem: &Problem) -> Result<(), Refusal> {
    let checked = problem.mask.as_ref().map_or(Ok(()), |mask| mask.check(problem.elements()));
    checked.map_err(|error| Refusal::new("malformed-mask", error.to_string()))
}

/// Requires both regions of a copy to have the same extents, apart from unit extents.
fn check_extents(problem: &Problem) -> Result<(), Refusal> {
    let Ok((src, dst)) = problem.sides() else { return Ok(()) };
    let [src, dst] = [src, dst].map(|operand| operand.extent.iter().copied().filter(|&extent| extent != 1));
    if src.clone().eq(dst.clone()) {
        return Ok(());
    }
    let (src, dst) = (src.collect::<Vec<_>>(), dst.collect::<Vec<_>>());
    let reason = format!("the source region is {src:?} without unit extents, the destination region {dst:?}");
    Err(Refusal::new("extents-differ", reason))
}

/// Requires a global source for cache hints: all of them are hints for loads from global memory.
fn check_cache(problem: &Problem) -> Result<(), Refusal> {
    if problem.cache.is_empty() {
        return Ok(());
    }
    let space = problem.operand(Role::Src)?.space;
    if space == Space::Global {
        return Ok(());
    }
    let reason = format!("cache hints need a global source; got {space}");
    Err(Refusal::of(Role::Src, "cache-needs-global-source", reason))
}
