//! The accesses that plans have to a tile, of whatever family: what their warps request is looked at where the tile has
//! a layout, in which an address is an element.
//!
//! ```text
//!   32x64 f16, to registers in which lane l holds column l          in rows: 64 requests of 2 bytes a lane
//!                                                                   in columns: 8 of 16 bytes
//! ```
//! The layout in which a plan has the fewest requests shows the accesses that it would like to have; the layout that is chosen, those that
//! it has.

use std::collections::BTreeMap;

use tile_isa::Space;
use tile_layout::{Iter, Layout};

use super::check::address;
use super::phases::AccessDirection;
use super::problem::SharedAccess;
use crate::families::copy_plan::CopyPlan;
use crate::problem::Problem;
use crate::problem::role::Role;
use crate::target::Target;
use crate::traffic::NotCounted;
use crate::traffic::request::WarpRequest;

/// A tile in a layout, and which element is at each address.
#[derive(Clone, Debug)]
pub struct PlacedTile {
    /// The layout.
    pub layout: Layout,
    /// The element at each address, as its row-major number in the tile's shape; `None` in gaps.
    elements: Vec<Option<i64>>,
}

/// The dimensions of a tile that are reordered: the others stay outermost.
const MAX_REORDERED: usize = 3;

impl PlacedTile {
    /// A tile in a layout of memory alone, of at most 2^18 elements.
    pub fn new(layout: Layout) -> Self {
        let mut elements = vec![None; usize::try_from(layout.memory_span()).unwrap_or(0)];
        for element in 0..layout.size() {
            let place = usize::try_from(address(&layout, element)).ok();
            if let Some(at) = place.and_then(|place| elements.get_mut(place)) {
                *at = Some(element);
            }
        }
        PlacedTile { layout, elements }
    }

    /// The tile without gaps, in each order of its innermost dimensions, rows first.
    pub fn orders(shape: &[i64]) -> Vec<PlacedTile> {
        let first = shape.len().saturating_sub(MAX_REORDERED);
        let inner = permutations((first..shape.len()).collect()).into_iter();
        let orders = inner.map(|inner| (0..first).chain(inner).collect::<Vec<_>>());
        orders.map(|order| PlacedTile::new(dense(shape, &order))).collect()
    }
}

/// The layout without gaps in an order of the dimensions, slowest first.
fn dense(shape: &[i64], order: &[usize]) -> Layout {
    let mut strides = vec![1; shape.len()];
    order.iter().rev().fold(1, |stride, &dimension| {
        strides[dimension] = stride;
        stride * shape[dimension]
    });
    let iters = shape.iter().zip(&strides).map(|(&extent, &stride)| Iter::memory(extent, stride));
    Layout::new(iters.collect::<Vec<_>>())
}

/// All orders of a list, its own first.
fn permutations(list: Vec<usize>) -> Vec<Vec<usize>> {
    if list.len() < 2 {
        return vec![list];
    }
    let with_first = |at: usize| {
        let mut rest = list.clone();
        let first = rest.remove(at);
        permutations(rest).into_iter().map(move |rest| std::iter::once(first).chain(rest).collect())
    };
    (0..list.len()).flat_map(with_first).collect()
}

/// The elements of each lane.
type Lanes = Vec<Vec<i64>>;

/// The accesses of a plan of `problem`, in which the tile is placed so, to the side of the copy that is in shared memory; those that
/// differ only in where they start are one. `times`: how often the copy is executed.
///
/// # Errors
/// Why they are not known.
pub fn observe(
    plan: &CopyPlan,
    (problem, target): (&Problem, &Target),
    tile: &PlacedTile,
    times: i64,
) -> Result<Vec<SharedAccess>, NotCounted> {
    let is_read = problem.operands.get(Role::Src).is_some_and(|operand| operand.space == Space::Shared);
    let direction = if is_read { AccessDirection::Read } else { AccessDirection::Write };
    let bytes = i64::from(problem.element.bits / 8).max(1);
    // By the lanes with their elements relative to the first one.
    let mut found: BTreeMap<Lanes, (Lanes, i64)> = BTreeMap::new();
    plan.requests(problem, target, &mut |request| {
        if let Some(lanes) = elements(request, tile, bytes) {
            let start = lanes.iter().flatten().min().copied().unwrap_or(0);
            let moved = |lane: &Vec<i64>| lane.iter().map(|element| element - start).collect();
            let key = lanes.iter().map(moved).collect();
            found.entry(key).or_insert((lanes, 0)).1 += times;
        }
    })?;
    Ok(found.into_values().map(|(lanes, weight)| SharedAccess::new(direction, lanes, weight)).collect())
}

/// The elements of each lane of a request; `None` for another memory, and where an address is beyond the tile.
fn elements(request: &WarpRequest, tile: &PlacedTile, bytes: i64) -> Option<Lanes> {
    let last = request.lanes.last().filter(|_| request.space == Space::Shared)?.0;
    let mut lanes = vec![Vec::new(); usize::try_from(last).ok()? + 1];
    for &(lane, first) in &request.lanes {
        let addresses = first / bytes..(first + request.bytes) / bytes;
        let all = addresses.map(|place| *tile.elements.get(usize::try_from(place).ok()?)?);
        lanes[usize::try_from(lane).ok()?] = all.collect::<Option<_>>()?;
    }
    Some(lanes)
}
