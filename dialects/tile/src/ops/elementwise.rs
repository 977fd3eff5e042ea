//! `tile.map`, `tile.reduce`, `tile.total` and `tile.block_scan`.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockRef, OperationRef, RegionLike, Value};

use super::combine::{CombineKind, ReduceKind};
use super::{integer, scope, segment};
use crate::ir::{Parts, results_of};
use tile_isa::Scope;

/// A function of the elements of tiles.
#[derive(Clone, Copy, Debug)]
pub struct MapOp<'c, 'a>(pub OperationRef<'c, 'a>);

impl<'c: 'a, 'a> MapOp<'c, 'a> {
    /// The op's name.
    pub const NAME: &'static str = "tile.map";

    /// The tiles whose elements are the arguments.
    pub fn sources(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, 0)
    }

    /// The tiles whose elements are the results.
    pub fn dests(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, 1)
    }

    /// The threads that share the tiles.
    pub fn scope(self) -> Scope {
        scope(self.0)
    }

    /// The function.
    pub fn body(self) -> Option<BlockRef<'c, 'a>> {
        self.0.region_at(0)?.first_block()
    }
}

/// A reduction of tiles along a dimension.
#[derive(Clone, Copy, Debug)]
pub struct ReduceOp<'c, 'a>(pub OperationRef<'c, 'a>);

impl<'c: 'a, 'a> ReduceOp<'c, 'a> {
    /// The op's name.
    pub const NAME: &'static str = "tile.reduce";

    /// The tiles whose elements are the terms.
    pub fn sources(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, 0)
    }

    /// The tiles whose elements are the results.
    pub fn dests(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, 1)
    }

    /// The threads that share the tiles.
    pub fn scope(self) -> Scope {
        scope(self.0)
    }

    /// The dimension that is reduced.
    pub fn dim(self) -> i64 {
        integer(self.0, "dim").unwrap_or(0)
    }

    /// The operator.
    pub fn kind(self) -> ReduceKind {
        integer(self.0, "kind").and_then(ReduceKind::from_code).expect("ODS verifies the kind")
    }

    /// The block of the region of a custom operator.
    pub fn combine(self) -> Option<BlockRef<'c, 'a>> {
        self.0.region_at(0)?.first_block()
    }
}

/// A reduction of all elements of a tile to a value.
#[derive(Clone, Copy, Debug)]
pub struct TotalOp<'c, 'a>(pub OperationRef<'c, 'a>);

impl<'c: 'a, 'a> TotalOp<'c, 'a> {
    /// The op's name.
    pub const NAME: &'static str = "tile.total";

    /// The tile whose elements are combined.
    pub fn source(self) -> Option<Value<'c, 'a>> {
        self.0.operand_at(0)
    }

    /// The values that all threads have.
    pub fn results(self) -> Vec<Value<'c, 'a>> {
        results_of(self.0)
    }

    /// The threads that share the tile.
    pub fn scope(self) -> Scope {
        scope(self.0)
    }

    /// The operator.
    pub fn kind(self) -> CombineKind {
        integer(self.0, "kind").and_then(CombineKind::from_code).expect("ODS verifies the kind")
    }

    /// Whether each warp combines only what its own threads hold.
    pub fn is_per_warp(self) -> bool {
        self.0.has_attribute("per_warp")
    }

    /// The block of the function of an element.
    pub fn term(self) -> Option<BlockRef<'c, 'a>> {
        self.0.region_at(0)?.first_block()
    }
}

/// A scan of tiles along a dimension.
#[derive(Clone, Copy, Debug)]
pub struct BlockScanOp<'c, 'a>(pub OperationRef<'c, 'a>);

impl<'c: 'a, 'a> BlockScanOp<'c, 'a> {
    /// The op's name.
    pub const NAME: &'static str = "tile.block_scan";

    /// The tiles whose elements are the terms.
    pub fn sources(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, 0)
    }

    /// The tiles whose elements are the results.
    pub fn dests(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, 1)
    }

    /// The elements in front of the first ones: none, or one for each source.
    pub fn inits(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, 2)
    }

    /// The threads that share the tiles.
    pub fn scope(self) -> Scope {
        scope(self.0)
    }

    /// The dimension along which they are scanned.
    pub fn dim(self) -> i64 {
        integer(self.0, "dim").unwrap_or(0)
    }

    /// Whether a result leaves out the element at its own place.
    pub fn is_exclusive(self) -> bool {
        integer(self.0, "mode") == Some(1)
    }

    /// The operator.
    pub fn kind(self) -> CombineKind {
        integer(self.0, "kind").and_then(CombineKind::from_code).expect("ODS verifies the kind")
    }

    /// The block of the region of a custom operator.
    pub fn combine(self) -> Option<BlockRef<'c, 'a>> {
        self.0.region_at(0)?.first_block()
    }
}
