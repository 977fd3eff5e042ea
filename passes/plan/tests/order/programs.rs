//! Random programs, compared with an oracle that walks paths through them and tracks, for each thread, which accesses
//! are ordered before its own.

use std::collections::BTreeMap;

use crate::common::access::access;
use crate::common::tape::Draw;
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{
    Access, Act, AddressForm, Branch, Completion, Effect, Footprint, Item, Loop, Mbarrier, Op, Periodic, Queue, Shift,
    SyncProgram, Taken, check, insert, redundant, with,
};

const THREADS: i64 = 64;
/// The object of an mbarrier that no access touches.
const UNRELATED: usize = 2;

/// Makes programs from a seed.
struct Maker {
    draw: Draw,
    program: SyncProgram,
    straight: bool,
}

impl Maker {
    fn program(seed: u64, straight: bool) -> SyncProgram {
        let program = SyncProgram { block: ThreadSet::range(0, THREADS), ..SyncProgram::default() };
        let mut maker = Maker { draw: Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1), program, straight };
        let count = 2 + maker.draw.below(6);
        let body = maker.items(count, ThreadSet::range(0, THREADS), &[]);
        maker.program.body = body;
        maker.program.end = Some(maker.program.ops.len());
        maker.program.body.push(Item::Op(maker.program.ops.len()));
        let active = maker.program.block;
        maker.program.ops.push(Op { active, exact: true, ..Op::default() });
        maker.program
    }

    fn items(&mut self, count: u64, active: ThreadSet, loops: &[usize]) -> Vec<Item> {
        (0..count).map(|_| self.item(active, loops)).collect()
    }

    fn item(&mut self, active: ThreadSet, loops: &[usize]) -> Item {
        let what = if self.straight { 10 } else { self.draw.below(12) };
        match what {
            0 if loops.len() < 2 => {
                let number = self.program.loops.len();
                let trips = 1 + self.draw.below(4) as i64;
                let known = self.draw.below(2) == 0;
                self.program.loops.push(Loop { trips: known.then_some(trips), entered: known, ..Loop::default() });
                let count = 1 + self.draw.below(4);
                Item::Loop(number, self.items(count, active, &[loops, &[number]].concat()))
            }
            1 | 2 => {
                let count = 1 + self.draw.below(3);
                let first = ThreadSet::range(0, [32, 32, 1, 64][self.draw.below(4) as usize]);
                let taken = match self.draw.below(3) {
                    0 => Taken::By(vec![first, self.program.block.without(&first)]),
                    _ => Taken::Together,
                };
                let set = |arm: usize| match &taken {
                    Taken::By(sets) => active.intersect(&sets[arm]),
                    _ => active,
                };
                let (one, other) = (set(0), set(1));
                let empty = self.draw.below(2) == 0;
                let first = self.items(count, one, loops);
                let second = if empty { Vec::new() } else { self.items(count, other, loops) };
                Item::Branch(Branch { arms: vec![first, second], taken, when: None })
            }
            _ => self.op(active, loops),
        }
    }

    fn op(&mut self, active: ThreadSet, loops: &[usize]) -> Item {
        let mut op = Op { active, exact: true, ..Op::default() };
        let whole = (0..2).all(|warp| [0, u32::MAX].contains(&active.lanes(warp))) && !active.is_empty();
        match self.draw.below(14) {
            0 | 1 if whole => op.effects.push(Effect::Barrier),
            2 | 3 if whole => op.effects.push(Effect::WarpBarrier),
            4 | 5 => {
                let pending = self.draw.below(3) as i64;
                op.effects.push(Effect::Wait { queue: Queue::CpAsync, pending, reads: false });
            }
            6 => op.effects.push(Effect::ProxyFence { shared: true }),
            7 => op.effects.push(Effect::Commit(Queue::CpAsync)),
            _ => {
                let access = self.access(active, loops);
                if access.completion != Completion::Now && self.draw.below(4) != 0 {
                    op.effects.push(Effect::Commit(Queue::CpAsync));
                }
                op.accesses.push(access);
            }
        }
        self.program.ops.push(op);
        Item::Op(self.program.ops.len() - 1)
    }

    /// Threads touch one word each, rotated by some positions; sometimes only one thread does. Rarely several threads touch
    /// one word, or it is not known which.
    fn access(&mut self, active: ThreadSet, loops: &[usize]) -> Access {
        let turn = [0, 0, 1, 32][self.draw.below(4) as usize];
        let one = self.draw.below(6) == 0;
        let sharing = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 64][self.draw.below(12) as usize];
        let touches = active.iter().filter(|&t| !one || t == 0);
        let word = |t: i64| 4 * ((t + turn) % THREADS / sharing);
        let bytes = Footprint::of(touches.map(|t| (t, word(t), word(t) + 4)));
        let is_known = self.draw.below(16) != 0;
        let mut shift = Shift::none();
        if let Some(&number) = loops.last().filter(|_| self.draw.below(2) == 0) {
            let ahead = self.draw.below(3) as i64;
            let stage = Periodic::line(ahead, 1).divided(3).unwrap().1.times(4 * THREADS).unwrap();
            let line = Periodic::line(ahead, 4 * THREADS);
            shift.loops.insert(number, if self.draw.below(3) == 0 { line } else { stage });
        }
        let write = self.draw.below(2) == 0;
        let completion = match self.draw.below(4) {
            0 => Completion::Group(Queue::CpAsync),
            _ => Completion::Now,
        };
        let through_async_proxy = self.draw.below(8) == 0;
        let object = self.draw.below(2) as usize;
        let access = Access { through_async_proxy, completion, shift, ..access(object, write, bytes) };
        if is_known { access } else { Access { bytes: None, ..access } }
    }
}

/// The program with an mbarrier that orders nothing, for which it is executed. All memory is written first: what is only read is
/// not followed.
fn executed(program: &SyncProgram) -> SyncProgram {
    let mut executed = SyncProgram { ringed: true, ..program.clone() };
    let (one, act) = (ThreadSet::range(0, 1), Act::Init { count: 1 });
    let made = Effect::Mbarrier(Box::new(Mbarrier { object: UNRELATED, byte: AddressForm::constant(0), act }));
    let written = |object| Access { through_async_proxy: true, ..access(object, true, Footprint::all(0, 4, one)) };
    let first = Op { active: one, exact: true, accesses: (0..UNRELATED).map(written).collect(), effects: vec![made] };
    let meet = Op { active: program.block, exact: true, effects: vec![Effect::Barrier], ..Op::default() };
    executed.body.splice(0..0, [executed.ops.len(), executed.ops.len() + 1].map(Item::Op));
    executed.ops.extend([first, meet]);
    executed
}

/// An access of a thread, in one execution of its operation, by its number.
type Event = usize;

/// A set of accesses, one bit each.
#[derive(Clone, Default)]
struct Events(Vec<u64>);

impl Events {
    fn insert(&mut self, event: Event) {
        self.0.resize(self.0.len().max(event / 64 + 1), 0);
        self.0[event / 64] |= 1 << (event % 64);
    }

    fn contains(&self, event: Event) -> bool {
        self.0.get(event / 64).is_some_and(|word| word >> (event % 64) & 1 == 1)
    }

    fn extend(&mut self, other: &Events) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }
}

/// What a thread has touched.
#[derive(Clone, Copy)]
struct Touch {
    event: Event,
    /// The execution of its operation.
    executed: usize,
    thread: i64,
    begin: i64,
    end: i64,
    write: bool,
    generic: bool,
}

/// One path through a program.
struct Walk<'p> {
    program: &'p SyncProgram,
    draw: Draw,
    iterations: BTreeMap<usize, i64>,
    /// The accesses known to each thread to be complete, and complete through a fence.
    knows: Vec<[Events; 2]>,
    /// The accesses that each thread has in flight, with the number of groups that it has closed since.
    flight: Vec<Vec<(Event, Option<i64>)>>,
    /// The touched bytes, by object.
    touched: BTreeMap<usize, Vec<Touch>>,
    events: usize,
    executed: usize,
    racy: bool,
}

impl<'p> Walk<'p> {
    /// Whether a random path leads to a race.
    fn races(program: &'p SyncProgram, seed: u64) -> bool {
        let mut walk = Walk {
            program,
            draw: Draw(seed | 1),
            iterations: BTreeMap::new(),
            knows: vec![Default::default(); THREADS as usize],
            flight: vec![Vec::new(); THREADS as usize],
            touched: BTreeMap::new(),
            events: 0,
            executed: 0,
            racy: false,
        };
        walk.items(&program.body);
        walk.racy || walk.flight.iter().any(|flight| !flight.is_empty())
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Op(op) => self.op(&self.program.ops[*op]),
                Item::Loop(number, body) => {
                    let looped = &self.program.loops[*number];
                    let trips = looped.trips.unwrap_or_else(|| self.draw.below(5) as i64);
                    for k in 0..trips {
                        self.iterations.insert(*number, k);
                        self.items(body);
                    }
                }
                Item::Branch(branch) if branch.taken == Taken::Together => {
                    let arm = self.draw.below(branch.arms.len() as u64) as usize;
                    self.items(&branch.arms[arm]);
                }
                Item::Branch(branch) => branch.arms.iter().for_each(|arm| self.items(arm)),
            }
        }
    }

    fn op(&mut self, op: &Op) {
        for access in &op.accesses {
            self.access(access, &op.active);
        }
        for effect in &op.effects {
            self.effect(effect, &op.active);
        }
    }

    fn access(&mut self, access: &Access, active: &ThreadSet) {
        self.executed += 1;
        let shift: i64 =
            access.shift.loops.iter().map(|(number, periodic)| periodic.at(self.iterations[number]).unwrap()).sum();
        let earlier = self.touched.entry(access.object).or_default();
        let made = earlier.len();
        // Where it is not known which bytes threads touch, all may touch the same.
        let anything = Footprint::all(-(1 << 40), 1 << 41, *active);
        for segment in access.bytes.as_deref().unwrap_or(&anything).segments() {
            for thread in segment.threads.iter() {
                let (begin, end) = (segment.begin + shift, segment.end + shift);
                let generic = !access.through_async_proxy;
                let (event, executed) = (self.events, self.executed);
                earlier.push(Touch { event, executed, thread, begin, end, write: access.write, generic });
                self.events += 1;
            }
        }
        for now in &earlier[made..] {
            let knows = &self.knows[now.thread as usize];
            for before in earlier.iter() {
                let meets = now.begin < before.end && before.begin < now.end && (now.write || before.write);
                if !meets || before.executed == now.executed && before.thread == now.thread {
                    continue;
                }
                let fenced = now.generic || !before.write || !before.generic || knows[1].contains(before.event);
                self.racy |= !knows[0].contains(before.event) || !fenced;
            }
        }
        for now in &earlier[made..] {
            match access.completion {
                Completion::Now => self.knows[now.thread as usize][0].insert(now.event),
                _ => self.flight[now.thread as usize].push((now.event, None)),
            }
        }
    }

    fn effect(&mut self, effect: &Effect, active: &ThreadSet) {
        match effect {
            Effect::Barrier => self.barrier(active),
            Effect::WarpBarrier => {
                for warp in 0..2 {
                    let lanes = active.intersect(&ThreadSet::range(32 * warp, 32 * warp + 32));
                    self.barrier(&lanes);
                }
            }
            Effect::Commit(_) => active.iter().for_each(|thread| {
                self.flight[thread as usize].iter_mut().for_each(|(_, closed)| *closed = Some(closed.unwrap_or(0) + 1));
            }),
            Effect::Wait { pending, .. } => {
                for thread in active.iter() {
                    let (done, left): (Vec<_>, Vec<_>) = std::mem::take(&mut self.flight[thread as usize])
                        .into_iter()
                        .partition(|(_, closed)| closed.is_some_and(|closed| closed > *pending));
                    self.flight[thread as usize] = left;
                    done.into_iter().for_each(|(event, _)| self.knows[thread as usize][0].insert(event));
                }
            }
            Effect::ProxyFence { .. } => active.iter().for_each(|thread| {
                let knows = &mut self.knows[thread as usize];
                knows[1] = knows[0].clone();
            }),
            Effect::PhaseWait(_) | Effect::Mbarrier(_) | Effect::MbarrierFence => {}
            Effect::TensorFence { .. } | Effect::TensorCommit => {}
            Effect::ClusterBarrier | Effect::ClusterArrive { .. } | Effect::ClusterWait => {}
            Effect::InterBlock { .. } => {}
        }
    }

    fn barrier(&mut self, members: &ThreadSet) {
        for which in 0..2 {
            let mut all = Events::default();
            members.iter().for_each(|thread| all.extend(&self.knows[thread as usize][which]));
            members.iter().for_each(|thread| self.knows[thread as usize][which].clone_from(&all));
        }
    }
}

/// Whether one of several random paths leads to a race.
fn races(program: &SyncProgram) -> bool {
    (1..=12).any(|seed| Walk::races(program, seed * 0x1234_5678_9abc_def1))
}

#[test]
fn nothing_racy_is_accepted() {
    let (mut accepted, mut refused, mut alarms) = (0, 0, 0);
    for seed in 1..1200 {
        let program = Maker::program(seed, false);
        let (clean, racy) = (check(&program).is_empty(), races(&program));
        assert!(!clean || !racy, "seed {seed} is racy: {program:#?}");
        assert!(!racy || !check(&executed(&program)).is_empty(), "seed {seed}, executed, is racy: {program:#?}");
        accepted += usize::from(clean);
        refused += usize::from(!clean && racy);
        alarms += usize::from(!clean && !racy);
    }
    println!("{accepted} accepted, {refused} refused, {alarms} refused without a race on the ways that were tried");
    assert!(accepted > 60 && refused > 200);
}

#[test]
fn straight_lines_are_exact() {
    let mut clean = 0;
    for seed in 1..1500 {
        let program = Maker::program(seed, true);
        let findings = check(&program);
        assert_eq!(findings.is_empty(), !races(&program), "seed {seed}: {findings:#?} {program:#?}");
        let findings = check(&executed(&program));
        assert_eq!(findings.is_empty(), !races(&program), "seed {seed}, executed: {findings:#?} {program:#?}");
        clean += usize::from(findings.is_empty());
    }
    assert!(clean > 100, "{clean}");
}

#[test]
fn what_is_inserted_orders_and_is_needed() {
    let (mut ordered, mut added) = (0, 0);
    for seed in 1..700 {
        let program = Maker::program(seed, seed % 2 == 0);
        let Ok(insertions) = insert(&program) else { continue };
        let whole = with(&program, &insertions);
        assert!(check(&whole).is_empty() && !races(&whole), "seed {seed}: {insertions:#?} {program:#?}");
        for (number, insertion) in insertions.iter().enumerate() {
            let mut fewer = whole.clone();
            fewer.ops[program.ops.len() + number].effects.clear();
            assert!(!check(&fewer).is_empty(), "seed {seed}: {insertion:#?} is in vain");
        }
        ordered += usize::from(!insertions.is_empty());
        added += insertions.len();
    }
    println!("{ordered} programs with {added} additions");
    assert!(ordered > 200 && added > 400, "{ordered} programs with {added} additions");
}

#[test]
fn what_is_redundant_can_go_at_once() {
    let mut removed = 0;
    for seed in 1..1000 {
        let mut program = Maker::program(seed, seed % 2 == 0);
        let vain = redundant(&program);
        for &op in &vain {
            program.ops[op].effects.clear();
        }
        removed += vain.len();
        assert!(vain.is_empty() || check(&program).is_empty() && !races(&program), "seed {seed}");
    }
    assert!(removed > 30, "{removed}");
}
