//! The plan that a stage op holds.

use melior::ir::OperationRef;
use tile_passes::inspect::{self, StagePlan};
use tile_plan::{BulkCopy, Family, MatrixCopy, ScalarCopy, TensorAccess, TensorCopy, Transfer, VectorCopy};

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
    /// Chunks, in bulk.
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
            Plan::Bulk(copy) => copy.variant(),
        }
    }

    /// Is it done by `cp.async`?
    pub fn is_cp_async(&self) -> bool {
        let by = |copy: &VectorCopy| copy.transfer == Transfer::CpAsync;
        match self {
            Plan::Vectors(copy) => by(copy),
            Plan::Parts(parts) => parts.iter().any(by),
            _ => false,
        }
    }
}

/// Reads the stage ops of one copy: several are its parts.
pub(super) fn read_all(ops: &[OperationRef<'_, '_>]) -> Result<Plan, String> {
    let parts = |op: &OperationRef<'_, '_>| match read(*op)? {
        Plan::Vectors(copy) => Ok(copy),
        other => Err(format!("left {} parts, one of them by {}", ops.len(), other.variant())),
    };
    match ops {
        [] => Err("left no op in place of the copy".to_owned()),
        [op] => read(*op),
        _ => ops.iter().map(parts).collect::<Result<_, _>>().map(Plan::Parts),
    }
}

/// Reads a stage op.
fn read(op: OperationRef<'_, '_>) -> Result<Plan, String> {
    match inspect::plan(op)? {
        StagePlan::Vectors(copy) => Ok(Plan::Vectors(copy)),
        StagePlan::Matrices(copy) => Ok(Plan::Matrices(copy)),
        StagePlan::Scalars(copy) => Ok(Plan::Scalars(copy)),
        StagePlan::TensorCopy(copy) => Ok(Plan::TensorCopy(copy)),
        StagePlan::TensorAccess(copy) => Ok(Plan::TensorAccess(copy)),
        StagePlan::Bulk(copy) => Ok(Plan::Bulk(copy)),
        _ => Err("left an op of a kind that is not known here".to_owned()),
    }
}
