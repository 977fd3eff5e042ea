//! `tile.planned_copy`, between the passes.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_plan::{Aligned, Role, Scope, ValueList};

use super::{scope, segment};
use crate::PlanAttr;

/// A `tile.planned_copy`.
#[derive(Clone, Copy, Debug)]
pub struct PlannedOp<'c, 'a>(pub OperationRef<'c, 'a>);

impl<'c, 'a> PlannedOp<'c, 'a> {
    /// The op's name.
    pub const NAME: &'static str = "tile.planned_copy";

    /// The plan, which lives as long as the context.
    pub fn plan(self) -> Option<&'c Aligned> {
        PlanAttr::plan(self.0.attribute("plan").ok()?)
    }

    /// The buffer of one side.
    pub fn buffer(self, role: Role) -> Option<Value<'c, 'a>> {
        self.first(if role == Role::Src { 0 } else { 2 })
    }

    /// The run-time values to which the plan refers by index.
    pub fn values(self, list: ValueList) -> Vec<Value<'c, 'a>> {
        let group = match list {
            ValueList::Of(Role::Src) => 1,
            ValueList::Of(Role::Dst) => 3,
            ValueList::Mask => 5,
        };
        segment(self.0, group)
    }

    /// The predicate that says which threads take part.
    pub fn predicate(self) -> Option<Value<'c, 'a>> {
        self.first(4)
    }

    /// Whether threads whose predicate is false write zeros.
    pub fn zero_fills(self) -> bool {
        self.0.has_attribute("zero_fill")
    }

    /// The value that is written where nothing is read.
    pub fn filler(self) -> Option<Value<'c, 'a>> {
        self.first(6)
    }

    /// The mbarrier that completes a bulk copy.
    pub fn barrier(self) -> Option<Value<'c, 'a>> {
        self.first(7)
    }

    /// The CTA of the cluster that a bulk copy writes to.
    pub fn remote_cta(self) -> Option<Value<'c, 'a>> {
        self.first(8)
    }

    /// The threads that copy.
    pub fn scope(self) -> Scope {
        scope(self.0)
    }

    fn first(self, group: usize) -> Option<Value<'c, 'a>> {
        segment(self.0, group).first().copied()
    }
}
