//! The forward walk from one access: its ordering state ([`Observers`]) at every program point that control may reach after
//! it.
//!
//! States are propagated along the edges of the control flow graph, as in a dataflow analysis, and met where paths
//! join. The iterations of one loop may be counted, so that the states of different iterations stay separate. A walk
//! stops early once all threads know the access that need to.

use std::collections::BTreeSet;

use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use rustc_hash::FxHashMap;

use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::sync::access::{Access, Completion};
use crate::sync::conflicts::{ConflictTable, Needed};
use crate::sync::flow::{EdgeKind, Flow, Node};
use crate::sync::groups::bits;
use crate::sync::known::Observers;

/// The iterations of the counted loop since the access, and a node.
type At = (usize, NodeIndex);

/// The iterations that a walk follows: those of one counted loop, while the loops around it stay in one iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// The number of loops around the access, outermost first, that the walk does not leave. All but the counted one
    /// also stay in one iteration.
    pub depth: usize,
    /// The loop that is counted, by its number: the innermost of those, or one that is entered after the access.
    pub counted: Option<usize>,
    /// The largest count, which stands for all larger ones.
    pub most: usize,
}

/// A callback for an operation that may touch the same memory, with the iterations counted since the access and its
/// state; returns whether to continue.
pub type Visit<'v> = dyn FnMut(usize, usize, &Observers) -> bool + 'v;

/// The callback of a walk, and whether the walk goes on.
struct Watch<'w, 'v> {
    visit: &'w mut Visit<'v>,
    /// Whether the callback wants to be called again.
    on: bool,
    /// Whether the walk goes on without it.
    records: bool,
}

impl Watch<'_, '_> {
    /// Calls the callback, if it wants to be called; returns whether the walk goes on.
    fn visit(&mut self, op: usize, times: usize, known: &Observers) -> bool {
        self.on = self.on && (self.visit)(op, times, known);
        self.goes_on()
    }

    fn goes_on(&self) -> bool {
        self.on || self.records
    }
}

/// A walk along all paths from one access.
pub struct Walk<'w, 'p> {
    flow: &'w Flow<'p>,
    table: &'w ConflictTable,
    op: usize,
    access: &'w Access,
    needed: &'w Needed,
    round: Round,
    issuers: ThreadSet,
    states: FxHashMap<At, Observers>,
    /// The state at the end of each arm, by its join.
    arrived: FxHashMap<(At, usize), Observers>,
    /// The operations whose synchronizing effects were applied on some path.
    pub passed: Vec<usize>,
    /// The loops whose [`Entry`] is recorded.
    entered: &'w [usize],
    /// The states on entering these loops.
    pub entries: FxHashMap<usize, Entry>,
}

/// The state on entering a loop that does not contain the access, before its first iteration.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The node at which the body begins.
    head: NodeIndex,
    known: Observers,
}

impl<'w, 'p> Walk<'w, 'p> {
    /// A walk from an access of an operation; `needed` says which groups have to know it.
    pub fn new(
        flow: &'w Flow<'p>,
        table: &'w ConflictTable,
        (first, access): ((usize, usize), &'w Access),
        needed: &'w Needed,
        round: Round,
        entered: &'w [usize],
    ) -> Self {
        let issuers = *table.issuing_threads(first);
        let (states, arrived, passed) = (FxHashMap::default(), FxHashMap::default(), Vec::new());
        let entries = FxHashMap::default();
        Walk { flow, table, op: first.0, access, needed, round, issuers, states, arrived, passed, entered, entries }
    }

    /// Calls `visit` for each operation after the access that may touch the same memory, with the iterations of the
    /// counted loop since the access and the access's state there, until all groups that have to know the access do.
    /// Once `visit` returns `false`, the walk ends, or goes on without it to record states on entering loops.
    pub fn follow(&mut self, visit: &mut Visit<'_>) {
        let mut known = Observers::new(self.access);
        let (node, at) = self.flow.place[self.op];
        known.after(&self.flow.does[self.op], self.access, &self.issuers, &self.flow.groups);
        let mut watch = Watch { visit, on: true, records: !self.entered.is_empty() };
        let mut waiting = BTreeSet::new();
        if !self.is_settled(&known)
            && self.through((0, node), at + 1, &mut known, &mut |op, times, known| watch.visit(op, times, known))
        {
            waiting.extend(self.leave((0, node), &known));
        }
        self.run(waiting, &mut watch);
    }

    /// The same for the operations of a loop that does not contain the access, from its entry on.
    pub fn follow_inside(&mut self, entry: &Entry, visit: &mut Visit<'_>) {
        self.states.insert((0, entry.head), entry.known.clone());
        self.run(BTreeSet::from([(entry.head, 0)]), &mut Watch { visit, on: true, records: false });
    }

    /// Follows the paths from nodes whose states have changed.
    fn run(&mut self, mut waiting: BTreeSet<(NodeIndex, usize)>, watch: &mut Watch<'_, '_>) {
        // Nodes that were reached but not visited yet, by the node after which their state is final.
        let mut open: BTreeSet<(NodeIndex, At)> = BTreeSet::new();
        while watch.goes_on() {
            // The state of a node is final once no waiting node leads back to it.
            let next = waiting.first().copied();
            while let Some(&(until, at)) = open.first() {
                if next.is_some_and(|(node, _)| node <= until) {
                    break;
                }
                open.pop_first();
                let mut known = self.states[&at].clone();
                self.through(at, 0, &mut known, &mut |op, times, known| watch.visit(op, times, known));
                if !watch.goes_on() {
                    return;
                }
            }
            let Some((node, times)) = waiting.pop_first() else { return };
            let at = (times, node);
            open.insert((self.flow.until.get(&node).copied().unwrap_or(node), at));
            let mut known = self.states[&at].clone();
            if self.through(at, 0, &mut known, &mut |_, _, _| true) {
                waiting.extend(self.leave(at, &known));
            }
        }
    }

    /// Visits and applies the operations of a node, from position `from` on; returns `false` once all groups that have
    /// to know the access do, or `visit` stops.
    fn through(&mut self, (times, node): At, from: usize, known: &mut Observers, visit: &mut Visit<'_>) -> bool {
        if self.is_settled(known) {
            return false;
        }
        let flow = self.flow;
        let begins = |list: &[(usize, usize)]| list.partition_point(|(at, _)| *at < from);
        let orders = flow.orders.get(&node).map_or(&[][..], |list| &list[begins(list)..]);
        let met = self.table.at(self.access.object, node);
        let (mut orders, mut met) = (orders.iter().peekable(), met[begins(met)..].iter().peekable());
        let end = flow.program.end.filter(|&end| flow.place[end].0 == node && flow.place[end].1 >= from);
        loop {
            let order = orders.peek().map_or(usize::MAX, |(at, _)| *at);
            match met.next_if(|(at, _)| *at <= order) {
                Some(&(_, op)) if !visit(op, times, known) => return false,
                Some(_) => continue,
                None => {}
            }
            let Some(&(_, op)) = orders.next() else { break };
            known.after(&flow.does[op], self.access, &self.issuers, &flow.groups);
            self.passed.push(op);
            if self.is_settled(known) {
                return false;
            }
        }
        end.is_none_or(|end| visit(end, times, known))
    }

    /// Whether the access is complete, and known to all groups that have to know it.
    fn is_settled(&self, known: &Observers) -> bool {
        let warps = self.issuers.warps();
        let done = self.access.completion == Completion::Now
            || bits(warps).all(|warp| known.own_seen >> warp & 1 == 1 || known.rows[warp] != 0);
        done && bits(warps).all(|warp| {
            self.needed.rows[warp] & !known.rows[warp] == 0 && self.needed.fenced[warp] & !known.fenced[warp] == 0
        })
    }

    /// Propagates the state after a node along its outgoing edges; returns the nodes whose state has changed.
    fn leave(&mut self, (times, node): At, known: &Observers) -> Vec<(NodeIndex, usize)> {
        let edges: Vec<_> = self.flow.graph.edges_directed(node, Direction::Outgoing).collect();
        edges
            .into_iter()
            .filter_map(|edge| {
                let at = (self.times(times, *edge.weight())?, edge.target());
                self.enter(at, *edge.weight(), known);
                let known = match (&self.flow.graph[at.1], *edge.weight()) {
                    (Node::Join(threads), EdgeKind::Arm(arm)) => self.join(at, arm, threads, known),
                    _ => known.clone(),
                };
                self.merge(at, known).then_some((at.1, at.0))
            })
            .collect()
    }

    /// The iterations of the counted loop after an edge; `None` where the walk does not follow the edge.
    fn times(&self, times: usize, edge: EdgeKind) -> Option<usize> {
        let around = &self.flow.around[self.op];
        let fixed = &around[..self.round.depth];
        match edge {
            EdgeKind::Back(number) if self.round.counted == Some(number) => Some((times + 1).min(self.round.most)),
            // A walk that counts a loop around which the access is not ends with that loop.
            EdgeKind::Out(number) if self.round.counted == Some(number) => None,
            EdgeKind::Back(number) | EdgeKind::Out(number) if fixed.contains(&number) => {
                // The walk stays in the loops that stand still. Walks with a smaller depth cover what comes after them.
                None
            }
            _ => Some(times),
        }
    }

    /// Records the state on entering a loop.
    fn enter(&mut self, (times, head): At, edge: EdgeKind, known: &Observers) {
        let number = self.flow.heads.get(&head).filter(|number| self.entered.contains(number));
        if let Some(&number) = number.filter(|_| times == 0 && edge == EdgeKind::On) {
            self.entries.insert(number, Entry { head, known: known.clone() });
        }
    }

    fn merge(&mut self, at: At, known: Observers) -> bool {
        match self.states.get_mut(&at) {
            None => {
                self.states.insert(at, known);
                true
            }
            Some(state) => {
                let before = state.clone();
                state.meet(&known);
                *state != before
            }
        }
    }

    /// The state after a branch: each thread came through its own arm.
    fn join(&mut self, at: At, arm: usize, threads: &[ThreadSet], known: &Observers) -> Observers {
        self.arrived.insert((at, arm), known.clone());
        let number = self.flow.joins[&at.1];
        let inside = self.flow.arms[self.op].iter().find(|(branch, _)| *branch == number).map(|(_, arm)| *arm);
        let nothing = Observers::nothing();
        let of_arm = |arm: usize| match self.arrived.get(&(at, arm)) {
            Some(known) => known.clone(),
            // In the iteration of the access, no path from it leads through another arm: threads there know nothing.
            None if inside.is_some_and(|inside| inside != arm) && at.0 == 0 => nothing.clone(),
            None => Observers::top(),
        };
        let arms: Vec<Observers> = (0..threads.len()).map(of_arm).collect();
        self.columns(&arms, threads)
    }

    fn columns(&self, arms: &[Observers], threads: &[ThreadSet]) -> Observers {
        let mut joined = Observers::top();
        // Warps that do not exist know nothing.
        let all = self.flow.groups.meeting(&self.flow.program.block);
        (joined.rows, joined.fenced, joined.sent) = ([all; MAX_WARPS], [all; MAX_WARPS], [all; MAX_WARPS]);
        for warp in bits(self.issuers.warps()) {
            let issuers = self.issuers.lanes(warp);
            // Where all issuing threads of a warp took one arm, only that arm says what they did themselves.
            let alone = threads.iter().position(|took| issuers != 0 && issuers & !took.lanes(warp) == 0);
            for (number, (arm, took)) in arms.iter().zip(threads).enumerate() {
                let met = self.flow.groups.meeting(took);
                joined.rows[warp] &= arm.rows[warp] | !met;
                joined.fenced[warp] &= arm.fenced[warp] | !met;
                joined.sent[warp] &= arm.sent[warp] | !met;
                if alone.is_none_or(|alone| alone == number) {
                    joined.commits[warp] = joined.commits[warp].min(arm.commits[warp]);
                    joined.own_seen &= arm.own_seen | !(1 << warp);
                    joined.own_fence &= arm.own_fence | !(1 << warp);
                }
            }
        }
        joined
    }
}
