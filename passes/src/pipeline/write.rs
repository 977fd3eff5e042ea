//! Writes a loop as a ring.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, Value};
use tile_dialect::ir::{Parts, Rewriter, is_used, results_of, uses};
use tile_ops::arith::{self, CmpIPredicate};
use tile_ops::{Builder, constant, tile};
use tile_plan::pipeline::RingCompletion;
use tile_plan::sync::Queue;

use super::complete::{self, Complete};
use super::ring::{drop_unused, replace};
use super::{Loop, forget_request, multicast, slice, when};
use crate::effects::groups;
use crate::read::divisibility;
use crate::read::values::key;

/// A loop whose variable counts from 0 by 1.
struct Counted<'c, 'a> {
    builder: Builder<'c, 'a>,
    /// Its trip count.
    trips: Value<'c, 'a>,
    /// The variable.
    turn: Value<'c, 'a>,
    /// The stage of the iteration.
    stage: Value<'c, 'a>,
    slice: Vec<OperationRef<'c, 'a>>,
    /// What completes the copies.
    complete: Vec<Complete<'c, 'a>>,
}

/// Pipelines a loop. The barriers that release stages are not inserted here.
pub fn write<'c: 'a, 'a>(looped: &Loop<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> Option<()> {
    forget_request(looped.op, rewriter);
    let (trips, turn) = count(looped, rewriter)?;
    let mut first = looped.body.first_operation()?;
    let before = Builder::before(rewriter, looped.op);
    let stages = constant::index(before, looped.plan.stages);
    let rings: Vec<_> = looped.tiles.iter().map(|(_, ring)| ring.make(before)).collect();
    let builder = Builder { location: looped.op.location(), ..Builder::before(rewriter, first) };
    let stage = arith::remui(builder, turn, stages).value();
    for ((alloc, ring), &made) in looped.tiles.iter().zip(&rings) {
        let view = ring.stage(builder, made, stage);
        let tile = results_of(*alloc).into_iter().next()?;
        replace(builder, looped.op, tile, view);
    }
    let make = |&by| Complete::make(looped, by, builder, first, (turn, stage));
    let complete: Vec<_> = looped.by.iter().map(make).collect::<Option<_>>()?;
    let mut copies = Vec::new();
    for (&copy, divided) in looped.copies.iter().zip(&looped.divided) {
        let made = complete.iter().find(|way| way.is_of(copy))?.complete(copy, builder);
        first = if first == copy { made } else { first };
        let Some(divided) = divided else {
            copies.push(made);
            continue;
        };
        multicast::report(made, *divided);
        rewriter.set_insertion_point_before(made);
        let part = multicast::part(made, *divided, builder)?;
        first = if first == made { part } else { first };
        rewriter.erase(made);
        copies.push(part);
    }
    let slice = slice::backward(looped.body, &copies, looped.noalias).ok()?;
    let counted = Counted { builder, trips, turn, stage, slice, complete };
    prologue(looped, &counted, rewriter);
    ahead(looped, &counted, first, rewriter);
    rewriter.set_insertion_point_after(looped.op);
    if looped.plan.leaves_products {
        products(looped, builder, rewriter)?;
    }
    for complete in &counted.complete {
        complete.end(looped, trips, builder)?;
    }
    for &op in counted.slice.iter().rev() {
        if !results_of(op).into_iter().any(is_used) {
            rewriter.erase(op);
        }
    }
    looped.tiles.iter().for_each(|(alloc, _)| drop_unused(rewriter, *alloc));
    Some(())
}

/// Makes the loop count from 0 by 1; its trip count, and its variable.
pub(super) fn count<'c: 'a, 'a>(
    looped: &Loop<'c, 'a>,
    rewriter: Rewriter<'c, 'a>,
) -> Option<(Value<'c, 'a>, Value<'c, 'a>)> {
    let turn: Value<'c, 'a> = tile_dialect::ir::arguments_of(looped.body).into_iter().next()?;
    let [lower, upper, step] = [0, 1, 2].map(|at| looped.op.operand_at(at));
    let (lower, upper, step) = (lower?, upper?, step?);
    let known = |value| divisibility::infer(value).constant();
    // Where the loop is entered again, its trip count is used after it, so it must not be negative.
    let natural = looped.trips.is_none()
        && looped.by.iter().any(|by| matches!(by, RingCompletion::Phases { .. }))
        && complete::outermost(looped.op).is_some();
    if (known(lower), known(step), natural) == (Some(0), Some(1), false) {
        return Some((upper, turn));
    }
    let before = Builder::before(rewriter, looped.op);
    let trips = match looped.trips {
        Some(trips) => constant::index(before, trips),
        None => {
            let from_zero = known(lower) == Some(0);
            // The distance from the lower bound to an upper one that is not below it fits 64 unsigned bits. So it cannot wrap.
            let above = || arith::maxsi(before, upper, lower).value();
            let span = if from_zero { upper } else { arith::subi(before, above(), lower).value() };
            let trips = match () {
                () if known(step) == Some(1) => span,
                () if from_zero => arith::ceildivsi(before, span, step).value(),
                () => arith::ceildivui(before, span, step).value(),
            };
            let negative = natural && from_zero;
            if negative { arith::maxsi(before, trips, constant::index(before, 0)).value() } else { trips }
        }
    };
    let bounds = [constant::index(before, 0), trips, constant::index(before, 1)];
    bounds.into_iter().enumerate().for_each(|(at, bound)| rewriter.set_operand(looped.op, at, bound));
    let users = uses(turn);
    let inside =
        Builder { location: looped.op.location(), ..Builder::before(rewriter, looped.body.first_operation()?) };
    let steps = if known(step) == Some(1) { turn } else { arith::muli(inside, turn, step).value() };
    let variable = if known(lower) == Some(0) { steps } else { arith::addi(inside, steps, lower).value() };
    users.into_iter().for_each(|(user, operand)| rewriter.set_operand(user, operand, variable));
    Some((trips, turn))
}

/// The copies of the first iterations, each of which commits a group.
fn prologue<'c: 'a, 'a>(looped: &Loop<'c, 'a>, counted: &Counted<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    rewriter.set_insertion_point_before(looped.op);
    let builder = counted.builder;
    for number in 0..looped.plan.ahead {
        let turn = constant::index(builder, number);
        let becomes = HashMap::from([(key(counted.turn), turn), (key(counted.stage), turn)]);
        match looped.trips {
            Some(trips) if trips <= number => {}
            Some(_) => issue(looped, counted, becomes, rewriter),
            None => {
                let there_is = arith::cmpi(builder, turn, counted.trips, CmpIPredicate::Slt).value();
                when(builder, there_is, || issue(looped, counted, becomes, rewriter));
            }
        }
        counted.complete.iter().for_each(|way| way.issued(builder));
    }
}

/// In the loop: the wait for the stage that is read next, and the copies of a later iteration.
fn ahead<'c: 'a, 'a>(
    looped: &Loop<'c, 'a>,
    counted: &Counted<'c, 'a>,
    first: OperationRef<'c, 'a>,
    rewriter: Rewriter<'c, 'a>,
) {
    let builder = counted.builder;
    rewriter.set_insertion_point_before(first);
    counted.complete.iter().for_each(|way| way.wait(builder));
    if looped.trips.is_none_or(|trips| trips > looped.plan.ahead) {
        let turn = arith::addi(builder, counted.turn, constant::index(builder, looped.plan.ahead)).value();
        let there_is = arith::cmpi(builder, turn, counted.trips, CmpIPredicate::Slt).value();
        let becomes = HashMap::from([(key(counted.turn), turn)]);
        if looped.is_divided() {
            multicast::release(builder);
        }
        when(builder, there_is, || issue(looped, counted, becomes, rewriter));
    }
    counted.complete.iter().for_each(|way| way.issued(builder));
}

/// The waits for products: at the end of an iteration for those of the iteration before, whose stage is copied to in the next one, and
/// after the loop for all.
fn products<'c: 'a, 'a>(looped: &Loop<'c, 'a>, builder: Builder<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> Option<()> {
    rewriter.set_insertion_point_before(looped.body.terminator()?);
    looped.plan.pending_products.map(|pending| groups::wait(builder, Queue::Product, pending, false));
    rewriter.set_insertion_point_after(looped.op);
    groups::wait(builder, Queue::Product, 0, false).map(drop)
}

/// The copies of another iteration. One group has all of them, and is committed even where nothing is copied.
fn issue<'c: 'a, 'a>(
    looped: &Loop<'c, 'a>,
    counted: &Counted<'c, 'a>,
    becomes: HashMap<usize, Value<'c, 'a>>,
    rewriter: Rewriter<'c, 'a>,
) {
    let made = slice::again(counted.builder, &counted.slice, becomes);
    for copy in made.into_iter().filter_map(tile::CopyAsyncOp::cast) {
        copy.set_group(rewriter, false);
        if copy.cta_mask().is_some() {
            multicast::expect(looped, copy, counted.builder);
        }
    }
}
