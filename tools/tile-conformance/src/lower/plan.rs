//! The plan that a stage op holds.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::ops::{CopyOp, StageOp};
use tile_passes::families::{bulk, matrix, scalar, tmem, vector};
use tile_passes::read::problem::Reader;
use tile_plan::{BulkCopy, MatrixCopy, ScalarCopy, TensorAccess, TensorCopy, VectorCopy};

/// Stage ops from which nothing is left to be decided.
pub(super) const STAGED: [&str; 6] = [
    "tile.vector_copy",
    "tile.matrix_copy",
    "tile.scalar_copy",
    "tile.tensor_copy",
    "tile.tensor_access",
    "tile.bulk_copy",
];

/// What the IR says is done.
#[derive(Clone, Debug)]
pub enum Plan {
    /// Rounds of vectors.
    Vectors(VectorCopy),
    /// Rounds of vectors for each part of the region.
    Parts(Vec<VectorCopy>),
    /// 8x8 matrices.
    Matrices(MatrixCopy),
    /// Element by element.
    Scalars(ScalarCopy),
    /// Tiles to tensor memory.
    TensorCopy(TensorCopy),
    /// Between tensor memory and registers.
    TensorAccess(TensorAccess),
    /// Chunks to another CTA.
    Bulk(BulkCopy),
}

impl Plan {
    /// The variant that took the copy.
    pub fn variant(&self) -> &'static str {
        match self {
            Plan::Vectors(copy) => copy.variant,
            Plan::Parts(parts) => parts.first().map_or("gmem_smem", |copy| copy.variant),
            Plan::Matrices(_) => "ldstmatrix",
            Plan::Scalars(_) => "fallback",
            Plan::TensorCopy(_) => "tcgen05_cp",
            Plan::TensorAccess(_) => "tcgen05_ldst",
            Plan::Bulk(_) => "dsmem",
        }
    }
}

/// Reads the stage ops of one copy: several are its parts.
pub(super) fn read_all(ops: &[OperationRef<'_, '_>], reader: &Reader<'_>) -> Result<Plan, String> {
    let parts = |op: &OperationRef<'_, '_>| match read(*op, reader)? {
        Plan::Vectors(copy) => Ok(copy),
        other => Err(format!("left {} parts, one of them by {}", ops.len(), other.variant())),
    };
    match ops {
        [] => Err("left no op in place of the copy".to_owned()),
        [op] => read(*op, reader),
        _ => ops.iter().map(parts).collect::<Result<_, _>>().map(Plan::Parts),
    }
}

/// Reads a stage op.
fn read(op: OperationRef<'_, '_>, reader: &Reader<'_>) -> Result<Plan, String> {
    let malformed = "left an op that is no plan";
    let name = op.name();
    match name.as_string_ref().as_str().unwrap_or_default() {
        "tile.vector_copy" => vector::read_vector(StageOp(op), reader).map(Plan::Vectors).ok_or(malformed.to_owned()),
        "tile.matrix_copy" => matrix::read_matrix(StageOp(op), reader).map(Plan::Matrices).ok_or(malformed.to_owned()),
        "tile.tensor_copy" => {
            tmem::read_tensor_copy(StageOp(op), reader).map(Plan::TensorCopy).ok_or(malformed.to_owned())
        }
        "tile.tensor_access" => {
            tmem::read_tensor_access(StageOp(op), reader).map(Plan::TensorAccess).ok_or(malformed.to_owned())
        }
        "tile.bulk_copy" => bulk::read_bulk(StageOp(op), reader).map(Plan::Bulk).ok_or(malformed.to_owned()),
        _ => scalar::read_scalar(CopyOp(op), reader).map(Plan::Scalars),
    }
}
