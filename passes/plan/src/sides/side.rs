//! One side of a plan, and the conditions on the thread id or other values for a thread to take part.

use serde::{Deserialize, Serialize};
use tile_layout::Layout;

use crate::problem::run_time::{DynamicTerm, RunTimeStride, ValueList, ValueUse, check_strides};
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
    pub fn validate(&self, name: &str) -> Result<(), String> {
        self.layout.validate().map_err(|error| format!("the {name}'s layout: {error}"))?;
        if self.align_bytes < 1 {
            return Err(format!("got an alignment of {} bytes of the {name}, expected at least 1", self.align_bytes));
        }
        for DynamicTerm { div, divisor, axis, .. } in &self.dynamic {
            if *div < 1 || *divisor < 1 {
                return Err(format!("got divisor {} in the {name}'s terms, expected at least 1", div.min(divisor)));
            }
            if !axis.is_address() {
                return Err(format!("got axis '{axis}' in the {name}'s terms, expected memory or a run-time stride"));
            }
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
pub(crate) fn check_guards(guards: &[Guard]) -> Result<(), String> {
    match guards.iter().find(|guard| guard.div < 1 || guard.extent < 1) {
        Some(Guard { div, extent }) => Err(format!("got a guard of div {div} and extent {extent}, expected 1 or more")),
        None => Ok(()),
    }
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
