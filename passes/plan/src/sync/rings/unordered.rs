//! The unordered threads of two footprints.

use std::rc::Rc;

use crate::problem::threads::ThreadSet;
use crate::sync::finding::Example;
use crate::sync::footprints::Footprints;
use crate::touch::footprint::Footprint;

/// Which threads of two events are unordered: different threads (`others`), or the accesses of one thread (`one_thread`).
#[derive(Clone, Copy)]
pub(super) struct Unordered {
    pub others: bool,
    pub one_thread: bool,
    /// Whether only a fence is missing.
    pub only_fence: bool,
    /// Whether that is the fence that lets other blocks use an mbarrier.
    pub made: bool,
    /// For a complete access of tensor memory: what is missing.
    pub lacks: Option<Lacks>,
}

impl Unordered {
    /// An example of threads that touch a byte without order, for two footprints of threads, the second so many bytes further. `same`: both
    /// are of one agent.
    pub fn meet(
        self,
        footprints: &Footprints,
        (from, to): (&Rc<Footprint>, &Rc<Footprint>),
        delta: i64,
        same: bool,
    ) -> Option<Example> {
        if !from.is_near(to, delta) {
            return None;
        }
        let pair = (Rc::as_ptr(from), Rc::as_ptr(to), delta, [self.others, self.one_thread, same]);
        footprints.meeting(pair, || meet(from, to, delta, self, same))
    }
}

/// What is missing after threads have waited for their accesses of tensor memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lacks {
    /// The fence before the barrier.
    Before,
    /// The barrier.
    Meeting,
    /// The fence after the barrier.
    After,
}

/// An example of threads that touch a byte without order.
fn meet(from: &Footprint, to: &Footprint, delta: i64, unordered: Unordered, same: bool) -> Option<Example> {
    from.meeting(to, delta).find_map(|(byte, a, b)| {
        let pair = |a: &ThreadSet, b: &ThreadSet| {
            let second = b.iter().next()?;
            let first = a.iter().find(|&first| first != second).map(|first| (first, second));
            first.or_else(|| Some((a.iter().next()?, b.iter().find(|&thread| Some(thread) != a.iter().next())?)))
        };
        let both = match () {
            () if !same => Some((a.threads.iter().next()?, b.threads.iter().next()?)),
            () if unordered.one_thread && !a.threads.intersect(&b.threads).is_empty() => {
                a.threads.intersect(&b.threads).iter().next().map(|thread| (thread, thread))
            }
            () if unordered.others => pair(&a.threads, &b.threads),
            () => None,
        };
        both.map(|(first, second)| Example { first, second, byte })
    })
}
