//! Widths of elements.

use tile_layout::counted;

/// Bits of the elements that copies move.
pub const ELEMENT_BITS: [u32; 5] = [8, 16, 32, 64, 128];

/// Is an element of `bits` moved by whole instructions?
///
/// # Errors
/// Got and expected.
pub fn check_element_bits(bits: u32) -> Result<(), String> {
    if ELEMENT_BITS.contains(&bits) {
        return Ok(());
    }
    Err(format!("got elements of {}, expected {}", counted(bits, "bit"), element_widths()))
}

/// The widths in words: `8, 16, 32, 64 or 128`.
pub fn element_widths() -> String {
    let names = ELEMENT_BITS.map(|bits| bits.to_string());
    let (last, others) = names.split_last().map_or(("", &[][..]), |(last, others)| (last.as_str(), others));
    format!("{} or {last}", others.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_from_a_byte_on() {
        for bits in 0..300 {
            assert_eq!(check_element_bits(bits).is_ok(), [8, 16, 32, 64, 128].contains(&bits));
        }
        assert_eq!(check_element_bits(4).unwrap_err(), "got elements of 4 bits, expected 8, 16, 32, 64 or 128");
    }
}
