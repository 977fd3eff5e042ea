//! The layout of the shared tile between the blocks that threads turn and the rows that leave.

use tile_layout::{Axis, Iter, Layout, Swizzle, fused};

use super::bits::RegionBits;
use super::blocks::Blocks;
use super::cost::LANE_DIGITS;
use crate::choose_layout::{AccessDirection, ChooseError, LayoutFamily, LayoutProblem, NVIDIA, SharedAccess, choose};

/// The tile's layout, in the order of the region, and the wavefronts of both accesses: the rows of the destination, with what keeps them
/// free of bank conflicts. Columns of blocks are written; vectors of 2^`read` elements are read in the order of the destination. The region has 2^`parts` parts, one of
/// which is in the tile.
///
/// # Errors
/// Why there is no layout.
pub(super) fn tile_layout(
    bits: &RegionBits,
    blocks: &Blocks,
    (bytes, read, parts): (i64, usize, usize),
) -> Result<(Layout, i64), ChooseError> {
    let order = bits.nearest(1, bits.count() - parts);
    let place = |digit: &usize| order.iter().position(|it| it == digit).unwrap_or(0);
    let written: Vec<usize> = blocks.threads.iter().take(LANE_DIGITS).map(place).collect();
    let left: Vec<usize> = (read..order.len()).take(written.len()).collect();
    let weight = |vector: usize| 1 << order.len().saturating_sub(written.len() + vector);
    let access =
        |direction, lanes: &[usize], vector| SharedAccess::new(direction, elements(lanes, vector), weight(vector));
    let run = bits.widest(1).max(read).min(order.len());
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
    let free = choose(&problem)?;
    let mut vectors = free.costs.iter().zip([blocks.vectors[1], read]);
    let are_whole = vectors.all(|(cost, vector)| cost.bytes == bytes << vector);
    let choice = if are_whole { free } else { choose(&in_rows(problem, order.len(), read))? };
    let wavefronts = choice.costs.iter().map(|cost| cost.wavefronts).sum();
    Ok((in_region(bits, order, choice.layout), wavefronts))
}

/// The same problem, where only rows with swizzles are allowed that keep vectors of 2^`vector` elements together.
fn in_rows(problem: LayoutProblem, digits: usize, vector: usize) -> LayoutProblem {
    let rows = Layout::row_major(&problem.shape);
    let swizzles = (1..=LANE_DIGITS).flat_map(|bits| (bits..digits).map(move |distance| (bits, distance)));
    let swizzled =
        swizzles.filter(|(bits, distance)| vector + bits + distance <= digits).filter_map(|(bits, distance)| {
            let swizzle = Swizzle::new(vector as u32, bits as u32, distance as u32, true).ok()?;
            Some(rows.clone().with_swizzle(swizzle))
        });
    let layouts = std::iter::once(rows.clone()).chain(swizzled).collect();
    LayoutProblem { family: LayoutFamily::Modes { engine: "rows", layouts }, ..problem }
}

/// The elements of each lane, as numbers in the order of the destination: digits of the lane's number at these places, then a vector.
fn elements(lanes: &[usize], vector: usize) -> Vec<Vec<i64>> {
    let first = |lane: usize| {
        let set = lanes.iter().enumerate().filter(|(bit, _)| lane >> bit & 1 == 1);
        set.map(|(_, place)| 1i64 << place).sum::<i64>()
    };
    (0..1 << lanes.len()).map(|lane| (0..1 << vector).map(|step| first(lane) + step).collect()).collect()
}

/// A layout over numbers in the order of the destination, whose digits are `order`, as one over the region.
fn in_region(bits: &RegionBits, order: &[usize], layout: Layout) -> Layout {
    let plain = Layout { swizzle: None, ..layout.clone() };
    let iter = |digit: usize| {
        let place = order.iter().position(|it| *it == digit)?;
        Some(Iter::memory(2, plain.apply_linear(1 << place).get(&Axis::Memory).copied().unwrap_or(0)))
    };
    let iters: Vec<Iter> = (0..bits.count()).filter_map(iter).collect();
    Layout { shard: fused(&iters), ..layout }
}
