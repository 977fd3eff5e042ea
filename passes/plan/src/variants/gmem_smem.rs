//! Between global and shared memory, through registers.

use crate::check::check_copy;
use crate::partition::partition;
use crate::plan::{Aligned, AlignedCopy, Decline, Refusal};
use crate::problem::{Problem, Space, Which};
use crate::require::honoured_hints;
use crate::target::Target;
use crate::variants::Variant;

/// Rounds of vectors, all threads side by side in the order of global memory: loads, then stores.
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
        plan(problem, target).map(Aligned::Partition).map_err(|refusal| refusal.by(self.name()))
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<AlignedCopy, Refusal> {
    let global = global_side(problem)?;
    check_copy(problem)?;
    honoured_hints(problem, target, 0)?;
    partition(problem, "gmem_smem", global)
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
