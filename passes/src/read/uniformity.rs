//! Run-time operands on which the threads that do a copy together must agree.

use std::collections::HashSet;

use melior::ir::{Location, Value};
use tile_dialect::ir::defining_op;
use tile_dialect::ops::{CopyOp, Filler, Offset, Operand};
use tile_isa::Space;
use tile_plan::problem::role::Role;
use tile_plan::problem::threads::Threads;
use tile_plan::problem::uniform::{Divergence, RunTimeOperand, uniform};

use super::activity::text;
use super::spread::Evaluator;
use super::terms::Id;
use super::values::{self, key};
use super::{Unreadable, joins, root};

/// Checks that all threads of the scope give the copy the same operands.
///
/// # Errors
/// The first operand on which they do not agree, with two threads that differ; or what prevents a proof.
pub fn check<'c: 'a, 'a>(
    copy: CopyOp<'c, 'a>,
    sides: &[(Role, Operand<'c, 'a>)],
    threads: &Threads,
    evaluator: &Evaluator,
) -> Result<(), Unreadable<'c>> {
    if threads.count() == Some(1) {
        return Ok(());
    }
    let mut agreed = operands(copy, sides).into_iter().filter(|(operand, _)| operand.is_agreed());
    agreed.try_for_each(|(operand, value)| agree(&operand_text(operand), value, threads, evaluator))
}

/// Checks that all threads of the scope have the same `value`, which diagnostics call `what`.
///
/// # Errors
/// As [`check`].
pub fn agree<'c>(
    what: &str,
    value: Value<'c, '_>,
    threads: &Threads,
    evaluator: &Evaluator,
) -> Result<(), Unreadable<'c>> {
    uniform(&evaluator.evaluate(value), threads)
        .map_err(|divergence| describe(what, value, divergence, threads, evaluator))
}

/// The run-time operands of a copy, its source and its destination among them.
fn operands<'c: 'a, 'a>(
    copy: CopyOp<'c, 'a>,
    sides: &[(Role, Operand<'c, 'a>)],
) -> Vec<(RunTimeOperand, Value<'c, 'a>)> {
    let mut values = Vec::new();
    for &(role, ref side) in sides {
        for (dim, offset) in side.region.offsets.iter().enumerate() {
            if let Offset::Value(value) = *offset {
                values.push((RunTimeOperand::Begin(role, dim), value));
            }
        }
        values.extend(
            views(side).into_iter().enumerate().map(|(index, value)| (RunTimeOperand::View(role, index), value)),
        );
        let made_of = made_of(side);
        if let Some((&storage, numbers)) = made_of.split_first() {
            values.push((RunTimeOperand::Storage(role, side.buffer.space()), storage));
            values.extend(
                numbers.iter().enumerate().map(|(index, &value)| (RunTimeOperand::RunTime(role, index), value)),
            );
        }
    }
    let clauses = [
        (RunTimeOperand::Mbarrier, copy.barrier()),
        (RunTimeOperand::RemoteCta, copy.remote_cta()),
        (RunTimeOperand::CtaMask, copy.cta_mask()),
        (RunTimeOperand::Until, copy.until()),
        (RunTimeOperand::Filler, copy.filler().and_then(Filler::value)),
        (RunTimeOperand::Predicate, copy.predicate()),
    ];
    values.extend(clauses.into_iter().filter_map(|(operand, value)| Some((operand, value?))));
    values.extend(copy.filter().into_iter().enumerate().map(|(index, at)| (RunTimeOperand::Filter(index), at)));
    values.extend(copy.rows().into_iter().enumerate().map(|(index, row)| (RunTimeOperand::Row(index), row)));
    values
}

/// The memref or the address that a tile is made from, then the extents and strides that are given with it.
fn made_of<'c: 'a, 'a>(side: &Operand<'c, 'a>) -> Vec<Value<'c, 'a>> {
    defining_op(root::root(side.value)).map(values::operands).unwrap_or_default()
}

/// The offsets of the views that make the tile, as far as they are known only at run time.
fn views<'c: 'a, 'a>(side: &Operand<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let offset = |&offset: &Offset<'c, 'a>| match offset {
        Offset::Value(value) => Some(value),
        Offset::Constant(_) => None,
    };
    root::parts(side.value).iter().flat_map(|part| part.region.offsets.iter().filter_map(offset)).collect()
}

fn describe<'c>(
    what: &str,
    value: Value<'c, '_>,
    divergence: Divergence,
    threads: &Threads,
    evaluator: &Evaluator,
) -> Unreadable<'c> {
    let scope = threads.scope;
    match divergence {
        Divergence::Differs { threads: [a, b], values: [of_a, of_b] } => Unreadable {
            reason: format!(
                "got {what} that differs between threads of the {scope}: {} is {of_a} for thread {a} and {of_b} for \
                 thread {b}; expected one value for all of them",
                text(value)
            ),
            notes: vec![(location(value), "defined here".to_owned())],
        },
        Divergence::Unproved => {
            let (cause, why) = cause(value, threads, evaluator);
            Unreadable {
                reason: format!(
                    "got {what}, {}, that is not known to be the same for all threads of the {scope}; expected one \
                     value for all of them, proved or promised by tile.assume … uniform({scope})",
                    text(value)
                ),
                notes: vec![(location(cause), why)],
            }
        }
    }
}

fn operand_text(operand: RunTimeOperand) -> String {
    match operand {
        RunTimeOperand::Begin(role, dim) => format!("an offset of the {role} in dimension {dim}"),
        RunTimeOperand::View(role, index) => format!("offset {index} of the views of the {role}"),
        RunTimeOperand::RunTime(role, index) => format!("run-time number {index} of the {role}"),
        RunTimeOperand::Storage(role, Space::Tmem) => format!("an address of the {role}"),
        RunTimeOperand::Storage(role, _) => format!("a memref behind the {role}"),
        RunTimeOperand::Mbarrier => "an mbarrier".to_owned(),
        RunTimeOperand::RemoteCta => "a remote_cta".to_owned(),
        RunTimeOperand::CtaMask => "a cta_mask".to_owned(),
        RunTimeOperand::Row(index) => format!("number {index} of its rows"),
        RunTimeOperand::Until => "the row of until".to_owned(),
        RunTimeOperand::Filter(index) => format!("offset {index} of its filter"),
        RunTimeOperand::Filler => "a filler".to_owned(),
        RunTimeOperand::Predicate => "a predicate".to_owned(),
    }
}

/// The first value, on the path back from `value`, that threads may see differently although they agree on its
/// operands; and what is known of it.
fn cause<'c: 'a, 'a>(value: Value<'c, 'a>, threads: &Threads, evaluator: &Evaluator) -> (Value<'c, 'a>, String) {
    let (mut at, mut waiting, mut seen) = (value, vec![value], HashSet::new());
    while let Some(next) = waiting.pop() {
        if !seen.insert(key(next)) {
            continue;
        }
        let from = joins::joined(next).or_else(|| defining_op(next).map(values::operands)).unwrap_or_default();
        let differs = |value: &Value<'c, 'a>| uniform(&evaluator.evaluate(*value), threads).is_err();
        let blamed: Vec<_> = from.into_iter().filter(differs).collect();
        if blamed.is_empty() {
            at = next;
            break;
        }
        waiting.extend(blamed.into_iter().rev());
    }
    let why = match uniform(&evaluator.evaluate(at), threads) {
        Err(Divergence::Differs { threads: [a, b], values: [of_a, of_b] }) => {
            format!("it follows from {}, which is {of_a} for thread {a} and {of_b} for thread {b}", text(at))
        }
        _ if defining_op(at).is_some_and(|op| matches!(Id::of(op), Some(Id::Thread(_)))) => {
            format!("it follows from {} in blocks of a size that is not known; known_block_size states it", text(at))
        }
        _ => format!("it follows from {}, which may differ between threads", text(at)),
    };
    (at, why)
}

fn location<'c>(value: Value<'c, '_>) -> Location<'c> {
    use melior::ir::ValueLike;
    // SAFETY: the value is alive; its location lives as long as its context.
    unsafe { Location::from_raw(mlir_sys::mlirValueGetLocation(value.to_raw())) }
}
