//! Parts of an address that are known only at run time: terms, strides and begins.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tile_layout::{Axis, IndexArith, counted};

use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::text::{is_default, is_one, one};

/// The start of a region in one dimension, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Begin {
    /// Known.
    Const(i64),
    /// Known only at run time, but `value ≡ residue (mod divisor)`.
    ///
    /// With nothing known, `divisor` is 1 and `residue` 0. `8*i + 3` has divisor 8 and residue 3.
    Dynamic {
        /// Index into the operand's list of run-time values.
        value: usize,
        /// At least 1.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        divisor: i64,
        /// In `0..divisor`.
        #[serde(default, skip_serializing_if = "is_default")]
        residue: i64,
    },
}

impl Begin {
    /// The place so many elements further.
    #[must_use]
    pub(crate) fn plus(self, elements: i64) -> Self {
        match self {
            Begin::Const(begin) => Begin::Const(begin + elements),
            Begin::Dynamic { value, divisor, residue } => {
                Begin::Dynamic { value, divisor, residue: (residue + elements).rem_euclid(divisor) }
            }
        }
    }
}

/// A run-time part of an address: `floor(values[value] / div) * stride` positions on an axis (elements on the memory
/// axis).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DynamicTerm {
    /// Index into the operand's run-time values.
    pub value: usize,
    /// At least 1; more than 1 only where the value's remainder is already in the static offset.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub div: i64,
    /// Positions per step of the quotient.
    pub stride: i64,
    /// The axis that the term moves on.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axis: Axis,
    /// The quotient is congruent to `residue` modulo this.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub divisor: i64,
    /// In `0..divisor`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub residue: i64,
}

impl DynamicTerm {
    /// The quotient as a begin, in steps of the stride.
    pub(crate) fn begin(&self) -> Begin {
        Begin::Dynamic { value: self.value, divisor: self.divisor, residue: self.residue }
    }
}

/// A stride that is known only at run time, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunTimeStride {
    /// Index into the operand's run-time values.
    pub value: usize,
    /// The stride is a multiple of this, at least 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub divisor: i64,
}

/// The list of run-time values that a plan's index counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueList {
    /// Those of the operand.
    Of(Role),
    /// Those of the mask: begins of regions and extents of buffers.
    Mask,
}

/// A use of a run-time value in a plan, and what the plan relies on: `floor(value / div) ≡ residue (mod divisor)`.
#[derive(Debug)]
pub struct ValueUse<'p> {
    /// The list that the index counts in.
    pub list: ValueList,
    /// The index.
    pub index: &'p mut usize,
    /// At least 1.
    pub div: i64,
    /// At least 1.
    pub divisor: i64,
    /// In `0..divisor`.
    pub residue: i64,
}

impl DynamicTerm {
    /// The use of the term's value.
    pub(crate) fn value_use(&mut self, list: ValueList) -> ValueUse<'_> {
        let DynamicTerm { div, divisor, residue, .. } = *self;
        ValueUse { list, index: &mut self.value, div, divisor, residue }
    }
}

impl RunTimeStride {
    /// The use of the stride's value.
    pub(crate) fn value_use(&mut self, list: ValueList) -> ValueUse<'_> {
        ValueUse { list, index: &mut self.value, div: 1, divisor: self.divisor, residue: 0 }
    }
}

impl Begin {
    /// The use of a value, if the begin is known only at run time.
    pub(crate) fn value_use(&mut self, list: ValueList) -> Option<ValueUse<'_>> {
        match self {
            Begin::Const(_) => None,
            Begin::Dynamic { value, divisor, residue } => {
                Some(ValueUse { list, index: value, div: 1, divisor: *divisor, residue: *residue })
            }
        }
    }
}

/// What is wrong with the run-time strides of one side.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StrideError {
    /// A divisor of no number.
    #[error("a run-time stride of the {side} has a divisor below 1")]
    Divisor {
        /// The name of the side.
        side: String,
    },
    /// An axis without its stride.
    #[error("the {side} counts on axis '{axis}' and has {}", counted(*.strides, "run-time stride"))]
    Missing {
        /// The name of the side.
        side: String,
        /// The axis.
        axis: Axis,
        /// The strides that there are.
        strides: usize,
    },
}

/// Checks that each stride axis of the side called `side` has a stride, with a divisor of at least 1.
pub(crate) fn check_strides(
    side: &str,
    axes: impl IntoIterator<Item = Axis>,
    strides: &[RunTimeStride],
) -> Result<(), StrideError> {
    let side = || side.to_owned();
    if strides.iter().any(|stride| stride.divisor < 1) {
        return Err(StrideError::Divisor { side: side() });
    }
    let used = axes.into_iter().find(|axis| axis.stride_index().is_some_and(|index| index >= strides.len()));
    used.map_or(Ok(()), |axis| Err(StrideError::Missing { side: side(), axis, strides: strides.len() }))
}

/// The value of a begin, given the run-time values of its operand.
pub(crate) fn begin_value<A: IndexArith>(a: &mut A, begin: Begin, values: &[A::Value]) -> Result<A::Value, Refusal> {
    match begin {
        Begin::Const(value) => Ok(a.constant(value)),
        Begin::Dynamic { value, .. } => values.get(value).cloned().ok_or_else(|| missing("run-time value", value)),
    }
}

/// The refusal where value `index` is missing.
pub(crate) fn missing(what: &str, index: usize) -> Refusal {
    Refusal::new("missing-value", format!("{what} {index} is not given"))
}
