//! Whether vectors of a given width are legal on a side. The proof is in [`tile_layout::vector`]; this module adds
//! names for the causes.

use tile_layout::vector::{ResidueTerm, VectorAccess, VectorObstacle, check_width};
use tile_layout::{Axis, counted, gcd};

use crate::problem::refusal::{Narrowing, Refusal};
use crate::problem::role::Role;
use crate::problem::run_time;
use crate::sides::side::Side;

/// What rules out vectors of `vector` elements (`bits` bits) on one side; `None` where they are legal.
pub(crate) fn obstacle(side: &Side, role: Role, vector: i64, bits: u32, element_bytes: i64) -> Option<Narrowing> {
    let narrowing = |cause, reason: String| Some(Narrowing { bits, cause, reason, operand: Some(role) });
    let run = side.layout.shard.last().map_or(1, |iter| iter.extent);
    if run % vector != 0 {
        let reason = format!("the {role} holds runs of {}; needed a multiple of {vector}", counted(run, "element"));
        return narrowing("run-too-short", reason);
    }
    if let Some(last) = side.layout.shard.last().filter(|iter| vector > 1 && iter.axis.stride_index().is_some()) {
        let reason = format!("the {role}'s fastest iter is {last}, a run-time stride; needed stride 1");
        return narrowing("not-contiguous", reason);
    }
    let torn = |chunk: i64| {
        let reason = format!("the {role}'s swizzle keeps {} together; needed {vector}", counted(chunk, "element"));
        narrowing("swizzle-chunk-too-small", reason)
    };
    // A swizzle that moves nothing still says how many elements are kept together.
    if let Some(still) = side.layout.swizzle.filter(|swizzle| swizzle.len == 0 && swizzle.chunk() % vector != 0) {
        return torn(still.chunk());
    }
    if let Some(reason) = run_time_stride(side, role, vector) {
        return narrowing("run-time-stride-not-divisible", reason);
    }
    let in_memory = side.dynamic.iter().filter(|term| term.axis == Axis::Memory);
    let term = |term: &run_time::DynamicTerm| {
        let run_time::DynamicTerm { stride, divisor, residue, .. } = *term;
        ResidueTerm { stride, divisor, residue }
    };
    let dynamic: Vec<ResidueTerm> = in_memory.map(term).collect();
    let access = VectorAccess {
        iters: &side.layout.shard,
        offset: side.layout.offset_on(Axis::Memory),
        dynamic: &dynamic,
        swizzle: side.layout.swizzle,
        element_bytes,
        base_alignment: side.align_bytes,
    };
    let blocker = check_width(&access, vector).err()?;
    match blocker.cause {
        VectorObstacle::Swizzle(swizzle) => torn(swizzle.chunk()),
        VectorObstacle::Base => {
            let needed = vector * element_bytes;
            let promise =
                format!("memref.assume_alignment …, {needed} promises it of a memref, llvm.align of an argument");
            narrowing("storage-alignment", format!("the {role}: {blocker}; {promise}"))
        }
        cause => narrowing(cause_name(cause), format!("the {role}: {blocker}")),
    }
}

/// Checks that every part of the address that moves by a run-time stride moves by whole vectors. A stride may be any
/// multiple of its known divisor, so each part must be divisible by itself.
///
/// ```text
///   (16, 64) : (1@s0, 1) + 2@s0, %i * 1@s0      vectors of 8: s0 is a multiple of 8
///   (16, 64) : (2@s0, 1)                        vectors of 8: s0 is a multiple of 4
/// ```
fn run_time_stride(side: &Side, role: Role, vector: i64) -> Option<String> {
    let iters = side.layout.shard.iter().filter(|iter| iter.extent != 1).map(|iter| (iter.axis, iter.stride));
    let offsets = side.layout.offset.iter().map(|(&axis, &steps)| (axis, steps));
    let terms =
        side.dynamic.iter().map(|term| (term.axis, term.stride.saturating_mul(gcd(term.divisor, term.residue))));
    let steps = iters.chain(offsets).chain(terms);
    let needed = |(axis, steps): (Axis, i64)| {
        let index = axis.stride_index()?;
        let (known, needed) =
            (side.strides.get(index).map_or(1, |stride| stride.divisor), vector / gcd(vector, steps).abs());
        (known % needed != 0).then_some((needed, axis, known))
    };
    let (needed, axis, known) = steps.filter_map(needed).max()?;
    Some(format!(
        "the {role} steps by the run-time stride {axis}, known to be a multiple of {known}; needed a multiple of {needed}, which \
         tile.assume … divisible_by {needed} promises"
    ))
}

/// Refuses vectors that are not legal.
pub(crate) fn legal(side: &Side, role: Role, vector: i64, bits: u32, element_bytes: i64) -> Result<(), Refusal> {
    obstacle(side, role, vector, bits, element_bytes).map_or(Ok(()), |narrowing| Err(narrowing.into()))
}

fn cause_name(cause: VectorObstacle) -> &'static str {
    match cause {
        VectorObstacle::Innermost(_) => "not-contiguous",
        VectorObstacle::Extent(_) => "run-too-short",
        VectorObstacle::Offset => "offset-not-divisible",
        VectorObstacle::Stride(_) => "stride-not-divisible",
        VectorObstacle::Dynamic(..) => "dynamic-begin-not-divisible",
        VectorObstacle::Swizzle(_) => "swizzle-chunk-too-small",
        VectorObstacle::Base => "storage-alignment",
    }
}
