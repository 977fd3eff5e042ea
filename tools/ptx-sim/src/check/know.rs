//! The knowledge of threads, that is, which accesses are ordered before them: of one thread, of the lanes of a warp,
//! and of the memory words through which it passes from one thread to another.
//!
//! Lanes with the same knowledge share one [`Know`]. A release is stored with the memory word through which threads
//! synchronize (PTX ISA 8.9).

use std::collections::HashMap;

use super::{Agents, Clock};
use crate::code::Scope;

/// The accesses that happened before, and those of them that are visible to asynchronous copies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Know {
    /// The accesses that happened before.
    pub(crate) data: Clock,
    /// The writes that a proxy fence has made visible to the asynchronous proxy (PTX ISA 8.4).
    pub(crate) proxy: Clock,
    /// The times up to which initialized mbarrier objects may be used by other blocks: a fence follows their
    /// `mbarrier.init` (PTX ISA 9.7.13.4).
    pub(crate) made: Clock,
}

impl Know {
    pub(crate) fn join(&mut self, other: &Self) {
        self.data.join(&other.data);
        self.proxy.join(&other.proxy);
        self.made.join(&other.made);
    }

    /// Notes that the lanes `mask` of `who` reached `time`.
    pub(crate) fn raise(&mut self, who: Agents, mask: u32, time: u32) {
        self.data.raise(who, mask, time);
    }

    fn same(&self, other: &Self) -> bool {
        self.data.same(&other.data) && self.proxy.same(&other.proxy) && self.made.same(&other.made)
    }
}

/// The [`Know`] of each lane of a warp, stored once for each group of lanes with the same knowledge.
///
/// Each entry is a mask of lanes and their knowledge; lanes in no group know nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Groups(Vec<(u32, Know)>);

impl Groups {
    pub(crate) fn get(&self, lane: usize) -> Option<&Know> {
        self.0.iter().find(|(mask, _)| mask >> lane & 1 == 1).map(|(_, know)| know)
    }

    /// The groups that have lanes in `mask`, with those lanes.
    pub(crate) fn over(&self, mask: u32) -> impl Iterator<Item = (u32, &Know)> {
        self.0.iter().filter_map(move |(m, know)| (m & mask != 0).then_some((m & mask, know)))
    }

    /// Changes the knowledge of the lanes of `mask`; `change` is called once for each group, with its lanes.
    pub(crate) fn update(&mut self, mask: u32, mut change: impl FnMut(u32, &mut Know)) {
        let mut left = mask;
        for i in 0..self.0.len() {
            let (lanes, know) = &mut self.0[i];
            let hit = *lanes & left;
            left &= !hit;
            if hit == 0 {
                continue;
            }
            if hit == *lanes {
                change(hit, know);
            } else {
                let mut split = know.clone();
                *lanes &= !hit;
                change(hit, &mut split);
                self.0.push((hit, split));
            }
        }
        if left != 0 {
            let mut fresh = Know::default();
            change(left, &mut fresh);
            self.0.push((left, fresh));
        }
        self.tidy();
    }

    /// Gives the lanes of `mask` the same knowledge.
    pub(crate) fn set(&mut self, mask: u32, know: &Know) {
        self.0.iter_mut().for_each(|(lanes, _)| *lanes &= !mask);
        self.0.push((mask, know.clone()));
        self.tidy();
    }

    fn tidy(&mut self) {
        self.0.retain(|(mask, _)| *mask != 0);
        let mut i = 0;
        while i < self.0.len() {
            match (0..i).find(|&j| self.0[j].1.same(&self.0[i].1)) {
                Some(j) => {
                    self.0[j].0 |= self.0[i].0;
                    self.0.swap_remove(i);
                }
                None => i += 1,
            }
        }
    }
}

/// A word, by the number of its memory (see the caller) and its offset there.
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

/// Whether the scopes of two operations, each with its block, include each other's thread.
pub(crate) fn inclusive(a: (u32, Scope), b: (u32, Scope), cluster: u32) -> bool {
    let scope = a.1.min(b.1);
    a.0 == b.0 || scope >= Scope::Gpu || (scope == Scope::Cluster && a.0 / cluster.max(1) == b.0 / cluster.max(1))
}

impl Locations {
    /// The releases that an operation of `scope` in `block` observes when it reads the word, each with its block.
    pub(crate) fn seen(&self, place: Place, block: u32, scope: Scope) -> impl Iterator<Item = (u32, &Know)> {
        let cluster = self.cluster;
        let releases = self.words.get(&place).map_or(&[][..], Vec::as_slice);
        releases
            .iter()
            .filter(move |r| inclusive((r.block, r.scope), (block, scope), cluster))
            .map(|r| (r.block, &r.know))
    }

    /// A strong write, which releases `know`. A read-modify-write (`carries`) keeps earlier releases, a store ends
    /// them.
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
    use super::*;

    const WHO: Agents = Agents { block: 0, warp: 0 };

    #[test]
    fn lanes_split_and_meet_again() {
        let mut groups = Groups::default();
        groups.update(u32::MAX, |_, k| k.raise(WHO, 1, 5));
        groups.update(0xf, |_, k| k.raise(WHO, 2, 7));
        assert_eq!(groups.0.len(), 2);
        assert_eq!(groups.get(3).unwrap().data.unknown(WHO, 2, 7), 0);
        assert_eq!(groups.get(4).unwrap().data.unknown(WHO, 2, 7), 2);
        let joined = groups.get(0).unwrap().clone();
        groups.set(u32::MAX, &joined);
        assert_eq!(groups.0.len(), 1);
        assert_eq!(groups.get(31).unwrap().data.unknown(WHO, 2, 7), 0);
    }
}
