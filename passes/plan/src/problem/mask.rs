//! The elements that a masked copy leaves out: those beyond the extents of a buffer.
//!
//! ```text
//!   region [%i, %j] [16, 64] of <?x8190>       position x is row x / 64, column x mod 64 of the region
//!     digits   16 : 1 in dimension 0    64 : 1 in dimension 1
//!     limits   0 <= %i + row < rows     0 <= %j + column < 8190
//! ```

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tile_layout::{Eval, IndexArith, counted, gcd};

use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{Begin, ValueList, ValueUse, begin_value};
use crate::text::{is_default, is_one, one};

/// The elements of a region that are copied: those whose coordinates are within all limits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mask {
    /// The mixed-radix digits of a position in the order of the copy, slowest first.
    pub digits: Vec<Coordinate>,
    /// The limits that the coordinates are compared with.
    pub limits: Vec<MaskLimit>,
    /// The value of destination elements whose source is outside; `None` where they stay unchanged.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fill: Option<Fill>,
}

/// A mixed-radix digit of a position, and its step in the region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coordinate {
    /// Number of values.
    pub extent: i64,
    /// The dimension of the region, those of extent 1 left out.
    pub dimension: usize,
    /// Elements of that dimension per step; 0 where nothing limits it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub step: i64,
}

/// One dimension of an operand that a region may leave: `0 <= scale * begin + offset + coordinate < scale * extent` holds inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaskLimit {
    /// The operand.
    #[serde(rename = "of")]
    pub role: Role,
    /// The dimension of the region, those of extent 1 left out; `None` for a dimension of extent 1.
    #[serde(default, skip_serializing_if = "is_default")]
    pub dimension: Option<usize>,
    /// Added to the coordinate, where digits count down.
    #[serde(default, skip_serializing_if = "is_default")]
    pub offset: i64,
    /// Steps of the coordinate to one of the dimension: more than 1 where runs of faster dimensions are counted, too.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub scale: i64,
    /// Start of the region. A run-time value is numbered among those of the mask.
    pub begin: Begin,
    /// End of the buffer; likewise.
    pub extent: Begin,
}

/// The value written where nothing is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fill {
    /// Bytes of zeros.
    Zero,
    /// A value of the destination's type.
    Value,
}

/// `scale * begin + offset + coordinate`, which must be within `[0, scale * extent)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounded<V> {
    /// The coordinate in the buffer.
    pub place: V,
    /// The buffer's extent.
    pub extent: V,
}

impl Mask {
    /// The mask of a region with those extents, which omit extents of 1.
    pub fn of(extents: &[i64], limits: Vec<MaskLimit>, fill: Option<Fill>) -> Self {
        let step = |dimension| i64::from(limits.iter().any(|limit| limit.dimension == Some(dimension)));
        let digit = |(dimension, &extent): (usize, &i64)| Coordinate { extent, dimension, step: step(dimension) };
        Mask { digits: extents.iter().enumerate().map(digit).collect(), limits, fill }
    }

    /// Whether nothing of it depends on run-time values.
    pub fn is_constant(&self) -> bool {
        let numbers = self.limits.iter().flat_map(|limit| [limit.begin, limit.extent]);
        numbers.into_iter().all(|number| matches!(number, Begin::Const(_)))
    }

    /// The limits of it that are known: those that depend on no run-time value.
    #[must_use]
    pub(crate) fn known(&self) -> Mask {
        let is_known = |limit: &MaskLimit| matches!((limit.begin, limit.extent), (Begin::Const(_), Begin::Const(_)));
        Mask { limits: self.limits.iter().copied().filter(is_known).collect(), ..self.clone() }
    }

    /// Visits each use of a run-time value.
    pub(crate) fn each_value(&mut self, visit: &mut dyn FnMut(ValueUse<'_>)) {
        for limit in &mut self.limits {
            limit.begin.value_use(ValueList::Mask).into_iter().for_each(&mut *visit);
            limit.extent.value_use(ValueList::Mask).into_iter().for_each(&mut *visit);
        }
    }

    /// The limits of one operand.
    pub fn of_side(&self, role: Role) -> impl Iterator<Item = &MaskLimit> + '_ {
        self.limits.iter().filter(move |limit| limit.role == role)
    }

    /// The values that must be within bounds on one side for the element whose coordinates `coordinate` returns.
    ///
    /// # Errors
    /// `missing-value` when `values`, those of the mask, is too short.
    pub fn bounded<A: IndexArith>(
        &self,
        a: &mut A,
        role: Role,
        mut coordinate: impl FnMut(&mut A, usize) -> A::Value,
        values: &[A::Value],
    ) -> Result<Vec<Bounded<A::Value>>, Refusal> {
        let mut bounded = Vec::new();
        for limit in self.of_side(role) {
            let begin = begin_value(a, limit.begin, values)?;
            let mut place = a.scale(begin, limit.scale);
            if let Some(dimension) = limit.dimension {
                let moved = coordinate(a, dimension);
                place = a.add(place, moved);
            }
            let offset = a.constant(limit.offset);
            place = a.add(place, offset);
            let extent = begin_value(a, limit.extent, values)?;
            bounded.push(Bounded { place, extent: a.scale(extent, limit.scale) });
        }
        Ok(bounded)
    }

    /// Whether the element at those coordinates of the region is inside one operand.
    pub fn holds(&self, role: Role, coordinates: &[i64], values: &[i64]) -> bool {
        let at = |_: &mut Eval, dimension: usize| coordinates.get(dimension).copied().unwrap_or(0);
        let bounded = self.bounded(&mut Eval, role, at, values).unwrap_or_default();
        bounded.iter().all(|bound| (0..bound.extent).contains(&bound.place))
    }

    /// The side whose vectors may be partly outside: `cp.async` reads a part of its bytes, and writes zeros for the
    /// rest.
    pub(crate) fn clipped(&self, cp_async: bool) -> Option<Role> {
        (cp_async && self.fill == Some(Fill::Zero)).then_some(Role::Src)
    }

    /// The mask of the same copy with digits in another order; `shifts` are dimensions, each with the start of its
    /// coordinates.
    #[must_use]
    pub(crate) fn reordered(mut self, digits: Vec<Coordinate>, shifts: &[(usize, i64)]) -> Mask {
        self.digits = digits;
        for &(dimension, shift) in shifts {
            for limit in self.limits.iter_mut().filter(|limit| limit.dimension == Some(dimension)) {
                limit.offset = limit.offset.saturating_add(shift);
            }
        }
        self
    }

    /// The same mask where the fastest digit, which nothing limits, counts steps of the digit before it.
    ///
    /// ```text
    ///   pixels of 3 bytes, of which there are n        16 : 1 in pixels, 3 : 0        pixel < n
    ///   their bytes                                    48 : 1 in pixels               3 pixel + byte < 3 n
    /// ```
    ///
    /// `None` where there are no two such digits.
    pub(crate) fn with_longer_runs(&self) -> Option<Mask> {
        let mut mask = self.clone();
        mask.digits.retain(|digit| digit.extent != 1);
        let (run, outer) = (mask.digits.pop()?, mask.digits.last().copied()?);
        if run.step != 0 || outer.step != 1 {
            return None;
        }
        for digit in mask.digits.iter_mut().filter(|digit| digit.dimension == outer.dimension) {
            digit.step = digit.step.checked_mul(run.extent)?;
        }
        let fused = mask.digits.last_mut()?;
        (fused.extent, fused.step) = (fused.extent.checked_mul(run.extent)?, 1);
        for limit in mask.limits.iter_mut().filter(|limit| limit.dimension == Some(outer.dimension)) {
            limit.scale = limit.scale.checked_mul(run.extent)?;
            limit.offset = limit.offset.checked_mul(run.extent)?;
        }
        Some(mask)
    }

    /// Checks that vectors of `vector` positions lie entirely inside or outside. `clipped` is the side, if any, whose
    /// vectors may end early.
    ///
    /// # Errors
    /// `mask-not-divisible`: what is known about an operand's limit and what is needed.
    pub(crate) fn is_whole(&self, vector: i64, clipped: Option<Role>) -> Result<(), Refusal> {
        let torn = |operand, reason| Refusal { operand, ..Refusal::new("mask-not-divisible", reason) };
        let Some(last) = self.digits.iter().rev().find(|digit| digit.extent != 1).filter(|_| vector > 1) else {
            return Ok(());
        };
        if last.extent % vector != 0 {
            let run = counted(last.extent, "element");
            return Err(torn(None, format!("the mask has runs of {run}; needed a multiple of {vector}")));
        }
        if last.step == 0 {
            return Ok(());
        }
        if last.step < 0 {
            return Err(torn(None, "the mask counts down along a vector".to_owned()));
        }
        let unit = last.step.saturating_mul(vector);
        let slower = self.digits.iter().filter(|digit| digit.dimension == last.dimension && *digit != last);
        let steps = slower.fold(unit, |common, digit| gcd(common, digit.step));
        for limit in self.limits.iter().filter(|limit| limit.dimension == Some(last.dimension)) {
            let role = limit.role;
            let begin = gcd(first(limit), steps);
            if begin % unit != 0 {
                let reason = format!("the {role} is masked from multiples of {begin} on; needed a multiple of {unit}");
                return Err(torn(Some(role), reason));
            }
            let extent = factor(limit.extent).saturating_mul(limit.scale);
            if extent % unit != 0 && (clipped != Some(role) || last.step != 1) {
                let reason = format!(
                    "the {role} is masked at an extent that is a multiple of {extent}; needed a multiple of {unit}"
                );
                return Err(torn(Some(role), reason));
            }
        }
        Ok(())
    }

    /// Checks that the digits count `size` positions, and that the limits are well-formed.
    ///
    /// # Errors
    /// What was got and what is needed.
    pub(crate) fn check(&self, size: i64) -> Result<(), MaskError> {
        let positions = self.digits.iter().try_fold(1i64, |all, digit| all.checked_mul(digit.extent));
        if positions != Some(size) || self.digits.iter().any(|digit| digit.extent < 1) {
            let extents: Vec<i64> = self.digits.iter().map(|digit| digit.extent).collect();
            return Err(MaskError::Size { extents, size });
        }
        let known = |begin: Begin| {
            !matches!(begin, Begin::Dynamic { divisor, residue, .. }
            if divisor < 1 || !(0..divisor).contains(&residue))
        };
        match self.limits.iter().find(|limit| !known(limit.begin) || !known(limit.extent) || limit.scale < 1) {
            Some(&limit) => Err(MaskError::Limit(limit)),
            None => Ok(()),
        }
    }
}

/// What is wrong with a mask.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MaskError {
    /// Digits that do not count the positions of the copy.
    #[error("the mask counts the elements of {extents:?}; needed {size}")]
    Size {
        /// The extents of the digits.
        extents: Vec<i64>,
        /// The number of positions.
        size: i64,
    },
    /// A limit whose remainder is none of its divisor.
    #[error("the mask has the malformed limit {0:?}")]
    Limit(MaskLimit),
}

/// The largest number that divides every first coordinate of a region, `scale * begin + offset`; 0 for 0.
fn first(limit: &MaskLimit) -> i64 {
    match limit.begin {
        Begin::Const(value) => value.saturating_mul(limit.scale).saturating_add(limit.offset).saturating_abs(),
        Begin::Dynamic { divisor, residue, .. } => {
            let known = residue.saturating_mul(limit.scale).saturating_add(limit.offset);
            gcd(divisor.saturating_mul(limit.scale), known)
        }
    }
}

/// The largest number that divides every value; 0 for 0.
fn factor(known: Begin) -> i64 {
    match known {
        Begin::Const(value) => value.saturating_abs(),
        Begin::Dynamic { divisor, residue, .. } => gcd(divisor, residue),
    }
}
