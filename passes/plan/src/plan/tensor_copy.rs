//! Shared memory to tensor memory through `tcgen05.cp`.

use tile_isa::TensorForm;

use crate::plan::Side;

/// The fields of a shared memory matrix descriptor that are the same for every tile of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Descriptor {
    /// Leading dimension offset, in units of 16 bytes.
    pub leading: i64,
    /// Stride dimension offset, in units of 16 bytes: from 8 rows to the next 8.
    pub stride: i64,
    /// Swizzle mode: 0 none, 1 of 32, 2 of 64, 3 of 128 bytes.
    pub swizzle: i64,
}

/// One `tcgen05.cp` per tile, issued by one thread.
///
/// Both layouts are over `[tiles…, rows…, atom…]`, over the same extents: the first `tile_iters` digits number the
/// tiles, one instruction each; the rest is what one instruction moves. Offsets of the shared side count elements
/// before the swizzle, which is in the descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorCopy {
    /// What one instruction moves.
    pub form: TensorForm,
    /// 1, or 2 for a pair of CTAs.
    pub cta_group: i64,
    /// What the descriptor says beside the address.
    pub descriptor: Descriptor,
    /// Width of an element.
    pub element_bits: u32,
    /// Leading digits that number the tiles.
    pub tile_iters: usize,
    /// The side in shared memory. Run-time terms count elements.
    pub src: Side,
    /// The side in tensor memory. Run-time terms count in its addresses: 1 is a column of 32 bits, `1 << 16` a lane.
    pub dst: Side,
}

impl TensorCopy {
    /// Instructions.
    pub fn tiles(&self) -> i64 {
        self.src.layout.shard.iter().take(self.tile_iters).fold(1i64, |all, iter| all.saturating_mul(iter.extent))
    }

    /// The PTX instruction: `tcgen05.cp.cta_group::1.32x128b.warpx4`.
    pub fn instruction(&self) -> String {
        format!("tcgen05.cp.cta_group::{}.{}", self.cta_group, self.form.name())
    }
}
