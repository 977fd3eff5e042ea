//! Liveness: which buffers hold data that is still needed at the same time.
//!
//! ```text
//!                                reached before, needed after
//!   fill A          A
//!   copy A to B     A B          A and B are live at once
//!   copy B to C       B C        A and C never are: they may share storage
//! ```
//!
//! A buffer is live where it may have been touched before, and may be read later before it is completely overwritten. One
//! with an mbarrier stays live once it may have been touched: nothing ends the mbarrier, and while it exists no other access
//! may touch its bytes. One that a copy in flight fills is live until the wait for the copy's mbarrier, even if nobody reads it:
//! nothing that could be inserted elsewhere waits for a phase.
//! Different threads may execute the arms of a branch at the same time, unless all take the same arm: a buffer that is
//! live in one arm is then live in the others. Likewise for the operations of a loop that threads go round differently.
//!
//! ```text
//!   producer      copy K     copy K     …          K is handed to the consumers: in their arm it is live from the beginning,
//!   consumers     wait, read K     …    fill C     since a copy may come any time, to the last wait; C may have its bytes
//! ```
//!
//! Whether no copy is still in flight then is not seen here: it is checked where the accesses are ordered.

use std::collections::{BTreeSet, HashMap};

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};

use crate::problem::threads::ThreadSet;
use crate::sync::access::{Access, Completion};
use crate::sync::flow::{EdgeKind, Flow, Node};
use crate::sync::program::{Act, Effect, Op, SyncProgram};
use crate::sync::rounds::Together;
use crate::sync::set::Set;

/// A buffer that needs storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedBuffer {
    /// The object of the program; `usize::MAX` for a buffer that nothing is known to touch.
    pub object: usize,
    /// The bytes that hold elements.
    pub used: i64,
    /// The bytes that it occupies.
    pub bytes: i64,
    /// The alignment of its first byte, a power of two.
    pub alignment: i64,
    /// Whether an mbarrier is made in it, which lives until the kernel ends.
    pub holds_mbarrier: bool,
}

/// Which buffers are live simultaneously.
pub struct Live {
    /// The interference graph: buffers by their numbers, with an edge where two must not share a byte.
    pub apart: UnGraph<(), ()>,
    /// The set of simultaneously live buffers with the most bytes.
    pub most: Vec<usize>,
    /// The operation at which they are live.
    pub at: Option<usize>,
}

impl Live {
    /// No buffer is ever live.
    fn nowhere(buffers: &[SharedBuffer]) -> Self {
        let mut apart = UnGraph::default();
        for _ in buffers {
            apart.add_node(());
        }
        Live { apart, most: Vec::new(), at: None }
    }

    /// All buffers are live throughout.
    pub fn all(buffers: &[SharedBuffer]) -> Self {
        let mut live = Live::nowhere(buffers);
        live.most = (0..buffers.len()).collect();
        live.join(&(0..buffers.len()).collect());
        live
    }

    /// The liveness of buffers in a program.
    pub fn of(program: &SyncProgram, buffers: &[SharedBuffer]) -> Self {
        let mut live = Live::nowhere(buffers);
        let liveness = Liveness::new(program, buffers);
        let sets = liveness.sets();
        for (at, set) in sets.iter().enumerate() {
            live.join(set);
            live.weigh(set, buffers, Some(at));
        }
        for (branch, inside) in liveness.flow.inside.iter().enumerate() {
            if !liveness.flow.together[branch] {
                let handed = liveness.handed(branch);
                live.at_once(&sets, buffers, inside, |buffer| !handed.contains_key(&buffer));
                for arm in inside.iter().filter_map(|&op| liveness.arm(op, branch)).collect::<BTreeSet<_>>() {
                    let ops: Vec<usize> =
                        inside.iter().copied().filter(|&op| liveness.arm(op, branch) == Some(arm)).collect();
                    live.at_once(&sets, buffers, &ops, |buffer| handed.get(&buffer) != Some(&arm));
                }
            }
        }
        // Threads that go round a loop differently may be anywhere in it at the same time.
        for (number, repeated) in program.loops.iter().enumerate() {
            if repeated.rounds.together() < Together::Block {
                let inside = (0..program.ops.len()).filter(|&op| liveness.flow.around[op].contains(&number));
                live.at_once(&sets, buffers, &inside.collect::<Vec<_>>(), |_| true);
            }
        }
        live.separate(program, &liveness.buffer);
        live
    }

    /// Joins those buffers that are live at any of some operations.
    fn at_once(&mut self, sets: &[Set], buffers: &[SharedBuffer], ops: &[usize], is_joined: impl Fn(usize) -> bool) {
        let mut all = Set::new(buffers.len());
        for &op in ops {
            sets[op].iter().filter(|buffer| is_joined(*buffer)).for_each(|buffer| all.insert(buffer));
        }
        self.join(&all);
        self.weigh(&all, buffers, ops.first().copied());
    }

    /// Adds edges between buffers that disjoint sets of threads use, since they may do so at the same time.
    fn separate(&mut self, program: &SyncProgram, buffer: &HashMap<usize, usize>) {
        let mut users = vec![ThreadSet::new(); self.apart.node_count()];
        for op in &program.ops {
            for access in &op.accesses {
                if let Some(&buffer) = buffer.get(&program.object_of(access)) {
                    users[buffer] = users[buffer].union(&op.issuing_threads(access));
                }
            }
        }
        for a in 0..users.len() {
            let others = (a + 1..users.len()).filter(|&b| users[a].intersect(&users[b]).is_empty());
            others.for_each(|b| self.edge(a, b));
        }
    }

    fn edge(&mut self, a: usize, b: usize) {
        self.apart.update_edge(NodeIndex::new(a), NodeIndex::new(b), ());
    }

    fn join(&mut self, set: &Set) {
        let members: Vec<usize> = set.iter().collect();
        for (number, &a) in members.iter().enumerate() {
            members[number + 1..].iter().for_each(|&b| self.edge(a, b));
        }
    }

    fn weigh(&mut self, set: &Set, buffers: &[SharedBuffer], at: Option<usize>) {
        let bytes = |members: &mut dyn Iterator<Item = usize>| members.map(|buffer| buffers[buffer].bytes).sum::<i64>();
        if bytes(&mut set.iter()) > bytes(&mut self.most.iter().copied()) {
            (self.most, self.at) = (set.iter().collect(), at);
        }
    }
}

/// The dataflow analysis of a program's buffers.
struct Liveness<'p> {
    program: &'p SyncProgram,
    buffers: &'p [SharedBuffer],
    flow: Flow<'p>,
    /// The buffer of each object.
    buffer: HashMap<usize, usize>,
    /// The buffers that copies in flight access until a wait for an mbarrier.
    in_flight: HashMap<MbarrierWait, Vec<usize>>,
}

/// What a wait for an mbarrier waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum MbarrierWait {
    /// A phase, by its number.
    Phase(usize),
    /// A phase of an mbarrier in this object.
    Object(usize),
}

impl MbarrierWait {
    /// What completes an access of an operation, if an mbarrier does.
    fn completing(program: &SyncProgram, access: &Access, op: &Op) -> Option<Self> {
        match access.completion {
            Completion::Phase(phase) => Some(MbarrierWait::Phase(phase)),
            Completion::Arrival(number) => {
                let mut mbarriers = op.effects.iter().filter_map(|effect| match effect {
                    Effect::Mbarrier(mbarrier) => Some(mbarrier),
                    _ => None,
                });
                mbarriers.nth(number).map(|mbarrier| MbarrierWait::Object(program.in_any_block(mbarrier.object)))
            }
            _ => None,
        }
    }

    /// What an effect waits for.
    fn waits(effect: &Effect) -> Vec<Self> {
        match effect {
            Effect::PhaseWait(phases) => phases.iter().map(|&phase| MbarrierWait::Phase(phase)).collect(),
            Effect::Mbarrier(mbarrier) if matches!(mbarrier.act, Act::Wait { .. }) => {
                vec![MbarrierWait::Object(mbarrier.object)]
            }
            _ => Vec::new(),
        }
    }
}

impl<'p> Liveness<'p> {
    fn new(program: &'p SyncProgram, buffers: &'p [SharedBuffer]) -> Self {
        let buffer: HashMap<_, _> =
            buffers.iter().enumerate().map(|(number, buffer)| (buffer.object, number)).collect();
        let mut in_flight: HashMap<_, Vec<usize>> = HashMap::new();
        for op in &program.ops {
            for access in &op.accesses {
                let buffer = buffer.get(&program.object_of(access));
                if let Some((&buffer, wait)) = buffer.zip(MbarrierWait::completing(program, access, op)) {
                    in_flight.entry(wait).or_default().push(buffer);
                }
            }
        }
        Liveness { program, buffers, flow: Flow::new(program), buffer, in_flight }
    }

    fn accesses<'a>(&'a self, op: &'a Op) -> impl Iterator<Item = (usize, &'a Access)> {
        let buffer = |access| self.buffer.get(&self.program.object_of(access)).copied();
        op.accesses.iter().filter_map(move |access| Some((buffer(access)?, access)))
    }

    /// The arm of a branch that an operation is in.
    fn arm(&self, op: usize, branch: usize) -> Option<usize> {
        self.flow.arms[op].iter().find(|(number, _)| *number == branch).map(|(_, arm)| *arm)
    }

    /// The buffers that copies of other arms of a branch fill for one of its arms, which waits for these copies; and that arm.
    fn handed(&self, branch: usize) -> HashMap<usize, usize> {
        let inside = &self.flow.inside[branch];
        let mut waiting: HashMap<usize, BTreeSet<usize>> = HashMap::new();
        for &op in inside {
            let waits = self.program.ops[op].effects.iter().flat_map(MbarrierWait::waits);
            for &buffer in waits.filter_map(|wait| self.in_flight.get(&wait)).flatten() {
                waiting.entry(buffer).or_default().extend(self.arm(op, branch));
            }
        }
        let is_handed_to = |buffer: usize, to: usize| {
            inside.iter().filter(|&&op| self.arm(op, branch) != Some(to)).all(|&op| {
                let op = &self.program.ops[op];
                let mut accesses = self.accesses(op).filter(|(touched, _)| *touched == buffer);
                accesses.all(|(_, access)| access.write && MbarrierWait::completing(self.program, access, op).is_some())
            })
        };
        let arms = waiting.into_iter().filter(|(_, arms)| arms.len() == 1);
        let handed = arms.filter_map(|(buffer, arms)| Some((buffer, *arms.first()?)));
        handed.filter(|&(buffer, to)| is_handed_to(buffer, to)).collect()
    }

    /// For each operation, the buffers that another arm may fill for its arm before it.
    fn filled_beside(&self) -> Vec<Vec<usize>> {
        let mut filled = vec![Vec::new(); self.program.ops.len()];
        let branches = (0..self.flow.inside.len()).filter(|&branch| !self.flow.together[branch]);
        for branch in branches {
            for (buffer, to) in self.handed(branch) {
                let ops = self.flow.inside[branch].iter().filter(|&&op| self.arm(op, branch) == Some(to));
                ops.for_each(|&op| filled[op].push(buffer));
            }
        }
        filled
    }

    /// The buffers that are live at each operation.
    fn sets(&self) -> Vec<Set> {
        let nothing = || Set::new(self.buffers.len());
        let reached = self.settled(Direction::Outgoing, |op, set| {
            self.accesses(op).for_each(|(buffer, _)| set.insert(buffer));
        });
        let needed = self.settled(Direction::Incoming, |op, set| self.before(op, set));
        let mut mbarriers = nothing();
        let with_mbarriers = self.buffers.iter().enumerate().filter(|(_, buffer)| buffer.holds_mbarrier);
        with_mbarriers.for_each(|(buffer, _)| mbarriers.insert(buffer));
        let filled_beside = self.filled_beside();
        let mut sets = vec![nothing(); self.program.ops.len()];
        for node in self.flow.graph.node_indices() {
            let Node::Ops(ops) = &self.flow.graph[node] else { continue };
            let mut after = needed[node.index()].clone();
            for &op in ops.iter().rev() {
                sets[op].add(&after);
                self.before(&self.program.ops[op], &mut after);
                sets[op].add(&after);
                sets[op].add(&mbarriers);
            }
            let mut before = reached[node.index()].clone();
            for &op in ops {
                self.accesses(&self.program.ops[op]).for_each(|(buffer, _)| before.insert(buffer));
                filled_beside[op].iter().for_each(|&buffer| before.insert(buffer));
                sets[op].keep(&before);
                self.accesses(&self.program.ops[op]).for_each(|(buffer, _)| sets[op].insert(buffer));
            }
        }
        sets
    }

    /// Turns the buffers needed after an operation into those needed before it.
    fn before(&self, op: &Op, needed: &mut Set) {
        let waits = op.effects.iter().flat_map(MbarrierWait::waits);
        waits.filter_map(|wait| self.in_flight.get(&wait)).flatten().for_each(|&buffer| needed.insert(buffer));
        for (buffer, access) in self.accesses(op) {
            if access.write && !access.atomic && self.fills(access, buffer) {
                needed.remove(buffer);
            }
        }
        for (buffer, access) in self.accesses(op) {
            if !access.write || access.atomic {
                needed.insert(buffer);
            }
        }
    }

    /// Whether an access covers all used bytes of a buffer.
    fn fills(&self, access: &Access, buffer: usize) -> bool {
        let Some(bytes) = access.bytes.as_ref().filter(|_| access.shift == Default::default()) else { return false };
        let mut end = 0;
        for segment in bytes.segments() {
            if segment.begin > end {
                return false;
            }
            end = end.max(segment.end);
        }
        end >= self.buffers[buffer].used
    }

    /// Solves the dataflow in one direction: the set that reaches each node, before its operations are applied.
    fn settled(&self, towards: Direction, through: impl Fn(&Op, &mut Set)) -> Vec<Set> {
        let graph: &DiGraph<Node, EdgeKind> = &self.flow.graph;
        let mut come = vec![Set::new(self.buffers.len()); graph.node_count()];
        let mut waiting: Vec<NodeIndex> = graph.node_indices().collect();
        if towards == Direction::Outgoing {
            waiting.reverse();
        }
        while let Some(node) = waiting.pop() {
            let mut set = come[node.index()].clone();
            if let Node::Ops(ops) = &graph[node] {
                let ops: Vec<usize> = match towards {
                    Direction::Outgoing => ops.clone(),
                    Direction::Incoming => ops.iter().rev().copied().collect(),
                };
                ops.into_iter().for_each(|op| through(&self.program.ops[op], &mut set));
            }
            for next in graph.neighbors_directed(node, towards) {
                if come[next.index()].add(&set) {
                    waiting.push(next);
                }
            }
        }
        come
    }
}
