//! Partitions a copy between memories among the threads, where neither side's layout says which thread does what.

use crate::families::composite::Composite;
use crate::families::copy_plan::CopyPlan;
use crate::families::vector::pieces::pieces;
use crate::families::vector::plan::MatchedCopy;
use crate::families::vector::rims::with_rims;
use crate::problem::Problem;
use crate::problem::mask::Mask;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::order::{in_order, refine_masked};
use crate::sides::region::vector_side;
use crate::sides::require::{sharers, unreplicated};
use crate::sides::side::Side;
use crate::target::Target;
use tile_isa::Transfer;

/// Both sides in the order of one of them, `lead`, with consecutive positions assigned to consecutive active threads of
/// the scope.
///
/// ```text
///   warp, 32x32 f32:  position  0 … 3 | 4 … 7 | … | 124 … 127 | 128 …
///                     thread        0 |     1 | … |        31 |     0     round 0, then round 1
/// ```
///
/// The iters are sorted by descending stride of that side, so that consecutive threads access consecutive addresses
/// there, whatever the logical order is; the other side follows. Call it after `check_copy`.
///
/// # Errors
/// Active threads that are not known or have no ranks; a region that is not a list of iters; a destination with copies.
pub(crate) fn partition(problem: &Problem, variant: &'static str, lead: Role) -> Result<MatchedCopy, Refusal> {
    let (threads, ranks) = sharers(problem)?;
    let (src, dst) = problem.sides()?;
    unreplicated(dst, Role::Dst)?;
    let (src, dst) = (vector_side(src, Role::Src)?, vector_side(dst, Role::Dst)?);
    let (src, dst, mask) = match lead {
        Role::Src => align(src, dst, problem.mask.clone()),
        Role::Dst => {
            let (dst, src, mask) = align(dst, src, problem.mask.clone());
            (src, dst, mask)
        }
    };
    Ok(MatchedCopy {
        variant,
        transfer: Transfer::LoadStore,
        threads,
        thread_iters: 0,
        ranks,
        element_bits: problem.element.bits,
        conversion: problem.conversion,
        effect: problem.effect,
        mask,
        src: Some(src),
        dst,
        rotates: false,
        forced_bits: None,
        guards: Vec::new(),
        cache: problem.cache.clone(),
    })
}

/// Both sides in the order of descending strides of the first. Where the two have no common refinement, both stay in
/// the region's own order.
fn align(lead: Side, follow: Side, mask: Option<Mask>) -> (Side, Side, Option<Mask>) {
    let Some(pairs) = refine_masked(&lead.layout.shard, &follow.layout.shard, mask.as_ref()) else {
        return (lead, follow, mask);
    };
    in_order(pairs, lead, follow, mask)
}

/// The partition of a copy, or of the [body and rims](with_rims) of its rows where that takes fewer accesses; where a region is
/// not a list of iters, the partitions of parts that are.
///
/// # Errors
/// As [`partition`].
pub(crate) fn in_parts(
    problem: &Problem,
    target: &Target,
    partition: impl Fn(&Problem) -> Result<MatchedCopy, Refusal>,
) -> Result<CopyPlan, Refusal> {
    match partition(problem) {
        Ok(copy) => Ok(match with_rims(&copy, target, problem.max_vector_bits) {
            Some(parts) => {
                CopyPlan::Composite(Composite::of_parts(copy.variant, parts.into_iter().map(CopyPlan::Partition)))
            }
            None => CopyPlan::Partition(copy),
        }),
        Err(refusal) if refusal.cause == "region-not-sliceable" => {
            let parts = pieces(problem).and_then(|parts| {
                let plan = |part| partition(part).ok().map(CopyPlan::Partition);
                parts.iter().map(plan).collect::<Option<Vec<_>>>()
            });
            match parts.as_deref() {
                Some([first, ..]) => {
                    let variant = first.variant();
                    Ok(CopyPlan::Composite(Composite::of_parts(variant, parts.into_iter().flatten())))
                }
                _ => Err(refusal),
            }
        }
        Err(refusal) => Err(refusal),
    }
}
