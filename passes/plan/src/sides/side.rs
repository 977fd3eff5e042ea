//! One side of a plan, and the conditions on the thread id or other values for a thread to take part.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tile_layout::{Axis, Layout, LayoutError};

use crate::problem::run_time::{DynamicTerm, RunTimeStride, StrideError, ValueList, ValueUse, check_strides};
use crate::text::{is_default, is_one, one};
use tile_isa::Space;

/// One side of a planned copy.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// Maps the linear position in the copy's order to a location. It has no replica; the offset is the static part of
    /// the region's start; the swizzle, if any, is applied to the complete address.
    pub layout: Layout,
    /// The memory space.
    pub space: Space,
    /// Proven alignment of the storage's first element, in bytes.
    #[serde(rename = "align", default = "one", skip_serializing_if = "is_one")]
    pub align_bytes: i64,
    /// Run-time terms of the memory address, added before the swizzle.
    #[serde(rename = "terms", default, skip_serializing_if = "is_default")]
    pub dynamic: Vec<DynamicTerm>,
    /// The strides of the axes `s0`, `s1`, … of the layout and of the run-time terms.
    #[serde(default, skip_serializing_if = "is_default")]
    pub strides: Vec<RunTimeStride>,
}

impl Side {
    /// Visits each use of a run-time value.
    pub(crate) fn each_value(&mut self, list: ValueList, visit: &mut dyn FnMut(ValueUse<'_>)) {
        self.dynamic.iter_mut().for_each(|term| visit(term.value_use(list)));
        self.strides.iter_mut().for_each(|stride| visit(stride.value_use(list)));
    }

    /// Checks that the layout is valid and not empty, with divisors and an alignment of at least 1, and a stride for
    /// each stride axis. `name` is that of the side.
    ///
    /// # Errors
    /// What is wrong.
    pub fn validate(&self, name: &str) -> Result<(), SideError> {
        let side = || name.to_owned();
        self.layout.validate().map_err(|error| SideError::Layout { side: side(), error })?;
        if self.align_bytes < 1 {
            return Err(SideError::Alignment { side: side(), bytes: self.align_bytes });
        }
        for &DynamicTerm { div, divisor, axis, .. } in &self.dynamic {
            if div < 1 || divisor < 1 {
                return Err(SideError::Divisor { side: side(), divisor: div.min(divisor) });
            }
            if !axis.is_address() {
                return Err(SideError::Axis { side: side(), axis });
            }
        }
        let axes = self.layout.axes().chain(self.dynamic.iter().map(|term| term.axis));
        Ok(check_strides(name, axes, &self.strides)?)
    }
}

/// What is wrong with one side of a plan, which is called `side`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SideError {
    /// A layout that is not valid.
    #[error("the {side}'s layout: {error}")]
    Layout {
        /// The side.
        side: String,
        /// What is wrong with its layout.
        error: LayoutError,
    },
    /// An alignment below one byte.
    #[error("got an alignment of {bytes} bytes of the {side}, expected at least 1")]
    Alignment {
        /// The side.
        side: String,
        /// Its alignment.
        bytes: i64,
    },
    /// A run-time term whose value would be divided by no number.
    #[error("got divisor {divisor} in the {side}'s terms, expected at least 1")]
    Divisor {
        /// The side.
        side: String,
        /// The divisor.
        divisor: i64,
    },
    /// A run-time term of something else than the address.
    #[error("got axis '{axis}' in the {side}'s terms, expected memory or a run-time stride")]
    Axis {
        /// The side.
        side: String,
        /// The term's axis.
        axis: Axis,
    },
    /// Run-time strides that are missing or malformed.
    #[error(transparent)]
    Strides(#[from] StrideError),
}

/// A condition on the scope-relative thread `t`: only threads with `(t / div) % extent == 0` take part.
///
/// `Guard { div: 32, extent: 4 }` admits the first of four warps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guard {
    /// At least 1.
    pub div: i64,
    /// At least 2.
    pub extent: i64,
}

/// Checks that a guard is a condition on a thread id.
///
/// # Errors
/// Got and expected.
pub(crate) fn check_guards(guards: &[Guard]) -> Result<(), GuardError> {
    let malformed = guards.iter().find(|guard| guard.div < 1 || guard.extent < 1);
    malformed.map_or(Ok(()), |&guard| Err(GuardError(guard)))
}

/// A guard that is no condition on a thread id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("got a guard of div {} and extent {}, expected 1 or more", .0.div, .0.extent)]
pub struct GuardError(pub Guard);

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
