//! The footprints of agents, and the unordered threads of two footprints. Both are cached, since they are the same in
//! each of the many executions of a program.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::problem::threads::ThreadSet;
use crate::sync::common::CommonThreads;
use crate::sync::finding::Example;
use crate::touch::footprint::Footprint;

/// The most pairs that are cached.
const MAX_PAIRS: usize = 1 << 18;

/// Two footprints by their addresses, the distance of the second from the first, whether accesses of two threads and of
/// one thread are unordered, and whether both are of one agent.
type Pair = (*const Footprint, *const Footprint, i64, [bool; 3]);

/// The footprints of threads, by the address of the footprint that each is a part of, and the threads. The first of the
/// two is the former, which so keeps its address.
type Restricted = FxHashMap<(*const Footprint, ThreadSet), (Rc<Footprint>, Rc<Footprint>)>;

/// The threads that touch common bytes of two footprints, by the addresses of these and the distance of the second from the first.
type Common = FxHashMap<(*const Footprint, *const Footprint, i64), Rc<CommonThreads>>;

/// The footprints of programs and of their agents, for all checks.
#[derive(Default)]
pub(in crate::sync) struct Footprints {
    restricted: RefCell<Restricted>,
    /// The distinct footprints.
    kept: RefCell<FxHashSet<Rc<Footprint>>>,
    /// The number of their segments.
    segments: Cell<usize>,
    met: RefCell<FxHashMap<Pair, Option<Example>>>,
    common: RefCell<Common>,
}

impl Footprints {
    /// The one copy of a footprint.
    pub fn one(&self, footprint: &Rc<Footprint>) -> Rc<Footprint> {
        if let Some(kept) = self.kept.borrow().get(footprint) {
            return Rc::clone(kept);
        }
        self.count(footprint);
        self.kept.borrow_mut().insert(Rc::clone(footprint));
        Rc::clone(footprint)
    }

    /// The number of segments of all footprints that are kept.
    pub fn segments(&self) -> usize {
        self.segments.get()
    }

    fn count(&self, footprint: &Footprint) {
        self.segments.set(self.segments.get() + footprint.segments().len());
    }

    /// The bytes of a footprint that some threads touch: the one copy of it.
    pub fn of_threads(&self, bytes: &Rc<Footprint>, threads: &ThreadSet) -> Rc<Footprint> {
        let restricted = || {
            self.count(bytes);
            (Rc::clone(bytes), self.one(&Rc::new(bytes.of_threads(threads))))
        };
        self.restricted.borrow_mut().entry((Rc::as_ptr(bytes), *threads)).or_insert_with(restricted).1.clone()
    }

    /// The threads that touch common bytes of two footprints that [`one`](Self::one) has returned.
    pub fn common(&self, from: &Rc<Footprint>, to: &Rc<Footprint>, distance: i64) -> Rc<CommonThreads> {
        let mut common = self.common.borrow_mut();
        if common.len() >= MAX_PAIRS {
            common.clear();
        }
        let pair = (Rc::as_ptr(from), Rc::as_ptr(to), distance);
        Rc::clone(common.entry(pair).or_insert_with(|| Rc::new(CommonThreads::of(from, to, distance))))
    }

    /// An example of threads that touch a byte without order, for two footprints that [`of_threads`](Self::of_threads) has
    /// returned.
    pub(super) fn meet(
        &self,
        (from, to): (&Rc<Footprint>, &Rc<Footprint>),
        delta: i64,
        unordered: Unordered,
        same: bool,
    ) -> Option<Example> {
        if !from.is_near(to, delta) {
            return None;
        }
        let pair = (Rc::as_ptr(from), Rc::as_ptr(to), delta, [unordered.others, unordered.one_thread, same]);
        let mut met = self.met.borrow_mut();
        if met.len() >= MAX_PAIRS {
            met.clear();
        }
        *met.entry(pair).or_insert_with(|| meet(from, to, delta, unordered, same))
    }
}

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
