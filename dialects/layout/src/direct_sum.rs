//! The direct sum of two layouts, dimension by dimension.

use crate::address::expect_count;
use crate::check::sum;
use crate::factor::Inverse;
use crate::{Fusion, Layout, LayoutError};

impl Layout {
    /// The direct sum of `self` (left) and `right`: per dimension, the left's coordinate is the slow part and the
    /// right's the fast one; the locations add up.
    ///
    /// ```text
    ///   left  (2, 2) : (100, 10)
    ///   right (2, 2) : (2, 1)        ->   (2, 2, 2, 2) : (100, 2, 10, 1) over the shape (4, 4)
    /// ```
    ///
    /// Every copy of the left is combined with every copy of the right, and offsets add up. The swizzle of the right
    /// side, if it has one, is applied to the sum.
    ///
    /// # Errors
    /// [`LayoutError::Count`] for shapes of different rank; [`LayoutError::SwizzledOperand`] for a swizzled left side;
    /// the errors of [`Layout::group`] for each side; [`LayoutError::TooLarge`].
    pub fn direct_sum(&self, right: &Layout, left_shape: &[i64], right_shape: &[i64]) -> Result<Layout, LayoutError> {
        expect_count("dimensions of the right shape", right_shape.len(), left_shape.len())?;
        let (left, left_seps) = self.canonicalize(Fusion::None).group(left_shape)?;
        let (mut joined, right_seps) = right.canonicalize(Fusion::None).group(right_shape)?;
        if left.swizzle.is_some() {
            return Err(LayoutError::SwizzledOperand { operand: "left", operation: "a direct sum" });
        }
        let right_shard = std::mem::take(&mut joined.shard);
        for (left_ends, right_ends) in left_seps.windows(2).zip(right_seps.windows(2)) {
            joined.shard.extend(left.shard.get(left_ends[0]..left_ends[1]).unwrap_or_default());
            joined.shard.extend(right_shard.get(right_ends[0]..right_ends[1]).unwrap_or_default());
        }
        joined.replica.extend(left.replica);
        for (axis, value) in left.offset {
            let total = joined.offset.entry(axis).or_default();
            *total = sum(*total, value)?;
        }
        joined.check_numbers()?;
        Ok(joined.canonicalize(Fusion::None))
    }

    /// The right side of the direct sum `whole`, if `self` is its left side.
    ///
    /// # Errors
    /// [`LayoutError::NoFactor`] when `whole` is no such sum; the errors of [`Layout::direct_sum`] for malformed
    /// operands.
    pub fn is_direct_sum_left(
        &self,
        whole: &Layout,
        whole_shape: &[i64],
        left_shape: &[i64],
    ) -> Result<Layout, LayoutError> {
        let inverse = Inverse::new("the left side of a direct sum", whole, whole_shape, self, left_shape)?;
        let [_, shard] = inverse.take_apart(left_shape, &inverse.other_shape)?;
        let right = Layout { swizzle: inverse.whole.swizzle, ..inverse.without(self, shard)? };
        inverse.confirm(right, |right| self.direct_sum(right, left_shape, &inverse.other_shape))
    }

    /// The left side of the direct sum `whole`, if `self` is its right side.
    ///
    /// # Errors
    /// As [`Layout::is_direct_sum_left`].
    pub fn is_direct_sum_right(
        &self,
        whole: &Layout,
        whole_shape: &[i64],
        right_shape: &[i64],
    ) -> Result<Layout, LayoutError> {
        let inverse = Inverse::new("the right side of a direct sum", whole, whole_shape, self, right_shape)?;
        let [shard, _] = inverse.take_apart(&inverse.other_shape, right_shape)?;
        let left = inverse.without(self, shard)?;
        inverse.confirm(left, |left| left.direct_sum(self, &inverse.other_shape, right_shape))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_and_subtracts() {
        let [left, right] = ["(2, 2) : (100, 10)", "(2, 2) : (2, 1)"].map(|text| Layout::parse(text).unwrap());
        let shape = [2, 2];
        let whole = left.direct_sum(&right, &shape, &shape).unwrap();
        assert_eq!(whole.to_string(), "(2, 2, 2, 2) : (100, 2, 10, 1)");
        assert_eq!(left.is_direct_sum_left(&whole, &[4, 4], &shape), Ok(right.canonicalize(Fusion::None)));
        assert_eq!(right.is_direct_sum_right(&whole, &[4, 4], &shape), Ok(left.canonicalize(Fusion::None)));
        let error = right.is_direct_sum_left(&whole, &[4, 4], &shape).unwrap_err().to_string();
        assert_eq!(
            error,
            "not the left side of a direct sum of the given layout: with (2, 2) : (2, 1) the result would be \
             (2, 4, 2) : (2, 1, 1), not (2, 2, 2, 2) : (100, 2, 10, 1)"
        );
    }
}
