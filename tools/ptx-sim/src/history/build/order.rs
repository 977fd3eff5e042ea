//! Barriers, fences, and releases that a word carries to its readers.

use std::collections::BTreeMap;

use petgraph::graph::NodeIndex;

use super::{Build, Id, Release, SCOPES, ids, rounds_of};
use crate::check::{Hub, Threads, inclusive};
use crate::code::Scope;

impl Build<'_> {
    pub(super) fn meet(&mut self, threads: Threads, counts: bool) {
        let all: Vec<NodeIndex> = ids(threads).map(|id| self.now(id)).collect();
        let meeting = self.gather(&all);
        ids(threads).for_each(|id| self.learn(id, &[meeting], counts));
    }

    pub(super) fn arrive(&mut self, hub: Hub, release: Release) {
        let (key, round) = rounds_of(hub);
        self.rounds.entry(key).or_default().arrivals.push((round, release));
    }

    /// What a completed round releases: one node for each block and scope.
    pub(super) fn hub(&mut self, hub: Hub) -> Vec<Release> {
        let (key, round) = rounds_of(hub);
        let rounds = self.rounds.entry(key).or_default();
        if let Some((_, all)) = rounds.last.as_ref().filter(|(last, _)| *last >= round) {
            return all.clone();
        }
        let (done, left) = std::mem::take(&mut rounds.arrivals).into_iter().partition(|(at, _)| *at <= round);
        rounds.arrivals = left;
        let done: Vec<(u32, Release)> = done;
        let earlier = rounds.last.take().map_or_else(Vec::new, |(_, all)| all);
        let mut alike: BTreeMap<(u32, Scope, bool), Vec<NodeIndex>> = BTreeMap::new();
        for Release { block, scope, node, is_copy } in done.into_iter().map(|(_, release)| release).chain(earlier) {
            alike.entry((block, scope, is_copy)).or_default().push(node);
        }
        let mut release = |((block, scope, is_copy), nodes): (_, Vec<NodeIndex>)| {
            let node = self.gather(&nodes);
            Release { block, scope, node, is_copy }
        };
        let all: Vec<Release> = alike.into_iter().map(&mut release).collect();
        self.rounds.entry(key).or_default().last = Some((round, all.clone()));
        all
    }

    pub(super) fn fence(&mut self, id: Id, scope: Scope, acquire: bool, release: bool, counts: bool) {
        let level = scope as usize;
        if acquire {
            let seen: Vec<NodeIndex> = self.thread(id).observed[..=level.min(2)].concat();
            self.learn(id, &seen, counts);
        }
        if release {
            let now = self.now(id);
            if counts {
                self.thread(id).released[level] = Some(now);
            }
            self.next(id);
        }
    }

    pub(super) fn observe(&mut self, id: Id, word: (u64, u64), scope: Scope, acquire: bool) {
        let (block, ranks) = (id.0, self.ranks);
        let releases = self.words.get(&word).map_or(&[][..], Vec::as_slice);
        let seen = releases.iter().filter(|release| inclusive((release.block, release.scope), (block, scope), ranks));
        let seen: Vec<(u32, NodeIndex)> = seen.map(|release| (release.block, release.node)).collect();
        let nodes: Vec<NodeIndex> = seen.iter().map(|(_, node)| *node).collect();
        self.learn(id, &nodes, acquire);
        if acquire {
            return;
        }
        for (by, node) in seen {
            let level = match by {
                _ if by == block => 0,
                _ if by / ranks == block / ranks => 1,
                _ => 2,
            };
            self.thread(id).observed[level].push(node);
        }
    }

    pub(super) fn release(&mut self, id: Id, word: (u64, u64), scope: Scope, release: bool, carries: bool) {
        if !carries {
            self.words.remove(&word);
        }
        let now = self.now(id);
        let prepared = self.thread(id).released;
        let by_fence = SCOPES.iter().zip(prepared).filter_map(|(level, node)| Some((scope.min(*level), node?)));
        for (scope, node) in release.then_some((scope, now)).into_iter().chain(by_fence) {
            self.carry(word, id.0, scope, node);
        }
        self.next(id);
    }

    /// A word carries one node for each scope (and block, where the scope is narrow).
    pub(super) fn carry(&mut self, word: (u64, u64), block: u32, scope: Scope, node: NodeIndex) {
        let alike = |release: &Release| release.scope == scope && release.block == block;
        let earlier = self.words.get(&word).and_then(|all| all.iter().find(|one| alike(one)).map(|one| one.node));
        let node = earlier.map_or(node, |earlier| self.gather(&[earlier, node]));
        let all = self.words.entry(word).or_default();
        all.retain(|release| !alike(release));
        all.push(Release { block, scope, node, is_copy: false });
    }
}
