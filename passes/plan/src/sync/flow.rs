//! Where control goes, and what is known of an access wherever it may come after that.
//!
//! ```text
//!   for k {                 head ◀──────────────┐ back
//!     A                       A                 │
//!     barrier                 barrier           │
//!     if c { B } else { C }   B ──▶ join ◀── C  │
//!   }                               └───▶ tail ─┘───▶ …
//! ```

use std::collections::{BTreeMap, HashMap};

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::problem::threads::ThreadSet;
use crate::sync::known::{Groups, Known};
use crate::sync::program::{Access, Branch, Effect, Item, Program, Taken};

/// A place in the program.
#[derive(Clone, Debug)]
pub enum Node {
    /// An operation, by its number.
    Op(usize),
    /// Before or behind something.
    Point,
    /// Where the arms of a branch end that are taken by these threads.
    Join(Vec<ThreadSet>),
}

/// A way from one place to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// On.
    On,
    /// Around a loop, by its number.
    Back(usize),
    /// Out of a loop, by its number; past it is no way out.
    Out(usize),
    /// Out of an arm of a branch, by its number.
    Arm(usize),
}

/// A program as a graph.
pub struct Flow<'p> {
    program: &'p Program,
    /// Sets of threads whose knowledge is followed.
    pub groups: Groups,
    /// The graph.
    pub graph: DiGraph<Node, Way>,
    /// Where each operation is.
    place: Vec<NodeIndex>,
    /// The loops around each operation, outer to inner.
    pub around: Vec<Vec<usize>>,
    /// The arms around each operation: the branch, by its number, and the arm.
    pub arms: Vec<Vec<(usize, usize)>>,
    /// Of each branch, whether all threads take the same arm.
    together: Vec<bool>,
    joins: HashMap<NodeIndex, usize>,
    /// Does anything see memory through another proxy?
    proxies: bool,
}

/// How often a counted loop went round since the access, and where.
type At = (usize, NodeIndex);

/// Which way round: a loop that is counted, those outside stand still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// How many of the loops around the access stand still.
    pub depth: usize,
    /// The loop, by its number, that is counted: the last of those, or one that is entered afterwards.
    pub counted: Option<usize>,
    /// So many and more are one.
    pub most: usize,
}

impl<'p> Flow<'p> {
    /// The graph of a program.
    pub fn new(program: &'p Program) -> Self {
        let waits = program.ops.iter().filter(|op| {
            op.exact
                && op.effects.iter().any(|effect| matches!(effect, Effect::PhaseWait(_) | Effect::ProxyFence { .. }))
        });
        let count = program.ops.len();
        let mut flow = Flow {
            program,
            groups: Groups::new(program.block, waits.map(|op| op.active)),
            graph: DiGraph::new(),
            place: vec![NodeIndex::end(); count],
            around: vec![Vec::new(); count],
            arms: vec![Vec::new(); count],
            together: Vec::new(),
            joins: HashMap::new(),
            proxies: program.ops.iter().any(|op| op.accesses.iter().any(|access| access.through_async_proxy)),
        };
        let start = flow.graph.add_node(Node::Point);
        flow.sequence(&program.body, start, &mut Vec::new(), &mut Vec::new());
        flow
    }

    fn sequence(
        &mut self,
        items: &[Item],
        mut from: NodeIndex,
        loops: &mut Vec<usize>,
        arms: &mut Vec<(usize, usize)>,
    ) -> NodeIndex {
        for item in items {
            from = match item {
                Item::Op(op) => {
                    let node = self.graph.add_node(Node::Op(*op));
                    self.place[*op] = node;
                    self.around[*op].clone_from(loops);
                    self.arms[*op].clone_from(arms);
                    self.graph.add_edge(from, node, Way::On);
                    node
                }
                Item::Loop(number, body) => self.round(*number, body, from, loops, arms),
                Item::Branch(branch) => self.branch(branch, from, loops, arms),
            };
        }
        from
    }

    fn round(
        &mut self,
        number: usize,
        body: &[Item],
        from: NodeIndex,
        loops: &mut Vec<usize>,
        arms: &mut Vec<(usize, usize)>,
    ) -> NodeIndex {
        let [head, tail, after] = [(); 3].map(|()| self.graph.add_node(Node::Point));
        self.graph.add_edge(from, head, Way::On);
        loops.push(number);
        let end = self.sequence(body, head, loops, arms);
        loops.pop();
        self.graph.add_edge(end, tail, Way::On);
        self.graph.add_edge(tail, head, Way::Back(number));
        self.graph.add_edge(tail, after, Way::Out(number));
        if !self.program.loops[number].entered {
            // Past the loop, from where control comes to it.
            self.graph.add_edge(from, after, Way::On);
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
        let (fork, join) = match &branch.taken {
            Taken::By(threads) => (Node::Point, Node::Join(threads.clone())),
            _ => (Node::Point, Node::Point),
        };
        let [fork, join] = [fork, join].map(|node| self.graph.add_node(node));
        self.joins.insert(join, number);
        self.graph.add_edge(from, fork, Way::On);
        for (arm, items) in branch.arms.iter().enumerate() {
            arms.push((number, arm));
            let begin = self.graph.add_node(Node::Point);
            self.graph.add_edge(fork, begin, Way::On);
            let end = self.sequence(items, begin, loops, arms);
            arms.pop();
            let last = self.graph.add_node(Node::Point);
            self.graph.add_edge(end, last, Way::On);
            self.graph.add_edge(last, join, Way::Arm(arm));
        }
        join
    }

    /// How many of the loops around the two are the same.
    pub fn common(&self, a: usize, b: usize) -> usize {
        self.around[a].iter().zip(&self.around[b]).take_while(|(a, b)| a == b).count()
    }

    /// Do different threads execute the two in one iteration, in different arms of a branch? `None` where they are not in
    /// different arms of one.
    pub fn beside(&self, a: usize, b: usize) -> Option<bool> {
        let pairs = self.arms[a].iter().zip(&self.arms[b]);
        pairs.into_iter().find(|(a, b)| a != b).filter(|(a, b)| a.0 == b.0).map(|(a, _)| !self.together[a.0])
    }

    /// Calls `visit` for each operation that may come after an access, with how often the counted loop went round and what
    /// is known of the access then. An operation that all threads reach knowing of it is not visited.
    pub fn follow(&self, op: usize, access: &Access, round: Round, mut visit: impl FnMut(usize, usize, &Known)) {
        let makers = self.program.ops[op].makers(access);
        let mut first = Known::new(access);
        first.after(&self.program.ops[op], access, &makers, &self.groups);
        let mut states: HashMap<At, Known> = HashMap::new();
        let mut arrived: HashMap<(At, usize), Known> = HashMap::new();
        let mut waiting: BTreeMap<At, ()> = BTreeMap::new();
        let mut walk = Walk { flow: self, op, round, makers, states: &mut states, arrived: &mut arrived };
        let all = self.groups.whole(&self.program.block);
        let warps = makers.warps();
        for at in walk.leave((0, self.place[op]), &first) {
            waiting.insert(at, ());
        }
        while let Some((at, ())) = waiting.pop_first() {
            let mut known = walk.states[&at].clone();
            if known.is_settled(warps, all, self.proxies) {
                continue;
            }
            if let Node::Op(next) = self.graph[at.1] {
                known.after(&self.program.ops[next], access, &makers, &self.groups);
            }
            for next in walk.leave(at, &known) {
                waiting.insert(next, ());
            }
        }
        let mut found: Vec<_> = states.iter().collect();
        found.sort_by_key(|((times, node), _)| (*times, *node));
        for (&(times, node), known) in found {
            if let Node::Op(next) = self.graph[node] {
                visit(next, times, known);
            }
        }
    }
}

struct Walk<'w, 'p> {
    flow: &'w Flow<'p>,
    op: usize,
    round: Round,
    makers: ThreadSet,
    states: &'w mut HashMap<At, Known>,
    /// What came to the end of each arm.
    arrived: &'w mut HashMap<(At, usize), Known>,
}

impl Walk<'_, '_> {
    /// Hands on what is known behind a place; the places where less is known than before.
    fn leave(&mut self, (times, node): At, known: &Known) -> Vec<At> {
        let edges: Vec<_> = self.flow.graph.edges_directed(node, Direction::Outgoing).collect();
        edges
            .into_iter()
            .filter_map(|edge| {
                let at = (self.times(times, *edge.weight())?, edge.target());
                let known = match (&self.flow.graph[at.1], *edge.weight()) {
                    (Node::Join(threads), Way::Arm(arm)) => self.join(at, arm, threads, known),
                    _ => known.clone(),
                };
                self.merge(at, known).then_some(at)
            })
            .collect()
    }

    /// How often the counted loop went round behind an edge; `None` where the edge is not gone.
    fn times(&self, times: usize, way: Way) -> Option<usize> {
        let around = &self.flow.around[self.op];
        let fixed = &around[..self.round.depth];
        match way {
            Way::Back(number) if self.round.counted == Some(number) => Some((times + 1).min(self.round.most)),
            Way::Back(number) | Way::Out(number) if fixed.contains(&number) => {
                // Only the innermost of those that stand still may be left; what is behind it is looked at for that one.
                None
            }
            _ => Some(times),
        }
    }

    fn merge(&mut self, at: At, known: Known) -> bool {
        match self.states.get_mut(&at) {
            None => {
                self.states.insert(at, known);
                true
            }
            Some(found) => {
                let before = found.clone();
                found.meet(&known);
                *found != before
            }
        }
    }

    /// What is known behind a branch: each thread came by its own arm.
    fn join(&mut self, at: At, arm: usize, threads: &[ThreadSet], known: &Known) -> Known {
        self.arrived.insert((at, arm), known.clone());
        let number = self.flow.joins[&at.1];
        let inside = self.flow.arms[self.op].iter().find(|(branch, _)| *branch == number).map(|(_, arm)| *arm);
        let nothing = Known { rows: [0; 32], fenced: [0; 32], own: 0, own_fence: 0, commits: [0; 32] };
        let of_arm = |arm: usize| match self.arrived.get(&(at, arm)) {
            Some(known) => known.clone(),
            // In the iteration of the access nobody else has come by.
            None if inside.is_some_and(|inside| inside != arm) && at.0 == 0 => nothing.clone(),
            None => Known::top(),
        };
        let arms: Vec<Known> = (0..threads.len()).map(of_arm).collect();
        self.columns(&arms, threads)
    }

    fn columns(&self, arms: &[Known], threads: &[ThreadSet]) -> Known {
        let mut joined = Known::top();
        // Warps that there are not know nothing.
        let all = self.flow.groups.meeting(&self.flow.program.block);
        (joined.rows, joined.fenced) = ([all; 32], [all; 32]);
        for warp in 0..32 {
            let makers = self.makers.lanes(warp);
            // What the makers did themselves is what they did in their arm, where all of a warp took the same one.
            let own = threads.iter().position(|it| makers != 0 && makers & !it.lanes(warp) == 0);
            for (number, (arm, took)) in arms.iter().zip(threads).enumerate() {
                let met = self.flow.groups.meeting(took);
                joined.rows[warp] &= arm.rows[warp] | !met;
                joined.fenced[warp] &= arm.fenced[warp] | !met;
                if own.is_none_or(|own| own == number) {
                    joined.commits[warp] = joined.commits[warp].min(arm.commits[warp]);
                    joined.own &= arm.own | !(1 << warp);
                    joined.own_fence &= arm.own_fence | !(1 << warp);
                }
            }
        }
        joined
    }
}
