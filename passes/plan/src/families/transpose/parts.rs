//! Parts of a region that go through one tile, one after the other, where a tile of all would be too large.
//!
//! ```text
//!   256x256 u8, of which a tile may have 48 KiB
//!     2 parts     columns 0 … 127 and 128 … 255 of the source: rows of the destination, each in one piece
//! ```

use tile_layout::counted;

use super::bits::RegionBits;
use super::cost::CostCounter;
use crate::families::composite::{MAX_TILE_BYTES, RegionPart};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::sides::require::unmasked;
use crate::target::Target;

/// The base-2 logarithm of the most parts.
const MAX_PARTS: usize = 3;

/// The most bytes of the tiles of a block.
pub(super) fn most_bytes(target: &Target) -> i64 {
    target.api().map_or(MAX_TILE_BYTES, |api| api.workgroup_bytes.min(MAX_TILE_BYTES))
}

/// The refusal of tiles of a block that take so many bytes.
pub(super) fn too_large(bytes: i64, target: &Target) -> Refusal {
    let reason = format!("the tiles of a block take {}; needed {} at most", counted(bytes, "byte"), most_bytes(target));
    Refusal::new("transpose-too-large", reason)
}

/// Equal parts of one dimension of a region.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RegionParts {
    /// The base-2 logarithm of their number.
    pub count: usize,
    /// The dimension, those of extent 1 left out.
    dimension: usize,
}

impl RegionParts {
    /// The fewest parts of a region of that shape so that a tile for each of `instances` scopes of a block is small enough. They are
    /// apart in the destination.
    ///
    /// # Errors
    /// `transpose-too-large` where that would be too many, or parts of several dimensions; `masked-copy`.
    pub fn new(
        problem: &Problem,
        target: &Target,
        (counter, shape, instances): (&CostCounter<'_>, &[i64], i64),
    ) -> Result<Self, Refusal> {
        let tile = |count: usize| ((counter.bytes << counter.bits.count()) >> count).saturating_mul(instances);
        let fits = |&count: &usize| tile(count) <= most_bytes(target);
        let count = (0..=MAX_PARTS.min(counter.bits.count())).find(fits);
        let count = count.ok_or_else(|| too_large(tile(MAX_PARTS), target))?;
        if count == 0 {
            return Ok(RegionParts::default());
        }
        unmasked(problem)?;
        let dimension = dimension(counter.bits, shape, count).ok_or_else(|| too_large(tile(0), target))?;
        Ok(RegionParts { count, dimension })
    }

    /// The parts of a region of that shape; `None` for all of it.
    pub fn each(self, shape: &[i64]) -> Vec<Option<RegionPart>> {
        if self.count == 0 {
            return vec![None];
        }
        let (dimension, extent) = (self.dimension, shape[self.dimension] >> self.count);
        (0..1 << self.count).map(|part| Some(RegionPart { dimension, begin: part * extent, extent })).collect()
    }

    /// The shape of a part.
    pub fn shape(self, mut whole: Vec<i64>) -> Vec<i64> {
        if let Some(extent) = whole.get_mut(self.dimension) {
            *extent >>= self.count;
        }
        whole
    }
}

/// The dimension whose slowest digits are the farthest `count` of the destination.
fn dimension(bits: &RegionBits, shape: &[i64], count: usize) -> Option<usize> {
    let far = bits.farthest(1, count);
    let mut first = 0;
    shape.iter().position(|extent| {
        let digits = extent.ilog2() as usize;
        let slowest = first..first + count.min(digits);
        first += digits;
        slowest.len() == count && slowest.clone().all(|digit| far.contains(&digit))
    })
}
