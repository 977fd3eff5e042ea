//! The verifier of attributes of the dialect on ops.

use melior::ir::OperationRef;
use tile_plan::pipeline::MAX_STAGES;

use super::outcome;
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
        unknown => outcome(op, Err(format!("got {unknown}, {}", expected(unknown)))),
    }
}

/// What may have been meant by a name that nothing reads.
fn expected(unknown: &str) -> String {
    let nearest = STATED.into_iter().min_by_key(|known| typos(known, unknown));
    match nearest.filter(|known| typos(known, unknown) <= MAX_TYPOS) {
        Some(known) => format!("did you mean {known}?"),
        None => format!("expected one of {}", STATED.join(", ")),
    }
}

/// The fewest letters to insert, to delete or to replace that make one name the other.
fn typos(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, letter) in from.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, other) in to.bytes().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

fn stages(op: OperationRef<'_, '_>) -> Result<(), String> {
    match integer(op, STAGES) {
        Some(1..=MAX_STAGES) => Ok(()),
        _ => Err(format!("has {STAGES}, expected an integer from 1 to {MAX_STAGES}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{expected, typos};

    #[test]
    fn typos_are_counted() {
        assert_eq!(typos("tile.stages", "tile.stages"), 0);
        assert_eq!(typos("tile.stages", "tile.stage"), 1);
        assert_eq!(typos("tile.order", "tile.oredr"), 2);
        assert_eq!(typos("", "abc"), 3);
    }

    #[test]
    fn far_names_are_answered_with_all() {
        assert_eq!(expected("tile.no_alias"), "did you mean tile.noalias?");
        assert!(expected("tile.something").starts_with("expected one of tile.deny, "));
    }
}
