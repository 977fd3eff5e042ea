//! May vectors of some width be used on a side? The proof is [`tile_layout::vector`]'s; what is added here are names for
//! the causes.

use tile_layout::vector::{Access, Cause, DynamicTerm, check_width};
use tile_layout::{Axis, Iter, counted};

use crate::problem::refusal::{Narrowing, Refusal};
use crate::problem::scope::Which;
use crate::sides::order::gcd;
use crate::sides::side::Side;

/// What stands against vectors of `vector` elements (`bits` bits) on one side; `None` where they are legal.
pub(crate) fn obstacle(side: &Side, which: Which, vector: i64, bits: u32, element_bytes: i64) -> Option<Narrowing> {
    let narrowing = |cause, reason: String| Some(Narrowing { bits, cause, reason, operand: Some(which) });
    let run = side.layout.shard.last().map_or(1, |iter| iter.extent);
    if run % vector != 0 {
        let reason = format!("the {which} holds runs of {}; needed a multiple of {vector}", counted(run, "element"));
        return narrowing("run-too-short", reason);
    }
    let torn = |chunk: i64| {
        let reason = format!("the {which}'s swizzle keeps {} together; needed {vector}", counted(chunk, "element"));
        narrowing("swizzle-chunk-too-small", reason)
    };
    // A swizzle that moves nothing still says how many elements belong together.
    if let Some(still) = side.layout.swizzle.filter(|swizzle| swizzle.len == 0 && swizzle.chunk() % vector != 0) {
        return torn(still.chunk());
    }
    let (iters, dynamic) = (known_iters(side), known_terms(side));
    let access = Access {
        iters: &iters,
        offset: side.layout.offset_on(Axis::Memory),
        dynamic: &dynamic,
        swizzle: side.layout.swizzle,
        element_bytes,
        base_alignment: side.align_bytes,
    };
    let blocker = check_width(&access, vector).err()?;
    match blocker.cause {
        Cause::Swizzle(swizzle) => torn(swizzle.chunk()),
        cause => narrowing(cause_name(cause), format!("the {which}: {blocker}")),
    }
}

/// The iters in elements of memory. Of a run-time stride only a divisor is known: any multiple of it stands for it, as only
/// divisibility is asked, and one is taken that continues no other iter.
fn known_iters(side: &Side) -> Vec<Iter> {
    /// Odd, so that it adds no factor of a width.
    const LONG: i64 = (1 << 20) + 1;
    let known = |iter: &Iter| match iter.axis.stride_index() {
        Some(index) => Iter::memory(iter.extent, iter.stride.saturating_mul(divisor(side, index)).saturating_mul(LONG)),
        None => *iter,
    };
    side.layout.shard.iter().map(known).collect()
}

/// The run-time parts of the address in elements of memory. What moves by a run-time stride moves by a multiple of the
/// product of both divisors, of which no remainder is known.
fn known_terms(side: &Side) -> Vec<DynamicTerm> {
    let steps = |stride: i64, index: usize, by: i64| DynamicTerm {
        stride: stride.saturating_mul(divisor(side, index)).saturating_mul(by.max(1)),
        divisor: 1,
        residue: 0,
    };
    let term = |term: &crate::sides::side::DynamicTerm| match term.axis.stride_index() {
        Some(index) => steps(term.stride, index, gcd(term.divisor, term.residue)),
        None => DynamicTerm { stride: term.stride, divisor: term.divisor, residue: term.residue },
    };
    let offsets = side.layout.offset.iter().filter_map(|(axis, &offset)| Some((axis.stride_index()?, offset)));
    side.dynamic.iter().map(term).chain(offsets.map(|(index, offset)| steps(offset, index, 1))).collect()
}

/// What is known to divide a run-time stride, as far as a width can ask for it.
fn divisor(side: &Side, index: usize) -> i64 {
    /// More elements than any access moves.
    const MOST: i64 = 1 << 10;
    side.strides.get(index).map_or(1, |stride| gcd(stride.divisor, MOST))
}

/// Refuses vectors that are not legal.
pub(crate) fn legal(side: &Side, which: Which, vector: i64, bits: u32, element_bytes: i64) -> Result<(), Refusal> {
    obstacle(side, which, vector, bits, element_bytes).map_or(Ok(()), |narrowing| Err(narrowing.into()))
}

fn cause_name(cause: Cause) -> &'static str {
    match cause {
        Cause::Innermost(_) => "not-contiguous",
        Cause::Extent(_) => "run-too-short",
        Cause::Offset => "offset-not-divisible",
        Cause::Stride(_) => "stride-not-divisible",
        Cause::Dynamic(..) => "dynamic-begin-not-divisible",
        Cause::Swizzle(_) => "swizzle-chunk-too-small",
        Cause::Base => "storage-alignment",
    }
}
