//! Which of the layouts that engines have suits the products and copies of a tile best.

use std::cmp::Reverse;

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
