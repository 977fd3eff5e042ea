//! Records of a few fields that are taken apart, or put together: each thread turns a block of whole records.
//!
//! ```text
//!   1024 records of 3 bytes to 3 rows of 1024, 64 threads
//!     source         r0f0 r0f1 r0f2 r1f0 …     48 bytes of 16 records: 3 loads of 128 bits
//!     registers      by record, then by field
//!     destination    f0: r0 … r15, f1: …       a store of 128 bits to each field
//! ```
//!
//! The number of fields may be any, so that these blocks are no binary digits (`bits`). Loads of a warp are apart, but together they are
//! whole lines, which the L1 cache keeps for the next one; a tile in shared memory saves nothing.

use tile_isa::WARP;
use tile_layout::{Axis, Iter, Layout, counted, fused, gcd};

use super::steps::{axis_of, in_registers};
use super::{MAX_HELD_BYTES, MAX_VECTOR_BITS, not_cheaper};
use crate::families::composite::{Composite, LineComparison, LineCost, RegisterBuffer, walked_shape};
use crate::families::variant::Variant;
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::order::{Pair, refine};
use crate::sides::region::vector_side;
use crate::sides::require::unreplicated;
use crate::sides::side::Side;
use crate::sides::width::obstacle;
use crate::target::Target;
use crate::traffic::LINE_BYTES;

/// The most fields: a block of the widest vectors of all of them is what a thread may hold.
const MAX_FIELDS: i64 = MAX_HELD_BYTES * 8 / MAX_VECTOR_BITS as i64;

/// The region as records.
pub(super) struct Records {
    /// The common iters of both sides, slowest first; those of fields and of records are told apart by number.
    pairs: Vec<Pair>,
    fields: usize,
    records: usize,
    /// The side that has each record in one piece: 0 is the source.
    joined: usize,
    /// The records of a block.
    vector: i64,
    /// The threads that share each iter.
    threads: Vec<i64>,
    /// Bytes of an element.
    bytes: i64,
}

impl Records {
    /// The records of a copy whose fields are not a power of two; `None` where it is no copy of records. Vectors have at most `most` bits.
    ///
    /// # Errors
    /// `threads-do-not-divide`, `too-many-registers`; what is wrong with a side.
    pub fn new(problem: &Problem, threads: i64, most: u32) -> Result<Option<Self>, Refusal> {
        let (src, dst) = problem.sides()?;
        unreplicated(dst, Role::Dst)?;
        let sides = [vector_side(src, Role::Src)?, vector_side(dst, Role::Dst)?];
        let Some(pairs) = refine(&sides[0].layout.shard, &sides[1].layout.shard) else { return Ok(None) };
        let Some((joined, fields, records)) = of_records(&pairs) else { return Ok(None) };
        let (shared, bytes) = (vec![1; pairs.len()], problem.element.bytes());
        let narrowest = Records { pairs, fields, records, joined, vector: 1, threads: shared, bytes };
        let bits = problem.element.bits;
        let is_legal =
            |vector: &i64| narrowest.pairs[records].extent % vector == 0 && narrowest.is_legal(&sides, *vector, bits);
        let widest = i64::from(most / bits).max(1).ilog2();
        let legal = (0..=widest).rev().map(|log| 1 << log).filter(is_legal);
        // Where there are fewer widest blocks than threads, all of these have narrower ones.
        let mut shared = legal.map(|vector| narrowest.shared(vector, threads));
        let first = shared.next().unwrap_or_else(|| narrowest.shared(1, threads));
        first.or_else(|refusal| shared.find_map(Result::ok).ok_or(refusal)).map(Some)
    }

    /// Whether both sides may be accessed in vectors of blocks of `vector` records.
    fn is_legal(&self, sides: &[Side; 2], vector: i64, bits: u32) -> bool {
        let width = u32::try_from(vector).unwrap_or(u32::MAX).saturating_mul(bits);
        [(0, Role::Src), (1, Role::Dst)].into_iter().all(|(side, role)| {
            let others = (0..self.pairs.len()).filter(|at| ![self.fields, self.records].contains(at));
            let (fields, records) = (self.iter(self.fields, side), self.iter(self.records, side));
            let outer = Iter { extent: records.extent / vector, stride: records.stride * vector, ..records };
            let block = if side == self.joined {
                [outer, Iter::memory(fields.extent * vector, 1)].to_vec()
            } else {
                [fields, outer, Iter { extent: vector, ..records }].to_vec()
            };
            let shard: Vec<Iter> = others.map(|at| self.iter(at, side)).chain(block).collect();
            let in_order =
                Side { layout: Layout { shard: fused(&shard), ..sides[side].layout.clone() }, ..sides[side].clone() };
            obstacle(&in_order, role, vector, width, self.bytes).is_none()
        })
    }

    fn iter(&self, at: usize, side: usize) -> Iter {
        let pair = self.pairs[at];
        if side == 0 {
            Iter::new(pair.extent, pair.lead, pair.axis)
        } else {
            Iter::new(pair.extent, pair.follow, pair.follow_axis)
        }
    }

    /// The blocks of an iter: all positions of records that are no vector; those of fields are in a block.
    fn blocks(&self, at: usize) -> i64 {
        match at {
            at if at == self.fields => 1,
            at if at == self.records => self.pairs[at].extent / self.vector,
            at => self.pairs[at].extent,
        }
    }

    /// The same with blocks of `vector` records, consecutive ones for consecutive threads, then those of the other iters.
    fn shared(&self, vector: i64, threads: i64) -> Result<Self, Refusal> {
        let mut shared = Records { pairs: self.pairs.clone(), threads: self.threads.clone(), vector, ..*self };
        let mut left = threads;
        for at in shared.sharing() {
            shared.threads[at] = gcd(left, shared.blocks(at));
            left /= shared.threads[at];
        }
        if left != 1 {
            let blocks: i64 = (0..shared.pairs.len()).map(|at| shared.blocks(at)).product();
            let reason = format!(
                "the region has {} of {}; needed as many for each of {threads} threads",
                counted(blocks, "block"),
                counted(vector, "record")
            );
            return Err(Refusal::new("threads-do-not-divide", reason));
        }
        let held = shared.rounds() * shared.of_block() * shared.bytes;
        if held > MAX_HELD_BYTES {
            let reason = format!("a thread holds {}; needed {MAX_HELD_BYTES} at most", counted(held, "byte"));
            return Err(Refusal::new("too-many-registers", reason));
        }
        Ok(shared)
    }

    /// The iters in the order in which threads share them.
    fn sharing(&self) -> impl Iterator<Item = usize> + use<> {
        let (fields, records) = (self.fields, self.records);
        let others = (0..self.pairs.len()).rev().filter(move |&at| at != fields && at != records);
        std::iter::once(records).chain(others)
    }

    /// The blocks of a thread.
    fn rounds(&self) -> i64 {
        (0..self.pairs.len()).map(|at| self.blocks(at) / self.threads[at]).product()
    }

    /// The elements of a block.
    fn of_block(&self) -> i64 {
        self.pairs[self.fields].extent * self.vector
    }

    /// The registers of a thread, with the vectors of a side contiguous; threads count on `axis`.
    fn layout(&self, side: usize, axis: Axis) -> Layout {
        let fields = self.pairs[self.fields].extent;
        let strides = if side == self.joined { [1, fields] } else { [self.vector, 1] };
        let mut iters = vec![Vec::new(); self.pairs.len()];
        let (mut register, mut thread) = (self.of_block(), 1);
        for at in self.sharing() {
            let rounds = self.blocks(at) / self.threads[at];
            iters[at] = vec![Iter::memory(rounds, register), Iter::new(self.threads[at], thread, axis)];
            register *= rounds;
            thread *= self.threads[at];
        }
        iters[self.fields].push(Iter::memory(fields, strides[0]));
        iters[self.records].push(Iter::memory(self.vector, strides[1]));
        Layout::new(fused(&iters.concat()))
    }

    /// The plan, if it costs less than elements as they are.
    ///
    /// # Errors
    /// `same-memory-cheaper`, `transpose-not-reached`.
    pub fn plan(
        &self,
        problem: &Problem,
        (target, by): (&Target, &'static [&'static dyn Variant]),
    ) -> Result<Composite, Refusal> {
        let costs = self.costs();
        if costs.plan.weight() >= costs.direct.weight() {
            return Err(not_cheaper(costs));
        }
        let shape = walked_shape(problem.operand(Role::Dst)?);
        let axis = axis_of(problem.threads.scope);
        let tile = |side| RegisterBuffer { shape: shape.clone(), layout: self.layout(side, axis) };
        in_registers(vec![tile(0), tile(1)], problem, (target, by), costs)
    }

    /// What blocks cost, and elements as they are.
    fn costs(&self) -> LineComparison {
        let (fields, vector, rounds) = (self.pairs[self.fields].extent, self.vector, self.rounds());
        let threads: i64 = self.threads.iter().product();
        let (lanes, warps) = (threads.min(WARP), (threads + WARP - 1) / WARP);
        // The lines of all requests for a block whose lanes access `records` records at once.
        let lines = |records: i64| {
            let bytes = records * self.bytes;
            let of_stride = |stride: i64| ((lanes - 1) * stride.min(LINE_BYTES) + bytes + LINE_BYTES - 1) / LINE_BYTES;
            warps * rounds * fields * (vector / records) * (of_stride(bytes * fields) + of_stride(bytes))
        };
        let words = rounds * self.of_block() * self.bytes / 4;
        let turned = [(1, 3 * words), (2, words)].into_iter().find(|(bytes, _)| *bytes == self.bytes);
        let cost = |records, more| LineCost {
            lines: lines(records),
            wavefronts: 0,
            instructions: 2 * rounds * fields * (vector / records) + more,
        };
        LineComparison { plan: cost(vector, turned.map_or(0, |(_, count)| count)), direct: cost(1, 0) }
    }
}

/// The side that has records in one piece, the iter of the fields, and that of the records, where the fields are few, and not a power of
/// two.
fn of_records(pairs: &[Pair]) -> Option<(usize, usize, usize)> {
    let stride = |pair: &Pair, side: usize| {
        let (stride, axis) = if side == 0 { (pair.lead, pair.axis) } else { (pair.follow, pair.follow_axis) };
        (axis == Axis::Memory).then_some(stride)
    };
    let of_side = |side: usize| {
        let fields = pairs.iter().position(|pair| stride(pair, side) == Some(1))?;
        let count = pairs[fields].extent;
        let is_record = |pair: &Pair| stride(pair, side) == Some(count) && stride(pair, 1 - side) == Some(1);
        let records = pairs.iter().position(is_record)?;
        Some((side, fields, records))
    };
    let fewest = [0, 1].into_iter().filter_map(of_side).min_by_key(|(_, fields, _)| pairs[*fields].extent);
    fewest.filter(|(_, fields, _)| {
        let count = pairs[*fields].extent;
        count <= MAX_FIELDS && count & (count - 1) != 0
    })
}
