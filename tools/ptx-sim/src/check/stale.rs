//! Values that other blocks have overwritten, and that a block may still read.

use std::collections::HashMap;

use super::Agents;

/// The most times that a block reads an old value.
pub(crate) const MAX_STALE_READS: u32 = 8;

/// A value that was overwritten.
#[derive(Debug)]
pub(crate) struct Overwritten {
    pub(crate) old: Vec<u8>,
    pub(crate) by: Agents,
    pub(crate) lane: usize,
    pub(crate) time: u32,
    /// The number of fences before the write.
    pub(crate) fences: u64,
    /// How often blocks have read the old value; [`MAX_STALE_READS`] once they have read the new one.
    pub(crate) reads: HashMap<u32, u32>,
}

/// The values that blocks may still read in place of newer ones.
#[derive(Debug, Default)]
pub(crate) struct StaleValues {
    /// By the word's memory and first byte. Accesses of another size that are not ordered are races.
    pub(crate) words: HashMap<(u64, u64), Overwritten>,
    /// The number of fences so far.
    pub(crate) fences: u64,
    /// The fences of each block, in ascending order.
    of_block: HashMap<u32, Vec<u64>>,
}

impl StaleValues {
    /// A fence that both acquires and releases: what a block writes before one is what other blocks read after theirs.
    pub(crate) fn fence(&mut self, block: u32) {
        self.fences += 1;
        self.of_block.entry(block).or_default().push(self.fences);
    }

    /// Whether a fence of the writer's block follows the write, and one of the reader's block that.
    pub(crate) fn is_fenced(&self, word: &Overwritten, reader: u32) -> bool {
        let fences = |block| self.of_block.get(&block).map_or(&[][..], Vec::as_slice);
        let writers = fences(word.by.block);
        let first = writers.get(writers.partition_point(|&fence| fence <= word.fences));
        first.zip(fences(reader).last()).is_some_and(|(writer, reader)| writer < reader)
    }
}
