//! Between global and shared memory in bulk: `cp.async.bulk` and `cp.reduce.async.bulk`.

use tile_isa::bulk::{Reduction, Route};

use crate::families::aligned::{Aligned, Kind};
use crate::families::bulk::chunks::chunks;
use crate::families::bulk::plan::BulkCopy;
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::asynchronous::{Asynchronous, Completion};
use crate::problem::check::check_without_hints;
use crate::problem::refusal::Refusal;
use crate::problem::scope::{Space, Which};
use crate::sides::require::{full_scope, only_requests, unconverted, unreplicated};
use crate::target::Target;
use crate::target::engine::Engine;

/// Bulk copies between global and shared memory, completed by an mbarrier or a bulk group.
pub static BULK_COPY: Engine = Engine::since("chip-lacks-bulk-copy", "sm_90 or later", 90, 80);

/// One bulk copy per chunk, issued by the first thread of the scope (PTX ISA, cp.async.bulk).
///
/// ```text
///   (64, 64) : (64, 1)   to  (64, 64) : (64, 1),  16 bits    1 chunk of 8192 bytes
///   (64, 64) : (128, 1)  to  (64, 64) : (64, 1),  16 bits    64 chunks of 128 bytes
/// ```
///
/// It takes no copy from one that could do it before: what waits for a copy depends on its variant. An mbarrier gets one
/// arrival and a number of bytes here, an arrival of each thread from `ldgsts`; who writes no clause commits groups of
/// `cp.async`, which `synchronous` honours. So it is taken by name, or for a clause that no other variant has.
pub(crate) struct GlobalBulk;

const ABOUT: About =
    About::new("bulk", 5, Kind::Bulk, "global and shared memory, through `cp.async.bulk`").on(&BULK_COPY).by_mbarrier();

impl Variant for GlobalBulk {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Aligned, Refusal> {
        plan(problem, target).map(Aligned::Bulk)
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<BulkCopy, Refusal> {
    let route = match (problem.src.space, problem.dst.space) {
        (Space::Global, Space::Shared) => Route::ToShared,
        (Space::Shared, Space::Global) => Route::ToGlobal,
        (src, dst) => {
            let reason =
                format!("unsupported memory scopes src={src} dst={dst}; allowed: global -> shared, shared -> global");
            return Err(Refusal::new("unsupported-spaces", reason));
        }
    };
    unconverted(problem)?;
    BULK_COPY.check(target, "a bulk copy needs")?;
    check_requests(problem, route)?;
    check_without_hints(problem)?;
    let reduction = reduction(problem)?;
    let l2_evict = check_hints(problem)?;
    full_scope(problem)?;
    unreplicated(&problem.dst, Which::Dst)?;
    Ok(BulkCopy { reduction, l2_evict, ..chunks(problem)? })
}

/// What completes the copy is what the instruction has, and no other variant could do the copy.
fn check_requests(problem: &Problem, route: Route) -> Result<(), Refusal> {
    let completion = problem.asynchronous.as_ref().map_or(Completion::Caller, |requested| requested.completion);
    if route == Route::ToShared {
        only_requests(problem, &["mbarrier"])?;
        if completion != Completion::Barrier {
            let reason = format!("a bulk copy to shared memory is completed by an mbarrier; got {completion}");
            return Err(Refusal::new("mbarrier-missing", reason));
        }
    } else {
        only_requests(problem, &["bulk_group", "reduce"])?;
    }
    let own = completion == Completion::BulkGroup || problem.asynchronous.as_ref().is_some_and(Asynchronous::reduces);
    if own || problem.forced.is_some() {
        return Ok(());
    }
    let reason = match route {
        Route::ToShared => {
            "an mbarrier gets one arrival and the number of bytes from a bulk copy, an arrival of each thread from \
             others; needed variant = \"bulk\""
        }
        _ => "the copy requests nothing of a bulk copy; needed bulk_group, or variant = \"bulk\"",
    };
    Err(Refusal::new("variant-not-named", reason))
}

/// The reduction that is requested, of elements that the instruction takes.
fn reduction(problem: &Problem) -> Result<Option<Reduction>, Refusal> {
    let word = problem.asynchronous.as_ref().and_then(|requested| requested.reduce.as_deref());
    word.map(|word| Reduction::of(word, &problem.element.name))
        .transpose()
        .map_err(|reason| Refusal::new("reduction-unsupported", reason))
}

/// The eviction priority in L2, which the instruction takes as a policy; the other hints are those of loads alone.
fn check_hints(problem: &Problem) -> Result<Option<String>, Refusal> {
    let cache = &problem.cache;
    let other = cache.nc.then_some("nc").or(cache.l1_evict.as_deref()).or(cache.prefetch_size.as_deref());
    match other {
        None => Ok(cache.l2_evict.clone()),
        Some(hint) => {
            let reason = format!("cp.async.bulk has no cache hint {hint}; it has l2_evict only");
            Err(Refusal::new("hint-needs-load", reason))
        }
    }
}
