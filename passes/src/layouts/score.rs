//! What engines say of a layout: which products and which copies through tensor maps it allows.

use std::cmp::Reverse;

use melior::ir::OperationRef;
use tile_dialect::ir::Rewriter;
use tile_dialect::ops::{CopyOp, MmaOp};
use tile_plan::choose_layout::EngineScore;
use tile_plan::problem::refusal::Decline;

use crate::mma;
use crate::options::LoweringOptions;
use crate::pipeline::tensor_maps::takes_map;
use crate::read::name;

/// A product that no variant does, and why.
pub struct RefusedProduct<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub declines: Vec<Decline>,
}

/// The score of the layout that tiles have now, by what accesses them.
pub fn of_class<'c: 'a, 'a>(
    accesses: &[OperationRef<'c, 'a>],
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
) -> EngineScore {
    let priorities: Vec<_> = products(accesses).map(|op| Some(mma::variant(MmaOp(op), options)?.priority)).collect();
    let copies = accesses.iter().filter(|op| CopyOp::is_name(name(**op)));
    EngineScore {
        products: priorities.iter().flatten().sum(),
        maps: copies.filter(|op| takes_map(CopyOp(**op), options, rewriter)).count() as i64,
        refused: Reverse(priorities.iter().filter(|priority| priority.is_none()).count() as i64),
    }
}

/// The first product that no variant does with the layouts that tiles have now.
pub fn refused<'c: 'a, 'a>(
    accesses: &[OperationRef<'c, 'a>],
    options: &LoweringOptions,
) -> Option<RefusedProduct<'c, 'a>> {
    let op = products(accesses).find(|op| mma::variant(MmaOp(*op), options).is_none())?;
    Some(RefusedProduct { op, declines: mma::declines(MmaOp(op), options) })
}

fn products<'t, 'c: 'a, 'a>(
    accesses: &'t [OperationRef<'c, 'a>],
) -> impl Iterator<Item = OperationRef<'c, 'a>> + use<'t, 'c, 'a> {
    accesses.iter().copied().filter(|op| name(*op) == MmaOp::NAME)
}
