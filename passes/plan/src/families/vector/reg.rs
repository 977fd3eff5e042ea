//! Between registers and memory: the register layout says which thread holds what.

use crate::convert;
use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::variant::{About, Variant};
use crate::families::vector::plan::MatchedCopy;
use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::order::with_shard;
use crate::sides::registers::{memory_iters, register_iters, register_order};
use crate::sides::require::{full_scope, honoured_hints};
use crate::sides::side::Side;
use crate::target::Target;
use tile_isa::{Space, Transfer};

/// Each thread moves the elements that it holds.
///
/// The thread iters of the register layout, sorted by stride, must count every thread of the scope once:
///
/// ```text
///   (8, 4, 2) : (4@laneid, 1@laneid, 1)    4 * 8 lanes: the range 0 … 31, complete
///   (16, 8) : (2@laneid, 1)                every other lane: declined
/// ```
///
/// Threads that the layout does not distinguish (replicas, or an axis that it leaves out) hold the same elements. All
/// of them load; only the first of them stores.
pub(crate) struct LaneRegisters;

const ABOUT: About =
    About::new("reg", 10, PlanKind::Partition, "registers and memory, by the partition of the register layout");

impl Variant for LaneRegisters {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn transfer(&self) -> Option<Transfer> {
        Some(Transfer::LoadStore)
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        plan(problem, target).map(CopyPlan::Partition)
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<MatchedCopy, Refusal> {
    let local = local_side(problem)?;
    check_copy(problem)?;
    honoured_hints(problem, target, 0)?;
    convert::on_chip(problem, target)?;
    by_registers(problem, ABOUT.name, local)
}

/// The copy partitioned as the register operand `local` is. Call it after `check_copy`.
///
/// # Errors
/// A scope whose threads are not all known to be active, or a layout that does not count each of them once.
pub(in crate::families) fn by_registers(
    problem: &Problem,
    variant: &'static str,
    local: Role,
) -> Result<MatchedCopy, Refusal> {
    let count = full_scope(problem)?;
    let order = register_order(problem, local, count)?;
    let thread_iters = order.threads.len();
    let pairs = [order.threads, order.held].concat();
    let with = |side: Side, iters| Side { layout: with_shard(side.layout, iters), ..side };
    let registers = with(order.registers, register_iters(&pairs));
    let memory = with(order.memory, memory_iters(&pairs));
    let (src, dst) = if local == Role::Src { (registers, memory) } else { (memory, registers) };
    Ok(MatchedCopy {
        variant,
        transfer: Transfer::LoadStore,
        threads: count,
        thread_iters,
        ranks: None,
        element_bits: problem.element.bits,
        conversion: problem.conversion,
        effect: problem.effect,
        mask: order.mask,
        src: Some(src),
        dst,
        rotates: false,
        forced_bits: None,
        guards: order.guards,
        cache: problem.cache.clone(),
    })
}

/// The operand in registers, where exactly one is and the other is in memory.
fn local_side(problem: &Problem) -> Result<Role, Refusal> {
    match problem.spaces()? {
        (Space::Local, Space::Global | Space::Shared) => Ok(Role::Src),
        (Space::Global | Space::Shared, Space::Local) => Ok(Role::Dst),
        (src, dst) => {
            let reason = format!("unsupported memory scopes src={src} dst={dst}; allowed: local <-> shared or global");
            Err(Refusal::new("unsupported-spaces", reason))
        }
    }
}
