//! Makes what buffers hold before the run.

use thiserror::Error;

use crate::argument::Fill;
use crate::element::Element;
use crate::npy::{self, NpyError};
use crate::random::Random;
use crate::tensor::{Shape, Tensor};

/// Why a buffer has no contents.
#[derive(Debug, Error)]
pub enum FillError {
    /// The host has not enough memory.
    #[error("{shape} needs {bytes} bytes of host memory, which are not there")]
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

/// The contents of a buffer; `seed` counts where the fill has none of its own. None: no value, on purpose.
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
        Fill::Random(own) => {
            let mut random = Random::new(own.unwrap_or(seed));
            each(bytes, shape.element, |_| finite(shape.element, random.bits()))
        }
    };
    Ok(Some(Tensor { shape: shape.clone(), bytes, missing: None }))
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

/// The lowest of these bits; a NaN or infinity loses the highest bit of its exponent.
fn finite(element: Element, bits: u64) -> u64 {
    let bits = bits & element.mask();
    let below_sign = (element.mask() >> 2) + 1;
    if element.is_finite(bits) { bits } else { bits & !below_sign }
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
    fn too_large_is_an_error() {
        let shape = Shape::new("u8".parse().unwrap(), vec![isize::MAX as usize]).unwrap();
        assert!(matches!(contents(&shape, &Fill::Zeros, 0), Err(FillError::Memory { .. })));
    }
}
