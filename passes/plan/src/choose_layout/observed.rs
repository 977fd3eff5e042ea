//! The accesses that plans have to a tile, of whatever family: what their warps request is looked at where the tile has
//! a layout, in which an address is an element.
//!
//! ```text
//!   32x64 f16, to registers in which lane l holds column l          in rows: 64 requests of 2 bytes a lane
//!                                                                   in columns: 8 of 16 bytes
//! ```
//! The layout in which a plan has the fewest requests shows the accesses that it would like to have; the layout that is chosen, those that
//! it has.

use rustc_hash::FxHashMap;
use tile_isa::Space;
use tile_layout::{Axis, Iter, Layout};

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
        for (address, element) in layout.places_on(Axis::Memory).into_iter().zip(0..) {
            if let Some(at) = usize::try_from(address).ok().and_then(|place| elements.get_mut(place)) {
                *at = Some(element);
            }
        }
        PlacedTile { layout, elements }
    }
}

/// The layouts of a tile without gaps, in each order of its innermost dimensions, rows first.
pub(super) fn dense_orders(shape: &[i64]) -> Vec<Layout> {
    let first = shape.len().saturating_sub(MAX_REORDERED);
    let inner = permutations((first..shape.len()).collect()).into_iter();
    inner.map(|inner| dense(shape, &(0..first).chain(inner).collect::<Vec<_>>())).collect()
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

/// The accesses of one execution of a plan of `problem`, in which the tile is placed so, to the side of the copy that is in shared memory;
/// those that differ only in where they start are one.
///
/// # Errors
/// Why they are not known.
pub fn observe(
    plan: &CopyPlan,
    (problem, target): (&Problem, &Target),
    tile: &PlacedTile,
) -> Result<Vec<SharedAccess>, NotCounted> {
    let is_read = problem.operands.get(Role::Src).is_some_and(|operand| operand.space == Space::Shared);
    let direction = if is_read { AccessDirection::Read } else { AccessDirection::Write };
    let bytes = i64::from(problem.element.bits / 8).max(1);
    let mut alike = AlikeRequests::default();
    plan.requests((problem, target), &[Space::Shared], &mut |request| alike.add(request, tile, bytes))?;
    Ok(alike.accesses(direction))
}

/// The elements of each lane.
type Lanes = Vec<Vec<i64>>;

/// Requests, those that differ only in where they start as one.
#[derive(Default)]
struct AlikeRequests {
    /// The places in `found`, by what is alike.
    known: FxHashMap<Vec<i64>, usize>,
    /// What is alike, the lanes of the first, and how many there are.
    found: Vec<(Lanes, Lanes, i64)>,
    /// Of the request that is looked at: the lanes that take part as bits, the elements of each, and all these relative to the least.
    relative: Vec<i64>,
}

impl AlikeRequests {
    /// Adds a request; none whose addresses are beyond the tile.
    fn add(&mut self, request: &WarpRequest, tile: &PlacedTile, bytes: i64) {
        let Some(start) = self.look_at(request, tile, bytes) else { return };
        if let Some(&known) = self.known.get(&self.relative) {
            self.found[known].2 += 1;
            return;
        }
        self.known.insert(self.relative.clone(), self.found.len());
        let (relative, lanes) = (lanes(&self.relative, 0), lanes(&self.relative, start));
        self.found.push((relative, lanes, 1));
    }

    /// The least element of a request; its elements relative to that go into `relative`.
    fn look_at(&mut self, request: &WarpRequest, tile: &PlacedTile, bytes: i64) -> Option<i64> {
        let elements_at = |first: i64| {
            let range = usize::try_from(first / bytes).ok()?..usize::try_from((first + request.bytes) / bytes).ok()?;
            tile.elements.get(range)
        };
        let count = elements_at(request.lanes.first()?.1)?.len();
        self.relative.clear();
        self.relative.extend([0, count as i64]);
        let mut taking_part = 0i64;
        for &(lane, first) in &request.lanes {
            taking_part |= 1i64.checked_shl(u32::try_from(lane).ok()?)?;
            let elements = elements_at(first).filter(|elements| elements.len() == count)?;
            for element in elements {
                self.relative.push((*element)?);
            }
        }
        self.relative[0] = taking_part;
        let start = self.relative[2..].iter().min().copied().unwrap_or(0);
        self.relative[2..].iter_mut().for_each(|element| *element -= start);
        Some(start)
    }

    fn accesses(mut self, direction: AccessDirection) -> Vec<SharedAccess> {
        self.found.sort_unstable();
        self.found.into_iter().map(|(_, lanes, count)| SharedAccess::new(direction, lanes, count)).collect()
    }
}

/// The elements of each lane, `start` added to each.
fn lanes(relative: &[i64], start: i64) -> Lanes {
    let [taking_part, count, elements @ ..] = relative else { return Vec::new() };
    let mut each = elements.chunks_exact((*count).max(1) as usize);
    let lanes = (0..i64::BITS - taking_part.leading_zeros()).map(|lane| match taking_part >> lane & 1 {
        1 => each.next().unwrap_or_default().iter().map(|element| element + start).collect(),
        _ => Vec::new(),
    });
    lanes.collect()
}
