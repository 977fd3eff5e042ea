//! The coordinates of elements: a part that depends on the thread, and one that depends on the register.
//!
//! ```text
//!   (2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1), 16 x 8
//!     row      8 * (register / 2) + lane / 4               the thread's part  lane / 4        the registers'  0, 0, 8, 8
//!     column   2 * (lane % 4) + register % 2                                  2 * (lane % 4)                  0, 1, 0, 1
//! ```

use tile_layout::{Eval, IndexArith, Layout};

use crate::distribution::RegisterDistribution;
use crate::problem::refusal::Refusal;
use crate::sides::chain::{on_threads, thread_offset};

/// Part of a coordinate: `(thread / stride % extent) * weight`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CoordinateDigit {
    stride: i64,
    extent: i64,
    weight: i64,
    /// Whether no thread of the scope exceeds the extent.
    is_last: bool,
}

/// The end of a dimension: coordinates below `extent` count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoordinateLimit {
    /// The dimension.
    pub dimension: usize,
    /// Its elements.
    pub extent: i64,
}

/// The coordinates of a tile's elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coordinates {
    /// The first thread.
    offset: i64,
    /// By dimension.
    digits: Vec<Vec<CoordinateDigit>>,
}

impl Coordinates {
    /// Those of a tile of that shape in the registers of as many threads as `tile` has.
    ///
    /// # Errors
    /// A layout whose coordinates are no sum of a thread's part and a register's part.
    pub(super) fn new(
        layout: &Layout,
        shape: &[i64],
        name: &str,
        tile: &RegisterDistribution,
        holding: usize,
    ) -> Result<Self, Refusal> {
        let irregular = || {
            let reason =
                format!("the coordinates of {name} are no sum of a part of the thread and one of the register");
            Refusal::new("coordinates-not-regular", reason)
        };
        let (grouped, seps) = layout.group(shape).map_err(|_| irregular())?;
        let threads = tile.threads() as i64;
        let of_dimension = |dimension: usize| {
            let iters = &grouped.shard[seps[dimension]..seps[dimension + 1]];
            let mut digits = Vec::new();
            let mut weight = 1;
            for iter in iters.iter().rev() {
                if let Some(on) = on_threads(*iter).filter(|on| on.extent > 1 && on.stride > 0) {
                    let is_last = on.stride.saturating_mul(on.extent) >= threads;
                    digits.push(CoordinateDigit { stride: on.stride, extent: on.extent, weight, is_last });
                }
                weight *= iter.extent;
            }
            digits
        };
        let coordinates =
            Coordinates { offset: thread_offset(layout), digits: (0..shape.len()).map(of_dimension).collect() };
        let base = |thread: usize, dimension| coordinates.of_thread(&mut Eval, thread as i64, dimension);
        let is_sum = (0..holding).all(|thread| {
            tile.elements(thread).all(|(register, element)| {
                let first = tile.element(0, register).map(|first| digits_of(first, shape));
                first.is_some_and(|first| {
                    let mut all = digits_of(element, shape).into_iter().zip(first).enumerate();
                    all.all(|(dimension, (now, first))| now - base(thread, dimension) == first - base(0, dimension))
                })
            })
        });
        if is_sum { Ok(coordinates) } else { Err(irregular()) }
    }

    /// The thread's part of a coordinate; `thread` counts within the scope.
    pub fn of_thread<A: IndexArith>(&self, arith: &mut A, thread: A::Value, dimension: usize) -> A::Value {
        let begin = arith.constant(self.offset);
        let thread = if self.offset == 0 { thread } else { arith.sub(thread, begin) };
        let digits = self.digits.get(dimension).map(Vec::as_slice).unwrap_or_default();
        let terms = digits.iter().map(|&CoordinateDigit { stride, extent, weight, is_last }| {
            let stride = arith.constant(stride);
            let mut digit = arith.div(thread.clone(), stride);
            if !is_last {
                let extent = arith.constant(extent);
                digit = arith.rem(digit, extent);
            }
            arith.scale(digit, weight)
        });
        let terms = terms.collect();
        arith.sum(terms, 0)
    }

    /// The register's part: what is left of the first thread's coordinates.
    pub(super) fn of_register(&self, element: i64, shape: &[i64]) -> Vec<i64> {
        let parts = digits_of(element, shape).into_iter().enumerate();
        parts.map(|(dimension, all)| all - self.of_thread(&mut Eval, 0, dimension)).collect()
    }
}

/// The coordinates of an element by its number in row-major order.
pub(super) fn digits_of(element: i64, shape: &[i64]) -> Vec<i64> {
    let mut rest = element;
    let mut digits: Vec<i64> = shape
        .iter()
        .rev()
        .map(|&extent| {
            let digit = rest % extent;
            rest /= extent;
            digit
        })
        .collect();
    digits.reverse();
    digits
}

/// The number, in row-major order, of the element with those coordinates.
pub(super) fn element_at(digits: &[i64], shape: &[i64]) -> i64 {
    digits.iter().zip(shape).fold(0, |element, (digit, extent)| element * extent + digit)
}
