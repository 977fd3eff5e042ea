//! Requirements on a copy that several variants share.

use tile_isa::Space;
use tile_layout::Axis;

use crate::problem::Problem;
use crate::problem::asynchronous::{Asynchronous, Feature};
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::threads::{Active, Threads};
use crate::sides::ranks::Ranks;
use crate::sides::side::Side;
use crate::target::{Target, engine};

/// Requires a copy between memories that are listed: that of the source, and that of the destination.
///
/// # Errors
/// `unsupported-spaces`, with the list.
pub(crate) fn between(problem: &Problem, allowed: &[(Space, Space)]) -> Result<(), Refusal> {
    let (src, dst) = problem.spaces()?;
    if allowed.contains(&(src, dst)) {
        return Ok(());
    }
    let pairs: Vec<String> = allowed.iter().map(|(src, dst)| format!("{src} -> {dst}")).collect();
    let reason = format!("unsupported memory scopes src={src} dst={dst}; allowed: {}", pairs.join(", "));
    Err(Refusal::new("unsupported-spaces", reason))
}

/// The number of threads that share a copy, and their ranks, where these are not all threads of the scope.
///
/// # Errors
/// As [`full_scope`], where the active threads cannot be given ranks.
pub(crate) fn sharers(problem: &Problem) -> Result<(i64, Option<Ranks>), Refusal> {
    let refusal = match full_scope(problem) {
        Ok(threads) => return Ok((threads, None)),
        Err(refusal) => refusal,
    };
    let ranks = problem.threads.common().and_then(|members| Ranks::of(&members)).ok_or(refusal)?;
    let threads = ranks.count().unwrap_or(1);
    Ok((threads, Some(ranks)))
}

/// Requires that no thread of the scope is left out, as for what warps do together.
pub(crate) fn all_active(threads: &Threads) -> Result<(), Refusal> {
    let Some(narrowed) = threads.narrowed() else { return Ok(()) };
    let is_unknown = matches!(threads.active, Active::Unknown { .. });
    Err(Refusal::new(if is_unknown { "active-unknown" } else { "not-all-threads-active" }, narrowed))
}

/// The number of threads of the scope, all of which must be active.
pub(crate) fn full_scope(problem: &Problem) -> Result<i64, Refusal> {
    all_active(&problem.threads)?;
    problem.threads.count().ok_or_else(|| Refusal::new("block-size-unknown", "the size of the block is not known"))
}

/// Requires an operand to hold every element once per thread; several copies in memory would need several stores.
pub(crate) fn unreplicated(operand: &Operand, role: Role) -> Result<(), Refusal> {
    let replica =
        operand.layout.replica.iter().find(|iter| !iter.axis.is_thread() && iter.extent != 1 && iter.stride != 0);
    replica.map_or(Ok(()), |iter| {
        let reason = format!("the {role} holds every element {} times (replica {iter}); needed once", iter.extent);
        Err(Refusal::of(role, "memory-replica", reason))
    })
}

/// Requires a register buffer without swizzle.
pub(crate) fn unswizzled(operand: &Operand, role: Role) -> Result<(), Refusal> {
    if operand.layout.swizzle.is_none_or(|swizzle| swizzle.len == 0) {
        return Ok(());
    }
    Err(Refusal::of(
        role,
        "swizzled-registers",
        format!("the {role} is a swizzled register buffer; needed a plain one"),
    ))
}

/// Requires a copy that does not convert elements, for instructions that move bytes.
pub(crate) fn unconverted(problem: &Problem) -> Result<(), Refusal> {
    problem.conversion.map_or(Ok(()), |conversion| {
        let (from, to) = (conversion.from.name(), conversion.to.name());
        let rounding = if conversion.is_tf32() { ", rounded to tf32" } else { "" };
        let reason = format!(
            "the source has elements of type {from}, the destination of type {to}{rounding}; needed elements that are \
             moved as they are"
        );
        Err(Refusal::new("converts-elements", reason))
    })
}

/// Requires a copy that copies all of its region.
pub(crate) fn unmasked(problem: &Problem) -> Result<(), Refusal> {
    if problem.mask.is_none() {
        return Ok(());
    }
    Err(Refusal::new("masked-copy", "the copy is masked; needed one that copies all of its region"))
}

/// The offset on the memory axis, with run-time terms taken at their residues. It is exact as a residue class.
pub(crate) fn memory_base(side: &Side) -> i128 {
    let offset = i128::from(side.layout.offset_on(Axis::Memory));
    let terms = side.dynamic.iter().filter(|term| term.axis == Axis::Memory);
    terms.fold(offset, |sum, term| sum + i128::from(term.residue) * i128::from(term.stride))
}

/// Requires hints that the chip and an access of `bits` bits support; `bits` is 0 where the width is not fixed yet.
///
/// `L2::evict_…` exists on 256-bit accesses only, `L2::256B` from sm_80 on, all but `nc` from PTX 7.4 on (PTX ISA, `ld`).
pub(crate) fn honoured_hints(problem: &Problem, target: &Target, bits: u32) -> Result<(), Refusal> {
    if let Some(policy) = problem.cache.l2_evict.as_ref().filter(|_| bits != 256) {
        let reason = format!("{policy} needs a 256-bit access (vec_256b)");
        return Err(Refusal::new("hint-needs-256-bits", reason));
    }
    if problem.cache.prefetch_size.as_deref() == Some("L2::256B") {
        engine::PREFETCH_256.check(target, "L2::256B needs")?;
    }
    if problem.cache.has_policy() && !target.has_cache_policies() {
        let reason = format!("cache hints other than nc need PTX 7.4 or later; got {target}");
        return Err(Refusal::new("ptx-lacks-cache-policies", reason));
    }
    Ok(())
}

/// Requires an asynchronous copy to request no features but these.
pub(crate) fn only_requests(problem: &Problem, honoured: &[Feature]) -> Result<(), Refusal> {
    let requested = problem.asynchronous.iter().flat_map(Asynchronous::requested);
    let others: Vec<Feature> = requested.filter(|feature| !honoured.contains(feature)).collect();
    if others.is_empty() {
        return Ok(());
    }
    let list = |features: &[Feature]| features.iter().map(Feature::to_string).collect::<Vec<_>>().join(", ");
    let allowed = if honoured.is_empty() { "none".to_owned() } else { list(honoured) };
    let reason = format!("the copy requests {}; allowed: {allowed}", list(&others));
    Err(Refusal::new("request-not-supported", reason))
}

/// The L2 eviction priority, which `instruction` takes as a cache policy; the other hints apply to loads only.
pub(crate) fn l2_hint(problem: &Problem, instruction: &str) -> Result<Option<String>, Refusal> {
    let cache = &problem.cache;
    let other = cache.nc.then_some("nc").or(cache.l1_evict.as_deref()).or(cache.prefetch_size.as_deref());
    match other {
        None => Ok(cache.l2_evict.clone()),
        Some(hint) => {
            let reason = format!("{instruction} has no cache hint {hint}; it has l2_evict only");
            Err(Refusal::new("hint-needs-load", reason))
        }
    }
}
