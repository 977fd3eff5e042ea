//! What is multiplied: normally distributed numbers, the same for all candidates.

use tile_run::contents::{Distribution, Fill};
use tile_run::fill;
use tile_run::input::Input;
use tile_run::tensor::Shape;

use crate::error::TuneError;

/// The elements after which large buffers repeat: a prime, so that no two rows of a matrix are the same.
const PERIOD: usize = 1_048_573;

/// What `tile-run` fills a buffer with that is so many arguments after the first.
pub fn fill(number: usize) -> String {
    format!("normal(0,1):{number}")
}

/// The bytes of a buffer's memory, with the elements as close as they are in a dense one; none for other arguments.
///
/// # Errors
/// The host has not enough memory.
pub fn memory(number: usize, input: &Input) -> Result<Option<Vec<u8>>, TuneError> {
    let Input::Buffer { shape, placement, .. } = input else { return Ok(None) };
    let elements =
        placement.as_ref().map_or(shape.elements(), |placed| placed.span(&shape.extents).unwrap_or_default());
    let Ok(period) = Shape::new(shape.element, vec![elements.min(PERIOD)]) else { return Ok(None) };
    let normal = Fill::Drawn(Distribution::Normal(0.0, 1.0), Some(number as u64));
    let period = fill::contents(&period, &normal, 0)?.map(|tensor| tensor.bytes).unwrap_or_default();
    let bytes = elements * shape.element.bytes;
    let mut memory = Vec::with_capacity(bytes);
    while memory.len() < bytes {
        memory.extend_from_slice(&period[..period.len().min(bytes - memory.len())]);
    }
    Ok(Some(memory))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(extents: Vec<usize>) -> Input {
        let shape = Shape::new("f16".parse().unwrap(), extents).unwrap();
        Input::Buffer { shape, contents: None, placement: None, numbers: Vec::new(), is_passed: true }
    }

    #[test]
    fn large_buffers_repeat_and_buffers_differ() {
        let of_buffer = |number, extents| memory(number, &buffer(extents)).unwrap().unwrap();
        let large = of_buffer(0, vec![2, PERIOD]);
        assert_eq!(large.len(), 4 * PERIOD);
        assert!(large[..2 * PERIOD] == large[2 * PERIOD..]);
        assert_ne!(of_buffer(0, vec![8, 8]), of_buffer(1, vec![8, 8]));
        assert_eq!(memory(0, &Input::Null { numbers: 0 }).unwrap(), None);
    }
}
