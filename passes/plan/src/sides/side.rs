//! One side of a plan, and who takes part.

use tile_layout::Layout;

use crate::problem::run_time::{DynamicTerm, RunTimeStride, check_strides};
use crate::problem::scope::Space;

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
