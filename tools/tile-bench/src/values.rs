//! The input of scans, and the expected results.
//!
//! The input consists of whole numbers small enough for 32-bit floats to add up exactly, in any order. One period of
//! them adds up to 0, so that results repeat with the input, however long the array is.

use tile_run::random::Random;

/// The number of elements after which input and results repeat.
const PERIOD: usize = 1 << 24;

/// A period of elements and of results, as bytes.
pub struct Values {
    bytes: usize,
    input: Vec<u8>,
    results: Vec<u8>,
}

impl Values {
    /// The values for an element type: i32, f32, i64 or f64.
    pub fn new(element: &str, exclusive: bool) -> Self {
        let numbers = numbers();
        let mut sum = 0;
        let sums: Vec<i32> = numbers
            .iter()
            .map(|&number| {
                let before = sum;
                sum += number;
                if exclusive { before } else { sum }
            })
            .collect();
        let bytes = if element.ends_with("64") { 8 } else { 4 };
        Values { bytes, input: encoded(element, &numbers), results: encoded(element, &sums) }
    }

    /// Bytes of an element.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// One period of the input.
    pub fn period(&self) -> &[u8] {
        &self.input
    }

    /// The first wrong element of results that start at the start of a period and are at most a period long.
    pub fn first_wrong(&self, got: &[u8]) -> Option<usize> {
        let expected = &self.results[..got.len()];
        // Whole slices compare at the speed of memory.
        let at = if got == expected { None } else { got.iter().zip(expected).position(|(g, e)| g != e) };
        at.map(|at| at / self.bytes)
    }
}

/// One period: the second half subtracts what the first half adds.
fn numbers() -> Vec<i32> {
    let mut random = Random::new(7);
    let half: Vec<i32> = (0..PERIOD / 2).map(|_| (random.bits() % 17) as i32 - 8).collect();
    let back: Vec<i32> = half.iter().map(|number| -number).collect();
    [half, back].concat()
}

fn encoded(element: &str, numbers: &[i32]) -> Vec<u8> {
    match element {
        "i32" => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        "f32" => numbers.iter().flat_map(|&number| (number as f32).to_le_bytes()).collect(),
        "i64" => numbers.iter().flat_map(|&number| i64::from(number).to_le_bytes()).collect(),
        _ => numbers.iter().flat_map(|&number| f64::from(number).to_le_bytes()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_and_return_to_0() {
        let mut sum = 0i64;
        for number in numbers() {
            sum += i64::from(number);
            assert!(sum.abs() < 1 << 24);
        }
        assert_eq!(sum, 0);
    }

    #[test]
    fn a_wrong_element_is_found() {
        let values = Values::new("f32", true);
        let mut got = values.results.clone();
        assert_eq!(values.first_wrong(&got), None);
        got[4 * 1000 + 1] ^= 1;
        assert_eq!(values.first_wrong(&got), Some(1000));
    }
}
