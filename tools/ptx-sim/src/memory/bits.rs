//! A set of byte offsets.

use std::ops::Range;

/// One bit for each byte of a piece of memory.
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

    /// Whether all of `at .. at + len` are in the set; `len` is at most 32 and the range does not cross a multiple of 64.
    pub(crate) fn has(&self, at: usize, len: usize) -> bool {
        let mask = (1u64 << len) - 1;
        self.words[at / 64] >> (at % 64) & mask == mask
    }

    /// Whether none of `range` is in the set.
    pub(crate) fn is_empty(&self, range: Range<usize>) -> bool {
        (range.start / 64..range.end.div_ceil(64)).all(|word| mask(word, &range) & self.words[word] == 0)
    }

    /// Those of `range` that are not in the set.
    pub(crate) fn all_missing(&self, range: Range<usize>) -> Vec<usize> {
        if self.first_missing(range.clone()).is_none() {
            return Vec::new();
        }
        range.filter(|&at| self.first_missing(at..at + 1).is_some()).collect()
    }

    /// Which of the up to 32 offsets from `at` on are not in the set, the first one in bit 0.
    pub(crate) fn missing(&self, at: usize, len: usize) -> u32 {
        if self.first_missing(at..at + len).is_none() {
            return 0;
        }
        (0..len.min(32)).filter(|i| self.first_missing(at + i..at + i + 1).is_some()).fold(0, |m, i| m | 1 << i)
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
        }
    }
}
