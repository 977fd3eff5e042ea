//! The dependences of a program, in order or not, as a graph.

use std::collections::HashMap;

use petgraph::graph::DiGraph;

use crate::sync::check::{all_pairs, check};
use crate::sync::finding::{Example, Finding, Needs};
use crate::sync::program::{Completion, Program, Through};

/// Why one access comes after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hazard {
    /// It reads what that wrote.
    ReadAfterWrite,
    /// It writes what that read.
    WriteAfterRead,
    /// It writes what that wrote.
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

    /// Of two accesses of which at least one writes.
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
    /// What it is.
    pub hazard: Hazard,
    /// The loop, by its number, around which it goes.
    pub carried: Option<usize>,
    /// After so many iterations, where that is known.
    pub later: Option<i64>,
    /// Two threads and a byte.
    pub example: Option<Example>,
    /// Does the first have to be completed, being asynchronous?
    pub completes: bool,
    /// Does the second see memory through another proxy?
    pub fenced: bool,
    /// What is missing, where nothing orders the two.
    pub missing: Option<Needs>,
}

/// The operations of a program, by their numbers, with the dependences between them.
pub fn dependences(program: &Program) -> DiGraph<usize, Dependence> {
    let mut graph = DiGraph::new();
    let nodes: Vec<_> = (0..program.ops.len()).map(|op| graph.add_node(op)).collect();
    let found = check(program);
    let open: HashMap<(usize, usize), &Needs> =
        found.iter().filter_map(Finding::conflict).map(|it| ((it.first.0, it.second.0), &it.needs)).collect();
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
