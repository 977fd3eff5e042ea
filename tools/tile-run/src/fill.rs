//! Generates the contents of buffers before the run.

use thiserror::Error;

use crate::contents::{Distribution, Fill};
use crate::element::Element;
use crate::npy::{self, NpyError};
use crate::random::Random;
use crate::tensor::{Shape, Tensor};

/// Why a buffer's contents cannot be generated.
#[derive(Debug, Error)]
pub enum FillError {
    /// The host does not have enough memory.
    #[error("{shape} needs {bytes} bytes of host memory, which are not available")]
    Memory {
        /// The buffer.
        shape: Shape,
        /// Its size.
        bytes: usize,
    },
    /// The file cannot be read as this buffer.
    #[error(transparent)]
    File(#[from] NpyError),
}

/// The contents of a buffer, with `seed` where the fill has no own seed; `None` for poison.
pub fn contents(shape: &Shape, fill: &Fill, seed: u64) -> Result<Option<Tensor>, FillError> {
    if let Fill::File(path) = fill {
        return Ok(Some(npy::read(path, shape)?));
    }
    let bytes = zeros(shape)?;
    let bytes = match fill {
        Fill::Poison | Fill::File(_) => return Ok(None),
        Fill::Zeros => bytes,
        Fill::Ones => each(bytes, shape.element, |_| shape.element.count(1)),
        Fill::Iota => each(bytes, shape.element, |i| shape.element.count(i)),
        Fill::Random(given) => {
            let mut random = Random::new(given.unwrap_or(seed));
            each(bytes, shape.element, |_| finite(shape.element, random.bits()))
        }
        Fill::Drawn(distribution, given) => {
            let mut random = Random::new(given.unwrap_or(seed));
            each(bytes, shape.element, |_| draw(shape.element, *distribution, &mut random))
        }
    };
    Ok(Some(Tensor::new(shape.clone(), bytes)))
}

fn zeros(shape: &Shape) -> Result<Vec<u8>, FillError> {
    let mut bytes = Vec::new();
    let error = |_| FillError::Memory { shape: shape.clone(), bytes: shape.bytes() };
    bytes.try_reserve_exact(shape.bytes()).map_err(error)?;
    bytes.resize(shape.bytes(), 0);
    Ok(bytes)
}

fn each(mut bytes: Vec<u8>, element: Element, mut bits: impl FnMut(u64) -> u64) -> Vec<u8> {
    for (index, place) in bytes.chunks_exact_mut(element.bytes).enumerate() {
        place.copy_from_slice(&bits(index as u64).to_le_bytes()[..element.bytes]);
    }
    bytes
}

/// The lowest bits as an element; a NaN or infinity loses the highest bit of its exponent.
fn finite(element: Element, bits: u64) -> u64 {
    let bits = bits & element.mask();
    let below_sign = (element.mask() >> 2) + 1;
    if element.is_finite(bits) { bits } else { bits & !below_sign }
}

/// A random number of a distribution, as bits of the element type.
fn draw(element: Element, distribution: Distribution, random: &mut Random) -> u64 {
    match distribution {
        Distribution::Uniform(low, high) if element.is_integer() => {
            // Whole numbers within the type: doubles represent them exactly, and the product of 64 by 65 bits is exact.
            let (low, high) = (low as i128, high as i128);
            let product = u128::from(random.bits()) * (high - low) as u128;
            (low + (product >> 64) as i128) as u64 & element.mask()
        }
        // Computed with halves, because the difference of two doubles may overflow.
        Distribution::Uniform(low, high) => {
            let at = random.unit();
            element.nearest(((1.0 - at) * (low / 2.0) + at * (high / 2.0)) * 2.0)
        }
        Distribution::Normal(mean, deviation) => {
            element.nearest((mean + deviation * random.normal()).clamp(f64::MIN, f64::MAX))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(ty: &str, extents: &[usize], text: &str, seed: u64) -> Option<Tensor> {
        let shape = Shape::new(ty.parse().unwrap(), extents.to_vec()).unwrap();
        contents(&shape, &text.parse().unwrap(), seed).unwrap()
    }

    #[test]
    fn simple_contents() {
        assert_eq!(fill("i16", &[3], "iota", 0).unwrap().bytes, [0, 0, 1, 0, 2, 0]);
        assert_eq!(fill("f16", &[2], "ones", 0).unwrap().bytes, [0, 0x3c, 0, 0x3c]);
        assert_eq!(fill("u8", &[2, 2], "zeros", 0).unwrap().bytes, [0; 4]);
        assert_eq!(fill("u8", &[2], "poison", 0), None);
    }

    #[test]
    fn random_contents_are_finite_and_fixed_by_their_seed() {
        for ty in ["f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2", "i8", "u64"] {
            let tensor = fill(ty, &[4096], "random:3", 0).unwrap();
            let element = tensor.shape.element;
            assert!((0..4096).all(|e| element.is_finite(tensor.bits(e).unwrap())), "{ty}");
            assert_eq!(fill(ty, &[4096], "random", 3).unwrap(), tensor);
            assert_ne!(fill(ty, &[4096], "random", 4).unwrap(), tensor);
        }
    }

    #[test]
    fn every_finite_byte_occurs() {
        let tensor = fill("f8E4M3FN", &[8192], "random:1", 0).unwrap();
        let seen = (0..=255u8).filter(|b| tensor.bytes.contains(b)).count();
        assert_eq!(seen, 254, "all but the two NaNs");
    }

    #[test]
    fn distributions_fill_each_type_within_their_bounds() {
        for ty in ["f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2", "i8", "u8", "i32", "u64"] {
            let signed = if ty.starts_with('u') { 0.0 } else { -3.0 };
            let tensor = fill(ty, &[4096], &format!("uniform({signed},5):3"), 0).unwrap();
            let numbers = |tensor: &Tensor| -> Vec<f64> {
                (0..4096).map(|e| tensor.shape.element.number(tensor.bits(e).unwrap())).collect()
            };
            let uniform = numbers(&tensor);
            assert!(uniform.iter().all(|n| (signed..=5.0).contains(n)), "{ty}");
            let mean = uniform.iter().sum::<f64>() / 4096.0;
            let middle = if tensor.shape.element.is_integer() { (signed + 4.0) / 2.0 } else { (signed + 5.0) / 2.0 };
            assert!((mean - middle).abs() < 0.15, "{ty}: {mean}");
            let normal = numbers(&fill(ty, &[4096], "normal(40,4)", 1).unwrap());
            let mean = normal.iter().sum::<f64>() / 4096.0;
            assert!((mean - 40.0).abs() < 0.3, "{ty}: {mean}");
        }
    }

    #[test]
    fn integers_come_as_far_as_below_the_second_bound() {
        let tensor = fill("i32", &[4096], "uniform(-2,2)", 0).unwrap();
        let mut seen: Vec<i128> = (0..4096).map(|e| tensor.shape.element.integer(tensor.bits(e).unwrap())).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, [-2, -1, 0, 1]);
        assert!(fill("u64", &[64], "uniform(0,18446744073709551616)", 0).is_some());
        assert!(
            fill("f64", &[64], "uniform(-1.7e308,1.7e308)", 0)
                .unwrap()
                .bytes
                .chunks(8)
                .all(|b| b[7] & 0x7f != 0x7f || b[6] < 0xf0)
        );
    }

    #[test]
    fn too_large_is_an_error() {
        let shape = Shape::new("u8".parse().unwrap(), vec![isize::MAX as usize]).unwrap();
        assert!(matches!(contents(&shape, &Fill::Zeros, 0), Err(FillError::Memory { .. })));
    }
}
