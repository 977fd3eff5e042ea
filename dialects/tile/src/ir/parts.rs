//! Operands, results, regions and successors of an op, by number.
//!
//! melior has methods for each, whose error holds the printed op; and MLIR verifies all that is around an op before it
//! prints it. Asked for an operand that is not there, they take the longer the larger the module is.

use melior::ir::operation::{OperationLike, OperationResult};
use melior::ir::{BlockRef, RegionRef, Value};

/// What an op has by number; `None` beyond the last.
#[expect(clippy::disallowed_methods, reason = "here the number is compared first")]
pub trait Parts<'c: 'a, 'a>: OperationLike<'c, 'a> + Sized {
    /// An operand.
    fn operand_at(&self, index: usize) -> Option<Value<'c, 'a>> {
        (index < self.operand_count()).then(|| self.operand(index).ok()).flatten()
    }

    /// A result.
    fn result_at(&self, index: usize) -> Option<OperationResult<'c, 'a>> {
        (index < self.result_count()).then(|| self.result(index).ok()).flatten()
    }

    /// A region.
    fn region_at(&self, index: usize) -> Option<RegionRef<'c, 'a>> {
        (index < self.region_count()).then(|| self.region(index).ok()).flatten()
    }

    /// A successor of a terminator.
    fn successor_at(&self, index: usize) -> Option<BlockRef<'c, 'a>> {
        (index < self.successor_count()).then(|| self.successor(index).ok()).flatten()
    }
}

impl<'c: 'a, 'a, T: OperationLike<'c, 'a>> Parts<'c, 'a> for T {}
