//! The first 64 rows of 128 lanes, which no fragment of 16 lanes reaches.

use std::cmp::Reverse;

use tile_isa::{TENSOR_LANES, WARP};
use tile_layout::{Axis, Fusion, Iter, Layout};

use super::fit::fit;
use super::places::Places;
use crate::families::tmem::region::tensor_side;
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;

/// Rows that four warps hold in fragments of 16 lanes.
const ROWS: i64 = 64;

/// Why rows 0 to 63 of a buffer of 128 lanes (datapath D) cannot be moved by the 16-lane fragments of four warps; none if
/// something else is wrong. The reason has the layout of the tile of 64 rows that these fragments are in (datapath F), as
/// a matrix multiply with M = 64 leaves it.
///
/// ```text
///   rows            0 … 15 | 16 … 31 | 32 … 47 | 48 … 63
///   datapath D      0 … 15 | 16 … 31 | 32 … 47 | 48 … 63     lanes of warps 0 and 1 only
///   datapath F      0 … 15 | 32 … 47 | 64 … 79 | 96 … 111    16 lanes of each warp
/// ```
pub(super) fn half_of_the_lanes(problem: &Problem, local: Role) -> Option<Refusal> {
    let tmem = local.other();
    let whole = &problem.operands.get(tmem)?.layout;
    let mut side = tensor_side(problem.operands.get(tmem)?, tmem, problem.element.bits, 32).ok()?;
    let is_window = lanes(whole) == run(TENSOR_LANES)
        && lanes(&side.layout) == run(ROWS)
        && side.layout.offset_on(Axis::TLane) == 0;
    if !is_window {
        return None;
    }
    side.layout.shard = side.layout.shard.iter().flat_map(spread).collect();
    fit(Places::with(problem, local, side).ok()?).ok()?;
    let mut tile = whole.clone();
    tile.shard = first_half(&whole.shard).iter().flat_map(spread).collect();
    let reason = format!(
        "rows 0 to 63 of the {tmem} are in lanes 0 to 63, which only two warps reach; these registers of four warps are \
         in the lanes of a tile of 64 rows with #tile.layout<{tile}>"
    );
    Some(Refusal::of(tmem, "lanes-not-reached", reason))
}

fn run(extent: i64) -> Vec<Iter> {
    vec![Iter::new(extent, 1, Axis::TLane)]
}

/// The iters over lanes in canonical form, slowest first.
fn lanes(layout: &Layout) -> Vec<Iter> {
    let mut lanes: Vec<Iter> = layout.shard.iter().filter(|iter| iter.axis == Axis::TLane).copied().collect();
    lanes.sort_by_key(|iter| Reverse(iter.stride));
    Layout::new(lanes).canonicalize(Fusion::None).shard
}

/// The iters over the first half of the lanes; the ones over lanes are a run.
fn first_half(iters: &[Iter]) -> Vec<Iter> {
    let slowest =
        iters.iter().filter(|iter| iter.axis == Axis::TLane && iter.extent > 1).max_by_key(|iter| iter.stride);
    let halved = |iter: &Iter| if Some(iter) == slowest { Iter { extent: iter.extent / 2, ..*iter } } else { *iter };
    iters.iter().map(halved).filter(|iter| iter.extent > 1).collect()
}

/// The iter with strides of 16 lanes and more doubled.
fn spread(iter: &Iter) -> Vec<Iter> {
    let lanes = |extent, stride| Iter::new(extent, stride, Axis::TLane);
    match *iter {
        Iter { axis: Axis::TLane, extent, stride } if stride >= 16 => vec![lanes(extent, stride.saturating_mul(2))],
        Iter { axis: Axis::TLane, extent, stride } if stride.saturating_mul(extent) > 16 => {
            vec![lanes(stride * extent / 16, WARP), lanes(16 / stride, stride)]
        }
        other => vec![other],
    }
}
