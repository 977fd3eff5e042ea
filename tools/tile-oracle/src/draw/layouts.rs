//! Random layouts.

use super::Draft;
use crate::ast::{Scope, Space};
use crate::layout::{Axis, Digit, Layout, Swizzle};

impl Draft {
    /// Extents whose products are the dimensions, which are split at random.
    fn split(&mut self, shape: &[i64]) -> Vec<i64> {
        let mut extents = Vec::new();
        for &extent in shape {
            let mut rest = extent;
            for factor in [2, 4, 8, 3] {
                if self.rng.once_in(3) && rest % factor == 0 && rest > factor {
                    extents.push(factor);
                    rest /= factor;
                }
            }
            extents.push(rest);
        }
        extents
    }

    /// Strides that give every combination of digits a distinct address, the last in `order` fastest.
    fn strides(&mut self, extents: &[i64], order: &[usize], gaps: bool) -> (Vec<i64>, i64) {
        let mut strides = vec![0; extents.len()];
        let mut next = 1;
        for &at in order.iter().rev() {
            strides[at] = next;
            next *= extents[at];
            if gaps && self.rng.once_in(4) {
                next += *self.rng.one_of(&[1, 2, 4, 8, 8]);
            }
        }
        (strides, next)
    }

    /// A layout of memory: dense, by columns, in panels, padded, swizzled, with an offset, or reversed.
    pub(super) fn memory_layout(&mut self, shape: &[i64], space: Space) -> Layout {
        if self.rng.once_in(3) {
            return self.swizzled(Layout::row_major(shape), space);
        }
        let extents = if self.rng.once_in(2) { shape.to_vec() } else { self.split(shape) };
        let mut order: Vec<usize> = (0..extents.len()).collect();
        match self.rng.below(4) {
            0 => self.rng.shuffle(&mut order),
            1 => order.reverse(),
            _ => {}
        }
        let gaps = self.rng.once_in(3);
        let (strides, _) = self.strides(&extents, &order, gaps);
        let mut digits: Vec<Digit> =
            extents.iter().zip(strides).map(|(&extent, stride)| Digit::new(extent, stride, Axis::Memory)).collect();
        let mut offset = if self.rng.once_in(6) { *self.rng.one_of(&[1, 4, 8, 64]) } else { 0 };
        if self.rng.once_in(12) {
            let at = self.rng.below(digits.len() as i64) as usize;
            offset += (digits[at].extent - 1) * digits[at].stride;
            digits[at].stride = -digits[at].stride;
        }
        let offset = if offset == 0 { Vec::new() } else { vec![(Axis::Memory, offset)] };
        self.swizzled(Layout { digits, offset, ..Layout::default() }, space)
    }

    fn swizzled(&mut self, layout: Layout, space: Space) -> Layout {
        let often = if space == Space::Shared { 2 } else { 12 };
        if !self.rng.once_in(often) {
            return layout;
        }
        let keep = *self.rng.one_of(&[0, 1, 2, 3, 3, 4]);
        let bits = self.rng.below(4) as u32;
        let distance = *self.rng.one_of(&[3, 3, 3, 4]);
        Layout { swizzle: Some(Swizzle { keep, bits, distance }), ..layout }
    }

    /// A layout of registers for the threads of a scope.
    pub(super) fn register_layout(&mut self, shape: &[i64], scope: Scope) -> Layout {
        let extents = self.split(shape);
        let mut candidates: Vec<usize> = (0..extents.len()).collect();
        if self.rng.once_in(2) {
            self.rng.shuffle(&mut candidates);
        }
        let mut left = scope.threads(self.threads());
        // Occasionally narrower than the scope: then several warps hold the same elements.
        if scope > Scope::Warp && self.rng.once_in(5) {
            left = 32;
        }
        let threads = left;
        let (mut spread, mut kept) = (Vec::new(), Vec::new());
        for at in candidates {
            if extents[at] > 1 && left % extents[at] == 0 {
                left /= extents[at];
                spread.push(at);
            } else {
                kept.push(at);
            }
        }
        self.rng.shuffle(&mut spread);
        if self.rng.once_in(3) {
            self.rng.shuffle(&mut kept);
        } else {
            kept.sort_unstable();
        }
        // A replica is one of the digits over threads, at any position.
        let replicated = left > 1 && !self.rng.once_in(3);
        let mut all = extents.clone();
        all.push(if replicated { left } else { 1 });
        if replicated {
            let at = self.rng.below(spread.len() as i64 + 1) as usize;
            spread.insert(at, extents.len());
        }
        let (on_threads, _) = self.strides(&all, &spread, false);
        let gaps = self.rng.once_in(8);
        let (in_registers, _) = self.strides(&extents, &kept, gaps);
        let digits: Vec<Digit> = (0..extents.len())
            .map(|at| match spread.contains(&at) {
                true => Digit::new(extents[at], on_threads[at], Axis::Thread),
                false => Digit::new(extents[at], in_registers[at], Axis::Memory),
            })
            .collect();
        let replica =
            if replicated { vec![Digit::new(left, on_threads[extents.len()], Axis::Thread)] } else { Vec::new() };
        let mut layout = Layout { digits, replica, ..Layout::default() };
        if !replicated && left > 1 && self.rng.once_in(4) {
            // Some of the threads, from an offset on, hold it.
            let free = threads - threads / left;
            layout.offset.push((Axis::Thread, self.rng.below(free + 1)));
        }
        if self.rng.once_in(8) {
            layout.offset.push((Axis::Memory, *self.rng.one_of(&[1, 2, 4])));
        }
        self.named(layout, scope, threads)
    }

    /// Expresses threads on the axes of the scope: `laneid`, `tid_in_wg`, `tx`, or several of them.
    fn named(&mut self, layout: Layout, scope: Scope, threads: i64) -> Layout {
        let axis = match scope {
            _ if threads <= 32 && scope != Scope::Cta => Axis::Lane,
            Scope::Cta if threads == 32 && self.threads() > 32 => Axis::Lane,
            Scope::Warpgroup => Axis::ThreadInGroup,
            _ => Axis::Thread,
        };
        let several = match axis {
            Axis::ThreadInGroup => Some(Axis::WarpInGroup),
            Axis::Thread if self.threads() % 32 == 0 => Some(Axis::Warp),
            _ => None,
        };
        let parts = several.filter(|_| self.rng.once_in(2));
        let rename = |digit: &Digit| match (digit.axis, parts) {
            (Axis::Memory, _) => Some(vec![*digit]),
            (_, None) => Some(vec![Digit { axis, ..*digit }]),
            (_, Some(warps)) => in_warps(*digit, warps),
        };
        let all = |digits: &[Digit]| digits.iter().map(rename).collect::<Option<Vec<_>>>().map(|parts| parts.concat());
        let on = |(at, value): (Axis, i64)| if at == Axis::Memory { (at, value) } else { (axis, value) };
        let whole = |layout: &Layout| {
            let digits = layout.digits.iter().map(|digit| match digit.axis {
                Axis::Memory => *digit,
                _ => Digit { axis, ..*digit },
            });
            let replica = layout.replica.iter().map(|digit| Digit { axis, ..*digit });
            let offset = layout.offset.iter().copied().map(on);
            Layout { digits: digits.collect(), replica: replica.collect(), offset: offset.collect(), swizzle: None }
        };
        let offset_on_threads = layout.offset.iter().any(|(at, _)| *at != Axis::Memory);
        match (all(&layout.digits), all(&layout.replica)) {
            (Some(digits), Some(replica)) if !offset_on_threads => {
                Layout { digits, replica, offset: layout.offset, swizzle: None }
            }
            _ => whole(&layout),
        }
    }

    /// Fragments of 8x8 matrices: 4 lanes along a row, two elements each.
    pub(super) fn fragment_layout(&mut self, tile: &[i64], scope: Scope) -> Layout {
        let warps = scope.threads(self.threads()) / 32;
        let (down, across) = (tile[0] / 8 / warps, tile[1] / 8);
        let by_rows = self.rng.once_in(2);
        let (down_stride, across_stride) = if by_rows { (2 * across, 2) } else { (2, 2 * down) };
        let warp = match scope {
            Scope::Warpgroup => Axis::WarpInGroup,
            _ => Axis::Warp,
        };
        let digits = [
            Digit::new(warps, 1, warp),
            Digit::new(down, down_stride, Axis::Memory),
            Digit::new(8, 4, Axis::Lane),
            Digit::new(across, across_stride, Axis::Memory),
            Digit::new(4, 1, Axis::Lane),
            Digit::new(2, 1, Axis::Memory),
        ];
        let digits = digits.into_iter().filter(|digit| digit.extent != 1).collect();
        Layout { digits, ..Layout::default() }
    }
}

/// A digit of the thread's number as one of lanes, or one of warps; as both if it crosses warps.
fn in_warps(digit: Digit, warps: Axis) -> Option<Vec<Digit>> {
    let end = digit.extent * digit.stride;
    if end <= 32 {
        return Some(vec![Digit { axis: Axis::Lane, ..digit }]);
    }
    if digit.stride % 32 == 0 {
        return Some(vec![Digit::new(digit.extent, digit.stride / 32, warps)]);
    }
    let inside = 32 / digit.stride;
    let crosses = 32 % digit.stride == 0 && digit.extent % inside == 0;
    crosses.then(|| vec![Digit::new(digit.extent / inside, 1, warps), Digit::new(inside, digit.stride, Axis::Lane)])
}
