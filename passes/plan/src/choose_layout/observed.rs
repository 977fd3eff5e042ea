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
use tile_layout::{Axis, Iter, Layout};

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

/// Requests of warps to a tile that differ only in where they start, and take equally many wavefronts in the layout that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedAccess {
    /// All of them, as one of them.
    pub access: SharedAccess,
    /// What one takes.
    wavefronts: i64,
}

impl ObservedAccess {
    /// The elements of each lane relative to the least of all.
    fn relative(&self) -> Lanes {
        let lanes = &self.access.lanes;
        let start = lanes.iter().flatten().min().copied().unwrap_or(0);
        lanes.iter().map(|lane| lane.iter().map(|element| element - start).collect()).collect()
    }
}

/// The accesses of one execution of a plan of `problem` to the operand of that role, which is the tile or a part of it; those that are
/// alike are one.
///
/// # Errors
/// Why they are not known.
pub fn observe(
    plan: &CopyPlan,
    (problem, target): (&Problem, &Target),
    role: Role,
    tile: &PlacedTile,
) -> Result<Vec<ObservedAccess>, NotCounted> {
    let bytes = i64::from(problem.bits_of(role) / 8).max(1);
    let mut alike = AlikeRequests::default();
    let banks = target.shared_banks();
    plan.requests_of_side((problem, target), role, &mut |request| {
        alike.add(request, request.wavefronts(banks).0, (tile, bytes));
    })?;
    Ok(alike.accesses())
}

/// Accesses of several plans, of which those that are alike are one.
pub fn alike(accesses: impl IntoIterator<Item = ObservedAccess>) -> Vec<SharedAccess> {
    let mut distinct: Vec<(Lanes, ObservedAccess)> = Vec::new();
    for next in accesses {
        let relative = next.relative();
        let is_same =
            |(known, seen): &&mut (Lanes, ObservedAccess)| seen.wavefronts == next.wavefronts && *known == relative;
        match distinct.iter_mut().find(is_same) {
            Some((_, known)) => known.access.weight = known.access.weight.saturating_add(next.access.weight),
            None => distinct.push((relative, next)),
        }
    }
    distinct.into_iter().map(|(_, known)| known.access).collect()
}

/// The elements of each lane.
type Lanes = Vec<Vec<i64>>;

/// Requests, those that differ only in where they start as one.
#[derive(Default)]
struct AlikeRequests {
    /// The places in `distinct`, by what is alike.
    known: FxHashMap<Vec<i64>, usize>,
    /// What is alike, the lanes of the first, its wavefronts, and how many there are.
    distinct: Vec<(Lanes, Lanes, i64, i64)>,
    /// Of the request that is looked at: the lanes that take part as bits, the elements of each, all these relative to the least, and its
    /// wavefronts.
    relative: Vec<i64>,
}

impl AlikeRequests {
    /// Adds a request; none whose addresses are beyond the tile.
    fn add(&mut self, request: &WarpRequest, wavefronts: i64, (tile, bytes): (&PlacedTile, i64)) {
        let Some(start) = self.look_at(request, tile, bytes) else { return };
        self.relative.push(wavefronts);
        if let Some(&known) = self.known.get(&self.relative) {
            self.distinct[known].3 += 1;
            return;
        }
        self.known.insert(self.relative.clone(), self.distinct.len());
        let request = &self.relative[..self.relative.len() - 1];
        let (relative, lanes) = (lanes(request, 0), lanes(request, start));
        self.distinct.push((relative, lanes, wavefronts, 1));
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

    fn accesses(mut self) -> Vec<ObservedAccess> {
        self.distinct.sort_unstable();
        let access = |(_, lanes, wavefronts, count)| {
            let access = SharedAccess::new(lanes, count);
            ObservedAccess { access, wavefronts }
        };
        self.distinct.into_iter().map(access).collect()
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
