//! The verifier of attributes of the dialect on ops.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use strsim::levenshtein;
use tile_isa::{MAX_THREADS, WARP};
use tile_plan::pipeline::MAX_STAGES;

use super::outcome;
use crate::error::{VerifyError, malformed};
use crate::ops::integer;
use crate::{
    CONVERTED, Ctx, DENY, DYNAMIC_SHARED, INHERENT, NOALIAS, ORDER, PRODUCER, REGISTERS, ROLE, SCHEDULE, SCOPE, STAGES,
    STAGES_IF_ASYNC, STAYS, TENSOR_MAPS, VERSIONED, schedule_of,
};

/// The attributes that programs state.
const STATED: [&str; 9] = [DENY, DYNAMIC_SHARED, NOALIAS, ORDER, PRODUCER, ROLE, SCHEDULE, SCOPE, STAGES];

/// The attributes that passes make.
const MADE: [&str; 7] = [CONVERTED, INHERENT, REGISTERS, STAGES_IF_ASYNC, STAYS, TENSOR_MAPS, VERSIONED];

/// The most letters in which a name differs from the one that is meant.
const MAX_TYPOS: usize = 3;

/// Verifies the attribute of that name, which the op has.
pub(crate) fn attribute(op: OperationRef<'_, '_>, name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    match &*name {
        STAGES | PRODUCER | ROLE => outcome(op, value(op, &name)),
        SCHEDULE => outcome(op, schedule(op)),
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

/// Verifies the value of an attribute that has one.
fn value(op: OperationRef<'_, '_>, name: &str) -> Result<(), VerifyError> {
    let stages = integer(op, STAGES);
    let (is_right, expected) = match name {
        STAGES => {
            let is_right = stages.is_some_and(|stages| (1..=MAX_STAGES).contains(&stages));
            (is_right, format!("an integer from 1 to {MAX_STAGES}"))
        }
        PRODUCER => {
            let is_unit = op.attribute(PRODUCER).is_ok_and(|stated| stated == Ctx::of(op).unit());
            let is_right = is_unit && stages.is_some_and(|stages| stages > 1);
            (is_right, format!("it without a value, beside {STAGES} of 2 or more"))
        }
        _ => {
            let is_right = |threads| threads % WARP == 0 && (WARP..MAX_THREADS).contains(&threads);
            let expected = format!("a number of threads: a multiple of {WARP} below {MAX_THREADS}");
            (integer(op, name).is_some_and(is_right), expected)
        }
    };
    is_right.then_some(()).ok_or_else(|| malformed!("has {name}"; expected "{expected}"))
}

fn schedule(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    let stated = schedule_of(op)?;
    stated.map(drop).ok_or_else(|| {
        malformed!("has {SCHEDULE}"; expected "#tile.schedule<…> or an attribute that implements TileScheduleAttrInterface")
    })
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
