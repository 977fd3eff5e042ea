//! The stage ops, between the passes: their numbers must fit each other, so that later passes may rely on them.

mod bulk;
mod matrix;
mod registers;
mod scalar;
mod sides;
mod tmem;
mod vector;

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;

use super::{copy, outcome};

/// Reports what is wrong with an op; `false` if anything is.
type Verifier = fn(OperationRef<'_, '_>) -> bool;

/// The ops of each family.
const VERIFIERS: [(&str, Verifier); 8] = [
    ("tile.matched_copy", |op| outcome(op, vector::aligned(op))),
    ("tile.vector_copy", |op| outcome(op, vector::vector(op))),
    ("tile.matrix_copy", |op| outcome(op, matrix::matrix(op))),
    ("tile.register_copy", |op| outcome(op, registers::registers(op))),
    ("tile.tmem_copy", |op| outcome(op, tmem::copy(op))),
    ("tile.tmem_access", |op| outcome(op, tmem::access(op))),
    ("tile.bulk_copy", |op| outcome(op, bulk::bulk(op))),
    ("tile.scalar_copy", |op| copy(op) && outcome(op, scalar::scalar(op))),
];

pub(crate) fn stage(op: OperationRef<'_, '_>) -> bool {
    let name = op.name();
    let name = name.as_string_ref().as_str().unwrap_or_default();
    let own = VERIFIERS.iter().find(|(named, _)| *named == name);
    own.is_some_and(|(_, verify)| verify(op))
}
