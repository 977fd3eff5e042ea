//! Is a staged copy what the planner makes? Stage 3 also reads copies that were written by hand, and its instructions
//! trust contiguity and alignment.

use tile_layout::{Axis, Fusion, Iter, Layout, counted};

use crate::chain::on_threads;
use crate::plan::{MatrixCopy, Narrowing, Refusal, Side, VectorCopy};
use crate::problem::Which;
use crate::vectorize::exchange;
use crate::width::obstacle;

impl VectorCopy {
    /// Are the vectors contiguous and aligned on both sides, do rounds, threads and vector make up both layouts, and can
    /// the lanes exchange that are said to?
    ///
    /// # Errors
    /// `malformed-vector-copy`, or the cause for which a vector of that width is illegal.
    pub fn verify(&self) -> Result<(), Refusal> {
        let malformed = |reason: String| Refusal::new("malformed-vector-copy", reason);
        for (side, which) in [(&self.src, Which::Src), (&self.dst, Which::Dst)] {
            well_formed(side, which).map_err(malformed)?;
            let shard = &side.layout.shard;
            let last = shard.last().map_or(1, |iter| iter.extent);
            if last != self.vector {
                let got = counted(last, "value");
                return Err(malformed(format!("the {which}'s last digit has {got}; needed {}", self.vector)));
            }
            let from = (shard.len() - 1).checked_sub(self.thread_iters);
            let part = from.map(|from| product(&shard[from..shard.len() - 1]));
            if self.thread_iters > 0 && part != Some(Some(self.threads)) {
                let (digits, threads) = (counted(self.thread_iters, "digit"), counted(self.threads, "thread"));
                let reason = format!("the {which}'s thread part of {digits} does not count {threads}");
                return Err(malformed(reason));
            }
        }
        let parts = self.rounds.checked_mul(self.threads).and_then(|all| all.checked_mul(self.vector));
        let sizes = [&self.src, &self.dst].map(|side| side.layout.size());
        if parts != Some(sizes[0]) || sizes[0] != sizes[1] {
            return Err(malformed(format!("the sides have {} and {} elements; needed {parts:?}", sizes[0], sizes[1])));
        }
        let bytes = i64::from(self.element_bits / 8);
        let bits = u32::try_from(self.vector_bits()).unwrap_or(u32::MAX);
        legal(obstacle(&self.src, Which::Src, self.vector, bits, bytes))?;
        legal(obstacle(&self.dst, Which::Dst, self.vector, bits, bytes))?;
        if self.exchange == 1 { Ok(()) } else { exchange::check(self, self.exchange).map_err(malformed) }
    }
}

impl MatrixCopy {
    /// Are the rows of the matrices contiguous and aligned, and do the registers lie where the instruction puts them?
    ///
    /// # Errors
    /// `malformed-matrix-copy`, or the cause for which a row is illegal.
    pub fn verify(&self) -> Result<(), Refusal> {
        let malformed = |reason: String| Refusal::new("malformed-matrix-copy", reason);
        let (shared, registers) = if self.load { (Which::Src, Which::Dst) } else { (Which::Dst, Which::Src) };
        well_formed(&self.shared, shared).map_err(malformed)?;
        well_formed(&self.registers, registers).map_err(malformed)?;
        let row = self.row_stride;
        let shared_parts = if self.trans {
            [Iter::memory(8, 1), Iter::memory(4, row.saturating_mul(2)), Iter::memory(2, row)]
        } else {
            [Iter::memory(8, row), Iter::memory(4, 2), Iter::memory(2, 1)]
        };
        self.holds(&self.shared, shared, shared_parts)?;
        let lane = |extent, stride| Iter::new(extent, stride, Axis::LaneId);
        self.holds(&self.registers, registers, [lane(8, 4), lane(4, 1), Iter::memory(2, 1)])?;
        legal(obstacle(&self.rows(), shared, 8, 128, 2))?;
        legal(obstacle(&self.pairs(), registers, 2, 32, 2))
    }

    /// Do digits 1, 2 and 5 of the shape have these iters?
    fn holds(&self, side: &Side, which: Which, parts: [Iter; 3]) -> Result<(), Refusal> {
        let (grouped, seps) = self.groups(side)?;
        for (part, needed) in [1, 2, 5].into_iter().zip(parts) {
            // Thread axes all count threads: lanes of a warpgroup may be on `tid_in_wg`.
            let lane = |iter: &Iter| on_threads(*iter).map_or(*iter, |iter| Iter { axis: Axis::LaneId, ..iter });
            let iters: Vec<Iter> = grouped.shard[seps[part]..seps[part + 1]].iter().map(lane).collect();
            let fused = Layout::new(iters).canonicalize(Fusion::None);
            if fused.shard != [needed] {
                let reason = format!("digit {part} of the {which} is {fused}; needed {needed}");
                return Err(Refusal::of(which, "malformed-matrix-copy", reason));
            }
        }
        Ok(())
    }

    /// The shared side as rows of 8 elements.
    fn rows(&self) -> Side {
        self.outer(&self.shared, &[Iter::memory(8, self.row_stride), Iter::memory(8, 1)])
    }

    /// The register side as pairs of elements.
    fn pairs(&self) -> Side {
        self.outer(&self.registers, &[Iter::memory(2, 1)])
    }

    /// Warps, steps and matrices of a side, then `inner`; iters on threads are left out.
    fn outer(&self, side: &Side, inner: &[Iter]) -> Side {
        let (grouped, seps) = self.groups(side).unwrap_or((side.layout.clone(), vec![0; 7]));
        let outer = [0, 3, 4].into_iter().flat_map(|part| &grouped.shard[seps[part]..seps[part + 1]]);
        let memory = outer.filter(|iter| iter.axis == Axis::Memory);
        let shard = memory.chain(inner).copied().collect();
        Side { layout: Layout { shard, ..side.layout.clone() }, ..side.clone() }
    }

    fn groups(&self, side: &Side) -> Result<(Layout, Vec<usize>), Refusal> {
        side.layout.group(&self.shape).map_err(|error| Refusal::new("malformed-matrix-copy", error.to_string()))
    }
}

/// A layout that is valid, with divisors and an alignment of at least 1.
fn well_formed(side: &Side, which: Which) -> Result<(), String> {
    side.layout.validate().map_err(|error| format!("the {which}'s layout: {error}"))?;
    if side.align_bytes < 1 || side.dynamic.iter().any(|term| term.div < 1 || term.divisor < 1) {
        return Err(format!("the {which} has an alignment or a divisor below 1"));
    }
    if side.layout.shard.is_empty() {
        return Err(format!("the {which}'s layout has no digits"));
    }
    Ok(())
}

fn product(iters: &[Iter]) -> Option<i64> {
    iters.iter().try_fold(1i64, |all, iter| all.checked_mul(iter.extent))
}

fn legal(obstacle: Option<Narrowing>) -> Result<(), Refusal> {
    obstacle.map_or(Ok(()), |Narrowing { cause, reason, operand, .. }| Err(Refusal { cause, reason, operand }))
}
