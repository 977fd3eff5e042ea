//! The accesses of agents: what each of the many executions of a program has in common.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::problem::threads::ThreadSet;
use crate::sync::access::{Access, Completion};
use crate::sync::footprints::Footprints;
use crate::sync::program::{Act, Effect, SyncProgram};
use crate::sync::rings::trace::{AgentThreads, of_all_ranks};
use crate::sync::shift::Shift;
use crate::touch::footprint::Footprint;
use tile_isa::Space;
use tile_isa::red::Operator;

/// An access of an operation, as an agent makes it.
#[derive(Debug)]
pub(super) struct AgentAccess<'p> {
    pub agent: usize,
    pub op: usize,
    /// The number of the access in its operation.
    pub number: usize,
    pub access: &'p Access,
    /// The object, as numbered in the block that owns it.
    pub object: usize,
    /// The rank of the block that owns the memory; `None` where unknown. Memory that blocks share is checked block by
    /// block.
    pub owner: Option<usize>,
    /// Whether it initializes an mbarrier that other blocks may use.
    pub makes: bool,
    /// Whether it is a write through the generic proxy to memory that is also accessed through the async proxy.
    pub is_generic: bool,
    /// The bytes that the agent's threads touch; `None` where unknown.
    pub bytes: Option<Rc<Footprint>>,
    /// Where these begin and end, from the start of the access on; `None` where that start depends on more than iterations.
    pub bounds: Option<(i64, i64)>,
    /// Whether a loop with a run-time trip count moves it without bound.
    pub is_moved: bool,
    /// Whether its start contains a value that iterations of a loop compute anew.
    pub is_varied: bool,
    /// A number that accesses share which differ in nothing that decides what they conflict with, apart from the agent.
    pub kind: usize,
}

/// The properties that define a kind.
type Kind<'p> =
    (usize, Space, Option<usize>, ([bool; 5], Option<Operator>), Completion, Option<*const Footprint>, &'p Shift);

/// The accesses of agents in operations, by both.
type Made<'p> = FxHashMap<(usize, usize), Rc<[Rc<AgentAccess<'p>>]>>;

/// How an object, or one that may overlap it, is accessed.
#[derive(Clone, Copy)]
struct ObjectUse {
    is_written: bool,
    through_async_proxy: bool,
}

/// The accesses of all agents of a program, found when they are first made.
pub(super) struct AgentAccesses<'p> {
    pub program: &'p SyncProgram,
    pub agents: Vec<AgentThreads>,
    pub footprints: Rc<Footprints>,
    made: RefCell<Made<'p>>,
    objects: RefCell<FxHashMap<usize, ObjectUse>>,
    kinds: RefCell<FxHashMap<Kind<'p>, usize>>,
}

impl<'p> AgentAccesses<'p> {
    /// The accesses of a program with the given agents in each block.
    pub fn new(program: &'p SyncProgram, agents: &[ThreadSet], footprints: &Rc<Footprints>) -> Self {
        AgentAccesses {
            program,
            agents: of_all_ranks(program, agents),
            footprints: Rc::clone(footprints),
            made: RefCell::default(),
            objects: RefCell::default(),
            kinds: RefCell::default(),
        }
    }

    /// The program and its agents.
    pub fn executed(&self) -> (&'p SyncProgram, &[AgentThreads]) {
        (self.program, &self.agents)
    }

    /// The accesses that an agent makes in an operation, without those that conflict with nothing.
    pub fn of(&self, agent: usize, op: usize) -> Rc<[Rc<AgentAccess<'p>>]> {
        let all = || {
            let accesses = self.program.op(self.agents[agent].0, op).accesses.iter().enumerate();
            accesses.filter_map(|numbered| self.one(agent, op, numbered)).map(Rc::new).collect()
        };
        self.made.borrow_mut().entry((agent, op)).or_insert_with(all).clone()
    }

    fn one(&self, agent: usize, op: usize, (number, access): (usize, &'p Access)) -> Option<AgentAccess<'p>> {
        let (rank, ref threads) = self.agents[agent];
        let (object, owner) = self.program.object(rank, access.object);
        let usage = *self.objects.borrow_mut().entry(object).or_insert_with(|| ObjectUse::of(self.program, object));
        // Memory that is only read has no conflicts. In another block it is still subject to the lifetime check.
        if !usage.is_written && owner == Some(rank) {
            return None;
        }
        let bytes = access.bytes.as_ref().map(|bytes| self.footprints.of_threads(bytes, threads));
        if bytes.as_ref().is_some_and(|bytes| bytes.segments().is_empty()) {
            return None;
        }
        let makes = makes(self.program, rank, op, access);
        let is_generic = usage.through_async_proxy && access.write && !access.through_async_proxy;
        let flags = [access.write, access.atomic, access.through_async_proxy, makes, is_generic];
        let by = bytes.as_ref().map(Rc::as_ptr);
        let kind = (object, access.space, owner, (flags, access.reduction), access.completion, by, &access.shift);
        let mut kinds = self.kinds.borrow_mut();
        let next = kinds.len();
        let is_moved = !access.shift.rates(&self.program.loops).is_empty();
        let is_fixed = owner.is_some() && !is_moved && access.shift.fixed.is_empty();
        Some(AgentAccess {
            agent,
            op,
            number,
            access,
            object,
            owner,
            makes,
            is_generic,
            bounds: bytes.as_ref().filter(|_| is_fixed).and_then(|bytes| bytes.bounds()),
            bytes,
            is_moved,
            is_varied: access.shift.varied_by(&self.program.loops).next().is_some(),
            kind: *kinds.entry(kind).or_insert(next),
        })
    }
}

impl ObjectUse {
    fn of(program: &SyncProgram, object: usize) -> Self {
        let is_of = |access: &&Access| program.related(program.object_of(access), object).is_some();
        let mut all = program.of_all_blocks().flat_map(|(_, op)| &op.accesses).filter(is_of);
        ObjectUse {
            is_written: program.is_written(object),
            through_async_proxy: all.any(|access| access.through_async_proxy),
        }
    }
}

/// Whether an access of an operation initializes an mbarrier that other blocks may use.
fn makes(program: &SyncProgram, rank: usize, op: usize, access: &Access) -> bool {
    let init = |effect: &Effect| match effect {
        Effect::Mbarrier(made) => made.object == access.object && matches!(made.act, Act::Init { .. }),
        _ => false,
    };
    let inits = || program.op(rank, op).effects.iter().any(init);
    program.cluster.is_some() && access.write && !access.atomic && inits()
}
