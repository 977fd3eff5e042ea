//! The paths that an order has to cut, and the cheapest sites that cut all of them: a minimum cut.
//!
//! Where several steps have to come in sequence, the graph has one layer per step: a copy of the control flow in which
//! the step has not been done yet. An operation that performs the step cuts its layer. A path may go over to the next
//! layer at any node. A set of sites that cuts all paths therefore performs, on every path, each step after the one
//! before it.
//!
//! ```text
//!   copy ──p0──▶ if ──p1──▶ read      not waited for      a wait at p0 or p1 …
//!     ↓           ↓          ↓
//!     ∘ ──p0──▶   ∘ ──p1──▶ ∎         waited for          … and a barrier there or later
//! ```

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::maximum_flow::dinics;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::queue::Queue;
use crate::sync::cuts::points::Points;
use crate::sync::cuts::steps::{OrderStep, Sites};
use crate::sync::program::SyncProgram;

/// An order to establish: an operation has to come after others, with certain steps between them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Order {
    /// The later operation, by its number.
    pub second: usize,
    /// The loop, by its number, that carries the order, and the number of iterations between the two.
    pub carried: Option<(usize, usize)>,
    /// The steps that have to come between.
    pub steps: Vec<OrderStep>,
}

/// The iterations of the carrying loop so far, and a node.
type At = (usize, NodeIndex);

/// All paths of an order, from node 0 to the last node, with the sites on them.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    nodes: usize,
    /// Edges: source, target, and the sites each of which cuts it; sorted by the source.
    edges: Vec<(usize, usize, Vec<usize>)>,
    /// All sites on the edges.
    pub sites: BTreeSet<usize>,
}

/// The program in which paths are followed.
pub(super) struct Area<'p> {
    /// The program.
    pub program: &'p SyncProgram,
    /// Its points.
    pub points: &'p Points,
    /// Whether waits may be inserted.
    pub waits: bool,
}

impl Ways {
    /// The paths of an order, from the operations `firsts`.
    pub fn new(area: &Area<'_>, sites: &mut Sites, order: &Order, firsts: &BTreeSet<usize>) -> Self {
        let points = area.points;
        let reached = reached(points, order, firsts);
        let end = (order.carried.map_or(0, |(_, rounds)| rounds), points.place[order.second]);
        let mut leads: BTreeSet<At> = BTreeSet::from([end]);
        for (from, to, _) in reached.iter().rev() {
            if leads.contains(to) {
                leads.insert(*from);
            }
        }
        let layers = order.steps.len();
        let numbers: BTreeMap<At, usize> =
            leads.iter().enumerate().map(|(at, lead)| (*lead, 1 + at * layers)).collect();
        let closed = closed(area, order, firsts, &reached);
        let mut edges = Vec::new();
        for &op in firsts {
            let Some(&number) = numbers.get(&(0, points.place[op])).filter(|_| (0, points.place[op]) != end) else {
                continue;
            };
            let first = &area.program.ops[op];
            let commits =
                order.steps.iter().take_while(|step| matches!(step, OrderStep::Commit(..)) && step.is_done(first, 0));
            edges.push((0, number + commits.count().min(layers - 1), Vec::new()));
        }
        for &at in leads.iter() {
            edges.extend((1..layers).map(|layer| (numbers[&at] + layer - 1, numbers[&at] + layer, Vec::new())));
        }
        for (from, to, point) in reached {
            let Some((&start, &next)) = numbers.get(&from).zip(numbers.get(&to)) else { continue };
            let count = closed.get(&from).copied().unwrap_or(0);
            let op = points.ops.get(&to.1).filter(|_| to != end).map(|&op| &area.program.ops[op]);
            for (layer, step) in order.steps.iter().enumerate() {
                if op.is_some_and(|op| step.is_done(op, count)) {
                    continue;
                }
                let place = point.filter(|_| step.is_put(area.waits));
                let placed = place.map_or(Vec::new(), |place| sites.of(points, place, step, count));
                edges.push((start + layer, next + layer, placed));
            }
        }
        edges.sort_by_key(|(from, ..)| *from);
        let sites = edges.iter().flat_map(|(.., sites)| sites).copied().collect();
        Ways { nodes: 1 + numbers.len() * layers, edges, sites }
    }

    /// Whether there is a path without a site that has been taken.
    pub fn is_open(&self, taken: &[bool]) -> bool {
        let mut reached = vec![false; self.nodes];
        reached[0] = true;
        for (from, to, sites) in &self.edges {
            reached[*to] |= reached[*from] && !sites.iter().any(|&site| taken[site]);
        }
        reached[self.nodes - 1]
    }

    /// The sites of the cheapest cut of all paths, of equally cheap ones the latest; `None` where nothing
    /// cuts all.
    pub fn cut(&self, taken: &[bool], weights: &[u64]) -> Option<Vec<usize>> {
        let endless = 1 + self.edges.iter().flat_map(|(.., sites)| sites).map(|&site| weights[site]).sum::<u64>();
        let mut network: DiGraph<(), u64> = DiGraph::with_capacity(self.nodes, self.edges.len());
        let nodes: Vec<NodeIndex> = (0..self.nodes).map(|_| network.add_node(())).collect();
        let mut places = Vec::new();
        for (from, to, sites) in &self.edges {
            if sites.iter().any(|&site| taken[site]) {
                continue;
            }
            let cheapest = sites.iter().copied().min_by_key(|&site| weights[site]);
            network.add_edge(nodes[*from], nodes[*to], cheapest.map_or(endless, |site| weights[site]));
            places.push(cheapest);
        }
        let (source, sink) = (nodes[0], nodes[self.nodes - 1]);
        let (flow, flows) = dinics(&network, source, sink);
        if flow >= endless {
            return None;
        }
        let behind = behind(&network, &flows, sink);
        let crosses = |edge: &petgraph::graph::EdgeReference<'_, u64>| {
            !behind[edge.source().index()] && behind[edge.target().index()]
        };
        let cut: BTreeSet<usize> =
            network.edge_references().filter(crosses).filter_map(|edge| places[edge.id().index()]).collect();
        Some(cut.into_iter().collect())
    }
}

/// A control flow edge, and the point on it.
type Edge = (At, At, Option<usize>);

/// The edges that control may take after the earlier operations, in the order of their sources.
fn reached(points: &Points, order: &Order, firsts: &BTreeSet<usize>) -> Vec<Edge> {
    let round = order.carried.map(|(number, rounds)| (points.loops[number], rounds));
    let last = points.place[order.second];
    let mut waiting: BTreeSet<At> = firsts.iter().map(|&op| (0, points.place[op])).collect();
    let mut edges = Vec::new();
    while let Some(at) = waiting.pop_first() {
        let (times, node) = at;
        let inside = round.filter(|(_, rounds)| times < *rounds).map(|((head, tail), _)| (head, tail));
        if let Some((head, _)) = inside.filter(|(_, tail)| node == *tail) {
            edges.push((at, (times + 1, head), None));
            waiting.insert((times + 1, head));
            continue;
        }
        let limit = inside.map_or(last, |(_, tail)| tail);
        for edge in points.graph.edges(node).filter(|edge| edge.target() <= limit) {
            let to = (times, edge.target());
            edges.push((at, to, *edge.weight()));
            waiting.insert(to);
        }
    }
    edges
}

/// The least number of groups that the threads of an order close on any path to each node, including one closed by the
/// operation there.
fn closed(area: &Area<'_>, order: &Order, firsts: &BTreeSet<usize>, reached: &[Edge]) -> BTreeMap<At, i64> {
    let queue = order.steps.iter().find_map(|step| match step {
        OrderStep::Wait { queue, by, .. } => Some((*queue, *by)),
        _ => None,
    });
    let Some((queue, by)) = queue else { return BTreeMap::new() };
    let closes = |op: usize, queue: Queue| i64::from(OrderStep::Commit(queue, by).is_done(&area.program.ops[op], 0));
    let mut counts: BTreeMap<At, i64> =
        firsts.iter().map(|&op| ((0, area.points.place[op]), closes(op, queue))).collect();
    for &(from, to, _) in reached {
        let Some(&before) = counts.get(&from) else { continue };
        let count = before + area.points.ops.get(&to.1).map_or(0, |&op| closes(op, queue));
        let least = counts.entry(to).or_insert(count);
        *least = count.min(*least);
    }
    counts
}

/// The nodes from which the residual network reaches the sink.
fn behind(network: &DiGraph<(), u64>, flows: &[u64], sink: NodeIndex) -> Vec<bool> {
    let mut visited = vec![false; network.node_count()];
    let mut waiting = vec![sink];
    while let Some(node) = waiting.pop() {
        if std::mem::replace(&mut visited[node.index()], true) {
            continue;
        }
        let into = network.edges_directed(node, petgraph::Direction::Incoming);
        waiting.extend(into.filter(|edge| flows[edge.id().index()] < *edge.weight()).map(|edge| edge.source()));
        waiting.extend(network.edges(node).filter(|edge| flows[edge.id().index()] > 0).map(|edge| edge.target()));
    }
    visited
}
