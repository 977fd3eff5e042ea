//! The encoder of tensor maps that host programs call (`tile.tensor_map`). Upstream has no such function for maps whose dimensions
//! are not those of a memref.

use std::ffi::c_void;

use ptx_sim::{Im2col, Interleave, L2Promotion, OutOfBounds, Swizzle, TENSOR_MAP_BYTES, TensorElement, TiledMap};

use crate::abi::with;
use crate::device::Failure;

/// Numbers before those of the dimensions: element type, rank, swizzle, L2 promotion, fill.
const HEAD: usize = 5;
/// Numbers of a dimension: extent, stride in bytes, extent of the box, element stride.
const OF_DIMENSION: usize = 4;
const MAX_RANK: usize = 5;

/// Encodes a tensor map of boxes to 128 bytes.
///
/// # Safety
/// `map` points to 128 bytes; `fields` to five numbers, and four for each dimension.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tileEncodeTensorMap(map: *mut c_void, base: *mut c_void, fields: *const i64) {
    // SAFETY: the caller's.
    unsafe { encode(map, base, fields, 0, |map, _| Ok(map)) }
}

/// Encodes a tensor map of pixels of images to 128 bytes.
///
/// # Safety
/// `map` points to 128 bytes; `fields` to the numbers of [`tileEncodeTensorMap`], then the number of pixels, then the lower and
/// the upper corner in each dimension of pixels, of which there are two less than dimensions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tileEncodeIm2colMap(map: *mut c_void, base: *mut c_void, fields: *const i64) {
    // SAFETY: the caller's.
    unsafe { encode(map, base, fields, 2, with_pixels) }
}

/// Encodes a map with what is read of `more` numbers for each dimension behind the fields of any map.
///
/// # Safety
/// `map` points to 128 bytes; `fields` to five numbers, and four, and `more`, for each dimension but that `more` are none of channels
/// and images, and one number is before these.
unsafe fn encode(
    map: *mut c_void,
    base: *mut c_void,
    fields: *const i64,
    more: usize,
    with_more: impl FnOnce(TiledMap, &[i64]) -> Result<TiledMap, Failure>,
) {
    with(|device| {
        if map.is_null() || fields.is_null() {
            return Err(Failure::Null { what: "a tensor map", bytes: TENSOR_MAP_BYTES });
        }
        // SAFETY: the caller's; the rank says how many there are.
        let head = unsafe { std::slice::from_raw_parts(fields, HEAD) };
        let rank = usize::try_from(head[1]).ok().filter(|rank| (1..=MAX_RANK).contains(rank));
        let rank = rank.ok_or_else(|| wrong(format!("got {} dimensions, expected 1 to {MAX_RANK}", head[1])))?;
        // SAFETY: the caller's.
        let dimensions = unsafe { std::slice::from_raw_parts(fields.add(HEAD), OF_DIMENSION * rank) };
        let count = if more == 0 { 0 } else { 1 + more * rank.saturating_sub(2) };
        // SAFETY: the caller's.
        let rest = unsafe { std::slice::from_raw_parts(fields.add(HEAD + OF_DIMENSION * rank), count) };
        let arguments = with_more(read(base.expose_provenance() as u64, head, dimensions)?, rest)?;
        let encoded = device.encode(arguments)?;
        // SAFETY: the caller's.
        unsafe { std::ptr::copy_nonoverlapping(encoded.as_ptr(), map.cast::<u8>(), TENSOR_MAP_BYTES) };
        Ok(())
    });
}

/// The map with pixels, and pairs of corners.
fn with_pixels(map: TiledMap, fields: &[i64]) -> Result<TiledMap, Failure> {
    let number = |&got: &i64| i32::try_from(got).map_err(|_| wrong(format!("got a corner at {got}, expected 32 bits")));
    let corner = |place: usize| fields.iter().skip(1 + place).step_by(2).map(number).collect::<Result<Vec<i32>, _>>();
    let pixels = fields.first().copied().unwrap_or_default();
    let pixels = u32::try_from(pixels).map_err(|_| wrong(format!("got {pixels} pixels, expected 32 bits")))?;
    Ok(TiledMap { im2col: Some(Im2col { lower: corner(0)?, upper: corner(1)?, pixels }), ..map })
}

fn wrong(reason: String) -> Failure {
    Failure::TensorMap(reason)
}

/// The arguments of the encoder.
fn read(base: u64, head: &[i64], dimensions: &[i64]) -> Result<TiledMap, Failure> {
    let dimension = |field: usize| dimensions.iter().copied().skip(field).step_by(OF_DIMENSION);
    let wide = |field, what: &str| -> Result<Vec<u64>, Failure> {
        let number = |got| u64::try_from(got).map_err(|_| wrong(format!("got {what} {got}, expected 0 or more")));
        dimension(field).map(number).collect()
    };
    let narrow = |field, what: &str| -> Result<Vec<u32>, Failure> {
        let number = |got| u32::try_from(got).map_err(|_| wrong(format!("got {what} {got}, expected 32 bits")));
        dimension(field).map(number).collect()
    };
    let strides = wide(1, "a stride of")?;
    Ok(TiledMap {
        element: of_number(head[0], TensorElement::ALL, TensorElement::number, "element type")?,
        base,
        dims: wide(0, "an extent of")?,
        strides: strides.into_iter().skip(1).collect(),
        box_dims: narrow(2, "a box of")?,
        element_strides: narrow(3, "an element stride of")?,
        interleave: Interleave::None,
        swizzle: of_number(head[2], Swizzle::ALL, Swizzle::number, "swizzle")?,
        promotion: of_number(head[3], L2Promotion::ALL, L2Promotion::number, "L2 promotion")?,
        fill: of_number(head[4], OutOfBounds::ALL, OutOfBounds::number, "fill")?,
        im2col: None,
    })
}

/// The value that the driver has that number for.
fn of_number<T: Copy>(got: i64, all: &[T], number: impl Fn(T) -> u32, what: &str) -> Result<T, Failure> {
    let numbered = all.iter().copied().find(|&value| i64::from(number(value)) == got);
    numbered.ok_or_else(|| wrong(format!("got {what} {got}, expected one that the driver has")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_those_of_the_driver() {
        let map = read(256, &[6, 2, 3, 2, 0], &[64, 2, 64, 1, 512, 1024, 32, 1]).unwrap();
        let expected = TiledMap::new(TensorElement::F16, 256, &[64, 512], &[1024], &[64, 32]);
        assert_eq!(map, TiledMap { swizzle: Swizzle::B128, promotion: L2Promotion::B128, ..expected });
        let pixels = Im2col { lower: vec![-1, -2], upper: vec![3, 4], pixels: 64 };
        assert_eq!(with_pixels(map.clone(), &[64, -1, 3, -2, 4]).unwrap(), TiledMap { im2col: Some(pixels), ..map });
        let refused = |head: &[i64], dimensions: &[i64]| read(0, head, dimensions).unwrap_err().to_string();
        assert!(
            refused(&[99, 1, 0, 0, 0], &[64, 2, 64, 1])
                .ends_with("got element type 99, expected one that the driver has")
        );
        assert!(refused(&[6, 1, 0, 0, 0], &[-1, 2, 64, 1]).ends_with("got an extent of -1, expected 0 or more"));
        assert!(
            refused(&[6, 1, 0, 0, 0], &[64, 2, 1 << 40, 1]).ends_with("got a box of 1099511627776, expected 32 bits")
        );
    }
}
