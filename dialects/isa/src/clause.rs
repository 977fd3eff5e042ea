//! Clauses of ops, by what their instructions have operands for.

use thiserror::Error;

use crate::messages::message_of;

/// A clause that does not go with an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ClauseError {
    /// A clause that the instruction does not have: `an mbarrier`.
    #[error("got {0}, expected none")]
    Surplus(&'static str),
    /// A clause that the instruction needs: `mbarrier`.
    #[error("got no {0}, expected one")]
    Missing(&'static str),
}

message_of!(ClauseError);
