//! The placement of a buffer's elements in its memory.

use std::ops::Range;

use thiserror::Error;

use crate::tensor::Shape;

/// Strides and an offset, in elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// The strides of the dimensions, outermost first.
    pub strides: Vec<usize>,
    /// The offset of the first element.
    pub offset: usize,
}

/// Strides that a buffer cannot have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlacementError {
    /// There is not one stride for each dimension.
    #[error("got {got} strides, expected {expected}, one for each extent")]
    Number {
        /// The number of strides.
        got: usize,
        /// The number of extents.
        expected: usize,
    },
    /// Two elements have the same position.
    #[error(
        "got a stride of {stride} for an extent of {extent}, expected at least {needed}: the dimensions with smaller strides \
         span as many elements"
    )]
    Overlap {
        /// The stride.
        stride: usize,
        /// The extent of its dimension.
        extent: usize,
        /// The smallest possible stride.
        needed: usize,
    },
    /// The memory has more elements than addresses.
    #[error("the buffer is larger than memory can be")]
    TooLarge,
}

impl Placement {
    /// The placement of dense rows.
    pub fn dense(extents: &[usize]) -> Self {
        let mut strides = vec![1; extents.len()];
        for dimension in (1..extents.len()).rev() {
            strides[dimension - 1] = strides[dimension] * extents[dimension];
        }
        Self { strides, offset: 0 }
    }

    /// Checks that every element has a separate position, and returns the number of positions from the memory's start
    /// up to the last element.
    ///
    /// # Errors
    /// The reason why the strides are impossible.
    pub fn span(&self, extents: &[usize]) -> Result<usize, PlacementError> {
        if self.strides.len() != extents.len() {
            return Err(PlacementError::Number { got: self.strides.len(), expected: extents.len() });
        }
        let mut needed = 1usize;
        for (stride, extent) in self.ascending(extents) {
            if stride < needed {
                return Err(PlacementError::Overlap { stride, extent, needed });
            }
            let last = stride.checked_mul(extent - 1).ok_or(PlacementError::TooLarge)?;
            needed = needed.checked_add(last).ok_or(PlacementError::TooLarge)?;
        }
        needed.checked_add(self.offset).ok_or(PlacementError::TooLarge)
    }

    /// The positions of the elements in row-major order.
    pub fn places<'a>(&'a self, shape: &'a Shape) -> impl Iterator<Item = usize> + 'a {
        (0..shape.elements()).map(|element| self.place(&shape.coordinates(element)))
    }

    /// The ranges of positions, up to the last element, that hold no element, in ascending order.
    pub fn gaps(&self, shape: &Shape) -> impl Iterator<Item = Range<usize>> {
        let ascending = self.ascending(&shape.extents);
        let mut held = 0;
        (0..shape.elements()).filter_map(move |element| {
            let mut rest = element;
            let place = ascending.iter().fold(self.offset, |place, &(stride, extent)| {
                let at = rest % extent;
                rest /= extent;
                place + stride * at
            });
            let gap = held..place;
            held = place + 1;
            (!gap.is_empty()).then_some(gap)
        })
    }

    /// Strides and extents of the dimensions, the smallest stride first: elements that are counted in this order have
    /// ascending positions, because [`Placement::span`] accepts no others.
    fn ascending(&self, extents: &[usize]) -> Vec<(usize, usize)> {
        let mut dimensions: Vec<_> = self.strides.iter().copied().zip(extents.iter().copied()).collect();
        dimensions.retain(|&(_, extent)| extent > 1);
        dimensions.sort_unstable();
        dimensions
    }

    /// The position of the element with the given coordinates.
    pub fn place(&self, coordinates: &[usize]) -> usize {
        self.offset + self.strides.iter().zip(coordinates).map(|(stride, at)| stride * at).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(strides: &[usize], offset: usize, extents: &[usize]) -> Result<usize, String> {
        let placement = Placement { strides: strides.into(), offset };
        placement.span(extents).map_err(|error| error.to_string())
    }

    #[test]
    fn spans_reach_to_the_last_element() {
        assert_eq!(Placement::dense(&[2, 3, 4]).strides, [12, 4, 1]);
        assert_eq!(span(&[12, 4, 1], 0, &[2, 3, 4]), Ok(24));
        assert_eq!(span(&[128, 1], 8, &[3, 100]), Ok(8 + 256 + 100));
        assert_eq!(span(&[1, 3], 0, &[3, 5]), Ok(15));
        assert_eq!(span(&[0, 1], 0, &[1, 5]), Ok(5));
        let placement = Placement { strides: vec![4, 1], offset: 1 };
        let shape = Shape::new("u8".parse().unwrap(), vec![2, 3]).unwrap();
        assert_eq!(placement.place(&[1, 2]), 7);
        assert_eq!(placement.places(&shape).collect::<Vec<_>>(), [1, 2, 3, 5, 6, 7]);
        assert_eq!(placement.gaps(&shape).collect::<Vec<_>>(), [0..1, 4..5]);
        let columns = Placement { strides: vec![1, 5], offset: 2 };
        assert_eq!(columns.gaps(&shape).collect::<Vec<_>>(), [0..2, 4..7, 9..12]);
        let apart = Placement { strides: vec![usize::MAX / 2, 1], offset: 0 };
        assert_eq!(apart.gaps(&shape).map(|gap| (gap.start, gap.end)).collect::<Vec<_>>(), [(3, usize::MAX / 2)]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(span(&[1], 0, &[3, 5]).unwrap_err(), "got 1 strides, expected 2, one for each extent");
        let error = span(&[4, 1], 0, &[3, 5]).unwrap_err();
        assert!(error.starts_with("got a stride of 4 for an extent of 3, expected at least 5"), "{error}");
        assert!(span(&[0, 1], 0, &[2, 5]).is_err() && span(&[usize::MAX, 1], 0, &[3, 5]).is_err());
        assert!(span(&[5, 1], usize::MAX, &[3, 5]).is_err());
    }
}
