//! Builds the graph from the recorded events.
//!
//! Every edge leads from an older node to a newer one, so that the nodes are in topological order.

mod copies;
mod order;

use std::collections::{BTreeMap, HashMap};

use petgraph::graph::{DiGraph, NodeIndex};

use crate::check::{CopyKind, Event, Hub, Note, Originator, SHARED, Strength, Threads, Touch, inclusive};
use crate::code::Scope;

/// The graph, and the nodes that contain accesses, by number; the numbers are the same in all graphs of one history.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: DiGraph<Node, ()>,
    pub(crate) places: Vec<NodeIndex>,
    /// The start node of each block, which precedes all its threads, and its end node, which follows them.
    pub(crate) starts: BTreeMap<u32, NodeNumber>,
    pub(crate) ends: BTreeMap<u32, NodeNumber>,
}

/// The kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Node {
    #[default]
    Plain,
    /// A proxy fence.
    Proxy,
}

/// An access and its nodes in the graph.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) touch: Touch,
    /// Index of the instruction.
    pub(crate) at: u32,
    /// The nodes to connect if it is the first access of a pair (`source`) and the second (`target`). They differ for
    /// copies, which do not carry the order before them on to later accesses.
    pub(crate) source: u32,
    pub(crate) target: u32,
    /// The thread, or the one that issued the copy.
    pub(crate) thread: Id,
    /// The copy's number, and whether a block must be known not to have ended for this access (a thread's own
    /// `cp.async` need not be waited for).
    pub(crate) copy: Option<u32>,
    pub(crate) outlives: bool,
}

/// Block, warp and lane.
pub(crate) type Id = (u32, u32, u8);

/// The number of a node in [`Graph::places`].
pub(crate) type NodeNumber = u32;

/// The state of one thread.
#[derive(Debug)]
struct Thread {
    now: NodeNumber,
    /// Whether it has accessed anything since the start of its current node.
    used: bool,
    /// `cp.async` copies without a group, and the groups.
    open: Vec<NodeIndex>,
    groups: Vec<NodeIndex>,
    /// Bulk copies without a group, and the groups: their reads and their writes.
    bulk: [Vec<NodeIndex>; 2],
    bulk_groups: Vec<[NodeIndex; 2]>,
    stores: Vec<NodeIndex>,
    loads: Vec<NodeIndex>,
    tmem_copies: Vec<NodeIndex>,
    /// Products without a group, and the groups.
    products: Vec<NodeIndex>,
    product_groups: Vec<NodeIndex>,
    /// The last group that was waited for.
    done_products: Option<NodeIndex>,
    /// The copies that the phases of mbarriers completed which were waited for.
    done_copies: HashMap<(Hub, u32), NodeIndex>,
    /// The nodes of release fences, by scope.
    released: [Option<NodeIndex>; 4],
    /// The releases that relaxed reads have observed: from this block, its cluster, and beyond.
    observed: [Vec<NodeIndex>; 3],
}

/// A release that a word or a barrier carries.
#[derive(Debug, Clone, Copy)]
struct Release {
    block: u32,
    scope: Scope,
    node: NodeIndex,
    /// Whether it stands for accesses of a copy, and not for what a thread has done.
    is_copy: bool,
}

/// Rounds of one barrier, each of which is ordered after the earlier ones.
#[derive(Debug, Default)]
struct Rounds {
    arrivals: Vec<(u32, Release)>,
    /// The last completed round, and what it and the earlier ones release.
    last: Option<(u32, Vec<Release>)>,
}

/// The copy that accesses belong to.
#[derive(Debug, Clone, Copy)]
struct Current {
    thread: Id,
    number: u32,
    kind: CopyKind,
    before: NodeNumber,
    read: NodeNumber,
    write: NodeNumber,
}

/// What a copy or a delivery brings to an mbarrier: accesses, to all threads that wait for it, and the knowledge of the
/// issuer, to those in a scope.
#[derive(Debug, Clone, Default)]
struct Delivery {
    accesses: Vec<NodeIndex>,
    issuer: Option<Release>,
}

/// Builds a graph.
pub(crate) struct Build<'s> {
    ranks: u32,
    /// Instructions that order nothing.
    skip: &'s dyn Fn(u32) -> bool,
    graph: Graph,
    threads: HashMap<Id, Thread>,
    words: HashMap<(u64, u64), Vec<Release>>,
    rounds: HashMap<(Hub, u32), Rounds>,
    numbers: HashMap<u32, Delivery>,
    current: Option<Current>,
}

impl<'s> Build<'s> {
    pub(crate) fn new(ranks: u32, skip: &'s dyn Fn(u32) -> bool) -> Self {
        let (graph, current) = (Graph::default(), None);
        let (threads, words, rounds, numbers) = Default::default();
        Build { ranks: ranks.max(1), skip, graph, threads, words, rounds, numbers, current }
    }

    /// Builds the graph; `see` is called with each access.
    pub(crate) fn run(mut self, notes: &[Note], see: &mut dyn FnMut(Placed)) -> Graph {
        for &(at, event) in notes {
            match event {
                Event::Touch(touch) => self.touch(at, touch, see),
                event => {
                    let counts = !(self.skip)(at);
                    self.event(event, counts);
                }
            }
        }
        self.end();
        self.graph
    }

    /// A block ends with the last of its threads: its memory exists for every access that is ordered before some
    /// thread's exit.
    fn end(&mut self) {
        let mut blocks: BTreeMap<u32, Vec<NodeIndex>> = BTreeMap::new();
        for (id, thread) in &self.threads {
            blocks.entry(id.0).or_default().push(self.graph.places[thread.now as usize]);
        }
        for (block, threads) in blocks {
            let end = self.place();
            let node = self.graph.places[end as usize];
            threads.into_iter().for_each(|thread| self.edge(thread, node));
            self.graph.ends.insert(block, end);
        }
    }

    fn event(&mut self, event: Event, counts: bool) {
        match event {
            Event::Touch(_) => {}
            Event::Meet(threads) => self.meet(threads, counts),
            Event::Arrive(threads, hub, scope) => ids(threads).for_each(|id| {
                let node = self.now(id);
                if counts {
                    self.arrive(hub, Release { block: id.0, scope, node, is_copy: false });
                } else {
                    self.arrive_relaxed(hub, id);
                }
                self.next(id);
            }),
            Event::ArriveRelaxed(threads, hub) if counts => ids(threads).for_each(|id| self.arrive_relaxed(hub, id)),
            Event::ArriveRelaxed(..) => {}
            Event::Leave(threads, hub, scope) => {
                let (all, ranks) = (self.hub(hub), self.ranks);
                let seen = all.iter().filter(|by| inclusive((by.block, by.scope), (threads.block, scope), ranks));
                let seen: Vec<Release> = seen.copied().collect();
                let nodes: Vec<NodeIndex> = seen.iter().map(|release| release.node).collect();
                let copies = seen.iter().find(|copy| copy.is_copy && counts).map(|copy| (rounds_of(hub).0, copy.node));
                for id in ids(threads) {
                    self.learn(id, &nodes, counts);
                    self.thread(id).done_copies.extend(copies);
                }
            }
            Event::Fence { threads, scope, acquire, release } => {
                ids(threads).for_each(|id| self.fence(id, scope, acquire, release, counts));
            }
            Event::ProxyFence(threads) => ids(threads).for_each(|id| {
                let (before, fence) = (self.now(id), self.node(if counts { Node::Proxy } else { Node::Plain }));
                self.edge(before, fence);
                self.next(id);
                let after = self.now(id);
                self.edge(fence, after);
            }),
            Event::Observe { threads, word, scope, acquire } => {
                ids(threads).for_each(|id| self.observe(id, word, scope, acquire && counts));
            }
            Event::Release { threads, word, scope, release, carries } => {
                ids(threads).for_each(|id| self.release(id, word, scope, release && counts, carries));
            }
            Event::Copy { threads, number, kind } => ids(threads).for_each(|id| self.copy(id, number, kind)),
            Event::Commit(threads) if counts => ids(threads).for_each(|id| self.commit(id)),
            Event::BulkCommit(threads) if counts => ids(threads).for_each(|id| self.bulk_commit(id)),
            Event::Commit(_) | Event::BulkCommit(_) => {}
            Event::Wait(threads, pending) => ids(threads).for_each(|id| self.wait(id, pending, counts)),
            Event::BulkWait { threads, pending, read } => {
                ids(threads).for_each(|id| self.bulk_wait(id, pending, read, counts));
            }
            Event::TensorWait(threads, kind) => self.tensor_wait(threads, kind, counts),
            Event::ProductCommit(threads) if counts => self.product_commit(threads),
            Event::ProductCommit(_) => {}
            Event::ProductWait(threads, pending) => self.product_wait(threads, pending, counts),
            Event::Deliver { threads, number, kind } => {
                ids(threads).for_each(|id| self.deliver(id, number, kind, counts));
            }
            Event::Delivered { number, hub } => {
                let Delivery { accesses, issuer } = self.numbers.get(&number).cloned().unwrap_or_default();
                let block = hub.block();
                let accesses =
                    accesses.into_iter().map(|node| Release { block, scope: Scope::Cta, node, is_copy: true });
                accesses.chain(issuer).filter(|_| counts).for_each(|release| self.arrive(hub, release));
            }
        }
    }

    /// A relaxed arrival at the barrier of the cluster: it carries the releases of earlier fences, that its block has
    /// started, and what is complete, as the thread has waited for it: products and copies. One that is removed altogether is a fault, so nothing has to be said of it.
    fn arrive_relaxed(&mut self, hub: Hub, id: Id) {
        if !matches!(hub, Hub::Cluster { .. }) {
            return;
        }
        let thread = self.thread(id);
        let prepared = thread.released;
        let complete: Vec<NodeIndex> = thread.done_copies.values().copied().chain(thread.done_products).collect();
        let start = self.graph.starts.get(&id.0).map(|&start| self.graph.places[start as usize]);
        for node in prepared[Scope::Cluster as usize..].iter().copied().flatten().chain(start).chain(complete) {
            self.arrive(hub, Release { block: id.0, scope: Scope::Cluster, node, is_copy: false });
        }
    }

    fn touch(&mut self, at: u32, touch: Touch, see: &mut dyn FnMut(Placed)) {
        match (touch.by, self.current) {
            (Originator::Thread(warp), _) => {
                let id = (touch.block, warp, touch.lane);
                let thread = self.thread(id);
                thread.used = true;
                let place = thread.now;
                see(Placed {
                    touch,
                    at,
                    source: place,
                    target: place,
                    thread: id,
                    copy: None,
                    outlives: touch.memory != shared_of(touch.block),
                });
                if touch.write && touch.strength == Strength::WEAK && !self.words.is_empty() {
                    for offset in touch.offset..touch.offset + touch.bytes {
                        self.words.remove(&(touch.memory, offset));
                    }
                }
            }
            (Originator::Copy, Some(copy)) => {
                let source = if touch.write { copy.write } else { copy.read };
                let (target, thread) = (copy.before, copy.thread);
                let outlives = touch.memory != shared_of(thread.0) || copy.kind != CopyKind::Async;
                see(Placed { touch, at, source, target, thread, copy: Some(copy.number), outlives });
            }
            (Originator::Copy, None) => {}
        }
    }

    fn node(&mut self, node: Node) -> NodeIndex {
        self.graph.nodes.add_node(node)
    }

    fn edge(&mut self, from: NodeIndex, to: NodeIndex) {
        assert!(from < to, "{from:?} is before {to:?}");
        self.graph.nodes.add_edge(from, to, ());
    }

    /// A new node that contains accesses.
    fn place(&mut self) -> NodeNumber {
        let node = self.node(Node::Plain);
        self.graph.places.push(node);
        self.graph.places.len() as NodeNumber - 1
    }

    fn thread(&mut self, id: Id) -> &mut Thread {
        if !self.threads.contains_key(&id) {
            let start = match self.graph.starts.get(&id.0) {
                Some(&start) => start,
                None => self.place(),
            };
            self.graph.starts.insert(id.0, start);
            let now = self.place();
            self.edge(self.graph.places[start as usize], self.graph.places[now as usize]);
            self.threads.insert(id, Thread::at(now));
        }
        self.threads.get_mut(&id).expect("it has just been made")
    }

    /// The current node of a thread.
    fn now(&mut self, id: Id) -> NodeIndex {
        let now = self.thread(id).now;
        self.graph.places[now as usize]
    }

    /// Starts a new node of a thread.
    fn next(&mut self, id: Id) {
        let (before, place) = (self.now(id), self.place());
        self.edge(before, self.graph.places[place as usize]);
        let thread = self.thread(id);
        (thread.now, thread.used) = (place, false);
    }

    /// Orders a thread after `nodes`, by starting a new node that follows them.
    fn learn(&mut self, id: Id, nodes: &[NodeIndex], counts: bool) {
        self.next(id);
        let now = self.now(id);
        nodes.iter().filter(|_| counts).for_each(|&node| self.edge(node, now));
    }

    /// A new node that follows `nodes`.
    fn gather(&mut self, nodes: &[NodeIndex]) -> NodeIndex {
        let gathered = self.node(Node::Plain);
        nodes.iter().for_each(|&node| self.edge(node, gathered));
        gathered
    }
}

impl Thread {
    fn at(now: NodeNumber) -> Self {
        let (open, groups, bulk, bulk_groups, stores, loads, tmem_copies) = Default::default();
        let (products, product_groups, done_products, done_copies, released, observed) = Default::default();
        let used = false;
        Thread {
            now,
            used,
            open,
            groups,
            bulk,
            bulk_groups,
            stores,
            loads,
            tmem_copies,
            products,
            product_groups,
            done_products,
            done_copies,
            released,
            observed,
        }
    }
}

/// Scopes from narrow to wide, as an index.
const SCOPES: [Scope; 4] = [Scope::Cta, Scope::Cluster, Scope::Gpu, Scope::Sys];

/// The shared memory of a block.
fn shared_of(block: u32) -> u64 {
    SHARED | u64::from(block)
}

/// The individual threads.
fn ids(threads: Threads) -> impl Iterator<Item = Id> {
    let Threads { block, warp, lanes } = threads;
    (0..32).filter(move |lane| lanes >> lane & 1 == 1).map(move |lane| (block, warp, lane))
}

/// The key of the rounds that are ordered after each other, and the number of this round among them.
fn rounds_of(hub: Hub) -> ((Hub, u32), u32) {
    match hub {
        Hub::Block { .. } => ((hub, 0), 0),
        Hub::Cluster { cluster, round } => ((Hub::Cluster { cluster, round: 0 }, 0), round),
        // Each object's times start at a separate multiple of 2^20.
        Hub::Phase { agents, lane, time } => ((Hub::Phase { agents, lane, time: 0 }, time >> 20), time),
    }
}
