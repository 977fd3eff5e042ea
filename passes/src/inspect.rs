//! The plans in IR between the passes: what a stage op says is done.
//!
//! ```
//! use tile_passes::inspect::{self, StagePlan};
//! use tile_passes::embed;
//!
//! let context = embed::context();
//! let mut module = embed::parse(&context, r#"
//! gpu.module @kernels {
//!   gpu.func @load(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
//!     %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
//!     %s = tile.alloc : !tile.buffer<32x32xf32, shared>
//!     tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
//!     gpu.return
//!   }
//! }"#)?;
//! embed::run(&mut module, "builtin.module(tile-align-copy,tile-vectorize-copy)")?;
//! let ops = inspect::planned(module.as_operation());
//! let Ok(StagePlan::Vectors(copy)) = inspect::plan(ops[0]) else { panic!("a copy by vectors") };
//! assert_eq!((copy.variant, copy.rounds, copy.vector_bits()), ("gmem_smem", 8, 128));
//! # Ok::<(), tile_passes::Error>(())
//! ```

use melior::ir::OperationRef;
use tile_dialect::ops::{CopyOp, StageOp};
use tile_ops::tile;
use tile_plan::{BulkCopy, MatrixCopy, RegisterCopy, ScalarCopy, TensorAccess, TensorCopy, VectorCopy};

use crate::families::{FAMILIES, bulk, matrix, registers, scalar, tmem, vector};
use crate::options::Options;
use crate::read::name;
use crate::read::problem::Reader;
use crate::walk;

/// The plan that an op holds.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StagePlan {
    /// Rounds of vectors.
    Vectors(VectorCopy),
    /// 8x8 matrices.
    Matrices(MatrixCopy),
    /// Between registers.
    Registers(RegisterCopy),
    /// Element by element.
    Scalars(ScalarCopy),
    /// Tiles from shared to tensor memory.
    TensorCopy(TensorCopy),
    /// Between tensor memory and registers.
    TensorAccess(TensorAccess),
    /// Chunks to another CTA.
    Bulk(BulkCopy),
}

/// The ops at or below `root` that hold a plan.
pub fn planned<'c, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    walk::matching(root, |name| FAMILIES.iter().any(|family| family.staged() == name))
}

/// The plan of an op that [`planned`] finds.
///
/// # Errors
/// Why it holds none.
pub fn plan(op: OperationRef<'_, '_>) -> Result<StagePlan, String> {
    let options = Options::default();
    let reader = Reader::new(&options);
    let plan = match name(op) {
        tile::VectorCopyOp::NAME => vector::read_vector(StageOp(op), &reader).map(StagePlan::Vectors),
        tile::MatrixCopyOp::NAME => matrix::read_matrix(StageOp(op), &reader).map(StagePlan::Matrices),
        tile::RegisterCopyOp::NAME => registers::read_registers(StageOp(op), &reader).map(StagePlan::Registers),
        tile::TensorCopyOp::NAME => tmem::read_tensor_copy(StageOp(op), &reader).map(StagePlan::TensorCopy),
        tile::TensorAccessOp::NAME => tmem::read_tensor_access(StageOp(op), &reader).map(StagePlan::TensorAccess),
        tile::BulkCopyOp::NAME => bulk::read_bulk(StageOp(op), &reader).map(StagePlan::Bulk),
        tile::ScalarCopyOp::NAME => return scalar::read_scalar(CopyOp(op), &reader).map(StagePlan::Scalars),
        _ => return Err("is no op that holds a plan".to_owned()),
    };
    plan.ok_or_else(|| "holds no plan: its attributes do not fit each other".to_owned())
}
