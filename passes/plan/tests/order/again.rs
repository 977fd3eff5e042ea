//! Rings of mbarriers that are entered repeatedly, in an enclosing loop, and successive rings: the findings for
//! run-time trip counts are the findings for all pairs of trip counts.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::common::access::{access, copied};
use tile_plan::pipeline::{ProductsInFlight, plan, uses};
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{
    Access, Act, AddressForm, Below, Branch, Effect, Finding, Footprint, Item, Limit, Loop, Mbarrier, Op, Periodic,
    Phase, Shift, SyncProgram, Taken, When, check, insert, redundant, with,
};

const BARS: usize = 0;
const TILES: usize = 1;
const TILE: i64 = 256;
const THREADS: i64 = 64;

/// How phases are completed so that each stage has had an even number of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Even {
    /// For each stage that was used an odd number of times.
    Right,
    /// For no stage.
    Never,
    /// For every stage.
    Always,
}

/// A ring in a loop.
#[derive(Clone, Copy, Debug)]
struct Ring {
    stages: i64,
    /// Trip count of the enclosing loop; `None` if it is known only at run time.
    laps: Option<i64>,
    /// Trip count of the ring's own loop, likewise.
    trips: Option<i64>,
    even: Even,
    /// Whether all threads wait for the one that completes phases.
    meets: bool,
}

fn effect(byte: AddressForm, act: Act) -> Effect {
    Effect::Mbarrier(Box::new(Mbarrier { object: BARS, byte, act }))
}

fn block() -> ThreadSet {
    ThreadSet::range(0, THREADS)
}

fn one() -> ThreadSet {
    ThreadSet::range(0, 1)
}

fn moved(object: usize, write: bool, by: ThreadSet, shift: Shift) -> Access {
    let each = TILE / THREADS;
    let shares = Footprint::of(by.iter().map(|t| (t, each * (THREADS - 1 - t), each * (THREADS - t))));
    let plain = if write { copied(object, true, Footprint::all(0, TILE, by)) } else { access(object, false, shares) };
    Access { shift, ..plain }
}

/// A program under construction.
struct Made {
    program: SyncProgram,
    stages: i64,
}

impl Made {
    fn op(&mut self, active: ThreadSet, accesses: Vec<Access>, effects: Vec<Effect>) -> Item {
        self.program.ops.push(Op { active, exact: true, accesses, effects });
        Item::Op(self.program.ops.len() - 1)
    }

    /// The stage of an iteration of a loop, times `bytes`.
    fn stage(&self, number: usize, first: i64, bytes: i64) -> AddressForm {
        self.form(number, Periodic::line(first, 1).divided(self.stages).unwrap().1.times(bytes).unwrap())
    }

    fn form(&self, number: usize, periodic: Periodic) -> AddressForm {
        AddressForm { each: vec![0], shift: Shift { loops: BTreeMap::from([(number, periodic)]), ..Shift::none() } }
    }

    fn copy(&mut self, tile: Shift, first: i64, bar: AddressForm) -> Item {
        let arrive = Act::Arrive { by: one(), count: 1, bytes: 0, releases: true };
        let to = Footprint::all(first * TILE, (first + 1) * TILE, one());
        let write = Access { bytes: Some(Rc::new(to)), ..moved(TILES, true, one(), tile) };
        self.op(block(), vec![write], vec![effect(bar, arrive)])
    }

    fn meet(&mut self) -> Item {
        self.op(block(), Vec::new(), vec![Effect::Barrier])
    }

    /// A ring that starts with stage 0 and an even phase.
    fn ring(&mut self, number: usize, ring: &Ring) -> Vec<Item> {
        let Loop { trips, count, .. } = self.program.loops[number].clone();
        let when = |value: AddressForm, arm: Item| {
            let limit = trips.map_or(Limit::Trips(count.unwrap_or(0)), Limit::Number);
            let when = Some(When::Below(Box::new(Below { value, limit, least: 0, arm: 0 })));
            Item::Branch(Branch { arms: vec![vec![arm], Vec::new()], taken: Taken::Together, when })
        };
        let ahead = plan(self.stages, None, ProductsInFlight::default()).ahead;
        let mut items = Vec::new();
        for turn in 0..ahead {
            let copy = self.copy(Shift::none(), turn, AddressForm::constant(8 * turn));
            items.push(when(AddressForm::constant(turn), copy));
        }
        let parity = Periodic::line(0, 1).divided(self.stages).unwrap().0.divided(2).unwrap().1;
        let wait = effect(self.stage(number, 0, 8), Act::Wait { parity: self.form(number, parity) });
        let wait = self.op(block(), Vec::new(), vec![wait]);
        let copy = self.copy(self.stage(number, ahead, TILE).shift, 0, self.stage(number, ahead, 8));
        let later = when(self.form(number, Periodic::line(ahead, 1)), copy);
        let read = moved(TILES, false, block(), self.stage(number, 0, TILE).shift);
        let read = self.op(block(), vec![read], Vec::new());
        items.push(Item::Loop(number, vec![wait, later, read]));
        items.extend(self.even(ring, (trips, count)));
        items
    }

    fn even(&mut self, ring: &Ring, (trips, count): (Option<i64>, Option<usize>)) -> Vec<Item> {
        let mut arms = Vec::new();
        for stage in 0..self.stages {
            let stages = self.stages;
            let odd = |trips| uses(trips, stages, stage) % 2 == 1;
            let arrive = Act::Arrive { by: one(), count: 1, bytes: 0, releases: true };
            let arrive = self.op(one(), Vec::new(), vec![effect(AddressForm::constant(8 * stage), arrive)]);
            let when = match trips {
                Some(trips) => {
                    let value = AddressForm::constant(i64::from(!odd(trips)));
                    When::Below(Box::new(Below { value, limit: Limit::Number(1), least: 0, arm: 0 }))
                }
                None => {
                    let arm = (0..2 * stages).map(|trips| i64::from(!odd(trips))).collect();
                    When::Times { count: count.unwrap_or(0), arm: Periodic::table(arm) }
                }
            };
            match ring.even {
                Even::Never => {}
                Even::Always => arms.push(arrive),
                Even::Right => {
                    let arms_of = vec![vec![arrive], Vec::new()];
                    arms.push(Item::Branch(Branch { arms: arms_of, taken: Taken::Together, when: Some(when) }));
                }
            }
        }
        if arms.is_empty() {
            return Vec::new();
        }
        let taken = Taken::By(vec![one(), block().without(&one())]);
        let by_one = Item::Branch(Branch { arms: vec![arms, Vec::new()], taken, when: None });
        let meets = if ring.meets { vec![self.meet()] } else { Vec::new() };
        std::iter::once(by_one).chain(meets).collect()
    }
}

impl Ring {
    fn right(stages: i64, laps: Option<i64>, trips: Option<i64>) -> Self {
        Ring { stages, laps, trips, even: Even::Right, meets: true }
    }

    fn made(&self, loops: Vec<Loop>) -> (Made, Vec<Item>) {
        let program = SyncProgram { block: block(), loops, ringed: true, ..SyncProgram::default() };
        let mut made = Made { program, stages: self.stages };
        let inits =
            (0..self.stages).map(|stage| effect(AddressForm::constant(8 * stage), Act::Init { count: 1 })).collect();
        let body = vec![made.op(one(), Vec::new(), inits), made.meet()];
        (made, body)
    }

    fn end(mut made: Made, mut body: Vec<Item>) -> SyncProgram {
        body.push(made.op(block(), Vec::new(), Vec::new()));
        made.program.end = Some(made.program.ops.len() - 1);
        made.program.body = body;
        made.program
    }

    /// The ring in an enclosing loop.
    fn inside(&self) -> SyncProgram {
        let counted =
            |trips: Option<i64>, count| Loop { trips, count: trips.is_none().then_some(count), ..Loop::default() };
        let (mut made, mut body) = self.made(vec![counted(self.laps, 0), counted(self.trips, 1)]);
        let ring = made.ring(1, self);
        body.push(Item::Loop(0, ring));
        Ring::end(made, body)
    }

    /// Two rings in sequence, on the same mbarriers: `laps` iterations, then `trips`.
    fn twice(&self) -> SyncProgram {
        let counted =
            |trips: Option<i64>, count| Loop { trips, count: trips.is_none().then_some(count), ..Loop::default() };
        let (mut made, mut body) = self.made(vec![counted(self.laps, 0), counted(self.trips, 1)]);
        body.extend(made.ring(0, self));
        body.extend(made.ring(1, self));
        Ring::end(made, body)
    }
}

/// The program with what is inserted, which must be necessary and sufficient.
fn ordered(program: &SyncProgram) -> SyncProgram {
    let put = insert(program).unwrap_or_else(|left| panic!("{left:#?}"));
    let whole = with(program, &put);
    assert_eq!(check(&whole), []);
    let added: Vec<usize> = redundant(&whole).into_iter().filter(|&op| op >= program.ops.len()).collect();
    assert_eq!(added, Vec::<usize>::new(), "{put:#?}");
    whole
}

#[test]
fn a_ring_goes_round_in_a_loop() {
    for (stages, laps, trips) in [(2, Some(3), Some(5)), (3, Some(2), Some(6)), (3, None, Some(4)), (3, None, Some(7))]
    {
        ordered(&Ring::right(stages, laps, trips).inside());
    }
}

#[test]
fn how_often_both_loops_go_round_may_be_open() {
    for (stages, laps, trips) in [(2, None, None), (3, Some(3), None), (3, None, None)] {
        ordered(&Ring::right(stages, laps, trips).inside());
    }
}

#[test]
fn rings_follow_each_other() {
    for (stages, laps, trips) in [(2, None, None), (3, Some(5), None), (3, None, Some(4)), (3, None, None)] {
        ordered(&Ring::right(stages, laps, trips).twice());
    }
}

/// What is proved for run-time trip counts holds for all of them, and what is refused is wrong for some.
#[test]
fn all_pairs_of_numbers_are_meant() {
    let right = Ring::right(2, None, None);
    let put = |program: &SyncProgram| insert(program).unwrap();
    for (inside, ring) in [
        (true, right),
        (true, Ring { even: Even::Never, ..right }),
        (true, Ring { even: Even::Always, ..right }),
        (true, Ring { meets: false, ..right }),
        (false, right),
        (false, Ring { even: Even::Never, ..right }),
    ] {
        let program = |ring: &Ring| if inside { ring.inside() } else { ring.twice() };
        // The barriers are those of the correct ring.
        let whole = put(&program(&right));
        let barriers: Vec<_> = whole.iter().filter(|made| made.before < program(&ring).ops.len()).cloned().collect();
        let open = check(&with(&program(&ring), &barriers));
        let unfollowed = open.iter().any(|finding| matches!(finding, Finding::Unfollowed { .. }));
        let faulty = (0..5).flat_map(|laps| (0..8).map(move |trips| (laps, trips))).find(|&(laps, trips)| {
            let known = Ring { laps: Some(laps), trips: Some(trips), ..ring };
            let findings = check(&with(&program(&known), &barriers));
            !findings.is_empty()
        });
        assert!(!unfollowed, "{ring:?}: {open:?}");
        assert_eq!(open.is_empty(), faulty.is_none(), "{ring:?}: {open:?}, {faulty:?}");
    }
}

#[test]
fn phases_that_are_left_odd_are_found() {
    let overtaken = |finding: &Finding| match finding {
        Finding::Phase(fault) => matches!(fault.what, Phase::Overtaken | Phase::Never { .. }),
        _ => false,
    };
    for ring in [
        Ring { even: Even::Never, ..Ring::right(3, None, Some(4)) },
        Ring { meets: false, ..Ring::right(3, None, Some(4)) },
    ] {
        let findings = check(&ring.inside());
        assert!(findings.iter().any(overtaken), "{ring:?}: {findings:?}");
    }
}

#[test]
fn a_loop_that_may_differ_each_time_is_not_followed() {
    let mut program = Ring::right(3, None, None).inside();
    program.loops[1].count = None;
    let findings = check(&program);
    assert!(matches!(&findings[..], [Finding::Unfollowed { .. }]), "{findings:?}");
}
