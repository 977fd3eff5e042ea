//! Pairs of accesses that need order, and the test that they are connected in the graph: for many sources at a time,
//! with one pass over the graph for each batch.

use std::collections::{BTreeMap, HashMap, HashSet};

use petgraph::graph::NodeIndex;

use super::build::{Graph, Id, Node, Placed};
use crate::check::{SHARED, Strength};

/// Two accesses of the same bytes that must be connected, by the numbers of their nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub(crate) source: u32,
    pub(crate) target: u32,
    /// The path must contain a proxy fence.
    pub(crate) proxy: bool,
    /// Indices of the instructions, for a message.
    pub(crate) at: (u32, u32),
}

/// The most pairs; a run with more is too large for the graph.
const MOST: usize = 1 << 24;

/// A class of equivalent accesses: all properties on which order depends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Record {
    source: u32,
    target: u32,
    thread: Id,
    copy: Option<u32>,
    strength: Strength,
    write: bool,
    proxy: bool,
}

/// Stands for the start or end of a block in [`Pair::at`].
const EDGE: u32 = u32::MAX;

/// All pairs, sorted by their sources; none if there are too many.
pub(crate) fn pairs(touches: &[Placed], graph: &Graph, ranks: u32) -> Option<Vec<Pair>> {
    let mut memories: BTreeMap<u64, Vec<&Placed>> = BTreeMap::new();
    touches.iter().for_each(|placed| memories.entry(placed.touch.memory).or_default().push(placed));
    let mut records = Records::default();
    let mut lists = HashSet::new();
    for touches in memories.values() {
        lists.extend(cells(touches, &mut records));
    }
    let mut all: HashMap<(u32, u32, bool), (u32, u32)> = HashMap::new();
    // Another block, or a copy, uses a block's shared memory: the block must have started and must not have ended.
    for placed in touches.iter().filter(|one| one.outlives && (SHARED..2 * SHARED).contains(&one.touch.memory)) {
        let block = (placed.touch.memory - SHARED) as u32;
        if let Some(&end) = graph.ends.get(&block) {
            all.entry((placed.source, end, false)).or_insert((placed.at, EDGE));
        }
        if let Some(&start) = graph.starts.get(&block) {
            all.entry((start, placed.target, false)).or_insert((EDGE, placed.at));
        }
    }
    for list in lists {
        for (second, &b) in list.iter().enumerate() {
            for &a in &list[..second] {
                let (first, later) = (records.all[a as usize], records.all[b as usize]);
                let key = |proxy| (first.0.source, later.0.target, proxy);
                for proxy in needs(&first.0, &later.0, ranks) {
                    all.entry(key(proxy)).or_insert((first.1, later.1));
                }
            }
        }
        if all.len() > MOST {
            return None;
        }
    }
    let pair = |((source, target, proxy), at)| Pair { source, target, proxy, at };
    let mut all: Vec<Pair> = all.into_iter().map(pair).collect();
    all.sort_unstable();
    Some(all)
}

/// Numbered records, each with its instruction.
#[derive(Debug, Default)]
struct Records {
    all: Vec<(Record, u32)>,
    numbers: HashMap<Record, u32>,
}

impl Records {
    fn number(&mut self, placed: &Placed) -> u32 {
        let &Placed { touch, at, source, target, thread, copy, .. } = placed;
        let (strength, write, proxy) = (touch.strength, touch.write, touch.proxy);
        let record = Record { source, target, thread, copy, strength, write, proxy };
        *self.numbers.entry(record).or_insert_with(|| {
            self.all.push((record, at));
            self.all.len() as u32 - 1
        })
    }
}

/// The distinct records of each byte range between two consecutive endpoints of accesses, in order.
fn cells(touches: &[&Placed], records: &mut Records) -> Vec<Vec<u32>> {
    let ends = touches.iter().flat_map(|placed| [placed.touch.offset, placed.touch.offset + placed.touch.bytes]);
    let mut ends: Vec<u64> = ends.collect();
    ends.sort_unstable();
    ends.dedup();
    let mut out: Vec<Vec<u32>> = vec![Vec::new(); ends.len()];
    for placed in touches {
        let record = records.number(placed);
        let first = ends.partition_point(|end| *end < placed.touch.offset);
        let last = ends.partition_point(|end| *end < placed.touch.offset + placed.touch.bytes);
        for list in &mut out[first..last] {
            if list.last() != Some(&record) {
                list.push(record);
            }
        }
    }
    out.retain(|list| list.len() > 1);
    out
}

/// The requirements on a pair: false for plain order, true for a path through a proxy fence.
fn needs(first: &Record, later: &Record, ranks: u32) -> impl Iterator<Item = bool> + use<> {
    // Whatever a thread does or issues is ordered after its own earlier accesses.
    let same_thread = first.thread == later.thread && first.copy.is_none();
    let one = first.copy.is_some() && first.copy == later.copy;
    let strong = first.strength.with(first.thread.0, later.strength, later.thread.0, ranks);
    let conflict = (first.write || later.write) && !one && !strong;
    let order = conflict && !same_thread;
    let proxy = conflict && later.proxy && first.write && !first.proxy;
    order.then_some(false).into_iter().chain(proxy.then_some(true))
}

/// Words of sources in a batch.
const WORDS: usize = 4;

type Bits = [u64; WORDS];

/// The first pair whose target cannot be reached from its source. The pairs are in the order of their sources.
pub(crate) fn unordered(graph: &Graph, pairs: &[Pair]) -> Option<Pair> {
    let mut rest = pairs;
    while let Some(first) = rest.first() {
        let mut sources = vec![first.source];
        let mut taken = 0;
        for pair in rest {
            if sources.last() != Some(&pair.source) {
                if sources.len() == WORDS * 64 {
                    break;
                }
                sources.push(pair.source);
            }
            taken += 1;
        }
        let (batch, left) = rest.split_at(taken);
        if let Some(pair) = batch_unordered(graph, &sources, batch) {
            return Some(pair);
        }
        rest = left;
    }
    None
}

fn batch_unordered(graph: &Graph, sources: &[u32], pairs: &[Pair]) -> Option<Pair> {
    let count = graph.nodes.node_count();
    // The sources from which a node can be reached, and those from which it can be reached through a proxy fence.
    let mut from: Vec<[Bits; 2]> = vec![[[0; WORDS]; 2]; count];
    for (number, &source) in sources.iter().enumerate() {
        from[graph.places[source as usize].index()][0][number / 64] |= 1 << (number % 64);
    }
    let start = graph.places[sources[0] as usize].index();
    for index in start..count {
        let node = NodeIndex::new(index);
        let [plain, mut fenced] = from[index];
        if graph.nodes[node] == Node::Proxy {
            fenced = plain;
            from[index][1] = plain;
        }
        if plain == [0; WORDS] {
            continue;
        }
        for next in graph.nodes.neighbors(node) {
            let there = &mut from[next.index()];
            for word in 0..WORDS {
                there[0][word] |= plain[word];
                there[1][word] |= fenced[word];
            }
        }
    }
    let mut number = 0;
    pairs.iter().copied().find(|pair| {
        while sources[number] != pair.source {
            number += 1;
        }
        let bits = &from[graph.places[pair.target as usize].index()][usize::from(pair.proxy)];
        bits[number / 64] >> (number % 64) & 1 == 0
    })
}
