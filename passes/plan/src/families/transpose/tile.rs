//! The layout of the shared tile between the blocks that threads turn and the rows that leave.

use tile_layout::{Axis, Iter, Layout, Swizzle, fused};

use super::bits::RegionBits;
use super::blocks::Blocks;
use super::cost::LANE_DIGITS;
use crate::choose_layout::{BitAccess, ChooseError, LayoutFamily, LayoutProblem, NVIDIA, choose, first_free};

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
    let place = |digit: &usize| order.iter().position(|other| other == digit).unwrap_or(0);
    let written: Vec<usize> = blocks.threads.iter().take(LANE_DIGITS).map(place).collect();
    let left: Vec<usize> = (read..order.len()).take(written.len()).collect();
    let weight = |vector: usize| 1 << order.len().saturating_sub(written.len() + vector);
    let access = |vector, lanes| BitAccess { lanes, vector, weight: weight(vector) };
    let accesses = [access(blocks.vectors[1], written.clone()), access(read, left)];
    let run = bits.widest(1).max(read).min(order.len());
    let extents = [order.len() - run, run];
    if let Some(free) = first_free(&extents.map(|bits| bits as u32), bytes, &accesses, &NVIDIA) {
        let stride = |place: usize| 1i64 << free.positions[place];
        let layout = Layout { swizzle: free.swizzle, ..in_region(bits, order, stride) };
        return Ok((layout, free.wavefronts));
    }
    let problem = LayoutProblem {
        shape: extents.map(|bits| 1 << bits).to_vec(),
        element_bytes: bytes,
        accesses: accesses.iter().map(BitAccess::each_lane).collect(),
        phases: &NVIDIA,
        family: LayoutFamily::Free,
        max_elements: None,
    };
    searched(bits, order, problem, [blocks.vectors[1], read])
}

/// The layout and the wavefronts of any that keep these vectors whole, by going through them.
fn searched(
    bits: &RegionBits,
    order: &[usize],
    problem: LayoutProblem,
    vectors: [usize; 2],
) -> Result<(Layout, i64), ChooseError> {
    let (bytes, [_, read]) = (problem.element_bytes, vectors);
    let free = choose(&problem)?;
    let are_whole = free.costs.iter().zip(vectors).all(|(cost, vector)| cost.bytes == bytes << vector);
    let choice = if are_whole { free } else { choose(&in_rows(problem, order.len(), read))? };
    let wavefronts = choice.costs.iter().map(|cost| cost.wavefronts).sum();
    let plain = Layout { swizzle: None, ..choice.layout.clone() };
    let stride = |place: usize| plain.apply_linear(1 << place).get(&Axis::Memory).copied().unwrap_or(0);
    Ok((Layout { shard: in_region(bits, order, stride).shard, ..choice.layout }, wavefronts))
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

/// The layout of the region whose digits `order`, nearest first, have these strides.
fn in_region(bits: &RegionBits, order: &[usize], stride: impl Fn(usize) -> i64) -> Layout {
    let iter = |digit: usize| {
        let place = order.iter().position(|other| *other == digit)?;
        Some(Iter::memory(2, stride(place)))
    };
    Layout::new(fused(&(0..bits.count()).filter_map(iter).collect::<Vec<_>>()))
}
