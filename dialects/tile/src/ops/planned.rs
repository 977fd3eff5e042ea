//! `tile.planned_copy`, between the passes.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_isa::Scope;
use tile_plan::families::carried::Carried;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::ValueList;

use super::{integers, scope, segment};
use crate::PlanAttr;

/// Groups of operands.
const BUFFERS: usize = 0;
const VALUES: usize = 1;
const MASK_VALUES: usize = 3;
const MAPS: usize = 8;
const ROWS: usize = 9;
const UNTIL: usize = 10;
const FILTER: usize = 11;

/// A `tile.planned_copy`.
#[derive(Clone, Copy, Debug)]
pub struct PlannedOp<'c, 'a>(pub OperationRef<'c, 'a>);

impl<'c, 'a> PlannedOp<'c, 'a> {
    /// The op's name.
    pub const NAME: &'static str = "tile.planned_copy";

    /// The plan, which lives as long as the context.
    pub fn plan(self) -> Option<&'c CopyPlan> {
        PlanAttr::plan(self.0.attribute("plan").ok()?)
    }

    /// The roles that the plan has sides for, in the order of the buffers.
    pub fn roles(self) -> Vec<Role> {
        self.plan().and_then(CopyPlan::carried).map(Carried::roles).unwrap_or_default()
    }

    /// The number of buffers.
    pub fn buffer_count(self) -> usize {
        segment(self.0, BUFFERS).len()
    }

    /// The buffer of that role.
    pub fn buffer(self, role: Role) -> Option<Value<'c, 'a>> {
        segment(self.0, BUFFERS).get(self.place(role)?).copied()
    }

    /// The run-time values to which the plan refers by index.
    pub fn values(self, list: ValueList) -> Vec<Value<'c, 'a>> {
        let role = match list {
            ValueList::Mask => return segment(self.0, MASK_VALUES),
            ValueList::Of(role) => role,
        };
        let counts = self.value_counts();
        let count =
            |place: usize| counts.get(place).copied().and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
        let Some(place) = self.place(role) else { return Vec::new() };
        let before = (0..place).map(count).sum();
        segment(self.0, VALUES).into_iter().skip(before).take(count(place)).collect()
    }

    /// The number of run-time values of each buffer.
    pub fn value_counts(self) -> Vec<i64> {
        integers(self.0, "value_counts")
    }

    /// The number of run-time values of all buffers.
    pub fn value_count(self) -> usize {
        segment(self.0, VALUES).len()
    }

    /// The place of a role among the buffers.
    fn place(self, role: Role) -> Option<usize> {
        self.roles().into_iter().position(|known| known == role)
    }

    /// The predicate that says which threads take part.
    pub fn predicate(self) -> Option<Value<'c, 'a>> {
        self.first(2)
    }

    /// Whether threads whose predicate is false write zeros.
    pub fn zero_fills(self) -> bool {
        self.0.has_attribute("zero_fill")
    }

    /// The value that is written where nothing is read.
    pub fn filler(self) -> Option<Value<'c, 'a>> {
        self.first(4)
    }

    /// The mbarrier that completes a bulk copy.
    pub fn barrier(self) -> Option<Value<'c, 'a>> {
        self.first(5)
    }

    /// The CTA of the cluster that a bulk copy writes to.
    pub fn remote_cta(self) -> Option<Value<'c, 'a>> {
        self.first(6)
    }

    /// The CTAs of the cluster that a load writes to, one bit for each.
    pub fn cta_mask(self) -> Option<Value<'c, 'a>> {
        self.first(7)
    }

    /// The tensor maps that the copy goes through, one for each part of its plan.
    pub fn maps(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, MAPS)
    }

    /// The rows that boxes name by their numbers.
    pub fn rows(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, ROWS)
    }

    /// The row from which on rows of the matrix in global memory are outside.
    pub fn until(self) -> Option<Value<'c, 'a>> {
        self.first(UNTIL)
    }

    /// The offsets of a filter from the pixel that it begins at.
    pub fn filter(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, FILTER)
    }

    /// The threads that copy.
    pub fn scope(self) -> Scope {
        scope(self.0)
    }

    fn first(self, group: usize) -> Option<Value<'c, 'a>> {
        segment(self.0, group).first().copied()
    }
}
