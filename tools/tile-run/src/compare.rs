//! Compares buffers bit for bit.

use std::fmt;

use crate::tensor::{Shape, Tensor};

/// Where two buffers of one shape differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Elements that differ.
    pub differing: usize,
    shape: Shape,
    /// The first of them: index, got, expected.
    first: Vec<(usize, String, String)>,
}

/// Differences that are shown one by one.
const SHOWN: usize = 8;

/// Compares `got` with `expected`, which have the same shape. None: every element has a value, the same in both.
///
/// Equal means equal bits: a NaN equals itself, and 0.0 differs from -0.0.
pub fn difference(got: &Tensor, expected: &Tensor) -> Option<Difference> {
    if got.bytes == expected.bytes && got.missing.is_none() && expected.missing.is_none() {
        return None;
    }
    let mut found = Difference { differing: 0, shape: got.shape.clone(), first: Vec::new() };
    for element in 0..got.shape.elements().min(expected.shape.elements()) {
        let (ours, theirs) = (got.bits(element), expected.bits(element));
        if ours.is_some() && ours == theirs {
            continue;
        }
        found.differing += 1;
        if found.first.len() < SHOWN {
            found.first.push((element, found.show(ours), found.show(theirs)));
        }
    }
    (found.differing > 0).then_some(found)
}

impl Difference {
    /// A number with its bits.
    fn show(&self, bits: Option<u64>) -> String {
        let element = self.shape.element;
        match bits {
            None => "no value".into(),
            Some(bits) if element.is_integer() => element.show(bits),
            Some(bits) => format!("{} ({bits:#0width$x})", element.show(bits), width = 2 + 2 * element.bytes),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} elements differ", self.differing, self.shape.elements())?;
        for (element, got, expected) in &self.first {
            let at: Vec<String> = self.shape.coordinates(*element).iter().map(usize::to_string).collect();
            write!(f, "\n  ({}): got {got}, expected {expected}", at.join(", "))?;
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
        Tensor { shape, bytes: bytes.into(), missing: None }
    }

    #[test]
    fn equal_bits_are_equal() {
        let nan = tensor("f32", &[1], &f32::NAN.to_le_bytes());
        assert_eq!(difference(&nan, &nan), None);
    }

    #[test]
    fn zeros_of_other_signs_differ() {
        let [plus, minus] = [0f32, -0f32].map(|z| tensor("f32", &[1], &z.to_le_bytes()));
        let shown = difference(&plus, &minus).unwrap().to_string();
        assert_eq!(shown, "1 of 1 elements differ\n  (0): got 0.0 (0x00000000), expected -0.0 (0x80000000)");
    }

    #[test]
    fn coordinates_and_counts() {
        let expected: Vec<u8> = (0..20).collect();
        let mut got = expected.clone();
        got[7] = 99;
        let one = difference(&tensor("u8", &[4, 5], &got), &tensor("u8", &[4, 5], &expected)).unwrap();
        assert_eq!(one.to_string(), "1 of 20 elements differ\n  (1, 2): got 99, expected 7");
        got.fill(77);
        let all = difference(&tensor("u8", &[4, 5], &got), &tensor("u8", &[4, 5], &expected)).unwrap();
        assert!(all.to_string().ends_with("\n  and 12 more") && all.differing == 20);
    }

    #[test]
    fn elements_without_value_are_never_equal() {
        let whole = tensor("i8", &[2], &[1, 2]);
        let half = Tensor { missing: Some(vec![false, true]), ..whole.clone() };
        let shown = difference(&half, &whole).unwrap().to_string();
        assert_eq!(shown, "1 of 2 elements differ\n  (1): got no value, expected 2");
        assert_eq!(difference(&half, &half).unwrap().differing, 1);
    }
}
