//! From global to shared memory without registers: `cp.async`.

use tile_layout::counted;

use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::variant::{About, Variant};
use crate::families::vector::partition::partition;
use crate::families::vector::plan::MatchedCopy;
use crate::families::vector::vectorize::vectorize;
use crate::problem::Problem;
use crate::problem::asynchronous::{Completion, Feature};
use crate::problem::check::check_copy;
use crate::problem::mask::Fill;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::require::{only_requests, unconverted};
use crate::target::{Target, engine};
use tile_isa::{Scope, Space, Transfer};

/// The requested features that it honours; all of them are options or operands of the instructions.
const FEATURES: [Feature; 5] = [
    Feature::Completed(Completion::Group),
    Feature::Completed(Completion::Barrier),
    Feature::Predicate,
    Feature::ZeroFill,
    Feature::Direct,
];

/// The partition of `gmem_smem`, moved by `cp.async` of 4, 8 or 16 bytes (PTX ISA, cp.async).
///
/// A share of another size is declined already in this stage, so that another variant is tried. `direct` is one
/// instruction from the start of one region to the start of the other, whichever thread executes it.
pub(crate) struct LdGsts;

const ABOUT: About =
    About::new("ldgsts", 20, PlanKind::Partition, "global to shared memory, through `cp.async`").on(&engine::CP_ASYNC);

impl Variant for LdGsts {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn transfer(&self) -> Option<Transfer> {
        Some(Transfer::CpAsync)
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        plan(problem, target).map(CopyPlan::Partition)
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<MatchedCopy, Refusal> {
    if problem.spaces()? != (Space::Global, Space::Shared) {
        let (src, dst) = problem.spaces()?;
        let reason = format!("unsupported memory scopes src={src} dst={dst}; allowed: global -> shared");
        return Err(Refusal::new("unsupported-spaces", reason));
    }
    unconverted(problem)?;
    only_requests(problem, &FEATURES)?;
    check_copy(problem)?;
    check_hints(problem)?;
    let requested = problem.asynchronous.as_ref();
    if requested.is_some_and(|requested| requested.zero_fill && !requested.predicated) {
        let reason = "fill = \"zero\" without a predicate; needed one that says which threads write zeros";
        return Err(Refusal::new("fill-without-predicate", reason));
    }
    if problem.mask.as_ref().is_some_and(|mask| mask.fill == Some(Fill::Value)) {
        let reason = "cp.async fills with zeros; needed a fill that is known to be zero, or none";
        return Err(Refusal::new("fill-not-zero", reason));
    }
    let direct = requested.is_some_and(|requested| requested.direct);
    let forced_bits = if direct { Some(one_instruction(problem)?) } else { None };
    let partition = partition(problem, ABOUT.name, Role::Src)?;
    let copy = MatchedCopy { transfer: Transfer::CpAsync, forced_bits, ..partition };
    vectorize(&copy, target, problem.max_vector_bits)?;
    Ok(copy)
}

/// `cp.async` prefetches into L2 as a load does; the other hints apply to loads only.
fn check_hints(problem: &Problem) -> Result<(), Refusal> {
    let cache = &problem.cache;
    let hint = cache.nc.then_some("nc").or(cache.l1_evict.as_deref()).or(cache.l2_evict.as_deref());
    hint.map_or(Ok(()), |hint| {
        let reason = format!("cp.async has no cache hint {hint}; it has prefetch_size only");
        Err(Refusal::new("hint-needs-load", reason))
    })
}

/// The width, in bits, of the one instruction that `direct` requests.
fn one_instruction(problem: &Problem) -> Result<u32, Refusal> {
    if problem.threads.scope != Scope::Thread {
        let reason = format!("a direct copy needs thread scope; got {}", problem.threads.scope);
        return Err(Refusal::new("scope-not-thread", reason));
    }
    let (elements, element) = (problem.elements(), problem.element.bits);
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
