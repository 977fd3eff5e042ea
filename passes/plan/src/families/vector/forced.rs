//! Accesses of a width that the caller forces.

use tile_layout::counted;

use crate::convert;
use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::variant::{About, Variant};
use crate::families::vector::plan::MatchedCopy;
use crate::families::vector::vectorize::vectorize;
use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::mask::Mask;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::chain::is_distributed;
use crate::sides::order::{in_order, refine_masked};
use crate::sides::region::vector_side;
use crate::sides::require::{honoured_hints, unreplicated};
use crate::sides::side::Side;
use crate::target::{Target, engine};
use tile_isa::{Scope, Space, Transfer};

/// One access of exactly `bits`, by every thread that reaches it. Both regions must be one contiguous run of that size,
/// proven aligned to it. Where elements are converted, the side with the wider elements has that size.
pub(crate) struct ForcedWidth {
    about: About,
    bits: u32,
}

impl ForcedWidth {
    /// The variant of that name for accesses of `bits`.
    pub(crate) const fn new(name: &'static str, bits: u32) -> Self {
        let about = About::new(name, 20, PlanKind::Partition, "one run of exactly that width, by each thread");
        let engine = if bits == 256 { Some(&engine::WIDE_GLOBAL) } else { None };
        ForcedWidth { about: About { only_when_forced: true, engine, ..about }, bits }
    }
}

impl Variant for ForcedWidth {
    fn about(&self) -> &About {
        &self.about
    }

    fn transfer(&self) -> Option<Transfer> {
        Some(Transfer::LoadStore)
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        self.access(problem, target).map(CopyPlan::Partition)
    }
}

impl ForcedWidth {
    fn access(&self, problem: &Problem, target: &Target) -> Result<MatchedCopy, Refusal> {
        self.check_spaces(problem, target)?;
        check_copy(problem)?;
        self.check_count(problem)?;
        honoured_hints(problem, target, self.bits)?;
        convert::on_chip(problem, target)?;
        let (src, dst) = problem.sides()?;
        unreplicated(dst, Role::Dst)?;
        let (src, dst) = (vector_side(src, Role::Src)?, vector_side(dst, Role::Dst)?);
        let (src, dst, mask) = in_one_order(src, dst, problem.mask.clone())?;
        let copy = MatchedCopy {
            variant: self.about.name,
            transfer: Transfer::LoadStore,
            threads: 1,
            thread_iters: 0,
            ranks: None,
            element_bits: problem.element.bits,
            conversion: problem.conversion,
            effect: problem.effect,
            mask,
            src: Some(src),
            dst,
            rotates: false,
            forced_bits: Some(self.bits),
            guards: Vec::new(),
            cache: problem.cache.clone(),
        };
        vectorize(&copy, target, self.bits)?;
        Ok(copy)
    }

    fn check_spaces(&self, problem: &Problem, target: &Target) -> Result<(), Refusal> {
        if problem.threads.scope != Scope::Thread {
            let reason = format!("a forced width needs thread scope; got {}", problem.threads.scope);
            return Err(Refusal::new("scope-not-thread", reason));
        }
        let (src, dst) = problem.spaces()?;
        let spaces = [src, dst];
        if src == dst || spaces.contains(&Space::Tmem) {
            let reason =
                format!("unsupported memory scopes src={src} dst={dst}; allowed: two of global, shared and local");
            return Err(Refusal::new("unsupported-spaces", reason));
        }
        for (role, operand) in problem.operands.iter() {
            if operand.space == Space::Local && is_distributed(&operand.layout) {
                let reason = format!("the {role}'s registers are distributed over threads; needed those of one thread");
                return Err(Refusal::of(role, "thread-axis-wider-than-scope", reason));
            }
        }
        if self.bits == 256 {
            check_256(target, spaces.contains(&Space::Shared))?;
        }
        Ok(())
    }

    fn check_count(&self, problem: &Problem) -> Result<(), Refusal> {
        let element = problem.bits_of(Role::Src).max(problem.bits_of(Role::Dst));
        let got = i128::from(problem.elements()) * i128::from(element);
        if got == i128::from(self.bits) {
            return Ok(());
        }
        let reason = format!(
            "the region has {} of {element} bits, {got} bits; needed exactly {}",
            counted(problem.elements(), "element"),
            self.bits
        );
        Err(Refusal::new("region-not-one-vector", reason))
    }
}

fn check_256(target: &Target, shared: bool) -> Result<(), Refusal> {
    engine::WIDE_GLOBAL.check(target, "256-bit accesses need")?;
    if shared {
        return Err(Refusal::new(
            "shared-lacks-256-bit-access",
            "shared memory has no 256-bit accesses; needed global",
        ));
    }
    Ok(())
}

/// Both sides in the order of descending strides of the source.
fn in_one_order(src: Side, dst: Side, mask: Option<Mask>) -> Result<(Side, Side, Option<Mask>), Refusal> {
    let pairs = refine_masked(&src.layout.shard, &dst.layout.shard, mask.as_ref())
        .ok_or_else(|| Refusal::new("no-common-refinement", "the iters of the two sides have no common refinement"))?;
    Ok(in_order(pairs, src, dst, mask))
}
