//! Asynchronous copies: issued, grouped, waited for, delivered to an mbarrier.

use petgraph::graph::NodeIndex;

use super::{Build, Current, Delivery, Id, Release, ids};
use crate::check::{CopyKind, Threads};
use crate::code::Scope;

impl Build<'_> {
    pub(super) fn copy(&mut self, id: Id, number: u32, kind: CopyKind) {
        // The node of a thread that has done nothing else begins here, so it comes first.
        let now = self.now(id);
        let (before, read, write) = (self.place(), self.place(), self.place());
        let begin = self.graph.places[before as usize];
        self.edge(now, begin);
        if kind == CopyKind::TensorProduct {
            // It is ordered after what its thread issued before (PTX ISA 9.7.16.6.2).
            let earlier = self.thread(id).tmem_copies.clone();
            earlier.into_iter().for_each(|side| self.edge(side, begin));
        }
        self.current = Some(Current { thread: id, number, kind, before, read, write });
        let sides = [read, write].map(|place| self.graph.places[place as usize]);
        if self.thread(id).used {
            self.next(id);
        }
        let thread = self.thread(id);
        match kind {
            CopyKind::Async => thread.open.push(sides[1]),
            CopyKind::Group => sides.into_iter().zip(&mut thread.bulk).for_each(|(side, list)| list.push(side)),
            CopyKind::Counted => {}
            CopyKind::TmemStore => thread.stores.push(sides[1]),
            CopyKind::TmemLoad => thread.loads.push(sides[1]),
            CopyKind::TmemCopy | CopyKind::TensorProduct => thread.tmem_copies.extend(sides),
            CopyKind::Product => thread.products.push(sides[0]),
        }
        self.numbers.insert(number, Delivery { accesses: sides.to_vec(), issuer: None });
    }

    pub(super) fn commit(&mut self, id: Id) {
        let thread = self.thread(id);
        let mut all = std::mem::take(&mut thread.open);
        all.extend(thread.groups.last());
        let group = self.gather(&all);
        self.thread(id).groups.push(group);
    }

    pub(super) fn wait(&mut self, id: Id, pending: Option<u64>, counts: bool) {
        let thread = self.thread(id);
        let known = match pending {
            None => thread.open.iter().chain(thread.groups.last()).copied().collect(),
            Some(pending) => {
                let left = usize::try_from(pending).unwrap_or(usize::MAX);
                let done = thread.groups.len().saturating_sub(left);
                thread.groups[..done].last().copied().into_iter().collect::<Vec<_>>()
            }
        };
        self.learn(id, &known, counts);
    }

    /// Lanes wait together, each for its own operations; afterwards all are ordered after all of these.
    pub(super) fn tensor_wait(&mut self, threads: Threads, kind: CopyKind, counts: bool) {
        let mut known = Vec::new();
        for id in ids(threads).filter(|_| counts) {
            let thread = self.thread(id);
            known.append(if kind == CopyKind::TmemLoad { &mut thread.loads } else { &mut thread.stores });
        }
        let all = self.gather(&known);
        ids(threads).for_each(|id| self.learn(id, &[all], counts));
    }

    /// The products of all lanes of a warp form one group.
    pub(super) fn product_commit(&mut self, threads: Threads) {
        let mut all = Vec::new();
        for id in ids(threads) {
            let thread = self.thread(id);
            all.append(&mut thread.products);
            all.extend(thread.product_groups.last());
        }
        let group = self.gather(&all);
        ids(threads).for_each(|id| self.thread(id).product_groups.push(group));
    }

    pub(super) fn product_wait(&mut self, threads: Threads, pending: u64, counts: bool) {
        let left = usize::try_from(pending).unwrap_or(usize::MAX);
        for id in ids(threads) {
            let groups = &self.thread(id).product_groups;
            let done = groups[..groups.len().saturating_sub(left)].last().copied();
            if counts {
                self.thread(id).done_products = done;
            }
            self.learn(id, done.as_slice(), counts);
        }
    }

    pub(super) fn bulk_commit(&mut self, id: Id) {
        let group = [0, 1].map(|side| {
            let thread = self.thread(id);
            let mut all = std::mem::take(&mut thread.bulk[side]);
            all.extend(thread.bulk_groups.last().map(|group| group[side]));
            self.gather(&all)
        });
        self.thread(id).bulk_groups.push(group);
    }

    pub(super) fn bulk_wait(&mut self, id: Id, pending: u64, read: bool, counts: bool) {
        let groups = &self.thread(id).bulk_groups;
        let left = usize::try_from(pending).unwrap_or(usize::MAX);
        let done = groups[..groups.len().saturating_sub(left)].last().copied();
        let known: Vec<NodeIndex> = done.map_or_else(Vec::new, |sides| sides[..if read { 1 } else { 2 }].to_vec());
        self.learn(id, &known, counts);
    }

    pub(super) fn deliver(&mut self, id: Id, number: u32, kind: CopyKind, counts: bool) {
        if counts {
            let node = self.now(id);
            let thread = self.thread(id);
            let (all, scope) = match kind {
                CopyKind::TmemCopy => (std::mem::take(&mut thread.tmem_copies), Scope::Cluster),
                _ => (thread.open.iter().chain(thread.groups.last()).copied().collect(), Scope::Cta),
            };
            let accesses = self.gather(&all);
            if kind == CopyKind::TmemCopy {
                self.thread(id).tmem_copies.push(accesses);
            }
            let issuer = Some(Release { block: id.0, scope, node, is_copy: false });
            self.numbers.insert(number, Delivery { accesses: vec![accesses], issuer });
        }
        self.next(id);
    }
}
