//! The cheapest operations that order a program with branches and loops.
//!
//! The check names pairs of accesses that lack an order. Minimum cuts then find the cheapest set of points that lies on
//! every path between the two accesses of each pair. This repeats until the check finds nothing. Ends of groups are
//! inserted first, then waits for groups, then barriers and fences. Costs:
//!
//! | | |
//! | --- | --- |
//! | a barrier | 4, one of each warp 1 |
//! | a wait, a fence, an end of a group | 1 |
//! | in a loop | 8 times as much as around it |
//! | in an arm of a branch | a little less than around it |
//!
//! A wait goes to the cheapest point, and to the latest of these, so that copies stay in flight. Barriers are placed
//! only after the waits.

mod points;
mod several;
mod steps;
#[cfg(test)]
mod tests;
mod ways;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::sync::access::{Completion, Through};
use crate::sync::check::Checker;
use crate::sync::classes::AccessClasses;
use crate::sync::finding::{Conflict, Finding, Needs, Threads};
use crate::sync::places::{Insertion, with};
use crate::sync::program::{Effect, SyncProgram};
use points::Points;
use steps::{OrderStep, Put, Sites};
use tile_isa::Space;
use ways::{Area, Order, Ways};

/// The most times that the check is repeated.
const ROUNDS: usize = 24;
/// The cost of a barrier.
const BARRIER: u64 = 4;
/// The most iterations of a loop that the paths of one order span.
const MAX_ROUNDS: i64 = 8;

/// Which threads execute a proxy fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fences {
    /// The readers, after a barrier.
    Last,
    /// The writers, before a barrier.
    First,
}

/// The phases of the insertion, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Ends of groups.
    Commits,
    /// Waits for groups.
    Waits,
    /// Barriers and fences.
    BarriersAndFences,
}

/// Orders to establish, each with the operations at which its paths start.
type Orders = BTreeMap<Order, BTreeSet<usize>>;

/// The program with insertions that order it; `None` where none were found.
pub(super) fn ordered(program: &SyncProgram, classes: &Rc<AccessClasses>, fences: Fences) -> Option<SyncProgram> {
    let mut orders: [Orders; 3] = Default::default();
    let mut current = program.clone();
    for _ in 0..ROUNDS {
        let (findings, _) = Checker::with(&current, classes.clone()).firsts(0..current.ops.len());
        let conflicts: Vec<&Conflict> = findings.iter().filter_map(Finding::conflict).collect();
        if conflicts.is_empty() {
            return Some(current);
        }
        let mut new = false;
        for conflict in conflicts {
            new |= add(&mut orders, program, conflict, fences)?;
        }
        if !new {
            return None;
        }
        current = program.clone();
        for (phase, orders) in [Phase::Commits, Phase::Waits, Phase::BarriersAndFences].into_iter().zip(&orders) {
            if !orders.is_empty() {
                current = with(&current, &placed(&current, phase, orders, fences)?);
            }
        }
    }
    None
}

/// Records the order that a conflict needs, and returns whether it is new; `None` where no insertion can provide it.
fn add(orders: &mut [Orders; 3], program: &SyncProgram, conflict: &Conflict, fences: Fences) -> Option<bool> {
    let (phase, steps) = steps_of(program, conflict, fences)?;
    let rounds = conflict.later.unwrap_or(1).clamp(1, MAX_ROUNDS) as usize;
    let carried = conflict.carried.map(|number| (number, rounds));
    let order = Order { second: conflict.second.0, carried, steps };
    Some(orders[phase as usize].entry(order).or_default().insert(conflict.first.0))
}

/// The steps that have to come between the two accesses of a conflict.
fn steps_of(program: &SyncProgram, conflict: &Conflict, fences: Fences) -> Option<(Phase, Vec<OrderStep>)> {
    let (first, second) = (&program.ops[conflict.first.0], &program.ops[conflict.second.0]);
    let (a, b) = (&first.accesses[conflict.first.1], &second.accesses[conflict.second.1]);
    let [issuers, others] = [first.issuing_threads(a), second.issuing_threads(b)];
    let mut steps = Vec::new();
    match a.completion {
        Completion::Group(queue) => steps.push(OrderStep::Wait { queue, by: issuers, reads: !a.write }),
        Completion::Phase(phase) => steps.push(OrderStep::Phase(phase)),
        Completion::Now | Completion::Arrival(_) | Completion::Commit | Completion::Never => {}
    }
    let together = issuers.union(&others);
    let barrier = match &conflict.needs {
        Needs::Group { committed: false, queue, .. } => {
            return Some((Phase::Commits, vec![OrderStep::Commit(*queue, issuers)]));
        }
        Needs::Group { committed: true, .. } => return Some((Phase::Waits, steps)),
        Needs::Barrier(Threads::Warp) => {
            Some(OrderStep::Barrier { threads: first.active.intersect(&second.active), narrow: true })
        }
        Needs::Barrier(Threads::Some(set)) => Some(OrderStep::Barrier { threads: *set, narrow: false }),
        Needs::Barrier(Threads::Block) => Some(OrderStep::Barrier { threads: program.block, narrow: false }),
        Needs::ProxyFence if issuers == others && issuers.len() == 1 => None,
        Needs::ProxyFence => Some(OrderStep::Barrier { threads: together, narrow: together.warps().count_ones() == 1 }),
        Needs::Barrier(Threads::Cluster) | Needs::MbarrierFence | Needs::TensorFence { .. } => return None,
        Needs::Phase(_) | Needs::Completion | Needs::Arrival | Needs::Apart => return None,
    };
    let proxy = a.through(b) == Through::Proxy;
    let fence = |by| proxy.then_some(OrderStep::Fence { shared: a.space == Space::Shared, by });
    match fences {
        Fences::First => steps.extend(fence(issuers).into_iter().chain(barrier)),
        Fences::Last => steps.extend(barrier.into_iter().chain(fence(others))),
    }
    Some((Phase::BarriersAndFences, steps))
}

/// The cheapest insertions of one phase that establish the given orders.
fn placed(program: &SyncProgram, phase: Phase, orders: &Orders, fences: Fences) -> Option<Vec<Insertion>> {
    let (points, mut sites) = (Points::new(program), Sites::default());
    let area = Area { program, points: &points, waits: phase == Phase::Waits };
    let all: Vec<Ways> = orders.iter().map(|(order, firsts)| Ways::new(&area, &mut sites, order, firsts)).collect();
    let chosen = several::cut(&all, &sites.weights)?;
    let rank = |put: &Put| (fences == Fences::Last) == matches!(put, Put::Fence { .. });
    let mut found: Vec<(usize, bool, Put)> =
        chosen.into_iter().map(|site| sites.list[site]).map(|(place, put)| (place, rank(&put), put)).collect();
    found.sort_unstable();
    // Of several waits at one point, the first leaves the fewest groups pending and makes the others redundant.
    found.dedup_by(|next, before| {
        let queues = [&next.2, &before.2].map(|put| if let Put::Wait(queue, _) = put { Some(*queue) } else { None });
        next.0 == before.0 && queues[0].is_some() && queues[0] == queues[1]
    });
    found
        .into_iter()
        .map(|(place, _, put)| {
            let point = &points.points[place];
            let reached = point.active.filter(|_| point.before < program.ops.len())?;
            Some(Insertion { before: point.before, out: point.out, effect: put.effect(), active: reached.threads })
        })
        .collect()
}

/// The cost of insertions.
pub(super) fn cost(program: &SyncProgram, insertions: &[Insertion]) -> u64 {
    let points = Points::new(&with(program, insertions));
    let ops = program.ops.len()..;
    let place: BTreeMap<usize, u64> =
        points.points.iter().filter(|point| point.out == 0).map(|point| (point.before, point.weight)).collect();
    let price = |insertion: &Insertion| if insertion.effect == Effect::Barrier { BARRIER } else { 1 };
    ops.zip(insertions).map(|(op, insertion)| price(insertion) * place.get(&op).copied().unwrap_or(0)).sum()
}
