//! Minimum and maximum.

use super::Format;

/// The smaller or larger of two values; -0 is smaller than +0. One NaN gives the other value, or NaN where `nan`.
pub(crate) fn extremum(format: Format, a: u64, b: u64, min: bool, nan: bool) -> u64 {
    match (format.is_nan(a), format.is_nan(b)) {
        (true, true) => return format.nan_of(&[b, a]),
        (true, false) | (false, true) if nan => return format.nan,
        (true, false) => return b,
        (false, true) => return a,
        _ => {}
    }
    // Sign and magnitude to an order of integers.
    let key = |bits: u64| {
        let magnitude = (bits & !format.sign_bit(true)) as i64;
        if bits & format.sign_bit(true) != 0 { -magnitude - 1 } else { magnitude }
    };
    if (key(a) <= key(b)) == min { a } else { b }
}
