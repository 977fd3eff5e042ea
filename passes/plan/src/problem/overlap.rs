//! Whether source and destination of a copy overlap, and whether each element of the destination has a place of its own.
//!
//! ```text
//!   one 8x8 tile, rows 0..4 to rows 2..6:   source element (2, 0) and destination element (0, 0) are both row 2
//! ```

use tile_layout::{Axis, Iter, Layout, Places, Range, Swizzle};

use crate::problem::Problem;
use crate::problem::effect::Effect;
use crate::problem::mask::Mask;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::Begin;

/// One side of a copy whose two sides are in the same allocation.
#[derive(Clone, Debug)]
pub struct Placed<'l> {
    /// The location of each element of the buffer.
    pub layout: &'l Layout,
    /// The buffer's logical shape.
    pub shape: &'l [i64],
    /// Start of the region, per dimension; `None` where it is known only at run time.
    pub begin: Vec<Option<i64>>,
    /// Extent of the region, per dimension.
    pub extent: &'l [i64],
    /// Bytes from a base that both sides share to the buffer's address 0; `None` where it is known only at run time.
    pub bytes: Option<i64>,
}

/// An element that both regions hold, relative to the starts of the regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Coordinates in the source region.
    pub src: Vec<i64>,
    /// Coordinates in the destination region.
    pub dst: Vec<i64>,
}

/// The most elements of a region that are enumerated.
const MAX_ELEMENTS: i64 = 1 << 22;

/// The longest range of memory that is marked, in elements.
const LONGEST: i64 = 1 << 27;

/// An element that is in both regions, where there provably is one: the starts of both are known, or `apart` says by
/// how much the destination starts after the source in each dimension of the same buffer.
///
/// `None` where the regions do not overlap, or where that is decided at run time.
pub fn overlap(src: &Placed<'_>, dst: &Placed<'_>, apart: &[Option<i64>], element_bytes: i64) -> Option<Overlap> {
    let same = (src.layout, src.shape, src.bytes) == (dst.layout, dst.shape, dst.bytes) && src.bytes.is_some();
    if same && let Some(meeting) = logically(src, dst, apart) {
        return Some(meeting);
    }
    if same && is_injective(src.layout) { None } else { by_address(src, dst, element_bytes) }
}

/// An element of one buffer that both regions hold.
fn logically(src: &Placed<'_>, dst: &Placed<'_>, apart: &[Option<i64>]) -> Option<Overlap> {
    let mut meeting = Overlap { src: Vec::new(), dst: Vec::new() };
    for (dim, (&of_src, &of_dst)) in src.extent.iter().zip(dst.extent).enumerate() {
        let apart = apart.get(dim).copied().flatten()?;
        let (first_src, first_dst) = (apart.max(0), apart.checked_neg()?.max(0));
        if first_src >= of_src || first_dst >= of_dst {
            return None;
        }
        meeting.src.push(first_src);
        meeting.dst.push(first_dst);
    }
    Some(meeting)
}

/// Whether every element is known to have one address, which no other has. Dimensions and strides that are known only at run time
/// are taken to leave room.
///
/// ```
/// use tile_layout::Layout;
/// use tile_plan::problem::overlap::is_injective;
///
/// assert!(is_injective(&Layout::row_major(&[8, 8])));
/// assert!(is_injective(&Layout::parse("(8, 8) : (1@s0, 1)")?));
/// assert!(!is_injective(&Layout::parse("(8, 8) : (4, 1)")?));
/// # Ok::<(), tile_layout::LayoutError>(())
/// ```
pub fn is_injective(layout: &Layout) -> bool {
    layout.replica.iter().all(|iter| iter.extent == 1) && layout.places() == Places::Own
}

/// Elements of both regions that have the same address.
fn by_address(src: &Placed<'_>, dst: &Placed<'_>, element_bytes: i64) -> Option<Overlap> {
    let (from, to) = (AddressWalk::new(src)?, AddressWalk::new(dst)?);
    let distance = dst.bytes?.checked_sub(src.bytes?)?;
    // The distance in whole elements; a destination element that lies between two source elements touches both.
    let (whole, between) = (distance.div_euclid(element_bytes), distance.rem_euclid(element_bytes) != 0);
    let touched = |address: i64| [Some(address + whole), between.then_some(address + whole + 1)].into_iter().flatten();
    let (low, high) = from.reach();
    let (first, last) = to.reach();
    if last.checked_add(whole)?.checked_add(1)? < low || first.checked_add(whole)? > high || high - low >= LONGEST {
        return None;
    }
    let mut marks = vec![0u64; ((high - low) / 64 + 1) as usize];
    let bit = |address: i64| ((address - low) as usize / 64, 1u64 << ((address - low) % 64));
    from.each(|_, address| {
        let (word, mask) = bit(address);
        marks[word] |= mask;
        None::<()>
    });
    let is_marked = |address: &i64| {
        (low..=high).contains(address) && {
            let (word, mask) = bit(*address);
            marks[word] & mask != 0
        }
    };
    let (in_dst, hit) = to.each(|index, address| Some((index, touched(address).find(is_marked)?)))?;
    let in_src = from.each(|index, address| (address == hit).then_some(index))?;
    Some(Overlap { src: unravel(in_src, src.extent), dst: unravel(in_dst, dst.extent) })
}

/// Enumerates the addresses of a region with a known start.
struct AddressWalk<'l> {
    iters: &'l [Iter],
    replica: &'l [Iter],
    offset: i64,
    swizzle: Option<Swizzle>,
    shape: &'l [i64],
    begin: Vec<i64>,
    extent: &'l [i64],
    elements: i64,
}

impl<'l> AddressWalk<'l> {
    /// `None` for a region with an unknown start, outside its buffer, with more than [`MAX_ELEMENTS`] elements, or not in
    /// memory.
    fn new(placed: &Placed<'l>) -> Option<Self> {
        let layout = placed.layout;
        let begin = placed.begin.iter().copied().collect::<Option<Vec<_>>>()?;
        let copies = layout.replica.iter().map(|iter| iter.extent);
        let elements = placed.extent.iter().copied().chain(copies).try_fold(1i64, i64::checked_mul)?;
        let inside = begin.iter().zip(placed.extent).zip(placed.shape).all(|((&begin, &extent), &limit)| {
            begin >= 0 && extent >= 1 && begin.checked_add(extent).is_some_and(|end| end <= limit)
        });
        let in_memory = layout.axes().all(|axis| axis == Axis::Memory);
        (inside && in_memory && elements <= MAX_ELEMENTS && layout.validate().is_ok()).then(|| AddressWalk {
            iters: &layout.shard,
            replica: &layout.replica,
            offset: layout.offset_on(Axis::Memory),
            swizzle: layout.swizzle,
            shape: placed.shape,
            begin,
            extent: placed.extent,
            elements: placed.extent.iter().product(),
        })
    }

    /// The lowest and the highest address.
    fn reach(&self) -> (i64, i64) {
        let mut reach = (i64::MAX, i64::MIN);
        self.each(|_, address| {
            reach = (reach.0.min(address), reach.1.max(address));
            None::<()>
        });
        reach
    }

    /// Calls `visit` with each element's index in the region and each address of it, until it returns something.
    fn each<R>(&self, mut visit: impl FnMut(i64, i64) -> Option<R>) -> Option<R> {
        let copies: i64 = self.replica.iter().map(|iter| iter.extent).product();
        for index in 0..self.elements {
            let coordinates = unravel(index, self.extent);
            let inside = coordinates.iter().zip(&self.begin).zip(self.shape);
            let linear = inside.fold(0, |linear, ((at, begin), extent)| linear * extent + at + begin);
            let first = self.offset + position(self.iters, linear);
            for copy in 0..copies {
                let address = first + position(self.replica, copy);
                let address = self.swizzle.map_or(address, |swizzle| swizzle.apply(address));
                if let Some(answer) = visit(index, address) {
                    return Some(answer);
                }
            }
        }
        None
    }
}

/// The location of a linear index over the iters.
fn position(iters: &[Iter], mut linear: i64) -> i64 {
    iters.iter().rev().fold(0, |position, iter| {
        let digit = linear % iter.extent;
        linear /= iter.extent;
        position + digit * iter.stride
    })
}

/// The coordinates of an element by its row-major number.
pub(crate) fn unravel(mut index: i64, extent: &[i64]) -> Vec<i64> {
    let mut coordinates: Vec<i64> = extent
        .iter()
        .rev()
        .map(|extent| {
            let at = index % extent;
            index /= extent;
            at
        })
        .collect();
    coordinates.reverse();
    coordinates
}

/// Requires each element of the destination to have its own place: which of several would be stored last is undefined. All elements of a
/// reduction take effect.
///
/// # Errors
/// `destination-overlaps`, with two elements in one place.
pub(crate) fn check_one_place_each(problem: &Problem) -> Result<(), Refusal> {
    let is_reduced = matches!(problem.effect, Effect::Reduced(_));
    let Some(dst) = problem.operands.get(Role::Dst).filter(|_| !is_reduced) else { return Ok(()) };
    let Places::Shared(in_buffer) = dst.layout.places() else { return Ok(()) };
    // The region, or what a mask leaves of it, may have only one of these elements.
    let stored = stored(&dst.extent, problem.mask.as_ref());
    let begins = dst.begin.iter().map(|begin| match *begin {
        Begin::Const(begin) => begin.max(0),
        Begin::Dynamic { residue, .. } => residue,
    });
    let ranges: Vec<Range> = begins.zip(&stored).map(|(begin, &extent)| Range::new(begin, extent)).collect();
    let (shared, shape) = match dst.layout.slice(&dst.shape, &ranges).map(|region| region.places()) {
        Ok(Places::Shared(in_region)) => (in_region, &stored),
        Ok(_) => return Ok(()),
        Err(_) => (in_buffer, &dst.shape),
    };
    let elements = shared.elements.map(|element| at_coordinates(&unravel(element, shape)));
    let iters: Vec<String> = shared.iters.iter().map(Iter::to_string).collect();
    let noun = if iters.len() == 1 { "iter" } else { "iters" };
    let reason = format!(
        "the destination has several elements in one place, as {} ({noun} {}); needed one",
        elements.join(" and "),
        iters.join(" and ")
    );
    Err(Refusal::of(Role::Dst, "destination-overlaps", reason))
}

/// The elements of each dimension that a mask may leave, at least one: how many a run-time extent leaves is not known.
fn stored(extents: &[i64], mask: Option<&Mask>) -> Vec<i64> {
    let mut walked = 0;
    let each = extents.iter().map(|&extent| {
        let along = (extent != 1).then_some(walked);
        walked += usize::from(extent != 1);
        let limits =
            mask.iter().flat_map(|mask| mask.limits.iter().filter(|limit| limit.dimension == along && along.is_some()));
        limits.fold(extent, |stored, limit| match limit.extent {
            Begin::Const(end) if limit.scale == 1 => stored.min(end.max(1)),
            _ => 1,
        })
    });
    each.collect()
}

fn at_coordinates(coordinates: &[i64]) -> String {
    let numbers: Vec<String> = coordinates.iter().map(i64::to_string).collect();
    format!("({})", numbers.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const SHAPE: [i64; 2] = [6, 8];

    fn layouts() -> Vec<Layout> {
        let swizzle = Swizzle::new(1, 2, 2, true).unwrap();
        vec![
            Layout::row_major(&SHAPE),
            Layout::row_major(&SHAPE).with_swizzle(swizzle),
            Layout::new([Iter::memory(6, 1), Iter::memory(8, 6)]),
            Layout::new([Iter::memory(6, 10), Iter::memory(2, 1), Iter::memory(4, 2)]).with_offset(Axis::Memory, 3),
            Layout::new([Iter::memory(6, 4), Iter::memory(8, 1)]),
            Layout::new([Iter::memory(6, 8), Iter::memory(8, 1)]).with_replica([Iter::memory(2, 20)]),
        ]
    }

    fn placed<'l>(layout: &'l Layout, begin: [i64; 2], extent: &'l [i64; 2], bytes: i64) -> Placed<'l> {
        let begin = begin.map(Some).to_vec();
        Placed { layout, shape: &SHAPE, begin, extent, bytes: Some(bytes) }
    }

    /// The bytes of a region, by the layout's own formula.
    fn bytes(side: &Placed<'_>, at: Option<&[i64]>) -> BTreeSet<i64> {
        let mut found = BTreeSet::new();
        for index in 0..side.extent.iter().product() {
            let inner = unravel(index, side.extent);
            if at.is_some_and(|at| at != inner) {
                continue;
            }
            let plain = Layout { replica: Vec::new(), swizzle: None, ..side.layout.clone() };
            let coordinates: Vec<i64> = inner.iter().zip(&side.begin).map(|(at, begin)| at + begin.unwrap()).collect();
            let first = plain.apply(&coordinates, side.shape).unwrap()[&Axis::Memory];
            for copy in 0..side.layout.replica.iter().map(|iter| iter.extent).product() {
                let address = first + position(&side.layout.replica, copy);
                let address = side.layout.swizzle.map_or(address, |swizzle| swizzle.apply(address));
                found.extend((0..4).map(|byte| side.bytes.unwrap() + 4 * address + byte));
            }
        }
        found
    }

    #[test]
    fn exactly_the_regions_that_share_a_byte() {
        let begins = [[0, 0], [1, 2], [2, 0], [3, 3], [4, 4]];
        let extent = [2, 4];
        let mut overlapping = 0;
        for (a, b) in layouts().iter().flat_map(|a| layouts().into_iter().map(move |b| (a.clone(), b))) {
            for (from, to) in begins.into_iter().flat_map(|from| begins.map(|to| (from, to))) {
                for distance in [0, 2, 64, -20] {
                    let (src, dst) = (placed(&a, from, &extent, 100), placed(&b, to, &extent, 100 + distance));
                    let apart = [Some(to[0] - from[0]), Some(to[1] - from[1])];
                    let found = overlap(&src, &dst, &apart, 4);
                    let truth = !bytes(&src, None).is_disjoint(&bytes(&dst, None));
                    assert_eq!(found.is_some(), truth, "{a} {from:?}, {b} {to:?}, {distance}");
                    let Some(found) = found else { continue };
                    assert!(!bytes(&src, Some(&found.src)).is_disjoint(&bytes(&dst, Some(&found.dst))));
                    overlapping += 1;
                }
            }
        }
        assert!((1000..2500).contains(&overlapping), "{overlapping}");
    }

    #[test]
    fn known_distances_decide_where_begins_do_not() {
        let layout = Layout::row_major(&SHAPE);
        let extent = [2, 8];
        let at = |begin| Placed { begin: vec![begin, Some(0)], ..placed(&layout, [0, 0], &extent, 0) };
        let decide = |apart| overlap(&at(None), &at(None), &[apart, Some(0)], 4);
        assert_eq!(decide(Some(1)), Some(Overlap { src: vec![1, 0], dst: vec![0, 0] }));
        assert_eq!(decide(Some(-1)), Some(Overlap { src: vec![0, 0], dst: vec![1, 0] }));
        assert_eq!((decide(Some(2)), decide(None)), (None, None));
    }

    #[test]
    fn what_is_too_large_to_look_at_is_left_to_the_caller() {
        let shape = [1 << 20, 1 << 12];
        let (rows, columns) =
            (Layout::row_major(&shape), Layout::new([Iter::memory(1 << 20, 1), Iter::memory(1 << 12, 1 << 20)]));
        let whole = |layout| Placed { layout, shape: &shape, begin: vec![Some(0); 2], extent: &shape, bytes: Some(0) };
        assert_eq!(overlap(&whole(&rows), &whole(&columns), &[Some(0), Some(0)], 4), None);
        assert!(overlap(&whole(&rows), &whole(&rows), &[Some(0), Some(0)], 4).is_some());
    }
}
