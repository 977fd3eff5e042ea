//! Copies within global memory that change the order of elements: each thread turns blocks in its registers.
//!
//! ```text
//!   64x64 f32, 256 threads                        per thread
//!     rows of the source    ─▶ registers          4 loads of 128 bits: a block of 4x4
//!     registers             ─▶ registers          renamed: rows become columns
//!     registers             ─▶ shared tile        4 stores of 128 bits
//!     ─── barrier ───
//!     shared tile           ─▶ rows of the destination      4 loads and 4 stores of 128 bits
//!     ─── barrier ───                             before the tile is written again
//! ```
//!
//! | file | question |
//! | --- | --- |
//! | `bits` | in which order do addresses of both sides count the elements, and how long are their vectors? |
//! | `blocks` | which thread holds which block? |
//! | `cost` | how many lines, wavefronts and instructions is that? |
//! | `records` | are they records of a few fields, in any number, that registers alone turn? |
//! | `parts` | in how many parts does the region go through a tile of at most 48 KiB? |
//! | `tile` | which layout has the shared tile? |
//!
//! The steps of a masked copy that access an operand have its mask; what registers and the tile have outside is not used.
//!
//! Where blocks are stored in whole lines from registers, as fields of two elements are, there is no tile.
//!
//! Where rows of at least 128 words begin at any element, threads [rotate](super::vector::rotation) as they store them. Shorter rows of words
//! at constant distances are [realigned](super::realign): a side whose vectors are not proven is loaded, or stored, in aligned chunks.

mod bits;
mod blocks;
mod cost;
mod parts;
mod records;
mod steps;
mod tile;

use tile_isa::{Scope, Space};
use tile_layout::counted;

use crate::families::composite::{LineComparison, LineCost, instances, walked_shape};
use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::realign::{self, FUNNEL_SHIFT};
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::effect::Effect;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::require::{between, honoured_hints, unconverted};
use crate::target::Target;
use bits::RegionBits;
use blocks::{BlockSharing, Blocks};
use cost::CostCounter;
use parts::RegionParts;
use records::Records;
use steps::BlockPlan;

/// Blocks that threads turn, between vectors of both sides.
pub(crate) struct Transpose {
    /// The variants of its steps.
    pub by: StepVariants,
}

/// Variants, of which the first that accepts a step takes it.
type Variants = &'static [&'static dyn Variant];

/// The variants that may take the steps.
#[derive(Clone, Copy)]
pub(crate) struct StepVariants {
    /// Of each step.
    pub any: Variants,
    /// Of loads of realigned rows.
    pub loads: Variants,
    /// Of stores of realigned rows.
    pub stores: Variants,
}

const ABOUT: About = About::new(
    "transpose",
    10,
    PlanKind::Composite,
    "within global memory, where both sides are contiguous along different iters, through registers and shared memory",
);

/// The widest vector, in bits.
const MAX_VECTOR_BITS: u32 = 128;

/// The most bytes that a thread holds: half of its registers.
const MAX_HELD_BYTES: i64 = 512;

impl Variant for Transpose {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        between(problem, &[(Space::Global, Space::Global)])?;
        check_copy(problem)?;
        honoured_hints(problem, target, 0)?;
        check_plain(problem)?;
        let instances = instances(problem)?;
        let most = problem.max_vector_bits.min(MAX_VECTOR_BITS);
        if let Some(records) = Records::new(problem, threads(problem), most)? {
            return Ok(CopyPlan::Composite(records.plan(problem, (target, self.by.any))?));
        }
        let by_blocks = |may_realign| self.by_blocks(problem, target, (most, instances), may_realign);
        match by_blocks(may_realign(problem, target)) {
            // Rows that no step realigns may still be turned element by element.
            Err(refusal) if refusal.cause == "transpose-not-reached" => by_blocks(false),
            planned => planned,
        }
    }
}

impl Transpose {
    /// The plan of blocks, with vectors of at most `most` bits, for each of `instances` scopes of a block.
    fn by_blocks(
        &self,
        problem: &Problem,
        target: &Target,
        (most, instances): (u32, i64),
        may_realign: bool,
    ) -> Result<CopyPlan, Refusal> {
        let threads = power_of_two_threads(problem)?;
        let most = (most / problem.element.bits).max(1).ilog2() as usize;
        let bits = RegionBits::new(problem, most, may_realign)?;
        different_orders(&bits)?;
        let counter = CostCounter { bits: &bits, bytes: problem.element.bytes(), threads };
        few_registers(&counter)?;
        let shape = walked_shape(problem.operand(Role::Dst)?);
        let parts = RegionParts::new(problem, target, (&counter, &shape, instances));
        let (blocks, costs) = cheapest(&counter, most, parts)?;
        let plan = steps::composite(problem, (target, self.by), (&counter, &blocks, instances), costs)?;
        plan.lines.map_or(Ok(()), cheaper)?;
        Ok(CopyPlan::Composite(plan))
    }
}

/// Requires a copy that moves its elements as they are.
fn check_plain(problem: &Problem) -> Result<(), Refusal> {
    unconverted(problem)?;
    problem.effect.done_by(Effect::Stored)
}

/// Whether rows may be realigned: nothing is left out of them, and the chip shifts two words together.
fn may_realign(problem: &Problem, target: &Target) -> bool {
    problem.mask.is_none() && realign::wide_accesses(problem).is_ok() && FUNNEL_SHIFT.check(target, "").is_ok()
}

/// The threads of the scope.
fn threads(problem: &Problem) -> i64 {
    problem.threads.count().filter(|_| problem.threads.scope != Scope::Thread).unwrap_or(1)
}

/// The base-2 logarithm of the threads of the scope.
fn power_of_two_threads(problem: &Problem) -> Result<usize, Refusal> {
    let count = threads(problem);
    if count.count_ones() == 1 {
        return Ok(count.ilog2() as usize);
    }
    Err(Refusal::new("not-powers-of-two", format!("the scope has {}; needed a power of two", counted(count, "thread"))))
}

/// Requires sides whose widest vectors are not the same elements.
fn different_orders(bits: &RegionBits) -> Result<(), Refusal> {
    let [src, dst] = &bits.orders;
    let most = bits.widest(0).max(bits.widest(1));
    let is_same = src.iter().zip(dst).take(most.max(1)).all(|(one, other)| one == other);
    if !is_same {
        return Ok(());
    }
    let vector = counted(1i64 << most, "element");
    let reason = format!("both sides have their runs of {vector} along the same iters; needed different ones");
    Err(Refusal::new("same-order", reason))
}

/// Requires a share that fits into the registers of a thread.
fn few_registers(counter: &CostCounter<'_>) -> Result<(), Refusal> {
    let (elements, threads) = (counter.bits.count(), counter.threads);
    if elements < threads {
        let reason = format!(
            "the region has {}; needed at least one for each of {}",
            counted(1i64 << elements, "element"),
            counted(1i64 << threads, "thread")
        );
        return Err(Refusal::new("too-few-elements", reason));
    }
    let held = counter.bytes << (elements - threads).min(32);
    if held <= MAX_HELD_BYTES {
        return Ok(());
    }
    let reason = format!("a thread holds {}; needed {MAX_HELD_BYTES} at most", counted(held, "byte"));
    Err(Refusal::new("too-many-registers", reason))
}

/// The blocks that cost least, and what they cost beside vectors of elements as they are.
///
/// # Errors
/// Why there are no `parts` for a tile; `same-memory-cheaper`.
fn cheapest(
    counter: &CostCounter<'_>,
    chunk: usize,
    parts: Result<RegionParts, Refusal>,
) -> Result<(BlockPlan, LineComparison), Refusal> {
    let bits = counter.bits;
    let vectors = |most: [usize; 2]| {
        let loads = (0..=most[0]).rev().filter(|&src| bits.has_vectors(0, src));
        loads.flat_map(move |src| (0..=most[1]).rev().map(move |dst| [src, dst]))
    };
    let blocks =
        |vectors, chunk, parts| Blocks::new(bits, vectors, BlockSharing { threads: counter.threads, chunk, parts });
    let order = |cost: &LineCost| (cost.weight(), cost.instructions);
    let mut least: Option<(BlockPlan, LineCost)> = None;
    let tiles = [None].into_iter().chain(parts.iter().map(|&parts| Some(parts)));
    let most = |is_through_tile| [0, 1].map(|side| if is_through_tile { bits.widest(side) } else { bits.proven[side] });
    let candidates = tiles.flat_map(|parts: Option<RegionParts>| {
        let most = most(parts.is_some());
        vectors(most).map(move |vectors| (parts, vectors, chunk.min(most[1])))
    });
    for (parts, vectors, chunk) in candidates {
        let bound = counter.least(vectors, parts.map(|parts| parts.count));
        if least.as_ref().is_some_and(|(_, best)| order(best) <= order(&bound)) {
            continue;
        }
        let Some(blocks) = blocks(vectors, chunk, parts.map_or(0, |parts| parts.count)) else { continue };
        let cost = match parts {
            Some(parts) => counter.through_tile(&blocks, parts.count),
            None => counter.in_registers(&blocks),
        };
        if least.as_ref().is_none_or(|(_, best)| order(&cost) < order(best)) {
            least = Some((BlockPlan { blocks, parts }, cost));
        }
    }
    let direct = counter.as_they_are();
    match least {
        Some((blocks, cost)) if cost.weight() < direct.weight() => Ok((blocks, LineComparison { plan: cost, direct })),
        least => {
            parts?;
            let cost = least.map_or(direct, |(_, cost)| cost);
            Err(not_cheaper(LineComparison { plan: cost, direct }))
        }
    }
}

/// Requires blocks that take less than vectors of elements as they are.
fn cheaper(costs: LineComparison) -> Result<(), Refusal> {
    if costs.plan.weight() < costs.direct.weight() { Ok(()) } else { Err(not_cheaper(costs)) }
}

fn not_cheaper(LineComparison { plan: cost, direct }: LineComparison) -> Refusal {
    let reason = format!("blocks take {cost}; needed less than vectors of elements as they are, {direct}");
    Refusal::new("same-memory-cheaper", reason)
}
