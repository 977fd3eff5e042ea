//! Changing the size of an element: several narrow ones as a wide one, and back.

use crate::check::product;
use crate::{Axis, Iter, Layout, LayoutError, PackObstacle, Swizzle};

impl Layout {
    /// The layout whose elements are groups of `n` adjacent ones of this layout: element `i` stands for `n*i .. n*i + n`.
    ///
    /// `(4, 8) : (8, 1)` packed by 4 is `(4, 2) : (2, 1)`. Positions on the element axis (memory, or the columns of
    /// tensor memory) are divided by `n`; threads and lanes stay.
    ///
    /// # Errors
    /// [`LayoutError::NotPackable`] when groups of `n` are not contiguous and aligned; [`LayoutError::BadFactor`] for a
    /// factor below 1, or one that is no power of two under a swizzle; and whatever makes the layout malformed.
    pub fn pack(&self, n: i64) -> Result<Layout, LayoutError> {
        let bits = self.check_factor(n)?;
        let refuse = |obstacle| LayoutError::NotPackable { factor: n, obstacle };
        let axis = self.element_axis();
        let mut packed = self.clone();
        take_run(&mut packed.shard, n, axis).map_err(refuse)?;
        for iter in packed.shard.iter_mut().chain(&mut packed.replica).filter(|iter| iter.axis == axis) {
            match iter.stride % n {
                0 => iter.stride /= n,
                // The stride of a unit iter has no meaning.
                _ if iter.extent == 1 => iter.stride = 1,
                _ => return Err(refuse(PackObstacle::Stride { iter: *iter, factor: n })),
            }
        }
        if let Some(offset) = packed.offset.get_mut(&axis) {
            if *offset % n != 0 {
                return Err(refuse(PackObstacle::Offset { offset: *offset, factor: n }));
            }
            *offset /= n;
        }
        if let Some(swizzle) = &mut packed.swizzle {
            let kept = swizzle.chunk();
            let left = swizzle.per_element.checked_sub(bits);
            let breaks = || refuse(PackObstacle::Swizzle { swizzle: swizzle.to_string(), kept });
            swizzle.per_element = left.ok_or_else(breaks)?;
        }
        Ok(packed)
    }

    /// The layout in which each element is split into `n` adjacent elements. The inverse of [`Layout::pack`].
    ///
    /// `(4, 8) : (8, 1)` unpacked by 2 is `(4, 8, 2) : (16, 2, 1)`.
    ///
    /// # Errors
    /// [`LayoutError::BadFactor`] as for [`Layout::pack`]; [`LayoutError::TooLarge`] and [`LayoutError::BadSwizzle`]
    /// when the result does not fit 62 bits; and whatever makes the layout malformed.
    pub fn unpack(&self, n: i64) -> Result<Layout, LayoutError> {
        let bits = self.check_factor(n)?;
        let axis = self.element_axis();
        let mut unpacked = self.clone();
        for iter in unpacked.shard.iter_mut().chain(&mut unpacked.replica).filter(|iter| iter.axis == axis) {
            // The stride of a unit iter has no meaning.
            iter.stride = if iter.extent == 1 { 1 } else { product(iter.stride, n)? };
        }
        if let Some(offset) = unpacked.offset.get_mut(&axis) {
            *offset = product(*offset, n)?;
        }
        if let Some(swizzle) = &mut unpacked.swizzle {
            *swizzle = Swizzle { per_element: swizzle.per_element.saturating_add(bits), ..*swizzle };
        }
        unpacked.shard.push(Iter::new(n, 1, axis));
        unpacked.check_numbers()?;
        Ok(unpacked)
    }

    /// log2 of the factor, rounded down; exact where it matters.
    fn check_factor(&self, n: i64) -> Result<u32, LayoutError> {
        self.check_numbers()?;
        let bits = n.checked_ilog2().ok_or(LayoutError::BadFactor { factor: n, expected: "at least 1" })?;
        if self.swizzle.is_some() && n.count_ones() != 1 {
            return Err(LayoutError::BadFactor { factor: n, expected: "a power of two, as the layout is swizzled" });
        }
        Ok(bits)
    }

    /// The axis that counts elements: the columns of tensor memory where those are used, otherwise memory.
    fn element_axis(&self) -> Axis {
        if self.axes().any(|axis| axis == Axis::TCol) { Axis::TCol } else { Axis::Memory }
    }
}

/// Takes `n` contiguous elements off the fast end of a shard.
fn take_run(shard: &mut Vec<Iter>, n: i64, axis: Axis) -> Result<(), PackObstacle> {
    let mut left = n;
    while left > 1 {
        let Some(last) = shard.last_mut() else {
            return Err(PackObstacle::Run(n / left));
        };
        if last.extent > 1 && (last.axis != axis || last.stride != n / left) {
            return Err(PackObstacle::Gap { iter: *last, inside: n / left });
        }
        if left % last.extent == 0 {
            left /= last.extent;
            shard.pop();
        } else if last.extent % left == 0 {
            *last = Iter::new(last.extent / left, n, axis);
            left = 1;
        } else {
            return Err(PackObstacle::Group { iter: *last, group: left });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack(text: &str, n: i64) -> Result<String, LayoutError> {
        Layout::parse(text).unwrap().pack(n).map(|layout| layout.to_string())
    }

    #[test]
    fn packs_and_unpacks() {
        let unpack = |text: &str, n| Layout::parse(text).unwrap().unpack(n).map(|layout| layout.to_string());
        assert_eq!(unpack("(4, 8) : (8, 1)", 2).as_deref(), Ok("(4, 8, 2) : (16, 2, 1)"));
        assert_eq!(pack("(4, 8) : (8, 1)", 4).as_deref(), Ok("(4, 2) : (2, 1)"));
        assert_eq!(unpack("(32, 8) : (1@laneid, 1)", 2).as_deref(), Ok("(32, 8, 2) : (1@laneid, 2, 1)"));
        assert_eq!(pack("(128, 64) : (1@TLane, 1@TCol)", 2).as_deref(), Ok("(128, 32) : (1@TLane, 1@TCol)"));
        assert_eq!(
            pack("(512) : (1), swizzle<base = 3, bits = 3, shift = 3>", 8).as_deref(),
            Ok("(64) : (1), swizzle<base = 0, bits = 3, shift = 3>")
        );
    }

    #[test]
    fn refuses_torn_groups() {
        for (text, n, obstacle) in [
            ("(4, 8) : (8, 1)", 3, "iter 8:1 does not divide into groups of 3"),
            ("(4, 8) : (9, 1)", 2, "the stride of iter 4:9 is no multiple of 2"),
            ("(8) : (2)", 2, "iter 8:2 does not continue the 1 element before it"),
            ("(8) : (1) + 3", 2, "the offset 3 is no multiple of 2"),
            ("(8) : (1) + R(2 : 9)", 2, "the stride of iter 2:9 is no multiple of 2"),
            ("(4) : (1)", 8, "got a run of 4 elements"),
            (
                "(512) : (1), swizzle<base = 2, bits = 3, shift = 3>",
                8,
                "swizzle<base = 2, bits = 3, shift = 3> keeps only 4 together",
            ),
        ] {
            let expected = format!("can not join {n} elements: {obstacle}");
            assert_eq!(pack(text, n).unwrap_err().to_string(), expected, "{text}");
        }
        assert!(matches!(pack("(8) : (1)", 0), Err(LayoutError::BadFactor { .. })));
        assert!(matches!(
            pack("(24) : (1), swizzle<base = 3, bits = 1, shift = 1>", 3),
            Err(LayoutError::BadFactor { .. })
        ));
    }
}
