//! `tile.update_map`.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_isa::Scope;

use super::scope;
use crate::ir::{Parts, defining_op};

/// A map that a kernel makes describe another tile.
#[derive(Clone, Copy, Debug)]
pub struct UpdateMapOp<'c, 'a>(pub OperationRef<'c, 'a>);

impl<'c: 'a, 'a> UpdateMapOp<'c, 'a> {
    /// The op's name.
    pub const NAME: &'static str = "tile.update_map";

    /// The op that makes a map, if it is one of these.
    pub fn of(map: Value<'c, 'a>) -> Option<Self> {
        defining_op(map).filter(|op| op.name().as_string_ref().as_str() == Ok(Self::NAME)).map(UpdateMapOp)
    }

    /// The map that is changed.
    pub fn map(self) -> Option<Value<'c, 'a>> {
        self.0.operand_at(0)
    }

    /// The tile that the result describes.
    pub fn tile(self) -> Option<Value<'c, 'a>> {
        self.0.operand_at(1)
    }

    /// The bytes of the result, in global memory.
    pub fn workspace(self) -> Option<Value<'c, 'a>> {
        self.0.operand_at(2)
    }

    /// The bytes in shared memory in which fields are replaced.
    pub fn scratch(self) -> Option<Value<'c, 'a>> {
        self.0.operand_at(3)
    }

    /// The threads that change it together: a warp, or the block.
    pub fn scope(self) -> Scope {
        scope(self.0)
    }
}
