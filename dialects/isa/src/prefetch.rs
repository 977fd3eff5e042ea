//! Prefetches of global memory into L2: `prefetch.global.L2` brings a line, `cp.async.bulk.prefetch.L2` a chunk like
//! those of bulk copies (PTX ISA, prefetch, cp.async.bulk.prefetch).

/// Bytes of a line of L2, which also begins at a multiple of them.
pub const LINE_BYTES: i64 = 128;

/// The most bytes of one bulk prefetch: its size is an operand of 32 bits, and a multiple of 16.
pub const MAX_CHUNK_BYTES: i64 = i32::MAX as i64 & !15;

/// The most lines that a run of `bytes` bytes touches, where it begins at a multiple of `align` bytes.
///
/// ```
/// use tile_isa::prefetch::most_lines;
///
/// assert_eq!([128, 64, 4].map(|align| most_lines(256, align)), [2, 3, 3]);
/// assert_eq!([128, 64, 4].map(|align| most_lines(64, align)), [1, 1, 2]);
/// ```
pub fn most_lines(bytes: i64, align: i64) -> i64 {
    let begin = LINE_BYTES - align.clamp(1, LINE_BYTES);
    bytes.saturating_add(begin - 1) / LINE_BYTES + 1
}
