//! The indices of a thread's terms along the dimension that is reduced: a part of the thread, and one of the register.
//!
//! ```text
//!   argmax of C of mma.sync, 16 x 8, along columns       (2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)
//!     the thread's part   2 * (lane % 4)
//!     the registers'      0, 1 of row g, 0, 1 of row g + 8
//! ```
//!
//! Of its own terms, which are in order, a thread compares the elements alone, and only the register's part, a constant, is carried
//! along. The thread's part is added once, before lanes are compared.

use tile_layout::IndexArith;

use super::coordinates::Coordinates;
use super::operand::RegisterOperand;
use crate::distribution::RegisterDistribution;
use crate::problem::refusal::Refusal;

/// The indices of the terms that a thread holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermIndices {
    coordinates: Coordinates,
    dim: usize,
    /// The register's part, by result and term.
    pub parts: Vec<Vec<i64>>,
}

impl TermIndices {
    /// Those of terms in these registers, by result; the first `holding` threads hold some.
    ///
    /// # Errors
    /// As [`Coordinates::new`].
    pub(super) fn new(
        source: &RegisterOperand,
        tile: &RegisterDistribution,
        (dim, holding): (usize, usize),
        terms: Vec<Vec<usize>>,
    ) -> Result<Self, Refusal> {
        let coordinates = Coordinates::new(&source.layout, &source.shape, &source.name, tile, holding)?;
        let part = |register: usize| {
            let element = tile.element(0, register)?;
            coordinates.of_register(element, &source.shape).get(dim).copied()
        };
        let of_result = |registers: Vec<usize>| registers.into_iter().filter_map(part).collect();
        let parts = terms.into_iter().map(of_result).collect();
        Ok(TermIndices { coordinates, dim, parts })
    }

    /// The thread's part; `thread` counts within the scope.
    pub fn of_thread<A: IndexArith>(&self, arith: &mut A, thread: A::Value) -> A::Value {
        self.coordinates.of_thread(arith, thread, self.dim)
    }
}
