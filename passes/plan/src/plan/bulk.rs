//! Shared memory to the shared memory of another CTA through bulk copies.

use crate::plan::Side;

/// One `cp.async.bulk` per chunk, issued by one thread.
///
/// Both layouts are over `[chunks…, chunk]`, the same extents on both sides: the last digit has stride 1 and is what
/// one instruction moves; the others number the instructions. The destination's addresses are those of the same
/// buffer in this CTA; the instruction maps them to the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkCopy {
    /// Width of an element.
    pub element_bits: u32,
    /// Elements that one instruction moves; 16 bytes or a multiple.
    pub chunk: i64,
    /// Where the elements come from.
    pub src: Side,
    /// Where they go.
    pub dst: Side,
}

impl BulkCopy {
    /// Instructions.
    pub fn chunks(&self) -> i64 {
        self.src.layout.shard.split_last().map_or(1, |(_, outer)| outer.iter().map(|iter| iter.extent).product())
    }

    /// Bytes of one instruction.
    pub fn chunk_bytes(&self) -> i64 {
        self.chunk * i64::from(self.element_bits) / 8
    }
}
