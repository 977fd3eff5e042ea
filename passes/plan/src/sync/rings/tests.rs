//! Compares the conflicts of random executions with those that a comparison of each event with all earlier ones finds.

use std::collections::BTreeMap;
use std::rc::Rc;

use tile_isa::Space;
use tile_isa::red::Operator;

use crate::problem::threads::ThreadSet;
use crate::queue::Queue;
use crate::sync::access::{Access, Completion, Pipe};
use crate::sync::finding::Finding;
use crate::sync::form::AddressForm;
use crate::sync::items::{Branch, Item, Taken};
use crate::sync::periodic::{Loop, Periodic};
use crate::sync::program::{Act, Cluster, Effect, Mbarrier, Member, Op, RemoteBlock, SyncProgram};
use crate::sync::rings::accesses::AgentAccesses;
use crate::sync::rings::check;
use crate::sync::rings::conflicts::{conflict, within};
use crate::sync::rings::decided::TripCounts;
use crate::sync::rings::event::Event;
use crate::sync::rings::machine::Execution;
use crate::sync::rings::trace::{Names, Traces, agents};
use crate::sync::shift::Shift;
use crate::touch::Collective;
use crate::touch::footprint::Footprint;

const BARRIERS: usize = 0;
/// Shared memory of another block, in programs of clusters.
const PEER: usize = 9;
const STAGES: i64 = 3;

/// A random loop of accesses and of what may order them.
struct Maker {
    state: u64,
    program: SyncProgram,
    /// Whether the next operation is in the loop.
    is_inside: bool,
}

impl Maker {
    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as usize % limit
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn program(seed: u64) -> SyncProgram {
        let (one, block) = (ThreadSet::range(0, 1), ThreadSet::range(0, 64));
        let open = Loop { count: Some(0), varying: [7].into(), ..Loop::default() };
        let program =
            SyncProgram { block, loops: vec![open], ringed: true, may_alias: vec![(1, 2)], ..SyncProgram::default() };
        let mut maker = Maker { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, program, is_inside: true };
        if maker.below(2) == 0 {
            let member = |peer| Member { peers: [(PEER, (1, peer))].into(), ..Member::default() };
            let unknown = maker.below(4) == 0;
            let peer = |rank| if unknown { RemoteBlock::Unknown } else { RemoteBlock::Rank(rank) };
            let members = vec![member(peer(1)), member(peer(0))];
            maker.program.cluster = Some(Rc::new(Cluster { members, differs: [5].into() }));
        }
        let init = |stage| mbarrier(AddressForm::constant(8 * stage), Act::Init { count: 1 });
        let made = maker.op(one, Vec::new(), (0..STAGES).map(init).collect());
        let meet = if maker.below(8) == 0 { Vec::new() } else { vec![Effect::Barrier] };
        let meet = maker.op(block, Vec::new(), meet);
        let body = (0..3 + maker.below(6)).map(|_| maker.any()).collect();
        maker.is_inside = false;
        let behind = [maker.any(), maker.any()];
        let end = maker.op(block, Vec::new(), Vec::new());
        maker.program.end = Some(maker.program.ops.len() - 1);
        maker.program.body = [made, meet, Item::Loop(0, body)].into_iter().chain(behind).chain([end]).collect();
        maker.program
    }

    fn op(&mut self, active: ThreadSet, accesses: Vec<Access>, effects: Vec<Effect>) -> Item {
        self.program.ops.push(Op { active, exact: true, accesses, effects });
        Item::Op(self.program.ops.len() - 1)
    }

    fn any(&mut self) -> Item {
        let block = self.program.block;
        let active = self.pick(&[ThreadSet::range(0, 1), ThreadSet::range(32, 64), block, block]);
        let accesses: Vec<Access> = (0..self.below(3)).map(|_| self.access(active)).collect();
        let mut effects: Vec<Effect> = (0..self.below(3)).map(|_| self.effect(active)).collect();
        if self.is_inside && accesses.iter().any(|access| access.completion == Completion::Arrival(0)) {
            effects.insert(0, self.arrival());
        }
        self.op(active, accesses, effects)
    }

    fn shift(&mut self) -> Shift {
        let ring = self.stage().times(32).unwrap();
        let moves = |periodic: Periodic| Shift { loops: BTreeMap::from([(0, periodic)]), ..Shift::none() };
        let fixed = |value: usize| Shift { fixed: BTreeMap::from([(value, 4)]), ..Shift::none() };
        let line = Periodic::line(0, 16);
        let rare = [moves(line), fixed(5), fixed(5), fixed(5), fixed(7), Shift::unknown()];
        match self.below(4) {
            _ if !self.is_inside => Shift::none(),
            0 => self.pick(&rare),
            1 => Shift::none(),
            _ => moves(ring),
        }
    }

    fn stage(&mut self) -> Periodic {
        Periodic::line(self.below(2) as i64, 1).divided(STAGES).unwrap().1
    }

    fn access(&mut self, active: ThreadSet) -> Access {
        let space = self.pick(&[Space::Shared, Space::Shared, Space::Shared, Space::Global, Space::Local, Space::Tmem]);
        let shared = if self.program.cluster.is_some() { [1, 2, PEER] } else { [1, 1, 2] };
        let (object, completions) = match space {
            Space::Shared => (self.pick(&shared), [Completion::Group(Queue::CpAsync), Completion::Arrival(0)]),
            Space::Global => (3, [Completion::Group(Queue::BulkGroups), Completion::Never]),
            Space::Local => (4, [Completion::Group(Queue::Product); 2]),
            _ => (5, [Completion::Group(Queue::TmemLoad), Completion::Commit]),
        };
        let each = Footprint::of(active.iter().map(|thread| (thread, thread / 2 * 4, thread / 2 * 4 + 4)));
        let private = Footprint::of(active.iter().map(|thread| (thread, thread, thread + 1)));
        let bytes = match self.below(8) {
            0 => None,
            1..=3 => Some(Footprint::all(0, 32, active)),
            _ if space == Space::Local => Some(private),
            _ => Some(each),
        };
        Access {
            object,
            space,
            write: self.below(2) == 0,
            atomic: self.below(8) == 0,
            reduction: [None, Some(Operator::Add), Some(Operator::Min)][self.below(3)],
            through_async_proxy: self.below(4) == 0,
            collective: if self.below(8) == 0 { Collective::Warp } else { Collective::Thread },
            alternative: None,
            pipe: Some(Pipe::Sum(0)).filter(|_| space == Space::Tmem),
            completion: if self.below(2) == 0 { Completion::Now } else { self.pick(&completions) },
            bytes: bytes.map(Rc::new),
            shift: self.shift(),
        }
    }

    fn effect(&mut self, active: ThreadSet) -> Effect {
        let whole = active == self.program.block;
        let kinds = if self.is_inside { 16 } else { 12 };
        match self.below(kinds) {
            0..=3 if whole => Effect::Barrier,
            4 if whole && self.program.cluster.is_some() => Effect::ClusterBarrier,
            0..=4 => Effect::WarpBarrier,
            5 | 6 => Effect::Commit(self.pick(&[Queue::CpAsync, Queue::BulkGroups, Queue::Product])),
            7 | 8 => {
                let queue = self.pick(&[Queue::CpAsync, Queue::BulkGroups, Queue::Product, Queue::TmemLoad]);
                let pending = if queue.is_of_tensor() { 0 } else { self.below(3) as i64 };
                Effect::Wait { queue, pending, reads: self.below(4) == 0 }
            }
            9 => Effect::ProxyFence { shared: self.below(2) == 0 },
            10 => Effect::TensorFence { before: self.below(2) == 0 },
            11 => Effect::TensorCommit,
            12 | 13 => self.arrival(),
            _ => {
                let lap = Periodic::line(0, 1).divided(STAGES).unwrap().0;
                mbarrier(self.place(), Act::Wait { parity: form(lap.divided(2).unwrap().1) })
            }
        }
    }

    fn arrival(&mut self) -> Effect {
        let by = ThreadSet::range(0, 1);
        mbarrier(self.place(), Act::Arrive { by, count: 1, bytes: 0, releases: self.below(4) > 0 })
    }

    /// The mbarrier of a stage.
    fn place(&mut self) -> AddressForm {
        form(self.stage().times(8).unwrap())
    }
}

/// A value in the iterations of the loop.
fn form(periodic: Periodic) -> AddressForm {
    AddressForm { each: vec![0], shift: Shift { loops: [(0, periodic)].into(), ..Shift::none() } }
}

fn mbarrier(byte: AddressForm, act: Act) -> Effect {
    Effect::Mbarrier(Box::new(Mbarrier { object: BARRIERS, byte, act }))
}

/// All events of an execution, none of which is ever dropped.
#[derive(Default)]
struct Reference<'p> {
    all: Vec<Event<'p>>,
    /// How many pairs of events had a conflict, and how many had none.
    pairs: [usize; 2],
}

impl<'p> Reference<'p> {
    /// The conflicts of an event with all earlier ones, in the order of their objects and of their execution.
    fn conflicts(&mut self, machine: &Execution<'p>, accesses: &AgentAccesses<'p>, event: &Event<'p>) -> Vec<Finding> {
        let (agent, program) = (&machine.agents[event.issued.agent], machine.program);
        let mut earlier: Vec<&Event<'p>> = self.all.iter().filter(|other| other.at < event.at).collect();
        earlier.sort_by_key(|other| (other.issued.object, other.at));
        let mut findings = Vec::new();
        for first in earlier {
            let foreign = first.issued.owner.zip(event.issued.owner).is_some_and(|(a, b)| a != b);
            let related = program.related(first.issued.object, event.issued.object).is_some();
            let is_open = related && !foreign && !first.is_over((event.issued.agent, agent), machine.parts);
            let shared = (program, &*accesses.footprints);
            let conflict = || conflict(shared, &machine.agents, machine.parts, (first, event));
            let one = Some(()).filter(|()| is_open).and_then(|()| conflict());
            self.pairs[usize::from(one.is_none())] += 1;
            findings.extend(one.map(|conflict| Finding::Conflict(Box::new(conflict))));
        }
        let alone = within((program, &accesses.footprints), &machine.agents, event);
        findings.extend(alone.map(|conflict| Finding::Conflict(Box::new(conflict))));
        findings
    }
}

/// A random program with branches that all threads take alike, also in a loop, and no mbarriers.
fn branching(seed: u64) -> SyncProgram {
    let block = ThreadSet::range(0, 64);
    let known = Loop { trips: Some(2), ..Loop::default() };
    let program = SyncProgram { block, loops: vec![known], ringed: true, ..SyncProgram::default() };
    let mut maker = Maker { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, program, is_inside: false };
    let before = maker.branches(0);
    let repeated = maker.branches(0);
    let behind = maker.branches(0);
    let end = maker.op(block, Vec::new(), Vec::new());
    maker.program.end = Some(maker.program.ops.len() - 1);
    maker.program.body = [before, vec![Item::Loop(0, repeated)], behind, vec![end]].concat();
    maker.program
}

impl Maker {
    fn branches(&mut self, depth: usize) -> Vec<Item> {
        let items = 0..1 + self.below(3);
        items
            .map(|_| match self.below(3) {
                0 if depth < 2 => {
                    let arms = (0..2).map(|_| if self.below(3) == 0 { Vec::new() } else { self.branches(depth + 1) });
                    Item::Branch(Branch { arms: arms.collect(), taken: Taken::Together, when: None })
                }
                _ => self.any(),
            })
            .collect()
    }
}

/// The items that are executed where the arms of branches are taken as given, in the order of their execution; operations that are
/// executed again are added to the program. Adds an arm for each branch for which none is given.
fn taking(program: &mut SyncProgram, items: &[Item], taken: &mut Vec<usize>, at: &mut usize) -> Vec<Item> {
    let mut all = Vec::new();
    for item in items {
        match item {
            Item::Op(op) => {
                program.ops.push(program.ops[*op].clone());
                all.push(Item::Op(program.ops.len() - 1));
            }
            Item::Loop(_, body) => all.extend((0..2).flat_map(|_| taking(program, body, taken, at))),
            Item::Branch(branch) => {
                if *at == taken.len() {
                    taken.push(0);
                }
                *at += 1;
                let arm = &branch.arms[taken[*at - 1]];
                all.extend(taking(program, arm, taken, at));
            }
        }
    }
    all
}

/// Whether a program is in order whichever arms are taken; each is executed. `None` where there are too many ways.
fn is_in_order_by_each_way(program: &SyncProgram) -> Option<bool> {
    let mut taken: Vec<usize> = Vec::new();
    for _ in 0..256 {
        let mut way = program.clone();
        let body = program.body.clone();
        way.body = taking(&mut way, &body, &mut taken, &mut 0);
        way.end = Some(way.ops.len() - 1);
        if !check(&way, &Rc::default(), 1).is_empty() {
            return Some(false);
        }
        // The next way: the last first arm becomes the second.
        while taken.pop_if(|arm| *arm == 1).is_some() {}
        match taken.last_mut() {
            Some(arm) => *arm = 1,
            None => return Some(true),
        }
    }
    None
}

#[test]
fn joined_arms_are_in_order_whichever_are_taken() {
    let (mut both, mut joined_only, mut each_only) = (0, 0, 0);
    for seed in 1..5_000 {
        let program = branching(seed);
        let joined = check(&program, &Rc::default(), 1);
        if matches!(joined[..], [Finding::Unfollowed { .. }]) {
            continue;
        }
        match (joined.is_empty(), is_in_order_by_each_way(&program)) {
            (true, Some(false)) => {
                joined_only += 1;
                println!("seed {seed}: {program:#?}");
            }
            (true, Some(true)) => both += 1,
            (false, Some(true)) => each_only += 1,
            _ => {}
        }
    }
    assert_eq!(joined_only, 0);
    assert!(both > 100 && 10 * each_only < both, "{both} are in order, {each_only} more whichever arms are taken");
}

/// Executes a program, and compares the findings of each step with those of the reference.
fn compare(program: &SyncProgram, trips: i64) -> [usize; 2] {
    let sets = agents(program);
    let accesses = Rc::new(AgentAccesses::new(program, &sets, &Rc::default()));
    let (times, mut names) = (TripCounts::default().with(0, trips), Names::new());
    let traces = Traces::new(accesses.executed(), &times, Some(0), &mut names).unwrap();
    let mut machine = Execution::new(Rc::clone(&accesses), traces, names.len());
    let mut reference = Reference::default();
    while let Some(agent) = machine.next().filter(|_| !machine.broken) {
        let mut after = machine.events.clone();
        if let Some(step) = machine.step(agent).filter(|_| machine.agents[agent].stage == 0) {
            let mut findings = after.touch(&machine.agents, agent, step, &machine.arrivals(agent, step), machine.parts);
            findings.retain(|finding| matches!(finding, Finding::Conflict(_)));
            let count = reference.all.len();
            reference.all.extend(after.all().filter(|event| event.at >= count).cloned());
            reference.all.sort_by_key(|event| event.at);
            let new: Vec<Event<'_>> = reference.all[count..].to_vec();
            let expected: Vec<Finding> =
                new.iter().flat_map(|event| reference.conflicts(&machine, &accesses, event)).collect();
            assert_eq!(findings, expected, "{program:#?}");
        }
        machine.advance(agent);
        // A commit says of earlier events which mbarrier completes them.
        machine.events.all().for_each(|event| reference.all[event.at] = event.clone());
    }
    reference.pairs
}

#[test]
fn series_hide_no_conflict() {
    let mut pairs = [0; 2];
    for seed in 1..1000 {
        let more = compare(&Maker::program(seed), 7);
        pairs = [pairs[0] + more[0], pairs[1] + more[1]];
    }
    assert!(pairs[0] > 10_000 && pairs[1] > 10_000, "{pairs:?}");
}

/// A random program with a loop that has a trip count of its own in each iteration of the loop around.
fn entering(seed: u64) -> SyncProgram {
    let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut maker = Maker { state, program: Maker::program(seed), is_inside: true };
    let around = Loop { count: Some(1), ..Loop::default() };
    maker.program.loops = vec![Loop { count: Some(0), ..Loop::default() }, around];
    maker.program.entries = [(0, 1)].into();
    maker.program.cluster = None;
    let body = (0..2 + maker.below(4)).map(|_| maker.any()).collect();
    maker.is_inside = false;
    let entry =
        vec![maker.any(), Item::Loop(0, body), maker.any(), maker.op(maker.program.block, Vec::new(), Vec::new())];
    let (made, end) = (maker.program.body[..2].to_vec(), maker.program.body.last().cloned());
    maker.program.body = made.into_iter().chain([Item::Loop(1, entry)]).chain(end).collect();
    maker.program
}

#[test]
fn entries_are_in_order_whatever_their_trip_counts_are() {
    let mut accepted = 0;
    for seed in 1..5_000 {
        let program = entering(seed);
        if !check(&program, &Rc::default(), 1).is_empty() {
            continue;
        }
        accepted += 1;
        let accesses = Rc::new(AgentAccesses::new(&program, &agents(&program), &Rc::default()));
        let some = [0, 1, 2, 3, 7];
        let all = some
            .iter()
            .flat_map(|first| some.iter().flat_map(move |second| some.map(|third| [*first, *second, third])));
        for trips in all {
            let times = TripCounts::default().with(1, 3).in_turn(0, 1, trips.to_vec());
            let mut names = Names::new();
            let traces = Traces::new(accesses.executed(), &times, None, &mut names).unwrap();
            let findings = Execution::new(Rc::clone(&accesses), traces, names.len()).run(1);
            assert!(findings.is_empty(), "seed {seed}, {trips:?}: {findings:?} {program:#?}");
        }
    }
    assert!(accepted > 50, "{accepted}");
}
