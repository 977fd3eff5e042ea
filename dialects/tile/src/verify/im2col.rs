//! The clauses of copies of pixels of images: `im2col`, `steps` and `filter`.

use melior::ir::operation::OperationLike;
use tile_layout::counted;

use crate::Space;
use crate::error::{VerifyError, mismatch};
use crate::ops::{CopyOp, MAX_PIXEL_DIMENSIONS, Operand, integers};

/// Checks that the clauses fit the images, their region and each other.
///
/// # Errors
/// Got and expected.
pub(super) fn im2col(copy: CopyOp<'_, '_>) -> Result<(), VerifyError> {
    let has = |name: &str| copy.0.has_attribute(name);
    if !has("lower") || !has("upper") {
        let clauses = [("steps", has("steps")), ("filter", !copy.filter().is_empty())];
        let clause = clauses.into_iter().find_map(|(name, given)| given.then_some(name));
        return clause.map_or(Ok(()), |clause| Err(mismatch!("{clause} of a copy without im2col"; expected "both")));
    }
    let images = images(copy)?;
    let pixels = images.buffer.shape().len() - 2;
    for (name, optional) in [("lower", false), ("upper", false), ("steps", true)] {
        let got = integers(copy.0, name).len();
        if got != pixels && (!optional || has(name)) {
            let (got, what) = (counted(got, "number"), if optional { "steps" } else { "a corner" });
            return Err(mismatch!("{got} as {what} of im2col"; expected "{pixels}, one for each dimension of pixels"));
        }
    }
    let (region, loads) = (&images.region, copy.dst().is_some_and(|dst| dst.buffer.space() == Space::Shared));
    if let Some((dimension, size)) = region.sizes[..pixels].iter().enumerate().find(|(_, size)| **size != 1) {
        return Err(mismatch!("a region of pixels of size {size} in dimension {dimension}";
            expected "1: dimension {pixels} counts pixels"));
    }
    let (got, expected) = (copy.filter().len(), if loads { pixels } else { 0 });
    if got != expected {
        let what = if loads { "one for each dimension of pixels" } else { "as stores have no filter" };
        return Err(mismatch!("{} of a filter", counted(got, "offset"); expected "{expected}, {what}"));
    }
    if !copy.rows().is_empty() || copy.until().is_some() {
        return Err(mismatch!("im2col with rows or until"; expected "one of them"));
    }
    match (copy.masked(), copy.filler().is_some() || !loads) {
        (true, true) => Ok(()),
        (true, false) => Err(mismatch!("im2col of a load without fill";
            expected "masked fill(…): pixels may be outside")),
        (false, _) => Err(mismatch!("im2col of a copy that is not masked"; expected "masked: pixels may be outside")),
    }
}

/// The images in global memory.
fn images<'c, 'a>(copy: CopyOp<'c, 'a>) -> Result<Operand<'c, 'a>, VerifyError> {
    let sides = [copy.src(), copy.dst()].into_iter().flatten();
    let mut images: Vec<_> = sides.filter(|side| side.buffer.space() == Space::Global).collect();
    let count = counted(images.len(), "tile");
    let (Some(images), true) = (images.pop(), images.is_empty()) else {
        return Err(mismatch!("im2col of {count} in global memory"; expected "one"));
    };
    match images.buffer.shape().len() {
        rank if (3..=MAX_PIXEL_DIMENSIONS + 2).contains(&rank) => Ok(images),
        rank => Err(mismatch!("im2col of a tile of rank {rank}"; expected "3 to 5: images, their pixels, channels")),
    }
}
