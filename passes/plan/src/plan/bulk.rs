//! Shared memory to the shared memory of another CTA through bulk copies.

use tile_layout::{Axis, Iter, counted};

use crate::plan::{Refusal, Side};
use crate::problem::Space;

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

    /// Is the copy what stage 1 makes? Stage 3 also reads copies that were written by hand.
    ///
    /// # Errors
    /// `malformed-bulk-copy`: a side that is not in shared memory, invalid or not made of the same extents as the other;
    /// chunks that are no multiple of 16 bytes, no neighbours, or that a swizzle takes apart.
    pub fn verify(&self) -> Result<(), Refusal> {
        self.check().map_err(|reason| Refusal::new("malformed-bulk-copy", reason))
    }

    fn check(&self) -> Result<(), String> {
        let (chunk, bits) = (self.chunk, self.element_bits);
        if !matches!(bits, 8 | 16 | 32 | 64 | 128) {
            return Err(format!("elements have {}; needed 8, 16, 32, 64 or 128", counted(bits, "bit")));
        }
        if chunk < 1 || i128::from(chunk) * i128::from(bits) % 128 != 0 {
            let elements = counted(chunk, "element");
            return Err(format!("chunks are {elements} of {bits} bits; needed a multiple of 16 bytes"));
        }
        for side in [&self.src, &self.dst] {
            check_side(side, chunk)?;
        }
        let extents = [&self.src, &self.dst].map(|side| side.layout.shard.iter().map(|iter| iter.extent));
        let [src, dst] = extents.map(Iterator::collect::<Vec<_>>);
        if src == dst { Ok(()) } else { Err(format!("the source counts {src:?}, the destination {dst:?}")) }
    }
}

/// One side of a bulk copy in chunks of so many elements.
fn check_side(side: &Side, chunk: i64) -> Result<(), String> {
    if side.space != Space::Shared {
        return Err(format!("bulk copies are between shared memories; got {}", side.space));
    }
    side.layout.validate().map_err(|error| error.to_string())?;
    if side.layout.axes().into_iter().any(|axis| axis != Axis::Memory) {
        return Err(format!("the layout {} has other axes than memory", side.layout));
    }
    if side.align_bytes < 1 || side.dynamic.iter().any(|term| term.div < 1 || term.divisor < 1) {
        return Err("an alignment or a divisor is below 1".to_owned());
    }
    if side.layout.shard.last() != Some(&Iter::memory(chunk, 1)) {
        return Err(format!("the layout {} does not end in {chunk} neighbours", side.layout));
    }
    match side.layout.swizzle.map(|swizzle| swizzle.chunk()) {
        Some(kept) if kept % chunk != 0 => {
            Err(format!("the swizzle keeps {} together; needed a multiple of {chunk}", counted(kept, "element")))
        }
        _ => Ok(()),
    }
}
