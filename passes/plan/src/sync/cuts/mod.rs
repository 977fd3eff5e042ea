//! The cheapest barriers of a program with branches and loops.
//!
//! What has to be in order is asked of the check, of a program without the barriers that are looked for; places that cut all ways
//! between the two are found by minimum cuts; then the check is asked again, until nothing is missing. How much they cost:
//!
//! | | |
//! | --- | --- |
//! | a barrier | 4, one of each warp 1 |
//! | in a loop | 8 times as much as around it |
//! | in an arm of a branch | a little less than around it |

mod points;
mod smallest;
#[cfg(test)]
mod tests;
mod ways;

use std::collections::{BTreeMap, BTreeSet};

use crate::problem::threads::ThreadSet;
use crate::sync::check::Checker;
use crate::sync::finding::{Conflict, Finding, Needs, Threads};
use crate::sync::places::{Insertion, with};
use crate::sync::program::{Completion, Effect, Program};
use points::Points;
use ways::{Order, Ways};

/// How often the check is asked for what is missing still.
const ROUNDS: usize = 12;
/// The most edges that searches look at in one program.
const EDGES: usize = 400_000;
/// What a barrier costs.
const BARRIER: u64 = 4;

/// Which barriers are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kinds {
    /// First those of several warps, then those of each warp.
    Apart,
    /// All at once, as barriers of several warps.
    Alike,
}

/// Orders by the threads that have to be at a place, and whether these are within warps.
type Orders = BTreeMap<(bool, ThreadSet), BTreeMap<(usize, Option<usize>), BTreeSet<(usize, bool)>>>;

/// The barriers that a program lacks, before operations of it; `None` where it lacks something else, too, or where no set was
/// found.
pub(super) fn barriers(program: &Program, kinds: Kinds) -> Option<Vec<Insertion>> {
    let points = Points::new(program);
    let mut orders = Orders::new();
    let (mut made, mut edges) = (Vec::new(), EDGES);
    for _ in 0..ROUNDS {
        let current = with(program, &made);
        let findings = Checker::new(&current).firsts();
        if findings.is_empty() {
            return Some(made);
        }
        let mut new = false;
        for conflict in findings.iter().map(Finding::conflict) {
            new |= add(&mut orders, program, &points, conflict?, kinds)?;
        }
        if !new {
            return None;
        }
        made = placed(program, &points, &orders, &mut edges)?;
    }
    None
}

/// Notes what has to be in order; was it new? `None` where no barrier orders it.
fn add(orders: &mut Orders, program: &Program, points: &Points, conflict: &Conflict, kinds: Kinds) -> Option<bool> {
    let Needs::Barrier(needed) = &conflict.needs else { return None };
    let (first, second) = (&program.ops[conflict.first.0], &program.ops[conflict.second.0]);
    let narrow = kinds == Kinds::Apart && *needed == Threads::Warp;
    let threads = match needed {
        Threads::Warp => first.active.intersect(&second.active),
        Threads::Some(set) => *set,
        Threads::Block => program.block,
    };
    let firsts = match first.accesses[conflict.first.1].completion {
        Completion::Group(queue) => {
            let waits = |op: &usize| {
                program.ops[*op].effects.iter().any(|it| matches!(it, Effect::Wait { queue: of, .. } if *of == queue))
            };
            let ops = (0..program.ops.len()).filter(waits);
            let ways = |op| [true, false].map(|earlier| (op, earlier && conflict.carried.is_some()));
            ops.flat_map(ways).filter(|(op, _)| is_inside(points, *op, conflict)).collect()
        }
        _ => BTreeSet::from([(conflict.first.0, conflict.carried.is_some())]),
    };
    let of = orders.entry((narrow, threads)).or_default();
    let known = of.entry((conflict.second.0, conflict.carried)).or_default();
    let before = known.len();
    known.extend(firsts);
    Some(known.len() > before)
}

/// Is an operation in the loop around which a conflict goes?
fn is_inside(points: &Points, op: usize, conflict: &Conflict) -> bool {
    conflict.carried.is_none_or(|number| points.around[op].contains(&number))
}

/// The cheapest barriers for what has to be in order.
fn placed(program: &Program, points: &Points, orders: &Orders, edges: &mut usize) -> Option<Vec<Insertion>> {
    let weights: Vec<u64> = points.points.iter().map(|point| point.weight).collect();
    let mut found: Vec<(usize, Effect)> = Vec::new();
    for narrow in [false, true] {
        let mut all = Vec::new();
        for ((_, threads), orders) in orders.iter().filter(|((it, _), _)| *it == narrow) {
            for (&(second, carried), firsts) in orders {
                all.push(Ways::new(points, &Order { second, carried, firsts: firsts.clone() }, threads));
            }
        }
        let taken: Vec<usize> = found.iter().map(|(point, _)| *point).collect();
        let effect = if narrow { Effect::WarpBarrier } else { Effect::Barrier };
        let (chosen, _) = smallest::smallest(&all, &weights, &taken, edges)?;
        found.extend(chosen.into_iter().map(|point| (point, effect.clone())));
    }
    found.sort_by_key(|(point, _)| *point);
    found
        .into_iter()
        .map(|(point, effect)| {
            let point = &points.points[point];
            let active = point.active.filter(|_| point.before < program.ops.len())?;
            Some(Insertion { before: point.before, out: point.out, effect, active })
        })
        .collect()
}

/// What insertions cost.
pub(super) fn cost(program: &Program, insertions: &[Insertion]) -> u64 {
    let points = Points::new(&with(program, insertions));
    let ops = program.ops.len()..;
    let place: BTreeMap<usize, u64> =
        points.points.iter().filter(|it| it.out == 0).map(|it| (it.before, it.weight)).collect();
    let of = |insertion: &Insertion| if insertion.effect == Effect::Barrier { BARRIER } else { 1 };
    ops.zip(insertions).map(|(op, insertion)| of(insertion) * place.get(&op).copied().unwrap_or(0)).sum()
}
