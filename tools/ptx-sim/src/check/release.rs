//! The knowledge that an object of memory, a word or an mbarrier, carries from the threads that release to those that
//! acquire. The scopes of the two operations must include each other's thread (PTX ISA 8.7.1).

use std::collections::{BTreeMap, HashMap, HashSet};

use super::scopes::{WordAddress, inclusive};
use super::{Agents, Know};
use crate::code::Scope;

/// The widest difference between the blocks of a release and an acquire, as an index: the same block, the same cluster,
/// or the same GPU.
pub(crate) type Level = usize;

/// The releases that one object carries.
#[derive(Debug, Clone, Default)]
pub(crate) struct Releases {
    /// By the releasing block and the scope.
    apart: BTreeMap<(u32, Scope), Know>,
    /// All releases of the scope of the GPU or wider, so that an acquire of that scope need not visit each block's.
    wide: Know,
}

impl Releases {
    /// A release of `know` by a thread of `block`.
    pub(crate) fn add(&mut self, block: u32, scope: Scope, know: &Know) {
        self.apart.entry((block, scope)).or_default().join(know);
        if scope >= Scope::Gpu {
            self.wide.join(know);
        }
    }

    /// Notes that the lane of asynchronous agents of `block` reached `time`, for acquires in that block.
    pub(crate) fn raise(&mut self, block: u32, agents: Agents, lane: u8, time: u32) {
        self.apart.entry((block, Scope::Cta)).or_default().raise(agents, 1 << lane, time);
    }

    /// The releases that an operation of `scope` in `block` synchronizes with.
    pub(crate) fn seen(&self, block: u32, scope: Scope, cluster: u32) -> impl Iterator<Item = (Level, &Know)> {
        let first = block - block % cluster.max(1);
        let near = if scope >= Scope::Cluster { first..first + cluster.max(1) } else { block..block + 1 };
        let near = self.apart.range((near.start, Scope::Cta)..(near.end, Scope::Cta));
        let near = near.filter(move |((by, released), _)| inclusive((*by, *released), (block, scope), cluster));
        let near = near.map(move |((by, _), know)| (usize::from(*by != block), know));
        near.chain((scope >= Scope::Gpu).then_some((2, &self.wide)))
    }
}

/// All words that carry a release.
#[derive(Debug, Default)]
pub(crate) struct Locations {
    words: HashMap<WordAddress, Releases>,
    /// Blocks in a cluster.
    pub(crate) cluster: u32,
    /// The clusters that have started and not ended: no other one can acquire what a narrow scope released.
    pub(crate) running: HashSet<u32>,
}

impl Locations {
    /// The releases that an operation of `scope` in `block` observes when it reads the word.
    pub(crate) fn seen(&self, place: WordAddress, block: u32, scope: Scope) -> impl Iterator<Item = (Level, &Know)> {
        self.words.get(&place).into_iter().flat_map(move |word| word.seen(block, scope, self.cluster))
    }

    /// Whether a word carries a release.
    pub(crate) fn releases(&self, place: WordAddress) -> bool {
        self.words.contains_key(&place)
    }

    /// A strong write, which releases `know`. A read-modify-write (`carries`) keeps earlier releases, a store ends
    /// them.
    pub(crate) fn write(&mut self, place: WordAddress, block: u32, scope: Scope, know: Option<Know>, carries: bool) {
        if !carries {
            self.words.remove(&place);
        }
        let Some(know) = know else { return };
        let word = self.words.entry(place).or_default();
        word.add(block, scope, &know);
        let cluster = self.cluster.max(1);
        if word.apart.len() > 8 * self.running.len().max(1) * cluster as usize {
            word.apart.retain(|(by, _), _| *by == block || self.running.contains(&(by / cluster)));
        }
    }

    /// A weak write ends the releases that the words of `offset .. offset + bytes` carried.
    pub(crate) fn overwrite(&mut self, memory: u64, offset: u64, bytes: u64) {
        if self.words.is_empty() {
            return;
        }
        for at in offset..offset + bytes {
            self.words.remove(&(memory, at));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SCOPES: [Scope; 4] = [Scope::Cta, Scope::Cluster, Scope::Gpu, Scope::Sys];

    fn scope() -> impl Strategy<Value = Scope> {
        (0usize..4).prop_map(|i| SCOPES[i])
    }

    proptest! {
        /// Each release is seen exactly if the scopes include each other, at the level of the two blocks.
        #[test]
        fn scopes_include_each_other(all in prop::collection::vec((0u32..6, scope()), 0..12), block in 0u32..6,
                                     reads in scope(), cluster in 1u32..4) {
            let mut locations = Locations { cluster, ..Locations::default() };
            locations.running.extend(0..6);
            for (number, &(by, released)) in all.iter().enumerate() {
                let mut know = Know::default();
                know.raise(Agents { block: by, warp: number as u16 }, 1, 1);
                locations.write((0, 0), by, released, Some(know), true);
            }
            for (number, &(by, released)) in all.iter().enumerate() {
                let who = Agents { block: by, warp: number as u16 };
                let holds = |know: &Know| know.data.unknown(who, 1, 1) == 0;
                let least = locations.seen((0, 0), block, reads).filter(|(_, know)| holds(know)).map(|at| at.0).min();
                let level = match by {
                    _ if by == block => 0,
                    _ if by / cluster == block / cluster && released >= Scope::Cluster => 1,
                    _ => 2,
                };
                let want = inclusive((by, released), (block, reads), cluster).then_some(level);
                prop_assert_eq!(least, want);
            }
        }
    }
}
