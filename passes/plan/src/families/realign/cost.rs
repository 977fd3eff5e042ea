//! What realigned rows cost, and what vectors of elements as they are cost.
//!
//! Lines of 128 bytes are counted for each request of a warp, as memory serves them. A request of contiguous bytes is cut where a row ends; a
//! piece of `n` bytes that begins at any element of `e` bytes touches `1 + (n - e) / 128` lines on average over all places:
//!
//! ```text
//!   512 bytes of f16     by elements      8 requests of 64 bytes on each side             23.7 lines
//!                        by chunks        2 loads and a store of 16 bytes a lane          14.6 lines
//!                        at both ends     2 loads and 2 stores of up to 14 elements        4.4 lines for each row
//! ```

use tile_isa::Space;
use tile_layout::gcd;

use super::plan::{CHUNK_BYTES, RealignedCopy};
use crate::families::composite::{LineComparison, LineCost};
use crate::families::copy_plan::CopyPlan;
use crate::families::family::{Cost, Costs};
use crate::families::variant::Variant as _;
use crate::families::vector::accesses::line_cost;
use crate::families::vector::gmem_smem::GlobalShared;
use crate::families::vector::plan::{MatchedCopy, VectorCopy};
use crate::families::vector::same_memory::SameMemory;
use crate::families::vector::vectorize::vectorize;
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::target::Target;
use crate::traffic::LINE_BYTES;

/// Contiguous runs of bytes that warps access in order, `request` bytes at a time.
#[derive(Clone, Copy)]
struct ByteRuns {
    count: i64,
    bytes: i64,
    /// Bytes of a request.
    request: i64,
    /// Runs begin at multiples of this.
    begin: i64,
}

impl ByteRuns {
    /// The lines that all requests touch, in parts of 128.
    fn line_parts(self) -> i64 {
        let all = self.count.saturating_mul(self.bytes);
        let cuts = |every: i64| all / every + i64::from(all % every != 0);
        let common = (self.request / gcd(self.request, self.bytes).max(1)).saturating_mul(self.bytes);
        let pieces = cuts(self.request) + self.count - cuts(common);
        pieces.saturating_mul(LINE_BYTES - self.begin).saturating_add(all)
    }
}

/// Whole lines.
fn lines(parts: i64) -> i64 {
    parts / LINE_BYTES + i64::from(parts % LINE_BYTES != 0)
}

impl RealignedCopy {
    /// The costs of this plan and of vectors of elements as they are.
    ///
    /// # Errors
    /// `same-memory-cheaper` where this plan takes no fewer lines, `elements-cheaper` where it takes more than two thirds of what elements
    /// take that shared memory has on one side: these are narrow on the other side alone.
    pub(super) fn compared(&self, problem: &Problem, target: &Target) -> Result<LineComparison, Refusal> {
        let realigned = self.line_cost(target);
        let (direct, bits) = as_they_are(problem, target)?;
        let is_global = !self.is_shared();
        let most = if is_global { direct.weight() - 1 } else { direct.weight().saturating_mul(2) / 3 };
        if realigned.weight() <= most {
            return Ok(LineComparison { plan: realigned, direct });
        }
        let (chunks, elements) = (realigned.lines, direct.lines);
        let taken = format!("chunks and ends of rows take {chunks} lines");
        Err(if is_global {
            let reason = format!("{taken}; needed less than vectors of {bits} bits, {elements}");
            Refusal::new("same-memory-cheaper", reason)
        } else {
            let reason = format!("{taken}; needed two thirds of vectors of {bits} bits, {elements}");
            Refusal::new("elements-cheaper", reason)
        })
    }

    /// What the memories serve, for all threads, and the accesses of one.
    pub(super) fn line_cost(&self, target: &Target) -> LineCost {
        let lanes = self.threads.min(target.subgroup());
        let (count, bytes) = (self.rows(), self.chunks_of_row() * CHUNK_BYTES);
        // A row of 16 bytes may have none.
        let chunks = ByteRuns { count, bytes: bytes.max(1), request: lanes * CHUNK_BYTES, begin: CHUNK_BYTES };
        let end = ByteRuns {
            count: count.saturating_mul(2),
            bytes: CHUNK_BYTES,
            request: CHUNK_BYTES,
            begin: self.element_bytes(),
        };
        let warps = (self.threads + target.subgroup() - 1) / target.subgroup();
        let mut cost = LineCost { instructions: self.accesses(), ..LineCost::default() };
        let mut parts = 0i64;
        for (role, loads) in [(Role::Src, 2), (Role::Dst, 1)] {
            if self.of(role).space == Space::Global {
                let chunks = chunks.line_parts().saturating_mul(loads);
                parts = parts.saturating_add(chunks).saturating_add(end.line_parts());
            } else {
                // Neighbours have neighbouring chunks: a whole line each time.
                let chunks = self.rows().saturating_mul(bytes / LINE_BYTES + i64::from(bytes % LINE_BYTES != 0));
                let ends = self.edge_rounds().saturating_mul(warps);
                cost.wavefronts = cost.wavefronts.saturating_add(chunks.saturating_mul(loads)).saturating_add(ends);
            }
        }
        LineCost { lines: lines(parts), ..cost }
    }

    /// The accesses of a thread.
    fn accesses(&self) -> i64 {
        let filled = self.filled_chunk_rounds().saturating_add(self.filled_element_rounds());
        self.chunk_rounds()
            .saturating_mul(3)
            .saturating_add(self.edge_rounds().saturating_mul(2))
            .saturating_add(filled)
    }
}

/// Instructions that shift two chunks together: selects of words, by the bits of the shift that elements leave open, and shifts.
pub(super) fn shifts(element_bytes: i64) -> i64 {
    match element_bytes {
        1 | 2 => 6 + 5 + 4,
        4 => 5 + 4,
        8 => 4,
        _ => 0,
    }
}

/// The cost of the vectors that the same copy takes otherwise, and the width of the widest in bits.
fn as_they_are(problem: &Problem, target: &Target) -> Result<(LineCost, i64), Refusal> {
    let is_global = problem.operands.iter().all(|(_, operand)| operand.space == Space::Global);
    let plan = if is_global { SameMemory.plan(problem, target) } else { GlobalShared.plan(problem, target) }?;
    let parts = match plan {
        CopyPlan::Partition(copy) => vec![copy],
        CopyPlan::Composite(parts) => {
            let copy = |step| if let CopyPlan::Partition(copy) = step { Some(copy) } else { None };
            parts.steps.into_iter().filter_map(|step| copy(step.plan)).collect()
        }
        _ => Vec::new(),
    };
    let (mut sum, mut widest) = (LineCost::default(), 0);
    for copy in parts {
        let (vectors, _) = vectorize(&copy, target, problem.max_vector_bits)?;
        sum = sum.and(of_vectors(&copy, &vectors, target));
        widest = widest.max(vectors.access_bits(Role::Dst));
    }
    Ok((sum, widest))
}

fn of_vectors(copy: &MatchedCopy, vectors: &VectorCopy, target: &Target) -> LineCost {
    let lanes = vectors.threads.min(target.subgroup());
    let mut cost = LineCost::default();
    let mut parts = 0i64;
    for role in Role::ALL {
        let (side, element) = (copy.side(role), i64::from(copy.bits_of(role) / 8));
        if side.space != Space::Global {
            cost = cost.and(line_cost(vectors, role, target));
            continue;
        }
        let last = side.layout.shard.iter().rev().find(|iter| iter.extent != 1);
        let run = last.filter(|iter| iter.stride == 1).map_or(1, |iter| iter.extent);
        let count = side.layout.size() / run;
        let access = vectors.access_bits(role) / 8;
        let runs = ByteRuns { count, bytes: run * element, request: lanes * access, begin: access };
        parts = parts.saturating_add(runs.line_parts());
    }
    let each = vectors.accesses_of(Role::Src) + vectors.accesses_of(Role::Dst);
    let instructions = vectors.rounds.saturating_mul(each);
    LineCost { lines: lines(parts), instructions, ..cost }
}

impl Costs for RealignedCopy {
    fn cost(&self, _problem: &Problem, _target: &Target) -> Result<Cost, Refusal> {
        let shifts = self.chunk_rounds().saturating_mul(shifts(self.element_bytes()));
        Ok(Cost { instructions: self.accesses().saturating_add(shifts), wavefronts: 0 })
    }
}
