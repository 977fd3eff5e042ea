//! What engines say of a layout: which products and which copies through tensor maps it allows.

use std::cmp::Reverse;

use melior::ir::OperationRef;
use tile_dialect::ir::Rewriter;
use tile_dialect::ops::{CopyOp, MmaOp};
use tile_plan::choose_layout::EngineScore;

use crate::mma;
use crate::options::LoweringOptions;
use crate::pipeline::tensor_maps::takes_map;
use crate::read::name;

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
