//! What orders of threads and blocks cost, counted on binary digits: no plan has to be made for it.

use tile_isa::WARP;
use tile_layout::{Axis, Iter};

use super::bits::RegionBits;
use super::blocks::Blocks;
use crate::families::composite::LineCost;
use crate::traffic::LINE_BYTES;

/// The digits of a lane's number.
pub(super) const LANE_DIGITS: usize = WARP.trailing_zeros() as usize;

/// The accesses of all threads to one side.
#[derive(Clone, Copy)]
struct Accesses<'b> {
    /// The digits of a thread's number, nearest first.
    threads: &'b [usize],
    /// The base-2 logarithm of the accesses of a thread.
    times: usize,
}

/// Counts what copies of one region cost.
#[derive(Clone, Copy)]
pub(super) struct CostCounter<'b> {
    pub bits: &'b RegionBits,
    /// Bytes of an element.
    pub bytes: i64,
    /// The base-2 logarithm of the threads.
    pub threads: usize,
}

impl CostCounter<'_> {
    /// Loads and stores of both operands by the threads that hold the blocks.
    pub fn in_registers(&self, blocks: &Blocks) -> LineCost {
        let of_side = |side: usize| self.of_operand(side, self.of_blocks(blocks, side), blocks.vectors[side]);
        of_side(0).and(of_side(1)).and(self.turned(blocks))
    }

    /// What blocks with these vectors cost at least, through a tile in 2^`parts` parts or from registers: a line for each request of the
    /// operands that their threads access.
    pub fn least(&self, vectors: [usize; 2], parts: Option<usize>) -> LineCost {
        let times = |side: usize| self.held().saturating_sub(vectors[side]);
        let requests =
            |side: usize| self.of_operand(side, Accesses { threads: &[], times: times(side) }, vectors[side]);
        match parts {
            Some(parts) => requests(0).and(self.of_tile(times(1), vectors[1])).and(self.leaving(parts)),
            None => requests(0).and(requests(1)),
        }
    }

    /// Loads of the source and stores to a shared tile by the threads that hold the blocks, then loads of the tile in the order of the
    /// destination, in 2^`parts` parts. The tile has no bank conflicts.
    pub fn through_tile(&self, blocks: &Blocks, parts: usize) -> LineCost {
        let loads = self.of_operand(0, self.of_blocks(blocks, 0), blocks.vectors[0]);
        let into = self.of_tile(self.of_blocks(blocks, 1).times, blocks.vectors[1]);
        loads.and(into).and(self.leaving(parts)).and(self.turned(blocks))
    }

    /// Loads of a tile and stores to the destination, in its order.
    fn leaving(&self, parts: usize) -> LineCost {
        let read = self.read_vector(self.held() - parts);
        let out = Accesses { threads: self.consecutive(1, read), times: self.held() - read };
        self.of_tile(out.times, read).and(self.of_operand(1, out, read))
    }

    /// The digits of a thread's number where threads access vectors of 2^`vector` elements of a side one after the other.
    fn consecutive(&self, side: usize, vector: usize) -> &[usize] {
        let behind = self.bits.orders[side].get(vector..).unwrap_or_default();
        &behind[..self.threads.min(behind.len())]
    }

    /// The base-2 logarithm of the elements of a thread.
    fn held(&self) -> usize {
        self.bits.count().saturating_sub(self.threads)
    }

    /// Vectors that are the same elements on both sides, in the order of the side that costs less.
    pub fn as_they_are(&self) -> LineCost {
        let [src, dst] = &self.bits.orders;
        let most = self.bits.proven[0].min(self.bits.proven[1]);
        let vector = src.iter().zip(dst).take(most).take_while(|(one, other)| one == other).count();
        let in_order = |side: usize| {
            let times = self.held().saturating_sub(vector);
            let accesses = Accesses { threads: self.consecutive(side, vector), times };
            self.of_operand(0, accesses, vector).and(self.of_operand(1, accesses, vector))
        };
        let (by_src, by_dst) = (in_order(0), in_order(1));
        if by_src.weight() < by_dst.weight() { by_src } else { by_dst }
    }

    /// The base-2 logarithm of the vectors in which a tile leaves, where a thread has 2^`held` elements.
    pub fn read_vector(&self, held: usize) -> usize {
        let widest = self.bits.widest(1).min(held);
        if self.bits.has_vectors(1, widest) { widest } else { self.bits.proven[1].min(held) }
    }

    fn of_blocks<'b>(&self, blocks: &'b Blocks, side: usize) -> Accesses<'b> {
        Accesses { threads: &blocks.threads, times: blocks.held() - blocks.vectors[side] }
    }

    /// The lines of an operand in global memory, accessed by vectors of 2^`vector` elements. Lanes less than a line apart share one. Of the
    /// two chunks of a realigned vector, L1 has the second one, which is the first one of the next lane.
    fn of_operand(&self, side: usize, Accesses { threads, times }: Accesses<'_>, vector: usize) -> LineCost {
        let is_far = |digit: &&usize| {
            let Iter { axis, stride, .. } = self.bits.digits[**digit][side];
            axis != Axis::Memory || stride.saturating_abs().saturating_mul(self.bytes) >= LINE_BYTES
        };
        let lines = threads.iter().take(LANE_DIGITS).filter(is_far).count();
        let requests = self.warps() << times;
        let each = if self.bits.is_realigned(side, vector) { 2 } else { 1 };
        LineCost { lines: requests << lines, wavefronts: 0, instructions: each << times }
    }

    /// 2^`times` accesses of each thread to a shared tile, without conflicts, by vectors of 2^`vector` elements.
    fn of_tile(&self, times: usize, vector: usize) -> LineCost {
        let bytes = (self.bytes << vector) << self.threads.min(LANE_DIGITS);
        let phases = (bytes / LINE_BYTES).max(1);
        let times = 1i64 << times;
        LineCost { lines: 0, wavefronts: self.warps() * times * phases, instructions: times }
    }

    /// Instructions that bring bytes and halves together in words: three for each word of bytes, one for each of halves.
    fn turned(&self, blocks: &Blocks) -> LineCost {
        let words = (self.bytes << blocks.held()) / 4;
        let each = match self.bytes {
            _ if !blocks.are_turned(self.bits) => 0,
            1 => 3,
            2 => 1,
            _ => 0,
        };
        LineCost { instructions: each * words, ..LineCost::default() }
    }

    fn warps(&self) -> i64 {
        1 << self.threads.saturating_sub(LANE_DIGITS)
    }
}
