//! Copies between registers: the digits of a layout that are exchanged with lanes, and those that share a word.

use thiserror::Error;

use crate::access::MAX_THREADS;
use crate::messages::message_of;

/// Digits that cannot be exchanged with lanes, or cannot share a word.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum LanesError {
    /// Pairs of which one has no such digit or lane.
    #[error("got exchanges {pairs:?}, expected pairs of a digit below {digits} and a power of two below {MAX_THREADS}")]
    Exchanges { pairs: Vec<i64>, digits: usize },
    /// More digits in a word than fit.
    #[error("got packed = {packed} of {digits} digits, with elements of {element_bits} bits, expected {}", up_to(*.most))]
    Packed { packed: usize, digits: usize, element_bits: u32, most: usize },
}

message_of!(LanesError);

fn up_to(most: usize) -> String {
    if most == 0 { "none".to_owned() } else { format!("1 to {most}") }
}

/// The most trailing digits, of two values each, that may share a 32-bit word: four elements of one byte.
pub const MAX_PACKED: usize = 2;

/// Checks pairs of a digit, in a layout of `digits`, and the distance, a power of two, between the lanes that it is
/// exchanged with.
///
/// # Errors
/// Got and expected.
pub fn check_digit_exchanges(pairs: &[i64], digits: usize) -> Result<(), LanesError> {
    let is_digit = |digit: i64| usize::try_from(digit).is_ok_and(|digit| digit < digits);
    let is_distance = |distance: i64| distance.count_ones() == 1 && (1..MAX_THREADS).contains(&distance);
    let fits = |pair: &[i64]| is_digit(pair[0]) && is_distance(pair[1]);
    if pairs.len().is_multiple_of(2) && pairs.chunks_exact(2).all(fits) {
        return Ok(());
    }
    Err(LanesError::Exchanges { pairs: pairs.to_vec(), digits })
}

/// Checks that `packed` of a layout's digits may share a word, for elements of `element_bits`.
///
/// # Errors
/// Got and expected.
pub fn check_packed(packed: usize, digits: usize, element_bits: u32) -> Result<(), LanesError> {
    if packed == 0 || (packed <= MAX_PACKED.min(digits) && element_bits << packed <= 32) {
        return Ok(());
    }
    let most = (1..=MAX_PACKED.min(digits)).rev().find(|&most| element_bits << most <= 32).unwrap_or(0);
    Err(LanesError::Packed { packed, digits, element_bits, most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_lanes_that_there_are() {
        for distance in -2..1100 {
            let fits = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512].contains(&distance);
            assert_eq!(check_digit_exchanges(&[0, 1, 2, distance], 3).is_ok(), fits, "{distance}");
        }
        for digit in -1..5 {
            assert_eq!(check_digit_exchanges(&[digit, 1], 3).is_ok(), (0..3).contains(&digit), "{digit}");
        }
        assert_eq!(
            check_digit_exchanges(&[3, 1], 3).unwrap_err().to_string(),
            "got exchanges [3, 1], expected pairs of a digit below 3 and a power of two below 1024"
        );
        assert!(check_digit_exchanges(&[0, 1, 2], 3).is_err());
        assert!(check_digit_exchanges(&[0, i64::MIN], 3).is_err());
    }

    #[test]
    fn what_a_word_has_room_for() {
        for (bits, most) in [(8, 2), (16, 1), (32, 0), (64, 0), (128, 0)] {
            for packed in 0..5 {
                assert_eq!(check_packed(packed, 4, bits).is_ok(), packed <= most, "{packed} of {bits}");
                assert_eq!(check_packed(packed, 1, bits).is_ok(), packed <= most.min(1), "{packed} of {bits}");
            }
        }
        assert_eq!(
            check_packed(3, 4, 8).unwrap_err().to_string(),
            "got packed = 3 of 4 digits, with elements of 8 bits, expected 1 to 2"
        );
        assert!(check_packed(1, 4, 32).unwrap_err().to_string().ends_with("expected none"));
    }
}
