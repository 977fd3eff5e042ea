//! Threads of two accesses that touch a byte without order.

use crate::problem::threads::ThreadSet;
use crate::sync::finding::Example;
use crate::touch::footprint::Footprint;

/// Which threads of two events are not known to be in order.
#[derive(Clone, Copy)]
pub(super) struct Unordered {
    pub others: bool,
    pub own: bool,
    /// Is it but a fence that is missing?
    pub only_fence: bool,
    /// Is that the one by which other blocks may use an mbarrier?
    pub made: bool,
    /// Of tensor memory that is done with: what is missing.
    pub lacks: Option<Lacks>,
}

/// What threads lack that have waited for their accesses of tensor memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lacks {
    /// A fence before they meet.
    Before,
    /// To meet.
    Meeting,
    /// A fence after.
    After,
}

/// Threads that touch a byte without order.
pub(super) fn meet(from: &Footprint, to: &Footprint, delta: i64, unordered: Unordered, same: bool) -> Option<Example> {
    from.meeting(to, delta).find_map(|(byte, a, b)| {
        let pair = |a: &ThreadSet, b: &ThreadSet| {
            let second = b.iter().next()?;
            let first = a.iter().find(|&first| first != second).map(|first| (first, second));
            first.or_else(|| Some((a.iter().next()?, b.iter().find(|&it| Some(it) != a.iter().next())?)))
        };
        let found = match () {
            () if !same => Some((a.threads.iter().next()?, b.threads.iter().next()?)),
            () if unordered.own && !a.threads.intersect(&b.threads).is_empty() => {
                a.threads.intersect(&b.threads).iter().next().map(|thread| (thread, thread))
            }
            () if unordered.others => pair(&a.threads, &b.threads),
            () => None,
        };
        found.map(|(first, second)| Example { first, second, byte })
    })
}
