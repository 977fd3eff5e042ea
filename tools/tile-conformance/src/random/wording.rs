//! How a program expresses what is copied: by views, or masked if that is equivalent.

use tile_isa::Space;
use tile_layout::{Axis, Iter};

use super::draw::Rng;
use crate::case::{Begin, Open, Side, View, Wording};

/// The most elements of a region with its margins.
const MOST: i64 = 4096;

/// Draws views for every other copy; or margins for one in six that names no variant.
pub(super) fn draw(rng: &mut Rng, src: &Side, dst: &Side, free: bool) -> Wording {
    let mut wording = Wording::default();
    if free && rng.below(6) == 0 {
        wording.margins = margins(rng, src, dst);
    }
    if wording.margins.is_empty() && rng.below(2) == 0 {
        wording.views = views(rng, src, dst);
    }
    wording
}

/// Casts and parts of either side, and a permutation or reshape that is applied to both.
fn views(rng: &mut Rng, src: &Side, dst: &Side) -> [Vec<View>; 2] {
    let rank = src.shape.len();
    let both = [src, dst].into_iter().all(is_plain) && rank == dst.shape.len();
    let alike = (both && rank > 1 && rng.below(2) == 0).then(|| {
        let mut order: Vec<usize> = (0..rank).collect();
        rng.shuffle(&mut order);
        let merged = View::Merged(rng.below(rank as u64 - 1) as usize);
        if rng.below(2) == 0 { View::Turned(order) } else { merged }
    });
    [src, dst].map(|side| {
        let mut chosen = Vec::new();
        if is_plain(side) && side.space == Space::Global && rng.below(2) == 0 {
            chosen.push(View::Cast);
        }
        if alike.is_some() || (is_plain(side) && rng.below(4) != 0) {
            chosen.push(View::Part);
        }
        chosen.extend(alike.clone());
        chosen
    })
}

/// Every other plain side in global memory leaves extents and strides to run time.
pub(super) fn leave_open(rng: &mut Rng, side: &mut Side) {
    if side.space != Space::Global || !is_plain(side) || rng.below(2) != 0 {
        return;
    }
    let open = |iter: &Iter| {
        let power = 1 << iter.stride.trailing_zeros().min(6);
        let stride = (rng.below(2) == 0).then(|| *rng.one_of(&[1, power, power, iter.stride.max(1)]));
        Open { extent: rng.below(2) == 0, stride }
    };
    side.open = side.layout.shard.iter().map(open).collect();
}

/// Whether a side has one iter for each dimension, so that the layout of a part is plain.
pub(crate) fn is_plain(side: &Side) -> bool {
    let iters = side.layout.shard.iter().map(|iter| (iter.axis, iter.extent));
    matches!(side.space, Space::Global | Space::Shared)
        && iters.eq(side.shape.iter().map(|&extent| (Axis::Memory, extent)))
        && side.layout.offset.is_empty()
        && side.layout.replica.is_empty()
}

/// Margins of some elements at bounds of the region that coincide with the bounds of a buffer on either side.
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
