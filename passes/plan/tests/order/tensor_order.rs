//! Random programs on tensor memory, compared with an oracle that walks paths through them and tracks, for each thread,
//! which accesses it knows to be complete: at all, followed by a fence before, followed by both fences.

use std::collections::HashSet;

use crate::common::access::access;
use crate::common::tape::Draw;
use tile_isa::Space;
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{
    Access, Branch, Completion, Effect, Footprint, Item, Loop, Op, Pipe, Queue, SyncProgram, TENSOR_COLUMN_BYTES,
    Taken, check, insert, with,
};
use tile_plan::touch::Collective;

const THREADS: i64 = 64;

/// Makes programs from a seed.
struct Maker {
    draw: Draw,
    program: SyncProgram,
    straight: bool,
    phases: usize,
}

impl Maker {
    fn program(seed: u64, straight: bool) -> SyncProgram {
        let program = SyncProgram { block: ThreadSet::range(0, THREADS), ..SyncProgram::default() };
        let draw = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut maker = Maker { draw, program, straight, phases: 0 };
        let count = 2 + maker.draw.below(7);
        let mut body = maker.items(count, ThreadSet::range(0, THREADS), 0);
        maker.program.end = Some(maker.program.ops.len());
        body.push(maker.push(Op { active: maker.program.block, exact: true, ..Op::default() }));
        maker.program.body = body;
        maker.program
    }

    fn push(&mut self, op: Op) -> Item {
        self.program.ops.push(op);
        Item::Op(self.program.ops.len() - 1)
    }

    fn items(&mut self, count: u64, active: ThreadSet, depth: usize) -> Vec<Item> {
        (0..count).map(|_| self.item(active, depth)).collect()
    }

    fn item(&mut self, active: ThreadSet, depth: usize) -> Item {
        match if self.straight { 9 } else { self.draw.below(10) } {
            0 if depth < 2 => {
                let (number, trips) = (self.program.loops.len(), 1 + self.draw.below(3) as i64);
                let known = self.draw.below(2) == 0;
                self.program.loops.push(Loop { trips: known.then_some(trips), entered: known, ..Loop::default() });
                let count = 1 + self.draw.below(4);
                Item::Loop(number, self.items(count, active, depth + 1))
            }
            1 if depth < 2 => {
                let first = ThreadSet::range(0, [32, 1][self.draw.below(2) as usize]);
                let taken = match self.draw.below(2) {
                    0 => Taken::By(vec![first, self.program.block.without(&first)]),
                    _ => Taken::Together,
                };
                let set = |arm: usize| match &taken {
                    Taken::By(sets) => active.intersect(&sets[arm]),
                    _ => active,
                };
                let (one, other) = (set(0), set(1));
                let count = 1 + self.draw.below(3);
                let arms = vec![self.items(count, one, depth + 1), self.items(count - 1, other, depth + 1)];
                Item::Branch(Branch { arms, taken, when: None })
            }
            _ => self.op(active, depth),
        }
    }

    fn op(&mut self, active: ThreadSet, depth: usize) -> Item {
        let mut op = Op { active, exact: true, ..Op::default() };
        let whole = (0..2).all(|warp| [0, u32::MAX].contains(&active.lanes(warp))) && !active.is_empty();
        let wait = |queue| Effect::Wait { queue, pending: 0, reads: false };
        match self.draw.below(13) {
            0 | 1 if whole => op.effects.push(Effect::Barrier),
            2 if whole => op.effects.push(wait(Queue::TmemLoad)),
            3 | 4 if whole => op.effects.push(wait(Queue::TmemStore)),
            5 | 6 => op.effects.push(Effect::TensorFence { before: true }),
            7 | 8 => op.effects.push(Effect::TensorFence { before: false }),
            9 if depth == 0 => return self.copy(),
            10 if whole && self.draw.below(4) == 0 => {
                let all = self.access(ThreadSet::range(0, 32), |_| (0, THREADS));
                op.active = ThreadSet::range(0, 32);
                op.accesses.push(Access { write: true, collective: Collective::Warp, ..all });
            }
            _ if whole => {
                let (turn, load) = ([0, 0, 1, 32][self.draw.below(4) as usize], self.draw.below(2) == 0);
                let queue = if load { Queue::TmemLoad } else { Queue::TmemStore };
                let each = self.access(active, |thread| ((thread + turn) % THREADS, (thread + turn) % THREADS + 1));
                op.accesses.push(Access { write: !load, completion: Completion::Group(queue), ..each });
            }
            _ => {}
        }
        self.push(op)
    }

    /// A copy or a product by one thread, or a wait for the phases of those before.
    fn copy(&mut self) -> Item {
        let block = self.program.block;
        if self.phases > 0 && self.draw.below(2) == 0 {
            let effects = vec![Effect::PhaseWait((0..self.phases).collect())];
            return self.push(Op { active: block, exact: true, accesses: Vec::new(), effects });
        }
        let one = ThreadSet::range(0, 1);
        let columns = [(0, 32), (0, 32), (16, 32), (32, 64)][self.draw.below(4) as usize];
        let access = self.access(one, |_| columns);
        let completion = Completion::Phase(self.phases);
        let pipe = [Pipe::Copy, Pipe::Operand, Pipe::Sum(0), Pipe::Sum(1)][self.draw.below(4) as usize];
        let (write, pipe) = (pipe != Pipe::Operand, Some(pipe));
        let access = Access { write, pipe, through_async_proxy: true, completion, ..access };
        self.phases += 1;
        let op = self.push(Op { active: one, exact: true, accesses: vec![access], effects: Vec::new() });
        let taken = Taken::By(vec![one, block.without(&one)]);
        Item::Branch(Branch { arms: vec![vec![op], Vec::new()], taken, when: None })
    }

    fn access(&self, threads: ThreadSet, columns: impl Fn(i64) -> (i64, i64)) -> Access {
        let bytes = |thread| {
            let (first, last) = columns(thread);
            (thread, first * TENSOR_COLUMN_BYTES, last * TENSOR_COLUMN_BYTES)
        };
        Access { space: Space::Tmem, ..access(0, false, Footprint::of(threads.iter().map(bytes))) }
    }
}

/// An access of a thread, in one execution of its operation.
type Event = (usize, i64);

/// The accesses that a thread knows of.
#[derive(Clone, Default)]
struct Knows {
    /// Complete, at all.
    plain: HashSet<Event>,
    /// Its own, complete.
    issued: HashSet<Event>,
    /// Followed by a fence before.
    sent: HashSet<Event>,
    /// Followed by both fences, or complete and by its own warp.
    seen: HashSet<Event>,
}

/// An access: its event, first byte, end, whether it writes, its pipe, and what completes it.
type Touched = (Event, i64, i64, bool, Option<Pipe>, Completion);

/// One path through a program.
struct Walk<'p> {
    program: &'p SyncProgram,
    draw: Draw,
    knows: Vec<Knows>,
    flight: Vec<(Event, Completion)>,
    touched: Vec<Touched>,
    executed: usize,
    racy: bool,
}

impl<'p> Walk<'p> {
    fn races(program: &'p SyncProgram, seed: u64) -> bool {
        let knows = vec![Knows::default(); THREADS as usize];
        let (flight, touched, draw) = (Vec::new(), Vec::new(), Draw(seed | 1));
        let mut walk = Walk { program, draw, knows, flight, touched, executed: 0, racy: false };
        walk.items(&program.body);
        walk.racy || !walk.flight.is_empty()
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Op(op) => {
                    let op = &self.program.ops[*op];
                    op.accesses.iter().for_each(|access| self.access(access));
                    op.effects.iter().for_each(|effect| self.effect(effect, &op.active));
                }
                Item::Loop(number, body) => {
                    let trips = self.program.loops[*number].trips;
                    let trips = trips.unwrap_or_else(|| self.draw.below(4) as i64);
                    (0..trips).for_each(|_| self.items(body));
                }
                Item::Branch(branch) if branch.taken == Taken::Together => {
                    let arm = self.draw.below(branch.arms.len() as u64) as usize;
                    self.items(&branch.arms[arm]);
                }
                Item::Branch(branch) => branch.arms.iter().for_each(|arm| self.items(arm)),
            }
        }
    }

    fn access(&mut self, access: &Access) {
        self.executed += 1;
        let mut made: Vec<Touched> = Vec::new();
        for segment in access.bytes.as_ref().unwrap().segments() {
            let (executed, pipe) = (self.executed, access.pipe);
            let event =
                |thread| ((executed, thread), segment.begin, segment.end, access.write, pipe, access.completion);
            made.extend(segment.threads.iter().map(event));
        }
        for &(event, begin, end, write, pipe, completion) in &made {
            for &(earlier, from, to, wrote, other, before) in &self.touched {
                if from >= end || begin >= to || !(write || wrote) {
                    continue;
                }
                let knows = &self.knows[event.1 as usize];
                self.racy |= match () {
                    () if completion == Completion::Now || before == Completion::Now => !knows.plain.contains(&earlier),
                    () if event.1 == earlier.1 && is_piped((other, from, to), (pipe, begin, end)) => false,
                    () => !knows.seen.contains(&earlier),
                };
            }
        }
        for &(event, .., completion) in &made {
            if completion != Completion::Now {
                self.flight.push((event, completion));
                continue;
            }
            let knows = &mut self.knows[event.1 as usize];
            knows.plain.insert(event);
            knows.issued.insert(event);
        }
        self.flight.dedup();
        self.touched.extend(made);
    }

    fn effect(&mut self, effect: &Effect, active: &ThreadSet) {
        match effect {
            Effect::Barrier | Effect::WarpBarrier => {
                let sets = match effect {
                    Effect::Barrier => vec![*active],
                    _ => [0, 32].map(|first| active.intersect(&ThreadSet::range(first, first + 32))).to_vec(),
                };
                sets.iter().for_each(|members| self.meet(members));
            }
            Effect::Wait { queue, .. } => {
                for (event, _) in self
                    .done(|(event, completion)| *completion == Completion::Group(*queue) && active.contains(event.1))
                {
                    self.knows[event.1 as usize].issued.insert(event);
                    let first = event.1 / 32 * 32;
                    for thread in first..first + 32 {
                        let knows = &mut self.knows[thread as usize];
                        knows.plain.insert(event);
                        knows.seen.insert(event);
                    }
                }
            }
            Effect::PhaseWait(phases) => {
                let over = |(_, completion): &(Event, Completion)| matches!(completion, Completion::Phase(phase) if phases.contains(phase));
                for (event, _) in self.done(over) {
                    for thread in active.iter() {
                        let knows = &mut self.knows[thread as usize];
                        knows.plain.insert(event);
                        knows.sent.insert(event);
                    }
                }
            }
            Effect::TensorFence { before } => active.iter().for_each(|thread| {
                let knows = &mut self.knows[thread as usize];
                match before {
                    true => knows.sent.extend(knows.issued.iter().copied()),
                    false => knows.seen.extend(knows.sent.iter().copied()),
                }
            }),
            _ => {}
        }
    }

    /// Removes completed accesses from those in flight.
    fn done(&mut self, over: impl Fn(&(Event, Completion)) -> bool) -> Vec<(Event, Completion)> {
        let (done, left) = std::mem::take(&mut self.flight).into_iter().partition(over);
        self.flight = left;
        done
    }

    fn meet(&mut self, members: &ThreadSet) {
        let (mut plain, mut sent) = (HashSet::new(), HashSet::new());
        for thread in members.iter() {
            plain.extend(self.knows[thread as usize].plain.iter().copied());
            sent.extend(self.knows[thread as usize].sent.iter().copied());
        }
        for thread in members.iter() {
            let knows = &mut self.knows[thread as usize];
            (knows.plain, knows.sent) = (plain.clone(), sent.clone());
        }
    }
}

/// Whether the second of two accesses of one thread is executed after the first without a wait.
fn is_piped(first: (Option<Pipe>, i64, i64), second: (Option<Pipe>, i64, i64)) -> bool {
    match (first.0, second.0) {
        (Some(Pipe::Copy), Some(Pipe::Sum(_) | Pipe::Operand)) => true,
        (Some(Pipe::Sum(_)), Some(Pipe::Sum(_))) => first == second,
        _ => false,
    }
}

/// Whether one of several random paths leads to a race.
fn races(program: &SyncProgram) -> bool {
    (1..=8).any(|seed| Walk::races(program, seed * 0x1234_5678_9abc_def1))
}

#[test]
fn nothing_racy_is_accepted() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 1..1000 {
        let program = Maker::program(seed, false);
        let (clean, racy) = (check(&program).is_empty(), races(&program));
        assert!(!clean || !racy, "seed {seed} is racy: {program:#?}");
        accepted += usize::from(clean);
        refused += usize::from(!clean && racy);
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 40 && refused > 200, "{accepted} accepted, {refused} refused");
}

#[test]
fn straight_lines_are_exact() {
    let mut clean = 0;
    for seed in 1..1000 {
        let program = Maker::program(seed, true);
        let findings = check(&program);
        assert_eq!(findings.is_empty(), !races(&program), "seed {seed}: {findings:#?} {program:#?}");
        clean += usize::from(findings.is_empty());
    }
    println!("{clean} of 1000 are in order");
    assert!(clean > 40, "{clean}");
}

#[test]
fn what_is_inserted_orders_and_is_needed() {
    let (mut ordered, mut added) = (0, [0; 4]);
    for seed in 1..400 {
        let program = Maker::program(seed, seed % 2 == 0);
        let Ok(insertions) = insert(&program) else { continue };
        let whole = with(&program, &insertions);
        assert!(check(&whole).is_empty() && !races(&whole), "seed {seed}: {insertions:#?} {program:#?}");
        for (number, insertion) in insertions.iter().enumerate() {
            let mut fewer = whole.clone();
            fewer.ops[program.ops.len() + number].effects.clear();
            assert!(!check(&fewer).is_empty(), "seed {seed}: {insertion:#?} is in vain");
            added[match insertion.effect {
                Effect::Wait { .. } => 0,
                Effect::TensorFence { before: true } => 1,
                Effect::TensorFence { before: false } => 2,
                _ => 3,
            }] += 1;
        }
        ordered += usize::from(!insertions.is_empty());
    }
    println!("{ordered} programs with {added:?} waits, fences before and after, barriers");
    assert!(ordered > 100 && added.iter().all(|count| *count > 20), "{ordered} programs with {added:?}");
}
