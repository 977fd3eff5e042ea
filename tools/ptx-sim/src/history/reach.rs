//! Which pairs are connected: many sources at a time, one pass over the graph for each batch.

use petgraph::graph::NodeIndex;

use super::build::{Graph, Node};
use super::conflicts::Pair;

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
    // From where a node can be reached, and from where through a proxy fence.
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
