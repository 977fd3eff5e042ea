//! Random programs and the placement of their buffers, compared with paths through them along which each byte is
//! tracked.

use std::collections::BTreeMap;

use crate::common::access::access;
use crate::common::tape::Draw;
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{
    Access, Branch, Completion, Effect, Footprint, Item, Loop, MemoryPlan, Op, SharedBuffer, SyncProgram, Taken,
    plan_memory,
};

const THREADS: i64 = 64;
const WORDS: i64 = 8;

struct Maker {
    draw: Draw,
    program: SyncProgram,
    objects: u64,
}

impl Maker {
    fn program(seed: u64) -> (SyncProgram, Vec<SharedBuffer>) {
        let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let objects = 2 + draw.below(5);
        let buffer = |draw: &mut Draw, object| {
            let bytes = 4 * WORDS * (1 + draw.below(4) as i64);
            let (alignment, holds_mbarrier) = (16 << draw.below(3), draw.below(16) == 0);
            SharedBuffer { object, used: 4 * WORDS, bytes, alignment, holds_mbarrier }
        };
        let buffers = (0..objects as usize).map(|object| buffer(&mut draw, object)).collect();
        let program = SyncProgram { block: ThreadSet::range(0, THREADS), ..SyncProgram::default() };
        let mut maker = Maker { draw, program, objects };
        let count = 3 + maker.draw.below(8);
        maker.program.body = maker.items(count, maker.program.block, 0);
        (maker.program, buffers)
    }

    fn items(&mut self, count: u64, active: ThreadSet, depth: u64) -> Vec<Item> {
        (0..count).map(|_| self.item(active, depth)).collect()
    }

    fn item(&mut self, active: ThreadSet, depth: u64) -> Item {
        let count = 1 + self.draw.below(4);
        match self.draw.below(12) {
            0 if depth < 2 => {
                let entered = self.draw.below(2) == 0;
                self.program.loops.push(Loop { entered, ..Loop::default() });
                Item::Loop(self.program.loops.len() - 1, self.items(count, active, depth + 1))
            }
            1 if depth < 2 => {
                let first = ThreadSet::range(0, 32);
                let taken = match self.draw.below(2) {
                    0 => Taken::Together,
                    _ => Taken::By(vec![first, self.program.block.without(&first)]),
                };
                let sets = if let Taken::By(sets) = &taken { sets.clone() } else { vec![active; 2] };
                let arms = sets.iter().map(|set| self.items(count, active.intersect(set), depth + 1)).collect();
                Item::Branch(Branch { arms, taken, when: None })
            }
            _ => {
                let mut op = Op { active, exact: true, ..Op::default() };
                for _ in 0..1 + self.draw.below(2) {
                    op.accesses.push(self.access(active));
                }
                self.program.ops.push(op);
                Item::Op(self.program.ops.len() - 1)
            }
        }
    }

    /// All threads touch all words, or half of them.
    fn access(&mut self, active: ThreadSet) -> Access {
        let (begin, end) = [(0, WORDS), (0, WORDS), (0, WORDS / 2), (WORDS / 2, WORDS)][self.draw.below(4) as usize];
        let (object, write) = (self.draw.below(self.objects) as usize, self.draw.below(2) == 0);
        let atomic = self.draw.below(8) == 0;
        Access { atomic, ..access(object, write, Footprint::all(4 * begin, 4 * end, active)) }
    }
}

/// One path through a program: what is touched in each step; steps of different threads are merged.
struct Walk<'p> {
    program: &'p SyncProgram,
    draw: Draw,
    steps: Vec<Vec<usize>>,
}

impl Walk<'_> {
    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Op(op) => self.steps.push(vec![*op]),
                Item::Loop(number, body) => {
                    let least = u64::from(self.program.loops[*number].entered);
                    (0..least + self.draw.below(3)).for_each(|_| self.items(body));
                }
                Item::Branch(Branch { arms, taken: Taken::By(_), .. }) => {
                    let before = self.steps.len();
                    arms.iter().for_each(|arm| self.items(arm));
                    let all = self.steps.split_off(before).concat();
                    self.steps.push(all);
                }
                Item::Branch(branch) => {
                    let arm = self.draw.below(branch.arms.len() as u64) as usize;
                    self.items(&branch.arms[arm]);
                }
            }
        }
    }

    /// For each object, the steps in which it is touched or holds bytes that will be read, or an mbarrier.
    fn live(&self, buffers: &[SharedBuffer]) -> BTreeMap<usize, Vec<bool>> {
        let mut live: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
        let mut written: BTreeMap<(usize, i64), usize> = BTreeMap::new();
        for (step, ops) in self.steps.iter().enumerate() {
            for access in ops.iter().flat_map(|&op| &self.program.ops[op].accesses) {
                let alive = live.entry(access.object).or_insert_with(|| vec![false; self.steps.len()]);
                alive[step] = true;
                let bytes = access.bytes.as_ref().and_then(|bytes| bytes.bounds()).unwrap();
                for byte in (bytes.0..bytes.1).step_by(4) {
                    if !access.write || access.atomic {
                        // From the step that wrote the byte, or only this step if none did.
                        let from = written.get(&(access.object, byte)).copied().unwrap_or(step);
                        alive[from..=step].fill(true);
                    }
                    if access.write {
                        written.insert((access.object, byte), step);
                    }
                }
            }
        }
        for buffer in buffers.iter().filter(|buffer| buffer.holds_mbarrier) {
            let steps = live.get_mut(&buffer.object).into_iter().flatten();
            steps.skip_while(|is_live| !**is_live).for_each(|is_live| *is_live = true);
        }
        live
    }
}

fn check(seed: u64, program: &SyncProgram, buffers: &[SharedBuffer], memory: &MemoryPlan) {
    let overlap = |a: usize, b: usize| {
        let (from, to) = (memory.begins[a], memory.begins[b]);
        from < to + buffers[b].bytes && to < from + buffers[a].bytes
    };
    for way in 1..6 {
        let mut walk = Walk { program, draw: Draw(seed * 31 + way), steps: Vec::new() };
        walk.items(&program.body);
        let live = walk.live(buffers);
        for (&a, first) in &live {
            for (&b, second) in live.range(a + 1..) {
                let together = first.iter().zip(second).any(|(a, b)| *a && *b);
                assert!(
                    !together || !overlap(a, b),
                    "seed {seed}: {a} and {b} share: {memory:?} {buffers:?} {program:#?}"
                );
            }
        }
    }
}

#[test]
fn what_is_live_at_once_shares_nothing() {
    let (mut apart, mut shared, mut least) = (0, 0, 0);
    for seed in 1..4000 {
        let (program, buffers) = Maker::program(seed);
        let memory = plan_memory(&program, &buffers, true);
        for (buffer, begin) in buffers.iter().zip(&memory.begins) {
            assert_eq!(begin % buffer.alignment, 0, "seed {seed}");
            assert!((0..=memory.bytes - buffer.bytes).contains(begin), "seed {seed}");
        }
        check(seed, &program, &buffers, &memory);
        let alone = plan_memory(&program, &buffers, false);
        assert!(memory.bytes <= alone.bytes, "seed {seed}");
        let live: i64 = memory.most.iter().map(|&buffer| buffers[buffer].bytes).sum();
        assert!(live <= memory.bytes, "seed {seed}");
        (apart, shared, least) = (apart + alone.bytes, shared + memory.bytes, least + live);
    }
    println!("{apart} bytes apart, {shared} where some share, {least} live at once");
    assert!(shared * 10 < apart * 9 && shared * 100 < least * 115);
}

/// A tile that a bulk copy fills and nobody reads keeps its bytes until the wait for the copy.
#[test]
fn a_copy_in_flight_keeps_its_tile() {
    let block = ThreadSet::range(0, THREADS);
    let touches =
        |object, write, completion| Access { completion, ..access(object, write, Footprint::all(0, 4 * WORDS, block)) };
    let op = |accesses, effects| Op { active: block, exact: true, accesses, effects };
    let issue = op(vec![touches(0, true, Completion::Phase(0))], Vec::new());
    let scratch = |write| op(vec![touches(1, write, Completion::Now)], Vec::new());
    let wait = op(Vec::new(), vec![Effect::PhaseWait(vec![0])]);
    let buffers: Vec<SharedBuffer> = [0, 1]
        .map(|object| SharedBuffer { object, used: 4 * WORDS, bytes: 4 * WORDS, alignment: 16, holds_mbarrier: false })
        .to_vec();
    for (ops, bytes) in [
        (vec![issue.clone(), scratch(true), scratch(false), wait.clone()], 8 * WORDS),
        (vec![issue, wait, scratch(true), scratch(false)], 4 * WORDS),
    ] {
        let body = (0..ops.len()).map(Item::Op).collect();
        let program = SyncProgram { block, ops, body, ..SyncProgram::default() };
        assert_eq!(plan_memory(&program, &buffers, true).bytes, bytes);
    }
}
