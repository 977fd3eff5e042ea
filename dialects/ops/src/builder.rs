//! The builder of ops.

use melior::ir::operation::OperationLike;
use melior::ir::{Block, Location, OperationRef, Region, RegionLike, Type, Value};
use tile_dialect::Ctx;
use tile_dialect::ir::{Parts as _, Rewriter, arguments_of};

/// Makes ops at the rewriter's insertion point, all with the same location.
#[derive(Clone, Copy)]
pub struct Builder<'c, 'a> {
    /// Inserts the ops.
    pub rewriter: Rewriter<'c, 'a>,
    /// The location of every op that is made.
    pub location: Location<'c>,
    /// The context of every op that is made.
    pub context: Ctx<'c>,
}

impl<'c: 'a, 'a> Builder<'c, 'a> {
    /// A builder for ops that are inserted before `op`, with its location.
    pub fn before(rewriter: Rewriter<'c, 'a>, op: OperationRef<'c, 'a>) -> Self {
        rewriter.set_insertion_point_before(op);
        Builder { rewriter, location: op.location(), context: Ctx::of(op) }
    }

    /// Makes ops at the insertion point that `go` sets, then restores the current one.
    pub fn elsewhere<R>(&self, go: impl FnOnce(Rewriter<'c, 'a>), make: impl FnOnce(Self) -> R) -> R {
        let point = self.rewriter.insertion_point();
        go(self.rewriter);
        let result = make(*self);
        self.rewriter.set_insertion_point(point);
        result
    }

    /// A region of one block with arguments of those types.
    pub fn body(&self, arguments: &[Type<'c>]) -> Region<'c> {
        let arguments: Vec<_> = arguments.iter().map(|&r#type| (r#type, self.location)).collect();
        let region = Region::new();
        region.append_block(Block::new(&arguments));
        region
    }

    /// Makes ops at the end of the first block of an op's region, given its arguments; continues after the op.
    ///
    /// # Panics
    /// Where the region has no block.
    pub fn fill<R>(&self, op: OperationRef<'c, 'a>, region: usize, make: impl FnOnce(&[Value<'c, 'a>]) -> R) -> R {
        let block = op.region_at(region).and_then(|region| region.first_block()).expect("the region has a block");
        let arguments = arguments_of(block);
        self.rewriter.set_insertion_point_to_end(block);
        let result = make(&arguments);
        self.rewriter.set_insertion_point_after(op);
        result
    }
}

/// A region without blocks.
pub fn region<'c>() -> Region<'c> {
    Region::new()
}
