//! Properties of single values and ops that the analyses use.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_ops::{gpu, interface, name, tile};

/// Identity of a value, as long as its IR lives.
pub fn key(value: Value<'_, '_>) -> usize {
    value.to_raw().ptr as usize
}

/// The operands of an op.
pub fn operands<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    op.operands().collect()
}

/// The values that determine the trip count of an `scf.for`, and the values of its induction variable.
pub fn bounds<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    op.operands().take(3).collect()
}

/// The dimension of an op such as `gpu.thread_id`: 0, 1, 2 for x, y, z.
pub fn dimension(op: OperationRef<'_, '_>) -> Option<usize> {
    match interface::dimension(op)? {
        gpu::Dimension::X => Some(0),
        gpu::Dimension::Y => Some(1),
        gpu::Dimension::Z => Some(2),
        _ => None,
    }
}

/// Whether an op is a view of a tile by another tile.
pub fn is_view(op: OperationRef<'_, '_>) -> bool {
    const VIEWS: [&str; 4] = [tile::SubviewOp::NAME, tile::PermuteOp::NAME, tile::ReshapeOp::NAME, tile::CastOp::NAME];
    VIEWS.contains(&name(op))
}
