//! What an op that carries a plan needs to know about it, whatever its family.

use thiserror::Error;
use tile_isa::clause::ClauseError;
use tile_isa::words::{UnknownWord, one_of};
use tile_isa::{Space, Transfer};
use tile_layout::Layout;

use crate::families::family::Family;
use crate::problem::mask::Mask;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::ValueUse;
use crate::sides::side::Side;

/// A variant or a clause that an op may not have with the plan that it carries.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CarriedError {
    /// A variant that does not make such plans.
    #[error(transparent)]
    Variant(#[from] UnknownWord),
    /// A variant that plans no vectors, with a plan of vectors.
    #[error("needs a variant that moves vectors")]
    NoVectors,
    /// A clause that does not go with the plan's instructions.
    #[error(transparent)]
    Clause(#[from] ClauseError),
    /// A predicate, where lanes exchange what they hold.
    #[error("got an exchange between lanes and a predicate or a mask, expected one of them")]
    DecidedExchange,
    /// A plan that is malformed itself.
    #[error(transparent)]
    Plan(#[from] Refusal),
}

impl From<CarriedError> for String {
    fn from(error: CarriedError) -> Self {
        error.to_string()
    }
}

/// A plan that an op carries: that is expanded to instructions, or completed to one that is.
pub trait Carried: Family {
    /// Accepts the variant that a text names.
    ///
    /// # Errors
    /// Got and expected.
    fn set_variant(&mut self, variant: &'static str, _transfer: Option<Transfer>) -> Result<(), CarriedError> {
        Ok(one_of("variant", variant, [self.variant()])?)
    }

    /// The side of that role; `None` where the plan has none.
    fn side(&self, role: Role) -> Option<CarriedSide<'_>>;

    /// The roles that it has sides for: those of the buffers of an op that carries it, in order.
    fn roles(&self) -> Vec<Role> {
        Role::ALL.into_iter().filter(|role| self.side(*role).is_some()).collect()
    }

    /// What the copy leaves out; `None` where it copies everything.
    fn mask(&self) -> Option<&Mask> {
        None
    }

    /// Whether accesses may be in flight after the copy was issued.
    fn is_asynchronous(&self) -> bool {
        false
    }

    /// Checks that the clauses of an op are ones that the plan's instructions have.
    ///
    /// # Errors
    /// A clause that is missing, or that is too much.
    fn check_clauses(&self, clauses: CarriedClauses) -> Result<(), CarriedError> {
        Ok(clauses.none()?)
    }

    /// Visits each use of a run-time value.
    fn each_value(&mut self, visit: &mut dyn FnMut(ValueUse<'_>));
}

/// Clauses of an op that carries a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CarriedClauses {
    /// Whether it names an mbarrier.
    pub barrier: bool,
    /// Whether it names another CTA.
    pub remote_cta: bool,
    /// Whether it names several CTAs.
    pub cta_mask: bool,
    /// Whether it has a predicate for the threads that take part.
    pub predicate: bool,
}

impl CarriedClauses {
    /// Requires that there are none.
    pub(crate) fn none(self) -> Result<(), ClauseError> {
        let given = [
            (self.barrier, "an mbarrier"),
            (self.remote_cta, "a remote_cta"),
            (self.cta_mask, "a cta_mask"),
            (self.predicate, "a predicate"),
        ];
        match given.into_iter().find(|(given, _)| *given) {
            Some((_, name)) => Err(ClauseError::Surplus(name)),
            None => Ok(()),
        }
    }
}

/// One side of a plan, which must fit the operand.
#[derive(Clone, Copy, Debug)]
pub struct CarriedSide<'p> {
    /// The memory space.
    pub space: Space,
    /// The layout, of the region or of the whole buffer.
    pub layout: &'p Layout,
    /// The number of run-time strides.
    pub strides: usize,
    /// The alignment of the storage's first element that the plan relies on, in bytes.
    pub align_bytes: i64,
    /// Width of an element.
    pub bits: u32,
}

impl<'p> CarriedSide<'p> {
    /// A side with elements of `bits`.
    pub(crate) fn of(side: &'p Side, bits: u32) -> Self {
        let Side { space, ref layout, ref strides, align_bytes, .. } = *side;
        CarriedSide { space, layout, strides: strides.len(), align_bytes, bits }
    }
}
