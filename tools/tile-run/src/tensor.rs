//! A buffer's element type, shape and bytes, on the host.

use thiserror::Error;

use crate::element::Element;

/// Element type and extents, outermost first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The type of the elements.
    pub element: Element,
    /// The number of elements along each dimension.
    pub extents: Vec<usize>,
    bytes: usize,
}

/// The maximum number of dimensions that numpy 1 can read.
pub const MAX_DIMENSIONS: usize = 32;

/// Extents that no buffer can have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ShapeError {
    /// More dimensions than [`MAX_DIMENSIONS`].
    #[error("got {0} dimensions, expected at most {MAX_DIMENSIONS}")]
    Dimensions(usize),
    /// More bytes than memory has addresses.
    #[error("the buffer is larger than memory can be")]
    TooLarge,
}

impl Shape {
    /// Checks the extents.
    pub fn new(element: Element, extents: Vec<usize>) -> Result<Self, ShapeError> {
        if extents.len() > MAX_DIMENSIONS {
            return Err(ShapeError::Dimensions(extents.len()));
        }
        let bytes = extents.iter().try_fold(element.bytes, |product, &e| product.checked_mul(e));
        let bytes = bytes.filter(|&b| b <= isize::MAX as usize).ok_or(ShapeError::TooLarge)?;
        Ok(Self { element, extents, bytes })
    }

    /// Bytes of the whole buffer.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Elements of the whole buffer.
    pub fn elements(&self) -> usize {
        self.bytes / self.element.bytes
    }

    /// The coordinates of an element in row-major order: element 7 of `2x4` is `(1, 3)`.
    pub fn coordinates(&self, element: usize) -> Vec<usize> {
        let mut rest = element;
        let mut coordinates: Vec<usize> = self.extents.iter().rev().map(|&extent| split(&mut rest, extent)).collect();
        coordinates.reverse();
        coordinates
    }
}

/// Takes the lowest digit of `rest` in base `extent`.
fn split(rest: &mut usize, extent: usize) -> usize {
    let digit = *rest % extent;
    *rest /= extent;
    digit
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let extents: Vec<String> = self.extents.iter().map(usize::to_string).collect();
        write!(f, "{}[{}]", self.element, extents.join("x"))
    }
}

/// Positions that a kernel must not write, and has written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Strays {
    /// The first of them.
    pub first: usize,
    /// Their number.
    pub count: usize,
}

impl Strays {
    /// Adds a position behind those so far.
    pub fn add(&mut self, position: usize) {
        if self.count == 0 {
            self.first = position;
        }
        self.count += 1;
    }
}

/// The contents of a buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    /// Its type and extents.
    pub shape: Shape,
    /// The bytes of the elements, row-major and little-endian.
    pub bytes: Vec<u8>,
    /// For each element, whether it has no value; `None` if all have one.
    pub missing: Option<Vec<bool>>,
    /// The positions in the memory around its elements that have been written.
    pub strays: Strays,
}

impl Tensor {
    /// A tensor in which every element has a value.
    pub fn new(shape: Shape, bytes: Vec<u8>) -> Self {
        Self { shape, bytes, missing: None, strays: Strays::default() }
    }

    /// The bits of an element; `None` if it has no value.
    pub fn bits(&self, element: usize) -> Option<u64> {
        let missing = self.missing.as_ref().is_some_and(|m| m[element]);
        (!missing).then(|| self.shape.element.bits(&self.bytes[element * self.shape.element.bytes..]))
    }

    /// An element as text; `-` if it has no value.
    pub fn show(&self, element: usize) -> String {
        self.bits(element).map_or_else(|| "-".into(), |bits| self.shape.element.show(bits))
    }

    /// The number of elements without a value.
    pub fn missing(&self) -> usize {
        self.missing.as_ref().map_or(0, |m| m.iter().filter(|&&missing| missing).count())
    }

    /// All elements, a line for each row of the innermost dimension.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let row = self.shape.extents.last().copied().unwrap_or(1);
        (0..self.shape.elements() / row).map(move |r| {
            let shown: Vec<String> = (r * row..(r + 1) * row).map(|e| self.show(e)).collect();
            shown.join(" ")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(extents: &[usize]) -> Shape {
        Shape::new("i16".parse().unwrap(), extents.to_vec()).unwrap()
    }

    #[test]
    fn coordinates_count_the_last_dimension_first() {
        assert_eq!(shape(&[2, 4]).coordinates(7), [1, 3]);
        assert_eq!(shape(&[3, 1, 5]).coordinates(11), [2, 0, 1]);
        assert_eq!(shape(&[]).coordinates(0), [0usize; 0]);
    }

    #[test]
    fn impossible_shapes_are_refused() {
        let i16 = "i16".parse().unwrap();
        assert_eq!(Shape::new(i16, vec![4, 0]).map(|shape| (shape.bytes(), shape.elements())), Ok((0, 0)));
        assert_eq!(Shape::new(i16, vec![1; 33]), Err(ShapeError::Dimensions(33)));
        assert_eq!(Shape::new(i16, vec![usize::MAX, 2]), Err(ShapeError::TooLarge));
        assert_eq!(Shape::new(i16, vec![isize::MAX as usize]), Err(ShapeError::TooLarge));
    }

    #[test]
    fn rows_are_lines_and_missing_elements_dashes() {
        let missing = Some(vec![false, true, false, false]);
        let bytes = vec![1, 0, 2, 0, 0xff, 0xff, 4, 0];
        let tensor = Tensor { missing, ..Tensor::new(shape(&[2, 2]), bytes) };
        assert_eq!(tensor.lines().collect::<Vec<_>>(), ["1 -", "-1 4"]);
        assert_eq!(tensor.missing(), 1);
    }
}
