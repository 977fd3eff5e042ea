//! Families of machine accesses: how a plan of each becomes an op, is reported and is expanded.
//!
//! ```text
//!   CopyPlan plan ──build──▶ tile.planned_copy ──expand──▶ ops of other dialects
//!                └─took───▶ a remark
//! ```
//! [`FAMILIES`] is the only list of families: passes iterate over it.

pub mod assumed;
pub mod bulk;
mod carry;
pub mod composite;
mod lanes;
pub mod matrix;
pub mod realign;
pub mod registers;
pub mod scalar;
pub mod tensor_map;
pub mod tmem;
pub mod vector;

use melior::ir::{OperationRef, Value};
use tile_dialect::ops::{CopyOp, PlannedOp};
use tile_isa::Scope;
use tile_ops::Builder;
use tile_plan::address::{self, Condition};
use tile_plan::families::copy_plan::{CopyPlan, PlanKind};
use tile_plan::problem::role::Role;
use tile_plan::sides::ranks::Ranks;

use crate::effects::groups;
use crate::emit::error::EmitError;
use crate::emit::{Emit, Sum};
use crate::read::problem::Reader;

/// One line for each family.
pub const FAMILIES: [&dyn Family; 10] = [
    &vector::VectorFamily,
    &matrix::MatrixFamily,
    &tmem::TmemCopyFamily,
    &tmem::TmemAccessFamily,
    &bulk::Bulk,
    &tensor_map::TensorMapFamily,
    &realign::Realigned,
    &registers::RegisterFamily,
    &composite::Composites,
    &scalar::ScalarFamily,
];

/// The ops that a plan becomes.
pub const MADE: [&str; 1] = [PlannedOp::NAME];

/// A kind of machine access.
pub trait Family: Sync {
    /// The kinds of plans of this family.
    fn kinds(&self) -> &'static [PlanKind];

    /// Whether one thread issues the whole copy, so that each further thread that reaches it issues it again.
    fn is_issued_whole(&self) -> bool {
        false
    }

    /// Makes the op, or the ops, of a plan in place of `copy`, and returns the last; `None` for a plan that makes no op,
    /// after the reason has been reported at `copy`.
    fn build<'c, 'a>(
        &self,
        builder: Builder<'c, 'a>,
        copy: CopyOp<'c, 'a>,
        plan: &CopyPlan,
    ) -> Option<OperationRef<'c, 'a>> {
        carry::carry(builder, copy, plan.clone())
    }

    /// Makes the op that signals the mbarrier of an asynchronous copy, where the family's instruction does not.
    fn complete<'c, 'a>(&self, _builder: Builder<'c, 'a>, _copy: CopyOp<'c, 'a>) {}

    /// Emits the *passed* remark of a plan.
    fn remark_chosen(&self, op: OperationRef<'_, '_>, plan: &CopyPlan);

    /// Writes the copy that an op holds, at the emitter's insertion point.
    ///
    /// # Errors
    /// A plan that cannot be expanded, or buffers without storage.
    fn expand<'c, 'a>(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        staged: &Staged<'_, '_, 'c, 'a>,
        plan: &CopyPlan,
    ) -> Result<(), EmitError>;
}

/// An op to expand.
pub struct Staged<'r, 'o, 'c, 'a> {
    /// The op.
    pub op: PlannedOp<'c, 'a>,
    /// Its scope.
    pub scope: Scope,
    /// Reads what the op itself does not state.
    pub reader: &'r Reader<'o>,
}

impl<'c, 'a> Staged<'_, '_, 'c, 'a> {
    /// The buffers of both sides; the destination for both where nothing is read.
    ///
    /// # Errors
    /// [`EmitError::Sides`] for an op without them.
    pub fn buffers(&self) -> Result<[Value<'c, 'a>; 2], EmitError> {
        let dst = self.op.buffer(Role::Dst).ok_or(EmitError::Sides)?;
        Ok([self.op.buffer(Role::Src).unwrap_or(dst), dst])
    }

    /// The number of `thread` among those of the scope that share the plan, and the conditions under which it has one:
    /// none where no other thread reaches the op.
    ///
    /// # Errors
    /// As [`Reader::threads`].
    pub fn number(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        ranks: Option<&Ranks>,
        thread: Sum<'c, 'a>,
    ) -> Result<(Sum<'c, 'a>, Vec<Condition<Sum<'c, 'a>>>), EmitError> {
        let Some(ranks) = ranks else { return Ok((thread, Vec::new())) };
        let (number, conditions) = address::rank(emit, ranks, thread);
        let alone = ranks.hold_all(&self.reader.threads(self.op.0, self.scope)?);
        Ok((number, if alone { Vec::new() } else { conditions }))
    }

    /// Checks that a plan's number of threads is that of the scope, or that its ranks are those of threads of the
    /// scope.
    ///
    /// # Errors
    /// The planned number and the expected one.
    pub fn counts_threads(&self, planned: i64, ranks: Option<&Ranks>) -> Result<(), EmitError> {
        let in_scope = self.reader.threads(self.op.0, self.scope)?.count();
        let scope = self.scope;
        match (in_scope, ranks) {
            (Some(count), Some(ranks)) => Ok(ranks.check(planned, Some(count))?),
            (Some(count), None) if count == planned => Ok(()),
            (Some(count), None) => Err(EmitError::Threads { planned, scope, count }),
            (None, _) => Err(EmitError::UnknownThreads { planned, scope }),
        }
    }
}

/// The family of a plan.
pub fn family(plan: &CopyPlan) -> Option<&'static dyn Family> {
    FAMILIES.into_iter().find(|family| family.kinds().contains(&plan.kind()))
}

/// Makes the ops that complete an asynchronous copy as its clauses say, after the op of its plan.
///
/// A group is closed for a synchronous plan, too: the caller counts groups.
pub fn complete<'c, 'a>(family: &dyn Family, builder: Builder<'c, 'a>, copy: CopyOp<'c, 'a>) {
    if let Some(queue) = copy.completion().closes() {
        groups::commit(builder, queue);
    }
    family.complete(builder, copy);
}
