//! Blocks of elements that a thread turns in its registers.

use tile_layout::{Axis, Iter, Layout, fused};

use super::bits::RegionBits;

/// The digits of a lane's number that a phase of 16-byte accesses to shared memory has.
const PHASE_DIGITS: usize = 3;

/// Who shares the blocks of a region; all are base-2 logarithms.
#[derive(Clone, Copy)]
pub(super) struct BlockSharing {
    /// The threads.
    pub threads: usize,
    /// The elements of the destination's widest access: threads that fill one are near each other, so that banks are shared.
    pub chunk: usize,
    /// The parts of the destination that leave one after the other. Each thread has as many blocks of all.
    pub parts: usize,
}

/// A block of a thread: the digits that vectors of either side have. The others count blocks: those of a thread, and threads.
///
/// ```text
///   64x64 f32, 256 threads, vectors of 4 on both sides
///     block    4 rows x 4 columns      loaded as 4 rows, stored as 4 columns
///     threads  8 along the source's rows, and so on: a line of 128 bytes for each phase of 8 lanes
/// ```
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// The base-2 logarithms of the vectors of the source and of the destination.
    pub vectors: [usize; 2],
    /// The digits in a block: those of the destination's vectors first, nearest first.
    block: Vec<usize>,
    /// The digits of the thread's number, nearest first.
    pub threads: Vec<usize>,
    /// The digits that count the blocks of a thread.
    repeats: Vec<usize>,
}

impl Blocks {
    /// Blocks with these vectors, shared as `by` says, consecutive ones at consecutive addresses of the source; `None` where there are too
    /// few.
    pub fn new(bits: &RegionBits, vectors: [usize; 2], by: BlockSharing) -> Option<Self> {
        let BlockSharing { threads, chunk, parts } = by;
        let [src, dst] = [0, 1].map(|side| bits.nearest(side, vectors[side]));
        let mut block = Vec::with_capacity(src.len() + dst.len());
        block.extend_from_slice(dst);
        block.extend(src.iter().filter(|digit| !dst.contains(digit)));
        let (inside, apart) = (mask(&block), bits.farthest(1, parts));
        if block.len() + threads + parts > bits.count() || inside & mask(apart) != 0 {
            return None;
        }
        let mut counted: Vec<usize> = Vec::with_capacity(bits.count());
        let mut left = !(inside | mask(apart));
        let mut count = |along: &[usize], most: usize| {
            let along = along.iter().filter(|&&digit| left >> digit & 1 == 1).take(most);
            let first = counted.len();
            counted.extend(along);
            left &= !mask(&counted[first..]);
        };
        count(&bits.orders[0], PHASE_DIGITS);
        count(bits.nearest(1, chunk), chunk);
        count(&bits.orders[0], bits.count());
        let mut repeats = counted.split_off(threads);
        repeats.extend_from_slice(apart);
        Some(Blocks { vectors, block, threads: counted, repeats })
    }

    /// Whether a block has to be turned between its load and its store.
    pub fn are_turned(&self, bits: &RegionBits) -> bool {
        !self.block.starts_with(bits.nearest(0, self.vectors[0]))
    }

    /// The base-2 logarithm of the elements of a thread.
    pub fn held(&self) -> usize {
        self.block.len() + self.repeats.len()
    }

    /// The layout of a thread's registers, with the vectors of a side contiguous; thread digits count on `axis`.
    pub fn layout(&self, bits: &RegionBits, side: usize, axis: Axis) -> Layout {
        let registers = self.in_registers(bits, side);
        let iter = |digit: usize| match self.threads.iter().position(|other| *other == digit) {
            Some(place) => Iter::new(2, 1 << place, axis),
            None => Iter::memory(2, 1 << registers.iter().position(|other| *other == digit).unwrap_or(0)),
        };
        Layout::new(fused(&(0..bits.count()).map(iter).collect::<Vec<_>>()))
    }

    /// The digits of the register index, nearest first.
    fn in_registers(&self, bits: &RegionBits, side: usize) -> Vec<usize> {
        let vector = bits.nearest(side, self.vectors[side]);
        let rest = self.block.iter().filter(|digit| !vector.contains(digit));
        vector.iter().chain(rest).chain(&self.repeats).copied().collect()
    }
}

/// The digits as bits of a number. A region has at most 2^62 elements.
fn mask(digits: &[usize]) -> u64 {
    digits.iter().fold(0, |mask, digit| mask | 1 << digit)
}
