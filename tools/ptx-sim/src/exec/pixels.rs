//! Pixels of images in a copy through a map of im2col mode (PTX ISA 5.5.4).

use super::boxes::Rows;
use super::problem::{Exec, Problem, invalid};
use crate::code::BoxRows;
use crate::tensor_map::{Im2col, TensorMap};

/// The pixels from a corner on, after checks of what a GPU leaves undefined.
pub(super) fn rows(map: &TensorMap, im2col: &Im2col, corner: &[i64], filter: &[i64]) -> Exec<Rows> {
    let dims = &map.arguments().dims;
    for (place, &at) in corner[1..corner.len() - 1].iter().enumerate() {
        let positions = im2col.positions(place, dims[place + 1]);
        if !positions.contains(&at) {
            let (dimension, first, last) = (place + 1, positions.start, positions.end - 1);
            return Err(invalid(format!(
                "got coordinate {at} of dimension {dimension}, expected a pixel of the box, {first} to {last}"
            )));
        }
    }
    let most = (1 << Im2col::bits(map.rank())) - 1;
    if let Some((place, &got)) = (1..).zip(filter).find(|(_, got)| **got > most) {
        let rank = map.rank();
        return Err(invalid(format!(
            "got offset {got} of the filter in dimension {place}, expected 0 to {most} for images of {rank} dimensions"
        )));
    }
    Ok(Rows::of_pixels(map, im2col, corner, filter))
}

/// Refuses a store whose pixels leave an image, other than behind the last one: an H100 has executed that as an illegal instruction.
pub(super) fn check_store(map: &TensorMap) -> Exec<()> {
    let Some(Im2col { lower, upper, .. }) = &map.arguments().im2col else { return Ok(()) };
    match (1..).zip(lower.iter().zip(upper)).find(|(_, (lower, upper))| **lower < 0 || **upper > 0) {
        None => Ok(()),
        Some((dimension, (lower, upper))) => Err(invalid(format!(
            "got pixels from {lower} to the end and {upper} in dimension {dimension}, expected pixels of the image: a store \
             may leave only the last one, at its end"
        ))),
    }
}

/// A map of the other mode than the instruction's.
pub(super) fn other_mode(rows: BoxRows) -> Box<Problem> {
    if rows == BoxRows::Pixels {
        return invalid("got a tensor map of boxes, the instruction takes pixels (`.im2col`)");
    }
    invalid("got a tensor map of pixels (cuTensorMapEncodeIm2col), the instruction takes boxes (`.tile`)")
}
