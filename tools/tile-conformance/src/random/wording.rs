//! How a program says what is copied: by views, and masked where that is as good.

use tile_layout::Axis;
use tile_plan::Space;

use super::rng::Rng;
use crate::case::{Begin, Side, Wording};

/// Most elements of a region that is longer by its margins.
const MOST: i64 = 4096;

/// Parts, one copy in four; or margins, one in six that names no variant.
pub(super) fn draw(rng: &mut Rng, src: &Side, dst: &Side, free: bool) -> Wording {
    let mut wording = Wording::default();
    if free && rng.below(6) == 0 {
        wording.margins = margins(rng, src, dst);
    }
    if wording.margins.is_empty() && rng.below(4) == 0 {
        wording.parts = [src, dst].map(|side| rng.below(3) != 0 && is_plain(side));
    }
    wording
}

/// Has a side one iter for each dimension, so that the layout of a part is plain?
pub(crate) fn is_plain(side: &Side) -> bool {
    let own = side.layout.shard.iter().map(|iter| (iter.axis, iter.extent));
    matches!(side.space, Space::Global | Space::Shared)
        && own.eq(side.shape.iter().map(|&extent| (Axis::Memory, extent)))
        && side.layout.offset.is_empty()
        && side.layout.replica.is_empty()
}

/// Where a region ends with its buffer on either side, some elements more.
fn margins(rng: &mut Rng, src: &Side, dst: &Side) -> Vec<[i64; 2]> {
    let written = |side: &Side| side.begins.iter().all(|begin| *begin == Begin::Written);
    if src.region.len() != dst.region.len() || !written(src) || !written(dst) {
        return Vec::new();
    }
    let mut size: i64 = src.elements();
    let mut all = Vec::new();
    for (dimension, range) in src.region.iter().enumerate() {
        let sides = [src, dst].map(|side| (side.region[dimension], side.shape[dimension]));
        let ends = [
            sides.iter().any(|(range, _)| range.begin == 0),
            sides.iter().any(|(range, shape)| range.begin + range.extent == *shape),
        ];
        let mut more = ends.map(|is| if is && rng.below(2) == 0 { *rng.one_of(&[1, 2, 4, 3, 8]) } else { 0 });
        let longer = size / range.extent * (range.extent + more[0] + more[1]);
        if longer > MOST {
            more = [0; 2];
        } else {
            size = longer;
        }
        all.push(more);
    }
    if all.iter().all(|more| *more == [0; 2]) { Vec::new() } else { all }
}
