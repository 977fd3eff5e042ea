//! The plan of a copy between the passes.

use melior::ir::OperationRef;
use tile_passes::inspect;
use tile_plan::{
    BulkCopy, CopyPlan, Family, MatrixCopy, RegisterCopy, Role, ScalarCopy, Space, TmemAccess, TmemCopy, Transfer,
    VectorCopy,
};

/// The plan in the IR.
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
    TmemCopy(TmemCopy),
    /// Between tensor memory and registers.
    TmemAccess(TmemAccess),
    /// Chunks, in bulk.
    Bulk(BulkCopy),
    /// Between registers.
    Registers(RegisterCopy),
    /// From registers to shared memory, and from there to registers.
    Scratch([Box<Plan>; 2]),
}

impl Plan {
    /// The variant that accepted the copy.
    pub fn variant(&self) -> &'static str {
        match self {
            Plan::Vectors(copy) => copy.variant,
            Plan::Parts(parts) => parts.first().map_or("gmem_smem", |copy| copy.variant),
            Plan::Matrices(_) => "ldstmatrix",
            Plan::Scalars(_) => "fallback",
            Plan::TmemCopy(_) => "tcgen05_cp",
            Plan::TmemAccess(_) => "tcgen05_ldst",
            Plan::Bulk(copy) => copy.variant(),
            Plan::Registers(copy) => copy.variant(),
            Plan::Scratch(_) => "scratch",
        }
    }

    /// Whether `cp.async` performs the copy.
    pub fn is_cp_async(&self) -> bool {
        let by = |copy: &VectorCopy| copy.transfer == Transfer::CpAsync;
        match self {
            Plan::Vectors(copy) => by(copy),
            Plan::Parts(parts) => parts.iter().any(by),
            _ => false,
        }
    }
}

/// Reads the planned ops of one copy; several ops are its parts.
pub(super) fn read_all(ops: &[OperationRef<'_, '_>]) -> Result<Plan, String> {
    let parts = |op: &OperationRef<'_, '_>| match read(*op)? {
        Plan::Vectors(copy) => Ok(copy),
        other => Err(format!("left {} parts, one of them by {}", ops.len(), other.variant())),
    };
    match ops {
        [] => Err("left no op in place of the copy".to_owned()),
        [op] => read(*op),
        [first, second] if is_scratch(&read(*first)?) => {
            Ok(Plan::Scratch([Box::new(read(*first)?), Box::new(read(*second)?)]))
        }
        _ => ops.iter().map(parts).collect::<Result<_, _>>().map(Plan::Parts),
    }
}

/// The plan of an op.
fn read(op: OperationRef<'_, '_>) -> Result<Plan, String> {
    match inspect::plan(op).ok_or("left an op without a plan")?.clone() {
        CopyPlan::Vectors(copy) => Ok(Plan::Vectors(copy)),
        CopyPlan::Matrix(copy) => Ok(Plan::Matrices(copy)),
        CopyPlan::Scalar(copy) => Ok(Plan::Scalars(copy)),
        CopyPlan::TmemCopy(copy) => Ok(Plan::TmemCopy(copy)),
        CopyPlan::TmemAccess(copy) => Ok(Plan::TmemAccess(copy)),
        CopyPlan::Bulk(copy) => Ok(Plan::Bulk(copy)),
        CopyPlan::Registers(copy) => Ok(Plan::Registers(copy)),
        CopyPlan::TensorMap(_) => Err("left a copy through tensor maps".to_owned()),
        CopyPlan::Partition(_) | CopyPlan::Composite(_) => Err("left a plan that is not complete".to_owned()),
        CopyPlan::Prefetch(_) => Err("left a plan that copies nothing".to_owned()),
    }
}

/// Whether the first of several plans is the first half of a copy through shared memory. All parts of a copy start in
/// the same memory and end in the same memory; only a copy between registers leaves two plans of which the first starts
/// in registers.
fn is_scratch(first: &Plan) -> bool {
    match first {
        Plan::Vectors(copy) => copy.side(Role::Src).space == Space::Local && copy.dst.space == Space::Shared,
        Plan::Matrices(copy) => !copy.load,
        Plan::Scalars(copy) => copy.side(Role::Src).space == Space::Local && copy.dst.space == Space::Shared,
        _ => false,
    }
}
