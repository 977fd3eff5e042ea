//! Conditions for a layout to be well-formed, and the sizes that follow from it.

use crate::{Axis, Iter, Layout, LayoutError, Range, Swizzle};

/// Sizes and addresses stay below this, so that sums of two of them never overflow.
const LIMIT: i128 = 1 << 62;

impl Layout {
    /// Checks that the layout is well-formed, which all other operations of this crate may rely on.
    ///
    /// Extents are at least 1, sizes and addresses fit 62 bits, no address is negative, a swizzle is well-formed and
    /// only the memory axis is used with it, and the thread axes form one chain (see [`Layout::scopes`]).
    ///
    /// # Errors
    /// The first of these that does not hold.
    pub fn validate(&self) -> Result<(), LayoutError> {
        self.check_numbers()?;
        self.scopes().map(drop)
    }

    /// [`Layout::validate`] without the check of thread axes: the operations of this crate need no more, and a part of
    /// a layout (one group, one slice) may well lack a level of the hierarchy.
    pub(crate) fn check_numbers(&self) -> Result<(), LayoutError> {
        check_extents(&self.shard)?;
        check_extents(&self.replica)?;
        count("size", self.shard.iter().map(|iter| iter.extent))?;
        count("number of copies", self.replica.iter().map(|iter| iter.extent))?;
        for axis in self.axes() {
            let (lowest, highest) = self.reach(axis);
            if highest >= LIMIT || lowest <= -LIMIT {
                let got = if highest >= LIMIT { highest } else { lowest };
                return Err(LayoutError::TooLarge { what: "address", got: got.to_string() });
            }
            if lowest < 0 {
                return Err(LayoutError::NegativeAddress { axis, lowest: narrow(lowest) });
            }
        }
        self.check_swizzle()
    }

    fn check_swizzle(&self) -> Result<(), LayoutError> {
        let Some(swizzle) = self.swizzle else { return Ok(()) };
        swizzle.validate()?;
        match self.axes().find(|&axis| axis != Axis::Memory) {
            Some(axis) => Err(LayoutError::SwizzleOnAxis { axis }),
            None => Ok(()),
        }
    }

    /// Every axis that the shard, the replica or the offset names, once, in the order of axes.
    pub fn axes(&self) -> impl Iterator<Item = Axis> + use<> {
        let iters = self.shard.iter().chain(&self.replica).map(|iter| iter.axis);
        let named = iters.chain(self.offset.keys().copied()).fold(0u64, |named, axis| named | (1 << axis.code()));
        Axis::ALL.into_iter().filter(move |axis| (named >> axis.code()) & 1 == 1)
    }

    /// Lowest and highest position on an axis, before the swizzle. Saturates.
    fn reach(&self, axis: Axis) -> (i128, i128) {
        let offset = i128::from(self.offset_on(axis));
        let iters = self.shard.iter().chain(&self.replica).filter(|iter| iter.axis == axis);
        iters.fold((offset, offset), |(lowest, highest), iter| {
            let last = (i128::from(iter.extent) - 1) * i128::from(iter.stride);
            (lowest.saturating_add(last.min(0)), highest.saturating_add(last.max(0)))
        })
    }

    /// Positions from 0 to the highest reached on `axis`, replica and offset included, before the swizzle;
    /// 1 on an axis that the layout does not use.
    ///
    /// `(2, 3) : (3, 1) + R(2 : 8) + 16` reaches 29 and has the memory span 30. Saturates on a layout that is not
    /// valid.
    pub fn span(&self, axis: Axis) -> i64 {
        narrow(self.reach(axis).1.saturating_add(1))
    }

    /// Elements to allocate on the memory axis: one more than the highest address, after the swizzle.
    ///
    /// `(10, 24) : (64, 1)` under `swizzle<base = 3, bits = 2, shift = 3>` has the span 600; row 9 starts at 576, its first chunk of 8 moves
    /// to 584 and the last to 600, so 608 elements are needed. Where the swizzle exchanges elements within blocks of
    /// more than 65536, the span is rounded up to whole blocks.
    pub fn memory_span(&self) -> i64 {
        let span = self.span(Axis::Memory);
        match self.swizzle {
            Some(swizzle) if span > swizzle.identity_below() => self.swizzled_span(span, swizzle),
            _ => span,
        }
    }

    /// The span after the swizzle, given the span before it.
    fn swizzled_span(&self, span: i64, swizzle: Swizzle) -> i64 {
        let (last, block) = (span - 1, swizzle.block());
        if span % block == 0 && self.is_dense(span) {
            return span;
        }
        // Addresses stay within their block, so the highest one comes from the highest block.
        let within = last % block;
        let memory = self.shard.iter().chain(&self.replica).filter(|iter| iter.axis == Axis::Memory);
        match below_last(memory, within) {
            Some(distances) => {
                let highest = distances.into_iter().map(|distance| swizzle.apply(last - distance)).max();
                highest.unwrap_or(last).saturating_add(1)
            }
            None => narrow((i128::from(last / block) + 1) * i128::from(block)),
        }
    }

    /// Whether memory iters that continue each other reach every position below `span`.
    fn is_dense(&self, span: i64) -> bool {
        let mut inside = 1i64;
        while inside < span {
            let continued = |iter: &&Iter| iter.axis == Axis::Memory && iter.extent > 1 && iter.stride == inside;
            let Some(iter) = self.shard.iter().find(continued) else { return false };
            inside = inside.saturating_mul(iter.extent);
        }
        inside == span
    }

    /// Refuses a shape that is malformed or differs from this layout in the number of elements, and a malformed layout.
    pub(crate) fn expect_shape(&self, shape: &[i64]) -> Result<(), LayoutError> {
        self.check_numbers()?;
        let got = shape_size(shape)?;
        let expected = self.size();
        if got == expected { Ok(()) } else { Err(LayoutError::SizeMismatch { got, expected }) }
    }
}

/// Number of elements of a shape.
///
/// # Errors
/// An extent below 1, or a number that does not fit 62 bits.
pub fn shape_size(shape: &[i64]) -> Result<i64, LayoutError> {
    if let Some(dim) = shape.iter().position(|&extent| extent < 1) {
        return Err(LayoutError::BadShape { dim, extent: shape[dim] });
    }
    count("size", shape.iter().copied())
}

/// Refuses a region that is not inside its shape.
pub(crate) fn check_region(shape: &[i64], region: &[Range]) -> Result<(), LayoutError> {
    crate::address::expect_count("ranges", region.len(), shape.len())?;
    for (dim, (&limit, &Range { begin, extent })) in shape.iter().zip(region).enumerate() {
        if begin < 0 || extent < 1 || begin.checked_add(extent).is_none_or(|end| end > limit) {
            return Err(LayoutError::OutOfBounds { dim, begin, extent, limit });
        }
    }
    Ok(())
}

/// The product of some extents, all at least 1.
fn count(what: &'static str, extents: impl Iterator<Item = i64> + Clone) -> Result<i64, LayoutError> {
    extents
        .clone()
        .try_fold(1i64, |product, extent| product.checked_mul(extent))
        .filter(|&product| i128::from(product) < LIMIT)
        .ok_or_else(|| {
            let factors = extents.filter(|&extent| extent != 1).map(|extent| extent.to_string());
            LayoutError::TooLarge { what, got: factors.collect::<Vec<_>>().join(" * ") }
        })
}

fn check_extents(iters: &[Iter]) -> Result<(), LayoutError> {
    match iters.iter().position(|iter| iter.extent < 1) {
        Some(iter) => Err(LayoutError::BadExtent { iter, extent: iters[iter].extent }),
        None => Ok(()),
    }
}

/// A checked product, in an operation whose operands are valid but whose result may not be.
pub(crate) fn product(a: i64, b: i64) -> Result<i64, LayoutError> {
    a.checked_mul(b).ok_or_else(|| LayoutError::TooLarge { what: "stride", got: format!("{a} * {b}") })
}

/// A checked sum, likewise.
pub(crate) fn sum(a: i64, b: i64) -> Result<i64, LayoutError> {
    a.checked_add(b).ok_or_else(|| LayoutError::TooLarge { what: "offset", got: format!("{a} + {b}") })
}

/// The distances of positions below the highest one, up to `most`; `None` where that is too many to enumerate.
fn below_last<'a>(iters: impl Iterator<Item = &'a Iter>, most: i64) -> Option<Vec<i64>> {
    const ENUMERATED: i64 = 1 << 16;
    let places = usize::try_from(most.checked_add(1).filter(|&places| places <= ENUMERATED)?).ok()?;
    let mut reached = vec![false; places];
    reached[0] = true;
    for iter in iters {
        let Ok(stride @ 1..) = usize::try_from(iter.stride.unsigned_abs()) else { continue };
        // One iter steps down up to `steps` times: runs of positions `stride` apart, each `steps` long after its start.
        let steps = usize::try_from(iter.extent.saturating_sub(1)).unwrap_or(usize::MAX);
        for first in 0..stride.min(places) {
            let mut left = 0;
            for place in (first..places).step_by(stride) {
                (left, reached[place]) = match (reached[place], left) {
                    (true, _) => (steps, true),
                    (false, 0) => (0, false),
                    (false, left) => (left - 1, true),
                };
            }
        }
    }
    Some((0..).zip(reached).filter_map(|(distance, reached)| reached.then_some(distance)).collect())
}

fn narrow(value: i128) -> i64 {
    i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX })
}
