//! The location of an element: the one formula for addresses.
//!
//! ```text
//!   coordinate  --split-->  digits  --x stride-->  sum per axis  --+ offset-->  --swizzle-->  location
//! ```
//!
//! This is the location of the first copy; each combination of replica digits adds to it.
//! Coordinates are trusted to be inside the shape: the slowest digit is not reduced modulo its extent, and
//! digits of extent 1 are taken to be 0, so that little code is emitted.

use std::collections::BTreeMap;

use crate::canonical::fuse_adjacent;
use crate::{Axis, Eval, IndexArith, Iter, Layout, LayoutError, Swizzle};

/// One value per axis that the layout names.
pub type Location<V> = BTreeMap<Axis, V>;

/// A number of steps along an axis: one summand of an address.
#[derive(Clone, Debug)]
pub struct AddressStep<V> {
    /// Positions per step.
    pub stride: i64,
    /// The axis.
    pub axis: Axis,
    /// The number of steps.
    pub digit: V,
    /// What is known to divide the number of steps, where it is a run-time number of the operand, which loops may change;
    /// `None` for one that the threads and the rounds of a copy give.
    pub divisor: Option<i64>,
}

impl<V> AddressStep<V> {
    /// A number of steps that the threads and the rounds of a copy give.
    pub fn new(stride: i64, axis: Axis, digit: V) -> Self {
        AddressStep { stride, axis, digit, divisor: None }
    }
}

impl Layout {
    /// The location of logical element `linear` (row-major over the shard).
    ///
    /// Fragment `(8, 4, 2) : (4@laneid, 1@laneid, 1)`: element 29 is in lane 14, register 1.
    pub fn locate_linear<A: IndexArith>(&self, a: &mut A, linear: A::Value) -> Location<A::Value> {
        let mut terms = AxisTerms::default();
        add_digits(a, &fuse_adjacent(&self.shard), linear, &mut terms);
        self.finish(a, terms)
    }

    /// The memory address, in elements, of some steps: their sum plus the layout's offset, after its swizzle. `strides`
    /// are the run-time strides that the stride axes step by. The layout's own iters are ignored, and so are steps on
    /// axes that do not move the address.
    ///
    /// A swizzle repeats after its period, so constants and run-time numbers that move by whole periods are added behind it.
    /// What remains inside is often the same in all iterations of a loop, and is then computed before it:
    ///
    /// ```text
    ///   swizzle<base = 3, bits = 2, shift = 3>, period 256      stage * 2048 + 528 + lane * 32  =  stage * 2048 + 512 + swizzled(16 + lane * 32)
    /// ```
    ///
    /// # Errors
    /// The first stride axis without a stride.
    pub fn address_of<A: IndexArith>(
        &self,
        a: &mut A,
        terms: impl IntoIterator<Item = AddressStep<A::Value>>,
        strides: &[A::Value],
    ) -> Result<A::Value, Axis> {
        let period = self.swizzle.filter(|swizzle| swizzle.len > 0 && swizzle.validate().is_ok()).map(Swizzle::period);
        let (mut address, mut steps, mut periods) = (Vec::new(), Vec::new(), Vec::new());
        for AddressStep { stride, axis, digit, divisor } in terms.into_iter().filter(|step| step.stride != 0) {
            let divisor = divisor.or_else(|| a.is_constant(&digit).then_some(1));
            let whole =
                period.zip(divisor).is_some_and(|(period, divisor)| stride.saturating_mul(divisor) % period == 0);
            let moved = a.scale(digit, stride);
            match axis {
                Axis::Memory if whole => periods.push(moved),
                Axis::Memory => address.push(moved),
                _ => steps.push((axis, moved)),
            }
        }
        let on_strides = !steps.is_empty() || self.offset.keys().any(|axis| axis.stride_index().is_some());
        for (index, axis) in Axis::STRIDES.into_iter().enumerate().filter(|_| on_strides) {
            let offset = self.offset_on(axis);
            if offset == 0 && !steps.iter().any(|(moved, _)| *moved == axis) {
                continue;
            }
            let stride = strides.get(index).cloned().ok_or(axis)?;
            let steps = steps.iter().filter(|(moved, _)| *moved == axis);
            address.extend(steps.map(|(_, step)| a.mul(step.clone(), stride.clone())));
            if offset != 0 {
                address.push(a.scale(stride, offset));
            }
        }
        let offset = self.offset_on(Axis::Memory);
        let Some((swizzle, period)) = self.swizzle.zip(period) else { return Ok(a.sum(address, offset)) };
        let rest = offset.rem_euclid(period);
        let inside = a.sum(address, rest);
        let inside = swizzle.apply_with(a, inside);
        let periods = a.sum(periods, offset - rest);
        let periods = a.last(periods);
        Ok(a.add(inside, periods))
    }

    /// The location at a coordinate in `shape`.
    ///
    /// Where the layout can be grouped by the shape, each coordinate is split within its own group of iters;
    /// otherwise the coordinates are first joined to a linear index. Both give the same location.
    ///
    /// # Errors
    /// [`LayoutError::Count`] when there are more or fewer coordinates than dimensions;
    /// [`LayoutError::SizeMismatch`] when the shape has another number of elements; and whatever makes the layout
    /// itself malformed.
    pub fn locate<A: IndexArith>(
        &self,
        a: &mut A,
        coords: &[A::Value],
        shape: &[i64],
    ) -> Result<Location<A::Value>, LayoutError> {
        expect_count("coordinates", coords.len(), shape.len())?;
        self.expect_shape(shape)?;
        let Ok((grouped, seps)) = self.group(shape) else {
            let linear = flatten(a, coords, shape);
            return Ok(self.locate_linear(a, linear));
        };
        let mut terms = AxisTerms::default();
        for (coord, ends) in coords.iter().zip(seps.windows(2)) {
            let block = grouped.shard.get(ends[0]..ends[1]).unwrap_or_default();
            add_digits(a, &fuse_adjacent(block), coord.clone(), &mut terms);
        }
        Ok(self.finish(a, terms))
    }

    /// [`Layout::locate_linear`] on a number.
    pub fn apply_linear(&self, linear: i64) -> Location<i64> {
        self.locate_linear(&mut Eval, linear)
    }

    /// The coordinate on one axis of every element, in their row-major order: what [`Layout::apply_linear`] has there, 0 where the layout
    /// does not name the axis.
    ///
    /// ```
    /// use tile_layout::{Axis, Layout};
    /// let layout = Layout::parse("(2, 3) : (1, 4) + 8")?;
    /// assert_eq!(layout.places_on(Axis::Memory), [8, 12, 16, 9, 13, 17]);
    /// # Ok::<(), tile_layout::LayoutError>(())
    /// ```
    pub fn places_on(&self, axis: Axis) -> Vec<i64> {
        let mut places = vec![self.offset_on(axis)];
        for iter in &self.shard {
            let stride = if iter.axis == axis { iter.stride } else { 0 };
            let steps = |&before: &i64| (0..iter.extent).map(move |at| before.wrapping_add(at.wrapping_mul(stride)));
            places = places.iter().flat_map(steps).collect();
        }
        if let Some(swizzle) = self.swizzle.filter(|_| axis == Axis::Memory) {
            places.iter_mut().for_each(|address| *address = swizzle.apply(*address));
        }
        places
    }

    /// [`Layout::locate`] on numbers.
    ///
    /// # Errors
    /// As [`Layout::locate`].
    pub fn apply(&self, coords: &[i64], shape: &[i64]) -> Result<Location<i64>, LayoutError> {
        self.locate(&mut Eval, coords, shape)
    }

    /// Adds the offsets and applies the swizzle. Every axis that the layout names gets a value.
    fn finish<A: IndexArith>(&self, a: &mut A, mut terms: AxisTerms<A::Value>) -> Location<A::Value> {
        let mut location: Location<A::Value> = self
            .axes()
            .map(|axis| (axis, a.sum(terms.0.remove(&axis).unwrap_or_default(), self.offset_on(axis))))
            .collect();
        if let Some(swizzle) = self.swizzle {
            let address = location.remove(&Axis::Memory).unwrap_or_else(|| a.constant(0));
            location.insert(Axis::Memory, swizzle.apply_with(a, address));
        }
        location
    }
}

/// Summands per axis.
struct AxisTerms<V>(BTreeMap<Axis, Vec<V>>);

impl<V> Default for AxisTerms<V> {
    fn default() -> Self {
        AxisTerms(BTreeMap::new())
    }
}

impl<V: Clone> AxisTerms<V> {
    fn add<A: IndexArith<Value = V>>(&mut self, a: &mut A, iter: &Iter, digit: V) {
        if iter.extent != 1 && iter.stride != 0 {
            let term = a.scale(digit, iter.stride);
            self.0.entry(iter.axis).or_default().push(term);
        }
    }
}

/// Splits `value` into the digits of `iters` and adds their terms; digits that change nothing are not computed.
fn add_digits<A: IndexArith>(a: &mut A, iters: &[Iter], value: A::Value, terms: &mut AxisTerms<A::Value>) {
    let mut inside = 1i64;
    let slowest = iters.iter().position(|iter| iter.extent != 1).unwrap_or(0);
    for (position, iter) in iters.iter().enumerate().rev() {
        if iter.extent != 1 && iter.stride != 0 {
            let mut digit = value.clone();
            if inside != 1 {
                let inside = a.constant(inside);
                digit = a.div(digit, inside);
            }
            if position != slowest {
                let extent = a.constant(iter.extent);
                digit = a.rem(digit, extent);
            }
            terms.add(a, iter, digit);
        }
        inside = inside.saturating_mul(iter.extent);
    }
}

/// Row-major index of a coordinate.
fn flatten<A: IndexArith>(a: &mut A, coords: &[A::Value], shape: &[i64]) -> A::Value {
    let mut inside = 1i64;
    let mut terms = Vec::new();
    for (coord, &extent) in coords.iter().zip(shape).rev() {
        if extent != 1 {
            terms.push(a.scale(coord.clone(), inside));
        }
        inside = inside.saturating_mul(extent);
    }
    a.sum(terms, 0)
}

/// Refuses a list of the wrong length.
pub(crate) fn expect_count(what: &'static str, got: usize, expected: usize) -> Result<(), LayoutError> {
    if got == expected { Ok(()) } else { Err(LayoutError::Count { what, got, expected }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Axis::{LaneId, Memory};
    use crate::Swizzle;

    fn fragment() -> Layout {
        Layout::new([Iter::new(8, 4, LaneId), Iter::new(4, 1, LaneId), Iter::memory(2, 1)])
    }

    #[test]
    fn three_ways_to_one_place() {
        let place = Location::from([(LaneId, 14), (Memory, 1)]);
        assert_eq!(fragment().apply(&[3, 2, 1], &[8, 4, 2]), Ok(place.clone()));
        assert_eq!(fragment().apply_linear(29), place);
        assert_eq!(fragment().apply(&[3, 5], &[8, 8]), Ok(place));
        assert_eq!((fragment().size(), fragment().memory_span(), fragment().span(LaneId)), (64, 2, 32));
    }

    #[test]
    fn offsets_and_replicas() {
        let layout = Layout::row_major(&[2, 3]).with_replica([Iter::memory(2, 8)]).with_offset(Memory, 16);
        assert_eq!(layout.apply(&[1, 2], &[2, 3]), Ok(Location::from([(Memory, 21)])));
        assert_eq!((layout.size(), layout.memory_span()), (6, 30));
        assert_eq!(Layout::row_major(&[4, 8]).apply_linear(19), Location::from([(Memory, 19)]));
    }

    #[test]
    fn swizzle_sees_the_complete_address() {
        let swizzle = Swizzle::new(3, 3, 3, true).unwrap();
        let layout = Layout::row_major(&[8, 64]).with_swizzle(swizzle);
        assert_eq!(layout.apply(&[5, 19], &[8, 64]), Ok(Location::from([(Memory, 379)])));
        let shifted = Layout::row_major(&[8, 64]).with_offset(Memory, 64).with_swizzle(swizzle);
        assert_eq!(shifted.apply(&[0, 0], &[8, 64]), Ok(Location::from([(Memory, 72)])));
    }

    #[test]
    fn all_places_are_those_of_each() {
        let swizzle = Swizzle::new(1, 2, 3, true).unwrap();
        let rows = Layout::new([Iter::memory(4, 1), Iter::memory(16, 4)]).with_offset(Memory, 8).with_swizzle(swizzle);
        for layout in [fragment(), rows, Layout::row_major(&[3, 5])] {
            for axis in [Memory, LaneId] {
                let each =
                    (0..layout.size()).map(|linear| layout.apply_linear(linear).get(&axis).copied().unwrap_or(0));
                assert_eq!(layout.places_on(axis), each.collect::<Vec<_>>(), "{layout} {axis:?}");
            }
        }
    }

    #[test]
    fn shapes_must_fit() {
        assert!(matches!(fragment().apply(&[1], &[8, 8]), Err(LayoutError::Count { got: 1, expected: 2, .. })));
        assert!(matches!(fragment().apply(&[1], &[32]), Err(LayoutError::SizeMismatch { got: 32, expected: 64 })));
        assert_eq!(Layout::row_major(&[4, 6]).apply(&[1, 1], &[3, 8]), Ok(Location::from([(Memory, 9)])));
    }
}
