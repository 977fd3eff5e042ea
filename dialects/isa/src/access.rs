//! Widths of elements and of accesses, and the sizes of groups of threads.

use thiserror::Error;
use tile_layout::counted;

use crate::messages::message_of;
use crate::words::{alternatives, joined};

/// Widths and groups of threads that no instruction has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum AccessError {
    /// Elements that have none of the widths [`ELEMENT_BITS`].
    #[error("got elements of {}, expected {}", counted(*.0, "bit"), element_widths())]
    ElementBits(u32),
    /// An access width that the instructions do not have for such elements.
    #[error("got forced_bits = {bits} for elements of {}, expected one of {}", counted(*.element_bits, "bit"), joined(.allowed))]
    ForcedBits { bits: i64, element_bits: u32, allowed: Vec<u32> },
    /// More threads than a block may have, or none.
    #[error("got {}, expected 1 to {MAX_THREADS}", counted(*.0, "thread"))]
    Threads(i64),
    /// Threads that are not elected like that.
    #[error("got threads {threads:?} by \"{by}\", expected {least} to {most} of them, each from 0 to {}", MAX_THREADS - 1)]
    Elected { by: String, threads: Vec<i64>, least: usize, most: usize },
}

message_of!(AccessError);

/// Bits of the elements that copies move.
pub const ELEMENT_BITS: [u32; 5] = [8, 16, 32, 64, 128];

/// Checks that whole instructions can move elements of `bits`.
///
/// # Errors
/// Got and expected.
pub fn check_element_bits(bits: u32) -> Result<(), AccessError> {
    if ELEMENT_BITS.contains(&bits) {
        return Ok(());
    }
    Err(AccessError::ElementBits(bits))
}

/// The widths in words: `8, 16, 32, 64 or 128`.
pub fn element_widths() -> String {
    alternatives(&ELEMENT_BITS)
}

/// Bits that one load or store of a thread moves, widest first; 256 between registers and global memory only (PTX ISA,
/// `ld`, `st`).
pub const ACCESS_BITS: [u32; 6] = [256, 128, 64, 32, 16, 8];

/// Bits that one `cp.async` moves, widest first (PTX ISA, cp.async).
pub const CP_ASYNC_BITS: [u32; 3] = [128, 64, 32];

/// The size and the addresses of what `cp.async.bulk` copies are multiples of this number of bits.
pub const CHUNK_BITS: u32 = 128;

/// The instructions that move the vectors of a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Transfer {
    /// Loads, then stores.
    #[default]
    LoadStore,
    /// `cp.async`, from global to shared memory.
    CpAsync,
}

impl Transfer {
    /// The widths that the instructions have, in bits, widest first.
    pub fn widths(self) -> &'static [u32] {
        match self {
            Transfer::LoadStore => &ACCESS_BITS,
            Transfer::CpAsync => &CP_ASYNC_BITS,
        }
    }

    /// Checks that accesses may be forced to a width of `bits`, for elements of `element_bits`.
    ///
    /// # Errors
    /// A width that the instructions do not have, or that is no multiple of an element: got, and what is allowed.
    pub fn check_width(self, bits: i64, element_bits: u32) -> Result<(), AccessError> {
        let fits = |width: &&u32| **width >= element_bits && width.is_multiple_of(element_bits);
        let allowed: Vec<u32> = self.widths().iter().rev().filter(fits).copied().collect();
        if allowed.iter().any(|&width| i64::from(width) == bits) {
            return Ok(());
        }
        Err(AccessError::ForcedBits { bits, element_bits, allowed })
    }
}

/// Threads of a warp.
pub const WARP: i64 = 32;

/// Threads of a warpgroup: four consecutive warps (PTX ISA, wgmma).
pub const WARPGROUP: i64 = 4 * WARP;

/// Threads of a block on every chip (CUDA programming guide, technical specifications per compute capability).
pub const MAX_THREADS: i64 = 1024;

/// Checks that a block may have this number of threads.
///
/// # Errors
/// Got and expected.
pub fn check_threads(threads: i64) -> Result<(), AccessError> {
    if (1..=MAX_THREADS).contains(&threads) {
        return Ok(());
    }
    Err(AccessError::Threads(threads))
}

/// Checks that these are numbers of threads of a block, and that the way `by` to elect some takes as many.
///
/// # Errors
/// Got and expected.
pub fn check_elected(by: &str, threads: &[i64]) -> Result<(), AccessError> {
    let (least, most) = match by {
        "elected" => (1, 1),
        "elected_in_block" => (1, MAX_THREADS as usize),
        _ => (0, 0),
    };
    let inside = threads.iter().all(|thread| (0..MAX_THREADS).contains(thread));
    if (least..=most).contains(&threads.len()) && inside {
        return Ok(());
    }
    Err(AccessError::Elected { by: by.to_owned(), threads: threads.to_vec(), least, most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_from_a_byte_on() {
        for bits in 0..300 {
            assert_eq!(check_element_bits(bits).is_ok(), [8, 16, 32, 64, 128].contains(&bits));
        }
        assert_eq!(
            check_element_bits(4).unwrap_err().to_string(),
            "got elements of 4 bits, expected 8, 16, 32, 64 or 128"
        );
    }

    #[test]
    fn widths_hold_whole_elements() {
        for bits in -8..600 {
            for element in [8, 16, 32, 64, 128] {
                let whole = bits >= i64::from(element) && bits % i64::from(element) == 0;
                let load = whole && [8, 16, 32, 64, 128, 256].contains(&bits);
                assert_eq!(Transfer::LoadStore.check_width(bits, element).is_ok(), load, "{bits} of {element}");
                let copy = whole && [32, 64, 128].contains(&bits);
                assert_eq!(Transfer::CpAsync.check_width(bits, element).is_ok(), copy, "{bits} of {element}");
            }
        }
        assert_eq!(
            Transfer::CpAsync.check_width(256, 64).unwrap_err().to_string(),
            "got forced_bits = 256 for elements of 64 bits, expected one of 64, 128"
        );
    }

    #[test]
    fn threads_of_a_block() {
        for threads in [-1, 0, 1, 32, 1024, 1025, i64::MAX] {
            assert_eq!(check_threads(threads).is_ok(), (1..=1024).contains(&threads), "{threads}");
        }
        assert_eq!(check_elected("elected", &[1023]), Ok(()));
        assert_eq!(check_elected("elected_in_block", &[0, 32]), Ok(()));
        assert_eq!(check_elected("owners", &[]), Ok(()));
        let refused = |by, threads: &[i64]| check_elected(by, threads).unwrap_err().to_string();
        assert_eq!(
            refused("elected", &[0, 1]),
            "got threads [0, 1] by \"elected\", expected 1 to 1 of them, each from 0 to 1023"
        );
        assert!(refused("elected_in_block", &[]).contains("expected 1 to 1024"));
        assert!(refused("everyone", &[3]).contains("expected 0 to 0"));
        assert!(refused("elected", &[1024]).ends_with("from 0 to 1023"));
    }
}
