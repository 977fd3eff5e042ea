//! The start of a buffer, as an address in its storage.

use thiserror::Error;
use tile_layout::{Axis, IndexArith, Layout, counted, gcd};

use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::run_time::RunTimeStride;
use crate::sides::address::finish;
use crate::sides::side::Side;

impl Operand {
    /// The location of address 0 of `layout`, the layout of the operand's type, in the operand's storage: run-time
    /// terms, and a static part as the layout's offset. The operand is [settled](Operand::settled).
    ///
    /// # Errors
    /// A location that is not a multiple of the swizzle's period, since only the sum of start and address can be
    /// swizzled; an offset of `layout` in run-time strides.
    pub fn beginning(&self, layout: &Layout) -> Result<Side, BeginError> {
        if layout.offset.iter().any(|(&axis, &value)| axis != Axis::Memory && value != 0) {
            return Err(BeginError::Offset(Box::new(layout.clone())));
        }
        let mut offset = self.layout.offset.clone();
        let memory = offset.entry(Axis::Memory).or_default();
        *memory = memory.checked_sub(layout.offset_on(Axis::Memory)).ok_or(BeginError::Beyond)?;
        let side = Side {
            space: self.space,
            layout: Layout { offset, ..Layout::default() },
            dynamic: self.origin.clone(),
            strides: self.strides.clone(),
            align_bytes: self.align_bytes,
        };
        let (begin, period) = (multiple(&side), self.layout.swizzle.filter(|s| s.len > 0).map_or(1, |s| s.period()));
        if begin % period == 0 {
            return Ok(side);
        }
        Err(BeginError::Swizzle { begin, period })
    }
}

/// Why the start of a buffer is no pointer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BeginError {
    /// An offset of the type's layout in run-time strides.
    #[error("has the layout {0}, expected an offset in elements alone")]
    Offset(Box<Layout>),
    /// A distance that overflows.
    #[error("begins beyond 64 bits")]
    Beyond,
    /// A start inside the period of a swizzle.
    #[error(
        "begins at a multiple of {} of a swizzled tile, expected one of {period}, after which the swizzle repeats",
        counted(*.begin, "element")
    )]
    Swizzle {
        /// What is known to divide the start, in elements.
        begin: i64,
        /// The elements after which the swizzle repeats.
        period: i64,
    },
}

/// The known divisor of the start address of a buffer, in elements; 0 where the address is 0.
pub fn multiple(side: &Side) -> i64 {
    let step = |axis: Axis| axis.stride_index().map_or(Some(1), |index| divisor(&side.strides, index));
    let fixed = side.layout.offset.iter().map(|(&axis, &steps)| steps.saturating_mul(step(axis).unwrap_or(1)));
    let moving = side.dynamic.iter().flat_map(|term| {
        let step = term.stride.saturating_mul(step(term.axis).unwrap_or(1));
        [step.saturating_mul(term.divisor), step.saturating_mul(term.residue)]
    });
    fixed.chain(moving).fold(0, |common, part| gcd(common, part.saturating_abs()))
}

fn divisor(strides: &[RunTimeStride], index: usize) -> Option<i64> {
    strides.get(index).map(|stride| stride.divisor)
}

/// The start address of a buffer, in elements.
///
/// # Errors
/// `missing-value` when `values` is too short.
pub fn begin_address<A: IndexArith>(a: &mut A, side: &Side, values: &[A::Value]) -> Result<A::Value, Refusal> {
    finish(a, side, Vec::new(), values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_isa::Space;

    use crate::problem::role::Role;
    use crate::problem::run_time::Begin;

    fn stage(layout: &str, row: i64) -> Operand {
        let mut ring = Operand::whole(Space::Shared, layout.parse().unwrap(), &[3, 64, 64], 16);
        ring.begin = vec![Begin::Dynamic { value: 0, divisor: 1, residue: 0 }, Begin::Const(row), Begin::Const(0)];
        ring.extent = vec![1, 8, 64];
        ring.settled(Role::Src).unwrap()
    }

    #[test]
    fn parts_begin_where_their_first_element_is() {
        let side = stage("(3, 64, 64) : (4096, 64, 1)", 5).beginning(&Layout::row_major(&[1, 8, 64])).unwrap();
        assert_eq!(multiple(&side), 64);
        let address = begin_address(&mut tile_layout::Eval, &side, &[2]).unwrap();
        assert_eq!(address, 2 * 4096 + 5 * 64);
    }

    #[test]
    fn swizzled_parts_begin_where_the_swizzle_does() {
        let swizzled = "(3, 64, 64) : (4096, 64, 1), swizzle<base = 3, bits = 3, shift = 3>";
        assert!(stage(swizzled, 8).beginning(&Layout::default()).is_ok());
        let refused = stage(swizzled, 4).beginning(&Layout::default()).unwrap_err().to_string();
        assert!(refused.contains("multiple of 256 elements") && refused.contains("one of 512"), "{refused}");
    }
}
