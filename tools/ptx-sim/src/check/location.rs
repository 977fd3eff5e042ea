//! Memory words through which threads synchronize: who released what there (PTX ISA 8.9).

use std::collections::HashMap;

use super::Know;
use crate::code::Scope;

/// A word: the memory it is in (see the caller) and its offset there.
pub(crate) type Place = (u64, u64);

/// A release that a later acquire of the word sees.
#[derive(Debug, Clone)]
struct Release {
    block: u32,
    scope: Scope,
    know: Know,
}

/// All words that carry a release.
#[derive(Debug, Default)]
pub(crate) struct Locations {
    words: HashMap<Place, Vec<Release>>,
    /// Blocks in a cluster.
    pub(crate) cluster: u32,
}

/// Whether operations of these scopes in these blocks include each other's thread.
pub(crate) fn inclusive(a: (u32, Scope), b: (u32, Scope), cluster: u32) -> bool {
    let scope = a.1.min(b.1);
    a.0 == b.0 || scope >= Scope::Gpu || (scope == Scope::Cluster && a.0 / cluster.max(1) == b.0 / cluster.max(1))
}

impl Locations {
    /// What an operation of `scope` in `block` that reads the word learns, and from which block.
    pub(crate) fn seen(&self, place: Place, block: u32, scope: Scope) -> impl Iterator<Item = (u32, &Know)> {
        let cluster = self.cluster;
        let releases = self.words.get(&place).map_or(&[][..], Vec::as_slice);
        releases
            .iter()
            .filter(move |r| inclusive((r.block, r.scope), (block, scope), cluster))
            .map(|r| (r.block, &r.know))
    }

    /// A strong write: `know` is what it releases. A read-modify-write carries earlier releases on, a store ends them.
    pub(crate) fn write(&mut self, place: Place, block: u32, scope: Scope, know: Option<Know>, carries: bool) {
        if !carries {
            self.words.remove(&place);
        }
        let Some(know) = know else { return };
        let releases = self.words.entry(place).or_default();
        match releases.iter_mut().find(|r| r.scope == scope && (r.block == block || scope >= Scope::Gpu)) {
            Some(release) => release.know.join(&know),
            None => releases.push(Release { block, scope, know }),
        }
    }

    /// A weak write ends what the words of `offset .. offset + bytes` carried.
    pub(crate) fn overwrite(&mut self, memory: u64, offset: u64, bytes: u64) {
        if self.words.is_empty() {
            return;
        }
        for at in offset..offset + bytes {
            self.words.remove(&(memory, at));
        }
    }
}
