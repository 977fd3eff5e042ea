//! Tilings: an inner layout repeated over an outer one.

use crate::address::expect_count;
use crate::check::product;
use crate::factor::Inverse;
use crate::{Fusion, Iter, Layout, LayoutError};

impl Layout {
    /// `self`, the inner tile, repeated as `outer` says: one step of the outer layout is one span of the inner one.
    ///
    /// ```text
    ///   inner (8, 8) : (8, 1), span 64      outer (2, 3) : (3, 1)
    ///        ->   (2, 8, 3, 8) : (192, 8, 64, 1) over the shape (16, 24)
    /// ```
    ///
    /// The location of element (outer coordinate, inner coordinate) is `inner + span * outer` on every axis, for
    /// every copy: the outer replica and offset count in whole tiles too. The inner swizzle, if there is one, is
    /// applied to the complete address; it repeats from tile to tile where the span is a multiple of its period.
    ///
    /// # Errors
    /// [`LayoutError::Count`] for shapes of different rank; [`LayoutError::SwizzledOperand`] for a swizzled outer
    /// layout; the errors of [`Layout::group`] for each side; [`LayoutError::TooLarge`].
    pub fn tile(&self, outer: &Layout, outer_shape: &[i64], inner_shape: &[i64]) -> Result<Layout, LayoutError> {
        expect_count("dimensions of the inner shape", inner_shape.len(), outer_shape.len())?;
        self.expect_shape(inner_shape)?;
        outer.expect_shape(outer_shape)?;
        let outer = outer.canonicalize(Fusion::None);
        if outer.swizzle.is_some() {
            return Err(LayoutError::SwizzledOperand { operand: "outer", operation: "a tiling" });
        }
        let scaled = map_strides(&outer, |iter| product(iter.stride, self.span(iter.axis)))?;
        scaled.direct_sum(self, outer_shape, inner_shape)
    }

    /// `self` of shape `shape`, repeated row-major until it fills `to`.
    ///
    /// # Errors
    /// [`LayoutError::NoFactor`] when `to` is no multiple of `shape`; as [`Layout::tile`].
    pub fn tile_to(&self, to: &[i64], shape: &[i64]) -> Result<Layout, LayoutError> {
        expect_count("dimensions of the tile", shape.len(), to.len())?;
        self.expect_shape(shape)?;
        let mut repeats = Vec::with_capacity(to.len());
        for (dim, (&to, &extent)) in to.iter().zip(shape).enumerate() {
            if to < 1 || to % extent != 0 {
                let reason = format!("dimension {dim} has extent {to}, no multiple of {extent}");
                return Err(LayoutError::NoFactor { operation: "a tile", reason });
            }
            repeats.push(to / extent);
        }
        self.tile(&Layout::row_major(&repeats), &repeats, shape)
    }

    /// The outer layout of `tiled`, if `self` is its inner tile.
    ///
    /// # Errors
    /// [`LayoutError::NoFactor`] when `tiled` is no such tiling; the errors of [`Layout::tile`] for malformed operands.
    pub fn is_tile_inner(
        &self,
        tiled: &Layout,
        tiled_shape: &[i64],
        inner_shape: &[i64],
    ) -> Result<Layout, LayoutError> {
        let inverse = Inverse::new("the inner tile", tiled, tiled_shape, self, inner_shape)?;
        let [shard, _] = inverse.take_apart(&inverse.other_shape, inner_shape)?;
        let steps = inverse.without(self, shard)?.canonicalize(Fusion::None);
        let outer = map_strides(&steps, |iter| match iter.stride.checked_rem(self.span(iter.axis)) {
            Some(0) => Ok(iter.stride / self.span(iter.axis)),
            // The stride of a unit iter has no meaning.
            _ if iter.extent == 1 => Ok(1),
            _ => Err(inverse.refuse(format!("step {iter} is no multiple of the inner span {}", self.span(iter.axis)))),
        })?;
        inverse.confirm(outer, |outer| self.tile(outer, &inverse.other_shape, inner_shape))
    }

    /// The inner tile of `tiled`, if `self` is its outer layout.
    ///
    /// # Errors
    /// As [`Layout::is_tile_inner`].
    pub fn is_tile_outer(
        &self,
        tiled: &Layout,
        tiled_shape: &[i64],
        outer_shape: &[i64],
    ) -> Result<Layout, LayoutError> {
        let inverse = Inverse::new("the outer layout of a tiling", tiled, tiled_shape, self, outer_shape)?;
        let [_, shard] = inverse.take_apart(outer_shape, &inverse.other_shape)?;
        // On each axis, the tiled span is the product of the two.
        let scaled = map_strides(&self.canonicalize(Fusion::None), |iter| {
            let (whole, outer) = (inverse.whole.span(iter.axis), self.span(iter.axis));
            match whole.checked_rem(outer) {
                Some(0) => product(iter.stride, whole / outer),
                _ => Err(inverse.refuse(format!("span {whole} of '{}' is no multiple of {outer}", iter.axis))),
            }
        })?;
        let inner = Layout { swizzle: inverse.whole.swizzle, ..inverse.without(&scaled, shard)? };
        inverse.confirm(inner, |inner| inner.tile(self, outer_shape, &inverse.other_shape))
    }
}

/// The layout with other strides and offsets; an offset counts as an iter of extent 2.
fn map_strides(layout: &Layout, stride: impl Fn(&Iter) -> Result<i64, LayoutError>) -> Result<Layout, LayoutError> {
    let map = |iter: &Iter| Ok(Iter { stride: stride(iter)?, ..*iter });
    let shard = layout.shard.iter().map(map).collect::<Result<_, LayoutError>>()?;
    let replica = layout.replica.iter().map(map).collect::<Result<_, LayoutError>>()?;
    let offset = layout.offset.iter().map(|(&axis, &value)| Ok((axis, stride(&Iter::new(2, value, axis))?)));
    let offset = offset.collect::<Result<_, LayoutError>>()?;
    Ok(Layout { shard, replica, offset, swizzle: layout.swizzle })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> Layout {
        Layout::parse(text).unwrap()
    }

    #[test]
    fn tiles_repeat() {
        let inner = layout("(8, 8) : (8, 1)");
        let tiled = inner.tile(&layout("(2, 3) : (3, 1)"), &[2, 3], &[8, 8]).unwrap();
        assert_eq!(tiled.to_string(), "(2, 8, 3, 8) : (192, 8, 64, 1)");
        assert_eq!(tiled.apply(&[9, 17], &[16, 24]).unwrap()[&crate::Axis::Memory], 329);
        let columns = inner.tile(&layout("(2, 3) : (1, 2)"), &[2, 3], &[8, 8]).unwrap();
        assert_eq!(columns.to_string(), "(16, 3, 8) : (8, 128, 1)");
    }

    #[test]
    fn fills_a_shape() {
        let atom = layout("(512) : (1), swizzle<base = 3, bits = 3, shift = 3>");
        let filled = atom.tile_to(&[16, 128], &[8, 64]).unwrap();
        assert_eq!(filled.to_string(), "(2, 8, 2, 64) : (1024, 64, 512, 1), swizzle<base = 3, bits = 3, shift = 3>");
        assert!(matches!(atom.tile_to(&[12, 64], &[8, 64]), Err(LayoutError::NoFactor { .. })));
    }

    #[test]
    fn factors_come_back() {
        let (inner, outer) = (layout("(8, 8) : (8, 1)"), layout("(2, 3) : (3, 1)"));
        let tiled = inner.tile(&outer, &[2, 3], &[8, 8]).unwrap();
        assert_eq!(inner.is_tile_inner(&tiled, &[16, 24], &[8, 8]), Ok(outer.canonicalize(Fusion::None)));
        assert_eq!(outer.is_tile_outer(&tiled, &[16, 24], &[2, 3]), Ok(inner.canonicalize(Fusion::None)));
        let columns = layout("(8, 8) : (1, 8)");
        assert!(matches!(columns.is_tile_inner(&tiled, &[16, 24], &[8, 8]), Err(LayoutError::NoFactor { .. })));
    }

    #[test]
    fn outer_copies_count_in_tiles() {
        let inner = layout("(4) : (1) + R(2 : 4)");
        let tiled = inner.tile(&layout("(2) : (1) + R(2 : 2) + 1"), &[2], &[4]).unwrap();
        assert_eq!(tiled.to_string(), "(2, 4) : (8, 1) + R((2, 2) : (4, 16)) + 8");
    }
}
