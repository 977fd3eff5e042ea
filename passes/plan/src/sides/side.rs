//! One side of a plan, and the conditions on the thread id or other values for a thread to take part.

use tile_layout::Layout;

use crate::problem::run_time::{DynamicTerm, RunTimeStride, check_strides};
use crate::problem::scope::Space;

/// One side of a planned copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The memory space.
    pub space: Space,
    /// Maps the linear position in the copy's order to a location. It has no replica; the offset is the static part of
    /// the region's start; the swizzle, if any, is applied to the complete address.
    pub layout: Layout,
    /// Run-time terms of the memory address, added before the swizzle.
    pub dynamic: Vec<DynamicTerm>,
    /// The strides of the axes `s0`, `s1`, … of the layout and of the run-time terms.
    pub strides: Vec<RunTimeStride>,
    /// Proven alignment of the storage's first element, in bytes.
    pub align_bytes: i64,
}

impl Side {
    /// The same side with its run-time values numbered in sequence, terms before strides, as an op has them.
    #[must_use]
    pub fn numbered(mut self) -> Self {
        let terms = self.dynamic.len();
        self.dynamic.iter_mut().zip(0..).for_each(|(term, number)| term.value = number);
        self.strides.iter_mut().zip(terms..).for_each(|(stride, number)| stride.value = number);
        self
    }

    /// Checks that the layout is valid and not empty, with divisors and an alignment of at least 1, and a stride for
    /// each stride axis. `name` is that of the side.
    ///
    /// # Errors
    /// What is wrong.
    pub fn validate(&self, name: &str) -> Result<(), String> {
        self.layout.validate().map_err(|error| format!("the {name}'s layout: {error}"))?;
        if self.align_bytes < 1 || self.dynamic.iter().any(|term| term.div < 1 || term.divisor < 1) {
            return Err(format!("the {name} has an alignment or a divisor below 1"));
        }
        check_strides(
            name,
            self.layout.axes().into_iter().chain(self.dynamic.iter().map(|term| term.axis)),
            &self.strides,
        )
    }
}

/// A condition on the scope-relative thread `t`: only threads with `(t / div) % extent == 0` take part.
///
/// `Guard { div: 32, extent: 4 }` admits the first of four warps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// At least 1.
    pub div: i64,
    /// At least 2.
    pub extent: i64,
}

impl Guard {
    /// Whether thread `t` takes part.
    pub fn admits(self, t: i64) -> bool {
        (t / self.div) % self.extent == 0
    }
}

/// A condition for a thread to take part, or for an element to be in the region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition<V> {
    /// The value that is tested.
    pub value: V,
    /// The test.
    pub test: Test,
}

/// A test of a [`Condition`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// `value == 0`.
    Zero,
    /// `0 <= value < limit`.
    Within(i64),
}

impl Condition<i64> {
    /// Whether the condition holds.
    pub fn holds(&self) -> bool {
        match self.test {
            Test::Zero => self.value == 0,
            Test::Within(limit) => (0..limit).contains(&self.value),
        }
    }
}

#[cfg(test)]
mod tests {
    use tile_layout::Axis;

    use super::*;

    #[test]
    fn values_are_numbered_as_operands_are() {
        let term = |value| DynamicTerm { value, div: 1, stride: 64, axis: Axis::Memory, divisor: 1, residue: 0 };
        let stride = |value| RunTimeStride { value, divisor: 8 };
        let side = Side {
            space: Space::Global,
            layout: "(8, 4) : (1@s0, 1)".parse().expect("a layout"),
            dynamic: vec![term(3), term(1)],
            strides: vec![stride(5)],
            align_bytes: 16,
        };
        let numbered = side.clone().numbered();
        assert_eq!((numbered.dynamic, numbered.strides), (vec![term(0), term(1)], vec![stride(2)]));
        assert_eq!(Side { dynamic: Vec::new(), strides: Vec::new(), ..side }.numbered().layout, numbered.layout);
    }
}
