//! `tile.mma`.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};

use super::{scope, string};
use crate::ir::Parts;
use tile_isa::Scope;

/// A product of tiles.
#[derive(Clone, Copy, Debug)]
pub struct MmaOp<'c, 'a>(pub OperationRef<'c, 'a>);

impl<'c: 'a, 'a> MmaOp<'c, 'a> {
    /// The op's name.
    pub const NAME: &'static str = "tile.mma";

    /// Both factors and the sum.
    pub fn operands(self) -> Option<[Value<'c, 'a>; 3]> {
        Some([self.0.operand_at(0)?, self.0.operand_at(1)?, self.0.operand_at(2)?])
    }

    /// The scales of the factors, if they have any.
    pub fn scales(self) -> Option<[Value<'c, 'a>; 2]> {
        Some([self.0.operand_at(3)?, self.0.operand_at(4)?])
    }

    /// The threads that multiply together.
    pub fn scope(self) -> Scope {
        scope(self.0)
    }

    /// Whether the op closes a group of the product and does not wait for it.
    pub fn group(self) -> bool {
        self.0.has_attribute("group")
    }

    /// How elements of the left factor are read.
    pub fn clause_of_a(self) -> Option<String> {
        string(self.0, "convert")
    }

    /// How elements of the right factor are read.
    pub fn clause_of_b(self) -> Option<String> {
        string(self.0, "convert_b").or_else(|| self.clause_of_a())
    }

    /// The variant that the op names.
    pub fn variant(self) -> Option<String> {
        string(self.0, "variant")
    }
}
