//! `ldmatrix` and `stmatrix` of 8x8 matrices.

use melior::ir::OperationRef;
use tile_dialect::Ctx;
use tile_ops::{constant, nvvm};
use tile_plan::sync::Engine;
use tile_plan::touch::Collective;

use super::error::UnknownEffects;
use super::{AccessedMemory, Effects, MemoryAccess, Participants};

/// Bytes of a row of a matrix.
const ROW_BYTES: i64 = 16;

/// Rows of a matrix, each named by a lane.
const ROWS: i64 = 8;

/// The effects of a matrix access: the rows that the warp's first lanes name.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Result<Effects<'c, 'a>, UnknownEffects>> {
    let (pointer, count, shape, write) = match (nvvm::LdMatrixOp::cast(op), nvvm::StMatrixOp::cast(op)) {
        (Some(load), _) => (load.ptr(), load.num(), load.shape(), false),
        (_, Some(store)) => (store.ptr(), Some(store.sources().count() as i64), store.shape(), true),
        _ => return None,
    };
    let known = constant::ld_st_matrix_shape(Ctx::of(op), ROWS, ROWS);
    let Some(count) = count.filter(|_| shape == Some(known)) else {
        return Some(Err(UnknownEffects::Matrices));
    };
    let memory = AccessedMemory::Rows { pointer, rows: ROWS * count, bytes: ROW_BYTES };
    let access = MemoryAccess { write, collective: Collective::Warp, ..MemoryAccess::read(memory, Engine::THREADS) };
    Some(Ok(Effects { by: Participants::FullWarps, accesses: vec![access], ..Effects::default() }))
}
