//! A copy between global and shared memory, shared out among the threads: neither side says which thread does what,
//! so a partition is made.

use crate::families::vector::plan::{AlignedCopy, Transfer};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::scope::Which;
use crate::sides::order::{in_order, refine};
use crate::sides::region::vector_side;
use crate::sides::require::{full_scope, unreplicated};
use crate::sides::side::Side;

/// Both sides in the order of global memory, for all threads of the scope side by side; `global` is the operand there.
///
/// ```text
///   warp, 32x32 f32:  position  0 … 3 | 4 … 7 | … | 124 … 127 | 128 …
///                     thread        0 |     1 | … |        31 |     0     round 0, then round 1
/// ```
///
/// The iters are sorted by descending global stride, so that neighbouring threads access neighbouring global
/// addresses whatever the logical order is; the shared side follows. Call it after `check_copy`.
///
/// # Errors
/// Threads that are not all active, a number of elements that they do not divide, a region that is no list of iters, a
/// destination with copies.
pub(crate) fn partition(problem: &Problem, variant: &'static str, global: Which) -> Result<AlignedCopy, Refusal> {
    let threads = full_scope(problem)?;
    unreplicated(&problem.dst, Which::Dst)?;
    let elements = problem.src.elements();
    if elements % threads != 0 {
        let reason = format!("region size {elements} not divisible by thread_cnt={threads}");
        return Err(Refusal::new("count-not-divisible", reason));
    }
    let src = vector_side(&problem.src, Which::Src)?;
    let dst = vector_side(&problem.dst, Which::Dst)?;
    let (src, dst) = match global {
        Which::Src => align(src, dst),
        Which::Dst => {
            let (dst, src) = align(dst, src);
            (src, dst)
        }
    };
    Ok(AlignedCopy {
        variant,
        transfer: Transfer::LoadStore,
        threads,
        thread_iters: 0,
        element_bits: problem.element.bits,
        src,
        dst,
        forced_bits: None,
        guards: Vec::new(),
        cache: problem.cache.clone(),
    })
}

/// Both sides in the order of descending global strides. Where the two have no common refinement, both stay in
/// the region's own order.
fn align(global: Side, shared: Side) -> (Side, Side) {
    let Some(pairs) = refine(&global.layout.shard, &shared.layout.shard) else {
        return (global, shared);
    };
    in_order(pairs, global, shared)
}
