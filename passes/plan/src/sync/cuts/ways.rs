//! The ways on which something has to be put, and the cheapest places that cut all of them: a minimum cut.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::maximum_flow::dinics;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::problem::threads::ThreadSet;
use crate::sync::cuts::points::Points;

/// An operation has to come after others, in order for some threads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Order {
    /// The later operation, by its number.
    pub second: usize,
    /// The loop, by its number, around which it comes later.
    pub carried: Option<usize>,
    /// The earlier ones; with a loop, whether in an earlier iteration or in the same one.
    pub firsts: BTreeSet<(usize, bool)>,
}

/// What is done with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Something may be put there, at a cost.
    Free,
    /// Something is there.
    Taken,
    /// Nothing may be put there.
    Barred,
}

/// A node: in the first iteration or a later one, and which.
type At = (bool, NodeIndex);

/// All ways of an order, from 0 to the last node, with the places on them.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    nodes: usize,
    /// From, to and a place, by the first.
    edges: Vec<(usize, usize, Option<usize>)>,
    /// The places on them, of which each orders what has to be.
    pub points: BTreeSet<usize>,
}

impl Ways {
    /// Those of an order; places count at which all of `threads` get.
    pub fn new(points: &Points, order: &Order, threads: &ThreadSet) -> Self {
        let reached = reached(points, order);
        let end = (order.carried.is_some(), points.place[order.second]);
        let mut leads: BTreeSet<At> = BTreeSet::from([end]);
        for (from, to, _) in reached.iter().rev() {
            if leads.contains(to) {
                leads.insert(*from);
            }
        }
        let numbers: BTreeMap<At, usize> = leads.iter().enumerate().map(|(number, at)| (*at, number + 1)).collect();
        let serves = |point: &usize| points.points[*point].active.is_some_and(|active| threads.is_subset(&active));
        let mut ways = Ways { nodes: numbers.len() + 1, edges: Vec::new(), points: BTreeSet::new() };
        for &(op, earlier) in &order.firsts {
            let at = (order.carried.is_some() && !earlier, points.place[op]);
            if let Some(&number) = numbers.get(&at).filter(|_| at != end) {
                ways.edges.push((0, number, None));
            }
        }
        for (from, to, point) in reached {
            if let Some((&from, &to)) = numbers.get(&from).zip(numbers.get(&to)) {
                let point = point.filter(serves);
                ways.points.extend(point);
                ways.edges.push((from, to, point));
            }
        }
        ways
    }

    /// How many edges there are.
    pub fn size(&self) -> usize {
        self.edges.len()
    }

    /// The places on a way on which nothing is, those at which something may be put, the fewest of any way; `None` where
    /// something is on each.
    pub fn open(&self, choices: &[Choice]) -> Option<Vec<usize>> {
        let mut least: Vec<Option<(usize, usize, Option<usize>)>> = vec![None; self.nodes];
        least[0] = Some((0, 0, None));
        for &(from, to, point) in &self.edges {
            let Some((count, ..)) = least[from] else { continue };
            let cost = match point.map(|point| choices[point]) {
                Some(Choice::Taken) => continue,
                Some(Choice::Free) => 1,
                Some(Choice::Barred) | None => 0,
            };
            if least[to].is_none_or(|(best, ..)| count + cost < best) {
                least[to] = Some((count + cost, from, point));
            }
        }
        let (mut at, mut found) = (self.nodes - 1, Vec::new());
        least[at]?;
        while let Some((_, from, point)) = least[at].filter(|_| at != 0) {
            found.extend(point.filter(|&point| choices[point] == Choice::Free));
            at = from;
        }
        Some(found)
    }

    /// The cheapest places that cut all ways, the latest such, and what they cost; `None` where nothing can.
    pub fn cut(&self, choices: &[Choice], weights: &[u64]) -> Option<(u64, Vec<usize>)> {
        let endless = 1 + self.edges.iter().filter_map(|(.., point)| point.map(|it| weights[it])).sum::<u64>();
        let mut network: DiGraph<(), u64> = DiGraph::with_capacity(self.nodes, self.edges.len());
        let nodes: Vec<NodeIndex> = (0..self.nodes).map(|_| network.add_node(())).collect();
        let mut places = Vec::new();
        for &(from, to, point) in &self.edges {
            let capacity = match point.map(|point| (point, choices[point])) {
                Some((_, Choice::Taken)) => continue,
                Some((point, Choice::Free)) => weights[point],
                Some((_, Choice::Barred)) | None => endless,
            };
            network.add_edge(nodes[from], nodes[to], capacity);
            places.push(point);
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
        Some((flow, cut.into_iter().collect()))
    }
}

/// The edges that control may go from the earlier operations on, by where they begin.
fn reached(points: &Points, order: &Order) -> Vec<(At, At, Option<usize>)> {
    let round = order.carried.map(|number| points.loops[number]);
    let last = points.place[order.second];
    let mut waiting: BTreeSet<At> =
        order.firsts.iter().map(|&(op, earlier)| (round.is_some() && !earlier, points.place[op])).collect();
    let mut found = Vec::new();
    while let Some(at) = waiting.pop_first() {
        let (later, node) = at;
        if round.is_some_and(|(_, tail)| !later && node == tail) {
            let head = round.map_or(node, |(head, _)| head);
            found.push((at, (true, head), None));
            waiting.insert((true, head));
            continue;
        }
        let limit = round.filter(|_| !later).map_or(last, |(_, tail)| tail);
        for edge in points.graph.edges(node).filter(|edge| edge.target() <= limit) {
            let to = (later, edge.target());
            found.push((at, to, *edge.weight()));
            waiting.insert(to);
        }
    }
    found
}

/// The nodes from which more could flow to the last one.
fn behind(network: &DiGraph<(), u64>, flows: &[u64], sink: NodeIndex) -> Vec<bool> {
    let mut found = vec![false; network.node_count()];
    let mut waiting = vec![sink];
    while let Some(node) = waiting.pop() {
        if std::mem::replace(&mut found[node.index()], true) {
            continue;
        }
        let into = network.edges_directed(node, petgraph::Direction::Incoming);
        waiting.extend(into.filter(|edge| flows[edge.id().index()] < *edge.weight()).map(|edge| edge.source()));
        waiting.extend(network.edges(node).filter(|edge| flows[edge.id().index()] > 0).map(|edge| edge.target()));
    }
    found
}
