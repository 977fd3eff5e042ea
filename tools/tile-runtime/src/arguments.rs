//! The arguments of a launch.

use std::ffi::c_void;

use crate::device::Failure;

/// The bytes of each argument, of which `places` has a pointer each.
///
/// # Safety
/// There are `count` pointers, to as many bytes each as `sizes` says.
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
