//! The operations that the copies of an iteration are computed from, and clones of them for another iteration.

use std::collections::{HashMap, HashSet, VecDeque};

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, OperationRef, Value};
use tile_dialect::ir::{argument_of, defining_op, location_of, results_of};
use tile_ops::{Builder, tile};

use crate::read::effects::touches_nothing;
use crate::read::name;
use crate::read::traffic::is_load_of_read_only;
use crate::read::values::{is_view, key};

/// Why a copy cannot be issued in an earlier iteration: the location and the reason.
pub struct Depends<'c> {
    /// The location.
    pub location: melior::ir::Location<'c>,
    /// The reason.
    pub why: String,
}

/// The operations of a loop's body that copies are computed from, in program order, including the copies.
///
/// `noalias`: whether memory that the kernel writes is reached through one of its arguments only.
///
/// # Errors
/// One of them is not a function of the loop's variable.
pub fn backward<'c: 'a, 'a>(
    body: BlockRef<'c, 'a>,
    copies: &[OperationRef<'c, 'a>],
    noalias: bool,
) -> Result<Vec<OperationRef<'c, 'a>>, Depends<'c>> {
    let address = |op: OperationRef<'c, 'a>| op.to_raw().ptr as usize;
    let mut needed: HashSet<usize> = copies.iter().copied().map(address).collect();
    let mut left: VecDeque<OperationRef<'c, 'a>> = copies.iter().copied().collect();
    while let Some(op) = left.pop_front() {
        for value in op.operands() {
            left.extend(maker(body, value, noalias)?.filter(|maker| needed.insert(address(*maker))));
        }
    }
    let order = std::iter::successors(body.first_operation(), |op| op.next_in_block());
    Ok(order.filter(|op| needed.contains(&address(*op))).collect())
}

/// The operation of the body that makes a value; `None` for one from outside, and for the loop's variable.
fn maker<'c: 'a, 'a>(
    body: BlockRef<'c, 'a>,
    value: Value<'c, 'a>,
    noalias: bool,
) -> Result<Option<OperationRef<'c, 'a>>, Depends<'c>> {
    let Some(op) = defining_op(value) else {
        let carried = argument_of(value).is_some_and(|(block, number)| block == body && number > 0);
        let why = || "is carried from iteration to iteration".to_owned();
        return if carried { Err(Depends { location: location_of(value), why: why() }) } else { Ok(None) };
    };
    if op.block() != Some(body) {
        return Ok(None);
    }
    if !is_repeatable(op, noalias) {
        let why = format!("'{}' is not known to give the same result for the same operands", name(op));
        return Err(Depends { location: op.location(), why });
    }
    Ok(Some(op))
}

/// Whether an operation gives the same result wherever it is executed.
pub fn is_repeatable(op: OperationRef<'_, '_>, noalias: bool) -> bool {
    let memory = [tile::ViewOp::NAME, tile::AllocOp::NAME].contains(&name(op)) || is_view(op);
    let is_constant = || memory || touches_nothing(op) || noalias && is_load_of_read_only(op);
    op.region_count() == 0 && is_constant()
}

/// Clones the slice, with other values for some; the clones.
pub fn again<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    slice: &[OperationRef<'c, 'a>],
    mut becomes: HashMap<usize, Value<'c, 'a>>,
) -> Vec<OperationRef<'c, 'a>> {
    let mut made = Vec::new();
    for &op in slice {
        if results_of(op).iter().any(|result| becomes.contains_key(&key(*result))) {
            continue;
        }
        let operands: Vec<_> = op.operands().map(|value| becomes.get(&key(value)).copied().unwrap_or(value)).collect();
        let copy = builder.rewriter.insert_clone(op, &operands);
        becomes.extend(results_of(op).into_iter().map(key).zip(results_of(copy)));
        made.push(copy);
    }
    made
}
