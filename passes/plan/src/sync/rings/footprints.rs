//! The footprints of agents, and the unordered threads of two footprints. Both are cached, since they are the same in
//! each of the many executions of a program. Accesses that move without bound may also meet in iterations that are not
//! executed.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::problem::threads::ThreadSet;
use crate::sync::finding::Example;
use crate::sync::program::{Access, Program};
use crate::sync::rings::event::Event;
use crate::sync::shift::{Apart, Shift};
use crate::touch::footprint::Footprint;

/// The most pairs that are cached.
const MAX_PAIRS: usize = 1 << 18;

/// Two footprints by their addresses, the distance of the second from the first, whether accesses of two threads and of
/// one thread are unordered, and whether both are of one agent.
type Pair = (*const Footprint, *const Footprint, i64, [bool; 3]);

/// An operation, one of its accesses, and an agent.
type Made = (usize, usize, usize);

/// The footprints of agents, for all executions of one program.
#[derive(Default)]
pub(super) struct Footprints {
    of_agents: RefCell<FxHashMap<Made, Option<Rc<Footprint>>>>,
    /// The distinct footprints.
    kept: RefCell<FxHashSet<Rc<Footprint>>>,
    met: RefCell<FxHashMap<Pair, Option<Example>>>,
}

impl Footprints {
    /// The bytes that an agent's threads touch in an access of an operation; `None` where unknown.
    pub fn of_agent(
        &self,
        (op, number, access): (usize, usize, &Access),
        (agent, threads): (usize, &ThreadSet),
    ) -> Option<Rc<Footprint>> {
        let restricted = || access.bytes.as_ref().map(|bytes| self.keep(bytes.of_threads(threads)));
        self.of_agents.borrow_mut().entry((op, number, agent)).or_insert_with(restricted).clone()
    }

    fn keep(&self, footprint: Footprint) -> Rc<Footprint> {
        let mut kept = self.kept.borrow_mut();
        if let Some(found) = kept.get(&footprint) {
            return Rc::clone(found);
        }
        let new = Rc::new(footprint);
        kept.insert(Rc::clone(&new));
        new
    }

    /// An example of threads that touch a byte without order, for two footprints that [`of_agent`](Self::of_agent) has
    /// returned.
    pub fn meet(
        &self,
        (from, to): (&Rc<Footprint>, &Rc<Footprint>),
        delta: i64,
        unordered: Unordered,
        same: bool,
    ) -> Option<Example> {
        let pair = (Rc::as_ptr(from), Rc::as_ptr(to), delta, [unordered.others, unordered.own, same]);
        let mut met = self.met.borrow_mut();
        if met.len() >= MAX_PAIRS {
            met.clear();
        }
        *met.entry(pair).or_insert_with(|| meet(from, to, delta, unordered, same))
    }
}

/// Which threads of two events are unordered: different threads (`others`), or the accesses of one thread (`own`).
#[derive(Clone, Copy)]
pub(super) struct Unordered {
    pub others: bool,
    pub own: bool,
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

/// An example of two accesses that move without bound and may meet in iterations that are not executed.
pub(super) fn later(
    (program, footprints): (&Program, &Footprints),
    (first, second): (&Event, &Event),
    unordered: Unordered,
) -> Option<Example> {
    let (a, b) = (first.access, second.access);
    let rate = |shift: &Shift| -> Vec<(i64, i64)> {
        let open = shift.loops.iter().filter(|(number, _)| program.loops[**number].trips.is_none());
        open.map(|(_, it)| (it.gain(), it.period())).filter(|it| it.0 != 0).collect()
    };
    let (one, other) = (rate(&a.shift), rate(&b.shift));
    let period = one.iter().chain(&other).map(|it| it.1).max()?;
    if one == other && is_near(program, (&a.shift, &b.shift), (first, second), period.max(8)) {
        return None;
    }
    let (from, to) = (first.bytes.as_ref()?, second.bytes.as_ref()?);
    let same = first.agent == second.agent;
    match Shift::distances(&a.shift, &b.shift, &program.loops, |_| Apart::Any, from.span(to)) {
        Some(distances) => {
            distances.into_iter().find_map(|(distance, _)| footprints.meet((from, to), distance, unordered, same))
        }
        None => footprints.meet((from, from), 0, Unordered { others: true, own: true, ..unordered }, same),
    }
}

/// Whether two iterations are so close that any two iterations at the same distance are the same number of bytes apart.
///
/// This does not hold across iterations of an outer loop, where the distance also depends on the trip count of the
/// inner loop.
fn is_near(program: &Program, (a, b): (&Shift, &Shift), (first, second): (&Event, &Event), few: i64) -> bool {
    let of = |number: usize| &program.loops[number];
    let moves = |shift: &Shift, number: usize| {
        of(number).trips.is_none() && shift.loops.get(&number).is_some_and(|it| it.gain() != 0)
    };
    // Loops of other threads with the same trip count are treated as the same loop.
    let alike = |a: usize, b: usize| a == b || of(a).count.is_some() && of(a).count == of(b).count;
    let pairs = first.iterations.iter().zip(second.iterations.iter());
    let mut left = a.loops.keys().filter(|number| moves(a, **number)).count();
    let mut other = false;
    for (one, next) in pairs.take_while(|(one, next)| alike(one.0, next.0)) {
        if moves(a, one.0) || moves(b, next.0) {
            if other || one.1.abs_diff(next.1) >= few.unsigned_abs() {
                return false;
            }
            left = left.saturating_sub(1);
        }
        other |= one.1 != next.1;
    }
    left == 0
}
