//! Chooses the widest vector that is proven legal, and the rounds and threads around it.

use tile_layout::{Iter, Layout};

use crate::families::vector::both::{self, Vectors};
use crate::families::vector::obstacles::{obstacle, too_wide, uneven};
use crate::families::vector::plan::{MatchedCopy, VectorCopy};
use crate::families::vector::shuffle;
use crate::families::vector::split::{rounds, split};
use crate::families::vector::verify::check_aligned;
use crate::problem::effect::Effect;
use crate::problem::refusal::{Narrowing, Refusal};
use crate::problem::role::Role;
use crate::sides::side::Side;
use crate::target::{Target, engine};

/// Chooses the widest vector of at most `max_bits` that is proven legal on both sides, and splits the copy into
/// `[rounds, threads, vector]`. A narrowing says why each wider one was not.
///
/// ```text
///   warp, 32x32 f32, both row-major:   (1024) : (1)   ->   (8, 32, 4) : (128, 4, 1)   8 rounds of 128 bits
///   warp, 4x6 f32, both row-major:     (24) : (1)     ->   (6, 4) : (4, 1)            1 round of 128 bits, by 6 lanes
/// ```
///
/// Where all threads can have equally many vectors, these are as wide as that allows, unless wider ones take fewer
/// rounds: 1024 elements are one each for 1024 threads, not four each for 256.
///
/// One element is always legal, unless a width was forced. `cp.async` moves 4, 8 or 16 bytes: there one element is
/// legal only if it has one of these sizes.
///
/// Where elements are converted or reduced, a vector may take several accesses of one side (`both`).
///
/// Where lanes hold runs of several vectors in global memory, a warp-shuffle transpose lets adjacent lanes access whole
/// lines.
///
/// # Errors
/// `malformed-matched-copy` when `copy` is not a plan that stage 1 makes; the blocker's cause when a forced width is
/// illegal; `share-under-4-bytes` or `vector-limit-under-4-bytes` when `cp.async` cannot do it; `chip-lacks-cp-async`.
pub fn vectorize(copy: &MatchedCopy, target: &Target, max_bits: u32) -> Result<(VectorCopy, Vec<Narrowing>), Refusal> {
    check_aligned(copy)?;
    let plain = in_runs(copy, target, max_bits);
    let is_narrowed = plain.as_ref().map_or(true, |(_, narrowings)| !narrowings.is_empty());
    let Some(longer) = with_longer_runs(copy).filter(|_| is_narrowed) else { return plain };
    match (&plain, in_runs(&longer, target, max_bits)) {
        (Err(_), Ok(wider)) => Ok(wider),
        (Ok((narrow, _)), Ok(wider)) if wider.0.vector > narrow.vector => Ok(wider),
        _ => plain,
    }
}

/// The same copy with the runs that its fastest iter makes of the one before it, on both sides and in the mask.
///
/// Unless something is masked, the sides have such runs already. Where a limit is one of rows, its predicate is that of all
/// vectors of a row; so rows are only joined where that makes vectors wider.
pub(crate) fn with_longer_runs(copy: &MatchedCopy) -> Option<MatchedCopy> {
    let mask = copy.mask.as_ref()?;
    let run = mask.digits.iter().rev().find(|digit| digit.extent != 1)?.extent;
    let joined = |side: &Side| -> Option<Side> {
        let (threads, rest) = side.layout.shard.split_at_checked(copy.thread_iters)?;
        let mut rest: Vec<Iter> = rest.iter().filter(|iter| iter.extent != 1).copied().collect();
        let inner = rest.pop().filter(|inner| inner.extent == run)?;
        let outer = rest.last_mut().filter(|outer| outer.axis == inner.axis)?;
        let is_run = outer.stride == inner.stride.checked_mul(run)?;
        (outer.extent, outer.stride) = (outer.extent.checked_mul(run)?, inner.stride);
        let shard = [threads, &rest].concat();
        is_run.then(|| Side { layout: Layout { shard, ..side.layout.clone() }, ..side.clone() })
    };
    let src = match &copy.src {
        Some(src) => Some(joined(src)?),
        None => None,
    };
    let longer = MatchedCopy { src, dst: joined(&copy.dst)?, mask: Some(mask.with_longer_runs()?), ..copy.clone() };
    check_aligned(&longer).is_ok().then_some(longer)
}

/// The plan with the widest vectors of the runs that the copy has.
fn in_runs(copy: &MatchedCopy, target: &Target, max_bits: u32) -> Result<(VectorCopy, Vec<Narrowing>), Refusal> {
    if copy.uses_cp_async() {
        engine::CP_ASYNC.check(target, "cp.async needs")?;
    }
    if let Some(bits) = copy.forced_bits {
        let vector = i64::from(bits / copy.widest_element());
        check_forced(copy, bits, target)?;
        let limit = if copy.thread_iters > 0 { uneven(copy, vector, bits) } else { None };
        return match limit.or_else(|| obstacle(copy, vector)) {
            None => Ok((finished(copy, target, vector, [1, 1]), Vec::new())),
            Some(narrowing) => Err(narrowing.into()),
        };
    }
    if copy.converts_or_reduces() {
        let (Vectors { vector, accesses }, narrowings) = both::best(copy, target, max_bits);
        return Ok((finished(copy, target, vector, accesses), narrowings));
    }
    let (vector, mut narrowings) = best(copy, target, max_bits);
    match vector {
        Some(vector) => Ok((finished(copy, target, vector, [1, 1]), narrowings)),
        None => Err(too_narrow(narrowings.pop(), max_bits)),
    }
}

/// Requires a forced width of a reduction to be that of one instruction.
fn check_forced(copy: &MatchedCopy, bits: u32, target: &Target) -> Result<(), Refusal> {
    let widths = copy.effect.widths(copy.transfer.widths(), |red| target.red_forms(red, copy.dst.space));
    if widths.contains(&bits) || !matches!(copy.effect, Effect::Reduced(_)) {
        return Ok(());
    }
    Err(too_wide(bits, &widths, target).into())
}

/// The vector with the fewest rounds, preferring equal shares, and the obstacles to wider ones.
fn best(copy: &MatchedCopy, target: &Target, max_bits: u32) -> (Option<i64>, Vec<Narrowing>) {
    let equal = widest(copy, target, max_bits, uneven);
    // Nothing is wider; with a thread part, shares are equal anyway.
    if copy.thread_iters > 0 || (equal.0.is_some() && equal.1.is_empty()) {
        return equal;
    }
    let any = widest(copy, target, max_bits, |_, _, _| None);
    let rounds = |vector: Option<i64>| vector.map_or(i64::MAX, |vector| rounds(copy, vector));
    if rounds(equal.0) <= rounds(any.0) && equal.0.is_some() { equal } else { any }
}

/// The widest vector that neither its sides nor `other` rule out; `None` where not even one element is possible.
fn widest(
    copy: &MatchedCopy,
    target: &Target,
    max_bits: u32,
    other: impl Fn(&MatchedCopy, i64, u32) -> Option<Narrowing>,
) -> (Option<i64>, Vec<Narrowing>) {
    let mut narrowings = Vec::new();
    for bits in widths(copy, target, max_bits) {
        let vector = i64::from(bits / copy.element_bits);
        match other(copy, vector, bits).or_else(|| obstacle(copy, vector)) {
            None => return (Some(vector), narrowings),
            Some(narrowing) => narrowings.push(narrowing),
        }
    }
    let element = !copy.uses_cp_async() && other(copy, 1, copy.element_bits).is_none();
    (element.then_some(1), narrowings)
}

/// The plan with a vector whose width is legal, and with the lanes of a warp-shuffle transpose.
fn finished(copy: &MatchedCopy, target: &Target, vector: i64, accesses: [i64; 2]) -> VectorCopy {
    let mut plan = VectorCopy { accesses, ..split(copy, vector) };
    if plan.mask.is_none() && plan.effect != Effect::Filled {
        plan.exchange = shuffle::lanes(&plan, target);
    }
    if copy.rotates {
        plan.rotation = plan.rotating_row().unwrap_or(1);
    }
    plan
}

/// Why `cp.async` has no width: `narrowest` is the obstacle to the narrowest width tried.
fn too_narrow(narrowest: Option<Narrowing>, max_bits: u32) -> Refusal {
    let Some(Narrowing { bits, reason, operand, .. }) = narrowest else {
        let reason = format!("cp.async moves 32, 64 or 128 bits; vectors are limited to {max_bits}");
        return Refusal::new("vector-limit-under-4-bytes", reason);
    };
    let reason = format!("cp.async moves 4, 8 or 16 bytes; {} are not possible: {reason}", bits / 8);
    Refusal { operand, ..Refusal::new("share-under-4-bytes", reason) }
}

/// Candidate widths of more than one element, widest first; for `cp.async` one element is a candidate too.
fn widths(copy: &MatchedCopy, target: &Target, max_bits: u32) -> impl Iterator<Item = u32> {
    let (element, cp_async) = (copy.element_bits, copy.uses_cp_async());
    let widest = target.widest_access(copy.side(Role::Src).space).min(target.widest_access(copy.dst.space));
    let limit = max_bits.min(widest);
    let more = move |bits: u32| bits <= limit && bits > element && bits.is_multiple_of(element);
    let widths = copy.transfer.widths().iter().copied();
    widths.filter(move |&bits| more(bits) || (cp_async && bits == element))
}
