//! May vectors of some width be used on a side? The proof is [`tile_layout::vector`]'s; what is added here are names for
//! the causes.

use tile_layout::vector::{Access, Cause, DynamicTerm, check_width};
use tile_layout::{Axis, counted};

use crate::problem::refusal::{Narrowing, Refusal};
use crate::problem::scope::Which;
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
    let dynamic: Vec<DynamicTerm> = side
        .dynamic
        .iter()
        .map(|term| DynamicTerm { stride: term.stride, divisor: term.divisor, residue: term.residue })
        .collect();
    let access = Access {
        iters: &side.layout.shard,
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
