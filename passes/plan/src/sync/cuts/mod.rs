//! The cheapest operations that order a program with branches and loops.
//!
//! What has to be in order is asked of the check; places that cut all ways between the two are found by minimum cuts; then the
//! check is asked again, until nothing is missing. Groups are closed, then waited for, then threads wait for each other:
//!
//! | | |
//! | --- | --- |
//! | a barrier | 4, one of each warp 1 |
//! | a wait, a fence, an end of a group | 1 |
//! | in a loop | 8 times as much as around it |
//! | in an arm of a branch | a little less than around it |
//!
//! Waits are where they cost least, and of such places at the latest, so that copies stay in flight: barriers behind them follow.

mod points;
mod smallest;
mod steps;
#[cfg(test)]
mod tests;
mod ways;

use std::collections::{BTreeMap, BTreeSet};

use crate::problem::scope::Space;
use crate::sync::check::Checker;
use crate::sync::finding::{Conflict, Finding, Needs, Threads};
use crate::sync::places::{Insertion, with};
use crate::sync::program::{Completion, Effect, Program, Through};
use points::Points;
use steps::{Put, Sites, Step};
use ways::{Area, Order, Ways};

/// How often the check is run for what is missing still.
const ROUNDS: usize = 24;
/// The most edges that searches look at in one program.
const EDGES: usize = 400_000;
/// What a barrier costs.
const BARRIER: u64 = 4;
/// The most iterations that the ways of one order go round.
const MOST_ROUNDS: i64 = 8;

/// Who makes a proxy fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fences {
    /// Who reads, behind a barrier.
    Last,
    /// Who has written, before a barrier.
    First,
}

/// What is looked for, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Ends of groups.
    Commits,
    /// Waits for groups.
    Waits,
    /// Barriers and fences.
    Meetings,
}

/// Orders, each with the operations from which its ways lead.
type Orders = BTreeMap<Order, BTreeSet<usize>>;

/// A program with what it lacked; `None` where no set was found.
pub(super) fn ordered(program: &Program, fences: Fences) -> Option<Program> {
    let mut orders: [Orders; 3] = Default::default();
    let mut edges = EDGES;
    let mut current = program.clone();
    for _ in 0..ROUNDS {
        let findings = Checker::new(&current).firsts();
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
        for (phase, orders) in [Phase::Commits, Phase::Waits, Phase::Meetings].into_iter().zip(&orders) {
            if !orders.is_empty() {
                current = with(&current, &placed(&current, phase, orders, fences, &mut edges)?);
            }
        }
    }
    None
}

/// Notes what has to be in order; was it new? `None` where nothing that is put orders it.
fn add(orders: &mut [Orders; 3], program: &Program, conflict: &Conflict, fences: Fences) -> Option<bool> {
    let (phase, steps) = steps_of(program, conflict, fences)?;
    let rounds = conflict.later.unwrap_or(1).clamp(1, MOST_ROUNDS) as usize;
    let carried = conflict.carried.map(|number| (number, rounds));
    let order = Order { second: conflict.second.0, carried, steps };
    Some(orders[phase as usize].entry(order).or_default().insert(conflict.first.0))
}

/// What has to come between the two of a conflict.
fn steps_of(program: &Program, conflict: &Conflict, fences: Fences) -> Option<(Phase, Vec<Step>)> {
    let (first, second) = (&program.ops[conflict.first.0], &program.ops[conflict.second.0]);
    let (a, b) = (&first.accesses[conflict.first.1], &second.accesses[conflict.second.1]);
    let [makers, others] = [first.makers(a), second.makers(b)];
    let mut steps = Vec::new();
    match a.completion {
        Completion::Group(queue) => steps.push(Step::Wait { queue, by: makers, reads: !a.write }),
        Completion::Phase(phase) => steps.push(Step::Phase(phase)),
        Completion::Now | Completion::Arrival | Completion::Commit | Completion::Never => {}
    }
    let together = makers.union(&others);
    let barrier = match &conflict.needs {
        Needs::Group { committed: false, queue, .. } => {
            return Some((Phase::Commits, vec![Step::Commit(*queue, makers)]));
        }
        Needs::Group { committed: true, .. } => return Some((Phase::Waits, steps)),
        Needs::Barrier(Threads::Warp) => {
            Some(Step::Barrier { of: first.active.intersect(&second.active), narrow: true })
        }
        Needs::Barrier(Threads::Some(set)) => Some(Step::Barrier { of: *set, narrow: false }),
        Needs::Barrier(Threads::Block) => Some(Step::Barrier { of: program.block, narrow: false }),
        Needs::ProxyFence if makers == others && makers.len() == 1 => None,
        Needs::ProxyFence => Some(Step::Barrier { of: together, narrow: together.warps().count_ones() == 1 }),
        Needs::Barrier(Threads::Cluster) | Needs::MbarrierFence | Needs::TensorFence { .. } => return None,
        Needs::Phase(_) | Needs::Completion | Needs::Arrival | Needs::Apart => return None,
    };
    let proxy = a.through(b) == Through::Proxy;
    let fence = |by| proxy.then_some(Step::Fence { shared: a.space == Space::Shared, by });
    match fences {
        Fences::First => steps.extend(fence(makers).into_iter().chain(barrier)),
        Fences::Last => steps.extend(barrier.into_iter().chain(fence(others))),
    }
    Some((Phase::Meetings, steps))
}

/// The cheapest of a kind for what has to be in order.
fn placed(
    program: &Program,
    phase: Phase,
    orders: &Orders,
    fences: Fences,
    edges: &mut usize,
) -> Option<Vec<Insertion>> {
    let (points, mut sites) = (Points::new(program), Sites::default());
    let area = Area { program, points: &points, waits: phase == Phase::Waits };
    let all: Vec<Ways> = orders.iter().map(|(order, firsts)| Ways::new(&area, &mut sites, order, firsts)).collect();
    let (chosen, _) = smallest::smallest(&all, &sites.weights, edges)?;
    let rank = |put: &Put| (fences == Fences::Last) == matches!(put, Put::Fence { .. });
    let mut found: Vec<(usize, bool, Put)> =
        chosen.into_iter().map(|site| sites.list[site]).map(|(place, put)| (place, rank(&put), put)).collect();
    found.sort_unstable();
    // Of waits at one place the first, for most groups, does for all.
    found.dedup_by(|next, before| {
        let queues = [&next.2, &before.2].map(|it| if let Put::Wait(queue, _) = it { Some(*queue) } else { None });
        next.0 == before.0 && queues[0].is_some() && queues[0] == queues[1]
    });
    found
        .into_iter()
        .map(|(place, _, put)| {
            let point = &points.points[place];
            let active = point.active.filter(|_| point.before < program.ops.len())?;
            Some(Insertion { before: point.before, out: point.out, effect: put.effect(), active })
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
