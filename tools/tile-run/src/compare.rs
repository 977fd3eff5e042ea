//! Compares buffers, bit for bit or within a tolerance.

use std::fmt;

use crate::tensor::{Shape, Tensor};
use crate::tolerance::{Number, Tolerance};

/// The differences of two buffers with the same extents.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The number of elements that differ.
    pub differing: usize,
    shape: Shape,
    tolerance: Option<Tolerance>,
    /// The first of them.
    first: Vec<Element>,
    /// The largest distance, and the index of its element.
    most: Option<(f64, usize)>,
}

/// An element that differs.
#[derive(Debug, Clone, PartialEq)]
struct Element {
    index: usize,
    got: String,
    expected: String,
    off: Option<f64>,
}

/// The number of differences that are shown individually.
const SHOWN: usize = 8;

/// Compares `got` with `expected`, which have the same extents, and, without a tolerance, the same type. `None` if
/// every element has a value and all agree.
///
/// Without a tolerance, to agree means to have equal bits: a NaN equals itself, and 0.0 differs from -0.0.
pub fn difference(got: &Tensor, expected: &Tensor, tolerance: Option<Tolerance>) -> Option<Difference> {
    let whole = got.missing.is_none() && expected.missing.is_none();
    if whole && tolerance.is_none() && got.bytes == expected.bytes {
        return None;
    }
    let shape = got.shape.clone();
    let mut difference = Difference { differing: 0, shape, tolerance, first: Vec::new(), most: None };
    for index in 0..got.shape.elements().min(expected.shape.elements()) {
        difference.compare(index, number(got, index), number(expected, index));
    }
    (difference.differing > 0).then_some(difference)
}

fn number(tensor: &Tensor, index: usize) -> Option<Number> {
    tensor.bits(index).map(|bits| Number { element: tensor.shape.element, bits })
}

fn show(number: Option<Number>) -> String {
    match number {
        None => "no value".into(),
        Some(Number { element, bits }) if element.is_integer() => element.show(bits),
        Some(Number { element, bits }) => {
            format!("{} ({bits:#0width$x})", element.show(bits), width = 2 + 2 * element.bytes)
        }
    }
}

impl Difference {
    fn compare(&mut self, index: usize, got: Option<Number>, expected: Option<Number>) {
        let agree = match (got, expected, self.tolerance) {
            (Some(got), Some(expected), Some(tolerance)) => tolerance.allows(got, expected),
            (Some(got), Some(expected), None) => got == expected,
            _ => false,
        };
        if agree {
            return;
        }
        self.differing += 1;
        let off = got.zip(expected).map(|(got, expected)| got.distance(expected)).filter(|off| !off.is_nan());
        let off = off.filter(|_| self.tolerance.is_some());
        if let Some(off) = off.filter(|&off| self.most.is_none_or(|(most, _)| off > most)) {
            self.most = Some((off, index));
        }
        if self.first.len() < SHOWN {
            self.first.push(Element { index, got: show(got), expected: show(expected), off });
        }
    }

    fn at(&self, index: usize) -> String {
        let at: Vec<String> = self.shape.coordinates(index).iter().map(usize::to_string).collect();
        format!("({})", at.join(", "))
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} elements differ", self.differing, self.shape.elements())?;
        if let Some(tolerance) = self.tolerance {
            write!(f, " by more than {tolerance}")?;
        }
        if let Some((off, index)) = self.most {
            write!(f, ", at most by {off:e} at {}", self.at(index))?;
        }
        for Element { index, got, expected, off } in &self.first {
            write!(f, "\n  {}: got {got}, expected {expected}", self.at(*index))?;
            if let Some(off) = off {
                write!(f, ", {off:e} off")?;
            }
        }
        let rest = self.differing - self.first.len();
        if rest > 0 { write!(f, "\n  and {rest} more") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(ty: &str, extents: &[usize], bytes: &[u8]) -> Tensor {
        let shape = Shape::new(ty.parse().unwrap(), extents.to_vec()).unwrap();
        Tensor::new(shape, bytes.into())
    }

    #[test]
    fn equal_bits_are_equal() {
        let nan = tensor("f32", &[1], &f32::NAN.to_le_bytes());
        assert_eq!(difference(&nan, &nan, None), None);
    }

    #[test]
    fn zeros_of_other_signs_differ() {
        let [plus, minus] = [0f32, -0f32].map(|z| tensor("f32", &[1], &z.to_le_bytes()));
        let shown = difference(&plus, &minus, None).unwrap().to_string();
        assert_eq!(shown, "1 of 1 elements differ\n  (0): got 0.0 (0x00000000), expected -0.0 (0x80000000)");
    }

    #[test]
    fn coordinates_and_counts() {
        let expected: Vec<u8> = (0..20).collect();
        let mut got = expected.clone();
        got[7] = 99;
        let one = difference(&tensor("u8", &[4, 5], &got), &tensor("u8", &[4, 5], &expected), None).unwrap();
        assert_eq!(one.to_string(), "1 of 20 elements differ\n  (1, 2): got 99, expected 7");
        got.fill(77);
        let all = difference(&tensor("u8", &[4, 5], &got), &tensor("u8", &[4, 5], &expected), None).unwrap();
        assert!(all.to_string().ends_with("\n  and 12 more") && all.differing == 20);
    }

    #[test]
    fn what_is_too_far_off_is_said() {
        let floats = |numbers: [f32; 3]| tensor("f32", &[3], &numbers.map(f32::to_le_bytes).concat());
        let (got, expected) = (floats([1.0, 2.25, 4.0]), floats([1.0, 2.0, 3.0]));
        let tolerance = |relative, absolute| Some(Tolerance { relative, absolute });
        assert_eq!(difference(&got, &expected, tolerance(0.0, 1.0)), None);
        let shown = difference(&got, &expected, tolerance(1e-5, 1e-1)).unwrap().to_string();
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(
            lines,
            [
                "2 of 3 elements differ by more than 1e-1 + 1e-5 * |expected|, at most by 1e0 at (2)",
                "  (1): got 2.25 (0x40100000), expected 2.0 (0x40000000), 2.5e-1 off",
                "  (2): got 4.0 (0x40800000), expected 3.0 (0x40400000), 1e0 off",
            ]
        );
        let nan = floats([f32::NAN, 2.0, 3.0]);
        let shown = difference(&nan, &expected, tolerance(1.0, 1.0)).unwrap().to_string();
        assert!(shown.ends_with("\n  (0): got NaN (0x7fc00000), expected 1.0 (0x3f800000)"), "{shown}");
        let other = floats([-f32::NAN, 2.0, 3.0]);
        assert_eq!(difference(&nan, &other, tolerance(0.0, 0.0)), None, "with a tolerance, all NaNs are alike");
        assert!(difference(&nan, &other, None).is_some(), "without, bits are compared");
        let shown = difference(&floats([1.0, 2.0, 3.0]), &nan, tolerance(1.0, 1.0)).unwrap().to_string();
        assert!(shown.ends_with("\n  (0): got 1.0 (0x3f800000), expected NaN (0x7fc00000)"), "{shown}");
    }

    #[test]
    fn elements_without_value_are_never_equal() {
        let whole = tensor("i8", &[2], &[1, 2]);
        let half = Tensor { missing: Some(vec![false, true]), ..whole.clone() };
        let shown = difference(&half, &whole, None).unwrap().to_string();
        assert_eq!(shown, "1 of 2 elements differ\n  (1): got no value, expected 2");
        assert_eq!(difference(&half, &half, None).unwrap().differing, 1);
    }
}
