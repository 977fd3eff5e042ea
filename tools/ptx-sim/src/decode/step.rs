//! The steps of an instruction.

use crate::code::{Op, PredSrc};

/// One of the operations that execute an instruction.
pub(crate) struct Step {
    pub(crate) op: Op,
    /// The predicate under which it is executed, if it is not that of the instruction.
    pub(crate) guard: Option<PredSrc>,
}

impl From<Op> for Step {
    fn from(op: Op) -> Self {
        Self { op, guard: None }
    }
}
