//! From global to shared memory without registers: `cp.async`.

use tile_layout::counted;

use crate::check::check_copy;
use crate::partition::partition;
use crate::plan::{Aligned, AlignedCopy, Decline, Refusal};
use crate::problem::{Problem, Scope, Space, Which};
use crate::require::only_wishes;
use crate::target::Target;
use crate::variants::Variant;
use crate::vectorize::vectorize;

/// The wishes that it honours; all of them are options or operands of the instructions.
const WISHES: [&str; 5] = ["group", "mbarrier", "predicate", "fill", "direct"];

/// The partition of `gmem_smem` in `cp.async` of 4, 8 or 16 bytes (PTX ISA, cp.async).
///
/// A share of another size declines here already, so that another variant is asked. `direct` is one instruction from
/// the start of one region to the start of the other, whichever thread gets there.
pub(crate) struct LdGsts;

impl Variant for LdGsts {
    fn name(&self) -> &'static str {
        "ldgsts"
    }

    fn priority(&self) -> u32 {
        20
    }

    fn partitions(&self) -> bool {
        true
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Aligned, Decline> {
        plan(problem, target).map(Aligned::Partition).map_err(|refusal| refusal.by(self.name()))
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<AlignedCopy, Refusal> {
    if (problem.src.space, problem.dst.space) != (Space::Global, Space::Shared) {
        let (src, dst) = (problem.src.space, problem.dst.space);
        let reason = format!("unsupported memory scopes src={src} dst={dst}; allowed: global -> shared");
        return Err(Refusal::new("unsupported-spaces", reason));
    }
    only_wishes(problem, &WISHES)?;
    check_copy(problem)?;
    check_hints(problem)?;
    let wishes = problem.asynchronous.as_ref();
    if wishes.is_some_and(|wishes| wishes.zero_fill && !wishes.predicated) {
        let reason = "fill = \"zero\" without a predicate; needed one that says which threads write zeros";
        return Err(Refusal::new("fill-without-predicate", reason));
    }
    let direct = wishes.is_some_and(|wishes| wishes.direct);
    let forced_bits = if direct { Some(one_instruction(problem)?) } else { None };
    let copy = AlignedCopy { forced_bits, ..partition(problem, "ldgsts", Which::Src)? };
    vectorize(&copy, target, problem.max_vector_bits)?;
    Ok(copy)
}

/// `cp.async` prefetches into L2 as a load does; the other hints are those of loads alone.
fn check_hints(problem: &Problem) -> Result<(), Refusal> {
    let cache = &problem.cache;
    let hint = cache.nc.then_some("nc").or(cache.l1_evict.as_deref()).or(cache.l2_evict.as_deref());
    hint.map_or(Ok(()), |hint| {
        let reason = format!("cp.async has no cache hint {hint}; it has prefetch_size only");
        Err(Refusal::new("hint-needs-load", reason))
    })
}

/// The width, in bits, of the one instruction that `direct` asks for.
fn one_instruction(problem: &Problem) -> Result<u32, Refusal> {
    if problem.threads.scope != Scope::Thread {
        let reason = format!("a direct copy needs thread scope; got {}", problem.threads.scope);
        return Err(Refusal::new("scope-not-thread", reason));
    }
    let (elements, element) = (problem.src.elements(), problem.element.bits);
    match i128::from(elements) * i128::from(element) {
        32 => Ok(32),
        64 => Ok(64),
        128 => Ok(128),
        bits => {
            let reason = format!(
                "the region has {} of {element} bits, {bits} bits; a direct copy needs exactly 32, 64 or 128",
                counted(elements, "element")
            );
            Err(Refusal::new("region-not-one-vector", reason))
        }
    }
}
