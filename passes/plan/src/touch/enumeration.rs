//! Enumerates the bytes that a plan touches.

use std::rc::Rc;

use super::footprint::Footprint;
use super::{Bytes, Move, pitch};
use crate::problem::Problem;
use crate::problem::operands::{Begin, Role};
use crate::problem::refusal::Refusal;
use crate::problem::run_time::DynamicTerm;
use crate::problem::threads::{Active, ThreadSet};
use crate::sides::side::Side;
use crate::target::Target;
use tile_isa::Space;

/// The most accesses of a copy that are enumerated.
pub(crate) const MOST: i64 = 1 << 18;

/// Accesses: the thread, the first element and the element after the last.
pub type Places = Vec<(i64, i64, i64)>;

/// A copy whose plan is enumerated.
#[derive(Clone, Copy, Debug)]
pub struct Enumeration<'p> {
    /// The copy problem.
    pub problem: &'p Problem,
    /// The chip that it is planned for.
    pub target: &'p Target,
}

impl Enumeration<'_> {
    /// The threads that may reach the copy.
    pub fn active(&self) -> ThreadSet {
        let block = ThreadSet::range(0, self.problem.threads.block.unwrap_or(0));
        match &self.problem.threads.active {
            Active::Known(set) => set.intersect(&block),
            // All that may.
            Active::All | Active::Unknown { .. } => block,
        }
    }

    /// The number of a thread in its scope.
    pub fn relative(&self, thread: i64) -> i64 {
        self.problem.threads.count().map_or(thread, |count| thread % count)
    }

    fn is_memory(&self, role: Role) -> bool {
        self.problem.operands.get(role).is_some_and(|operand| matches!(operand.space, Space::Shared | Space::Global))
    }

    /// The values assumed for the run-time values of an operand: 0, and for strides the numbers of `pitches`.
    pub fn values(&self, role: Role) -> Vec<i64> {
        let Some(operand) = self.problem.operands.get(role) else { return Vec::new() };
        let of_begins = operand.begin.iter().filter_map(|begin| match begin {
            Begin::Dynamic { value, .. } => Some(*value),
            Begin::Const(_) => None,
        });
        let others = operand.origin.iter().map(|term| term.value).chain(operand.strides.iter().map(|it| it.value));
        let count = of_begins.chain(others).max().map_or(0, |last| last + 1);
        let mut values = vec![0; count];
        for (stride, &assumed) in operand.strides.iter().zip(self.pitches(role).unwrap_or_default()) {
            values[stride.value] = assumed;
        }
        values
    }

    /// The numbers that stand for the run-time strides of an operand, in elements.
    fn pitches(&self, role: Role) -> Option<&'static [i64]> {
        let operand = self.problem.operands.get(role)?;
        pitch::of(&operand.layout, operand.strides.len(), self.bytes(role))
    }

    /// The run-time strides for which numbers are assumed.
    pub fn strides(&self, role: Role) -> Vec<usize> {
        let Some(operand) = self.problem.operands.get(role).filter(|_| self.pitches(role).is_some()) else {
            return Vec::new();
        };
        operand.strides.iter().map(|stride| stride.value).collect()
    }

    fn bytes(&self, role: Role) -> i64 {
        i64::from(self.problem.bits_of(role) / 8)
    }

    /// The bytes of one side, from its `count` accesses in elements and its moves.
    ///
    /// # Errors
    /// An access that has no address.
    pub fn side(
        &self,
        role: Role,
        count: i64,
        moves: Option<Vec<Move>>,
        places: impl FnOnce() -> Result<Places, Refusal>,
    ) -> Result<Option<Bytes>, String> {
        if !self.is_memory(role) {
            return Ok(None);
        }
        if count > MOST {
            return Ok(Some(Bytes { footprint: None, by_warps: false, moves, strides: self.strides(role) }));
        }
        let bytes = self.bytes(role);
        let places = places().map_err(|error| error.reason)?;
        let scaled = places
            .into_iter()
            .map(|(thread, begin, end)| (thread, begin.saturating_mul(bytes), end.saturating_mul(bytes)));
        let footprint = Some(Rc::new(Footprint::of(scaled)));
        Ok(Some(Bytes { footprint, by_warps: false, moves, strides: self.strides(role) }))
    }

    /// The offsets that run-time values add to the addresses of a side.
    pub fn moves(&self, role: Role, side: &Side) -> Option<Vec<Move>> {
        let period = side.layout.swizzle.filter(|swizzle| swizzle.len > 0).map_or(1, |swizzle| swizzle.period());
        if !side.strides.is_empty() && side.layout.stride_count() > 0 && self.pitches(role).is_none() {
            return None;
        }
        side.dynamic.iter().map(|term| self.moved(role, term, period)).collect()
    }

    fn moved(&self, role: Role, term: &DynamicTerm, period: i64) -> Option<Move> {
        let step = match term.axis.stride_index() {
            Some(index) => *self.pitches(role)?.get(index)?,
            None => 1,
        };
        let stride = term.stride.checked_mul(step)?;
        let whole = term.axis.is_address() && period > 0 && stride % period == 0;
        let bytes = stride.checked_mul(self.bytes(role))?;
        whole.then_some(Move { value: term.value, div: term.div, bytes })
    }
}
