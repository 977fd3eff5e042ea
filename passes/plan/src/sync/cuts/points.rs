//! The points of a program at which an operation may be inserted, and the control flow between them.
//!
//! ```text
//!   A                      A ──p0──▶ fork ──p1──▶ B ──▶ join ──p2──▶ C        p: a point before an operation,
//!   if c { B } else { }               └──────────────────▲                      a loop or a branch
//!   C
//! ```

use std::collections::HashMap;

use petgraph::graph::{DiGraph, NodeIndex};

use crate::sync::items::Item;
use crate::sync::places::{PointThreads, taken, whole};
use crate::sync::program::SyncProgram;

/// The assumed trip count of every loop.
const ROUNDS: u64 = 8;
/// The weight of a point outside of loops and branches; each branch around a point takes off 1.
const PARTS: u64 = 16;
/// The deepest loops and branches that are distinguished.
const DEEPEST: usize = 8;

/// A point right before an operation, a loop or a branch.
#[derive(Clone, Debug)]
pub(in crate::sync) struct Point {
    /// The first operation after it, by its number.
    pub before: usize,
    /// The number of branches and loops around that operation that are left first.
    pub out: usize,
    /// The threads that reach it; `None` where unknown.
    pub active: Option<PointThreads>,
    /// Whether these form whole warps, as a barrier requires.
    pub whole: bool,
    /// The estimated execution frequency.
    pub weight: u64,
}

/// The points of a program and the control flow between them, without back edges: edges lead from a node to later ones.
pub(super) struct Points {
    /// The points.
    pub points: Vec<Point>,
    /// The control flow graph; an edge may carry a point.
    pub graph: DiGraph<(), Option<usize>>,
    /// The node of each operation.
    pub place: Vec<NodeIndex>,
    /// The operation of a node.
    pub ops: HashMap<NodeIndex, usize>,
    /// For each loop, the nodes at which its body starts and ends.
    pub loops: Vec<(NodeIndex, NodeIndex)>,
    /// The loops around each operation, outer to inner.
    pub around: Vec<Vec<usize>>,
}

/// The estimated execution frequency of a point with this many loops and branches around it.
pub(super) fn weight(loops: usize, arms: usize) -> u64 {
    PARTS * ROUNDS.pow(loops.min(DEEPEST) as u32) - arms.min(DEEPEST) as u64
}

/// The context of an item.
#[derive(Clone)]
struct Around {
    active: Option<PointThreads>,
    loops: Vec<usize>,
    arms: usize,
}

impl Points {
    /// The points of a program.
    pub fn new(program: &SyncProgram) -> Self {
        let none = (NodeIndex::end(), NodeIndex::end());
        let mut points = Points {
            points: Vec::new(),
            graph: DiGraph::new(),
            place: vec![NodeIndex::end(); program.ops.len()],
            ops: HashMap::new(),
            loops: vec![none; program.loops.len()],
            around: vec![Vec::new(); program.ops.len()],
        };
        let start = points.graph.add_node(());
        let around = Around { active: Some(PointThreads::all(program.block)), loops: Vec::new(), arms: 0 };
        points.sequence(program, &program.body, start, &around);
        points
    }

    fn sequence(&mut self, program: &SyncProgram, items: &[Item], mut from: NodeIndex, around: &Around) -> NodeIndex {
        for item in items {
            let here = self.graph.add_node(());
            let point = first(item).map(|(before, out)| {
                let active = around.active;
                let whole = active.is_some_and(|active| whole(&active.threads, &program.block));
                let weight = weight(around.loops.len(), around.arms);
                self.points.push(Point { before, out, active, whole, weight });
                self.points.len() - 1
            });
            self.graph.add_edge(from, here, point);
            from = match item {
                Item::Op(op) => {
                    self.place[*op] = here;
                    self.ops.insert(here, *op);
                    self.around[*op].clone_from(&around.loops);
                    here
                }
                Item::Loop(number, body) => {
                    let mut inside = around.clone();
                    inside.loops.push(*number);
                    inside.active = around.active.map(|active| active.round(program.loops[*number].rounds));
                    let end = self.sequence(program, body, here, &inside);
                    let [tail, after] = [(); 2].map(|()| self.graph.add_node(()));
                    self.graph.add_edge(end, tail, None);
                    self.graph.add_edge(tail, after, None);
                    if !program.loops[*number].entered {
                        self.graph.add_edge(here, after, None);
                    }
                    self.loops[*number] = (here, tail);
                    after
                }
                Item::Branch(branch) => {
                    let arm = |number: usize| Around {
                        active: taken(&branch.taken, number, around.active),
                        arms: around.arms + 1,
                        loops: around.loops.clone(),
                    };
                    let arms = branch.arms.iter().enumerate();
                    let ends: Vec<_> =
                        arms.map(|(number, items)| self.sequence(program, items, here, &arm(number))).collect();
                    let join = self.graph.add_node(());
                    for end in ends {
                        self.graph.add_edge(end, join, None);
                    }
                    join
                }
            };
        }
        from
    }
}

/// The first operation in an item, and the number of branches and loops of the item around it.
fn first(item: &Item) -> Option<(usize, usize)> {
    let inside = |items: &[Item]| items.iter().find_map(first).map(|(op, out)| (op, out + 1));
    match item {
        Item::Op(op) => Some((*op, 0)),
        Item::Loop(_, body) => inside(body),
        Item::Branch(branch) => branch.arms.iter().find_map(|arm| inside(arm)),
    }
}
