//! The layouts that TMA and the descriptors of matrix engines can express: panels as wide as the pieces that a swizzle exchanges; and
//! which of them suits the products and copies of a tile best.

use std::cmp::Reverse;

use tile_layout::{Iter, Layout, Swizzle};

/// The layouts of a tile, the widest panels first: of rows, then of columns. Dimensions before the last two are outermost, as stages are.
pub fn engine_layouts(shape: &[i64], element_bytes: i64) -> Vec<Layout> {
    let Some((&[rows, columns], outer)) = shape.split_last_chunk::<2>().map(|(outer, last)| (last, outer)) else {
        return Vec::new();
    };
    let mut layouts = Vec::new();
    for bits in (0..=3).rev() {
        for by_rows in [true, false] {
            let (run, count) = if by_rows { (columns, rows) } else { (rows, columns) };
            let Some([inner, slow]) = panels(run, count, bits, element_bytes) else { continue };
            let matrix = if by_rows { slow.into_iter().chain(inner) } else { inner.into_iter().chain(slow) };
            let swizzle = swizzle(bits, element_bytes);
            let all: Vec<_> = stages(outer, rows * columns).into_iter().chain(matrix).collect();
            layouts.push(Layout { swizzle, ..Layout::new(all) });
        }
    }
    layouts
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

/// What a layout allows; more is better: that no product is refused, then products, then maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EngineScore {
    /// Products that no variant does: the fewer the better.
    pub refused: Reverse<i64>,
    /// The priorities of the variants of all products, added.
    pub products: i64,
    /// Copies through tensor maps.
    pub maps: i64,
}

impl EngineScore {
    /// The engine that restricts the layout; `None` where none takes part.
    pub fn engine(&self) -> Option<&'static str> {
        match (self.products > 0, self.maps > 0) {
            (true, true) => Some("TMA and the descriptors of products"),
            (true, false) => Some("the descriptors of products"),
            (false, true) => Some("TMA"),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(refused: i64, products: i64, maps: i64) -> EngineScore {
        EngineScore { refused: Reverse(refused), products, maps }
    }

    #[test]
    fn no_refused_product_comes_first_then_products_then_maps() {
        let ascending = [
            score(2, 90, 9),
            score(1, 0, 0),
            score(1, 60, 0),
            score(0, 0, 0),
            score(0, 0, 9),
            score(0, 10, 0),
            score(0, 10, 1),
            score(0, 20, 0),
        ];
        for (at, better) in ascending.iter().enumerate().skip(1) {
            assert!(ascending[..at].iter().all(|worse| worse < better), "{better:?}");
        }
    }

    #[test]
    fn the_engine_is_the_one_that_takes_part() {
        let engine = |products, maps| score(0, products, maps).engine();
        assert_eq!(engine(0, 0), None);
        assert_eq!(engine(10, 0), Some("the descriptors of products"));
        assert_eq!(engine(0, 1), Some("TMA"));
        assert_eq!(engine(10, 1), Some("TMA and the descriptors of products"));
    }
}
