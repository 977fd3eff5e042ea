//! What engines say of a layout: which products and which copies through tensor maps it allows.

use std::cmp::Reverse;

use melior::ir::OperationRef;
use tile_dialect::ir::Rewriter;
use tile_dialect::ops::{CopyOp, MmaOp};

use crate::mma;
use crate::options::LoweringOptions;
use crate::pipeline::tensor_maps::takes_map;
use crate::read::name;

/// What a layout allows; more is better: that no product is refused, then products, then maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EngineScore {
    /// Products that no variant does: the fewer the better.
    pub refused: Reverse<i64>,
    /// The priorities of the variants of all products, added.
    pub products: i64,
    /// Copies through tensor maps.
    pub maps: i64,
}

impl EngineScore {
    /// The engine that restricts the layout; `None` where none takes part.
    pub fn engine(&self) -> Option<&'static str> {
        match (self.products > 0, self.maps > 0) {
            (true, true) => Some("TMA and the descriptors of products"),
            (true, false) => Some("the descriptors of products"),
            (false, true) => Some("TMA"),
            (false, false) => None,
        }
    }
}

/// The score of the layout that tiles have now, by what accesses them.
pub fn of_class<'c: 'a, 'a>(
    accesses: &[OperationRef<'c, 'a>],
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
) -> EngineScore {
    let products = accesses.iter().filter(|op| name(**op) == MmaOp::NAME);
    let priorities: Vec<_> = products.map(|op| Some(mma::variant(MmaOp(*op), options)?.priority)).collect();
    let copies = accesses.iter().filter(|op| CopyOp::is_name(name(**op)));
    EngineScore {
        products: priorities.iter().flatten().sum(),
        maps: copies.filter(|op| takes_map(CopyOp(**op), options, rewriter)).count() as i64,
        refused: Reverse(priorities.iter().filter(|priority| priority.is_none()).count() as i64),
    }
}
