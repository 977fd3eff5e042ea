//! `tile.matrix_copy`.

use melior::ir::OperationRef;
use tile_isa::MatrixShape;
use tile_isa::matrix::matrix_loads;

use super::sides::sides;
use crate::ops::integers;

pub(super) fn matrix(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    MatrixShape::of(&integers(op, "shape"), src.layout.size())?;
    matrix_loads(src.buffer.space().name(), dst.buffer.space().name()).map(drop)
}
