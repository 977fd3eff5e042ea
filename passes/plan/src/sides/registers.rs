//! A register buffer and a memory buffer in one order: the threads that hold each element, and its address in memory.

use std::cmp::Reverse;

use tile_layout::{Axis, Iter, Layout, counted};

use crate::problem::Problem;
use crate::problem::mask::Mask;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::chain::{gaps, on_threads, thread_offset, thread_stride};
use crate::sides::order::{Pair, coordinates, join, refine_masked, sort_upwards};
use crate::sides::region::{region_side, vector_side};
use crate::sides::require::{unreplicated, unswizzled};
use crate::sides::side::{Guard, Side};

/// The common iters of both sides, with thread iters separated from register iters.
///
/// ```text
///   registers (8, 4, 2) : (4@laneid, 1@laneid, 1)     shared (8, 8) : (8, 1)
///     threads   8 : thread 4, memory 8      4 : thread 1, memory 2
///     held      2 : register 1, memory 1
/// ```
pub(crate) struct RegisterOrder {
    /// Iters of the thread id, slowest first: they count every thread of the scope once.
    pub threads: Vec<Pair>,
    /// Iters of the register index, slowest first.
    pub held: Vec<Pair>,
    /// The threads that store, where several threads hold the same elements; empty for loads.
    pub guards: Vec<Guard>,
    /// The register side; its iters are replaced later.
    pub registers: Side,
    /// The memory side; likewise.
    pub memory: Side,
    /// What the copy leaves out, over the iters of `threads`, then those of `held`.
    pub mask: Option<Mask>,
}

/// Brings the operands into one order; `local` is the register operand, `count` the threads of the scope.
pub(crate) fn register_order(problem: &Problem, local: Role, count: i64) -> Result<RegisterOrder, Refusal> {
    let operand = problem.operand(local)?;
    unreplicated(problem.operand(Role::Dst)?, Role::Dst)?;
    unswizzled(operand, local)?;
    let same = copies_in_threads(&operand.layout, gaps(&operand.layout, local, &problem.threads, count, false)?);
    let mut registers = region_side(operand, local)?;
    registers.layout.swizzle = None;
    let other = problem.operand(local.other())?;
    let mut memory = vector_side(other, local.other())?;
    memory.layout.swizzle =
        memory.layout.swizzle.filter(|_| other.layout.swizzle.is_some_and(|swizzle| swizzle.len != 0));
    let pairs =
        refine_masked(&registers.layout.shard, &memory.layout.shard, problem.mask.as_ref()).ok_or_else(|| {
            let reason = "the iters of the two sides have no common refinement".to_owned();
            Refusal::new("no-common-refinement", reason)
        })?;
    let (mut threads, mut held): (Vec<Pair>, Vec<Pair>) = pairs.into_iter().partition(|pair| pair.axis.is_thread());
    threads.iter_mut().for_each(|pair| pair.lead = pair.lead.saturating_mul(thread_stride(pair.axis).unwrap_or(1)));
    threads.extend(same.iter().map(|iter| Pair {
        extent: iter.extent,
        lead: iter.stride,
        axis: iter.axis,
        follow: 0,
        follow_axis: Axis::Memory,
        moves: (0, 0),
    }));
    threads.sort_by_key(|pair| Reverse(pair.lead));
    covers(&threads, thread_offset(&registers.layout), local, count)?;
    let shifts = sort_upwards(&mut held, &mut registers.layout, &mut memory.layout);
    registers.layout.offset.retain(|axis, _| !axis.is_thread());
    let guard = |iter: &Iter| Guard { div: iter.stride, extent: iter.extent };
    let guards = if local == Role::Src { same.iter().map(guard).collect() } else { Vec::new() };
    let (threads, held) = (join(&threads), join(&held));
    let digits = || [coordinates(&threads), coordinates(&held)].concat();
    let mask = problem.mask.clone().map(|mask| mask.reordered(digits(), &shifts));
    Ok(RegisterOrder { threads, held, guards, registers, memory, mask })
}

/// The threads that hold the same elements, as iters of the thread id: replicas on thread axes, and gaps between the
/// axes.
pub(crate) fn copies_in_threads(layout: &Layout, gaps: Vec<Iter>) -> Vec<Iter> {
    let replicas = layout.replica.iter().filter(|iter| iter.extent != 1 && iter.stride != 0);
    replicas.filter_map(|iter| on_threads(*iter)).chain(gaps).collect()
}

/// Checks that the thread iters count each of `0..count` once.
fn covers(threads: &[Pair], offset: i64, local: Role, count: i64) -> Result<(), Refusal> {
    let mut inside = 1i64;
    for pair in threads.iter().rev() {
        if pair.lead != inside {
            break;
        }
        inside = inside.saturating_mul(pair.extent);
    }
    let all: i64 = threads.iter().fold(1, |all, pair| all.saturating_mul(pair.extent));
    if offset == 0 && inside == count && all == count {
        return Ok(());
    }
    let digits: Vec<String> = threads.iter().map(|pair| format!("{}:{}", pair.extent, pair.lead)).collect();
    let reason = format!(
        "the {local}'s thread iters ({}) + {offset}, in threads, count {}; needed each of the threads 0 to {} once",
        digits.join(", "),
        counted(all, "position"),
        count - 1
    );
    Err(Refusal::of(local, "threads-not-covered", reason))
}

/// The pairs' register iters, with thread strides in units of their axis again.
pub(crate) fn register_iters(pairs: &[Pair]) -> Vec<Iter> {
    let unit = |pair: &Pair| thread_stride(pair.axis).unwrap_or(1);
    pairs.iter().map(|pair| Iter::new(pair.extent, pair.lead / unit(pair), pair.axis)).collect()
}

/// The pairs' memory iters.
pub(crate) fn memory_iters(pairs: &[Pair]) -> Vec<Iter> {
    pairs.iter().map(|pair| Iter::new(pair.extent, pair.follow, pair.follow_axis)).collect()
}
