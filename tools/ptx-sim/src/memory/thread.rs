//! Memory that each thread of a warp has for itself: local memory and call parameters.

use super::Bits;
use crate::code::LANES;

/// `stride` bytes for each lane.
#[derive(Debug, Default)]
pub(crate) struct ThreadMemory {
    pub(crate) stride: usize,
    data: Vec<u8>,
    init: Bits,
}

impl ThreadMemory {
    pub(crate) fn new(stride: usize) -> Self {
        Self { stride, data: vec![0xcd; stride * LANES], init: Bits::new(stride * LANES) }
    }

    pub(crate) fn read(&self, lane: usize, offset: usize, out: &mut [u8]) {
        let at = lane * self.stride + offset;
        out.copy_from_slice(&self.data[at..at + out.len()]);
    }

    /// Writes, and gives whether anything changed.
    pub(crate) fn write(&mut self, lane: usize, offset: usize, bytes: &[u8]) -> bool {
        let at = lane * self.stride + offset;
        let range = at..at + bytes.len();
        let changed = self.data[range.clone()] != *bytes;
        self.data[range.clone()].copy_from_slice(bytes);
        self.init.insert(range);
        changed
    }

    /// Takes the value of some bytes away, the one at `offset` first.
    pub(crate) fn forget(&mut self, lane: usize, offset: usize, bytes: u32) {
        let at = lane * self.stride + offset;
        (0..32).filter(|i| bytes >> i & 1 == 1).for_each(|i| self.init.remove(at + i..at + i + 1));
    }

    /// The bytes of a range of up to 32 that have no value.
    pub(crate) fn missing(&self, lane: usize, offset: usize, bytes: usize) -> u32 {
        self.init.missing(lane * self.stride + offset, bytes)
    }

    /// Copies a range with its initialization state.
    pub(crate) fn copy(&mut self, lane: usize, src: usize, dst: usize, bytes: usize) {
        let base = lane * self.stride;
        self.data.copy_within(base + src..base + src + bytes, base + dst);
        for i in 0..bytes {
            let (from, to) = (base + src + i, base + dst + i);
            if self.init.first_missing(from..from + 1).is_none() {
                self.init.insert(to..to + 1);
            } else {
                self.init.remove(to..to + 1);
            }
        }
    }
}
