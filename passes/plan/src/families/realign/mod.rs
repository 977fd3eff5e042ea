//! Copies within global memory whose rows begin at any element: rows as aligned chunks of the destination.
//!
//! ```text
//!   a row of bytes of the source, whose first is at 5 mod 16, to one whose first is at 14
//!     destination      14 15 | 16 … 31 | 32 … 47 | 48 …       chunks of 16 bytes, each stored at once
//!     source         … 7 | 8 … 15 16 … 23 | …                 each from the two chunks that hold its bytes, shifted by 7
//! ```
//!
//! Every row is split into chunks that start at multiples of 16 bytes of the destination, and the elements before and after them. A chunk is
//! loaded as two aligned chunks of the source, which are shifted together; the shift is the same for all of a row, and known at run
//! time alone. A chunk is one only where both loads are inside the row: no byte is read that is not copied, and what is left at both
//! ends, less than 32 bytes each, is copied element by element, each by its own thread.
//!
//! | file | question |
//! | --- | --- |
//! | `plan` | what is a plan, and what must hold for it? |
//! | `rows` | where is a row, and what is its shift? |
//! | `chunks` | which chunk and which element has a thread in a round? |
//! | `filled` | which chunk and which element does a thread fill, where a mask leaves them out? |
//! | `cost` | how many lines and instructions is that, and how many are elements as they are? |
//! | `loads` | which vectors of registers are loaded by two aligned chunks? |
//! | `load_accesses` | what do they touch, by which requests, and at what cost? |
//! | `registers` | rows to and from registers, through shared memory |
//! | `accesses` | what is touched, and by which requests? |

mod accesses;
pub mod chunks;
mod cost;
pub mod filled;
mod load_accesses;
pub mod loads;
pub mod plan;
pub(crate) mod registers;
pub mod rows;

use tile_isa::{Scope, Space};
use tile_layout::{Axis, gcd};

use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::variant::{About, Variant};
use crate::families::vector::partition::partition;
use crate::families::vector::plan::MatchedCopy;
use crate::families::vector::vectorize::with_longer_runs;
use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::effect::Effect;
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::Begin;
use crate::sides::require::{between, unconverted};
use crate::target::Target;
use crate::target::engine::Engine;
use plan::{CHUNK_BYTES, RealignedCopy, is_row, whole_chunks};

/// Rows as aligned chunks of the destination.
pub(crate) struct Realign {
    /// Whether it is a step of another plan, which has weighed it.
    pub is_step: bool,
}

/// `shf`, which shifts two words together.
pub(crate) static FUNNEL_SHIFT: Engine = Engine::since("chip-lacks-funnel-shift", "sm_32 or later", 32, 0);

const ABOUT: About = About::new(
    "realign",
    10,
    PlanKind::Realigned,
    "rows within global memory that begin at any element, as aligned chunks of the destination",
)
.on(&FUNNEL_SHIFT);

/// The properties of [`loads::RealignLoads`] as a step of other plans.
const LOADS_OF_STEPS: About = About::new(
    "realign_loads",
    10,
    PlanKind::RealignedLoads,
    "rows of global memory that begin at any element to registers; a step of `transpose`",
)
.on(&FUNNEL_SHIFT);

/// The same as a variant of copies.
const ABOUT_LOADS: About = About { only_when_forced: true, ..LOADS_OF_STEPS };

impl Variant for Realign {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        let pairs = [(Space::Global, Space::Global), (Space::Global, Space::Shared), (Space::Shared, Space::Global)];
        between(problem, &pairs)?;
        check_copy(problem)?;
        unconverted(problem)?;
        problem.effect.done_by(Effect::Stored)?;
        FUNNEL_SHIFT.check(target, "shifts of two words need")?;
        wide_accesses(problem)?;
        rows_at_any_element(problem)?;
        let lead = if problem.spaces()? == (Space::Global, Space::Shared) { Role::Src } else { Role::Dst };
        let plan = realigned(partition(problem, ABOUT.name, lead)?)?;
        if problem.mask.is_none() && plan.is_shared() && plan.begins_at() % (CHUNK_BYTES / 2) == 0 {
            return Err(rows_aligned());
        }
        let weighed = if self.is_step { None } else { Some(plan.compared(problem, target)?) };
        Ok(CopyPlan::Realigned(RealignedCopy { weighed, ..plan }))
    }
}

/// Requires accesses of 128 bits, without hints, by several threads.
pub(crate) fn wide_accesses(problem: &Problem) -> Result<(), Refusal> {
    if problem.threads.scope == Scope::Thread {
        return Err(Refusal::new("scope-has-no-warps", "got thread scope; needed a scope of several threads"));
    }
    if i64::from(problem.max_vector_bits) < CHUNK_BYTES * 8 {
        let reason = format!("vectors are limited to {} bits; needed {}", problem.max_vector_bits, CHUNK_BYTES * 8);
        return Err(Refusal::new("vector-limit-under-16-bytes", reason));
    }
    if problem.cache.is_empty() {
        return Ok(());
    }
    Err(Refusal::new("hinted-loads", "the copy has cache hints; needed one without"))
}

/// Declines at a glance what no mask cuts, where rows of both sides begin at multiples of half a chunk: vectors of these are as good.
fn rows_at_any_element(problem: &Problem) -> Result<(), Refusal> {
    let least = CHUNK_BYTES / 2;
    let bytes = problem.element.bytes();
    if problem.mask.is_some() || !problem.operands.iter().any(|(_, operand)| operand.space == Space::Shared) {
        return Ok(());
    }
    if problem.operands.iter().all(|(_, operand)| begins_at(operand, bytes) % least == 0) {
        Err(rows_aligned())
    } else {
        Ok(())
    }
}

fn rows_aligned() -> Refusal {
    let least = CHUNK_BYTES / 2;
    let reason = format!("rows of both sides begin at multiples of {least} bytes; needed rows that begin anywhere");
    Refusal::new("rows-aligned", reason)
}

/// The bytes that divide everything but the row's own elements; 1 where that is not seen at once.
fn begins_at(operand: &Operand, bytes: i64) -> i64 {
    let Some((row, outer)) = operand.layout.shard.split_last().filter(|(row, _)| is_row(row)) else { return 1 };
    let Some((&shape, &begin)) = operand.shape.last().zip(operand.begin.last()) else { return 1 };
    if shape != row.extent || !operand.origin.is_empty() {
        return 1;
    }
    let begin = match begin {
        Begin::Const(begin) => begin,
        Begin::Dynamic { divisor, residue, .. } => gcd(divisor, residue),
    };
    let run_time = |axis: Axis| {
        axis.stride_index().and_then(|index| operand.strides.get(index)).map_or(1, |stride| stride.divisor)
    };
    let steps = outer.iter().map(|iter| iter.stride.saturating_mul(run_time(iter.axis)));
    let offsets = operand.layout.offset.iter().map(|(&axis, &offset)| offset.saturating_mul(run_time(axis)));
    let elements = steps.chain(offsets).chain([begin, operand.extent.last().copied().unwrap_or(1)]).fold(0, gcd);
    gcd(operand.align_bytes, elements.saturating_mul(bytes))
}

/// Rows that are contiguous on both sides, in the order of the destination.
fn realigned(mut copy: MatchedCopy) -> Result<RealignedCopy, Refusal> {
    // Rows that follow each other are one.
    while let Some(longer) = with_longer_runs(&copy) {
        copy = longer;
    }
    let src = copy.src.ok_or_else(|| Refusal::of(Role::Src, "operand-missing", "the copy has no source"))?;
    for (role, side) in [(Role::Src, &src), (Role::Dst, &copy.dst)] {
        let last = side.layout.shard.iter().rev().find(|iter| iter.extent != 1);
        if let Some(iter) = last.filter(|iter| !is_row(iter)) {
            let reason = format!("the {role}'s fastest iter is {iter}; needed a row of stride 1");
            return Err(Refusal::of(role, "not-contiguous", reason));
        }
        whole_chunks(side, role, i64::from(copy.element_bits / 8))?;
    }
    let plan = RealignedCopy {
        threads: copy.threads,
        ranks: copy.ranks,
        element_bits: copy.element_bits,
        mask: copy.mask,
        weighed: None,
        src,
        dst: copy.dst,
    };
    same_rows(&plan)?;
    plan.masked_dimension()?;
    Ok(plan)
}

/// Requires rows of the same length on both sides.
fn same_rows(plan: &RealignedCopy) -> Result<(), Refusal> {
    let [src, dst] = [Role::Src, Role::Dst].map(|role| plan.row_of(role));
    if src == dst {
        return Ok(());
    }
    let reason = format!("the source has rows of {src} elements, the destination of {dst}; needed the same");
    Err(Refusal::new("no-common-refinement", reason))
}
