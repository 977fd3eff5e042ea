//! The verifier of attributes of the dialect on ops.

use melior::ir::OperationRef;
use strsim::levenshtein;
use tile_plan::pipeline::MAX_STAGES;

use super::outcome;
use crate::error::{VerifyError, malformed};
use crate::ops::integer;
use crate::{
    CONVERTED, DENY, DYNAMIC_SHARED, INHERENT, NOALIAS, ORDER, REGISTERS, SCOPE, STAGES, STAGES_IF_ASYNC, STAYS,
    TENSOR_MAPS, VERSIONED,
};

/// The attributes that programs state.
const STATED: [&str; 6] = [DENY, DYNAMIC_SHARED, NOALIAS, ORDER, SCOPE, STAGES];

/// The attributes that passes make.
const MADE: [&str; 7] = [CONVERTED, INHERENT, REGISTERS, STAGES_IF_ASYNC, STAYS, TENSOR_MAPS, VERSIONED];

/// The most letters in which a name differs from the one that is meant.
const MAX_TYPOS: usize = 3;

/// Verifies the attribute of that name, which the op has.
pub(crate) fn attribute(op: OperationRef<'_, '_>, name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    match &*name {
        STAGES => outcome(op, stages(op)),
        known if STATED.contains(&known) || MADE.contains(&known) => true,
        unknown => outcome(op, Err(unread(unknown))),
    }
}

/// A name that nothing reads, with the one that may have been meant.
fn unread(got: &str) -> VerifyError {
    let nearest = STATED.into_iter().min_by_key(|stated| levenshtein(stated, got));
    let nearest = nearest.filter(|stated| levenshtein(stated, got) <= MAX_TYPOS);
    VerifyError::UnknownName { got: got.to_owned(), known: &STATED, nearest }
}

fn stages(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    match integer(op, STAGES) {
        Some(1..=MAX_STAGES) => Ok(()),
        _ => Err(malformed!("has {STAGES}"; expected "an integer from 1 to {MAX_STAGES}")),
    }
}

#[cfg(test)]
mod tests {
    use super::unread;

    #[test]
    fn far_names_are_answered_with_all() {
        assert_eq!(unread("tile.no_alias").to_string(), "got tile.no_alias, did you mean tile.noalias?");
        let far = unread("tile.something").to_string();
        assert!(far.starts_with("got tile.something, expected one of tile.deny, "), "{far}");
    }
}
