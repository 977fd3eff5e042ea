//! What agents touch, and where two of them meet: the same in each execution of a program, of which there are many.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::problem::threads::ThreadSet;
use crate::sync::finding::Example;
use crate::sync::program::Access;
use crate::sync::rings::meet::{Unordered, meet};
use crate::touch::footprint::Footprint;

/// The most pairs that are remembered.
const MOST_PAIRS: usize = 1 << 18;

/// Two footprints, by where they are kept, how far the second is moved, whether accesses of two threads and of one thread are
/// without order, and whether they are of one agent.
type Pair = (*const Footprint, *const Footprint, i64, [bool; 3]);

/// An operation, one of its accesses, and an agent.
type Made = (usize, usize, usize);

/// The footprints of agents, for all executions of one program.
#[derive(Default)]
pub(super) struct Footprints {
    of_agents: RefCell<FxHashMap<Made, Option<Rc<Footprint>>>>,
    /// Each one once.
    kept: RefCell<FxHashSet<Rc<Footprint>>>,
    met: RefCell<FxHashMap<Pair, Option<Example>>>,
}

impl Footprints {
    /// What an agent's threads touch in an access of an operation; `None` where it is not known.
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

    /// Threads that touch a byte without order, of two footprints that [`of_agent`](Self::of_agent) has handed out.
    pub fn meet(
        &self,
        (from, to): (&Rc<Footprint>, &Rc<Footprint>),
        delta: i64,
        unordered: Unordered,
        same: bool,
    ) -> Option<Example> {
        let pair = (Rc::as_ptr(from), Rc::as_ptr(to), delta, [unordered.others, unordered.own, same]);
        let mut met = self.met.borrow_mut();
        if met.len() >= MOST_PAIRS {
            met.clear();
        }
        *met.entry(pair).or_insert_with(|| meet(from, to, delta, unordered, same))
    }
}
