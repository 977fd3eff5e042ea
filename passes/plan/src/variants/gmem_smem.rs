//! Between global and shared memory, through registers.

use crate::check::check_copy;
use crate::partition::partition;
use crate::pieces::pieces;
use crate::plan::{Aligned, AlignedCopy, Decline, Refusal};
use crate::problem::{Problem, Space, Which};
use crate::require::honoured_hints;
use crate::target::Target;
use crate::variants::Variant;

/// Rounds of vectors, all threads side by side in the order of global memory: loads, then stores. Where the regions are
/// no lists of iters, the same for each of a few parts that are.
pub(crate) struct GlobalShared;

impl Variant for GlobalShared {
    fn name(&self) -> &'static str {
        "gmem_smem"
    }

    fn priority(&self) -> u32 {
        10
    }

    fn partitions(&self) -> bool {
        true
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Aligned, Decline> {
        plan(problem, target).map_err(|refusal| refusal.by(self.name()))
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<Aligned, Refusal> {
    let global = global_side(problem)?;
    check_copy(problem)?;
    honoured_hints(problem, target, 0)?;
    match partition(problem, "gmem_smem", global) {
        Ok(copy) => Ok(Aligned::Partition(copy)),
        Err(refusal) if refusal.cause == "region-not-sliceable" => {
            parts(problem, global).map(Aligned::Parts).ok_or(refusal)
        }
        Err(refusal) => Err(refusal),
    }
}

/// The partitions of the parts of a copy, where all of them have one.
fn parts(problem: &Problem, global: Which) -> Option<Vec<AlignedCopy>> {
    pieces(problem)?.iter().map(|part| partition(part, "gmem_smem", global).ok()).collect()
}

/// Which operand is the global one?
fn global_side(problem: &Problem) -> Result<Which, Refusal> {
    match (problem.src.space, problem.dst.space) {
        (Space::Global, Space::Shared) => Ok(Which::Src),
        (Space::Shared, Space::Global) => Ok(Which::Dst),
        (src, dst) => {
            let reason =
                format!("unsupported memory scopes src={src} dst={dst}; allowed: global -> shared, shared -> global");
            Err(Refusal::new("unsupported-spaces", reason))
        }
    }
}
