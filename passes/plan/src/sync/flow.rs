//! The control flow of a program, as a graph.
//!
//! ```text
//!   for k {                 head ◀────────────────┐ back
//!     A                       A, barrier          │
//!     barrier                 │       │           │
//!     if c { B } else { C }   B ──▶ join ◀── C    │
//!   }                               └───▶ tail ───┘───▶ …
//! ```

use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::problem::threads::ThreadSet;
use crate::sync::groups::{Does, Groups};
use crate::sync::items::{Branch, Item, Taken};
use crate::sync::program::{Effect, SyncProgram};
use crate::sync::rounds::Together;

/// A node of the control flow graph.
#[derive(Clone, Debug)]
pub enum Node {
    /// A run of consecutive operations, by their numbers.
    Ops(Vec<usize>),
    /// A point before or after an item.
    Point,
    /// The join of a branch whose arms are taken by these sets of threads.
    Join(Vec<ThreadSet>),
}

/// An edge of the control flow graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// Forward.
    On,
    /// The back edge of a loop, by its number.
    Back(usize),
    /// The exit of a loop, by its number. The edge that bypasses a loop is [`EdgeKind::On`].
    Out(usize),
    /// From the end of an arm, by its number, to the join of its branch.
    Arm(usize),
}

/// A program as a graph, whose nodes are numbered in program order.
pub struct Flow<'p> {
    pub(super) program: &'p SyncProgram,
    /// The groups of threads whose knowledge is tracked.
    pub groups: Groups,
    /// The synchronizing effects of each operation.
    pub does: Vec<Does>,
    /// The graph.
    pub graph: DiGraph<Node, EdgeKind>,
    /// The node of each operation, and its position in that node.
    pub place: Vec<(NodeIndex, usize)>,
    /// The operations with synchronizing effects in each node, each preceded by its position there.
    pub orders: FxHashMap<NodeIndex, Vec<(usize, usize)>>,
    /// The loops around each operation, outer to inner.
    pub around: Vec<Vec<usize>>,
    /// The arms around each operation, outer to inner: the number of the branch, and the arm.
    pub arms: Vec<Vec<(usize, usize)>>,
    /// The operations in each branch, by its number.
    pub inside: Vec<Vec<usize>>,
    /// For each branch, whether all threads take the same arm.
    pub together: Vec<bool>,
    /// For each branch, which threads take the same arm.
    branches: Vec<Together>,
    /// For each join, the number of its branch.
    pub joins: FxHashMap<NodeIndex, usize>,
    /// For each node at which the body of a loop begins, the number of the loop.
    pub heads: FxHashMap<NodeIndex, usize>,
    /// For each node in loops, the last node of the outermost of these.
    pub until: FxHashMap<NodeIndex, NodeIndex>,
}

impl<'p> Flow<'p> {
    /// The graph of a program.
    pub fn new(program: &'p SyncProgram) -> Self {
        let waits = program.ops.iter().filter(|op| {
            op.exact
                && op.effects.iter().any(|effect| {
                    matches!(effect, Effect::PhaseWait(_) | Effect::ProxyFence { .. } | Effect::TensorFence { .. })
                })
        });
        let count = program.ops.len();
        let groups = Groups::new(program.block, waits.map(|op| op.active));
        let mut flow = Flow {
            program,
            does: Vec::new(),
            groups,
            graph: DiGraph::new(),
            place: vec![(NodeIndex::end(), 0); count],
            orders: FxHashMap::default(),
            around: vec![Vec::new(); count],
            arms: vec![Vec::new(); count],
            inside: Vec::new(),
            together: Vec::new(),
            branches: Vec::new(),
            joins: FxHashMap::default(),
            heads: FxHashMap::default(),
            until: FxHashMap::default(),
        };
        let start = flow.graph.add_node(Node::Point);
        flow.sequence(&program.body, start, &mut Vec::new(), &mut Vec::new());
        flow.does = (0..count).map(|op| flow.groups.does(&program.ops[op], flow.executed(op))).collect();
        flow
    }

    /// Which threads get through the loops and branches around an operation together.
    fn executed(&self, op: usize) -> Together {
        let loops = self.around[op].iter().map(|&number| self.program.loops[number].rounds.together());
        let arms = self.arms[op].iter().map(|&(branch, _)| self.branches[branch]);
        loops.chain(arms).min().unwrap_or_default()
    }

    fn sequence(
        &mut self,
        items: &[Item],
        mut from: NodeIndex,
        loops: &mut Vec<usize>,
        arms: &mut Vec<(usize, usize)>,
    ) -> NodeIndex {
        let mut run = Vec::new();
        for item in items {
            match item {
                Item::Op(op) => {
                    self.around[*op].clone_from(loops);
                    self.arms[*op].clone_from(arms);
                    arms.iter().for_each(|(branch, _)| self.inside[*branch].push(*op));
                    run.push(*op);
                    continue;
                }
                Item::Loop(..) | Item::Branch(_) => from = self.run(&mut run, from),
            }
            from = match item {
                Item::Loop(number, body) => self.round(*number, body, from, loops, arms),
                Item::Branch(branch) => self.branch(branch, from, loops, arms),
                Item::Op(_) => from,
            };
        }
        self.run(&mut run, from)
    }

    /// Adds a node for a run of consecutive operations.
    fn run(&mut self, run: &mut Vec<usize>, from: NodeIndex) -> NodeIndex {
        if run.is_empty() {
            return from;
        }
        let ops = std::mem::take(run);
        let node = self.graph.add_node(Node::Ops(Vec::new()));
        for (at, &op) in ops.iter().enumerate() {
            self.place[op] = (node, at);
            if !self.program.ops[op].effects.is_empty() {
                self.orders.entry(node).or_default().push((at, op));
            }
        }
        self.graph[node] = Node::Ops(ops);
        self.graph.add_edge(from, node, EdgeKind::On);
        node
    }

    fn round(
        &mut self,
        number: usize,
        body: &[Item],
        from: NodeIndex,
        loops: &mut Vec<usize>,
        arms: &mut Vec<(usize, usize)>,
    ) -> NodeIndex {
        let head = self.graph.add_node(Node::Point);
        self.heads.insert(head, number);
        self.graph.add_edge(from, head, EdgeKind::On);
        loops.push(number);
        let end = self.sequence(body, head, loops, arms);
        loops.pop();
        let [tail, after] = [(); 2].map(|()| self.graph.add_node(Node::Point));
        if loops.is_empty() {
            self.until.extend((head.index()..=tail.index()).map(|node| (NodeIndex::new(node), tail)));
        }
        self.graph.add_edge(end, tail, EdgeKind::On);
        self.graph.add_edge(tail, head, EdgeKind::Back(number));
        self.graph.add_edge(tail, after, EdgeKind::Out(number));
        if !self.program.loops[number].entered {
            // The edge that bypasses the loop.
            self.graph.add_edge(from, after, EdgeKind::On);
        }
        after
    }

    fn branch(
        &mut self,
        branch: &Branch,
        from: NodeIndex,
        loops: &mut Vec<usize>,
        arms: &mut Vec<(usize, usize)>,
    ) -> NodeIndex {
        let number = self.together.len();
        self.together.push(branch.taken == Taken::Together);
        self.branches.push(branch.taken.together());
        self.inside.push(Vec::new());
        let fork = self.graph.add_node(Node::Point);
        self.graph.add_edge(from, fork, EdgeKind::On);
        let mut ends = Vec::new();
        for (arm, items) in branch.arms.iter().enumerate() {
            arms.push((number, arm));
            let begin = self.graph.add_node(Node::Point);
            self.graph.add_edge(fork, begin, EdgeKind::On);
            let end = self.sequence(items, begin, loops, arms);
            arms.pop();
            let last = self.graph.add_node(Node::Point);
            self.graph.add_edge(end, last, EdgeKind::On);
            ends.push(last);
        }
        let join = self.graph.add_node(match &branch.taken {
            Taken::By(threads) => Node::Join(threads.clone()),
            _ => Node::Point,
        });
        self.joins.insert(join, number);
        for (arm, last) in ends.into_iter().enumerate() {
            self.graph.add_edge(last, join, EdgeKind::Arm(arm));
        }
        join
    }

    /// The number of loops that are around both operations.
    pub fn common(&self, a: usize, b: usize) -> usize {
        self.around[a].iter().zip(&self.around[b]).take_while(|(a, b)| a == b).count()
    }

    /// Whether different threads execute the two operations in one iteration, in different arms of a branch. `None`
    /// where they are not in different arms of one branch.
    pub fn beside(&self, a: usize, b: usize) -> Option<bool> {
        let pairs = self.arms[a].iter().zip(&self.arms[b]);
        pairs.into_iter().find(|(a, b)| a != b).filter(|(a, b)| a.0 == b.0).map(|(a, _)| !self.together[a.0])
    }
}
