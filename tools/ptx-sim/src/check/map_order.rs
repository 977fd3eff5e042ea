//! What fences have made visible to copies through tensor maps (PTX ISA 8.4, 9.7.13.4).
//!
//! A map that the kernel changes is used through a proxy of its own. A change must be released, that must be known to the
//! thread that acquires, and the acquire, of this map, to the thread that uses it. Copies of maps that an SM keeps
//! are renewed by its own acquires, so an acquire counts in its block only.
//!
//! ```text
//!   block 0   tensormap.replace   release.gpu ──┐ any order between threads
//!   block 1                                     └─▶ acquire.gpu [map]   copy through [map]
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Clock;
use super::scopes::{WordAddress, inclusive};
use crate::code::Scope;

/// What the releases and acquires that a thread knows of have made visible.
#[derive(Debug, Clone, Default)]
pub(crate) struct MapOrder(Option<Rc<MapFences>>);

#[derive(Debug, Clone, Default)]
struct MapFences {
    /// The accesses that were released, by the releasing block and the scope.
    released: BTreeMap<(u32, Scope), Clock>,
    /// The accesses that were acquired, by the acquiring block and the map.
    acquired: BTreeMap<(u32, WordAddress), Clock>,
}

impl MapOrder {
    /// A release in `scope` of what is ordered before a thread of `block`.
    pub(crate) fn release(&mut self, (block, scope): (u32, Scope), accesses: &Clock) {
        self.fences().released.entry((block, scope)).or_default().join(accesses);
    }

    /// An acquire of a map in `scope` by a thread of `block`; clusters are of `cluster` blocks.
    pub(crate) fn acquire(&mut self, (block, scope): (u32, Scope), map: WordAddress, cluster: u32) {
        let fences = self.fences();
        let seen = fences.acquired.entry((block, map)).or_default();
        for (_, clock) in fences.released.iter().filter(|(by, _)| inclusive(**by, (block, scope), cluster)) {
            seen.join(clock);
        }
    }

    /// The accesses that uses of a map in `block` see.
    pub(crate) fn acquired(&self, block: u32, map: WordAddress) -> Clock {
        self.0.as_ref().and_then(|fences| fences.acquired.get(&(block, map)).cloned()).unwrap_or_default()
    }

    /// The accesses that an acquire in `block` could make visible.
    pub(crate) fn released(&self, block: u32, cluster: u32) -> Clock {
        let mut all = Clock::default();
        let fences = self.0.iter().flat_map(|fences| &fences.released);
        fences.filter(|(by, _)| inclusive(**by, (block, Scope::Sys), cluster)).for_each(|(_, clock)| all.join(clock));
        all
    }

    /// Adds what another thread knows.
    pub(crate) fn join(&mut self, other: &Self) {
        let Some(theirs) = &other.0 else { return };
        if self.0.is_none() {
            *self = other.clone();
        }
        if self.same(other) {
            return;
        }
        let fences = self.fences();
        theirs.released.iter().for_each(|(&by, clock)| fences.released.entry(by).or_default().join(clock));
        theirs.acquired.iter().for_each(|(&by, clock)| fences.acquired.entry(by).or_default().join(clock));
    }

    /// Whether both are the very same.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(ours), Some(theirs)) => Rc::ptr_eq(ours, theirs),
            (ours, theirs) => ours.is_none() && theirs.is_none(),
        }
    }

    fn fences(&mut self) -> &mut MapFences {
        Rc::make_mut(self.0.get_or_insert_default())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Agents;
    use super::*;

    const MAP: WordAddress = (3, 128);

    /// Whether a use in block `user` sees what block 0 releases in `released` and block `by` acquires in `acquired`.
    fn is_seen(released: Scope, (by, acquired): (u32, Scope), user: u32) -> bool {
        let who = Agents { block: 0, warp: 0 };
        let mut accesses = Clock::default();
        accesses.raise(who, 1, 5);
        let (mut first, mut second) = (MapOrder::default(), MapOrder::default());
        first.release((0, released), &accesses);
        second.join(&first);
        second.acquire((by, acquired), MAP, 2);
        let seen = second.acquired(user, MAP);
        assert_eq!(second.acquired(user, (3, 256)).unknown(who, 1, 5), 1, "another map");
        seen.unknown(who, 1, 5) == 0
    }

    #[test]
    fn scopes_include_each_other_and_acquires_are_of_their_block() {
        assert!(is_seen(Scope::Cta, (0, Scope::Cta), 0));
        assert!(!is_seen(Scope::Cta, (1, Scope::Sys), 1));
        assert!(!is_seen(Scope::Gpu, (1, Scope::Cta), 1));
        assert!(is_seen(Scope::Cluster, (1, Scope::Cluster), 1));
        assert!(!is_seen(Scope::Cluster, (2, Scope::Gpu), 2));
        assert!(is_seen(Scope::Gpu, (2, Scope::Gpu), 2));
        assert!(!is_seen(Scope::Gpu, (2, Scope::Gpu), 3));
    }
}
