//! A decoded function.

use super::state::State;
use super::table::Signature;
use crate::code::{Info, Inst};

/// A decoded body: branch targets are still label numbers.
pub(crate) struct Body {
    pub(crate) code: Vec<(Inst, Info)>,
    pub(crate) state: State,
    pub(crate) signature: Signature,
}
