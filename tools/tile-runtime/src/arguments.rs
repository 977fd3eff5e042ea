//! Reads what the host program passes: the arguments of a launch, and descriptors of memrefs of any rank in MLIR's
//! layout.
//!
//! ```text
//!   allocated  aligned  offset  size[0] … size[rank - 1]  stride[0] … stride[rank - 1]
//!   pointer    pointer  i64     i64                       i64
//! ```

use std::ffi::c_void;

use crate::device::Failure;

/// The bytes of each argument; `places` has a pointer to each.
///
/// # Safety
/// There are `count` pointers, each to the number of bytes in `sizes`.
pub(crate) unsafe fn read(
    kernel: &str,
    places: *const *const c_void,
    count: usize,
    sizes: &[usize],
) -> Result<Vec<Vec<u8>>, Failure> {
    if count != sizes.len() {
        let reason = format!("got {count} arguments, expected {}", sizes.len());
        return Err(Failure::Launch { kernel: kernel.to_owned(), reason });
    }
    let argument = |(at, &bytes): (usize, &usize)| {
        // SAFETY: the caller's.
        let place = unsafe { places.add(at).read() };
        if place.is_null() {
            return Err(Failure::Null { what: "an argument", bytes });
        }
        // SAFETY: the caller's.
        Ok(unsafe { std::slice::from_raw_parts(place.cast::<u8>(), bytes) }.to_vec())
    };
    sizes.iter().enumerate().map(argument).collect()
}

/// The memory that a memref covers: its start address and its size in bytes.
///
/// # Safety
/// `descriptor` points to a descriptor of `rank` dimensions.
pub(crate) unsafe fn covered(rank: usize, descriptor: *const i64, element: i64) -> (u64, usize) {
    // SAFETY: the caller's; pointers have 64 bits.
    let words = unsafe { std::slice::from_raw_parts(descriptor, 3 + 2 * rank) };
    let (sizes, strides) = words[3..].split_at(rank);
    span(words[1], words[2], sizes, strides, element)
}

fn span(aligned: i64, offset: i64, sizes: &[i64], strides: &[i64], element: i64) -> (u64, usize) {
    let address = aligned.wrapping_add(offset.wrapping_mul(element)) as u64;
    if sizes.iter().any(|&size| size <= 0) {
        return (address, 0);
    }
    let last = sizes.iter().zip(strides).map(|(size, stride)| (size - 1).saturating_mul(*stride));
    let elements = last.fold(0i64, i64::saturating_add).saturating_add(1);
    (address, usize::try_from(elements.saturating_mul(element)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_apart_are_covered_with_what_is_between() {
        assert_eq!(span(0x1000, 2, &[3, 4], &[8, 1], 4), (0x1008, (2 * 8 + 4) * 4));
        assert_eq!(span(0x1000, 0, &[], &[], 8), (0x1000, 8));
        assert_eq!(span(0x1000, 0, &[0, 4], &[4, 1], 4), (0x1000, 0));
    }
}
