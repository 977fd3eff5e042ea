//! Rings that go on across the entries of a loop: the findings for run-time trip counts of both loops are those of the operations
//! written one after the other, for all pairs of trip counts.

use std::collections::BTreeMap;

use crate::common::access::{access, copied, op};
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{
    Access, Act, AddressForm, Below, Branch, Effect, Finding, Footprint, Item, Limit, Loop, Mbarrier, Periodic, Shift,
    SyncProgram, Taken, When, check,
};

const FULL: usize = 0;
const EMPTY: usize = 1;
const TILES: usize = 2;
const SCRATCH: usize = 3;
const TILE: i64 = 128;

/// One thread copies a tile in each step of each lap, a warp reads it.
#[derive(Clone, Copy, Debug)]
struct Ring {
    stages: i64,
    /// Added to the parity for which the copying thread waits.
    turned: i64,
    /// Whether the readers release a stage one step later; the first step has none to release.
    is_late: bool,
    /// The step of each lap but the first in which a reader writes what all readers have read.
    writes_at: Option<i64>,
    /// Whether it meets them first.
    meets: bool,
    /// The trip counts of the outer and of the inner loops, where known.
    trips: [Option<i64>; 2],
}

/// The position of operations: in the loops of a role, or in a lap and a step of a program without loops.
#[derive(Clone, Copy)]
enum Position {
    Loops { outer: usize, inner: usize, total: usize },
    Step { lap: i64, step: i64, total: i64 },
}

fn block() -> ThreadSet {
    ThreadSet::range(0, 64)
}

fn one() -> ThreadSet {
    ThreadSet::range(0, 1)
}

fn readers() -> ThreadSet {
    ThreadSet::range(32, 64)
}

fn of_loop(number: usize, periodic: Periodic) -> AddressForm {
    AddressForm { each: vec![0], shift: Shift { loops: BTreeMap::from([(number, periodic)]), ..Shift::none() } }
}

impl Position {
    fn of_total(self, periodic: Periodic) -> AddressForm {
        match self {
            Position::Loops { total, .. } => of_loop(total, periodic),
            Position::Step { total, .. } => AddressForm::constant(periodic.at(total).unwrap()),
        }
    }

    /// What is done where the lap, the step, or the number of steps so far is a number, or where it is another one.
    fn when(self, number: impl Fn(Position) -> Counter, (least, is_equal): (i64, bool), items: Vec<Item>) -> Vec<Item> {
        match number(self) {
            Counter::Known(number) if (number == least) == is_equal => items,
            Counter::Known(_) => Vec::new(),
            Counter::Loop(number) => {
                let (value, limit) = (of_loop(number, Periodic::line(0, 1)), Limit::Number(least + 1));
                let when = Some(When::Below(Box::new(Below { value, limit, least, arm: usize::from(!is_equal) })));
                vec![Item::Branch(Branch { arms: vec![items, Vec::new()], taken: Taken::Together, when })]
            }
        }
    }
}

enum Counter {
    Loop(usize),
    Known(i64),
}

fn lap(position: Position) -> Counter {
    match position {
        Position::Loops { outer, .. } => Counter::Loop(outer),
        Position::Step { lap, .. } => Counter::Known(lap),
    }
}

fn step(position: Position) -> Counter {
    match position {
        Position::Loops { inner, .. } => Counter::Loop(inner),
        Position::Step { step, .. } => Counter::Known(step),
    }
}

fn total(position: Position) -> Counter {
    match position {
        Position::Loops { total, .. } => Counter::Loop(total),
        Position::Step { total, .. } => Counter::Known(total),
    }
}

/// A program under construction.
struct Made<'r> {
    ring: &'r Ring,
    program: SyncProgram,
}

impl Made<'_> {
    fn op(&mut self, active: ThreadSet, accesses: Vec<Access>, effects: Vec<Effect>) -> Item {
        self.program.ops.push(op(active, accesses, effects));
        Item::Op(self.program.ops.len() - 1)
    }

    fn stage(&self, at: Position, moved: i64, bytes: i64) -> AddressForm {
        at.of_total(Periodic::line(moved, 1).divided(self.ring.stages).unwrap().1.times(bytes).unwrap())
    }

    fn parity(&self, at: Position, turned: i64) -> AddressForm {
        let lap = Periodic::line(0, 1).divided(self.ring.stages).unwrap().0;
        at.of_total(lap.plus(&Periodic::constant(turned)).unwrap().divided(2).unwrap().1)
    }

    fn mbarrier(&self, at: Position, (object, moved): (usize, i64), act: Act) -> Effect {
        Effect::Mbarrier(Box::new(Mbarrier { object, byte: self.stage(at, moved, 8), act }))
    }

    fn tile(&self, at: Position, write: bool, by: ThreadSet) -> Access {
        let AddressForm { each, shift } = self.stage(at, 0, TILE);
        let bytes = Footprint::all(each[0], each[0] + TILE, by);
        let access = if write { copied(TILES, true, bytes) } else { access(TILES, false, bytes) };
        Access { shift, ..access }
    }

    fn produces(&mut self, at: Position) -> Vec<Item> {
        let wait = Act::Wait { parity: self.parity(at, self.ring.turned) };
        let arrive = Act::Arrive { by: one(), count: 1, bytes: 0, releases: true };
        let (waits, arrives) = (self.mbarrier(at, (EMPTY, 0), wait), self.mbarrier(at, (FULL, 0), arrive));
        let tile = self.tile(at, true, one());
        vec![self.op(one(), Vec::new(), vec![waits]), self.op(one(), vec![tile], vec![arrives])]
    }

    fn consumes(&mut self, at: Position) -> Vec<Item> {
        let wait = self.mbarrier(at, (FULL, 0), Act::Wait { parity: self.parity(at, 0) });
        let arrive = Act::Arrive { by: readers(), count: 1, bytes: 0, releases: true };
        // One stage back is all but one ahead.
        let back = if self.ring.is_late { self.ring.stages - 1 } else { 0 };
        let arrive = self.mbarrier(at, (EMPTY, back), arrive);
        let tile = self.tile(at, false, readers());
        let mut items = vec![self.op(readers(), Vec::new(), vec![wait]), self.op(readers(), vec![tile], Vec::new())];
        let release = vec![self.op(readers(), Vec::new(), vec![arrive])];
        items.extend(if self.ring.is_late { at.when(total, (0, false), release) } else { release });
        if let Some(number) = self.ring.writes_at {
            let first = ThreadSet::range(32, 33);
            let write = access(SCRATCH, true, Footprint::all(0, 4, first));
            let meets = if self.ring.meets { vec![Effect::WarpBarrier] } else { Vec::new() };
            let meets = self.op(readers(), Vec::new(), meets);
            let writes = vec![meets, self.op(first, vec![write], Vec::new())];
            let writes = at.when(step, (number, true), writes);
            items.extend(at.when(lap, (0, false), writes));
            items.push(self.op(readers(), vec![access(SCRATCH, false, Footprint::all(0, 4, readers()))], Vec::new()));
        }
        items
    }
}

impl Ring {
    /// The steps of a role, in the given loops or one after the other.
    fn role(
        &self,
        (outer, inner, total): (usize, usize, usize),
        unrolled: Option<(i64, i64)>,
        mut one: impl FnMut(Position) -> Vec<Item>,
    ) -> Vec<Item> {
        match unrolled {
            None => vec![Item::Loop(outer, vec![Item::Loop(inner, one(Position::Loops { outer, inner, total }))])],
            Some((laps, steps)) => {
                let all = (0..laps).flat_map(|lap| (0..steps).map(move |step| (lap, step)));
                all.flat_map(|(lap, step)| one(Position::Step { lap, step, total: lap * steps + step })).collect()
            }
        }
    }

    fn program(&self, unrolled: Option<(i64, i64)>) -> SyncProgram {
        let looped = |number: usize| {
            let trips = self.trips[number];
            Loop { trips, count: trips.is_none().then_some(number), ..Loop::default() }
        };
        let loops = vec![looped(0), looped(1), looped(0), looped(1), Loop::default(), Loop::default()];
        let totals = BTreeMap::from([(4, vec![1, 0]), (5, vec![3, 2])]);
        let program = SyncProgram { block: block(), loops, totals, ringed: true, ..SyncProgram::default() };
        let mut made = Made { ring: self, program };
        let init = |object, count| {
            let effect = move |stage| {
                let (byte, act) = (AddressForm::constant(8 * stage), Act::Init { count });
                Effect::Mbarrier(Box::new(Mbarrier { object, byte, act }))
            };
            (0..self.stages).map(effect)
        };
        let makes = made.op(one(), Vec::new(), init(FULL, 1).chain(init(EMPTY, 32)).collect());
        let meet = made.op(block(), Vec::new(), vec![Effect::Barrier]);
        let produces = self.role((0, 1, 4), unrolled, |at| made.produces(at));
        let consumes = self.role((2, 3, 5), unrolled, |at| made.consumes(at));
        let end = made.op(block(), Vec::new(), Vec::new());
        let arm = |set: ThreadSet, items| {
            let taken = Taken::By(vec![set, block().without(&set)]);
            Item::Branch(Branch { arms: vec![items, Vec::new()], taken, when: None })
        };
        let mut program = made.program;
        program.end = Some(program.ops.len() - 1);
        program.body = vec![makes, meet, arm(one(), produces), arm(readers(), consumes), end];
        program
    }
}

const RIGHT: Ring = Ring { stages: 2, turned: 1, is_late: false, writes_at: None, meets: true, trips: [None, None] };

#[test]
fn a_ring_goes_on_in_the_next_lap() {
    for stages in [2, 3, 4] {
        for is_late in [false, true] {
            for trips in [[None, None], [Some(3), None], [None, Some(3)], [Some(4), Some(5)]] {
                let ring = Ring { stages, is_late, trips, ..RIGHT };
                assert_eq!(check(&ring.program(None)), [], "{ring:?}");
            }
        }
    }
}

#[test]
fn all_pairs_of_trip_counts_are_meant() {
    let wrong = [
        RIGHT,
        Ring { turned: 0, ..RIGHT },
        Ring { stages: 3, turned: 2, ..RIGHT },
        Ring { is_late: true, ..RIGHT },
        Ring { writes_at: Some(0), ..RIGHT },
        Ring { writes_at: Some(0), meets: false, ..RIGHT },
        Ring { writes_at: Some(3), ..RIGHT },
        Ring { writes_at: Some(3), meets: false, stages: 3, is_late: true, ..RIGHT },
    ];
    for ring in wrong {
        let pairs = || (0..4).flat_map(|laps| (0..8).map(move |steps| (laps, steps)));
        let faulty = pairs().find(|&pair| !check(&ring.program(Some(pair))).is_empty());
        let open = check(&ring.program(None));
        assert!(!open.iter().any(|finding| matches!(finding, Finding::Unfollowed { .. })), "{ring:?}: {open:?}");
        assert_eq!(open.is_empty(), faulty.is_none(), "{ring:?}: {open:?}, {faulty:?}");
        let known = pairs()
            .find(|&(laps, steps)| !check(&Ring { trips: [Some(laps), Some(steps)], ..ring }.program(None)).is_empty());
        assert_eq!(known, faulty, "{ring:?}");
    }
}
