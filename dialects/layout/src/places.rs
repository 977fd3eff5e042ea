//! Whether each element of a layout has a place of its own.
//!
//! ```text
//!   (8, 64) : (60, 1)       (0, 60) and (1, 0) are both at 60
//!   (3, 2) : (2, 3)         0 3 2 5 4 7: each its own, although 3 is less than the 4 that the other iter reaches
//! ```
//!
//! An iter moves on one axis only, so two elements share a place where the digits of one axis do: where some multiples of its strides,
//! each less than the extent, add up to 0. A swizzle permutes addresses and changes nothing.

use crate::{Axis, Iter, Layout, OPEN, gcd};

/// The places of a layout's elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Places {
    /// Each element has its own, whatever run-time strides are. An open iter is taken to leave room for the others.
    Own,
    /// Two elements share one.
    Shared(SharedPlace),
    /// Too many sums would have to be compared.
    Undecided,
}

/// Two elements in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedPlace {
    /// The iters in which they differ.
    pub iters: Vec<Iter>,
    /// Their numbers, counted over the iters of the layout, in order.
    pub elements: [i64; 2],
}

/// The most sums that are compared on an axis. Strides that leave room for all faster iters need one for each iter.
const MAX_SUMS: usize = 1 << 14;

impl Layout {
    /// Whether each element has a place of its own, its copies included.
    ///
    /// ```
    /// use tile_layout::{Layout, Places};
    ///
    /// let places = |text: &str| Layout::parse(text).unwrap().places();
    /// assert_eq!(places("(3, 2) : (2, 3)"), Places::Own);
    /// let Places::Shared(shared) = places("(8, 64) : (60, 1)") else { panic!() };
    /// assert_eq!(shared.elements, [60, 64]);
    /// ```
    pub fn places(&self) -> Places {
        let on_axes = self.axes().map(|axis| self.shared_on(axis));
        let shared = on_axes.filter(|places| *places != Places::Own);
        shared.reduce(|one, other| if matches!(one, Places::Shared(_)) { one } else { other }).unwrap_or(Places::Own)
    }

    fn shared_on(&self, axis: Axis) -> Places {
        let all = self.shard.iter().chain(&self.replica).enumerate();
        let moving = all.filter(|(_, iter)| iter.axis == axis && iter.extent != 1 && iter.extent != OPEN);
        let mut steps: Vec<AxisIter> =
            moving.map(|(number, &iter)| AxisIter { iter, number, is_copy: number >= self.shard.len() }).collect();
        steps.sort_by_key(|step| step.iter.stride.unsigned_abs());
        let mut search = Search { below: below(&steps), steps, taken: vec![0; self.shard.len()], left: MAX_SUMS };
        match search.reaches_zero(search.steps.len(), 0) {
            _ if search.left == 0 => Places::Undecided,
            false => Places::Own,
            true => Places::Shared(self.shared(&search.taken)),
        }
    }

    /// The elements whose digits differ by these numbers.
    fn shared(&self, differences: &[i64]) -> SharedPlace {
        let differing = self.shard.iter().zip(differences).filter(|(_, difference)| **difference != 0);
        let number = |sign: i64| {
            let digits = self.shard.iter().zip(differences);
            digits.fold(0i64, |number, (iter, difference)| {
                let extent = if iter.extent == OPEN { 1 } else { iter.extent };
                number.saturating_mul(extent).saturating_add((sign * difference).max(0))
            })
        };
        let (one, other) = (number(1), number(-1));
        let elements = [one.min(other), one.max(other)];
        SharedPlace { iters: differing.map(|(iter, _)| *iter).collect(), elements }
    }
}

/// An iter of the axis, by its number among those of the layout.
#[derive(Clone, Copy, Debug)]
struct AxisIter {
    iter: Iter,
    number: usize,
    /// Whether it counts copies of an element, which may be in one place.
    is_copy: bool,
}

/// The largest sum of the first so many steps, and what every sum of them is a multiple of.
fn below(steps: &[AxisIter]) -> Vec<(i128, i128)> {
    let mut below = vec![(0i128, 0i64)];
    for AxisIter { iter, .. } in steps {
        let (reach, divisor) = below[below.len() - 1];
        let last = (i128::from(iter.extent) - 1) * i128::from(iter.stride.unsigned_abs());
        below.push((reach.saturating_add(last), gcd(divisor, iter.stride)));
    }
    below.into_iter().map(|(reach, divisor)| (reach, i128::from(divisor))).collect()
}

/// The search for differences of digits that move nothing.
struct Search {
    /// From the smallest stride on.
    steps: Vec<AxisIter>,
    /// By the number of steps: what these reach.
    below: Vec<(i128, i128)>,
    /// The differences of the elements' digits.
    taken: Vec<i64>,
    /// Sums that may still be compared.
    left: usize,
}

impl Search {
    /// Whether differences of the first `count` steps, not all of them zero, add up to `-rest`.
    fn reaches_zero(&mut self, count: usize, rest: i128) -> bool {
        self.left = self.left.saturating_sub(1);
        let Some(at) = count.checked_sub(1) else { return rest == 0 && self.taken.iter().any(|digit| *digit != 0) };
        let AxisIter { iter, number, is_copy } = self.steps[at];
        let (reach, divisor) = self.below[at];
        let stride = i128::from(iter.stride);
        let candidates = match stride {
            0 => i128::from(!is_copy)..=i128::from(!is_copy),
            _ => {
                let (size, last) = (stride.abs(), i128::from(iter.extent) - 1);
                let low = (-reach - rest * stride.signum() + size - 1).div_euclid(size);
                let high = (reach - rest * stride.signum()).div_euclid(size);
                low.max(-last)..=high.min(last)
            }
        };
        for difference in candidates {
            let sum = rest + difference * stride;
            let is_reached = if divisor == 0 { sum == 0 } else { sum % divisor == 0 };
            if !is_reached {
                continue;
            }
            if !is_copy {
                self.taken[number] = difference as i64;
            }
            if self.left == 0 || self.reaches_zero(at, sum) {
                return true;
            }
        }
        if !is_copy {
            self.taken[number] = 0;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// The elements at each place of an axis.
    fn by_enumeration(layout: &Layout) -> bool {
        let mut holders: BTreeMap<i64, i64> = BTreeMap::new();
        let spread = |iters: &[Iter]| {
            iters.iter().fold(vec![0], |sums, iter| {
                sums.iter()
                    .flat_map(|sum| (0..iter.extent).map(move |digit| sum + digit * iter.stride))
                    .collect::<Vec<_>>()
            })
        };
        let copies = spread(&layout.replica);
        let all = (0i64..).zip(spread(&layout.shard));
        all.flat_map(|(element, place)| copies.iter().map(move |copy| (element, place + copy)))
            .all(|(element, place)| *holders.entry(place).or_insert(element) == element)
    }

    #[test]
    fn as_by_enumeration() {
        let (mut owned, mut shared) = (0, 0);
        let strides = [0, 1, 2, 3, 4, 6, 9, -1, -6];
        for number in 0..strides.len().pow(3) {
            let [a, b, c] = [1, 9, 81].map(|unit| strides[number / unit % strides.len()]);
            for extents in [[2, 3, 4], [3, 2, 2], [4, 1, 6]] {
                for copies in [None, Some(Iter::memory(2, 12)), Some(Iter::memory(2, 0))] {
                    let iters = [Iter::memory(extents[0], a), Iter::memory(extents[1], b), Iter::memory(extents[2], c)];
                    let layout = Layout::new(iters).with_replica(copies.into_iter().collect::<Vec<_>>());
                    match layout.places() {
                        Places::Own => owned += 1,
                        Places::Shared(SharedPlace { elements: [one, other], .. }) => {
                            let copies = Layout { replica: Vec::new(), ..layout.clone() };
                            assert_ne!(one, other, "{layout}");
                            assert!(
                                (0..copies.size()).contains(&one) && (0..copies.size()).contains(&other),
                                "{layout}"
                            );
                            shared += 1;
                        }
                        Places::Undecided => panic!("{layout} is small"),
                    }
                    assert_eq!(layout.places() == Places::Own, by_enumeration(&layout), "{layout}");
                }
            }
        }
        assert!(owned > 300 && shared > 1000, "{owned} and {shared}");
    }

    #[test]
    fn axes_do_not_meet() {
        let owns = |text: &str| Layout::parse(text).unwrap().places() == Places::Own;
        assert!(
            owns("(8, 2, 32) : (2, 1, 1@tx)") && owns("(8, 64) : (1@s0, 1)") && owns("(1024, 1024) : (1@s0, 1@s1)")
        );
        assert!(!owns("(8, 2, 32) : (1, 1, 1@tx)") && !owns("(8, 64) : (1@s0, 1@s0)"));
        // A copy in the place of another element, and one in the place of the same.
        assert!(!owns("(8) : (1) + R(2 : 4)") && owns("(8) : (1) + R(2 : 8)"));
    }

    #[test]
    fn sizes_do_not_matter() {
        let large = |stride| Layout::new([Iter::memory(1 << 30, stride), Iter::memory(1 << 30, 1)]).places();
        assert_eq!(large(1 << 30), Places::Own);
        assert!(matches!(large((1 << 30) - 1), Places::Shared(_)));
        let close = |number: i64| Iter::memory(2, (1 << 30) + (number * number * 7919) % 104_729);
        let hard = Layout::new((0..24).map(close).collect::<Vec<_>>());
        assert_ne!(hard.places(), Places::Own);
    }
}
