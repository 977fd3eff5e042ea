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

/// The most elements that are all shown.
pub const MAX_SHOWN: usize = 1000;

/// Elements that larger tensors show at each end of a dimension, and what stands for the others.
const EDGE: usize = 3;
const OMITTED: &str = "...";

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

    /// The elements, a line for each row of the innermost dimension. Of more than [`MAX_SHOWN`] elements they are the first
    /// and last three along each dimension, as numpy prints them; with `all`, every element.
    pub fn lines(&self, all: bool) -> Vec<String> {
        let mut lines = Vec::new();
        self.add_lines(0, 0, all || self.shape.elements() <= MAX_SHOWN, &mut lines);
        lines
    }

    /// Adds the lines of the part that begins with element `first` and has the dimensions from `dimension` on.
    fn add_lines(&self, dimension: usize, first: usize, all: bool, lines: &mut Vec<String>) {
        let Some((&extent, inner)) = self.shape.extents[dimension..].split_first() else {
            return lines.push(self.show(first));
        };
        let left_out = if all || extent <= 2 * EDGE { 0..0 } else { EDGE..extent - EDGE };
        let shown = (0..extent).filter(|at| !left_out.contains(at) || *at == left_out.start);
        if inner.is_empty() {
            let show = |at: usize| if left_out.contains(&at) { OMITTED.into() } else { self.show(first + at) };
            return lines.push(shown.map(show).collect::<Vec<String>>().join(" "));
        }
        let elements: usize = inner.iter().product();
        for at in shown {
            if left_out.contains(&at) {
                lines.push(OMITTED.into());
            } else {
                self.add_lines(dimension + 1, first + at * elements, all, lines);
            }
        }
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
        assert_eq!(tensor.lines(false), ["1 -", "-1 4"]);
        assert_eq!(tensor.missing(), 1);
    }

    #[test]
    fn large_tensors_show_their_edges() {
        let numbers = |extents: &[usize]| {
            let shape = shape(extents);
            let bytes = (0..shape.elements()).flat_map(|n| (n as i16).to_le_bytes()).collect();
            Tensor::new(shape, bytes)
        };
        assert_eq!(numbers(&[1000]).lines(false)[0].split(' ').count(), 1000);
        assert_eq!(numbers(&[1001]).lines(false), ["0 1 2 ... 998 999 1000"]);
        assert_eq!(numbers(&[1001]).lines(true)[0].split(' ').count(), 1001);
        let wide = numbers(&[2, 600]).lines(false);
        assert_eq!(wide, ["0 1 2 ... 597 598 599", "600 601 602 ... 1197 1198 1199"]);
        let deep = numbers(&[7, 2, 100]).lines(false);
        assert_eq!(
            (deep.len(), &deep[5], &deep[6], &deep[7]),
            (13, &"500 501 502 ... 597 598 599".into(), &OMITTED.into(), &"800 801 802 ... 897 898 899".into())
        );
        assert_eq!(
            (numbers(&[]).lines(false), numbers(&[3, 0]).lines(false)),
            (vec!["0".to_string()], vec![String::new(); 3])
        );
    }
}
