//! Between global and shared memory: neither side says which thread does what, so a partition is made.

use std::cmp::Reverse;

use crate::check::check_copy;
use crate::order::{join, refine, sides, with_shard};
use crate::plan::{Aligned, AlignedCopy, Decline, Refusal, Side};
use crate::problem::{Problem, Space, Which};
use crate::region::region_side;
use crate::require::{full_scope, honoured_hints, unreplicated};
use crate::target::Target;
use crate::variants::Variant;

/// Rounds of vectors, all threads side by side in the order of global memory.
///
/// ```text
///   warp, 32x32 f32:  position  0 … 3 | 4 … 7 | … | 124 … 127 | 128 …
///                     thread        0 |     1 | … |        31 |     0     round 0, then round 1
/// ```
///
/// The iters are sorted by descending global stride, so that neighbouring threads access neighbouring global
/// addresses whatever the logical order is; the shared side follows.
pub(crate) struct GlobalShared;

impl Variant for GlobalShared {
    fn name(&self) -> &'static str {
        "gmem_smem"
    }

    fn priority(&self) -> u32 {
        10
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Aligned, Decline> {
        plan(problem, target).map(Aligned::Partition).map_err(|refusal| refusal.by(self.name()))
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<AlignedCopy, Refusal> {
    let global_is_src = global_side(problem)?;
    check_copy(problem)?;
    let threads = full_scope(problem)?;
    unreplicated(&problem.dst, Which::Dst)?;
    honoured_hints(problem, target, 0)?;
    let elements = problem.src.elements();
    if elements % threads != 0 {
        let reason = format!("region size {elements} not divisible by thread_cnt={threads}");
        return Err(Refusal::new("count-not-divisible", reason));
    }
    let src = region_side(&problem.src, Which::Src)?;
    let dst = region_side(&problem.dst, Which::Dst)?;
    let (src, dst) = if global_is_src {
        align(src, dst)
    } else {
        let (dst, src) = align(dst, src);
        (src, dst)
    };
    Ok(AlignedCopy {
        variant: "gmem_smem",
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

/// Is the source the global one?
fn global_side(problem: &Problem) -> Result<bool, Refusal> {
    match (problem.src.space, problem.dst.space) {
        (Space::Global, Space::Shared) => Ok(true),
        (Space::Shared, Space::Global) => Ok(false),
        (src, dst) => {
            let reason =
                format!("unsupported memory scopes src={src} dst={dst}; allowed: global -> shared, shared -> global");
            Err(Refusal::new("unsupported-spaces", reason))
        }
    }
}

/// Both sides in the order of descending global strides. Where the two have no common refinement, both stay in
/// the region's own order.
fn align(global: Side, shared: Side) -> (Side, Side) {
    let Some(mut pairs) = refine(&global.layout.shard, &shared.layout.shard) else {
        return (global, shared);
    };
    pairs.sort_by_key(|pair| Reverse((pair.lead, pair.follow)));
    let (global_shard, shared_shard) = sides(&join(&pairs));
    let global = Side { layout: with_shard(global.layout, global_shard), ..global };
    let shared = Side { layout: with_shard(shared.layout, shared_shard), ..shared };
    (global, shared)
}
