//! The layout of the shared tile between the blocks that threads turn and the rows that leave.

use tile_layout::{Axis, Iter, Layout, fused};

use super::bits::RegionBits;
use super::blocks::Blocks;
use super::cost::LANE_DIGITS;
use crate::choose_layout::{AccessDirection, ChooseError, LayoutFamily, LayoutProblem, NVIDIA, SharedAccess, choose};

/// The tile's layout, in the order of the region: the rows of the destination, with what keeps both accesses free of bank conflicts.
/// Columns of blocks are written; vectors of 2^`read` elements are read in the order of the destination.
///
/// # Errors
/// Why there is no layout.
pub(super) fn tile_layout(
    bits: &RegionBits,
    blocks: &Blocks,
    (bytes, read): (i64, usize),
) -> Result<Layout, ChooseError> {
    let order = &bits.orders[1];
    let place = |digit: &usize| order.iter().position(|it| it == digit).unwrap_or(0);
    let written: Vec<usize> = blocks.threads.iter().take(LANE_DIGITS).map(place).collect();
    let left: Vec<usize> = (read..order.len()).take(written.len()).collect();
    let weight = |vector: usize| 1 << order.len().saturating_sub(written.len() + vector);
    let access =
        |direction, lanes: &[usize], vector| SharedAccess::new(direction, elements(lanes, vector), weight(vector));
    let run = bits.widest[1].max(read);
    let problem = LayoutProblem {
        shape: vec![1 << (order.len() - run), 1 << run],
        element_bytes: bytes,
        accesses: vec![
            access(AccessDirection::Write, &written, blocks.vectors[1]),
            access(AccessDirection::Read, &left, read),
        ],
        phases: &NVIDIA,
        family: LayoutFamily::Free,
        max_elements: None,
    };
    Ok(in_region(bits, choose(&problem)?.layout))
}

/// The elements of each lane, as numbers in the order of the destination: digits of the lane's number at these places, then a vector.
fn elements(lanes: &[usize], vector: usize) -> Vec<Vec<i64>> {
    let first = |lane: usize| {
        let set = lanes.iter().enumerate().filter(|(bit, _)| lane >> bit & 1 == 1);
        set.map(|(_, place)| 1i64 << place).sum::<i64>()
    };
    (0..1 << lanes.len()).map(|lane| (0..1 << vector).map(|step| first(lane) + step).collect()).collect()
}

/// A layout over numbers in the order of the destination, as one over the region.
fn in_region(bits: &RegionBits, layout: Layout) -> Layout {
    let plain = Layout { swizzle: None, ..layout.clone() };
    let iter = |digit: usize| {
        let place = bits.orders[1].iter().position(|it| *it == digit).unwrap_or(0);
        Iter::memory(2, plain.apply_linear(1 << place).get(&Axis::Memory).copied().unwrap_or(0))
    };
    let iters: Vec<Iter> = (0..bits.count()).map(iter).collect();
    Layout { shard: fused(&iters), ..layout }
}
