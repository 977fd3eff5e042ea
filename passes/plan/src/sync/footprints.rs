//! The footprints of programs and of their threads, and what pairs of them have in common. All is kept, since it is the same in each
//! of the many walks and executions of a program.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::sync::finding::Example;
use crate::sync::groups::bits;
use crate::sync::pairs::Others;
use crate::touch::footprint::{Footprint, Segment};

/// The most pairs that are cached.
const MAX_PAIRS: usize = 1 << 18;

/// Two footprints by their addresses, the distance of the second from the first, whether accesses of two threads and of
/// one thread are unordered, and whether both are of one agent.
pub(super) type Pair = (*const Footprint, *const Footprint, i64, [bool; 3]);

/// The footprints of threads, by the address of the footprint that each is a part of, and the threads. The first of the
/// two is the former, which so keeps its address.
type Restricted = FxHashMap<(*const Footprint, ThreadSet), (Rc<Footprint>, Rc<Footprint>)>;

/// The threads that touch common bytes of two footprints, by the addresses of these and the distance of the second from the first.
type Common = FxHashMap<(*const Footprint, *const Footprint, i64), Rc<CommonThreads>>;

/// The footprints of programs and of their agents, for all checks.
#[derive(Default)]
pub(super) struct Footprints {
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

    /// What `find` finds of two footprints that [`of_threads`](Self::of_threads) has returned, unless it is known.
    pub fn meeting(&self, pair: Pair, find: impl FnOnce() -> Option<Example>) -> Option<Example> {
        let mut met = self.met.borrow_mut();
        if met.len() >= MAX_PAIRS {
            met.clear();
        }
        *met.entry(pair).or_insert_with(find)
    }
}

/// The threads that touch common bytes of two footprints at one distance, by the warp of the first one's threads.
#[derive(Debug)]
pub(super) struct CommonThreads {
    /// Whether there are such bytes.
    pub meet: bool,
    pub warps: Vec<(usize, Others)>,
}

impl CommonThreads {
    pub fn of(from: &Footprint, to: &Footprint, distance: i64) -> Self {
        let (mut meet, mut warps) = (false, [None; MAX_WARPS]);
        for (_, from, to) in from.meeting(to, distance) {
            meet = true;
            add(&mut warps, from, to);
        }
        CommonThreads { meet, warps: listed(warps) }
    }
}

/// The warps that have others.
pub(super) fn listed(warps: [Option<Others>; MAX_WARPS]) -> Vec<(usize, Others)> {
    warps.into_iter().enumerate().filter_map(|(warp, others)| Some((warp, others?))).collect()
}

/// Adds the threads of two segments with a common byte.
fn add(warps: &mut [Option<Others>; MAX_WARPS], from: &Segment, to: &Segment) {
    let is_alone = from.threads == to.threads && from.threads.len() == 1;
    for warp in bits(from.threads.warps()) {
        let issuers = from.threads.intersect(&ThreadSet::of_warps(1 << warp));
        let of_others = if issuers.len() == 1 { to.threads.without(&issuers) } else { to.threads };
        let shared = if is_alone { ThreadSet::new() } else { to.threads };
        warps[warp].get_or_insert_default().add(&Others { all: to.threads, of_others, shared });
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    #[test]
    fn common_threads_are_kept_by_both_footprints_and_their_distance() {
        let footprints = Footprints::default();
        let footprint = |threads: std::ops::Range<i64>| {
            footprints.one(&Rc::new(Footprint::of(threads.map(|t| (t, 4 * t, 4 * t + 4)))))
        };
        let (whole, half) = (footprint(0..64), footprint(0..32));
        let warps = |from: &Rc<Footprint>, to: &Rc<Footprint>, distance| {
            let common = footprints.common(from, to, distance);
            common.warps.iter().map(|(warp, others)| (*warp, others.all.len(), others.shared.len())).collect::<Vec<_>>()
        };
        for _ in 0..2 {
            assert_eq!(warps(&whole, &whole, 0), [(0, 32, 0), (1, 32, 0)]);
            assert_eq!(warps(&whole, &whole, 4), [(0, 31, 31), (1, 32, 32)]);
            assert_eq!(warps(&whole, &half, 0), [(0, 32, 0)]);
            assert_eq!(warps(&half, &whole, 4), [(0, 31, 31)]);
            assert_eq!(warps(&half, &whole, 128), []);
        }
    }
}
