//! `cp.async.bulk`: the memories that it copies between, and its chunks, which are contiguous in both and multiples of 16
//! bytes (PTX ISA, cp.async.bulk).

mod route;

pub use route::{Route, RouteError};

use thiserror::Error;
use tile_layout::{Axis, Iter, Layout, counted};

use crate::access::{AccessError, CHUNK_BITS, check_element_bits};
use crate::mbarrier::MAX_TRANSACTION_BYTES;
use crate::messages::message_of;

/// Layouts whose chunks are not those of a bulk copy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ChunkError {
    /// Elements that whole instructions do not move.
    #[error(transparent)]
    Element(#[from] AccessError),
    /// Other chunks in the source than in the destination.
    #[error("got chunks {src:?} in the source and {dst:?} in the destination, expected the same")]
    Chunks { src: Vec<i64>, dst: Vec<i64> },
    /// More bytes than an mbarrier counts.
    #[error("got {0} bytes, expected at most {MAX_TRANSACTION_BYTES}, which an mbarrier counts")]
    Bytes(i128),
    /// A side that is not in memory.
    #[error("got axis '{axis}' in the {side}'s layout {layout}, expected memory only")]
    Axis { axis: Axis, side: &'static str, layout: Box<Layout> },
    /// A side whose last iter, an extent and a stride, is not contiguous.
    #[error("got last iter {} in the {side}'s layout, expected a chunk of stride 1", iter(.last))]
    Stride { last: Option<(i64, i64)>, side: &'static str },
    /// Chunks that are no multiple of 16 bytes.
    #[error("got chunks of {} of {bits} bits, {} bytes, expected a multiple of 16", counted(*.chunk, "element"), i128::from(*.chunk) * i128::from(*.bits) / 8)]
    Size { chunk: i64, bits: u32 },
    /// Chunks that a swizzle breaks up.
    #[error("got chunks of {} in the {side}, expected no more than the {kept} that its swizzle keeps together", counted(*.chunk, "element"))]
    Swizzle { chunk: i64, side: &'static str, kept: i64 },
}

message_of!(ChunkError);

fn iter(last: &Option<(i64, i64)>) -> String {
    last.map_or("none".to_owned(), |(extent, stride)| format!("({extent}) : ({stride})"))
}

/// Checks that two layouts have the same chunks: the last iter of each is one bulk copy, and the others number the copies.
///
/// # Errors
/// Elements of another width; a layout on axes other than memory, or whose last iter is not contiguous; chunks that are no
/// multiple of 16 bytes or that a swizzle breaks up; different extents; too many bytes. Got and expected.
pub fn check_chunks(src: &Layout, dst: &Layout, element_bits: u32) -> Result<(), ChunkError> {
    check_element_bits(element_bits)?;
    for (name, layout) in [("source", src), ("destination", dst)] {
        check_side(name, layout, element_bits)?;
    }
    let [from, to] = [src, dst].map(|layout| layout.shard.iter().map(|iter| iter.extent).collect::<Vec<_>>());
    if from != to {
        return Err(ChunkError::Chunks { src: from, dst: to });
    }
    check_bytes(src.size(), element_bits)
}

/// Checks that a bulk copy may have this number of elements.
///
/// # Errors
/// More than [`MAX_TRANSACTION_BYTES`]: got and expected.
pub fn check_bytes(elements: i64, element_bits: u32) -> Result<(), ChunkError> {
    let bytes = i128::from(elements) * i128::from(element_bits) / 8;
    if bytes <= i128::from(MAX_TRANSACTION_BYTES) {
        return Ok(());
    }
    Err(ChunkError::Bytes(bytes))
}

fn check_side(side: &'static str, layout: &Layout, bits: u32) -> Result<(), ChunkError> {
    if let Some(axis) = layout.axes().find(|axis| !axis.is_address()) {
        return Err(ChunkError::Axis { axis, side, layout: Box::new(layout.clone()) });
    }
    let chunk = match layout.shard.last() {
        Some(&Iter { extent, stride: 1, .. }) => extent,
        last => return Err(ChunkError::Stride { last: last.map(|iter| (iter.extent, iter.stride)), side }),
    };
    let chunk_bits = i128::from(chunk) * i128::from(bits);
    if chunk < 1 || chunk_bits % i128::from(CHUNK_BITS) != 0 {
        return Err(ChunkError::Size { chunk, bits });
    }
    match layout.swizzle.map(|swizzle| swizzle.chunk()) {
        Some(kept) if kept % chunk != 0 => Err(ChunkError::Swizzle { chunk, side, kept }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(src: &str, dst: &str, bits: u32) -> Result<(), ChunkError> {
        check_chunks(&src.parse().unwrap(), &dst.parse().unwrap(), bits)
    }

    #[test]
    fn multiples_of_16_bytes() {
        for (chunk, bits, fits) in [(4, 32, true), (3, 32, false), (16, 8, true), (8, 8, false), (1, 128, true)] {
            let layout = format!("(2, {chunk}) : (64, 1)");
            assert_eq!(checked(&layout, &layout, bits).is_ok(), fits, "{chunk} of {bits}");
        }
        let layout = "(3) : (1)";
        assert_eq!(
            checked(layout, layout, 32).unwrap_err().to_string(),
            "got chunks of 3 elements of 32 bits, 12 bytes, expected a multiple of 16"
        );
    }

    #[test]
    fn neighbours_alike_on_both_sides() {
        assert!(checked("(2, 4) : (4, 1)", "(8) : (1)", 32).unwrap_err().to_string().contains("got chunks [2, 4]"));
        assert!(
            checked("(8) : (2)", "(8) : (1)", 32)
                .unwrap_err()
                .to_string()
                .contains("got last iter (8) : (2) in the source's")
        );
        assert!(checked("() : ()", "(8) : (1)", 32).unwrap_err().to_string().contains("got last iter none"));
        assert!(
            checked("(8) : (1), swizzle<base = 2, bits = 1, shift = 1>", "(8) : (1)", 32)
                .unwrap_err()
                .to_string()
                .contains("the 4 that its swizzle")
        );
        assert!(checked("(8) : (1@laneid)", "(8) : (1)", 32).unwrap_err().to_string().contains("got axis 'laneid'"));
        assert!(checked("(8) : (1)", "(8) : (1)", 4).unwrap_err().to_string().contains("got elements of 4 bits"));
    }

    #[test]
    fn no_more_bytes_than_an_mbarrier_counts() {
        assert_eq!(checked("(16, 65520) : (65520, 1)", "(16, 65520) : (65520, 1)", 8), Ok(()));
        assert_eq!(
            checked("(16, 65536) : (65536, 1)", "(16, 65536) : (65536, 1)", 8).unwrap_err().to_string(),
            "got 1048576 bytes, expected at most 1048575, which an mbarrier counts"
        );
    }
}
