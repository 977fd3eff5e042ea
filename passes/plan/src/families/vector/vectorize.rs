//! The widest vector that is proven, and the rounds and threads around it.

use tile_layout::counted;

use crate::families::vector::plan::{AlignedCopy, VectorCopy};
use crate::families::vector::shuffle;
use crate::families::vector::split::split;
use crate::families::vector::verify::check_aligned;
use crate::problem::refusal::{Narrowing, Refusal};
use crate::problem::scope::Which;
use crate::sides::width;
use crate::target::{Target, engine};

/// Chooses the widest vector of at most `max_bits` that is proven legal on both sides, and splits the copy into
/// `[rounds, threads, vector]`. A narrowing says why each wider one was not.
///
/// ```text
///   warp, 32x32 f32, both row-major:   (1024) : (1)   ->   (8, 32, 4) : (128, 4, 1)   8 rounds of 128 bits
/// ```
///
/// One element is always legal, unless a width was forced. `cp.async` moves 4, 8 or 16 bytes: there one element is a
/// width only where it has that many.
///
/// Where lanes hold runs of several vectors in global memory, a warp-shuffle transpose lets neighbouring lanes access
/// whole lines.
///
/// # Errors
/// `malformed-aligned-copy` when `copy` is not what stage 1 makes; the blocker's cause when a forced width is illegal;
/// `share-under-4-bytes` or `vector-limit-under-4-bytes` when `cp.async` cannot do it; `chip-lacks-cp-async`.
pub fn vectorize(copy: &AlignedCopy, target: &Target, max_bits: u32) -> Result<(VectorCopy, Vec<Narrowing>), Refusal> {
    let per_thread = check_aligned(copy)?;
    if copy.uses_cp_async() {
        engine::CP_ASYNC.check(target, "cp.async needs")?;
    }
    if let Some(bits) = copy.forced_bits {
        let vector = i64::from(bits / copy.element_bits);
        return match obstacle(copy, per_thread, vector, bits) {
            None => Ok((finished(copy, target, per_thread, vector), Vec::new())),
            Some(narrowing) => Err(narrowing.into()),
        };
    }
    let mut narrowings = Vec::new();
    for bits in widths(copy, target, max_bits) {
        let vector = i64::from(bits / copy.element_bits);
        match obstacle(copy, per_thread, vector, bits) {
            None => return Ok((finished(copy, target, per_thread, vector), narrowings)),
            Some(narrowing) => narrowings.push(narrowing),
        }
    }
    if copy.uses_cp_async() {
        return Err(too_narrow(narrowings.pop(), max_bits));
    }
    Ok((finished(copy, target, per_thread, 1), narrowings))
}

/// Rounds, threads and the vector, whose width is legal, and the lanes of a warp-shuffle transpose.
fn finished(copy: &AlignedCopy, target: &Target, per_thread: i64, vector: i64) -> VectorCopy {
    let mut plan = split(copy, per_thread, vector);
    plan.exchange = shuffle::lanes(&plan, target);
    plan
}

/// Why `cp.async` has no width: `narrowest` stands against the least that was tried.
fn too_narrow(narrowest: Option<Narrowing>, max_bits: u32) -> Refusal {
    let Some(Narrowing { bits, reason, operand, .. }) = narrowest else {
        let reason = format!("cp.async moves 32, 64 or 128 bits; vectors are limited to {max_bits}");
        return Refusal::new("vector-limit-under-4-bytes", reason);
    };
    let reason = format!("cp.async moves 4, 8 or 16 bytes; {} are not possible: {reason}", bits / 8);
    Refusal { operand, ..Refusal::new("share-under-4-bytes", reason) }
}

/// Candidate widths of more than one element, widest first; for `cp.async` one element is a candidate too.
fn widths(copy: &AlignedCopy, target: &Target, max_bits: u32) -> impl Iterator<Item = u32> {
    let (element, cp_async) = (copy.element_bits, copy.uses_cp_async());
    let widest = target.widest_access(copy.src.space).min(target.widest_access(copy.dst.space));
    let limit = max_bits.min(widest);
    let more = move |bits: u32| bits <= limit && bits > element && bits.is_multiple_of(element);
    let widths = copy.transfer.widths().iter().copied();
    widths.filter(move |&bits| more(bits) || (cp_async && bits == element))
}

/// What makes a width illegal, if anything.
fn obstacle(copy: &AlignedCopy, per_thread: i64, vector: i64, bits: u32) -> Option<Narrowing> {
    if per_thread % vector != 0 {
        let (threads, elements) = (counted(copy.threads, "thread"), counted(per_thread, "element"));
        let reason = format!("each of {threads} has {elements}; needed a multiple of {vector}");
        return Some(Narrowing { bits, cause: "elements-per-thread", reason, operand: None });
    }
    let bytes = i64::from(copy.element_bits / 8);
    width::obstacle(&copy.src, Which::Src, vector, bits, bytes)
        .or_else(|| width::obstacle(&copy.dst, Which::Dst, vector, bits, bytes))
}
