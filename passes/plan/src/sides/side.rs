//! One side of a plan, and who takes part.

use tile_layout::{Axis, Layout, counted};

use crate::problem::Begin;
use crate::problem::scope::Space;

/// A run-time part of an address: `floor(values[value] / div) * stride` positions on an axis, elements on that of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DynamicTerm {
    /// Index into the operand's run-time values.
    pub value: usize,
    /// At least 1; more than 1 only where the value's remainder is already in the static offset.
    pub div: i64,
    /// Positions per step of the quotient.
    pub stride: i64,
    /// The axis that the term moves on.
    pub axis: Axis,
    /// The quotient is `residue` modulo this.
    pub divisor: i64,
    /// In `0..divisor`.
    pub residue: i64,
}

impl DynamicTerm {
    /// The quotient, as the begin that it is in steps of the stride.
    pub(crate) fn begin(&self) -> Begin {
        Begin::Dynamic { value: self.value, divisor: self.divisor, residue: self.residue }
    }
}

/// A stride that only the run knows, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RunTimeStride {
    /// Index into the operand's run-time values.
    pub value: usize,
    /// The stride is a multiple of this, at least 1.
    pub divisor: i64,
}

/// One side of a planned copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// Where it lives.
    pub space: Space,
    /// Linear position in the copy's order → location. No replica; the offset is the static part of the
    /// region's begin; the swizzle, if any, is applied to the complete address.
    pub layout: Layout,
    /// What is added to the memory address at run time, before the swizzle.
    pub dynamic: Vec<DynamicTerm>,
    /// What the axes `s0`, `s1`, … of the layout and of the run-time terms step by.
    pub strides: Vec<RunTimeStride>,
    /// Proven alignment of the storage's first element, in bytes.
    pub align_bytes: i64,
}

impl Side {
    /// Is the layout valid and not empty, with divisors and an alignment of at least 1, and a stride for each stride axis?
    /// `name` is that of the side.
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

/// Has each stride axis a stride, with a divisor of at least 1?
pub(crate) fn check_strides(
    name: &str,
    axes: impl IntoIterator<Item = Axis>,
    strides: &[RunTimeStride],
) -> Result<(), String> {
    if strides.iter().any(|stride| stride.divisor < 1) {
        return Err(format!("a run-time stride of the {name} has a divisor below 1"));
    }
    let used = axes.into_iter().find(|axis| axis.stride_index().is_some_and(|index| index >= strides.len()));
    used.map_or(Ok(()), |axis| {
        Err(format!("the {name} counts on axis '{axis}' and has {}", counted(strides.len(), "run-time stride")))
    })
}

/// A condition on the scope-relative thread `t`: only threads with `(t / div) % extent == 0` take part.
///
/// `Guard { div: 32, extent: 4 }` leaves the first of four warps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// At least 1.
    pub div: i64,
    /// At least 2.
    pub extent: i64,
}

impl Guard {
    /// Does thread `t` take part?
    pub fn admits(self, t: i64) -> bool {
        (t / self.div) % self.extent == 0
    }
}
