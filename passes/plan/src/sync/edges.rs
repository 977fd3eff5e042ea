//! The dependences of a program, ordered or not, as a graph.

use std::collections::HashMap;

use petgraph::graph::DiGraph;

use crate::sync::access::{Completion, Through};
use crate::sync::check::all_pairs;
use crate::sync::finding::{Example, Finding, Needs};
use crate::sync::program::SyncProgram;
use crate::sync::proved::check;

/// Why one access comes after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hazard {
    /// The second reads what the first wrote.
    ReadAfterWrite,
    /// The second writes what the first read.
    WriteAfterRead,
    /// The second writes what the first wrote.
    WriteAfterWrite,
}

impl Hazard {
    /// `RAW`, `WAR`, `WAW`.
    pub fn name(self) -> &'static str {
        match self {
            Hazard::ReadAfterWrite => "RAW",
            Hazard::WriteAfterRead => "WAR",
            Hazard::WriteAfterWrite => "WAW",
        }
    }

    /// The hazard of two accesses, at least one of which writes.
    pub fn of(first_writes: bool, second_writes: bool) -> Self {
        match (first_writes, second_writes) {
            (true, false) => Hazard::ReadAfterWrite,
            (false, _) => Hazard::WriteAfterRead,
            (true, true) => Hazard::WriteAfterWrite,
        }
    }
}

/// A dependence: different threads touch a byte, and one of them writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// The kind of dependence.
    pub hazard: Hazard,
    /// The loop, by its number, that carries it.
    pub carried: Option<usize>,
    /// The number of iterations between the two, where known.
    pub later: Option<i64>,
    /// An example of two threads and a byte.
    pub example: Option<Example>,
    /// Whether the first access is asynchronous, so that it has to be completed.
    pub completes: bool,
    /// Whether the second goes through the async proxy, so that a proxy fence is needed.
    pub fenced: bool,
    /// The missing synchronization, where nothing orders the two.
    pub missing: Option<Needs>,
}

/// The operations of a program, by their numbers, with the dependences between them.
pub fn dependences(program: &SyncProgram) -> DiGraph<usize, Dependence> {
    let mut graph = DiGraph::new();
    let nodes: Vec<_> = (0..program.ops.len()).map(|op| graph.add_node(op)).collect();
    let left = check(program);
    let open: HashMap<(usize, usize), &Needs> =
        left.iter().filter_map(Finding::conflict).map(|pair| ((pair.first.0, pair.second.0), &pair.needs)).collect();
    for pair in all_pairs(program) {
        let (from, to) = (pair.first, pair.second);
        let access = |(op, number): (usize, usize)| &program.ops[op].accesses[number];
        let missing = open.get(&(from.0, to.0)).copied().cloned();
        let (first, second) = (access(from), access(to));
        let dependence = Dependence {
            hazard: Hazard::of(first.write, second.write),
            carried: pair.carried,
            later: pair.later,
            example: pair.example,
            completes: first.completion != Completion::Now,
            fenced: first.through(second) == Through::Proxy,
            missing,
        };
        graph.add_edge(nodes[from.0], nodes[to.0], dependence);
    }
    graph
}
