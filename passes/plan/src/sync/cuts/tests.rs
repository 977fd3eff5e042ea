//! Small random programs against all sets of barriers.

use std::rc::Rc;

use tile_isa::WARP;

use crate::problem::threads::ThreadSet;
use crate::sync::check::check;
use crate::sync::cuts::cost;
use crate::sync::cuts::points::Points;
use crate::sync::finding::{Finding, Needs};
use crate::sync::insert::{insert, stab};
use crate::sync::loops::Loop;
use crate::sync::places::{Insertion, with};
use crate::sync::program::{Access, Branch, Completion, Effect, Item, Op, Program, Taken};
use crate::sync::shift::Shift;
use crate::touch::Queue;
use crate::touch::footprint::Footprint;

/// What is drawn.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    /// Branches that all threads take alike, and accesses that only a barrier of the block orders.
    Block,
    /// Branches of some warps, too, and accesses of all kinds.
    Any,
}

struct Maker {
    state: u64,
    program: Program,
    class: Class,
}

impl Maker {
    fn below(&mut self, limit: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % limit
    }

    fn program(seed: u64, class: Class) -> Program {
        let program = Program { block: ThreadSet::range(0, 64), ..Program::default() };
        let mut maker = Maker { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, program, class };
        let count = 3 + maker.below(3);
        maker.program.body = maker.items(count, 0, ThreadSet::range(0, 64));
        let last = maker.op(ThreadSet::range(0, 64), Vec::new(), Vec::new());
        maker.program.end = Some(maker.program.ops.len() - 1);
        maker.program.body.push(last);
        maker.program
    }

    fn items(&mut self, count: u64, depth: usize, active: ThreadSet) -> Vec<Item> {
        (0..count).map(|_| self.item(depth, active)).collect()
    }

    fn item(&mut self, depth: usize, active: ThreadSet) -> Item {
        match self.below(8) {
            0 if depth < 2 => {
                let entered = self.below(2) == 0;
                self.program.loops.push(Loop { entered, ..Loop::default() });
                let (number, count) = (self.program.loops.len() - 1, 1 + self.below(2));
                Item::Loop(number, self.items(count, depth + 1, active))
            }
            1..=3 if depth < 2 => {
                let first = ThreadSet::range(0, 32);
                let split = self.class == Class::Any && self.below(3) == 0;
                let sets = [first, self.program.block.without(&first)];
                let taken = if split { Taken::By(sets.to_vec()) } else { Taken::Together };
                let arms = sets.map(|set| {
                    let count = self.below(3);
                    self.items(count, depth + 1, if split { active.intersect(&set) } else { active })
                });
                Item::Branch(Branch { arms: arms.to_vec(), taken, when: None })
            }
            4 if self.class == Class::Any => {
                let wait = Effect::Wait { queue: Queue::CpAsync, pending: 0, reads: false };
                let effect = [Effect::Commit(Queue::CpAsync), wait][self.below(2) as usize].clone();
                self.op(active, Vec::new(), vec![effect])
            }
            _ => {
                let access = self.access(active);
                self.op(active, vec![access], Vec::new())
            }
        }
    }

    fn op(&mut self, active: ThreadSet, accesses: Vec<Access>, effects: Vec<Effect>) -> Item {
        self.program.ops.push(Op { active, exact: true, accesses, effects });
        Item::Op(self.program.ops.len() - 1)
    }

    /// Threads read words that those of the other warp write.
    fn access(&mut self, active: ThreadSet) -> Access {
        let any = self.class == Class::Any;
        let write = self.below(2) == 0;
        let turn = match any {
            true => [0, 1, WARP][self.below(3) as usize],
            false => WARP * i64::from(write),
        };
        let place = |thread: i64| 4 * ((thread + turn) % (2 * WARP));
        let bytes = Footprint::of(active.iter().map(|thread| (thread, place(thread), place(thread) + 4)));
        Access {
            object: self.below(2) as usize,
            shared: true,
            write,
            // So that those who write do not have to be in order with each other.
            atomic: !any && write,
            through_async_proxy: false,
            by_warps: false,
            way: None,
            completion: if any && self.below(4) == 0 { Completion::Group(Queue::CpAsync) } else { Completion::Now },
            bytes: Some(Rc::new(bytes)),
            shift: Shift::none(),
        }
    }
}

/// All places for a barrier of the block.
fn places(program: &Program) -> Vec<Insertion> {
    let of = Points::new(program).points.into_iter().map(|point| {
        let active = point.active.filter(|active| *active == program.block)?;
        Some(Insertion { before: point.before, out: point.out, effect: Effect::Barrier, active })
    });
    of.flatten().collect()
}

/// The least cost of all sets of barriers of the block that order everything.
fn least(program: &Program, places: &[Insertion]) -> u64 {
    let sets = (0..1u32 << places.len()).map(|set| {
        let chosen = places.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        chosen.map(|(_, place)| place.clone()).collect::<Vec<_>>()
    });
    let mut priced: Vec<(u64, Vec<Insertion>)> = sets.map(|set| (cost(program, &set), set)).collect();
    priced.sort_by_key(|(cost, _)| *cost);
    priced.into_iter().find(|(_, set)| check(&with(program, set)).is_empty()).map(|(cost, _)| cost).unwrap()
}

#[test]
fn barriers_of_the_block_are_the_cheapest() {
    let (mut looked, mut before, mut after, mut better) = (0, 0, 0, 0);
    for seed in 1..1200 {
        let program = Maker::program(seed, Class::Block);
        let places = places(&program);
        let stabbed = stab(&program).unwrap();
        if places.len() > 9 || stabbed.is_empty() {
            continue;
        }
        let found = insert(&program).unwrap();
        let (one, other) = (cost(&program, &found), cost(&program, &stabbed));
        assert_eq!(one, least(&program, &places), "seed {seed}: {found:#?} {:#?}", program.body);
        looked += 1;
        (before, after) = (before + stabbed.len(), after + found.len());
        better += usize::from(one < other);
    }
    println!("{looked} programs, {before} barriers by stabbing alone, {after} by cuts; {better} are cheaper");
    assert!(looked > 200 && better > 50, "{looked} programs, {better} cheaper");
}

#[test]
fn no_program_becomes_worse() {
    let (mut looked, mut better) = (0, 0);
    for seed in 1..1500 {
        let program = Maker::program(seed, Class::Any);
        let stabbed = match stab(&program) {
            Ok(stabbed) => stabbed,
            Err(left) => {
                let apart = |it: &Finding| it.conflict().is_some_and(|it| it.needs == Needs::Apart);
                assert!(left.iter().any(apart), "seed {seed}: what is left could be ordered: {left:#?}");
                continue;
            }
        };
        let found = insert(&program).unwrap();
        let whole = with(&program, &found);
        assert!(check(&whole).is_empty(), "seed {seed}: {found:#?}");
        let (one, other) = (cost(&program, &found), cost(&program, &stabbed));
        assert!(one <= other, "seed {seed}: {found:#?} {stabbed:#?}");
        for (number, insertion) in found.iter().enumerate() {
            let mut fewer = whole.clone();
            fewer.ops[program.ops.len() + number].effects.clear();
            assert!(!check(&fewer).is_empty(), "seed {seed}: {insertion:#?} is in vain");
        }
        looked += usize::from(!found.is_empty());
        better += usize::from(one < other);
    }
    println!("{looked} programs, {better} of them cheaper than by stabbing alone");
    assert!(looked > 900 && better > 300, "{looked} programs, {better} cheaper");
}
