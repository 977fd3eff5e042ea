//! Values that control flow makes: the values that they may be, and what decides between these.
//!
//! ```text
//!   %x = scf.if %c { yield %a } else { yield %b }            %c, %a, %b
//!   scf.for %i = %l to %u step %s iter_args(%x = %a) {       %l, %u, %s, and for %x also %a, %b
//!     yield %b
//!   cf.cond_br %c, ^bb(%a), ^bb(%b)   ^bb(%x):               %c, %a, %b
//! ```

use std::collections::HashSet;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, OperationRef, RegionLike, Value};
use tile_dialect::ir::Parts;
use tile_dialect::ir::{argument_of, defining_op};
use tile_ops::{arith, cf, llvm, scf};

use super::values::{bounds, key, operands};
use super::{kernel, name};
use crate::shim;

/// The dependences of a control-flow value.
pub struct Join<'c, 'a> {
    /// The values that it may be.
    pub flows: Vec<Value<'c, 'a>>,
    /// The values that decide which.
    pub decides: Vec<Value<'c, 'a>>,
}

/// The values that a control-flow value depends on; `None` for any other value, and where they are not known.
pub fn joined<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    join(value).map(|Join { flows, decides }| decides.into_iter().chain(flows).collect())
}

/// The leaves of a control-flow value: the values that it may be, made by something other than control flow or of unknown
/// origin; `None` for a value that is such a leaf itself.
///
/// An `arith.select` is a choice between two values, too.
pub fn leaves<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    let (mut waiting, mut met, mut leaves) = (vec![value], HashSet::new(), Vec::new());
    while let Some(next) = waiting.pop() {
        if !met.insert(key(next)) {
            continue;
        }
        let selected = defining_op(next).filter(|&op| name(op) == arith::SelectOp::NAME);
        let flows = match selected {
            Some(select) => Some(operands(select).into_iter().skip(1).collect()),
            None => join(next).map(|join| join.flows).filter(|flows| !flows.is_empty()),
        };
        match flows {
            Some(flows) => waiting.extend(flows),
            None => leaves.push(next),
        }
    }
    (leaves.len() != 1 || key(leaves[0]) != key(value)).then_some(leaves)
}

/// The dependences of a control-flow value; `None` for any other value, and where they are not known.
pub fn join<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Join<'c, 'a>> {
    if let Some(op) = defining_op(value) {
        let index = op.results().position(|result| key(result.into()) == key(value))?;
        return result(op, index);
    }
    let (block, number) = argument_of(value)?;
    let op = block.parent_operation()?;
    let region = kernel::region_of(op, block)?;
    let entry = op.region_at(region)?.first_block()?;
    if entry.to_raw().ptr == block.to_raw().ptr {
        handed_in(op, region, number)
    } else {
        jumped_in(op, region, block, number)
    }
}

/// Result `index` of a structured op.
fn result<'c: 'a, 'a>(op: OperationRef<'c, 'a>, index: usize) -> Option<Join<'c, 'a>> {
    match name(op) {
        scf::ForOp::NAME => carried(op, index),
        scf::WhileOp::NAME => {
            let condition = terminator(op, 0)?;
            Some(Join { decides: vec![nth(condition, 0)?], flows: vec![nth(condition, index + 1)?] })
        }
        scf::IfOp::NAME | scf::IndexSwitchOp::NAME => {
            let yields = (0..op.region_count()).map(|region| nth(terminator(op, region)?, index));
            Some(Join { decides: operands(op), flows: yields.collect::<Option<Vec<_>>>()? })
        }
        scf::ExecuteRegionOp::NAME => {
            let ends = terminators(op, 0).into_iter().filter(|end| end.successor_count() == 0);
            let yields = ends.map(|end| nth(end, index)).collect::<Option<Vec<_>>>()?;
            Some(Join { decides: deciding(op, 0), flows: yields })
        }
        _ => None,
    }
}

/// Argument `index` of the entry block of a structured op's region.
fn handed_in<'c: 'a, 'a>(op: OperationRef<'c, 'a>, region: usize, index: usize) -> Option<Join<'c, 'a>> {
    match (name(op), region) {
        (scf::ForOp::NAME, 0) if index == 0 => Some(Join { decides: bounds(op), flows: Vec::new() }),
        (scf::ForOp::NAME, 0) => carried(op, index - 1),
        (scf::WhileOp::NAME, 0) => {
            let (condition, next) = (terminator(op, 0)?, terminator(op, 1)?);
            Some(Join { decides: vec![nth(condition, 0)?], flows: vec![nth(op, index)?, nth(next, index)?] })
        }
        (scf::WhileOp::NAME, 1) => {
            let condition = terminator(op, 0)?;
            Some(Join { decides: vec![nth(condition, 0)?], flows: vec![nth(condition, index + 1)?] })
        }
        _ => None,
    }
}

/// Argument `index` of a block that is a successor of branches.
fn jumped_in<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    region: usize,
    block: BlockRef<'c, 'a>,
    index: usize,
) -> Option<Join<'c, 'a>> {
    let mut values = Vec::new();
    for branch in terminators(op, region) {
        for successor in 0..branch.successor_count() {
            if branch.successor_at(successor)?.to_raw().ptr == block.to_raw().ptr {
                values.push(shim::branch_operand(branch, successor, index)?);
            }
        }
    }
    Some(Join { decides: deciding(op, region), flows: values })
}

/// Value `index` that a loop carries: it depends on the trip count, on the initial value, and on the yielded value.
fn carried<'c: 'a, 'a>(op: OperationRef<'c, 'a>, index: usize) -> Option<Join<'c, 'a>> {
    Some(Join { decides: bounds(op), flows: vec![nth(op, index + 3)?, nth(terminator(op, 0)?, index)?] })
}

/// The values that decide the branches of a region.
fn deciding<'c: 'a, 'a>(op: OperationRef<'c, 'a>, region: usize) -> Vec<Value<'c, 'a>> {
    terminators(op, region).into_iter().flat_map(decides).collect()
}

/// The operands of a terminator that select the successor; none where it has one successor.
pub fn decides<'c: 'a, 'a>(branch: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let all = if branch.successor_count() > 1 { operands(branch) } else { Vec::new() };
    let first_decides = [cf::CondBranchOp::NAME, cf::SwitchOp::NAME, llvm::CondBrOp::NAME, llvm::SwitchOp::NAME]
        .contains(&name(branch));
    if first_decides { all.into_iter().take(1).collect() } else { all }
}

fn nth<'c: 'a, 'a>(op: OperationRef<'c, 'a>, index: usize) -> Option<Value<'c, 'a>> {
    operands(op).get(index).copied()
}

/// The terminator of a region of one block.
fn terminator<'c: 'a, 'a>(op: OperationRef<'c, 'a>, region: usize) -> Option<OperationRef<'c, 'a>> {
    terminators(op, region).first().copied()
}

/// The terminators of a region's blocks.
fn terminators<'c: 'a, 'a>(op: OperationRef<'c, 'a>, region: usize) -> Vec<OperationRef<'c, 'a>> {
    let mut ends = Vec::new();
    let mut next = op.region_at(region).and_then(|region| region.first_block());
    while let Some(block) = next {
        ends.extend(block.terminator());
        next = block.next_in_region();
    }
    ends
}
