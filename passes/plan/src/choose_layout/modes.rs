//! The layouts that TMA and the descriptors of matrix engines can express: panels as wide as the pieces that a swizzle exchanges.
//!
//! ```text
//!   64x128 f16, 128 bytes      two panels of 64 columns, each 64 rows of 128 bytes     (64, 2, 64) : (64, 4096, 1), swizzle<3, 3, 3>
//! ```

use tile_layout::{Iter, Layout, Swizzle};

/// The layouts of a tile, the widest panels first: of rows, then of columns. Dimensions before the last two are outermost, as stages are.
pub fn engine_layouts(shape: &[i64], element_bytes: i64) -> Vec<Layout> {
    let Some((&[rows, columns], outer)) = shape.split_last_chunk::<2>().map(|(outer, last)| (last, outer)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for bits in (0..=3).rev() {
        for by_rows in [true, false] {
            let (run, count) = if by_rows { (columns, rows) } else { (rows, columns) };
            let Some([inner, slow]) = panels(run, count, bits, element_bytes) else { continue };
            let matrix = if by_rows { slow.into_iter().chain(inner) } else { inner.into_iter().chain(slow) };
            let swizzle = swizzle(bits, element_bytes);
            let all: Vec<_> = stages(outer, rows * columns).into_iter().chain(matrix).collect();
            found.push(Layout { swizzle, ..Layout::new(all) });
        }
    }
    found
}

/// The iters of the dimension that runs along memory, and those of the other one, in panels of `16 << bits` bytes.
fn panels(run: i64, count: i64, bits: u32, element_bytes: i64) -> Option<[Vec<Iter>; 2]> {
    let width = (16 << bits) / element_bytes;
    // Without a swizzle rows are as long as they are.
    let width = if bits == 0 || width >= run { run } else { width };
    if run % width != 0 || (bits > 0 && width * element_bytes != 16 << bits) {
        return None;
    }
    let inner = match run / width {
        1 => vec![Iter::memory(run, 1)],
        panels => vec![Iter::memory(panels, width * count), Iter::memory(width, 1)],
    };
    Some([inner, vec![Iter::memory(count, width)]])
}

fn stages(outer: &[i64], size: i64) -> Vec<Iter> {
    let mut stride = size;
    let mut iters: Vec<Iter> = outer
        .iter()
        .rev()
        .map(|&extent| {
            let iter = Iter::memory(extent, stride);
            stride *= extent;
            iter
        })
        .collect();
    iters.reverse();
    iters
}

/// The swizzle that exchanges the pieces of 16 bytes in rows of `16 << bits` bytes.
fn swizzle(bits: u32, element_bytes: i64) -> Option<Swizzle> {
    let base = (16 / element_bytes.clamp(1, 16)).ilog2();
    Swizzle::new(base, bits, 3, true).ok().filter(|_| bits > 0)
}
