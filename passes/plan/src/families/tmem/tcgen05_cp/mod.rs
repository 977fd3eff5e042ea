//! Shared memory to tensor memory, tile by tile.

mod descriptor;
mod fit;

use fit::{Attempt, STEP_BITS, fit};
use tile_isa::tmem_copy::check_cta_group;
use tile_isa::{Scope, Space, SwizzleMode, TmemForm};
use tile_layout::counted;

use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::tmem::copy::TmemCopy;
use crate::families::tmem::region::{begins_inside, tensor_side, whole_units};
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::asynchronous::Feature;
use crate::problem::check::check_copy;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::DynamicTerm;
use crate::sides::order::refine;
use crate::sides::region::region_parts;
use crate::sides::require::{memory_base, only_requests, unconverted};
use crate::sides::side::Side;
use crate::target::{Target, engine};

/// `tcgen05.cp`: one thread names rows in shared memory by a matrix descriptor, and the instruction moves them to
/// lanes of tensor memory.
///
/// ```text
///   32x128b.warpx4, u8 32x16                 lane   0 … 31 | 32 … 63 | 64 … 95 | 96 … 127
///     row r, 16 bytes of shared memory   ─▶        r           r         r          r       columns 0 … 3
/// ```
pub(crate) struct TensorCp;

const ABOUT: About = About::new("tcgen05_cp", 10, PlanKind::TmemCopy, "tiles of shared memory to tensor memory")
    .on(&engine::TENSOR_MEMORY);

impl Variant for TensorCp {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        plan(problem, target).map(CopyPlan::TmemCopy)
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<TmemCopy, Refusal> {
    check_caller(problem, target)?;
    unconverted(problem)?;
    only_requests(problem, &[Feature::Shape, Feature::Multicast, Feature::CtaGroup])?;
    check_copy(problem)?;
    let cta_group = cta_group(problem)?;
    let forms = forms(problem)?;
    let bits = problem.element.bits;
    let mode = descriptor::mode(problem.operand(Role::Src)?, bits)?;
    let src = shared_side(problem, bits)?;
    let dst = tensor_side(problem.operand(Role::Dst)?, Role::Dst, bits, STEP_BITS)?;
    check_start(&src, bits, mode)?;
    let pairs = refine(&dst.layout.shard, &src.layout.shard)
        .ok_or_else(|| Refusal::new("no-common-refinement", "the iters of the two sides have no common refinement"))?;
    let mut furthest: Option<(Attempt, Refusal)> = None;
    for form in forms {
        match fit(problem, form, mode, &pairs, &dst) {
            Ok(fit) => return Ok(fit.into_copy(form, cta_group, bits, src, dst)),
            Err(failed) if furthest.as_ref().is_none_or(|known| failed.0 > known.0) => furthest = Some(failed),
            Err(_) => {}
        }
    }
    let none = || Refusal::new("tensor-form-unknown", "got no form to try");
    Err(furthest.map_or_else(none, |(_, refusal)| refusal))
}

fn check_caller(problem: &Problem, target: &Target) -> Result<(), Refusal> {
    let (src, dst) = problem.spaces()?;
    if (src, dst) != (Space::Shared, Space::Tmem) {
        let reason = format!("unsupported memory scopes src={src} dst={dst}; allowed: shared -> tmem");
        return Err(Refusal::new("unsupported-spaces", reason));
    }
    if problem.threads.scope != Scope::Thread {
        let reason = format!("one thread issues tcgen05.cp: needed thread scope; got {}", problem.threads.scope);
        return Err(Refusal::new("scope-not-thread", reason));
    }
    engine::TENSOR_MEMORY.check(target, "tcgen05 needs")
}

fn cta_group(problem: &Problem) -> Result<i64, Refusal> {
    let group = problem.asynchronous.as_ref().and_then(|asked| asked.cta_group).unwrap_or(1);
    check_cta_group(group).map_err(|reason| Refusal::new("cta-group-unsupported", reason))?;
    Ok(group)
}

/// The forms that match what the caller specifies.
fn forms(problem: &Problem) -> Result<Vec<TmemForm>, Refusal> {
    let asked = problem.asynchronous.as_ref();
    let shape = asked.and_then(|asked| asked.shape.as_deref());
    let multicast = asked.and_then(|asked| asked.multicast.as_deref());
    TmemForm::matching(shape, multicast).map_err(|reason| Refusal::new("tensor-form-unknown", reason))
}

/// The region in shared memory; its run-time terms move by whole units of 16 bytes.
fn shared_side(problem: &Problem, bits: u32) -> Result<Side, Refusal> {
    let (mut layout, terms) = region_parts(problem.operand(Role::Src)?, Role::Src)?;
    let unit = descriptor::unit(bits);
    let mut dynamic = Vec::with_capacity(terms.len());
    for term in terms {
        let whole = whole_units(&mut layout, term, unit);
        dynamic.push(whole.ok_or_else(|| begins_inside(Role::Src, term, unit))?);
    }
    Ok(Side {
        space: Space::Shared,
        layout,
        dynamic,
        strides: Vec::new(),
        align_bytes: problem.operand(Role::Src)?.align_bytes,
    })
}

/// Requires the buffer and the region to start at a multiple of the swizzle's pattern, or of 16 bytes without swizzle.
fn check_start(src: &Side, bits: u32, mode: SwizzleMode) -> Result<(), Refusal> {
    let needed = mode.pattern_bytes();
    if src.align_bytes % needed != 0 {
        let align = src.align_bytes;
        let reason = format!("the source's storage is aligned to {}; {mode} needs {needed}", counted(align, "byte"));
        return Err(Refusal::of(Role::Src, "storage-alignment", reason));
    }
    let elements = i128::from(needed * 8 / i64::from(bits));
    let base = memory_base(src);
    if base.rem_euclid(elements) != 0 {
        let at = base * i128::from(bits) / 8;
        let reason = format!(
            "the source region begins {} into its storage; {mode} needs a multiple of {needed}",
            counted(at, "byte")
        );
        return Err(Refusal::of(Role::Src, "shared-begin-misaligned", reason));
    }
    let moves = |term: &&DynamicTerm| i128::from(term.divisor) * i128::from(term.stride) % elements != 0;
    match src.dynamic.iter().find(moves) {
        Some(&term) => Err(begins_inside(Role::Src, term, needed * 8 / i64::from(bits))),
        None => Ok(()),
    }
}
