//! The verifier of attributes of the dialect on ops.

use melior::ir::OperationRef;
use strsim::levenshtein;
use tile_plan::pipeline::MAX_STAGES;

use super::outcome;
use crate::ops::integer;
use crate::{
    CONVERTED, DENY, DYNAMIC_SHARED, INHERENT, NOALIAS, ORDER, REGISTERS, SCHEDULE, SCOPE, STAGES, STAGES_IF_ASYNC,
    STAYS, TENSOR_MAPS, VERSIONED, schedule_of,
};

/// The attributes that programs state.
const STATED: [&str; 7] = [DENY, DYNAMIC_SHARED, NOALIAS, ORDER, SCHEDULE, SCOPE, STAGES];

/// The attributes that passes make.
const MADE: [&str; 7] = [CONVERTED, INHERENT, REGISTERS, STAGES_IF_ASYNC, STAYS, TENSOR_MAPS, VERSIONED];

/// The most letters in which a name differs from the one that is meant.
const MAX_TYPOS: usize = 3;

/// Verifies the attribute of that name, which the op has.
pub(crate) fn attribute(op: OperationRef<'_, '_>, name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    match &*name {
        STAGES => outcome(op, stages(op)),
        SCHEDULE => outcome(op, schedule(op)),
        known if STATED.contains(&known) || MADE.contains(&known) => true,
        unknown => outcome(op, Err(format!("got {unknown}, {}", expected(unknown)))),
    }
}

/// What may have been meant by a name that nothing reads.
fn expected(unknown: &str) -> String {
    let nearest = STATED.into_iter().min_by_key(|stated| levenshtein(stated, unknown));
    match nearest.filter(|stated| levenshtein(stated, unknown) <= MAX_TYPOS) {
        Some(meant) => format!("did you mean {meant}?"),
        None => format!("expected one of {}", STATED.join(", ")),
    }
}

fn stages(op: OperationRef<'_, '_>) -> Result<(), String> {
    match integer(op, STAGES) {
        Some(1..=MAX_STAGES) => Ok(()),
        _ => Err(format!("has {STAGES}, expected an integer from 1 to {MAX_STAGES}")),
    }
}

fn schedule(op: OperationRef<'_, '_>) -> Result<(), String> {
    match schedule_of(op) {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(format!(
            "has {SCHEDULE}, expected #tile.schedule<…> or an attribute that implements TileScheduleAttrInterface"
        )),
        Err(mistake) => Err(mistake.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::expected;

    #[test]
    fn far_names_are_answered_with_all() {
        assert_eq!(expected("tile.no_alias"), "did you mean tile.noalias?");
        assert!(expected("tile.something").starts_with("expected one of tile.deny, "));
    }
}
