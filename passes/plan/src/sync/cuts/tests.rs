//! Compares insertions for small random programs with all possible sets of barriers.

use std::rc::Rc;

use tile_isa::{Space, WARP};

use crate::problem::threads::ThreadSet;
use crate::queue::Queue;
use crate::sync::access::{Access, Completion};
use crate::sync::cheapest::{classes, insert};
use crate::sync::cuts::cost;
use crate::sync::cuts::points::Points;
use crate::sync::finding::{Finding, Needs};
use crate::sync::items::{Branch, Item, Taken};
use crate::sync::periodic::Loop;
use crate::sync::places::{Insertion, with};
use crate::sync::program::{Effect, Op, SyncProgram};
use crate::sync::proved::check;
use crate::sync::shift::Shift;
use crate::touch::footprint::Footprint;

/// The kind of random programs.
#[derive(Clone, Copy, PartialEq)]
enum RandomKind {
    /// Uniform branches, and accesses that only a barrier of the block orders.
    Block,
    /// As `Block`, and accesses that a barrier of each warp orders.
    Warps,
    /// As `Block`, and reads through the async proxy.
    Proxies,
    /// As `Block`, and asynchronous copies, each in its own group.
    Groups,
    /// Branches that only some warps take, too, and accesses of all kinds.
    Any,
}

/// The insertions found by stabbing alone.
fn stab(program: &SyncProgram) -> Result<Vec<Insertion>, Vec<Finding>> {
    crate::sync::insert::stab(program, &classes(program))
}

struct Maker {
    state: u64,
    program: SyncProgram,
    class: RandomKind,
}

impl Maker {
    fn below(&mut self, limit: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % limit
    }

    fn program(seed: u64, class: RandomKind) -> SyncProgram {
        let program = SyncProgram { block: ThreadSet::range(0, 64), ..SyncProgram::default() };
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
                let split = self.class == RandomKind::Any && self.below(3) == 0;
                let sets = [first, self.program.block.without(&first)];
                let taken = if split { Taken::By(sets.to_vec()) } else { Taken::Together };
                let arms = sets.map(|set| {
                    let count = self.below(3);
                    self.items(count, depth + 1, if split { active.intersect(&set) } else { active })
                });
                Item::Branch(Branch { arms: arms.to_vec(), taken, when: None })
            }
            4 if self.class == RandomKind::Any => {
                let wait = Effect::Wait { queue: Queue::CpAsync, pending: 0, reads: false };
                let effect = [Effect::Commit(Queue::CpAsync), wait][self.below(2) as usize].clone();
                self.op(active, Vec::new(), vec![effect])
            }
            _ => {
                let access = self.access(active);
                let closes = self.class == RandomKind::Groups && access.completion != Completion::Now;
                self.op(active, vec![access], if closes { vec![Effect::Commit(Queue::CpAsync)] } else { Vec::new() })
            }
        }
    }

    fn op(&mut self, active: ThreadSet, accesses: Vec<Access>, effects: Vec<Effect>) -> Item {
        self.program.ops.push(Op { active, exact: true, accesses, effects });
        Item::Op(self.program.ops.len() - 1)
    }

    /// An access at which threads read words that threads of the other warp write.
    fn access(&mut self, active: ThreadSet) -> Access {
        let any = self.class == RandomKind::Any;
        let write = self.below(2) == 0;
        let turn = match any {
            true => [0, 1, WARP][self.below(3) as usize],
            false => WARP * i64::from(write),
        };
        let lanes = self.class == RandomKind::Warps && self.below(2) == 0;
        let place = |thread: i64| match lanes {
            true => 4 * (thread / WARP * WARP + (thread + i64::from(write)) % WARP),
            false => 4 * ((thread + turn) % (2 * WARP)),
        };
        let in_flight = match self.class {
            RandomKind::Any => self.below(4) == 0,
            RandomKind::Groups => write && self.below(2) == 0,
            _ => false,
        };
        let bytes = Footprint::of(active.iter().map(|thread| (thread, place(thread), place(thread) + 4)));
        let object = if self.class == RandomKind::Warps { usize::from(lanes) } else { self.below(2) as usize };
        Access {
            // So that writes need no order among each other.
            atomic: !any && write,
            through_async_proxy: self.class == RandomKind::Proxies && !write && self.below(2) == 0,
            completion: if in_flight { Completion::Group(Queue::CpAsync) } else { Completion::Now },
            bytes: Some(Rc::new(bytes)),
            shift: Shift::none(),
            ..Access::direct(object, Space::Shared, write)
        }
    }
}

/// All points, each with all lists of effects that may be inserted there.
fn places(program: &SyncProgram, lists: &[&[Effect]]) -> Vec<Vec<Vec<Insertion>>> {
    let reached = Points::new(program)
        .points
        .into_iter()
        .filter(|point| point.active.is_some_and(|by| by.threads == program.block));
    let inserted = reached.map(|point| {
        let put = |effect: &Effect| Insertion {
            before: point.before,
            out: point.out,
            effect: effect.clone(),
            active: program.block,
        };
        lists.iter().map(|list| list.iter().map(put).collect()).collect()
    });
    inserted.collect()
}

/// The least cost of all sets that order the program.
fn least(program: &SyncProgram, places: &[Vec<Vec<Insertion>>]) -> u64 {
    let mut sets: Vec<(u64, Vec<Insertion>)> = vec![(0, Vec::new())];
    for lists in places {
        let priced: Vec<_> = lists.iter().map(|list| (cost(program, list), list)).collect();
        let with = |set: &(u64, Vec<Insertion>)| {
            let more = priced.iter().map(|(price, list)| (set.0 + price, [&set.1[..], &list[..]].concat()));
            std::iter::once(set.clone()).chain(more).collect::<Vec<_>>()
        };
        sets = sets.iter().flat_map(with).collect();
    }
    sets.sort_by_key(|(cost, _)| *cost);
    let fits = |set: &[Insertion]| check(&with(program, set)).is_empty();
    sets.into_iter().find(|(_, set)| fits(set)).map(|(cost, _)| cost).unwrap()
}

/// Compares programs of a class with few points: the number compared, how many cost more than the cheapest set, and how
/// many cost less than by stabbing alone.
fn compared(class: RandomKind, seeds: u64, most: usize, lists: &[&[Effect]]) -> (usize, usize, usize) {
    let (mut looked, mut dearer, mut better) = (0, 0, 0);
    for seed in 1..seeds {
        let program = Maker::program(seed, class);
        let places = places(&program, lists);
        let stabbed = stab(&program).unwrap();
        if places.len() > most || stabbed.is_empty() {
            continue;
        }
        let inserted = insert(&program).unwrap();
        let (one, other) = (cost(&program, &inserted), cost(&program, &stabbed));
        let best = least(&program, &places);
        assert!(best <= one && one <= other, "seed {seed}: {best} {one} {other} {inserted:#?} {:#?}", program.body);
        looked += 1;
        dearer += usize::from(one > best);
        better += usize::from(one < other);
    }
    println!("{looked} programs, {dearer} not the cheapest; {better} are cheaper than by stabbing alone");
    (looked, dearer, better)
}

#[test]
fn barriers_of_the_block_and_of_warps_are_seldom_dearer_than_the_cheapest() {
    let (looked, dearer, better) = compared(RandomKind::Warps, 1000, 6, &[&[Effect::WarpBarrier], &[Effect::Barrier]]);
    assert!(
        looked > 60 && dearer * 25 <= looked && better > 10,
        "{looked} programs, {dearer} dearer, {better} cheaper"
    );
}

#[test]
fn barriers_and_proxy_fences_are_the_cheapest() {
    let fence = Effect::ProxyFence { shared: true };
    let (before, behind) = ([fence.clone(), Effect::Barrier], [Effect::Barrier, fence.clone()]);
    let lists: [&[Effect]; 4] = [&[Effect::Barrier], &[fence], &before, &behind];
    let (looked, dearer, better) = compared(RandomKind::Proxies, 1000, 5, &lists);
    assert!(looked > 40 && dearer == 0 && better > 5, "{looked} programs, {dearer} dearer, {better} cheaper");
}

/// Waits are not moved ahead to save a barrier, since the copy would be waited for earlier than necessary.
#[test]
fn barriers_behind_waits_are_the_cheapest() {
    let (mut looked, mut better) = (0, 0);
    for seed in 1..1200 {
        let program = Maker::program(seed, RandomKind::Groups);
        if places(&program, &[]).len() > 6 {
            continue;
        }
        let stabbed = stab(&program).unwrap();
        let inserted = insert(&program).unwrap();
        let barriers = |insertion: &Insertion| matches!(insertion.effect, Effect::Barrier | Effect::WarpBarrier);
        let waits: Vec<Insertion> = inserted.iter().filter(|insertion| !barriers(insertion)).cloned().collect();
        let base = with(&program, &waits);
        let places = places(&base, &[&[Effect::Barrier]]);
        if places.len() > 7 || waits.is_empty() {
            continue;
        }
        let (one, other) = (cost(&program, &inserted), cost(&program, &stabbed));
        let best = cost(&program, &waits) + least(&base, &places);
        assert!(one == best && one <= other, "seed {seed}: {best} {one} {other} {inserted:#?} {:#?}", program.body);
        looked += 1;
        better += usize::from(one < other);
    }
    println!("{looked} programs; {better} are cheaper than by stabbing alone");
    assert!(looked > 100 && better > 5, "{looked} programs, {better} cheaper");
}

#[test]
fn barriers_of_the_block_are_seldom_dearer_than_the_cheapest() {
    let (looked, dearer, better) = compared(RandomKind::Block, 1200, 9, &[&[Effect::Barrier]]);
    assert!(
        looked > 200 && dearer * 25 <= looked && better > 50,
        "{looked} programs, {dearer} dearer, {better} cheaper"
    );
}

#[test]
fn no_program_becomes_worse() {
    let (mut looked, mut better) = (0, 0);
    for seed in 1..1500 {
        let program = Maker::program(seed, RandomKind::Any);
        let stabbed = match stab(&program) {
            Ok(stabbed) => stabbed,
            Err(left) => {
                let apart =
                    |finding: &Finding| finding.conflict().is_some_and(|conflict| conflict.needs == Needs::Apart);
                assert!(left.iter().any(apart), "seed {seed}: what is left could be ordered: {left:#?}");
                continue;
            }
        };
        let inserted = insert(&program).unwrap();
        let whole = with(&program, &inserted);
        assert!(check(&whole).is_empty(), "seed {seed}: {inserted:#?}");
        let (one, other) = (cost(&program, &inserted), cost(&program, &stabbed));
        assert!(one <= other, "seed {seed}: {inserted:#?} {stabbed:#?}");
        for (number, insertion) in inserted.iter().enumerate() {
            let mut fewer = whole.clone();
            fewer.ops[program.ops.len() + number].effects.clear();
            assert!(!check(&fewer).is_empty(), "seed {seed}: {insertion:#?} is in vain");
        }
        looked += usize::from(!inserted.is_empty());
        better += usize::from(one < other);
    }
    println!("{looked} programs, {better} of them cheaper than by stabbing alone");
    assert!(looked > 900 && better > 300, "{looked} programs, {better} cheaper");
}
