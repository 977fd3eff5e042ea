//! Shared memory to tensor memory through `tcgen05.cp`.

use tile_layout::{Axis, Iter};

use crate::plan::Side;

/// A form of `tcgen05.cp`: what one instruction moves, and which lanes get copies of it
/// (PTX ISA, tcgen05.cp).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TensorForm {
    /// 128 rows of 256 bits.
    Rows128Bits256,
    /// 4 rows of 256 bits, to lanes 0, 32, 64 and 96.
    Rows4Bits256,
    /// 128 rows of 128 bits.
    Rows128Bits128,
    /// 64 rows of 128 bits; warps 0 and 2 get one half, 1 and 3 the other.
    Rows64Warpx2Split02,
    /// 64 rows of 128 bits; warps 0 and 1 get one half, 2 and 3 the other.
    Rows64Warpx2Split01,
    /// 32 rows of 128 bits, to each of four warps.
    Rows32Warpx4,
}

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

impl TensorForm {
    /// Every form, in the order in which they are tried.
    pub const ALL: [TensorForm; 6] = [
        TensorForm::Rows128Bits256,
        TensorForm::Rows4Bits256,
        TensorForm::Rows128Bits128,
        TensorForm::Rows64Warpx2Split02,
        TensorForm::Rows64Warpx2Split01,
        TensorForm::Rows32Warpx4,
    ];

    /// The shape, as PTX spells it.
    pub fn shape(self) -> &'static str {
        match self {
            TensorForm::Rows128Bits256 => "128x256b",
            TensorForm::Rows4Bits256 => "4x256b",
            TensorForm::Rows128Bits128 => "128x128b",
            TensorForm::Rows64Warpx2Split02 | TensorForm::Rows64Warpx2Split01 => "64x128b",
            TensorForm::Rows32Warpx4 => "32x128b",
        }
    }

    /// The multicast, as PTX spells it.
    pub fn multicast(self) -> Option<&'static str> {
        match self {
            TensorForm::Rows64Warpx2Split02 => Some("warpx2::02_13"),
            TensorForm::Rows64Warpx2Split01 => Some("warpx2::01_23"),
            TensorForm::Rows32Warpx4 => Some("warpx4"),
            _ => None,
        }
    }

    /// Shape and multicast: `32x128b.warpx4`.
    pub fn name(self) -> String {
        self.multicast().map_or_else(|| self.shape().to_owned(), |multicast| format!("{}.{multicast}", self.shape()))
    }

    /// Rows of one instruction.
    pub fn rows(self) -> i64 {
        self.lanes().iter().map(|(extent, _)| extent).product()
    }

    /// Bits of a row.
    pub fn row_bits(self) -> i64 {
        match self {
            TensorForm::Rows128Bits256 | TensorForm::Rows4Bits256 => 256,
            _ => 128,
        }
    }

    /// The lane of each row, as digits `(extent, stride)` of the row, slowest first; copies of a row are in the lanes
    /// of [`TensorForm::replica`] from there.
    pub fn lanes(self) -> &'static [(i64, i64)] {
        match self {
            TensorForm::Rows128Bits256 | TensorForm::Rows128Bits128 => &[(128, 1)],
            TensorForm::Rows4Bits256 => &[(4, 32)],
            TensorForm::Rows64Warpx2Split02 => &[(64, 1)],
            TensorForm::Rows64Warpx2Split01 => &[(2, 64), (32, 1)],
            TensorForm::Rows32Warpx4 => &[(32, 1)],
        }
    }

    /// Where else each row goes.
    pub fn replica(self) -> Option<Iter> {
        let (extent, stride) = match self {
            TensorForm::Rows64Warpx2Split02 => (2, 64),
            TensorForm::Rows64Warpx2Split01 => (2, 32),
            TensorForm::Rows32Warpx4 => (4, 32),
            _ => return None,
        };
        Some(Iter::new(extent, stride, Axis::TLane))
    }

    /// The form of that shape and multicast.
    pub fn named(shape: &str, multicast: Option<&str>) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.shape() == shape && form.multicast() == multicast)
    }
}
