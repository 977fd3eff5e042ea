//! Pieces of memory with the checkers' state for each of their bytes: memory of the device and of blocks, and the
//! private memory of each thread of a warp (local memory and call parameters).

use std::ops::Range;

use crate::check::Shadow;
use crate::code::LANES;

/// Bytes, which of them hold a value, and which threads accessed them last.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    pub(crate) data: Vec<u8>,
    pub(crate) init: Bits,
    pub(crate) shadow: Shadow,
}

impl Segment {
    /// `len` bytes without a value; reading them gives `poison`.
    pub(crate) fn new(len: usize, poison: u8) -> Self {
        Self { data: vec![poison; len], init: Bits::new(len), shadow: Shadow::new(len) }
    }

    pub(crate) fn len(&self) -> usize {
        self.data.len()
    }

    /// Removes the value of the bytes in the mask `bytes`; bit 0 is the byte at `offset`.
    pub(crate) fn forget(&mut self, offset: usize, bytes: u32) {
        (0..32).filter(|i| bytes >> i & 1 == 1).for_each(|i| self.init.remove(offset + i..offset + i + 1));
    }

    /// Writes `bytes` at `offset`; returns whether anything changed.
    pub(crate) fn write(&mut self, offset: usize, bytes: &[u8]) -> bool {
        let end = offset + bytes.len();
        let place = &mut self.data[offset..end];
        let changed = place != bytes || self.init.first_missing(offset..end).is_some();
        place.copy_from_slice(bytes);
        self.init.insert(offset..end);
        changed
    }
}

/// `size` bytes for each lane.
#[derive(Debug, Default)]
pub(crate) struct ThreadMemory {
    pub(crate) size: usize,
    /// The distance between the bytes of lanes: a multiple of 64, so that none share a word of `init`.
    stride: usize,
    data: Vec<u8>,
    init: Bits,
}

impl ThreadMemory {
    pub(crate) fn new(size: usize) -> Self {
        let stride = size.next_multiple_of(64);
        Self { size, stride, data: vec![0xcd; stride * LANES], init: Bits::new(stride * LANES) }
    }

    /// Makes room for `size` bytes for each lane, unless there is as much.
    pub(crate) fn grow(&mut self, size: usize) {
        if size > self.stride {
            let mut larger = Self::new(size.next_power_of_two());
            for lane in 0..LANES {
                let (from, to) = (lane * self.stride, lane * larger.stride);
                larger.data[to..to + self.stride].copy_from_slice(&self.data[from..from + self.stride]);
                let words = &self.init.words[from / 64..(from + self.stride) / 64];
                larger.init.words[to / 64..to / 64 + words.len()].copy_from_slice(words);
            }
            *self = Self { size: self.size, ..larger };
        }
        self.size = self.size.max(size);
    }

    /// Removes the values of a range.
    pub(crate) fn clear(&mut self, lane: usize, range: Range<usize>) {
        let at = lane * self.stride;
        self.init.remove(at + range.start..at + range.end);
    }

    pub(crate) fn read(&self, lane: usize, offset: usize, out: &mut [u8]) {
        let at = lane * self.stride + offset;
        out.copy_from_slice(&self.data[at..at + out.len()]);
    }

    /// Writes bytes; returns whether any changed.
    pub(crate) fn write(&mut self, lane: usize, offset: usize, bytes: &[u8]) -> bool {
        let at = lane * self.stride + offset;
        let range = at..at + bytes.len();
        let changed = self.data[range.clone()] != *bytes;
        self.data[range.clone()].copy_from_slice(bytes);
        self.init.insert(range);
        changed
    }

    /// Removes the value of the bytes in the mask `bytes`; bit 0 is the byte at `offset`.
    pub(crate) fn forget(&mut self, lane: usize, offset: usize, bytes: u32) {
        let at = lane * self.stride + offset;
        (0..32).filter(|i| bytes >> i & 1 == 1).for_each(|i| self.init.remove(at + i..at + i + 1));
    }

    /// A mask of the bytes without a value in a range of up to 32.
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

/// A set of byte offsets: one bit for each byte of a piece of memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

/// The bits of `range` inside the word that starts at bit `word * 64`.
fn mask(word: usize, range: &Range<usize>) -> u64 {
    let from = range.start.saturating_sub(word * 64).min(64);
    let to = range.end.saturating_sub(word * 64).min(64);
    if from >= to {
        return 0;
    }
    (u64::MAX >> (64 - (to - from))) << from
}

impl Bits {
    pub(crate) fn new(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)] }
    }

    pub(crate) fn insert(&mut self, range: Range<usize>) {
        for word in range.start / 64..range.end.div_ceil(64) {
            self.words[word] |= mask(word, &range);
        }
    }

    pub(crate) fn remove(&mut self, range: Range<usize>) {
        for word in range.start / 64..range.end.div_ceil(64) {
            self.words[word] &= !mask(word, &range);
        }
    }

    /// Whether all of `at .. at + len` are in the set; `len` is at most 32 and the range does not cross a multiple of
    /// 64.
    pub(crate) fn has(&self, at: usize, len: usize) -> bool {
        let mask = (1u64 << len) - 1;
        self.words[at / 64] >> (at % 64) & mask == mask
    }

    /// Whether none of `range` is in the set.
    pub(crate) fn is_empty(&self, range: Range<usize>) -> bool {
        (range.start / 64..range.end.div_ceil(64)).all(|word| mask(word, &range) & self.words[word] == 0)
    }

    /// The offsets in `range` that are not in the set.
    pub(crate) fn all_missing(&self, range: Range<usize>) -> Vec<usize> {
        if self.first_missing(range.clone()).is_none() {
            return Vec::new();
        }
        range.filter(|&at| self.first_missing(at..at + 1).is_some()).collect()
    }

    /// A mask of the up to 32 offsets from `at` on that are not in the set; bit 0 is `at`.
    pub(crate) fn missing(&self, at: usize, len: usize) -> u32 {
        if self.first_missing(at..at + len).is_none() {
            return 0;
        }
        (0..len.min(32)).filter(|i| self.first_missing(at + i..at + i + 1).is_some()).fold(0, |m, i| m | 1 << i)
    }

    /// The first offset of `range` that is in the set.
    pub(crate) fn first(&self, range: Range<usize>) -> Option<usize> {
        (range.start / 64..range.end.div_ceil(64)).find_map(|word| {
            let held = mask(word, &range) & self.words[word];
            (held != 0).then(|| word * 64 + held.trailing_zeros() as usize)
        })
    }

    /// The first offset of `range` that is not in the set.
    pub(crate) fn first_missing(&self, range: Range<usize>) -> Option<usize> {
        (range.start / 64..range.end.div_ceil(64)).find_map(|word| {
            let missing = mask(word, &range) & !self.words[word];
            (missing != 0).then(|| word * 64 + missing.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn agrees_with_a_plain_set(ops in prop::collection::vec((any::<bool>(), 0usize..300, 0usize..200), 0..20),
                                   from in 0usize..300, len in 0usize..200) {
            let mut bits = Bits::new(500);
            let mut plain = vec![false; 500];
            for (insert, start, len) in ops {
                plain[start..start + len].fill(insert);
                if insert { bits.insert(start..start + len) } else { bits.remove(start..start + len) }
            }
            let want = (from..from + len).find(|&i| !plain[i]);
            prop_assert_eq!(bits.first_missing(from..from + len), want);
            prop_assert_eq!(bits.first(from..from + len), (from..from + len).find(|&i| plain[i]));
        }
    }

    #[test]
    fn memory_of_threads_keeps_what_is_there_when_it_grows() {
        let mut memory = ThreadMemory::new(40);
        memory.write(3, 36, &[1, 2, 3, 4]);
        for size in [64, 65, 1000] {
            memory.grow(size);
            let mut read = [0; 4];
            memory.read(3, 36, &mut read);
            assert_eq!((memory.size, read, memory.missing(3, 34, 8)), (size, [1, 2, 3, 4], 0b1100_0011));
            assert_eq!(memory.missing(4, 36, 4), 0b1111);
        }
        memory.clear(3, 37..39);
        assert_eq!(memory.missing(3, 36, 4), 0b0110);
    }
}
