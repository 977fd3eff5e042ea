//! The cheapest plan that stays in registers.

use tile_isa::{Scope, Space, WARP};
use tile_layout::{Axis, Eval, Iter, counted};

use crate::convert;
use crate::families::family::CostComparison;
use crate::families::registers::digits::{Digits, digits};
use crate::families::registers::exchanges::exchange_orders;
use crate::families::registers::places::holders;
use crate::families::registers::plan::{MAX_REGISTERS, RegisterCopy};
use crate::families::registers::steps::{Steps, of_steps};
use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::threads::{Active, ThreadSet};
use crate::sides::chain::is_distributed;
use crate::sides::require::full_scope;
use crate::target::Target;

/// The best plan that stays in registers.
///
/// # Errors
/// Why there is none.
pub(super) fn planned(problem: &Problem, target: &Target) -> Result<RegisterCopy, Refusal> {
    check_spaces(problem)?;
    check_copy(problem)?;
    convert::on_chip(problem, target)?;
    let count = problem.threads.count().map_or_else(|| full_scope(problem), Ok)?;
    let Digits { src, dst } = digits(problem, count)?;
    let plan = RegisterCopy {
        threads: count,
        element_bits: problem.element.bits,
        conversion: problem.conversion,
        packed: 0,
        exchanges: Vec::new(),
        src,
        dst,
        weighed: CostComparison::default(),
    };
    few_registers(&plan)?;
    let (plan, steps) = cheapest(plan)?;
    reached(problem, &plan, &steps)?;
    Ok(plan)
}

/// Requires both operands to be in registers.
pub(super) fn check_spaces(problem: &Problem) -> Result<(), Refusal> {
    match problem.spaces()? {
        (Space::Local, Space::Local) => Ok(()),
        (src, dst) => {
            let reason = format!("unsupported memory scopes src={src} dst={dst}; allowed: local -> local");
            Err(Refusal::new("unsupported-spaces", reason))
        }
    }
}

fn few_registers(plan: &RegisterCopy) -> Result<(), Refusal> {
    let held = |iter: &&Iter| iter.axis == Axis::Memory;
    for side in [&plan.src, &plan.dst] {
        let iters = side.layout.shard.iter().filter(held).chain(side.layout.replica.iter().filter(held));
        let count = iters.fold(1i64, |count, iter| count.saturating_mul(iter.extent));
        if count > MAX_REGISTERS {
            let reason = format!("a thread holds {}; needed {MAX_REGISTERS} at most", counted(count, "element"));
            return Err(Refusal::new("too-many-registers", reason));
        }
    }
    Ok(())
}

/// The plan with the exchanges that cost least, and its steps.
fn cheapest(plan: RegisterCopy) -> Result<(RegisterCopy, Steps), Refusal> {
    let crosses = |reason: String| Refusal::new("crosses-warps", reason);
    let mut best: Option<(RegisterCopy, Steps)> = None;
    let mut why = String::new();
    let [chains, apart] = exchange_orders(&plan).map_err(|error| crosses(error.to_string()))?;
    let other = (apart != chains).then_some(apart);
    for exchanges in std::iter::once(chains).chain(other) {
        let (mut way, steps) = match packed(RegisterCopy { exchanges, ..plan.clone() }) {
            Ok(packed) => packed,
            Err(refusal) => {
                why = refusal.reason;
                continue;
            }
        };
        let cost = of_steps(way.words(), &steps);
        way.weighed.shuffle = Some(cost);
        let least =
            |(best, _): &(RegisterCopy, Steps)| best.weighed.shuffle.is_some_and(|best| best.cycles() <= cost.cycles());
        if !best.as_ref().is_some_and(least) {
            best = Some((way, steps));
        }
    }
    best.ok_or_else(|| crosses(format!("{why}; needed what another lane of the warp holds")))
}

/// The plan with its digits reordered so that digits that stay in registers throughout come last and share words, and its steps.
fn packed(plan: RegisterCopy) -> Result<(RegisterCopy, Steps), Refusal> {
    let steps = plan.steps();
    if steps.as_ref().is_ok_and(Steps::are_moves) {
        return steps.map(|steps| (plan, steps));
    }
    let room = (32 / plan.moved_bits().max(1)).max(1).ilog2() as usize;
    let stays = |digit: usize| {
        let iters = [plan.src.layout.shard[digit], plan.dst.layout.shard[digit]];
        let exchanged = plan.exchanges.iter().any(|(exchanged, _)| *exchanged == digit);
        !exchanged && iters.iter().all(|iter| iter.axis == Axis::Memory && iter.extent == 2)
    };
    let mut sharing: Vec<usize> = (0..plan.src.layout.shard.len()).filter(|&digit| stays(digit)).collect();
    // Adjacent registers already share a word if a load or a matrix instruction filled them.
    sharing.sort_by_key(|&digit| std::cmp::Reverse(plan.src.layout.shard[digit].stride.saturating_abs()));
    let sharing = sharing.split_off(sharing.len().saturating_sub(room));
    if sharing.is_empty() {
        return steps.map(|steps| (plan, steps));
    }
    let others = (0..plan.src.layout.shard.len()).filter(|digit| !sharing.contains(digit));
    let order: Vec<usize> = others.chain(sharing.iter().copied()).collect();
    let number = |digit: usize| order.iter().position(|other| *other == digit).unwrap_or(digit);
    let mut ordered = plan.clone();
    for (side, from) in [(&mut ordered.src, &plan.src), (&mut ordered.dst, &plan.dst)] {
        side.layout.shard = order.iter().map(|&digit| from.layout.shard[digit]).collect();
    }
    ordered.exchanges = plan.exchanges.iter().map(|&(digit, bit)| (number(digit), bit)).collect();
    ordered.packed = sharing.len();
    let steps = ordered.steps()?;
    Ok((ordered, steps))
}

/// Requires every thread that will hold an element to reach the copy, and with it the lanes that supply the element.
fn reached(problem: &Problem, plan: &RegisterCopy, steps: &Steps) -> Result<(), Refusal> {
    let threads = &problem.threads;
    if threads.scope == Scope::Thread {
        return Ok(());
    }
    if steps.shuffle() && plan.threads % WARP != 0 {
        let reason = format!("lanes of {} exchange words; needed whole warps", counted(plan.threads, "thread"));
        return Err(Refusal::new("threads-not-whole-warps", reason));
    }
    let Err(narrowed) = full_scope(problem) else { return Ok(()) };
    let Active::Known(active) = threads.active else { return Err(narrowed) };
    let spread = is_distributed(&problem.operand(Role::Dst)?.layout);
    let instance = |thread: i64| thread / plan.threads * plan.threads;
    let firsts: ThreadSet = active.iter().map(instance).collect();
    let missing = |thread: i64| !active.contains(thread);
    for first in firsts.iter() {
        let in_scope = first..first + plan.threads;
        let lanes = in_scope.clone().step_by(WARP as usize).map(|lane| lane..lane + WARP);
        let divided =
            |lanes: &std::ops::Range<i64>| lanes.clone().any(missing) && lanes.clone().any(|lane| !missing(lane));
        if (steps.shuffle() && lanes.clone().any(|lanes| divided(&lanes)))
            || (spread && in_scope.clone().any(|thread| missing(thread) && holds(plan, thread - first)))
        {
            return Err(narrowed);
        }
    }
    Ok(())
}

/// Whether a thread of the scope will hold an element.
fn holds(plan: &RegisterCopy, thread: i64) -> bool {
    holders(&mut Eval, &plan.dst.layout, plan.threads, thread)
        .is_ok_and(|conditions| conditions.iter().all(|condition| condition.holds()))
}
