//! Splits both sides of a copy into `cp.async.bulk` chunks, as long as possible.

use std::cmp::Reverse;

use tile_isa::CHUNK_BITS;
use tile_isa::bulk::check_bytes;
use tile_layout::{Axis, Layout, counted, gcd};

use crate::families::bulk::plan::BulkCopy;
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::order::{Pair, far, join, refine, sides};
use crate::sides::region::region_side;
use crate::sides::require::memory_base;
use crate::sides::side::Side;
use crate::sides::width::obstacle;

/// Splits both sides into chunks, as long as possible.
///
/// ```text
///   rows of 64 16-bit elements, swizzle<base = 3, bits = 3, shift = 3>
///     to the same swizzle, 8 rows further or 16     one chunk: both sides permute each row in the same way
///     to the same swizzle, 1 row further, or none   chunks of 8 elements, which both sides keep together
///     to swizzle<base = 2, bits = 3, shift = 3>, which keeps 8 bytes      refused
/// ```
///
/// # Errors
/// A region that is not a list of iters; too many bytes; no common refinement; runs that are not a multiple of 16
/// bytes; addresses not proven to be multiples of 16 bytes; a swizzle that keeps fewer bytes together.
pub(super) fn chunks(problem: &Problem) -> Result<BulkCopy, Refusal> {
    let element_bits = problem.element.bits;
    check_bytes(problem.elements(), element_bits).map_err(|reason| Refusal::new("too-many-bytes", reason))?;
    let (src, dst) = problem.sides()?;
    let (src, dst) = (region_side(src, Role::Src)?, region_side(dst, Role::Dst)?);
    let mut pairs = run_last(&src, &dst)?;
    let unit = i64::from(CHUNK_BITS / element_bits);
    let run = pairs.last().map_or(1, |run| run.extent);
    multiple_of_16(run, unit, element_bits)?;
    let (mut src, mut dst) = over(src, dst, &pairs);
    aligned(&src, Role::Src, unit, element_bits)?;
    aligned(&dst, Role::Dst, unit, element_bits)?;
    let chunk = if same_blocks(&src, &dst, run) {
        (src.layout.swizzle, dst.layout.swizzle) = (None, None);
        run
    } else {
        kept_together(&src, &dst, run, unit)?
    };
    if let Some((outer, inner)) = pairs.pop().map(|run| run.split(chunk)) {
        pairs.extend((outer.extent != 1).then_some(outer));
        pairs.push(inner);
    }
    let (src, dst) = over(src, dst, &pairs);
    Ok(BulkCopy { element_bits, chunk, src, dst, reduction: None, l2_evict: None })
}

/// The common iters of both sides. The last one is the run that is contiguous on both sides (a unit if there is none);
/// the others precede it by descending source stride, so that an iter that continues the run is joined to it.
fn run_last(src: &Side, dst: &Side) -> Result<Vec<Pair>, Refusal> {
    let mut pairs = refine(&src.layout.shard, &dst.layout.shard)
        .ok_or_else(|| Refusal::new("no-common-refinement", "the iters of the two sides have no common refinement"))?;
    let unit =
        |extent| Pair { extent, lead: 1, axis: Axis::Memory, follow: 1, follow_axis: Axis::Memory, moves: (0, 0) };
    let run = pairs.iter().rposition(|&pair| pair == unit(pair.extent)).map(|at| pairs.remove(at));
    pairs.sort_by_key(|pair| (pair.lead > 0, Reverse((far(pair.axis), pair.lead, pair.follow))));
    pairs.push(run.unwrap_or(unit(1)));
    Ok(join(&pairs))
}

/// The sides with layouts over these iters; a swizzle that exchanges nothing is dropped.
fn over(src: Side, dst: Side, pairs: &[Pair]) -> (Side, Side) {
    let with = |side: Side, shard| {
        let swizzle = side.layout.swizzle.filter(|swizzle| swizzle.len != 0);
        Side { layout: Layout { shard, swizzle, ..side.layout }, ..side }
    };
    let (lead, follow) = sides(pairs);
    (with(src, lead), with(dst, follow))
}

/// Whether both swizzles permute each run in the same way, so that the run can be copied as plain bytes.
///
/// They do if both sides have the same swizzle, runs are whole blocks of it (no address leaves its block), and the
/// addresses of an element on the two sides differ by a multiple of its period.
fn same_blocks(src: &Side, dst: &Side, run: i64) -> bool {
    let Some(swizzle) = src.layout.swizzle.filter(|&swizzle| dst.layout.swizzle == Some(swizzle)) else { return false };
    let (block, period) = (swizzle.block(), swizzle.period());
    let in_step = |(src, dst): (i64, i64)| (i128::from(src) - i128::from(dst)) % i128::from(period) == 0;
    let strides = |side: &Side| side.layout.shard.iter().map(|iter| iter.stride).collect::<Vec<_>>();
    let whole = run % block == 0 && starts_at(src, block) && starts_at(dst, block);
    let terms_in_step = src.dynamic.iter().chain(&dst.dynamic).all(|term| divides(period, term.stride, term.divisor));
    whole
        && terms_in_step
        && (memory_base(src) - memory_base(dst)) % i128::from(period) == 0
        && strides(src).into_iter().zip(strides(dst)).all(in_step)
}

/// Whether every run of a side starts at a multiple of `multiple` elements.
fn starts_at(side: &Side, multiple: i64) -> bool {
    let outer = side.layout.shard.split_last().map_or(&[][..], |(_, outer)| outer);
    outer.iter().all(|iter| iter.stride % multiple == 0)
        && side.dynamic.iter().all(|term| divides(multiple, term.stride, term.divisor))
        && memory_base(side) % i128::from(multiple) == 0
}

fn divides(multiple: i64, stride: i64, divisor: i64) -> bool {
    i128::from(stride) * i128::from(divisor) % i128::from(multiple) == 0
}

/// The number of consecutive elements of the run that the swizzles of both sides keep together, a multiple of `unit`.
fn kept_together(src: &Side, dst: &Side, run: i64, unit: i64) -> Result<i64, Refusal> {
    let mut chunk = run;
    for (side, role) in [(src, Role::Src), (dst, Role::Dst)] {
        let Some(kept) = side.layout.swizzle.map(|swizzle| swizzle.chunk()) else { continue };
        if kept < unit {
            let reason = format!(
                "the {role}'s swizzle keeps {} together; needed {unit}, 16 bytes, or whole blocks of the \
                 same swizzle on both sides",
                counted(kept, "element")
            );
            return Err(Refusal::of(role, "swizzle-chunk-too-small", reason));
        }
        chunk = gcd(chunk, kept);
        while chunk > unit && !starts_at(side, chunk) {
            chunk /= 2;
        }
    }
    Ok(chunk)
}

/// Requires a run that is contiguous on both sides to be a multiple of 16 bytes.
///
/// # Errors
/// `chunk-not-16-bytes`.
fn multiple_of_16(run: i64, unit: i64, element_bits: u32) -> Result<(), Refusal> {
    if run % unit == 0 {
        return Ok(());
    }
    let bytes = i128::from(run) * i128::from(element_bits) / 8;
    let reason = format!("chunk_bytes={bytes}, contiguous on both sides; needed 16 or a multiple");
    Err(Refusal::new("chunk-not-16-bytes", reason))
}

/// Requires chunks to start at multiples of 16 bytes before the swizzle. It moves whole chunks, so they do after it,
/// too.
///
/// # Errors
/// Why an address is not proven to be such a multiple.
fn aligned(side: &Side, role: Role, unit: i64, element_bits: u32) -> Result<(), Refusal> {
    let plain = Side { layout: Layout { swizzle: None, ..side.layout.clone() }, ..side.clone() };
    let narrowing = obstacle(&plain, role, unit, CHUNK_BITS, i64::from(element_bits / 8));
    narrowing.map_or(Ok(()), |limit| {
        let promise = match limit.cause {
            "dynamic-begin-not-divisible" => format!(" (tile.assume … divisible_by {unit} would promise it)"),
            "storage-alignment" => " (llvm.align = 16 on the memory would promise it)".to_owned(),
            _ => String::new(),
        };
        let reason = format!("its chunks begin at multiples of 16 bytes{promise}: {}", limit.reason);
        Err(Refusal { cause: limit.cause, reason, operand: limit.operand })
    })
}
