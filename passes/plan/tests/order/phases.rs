//! Rings of a whole block on mbarriers, whose copies are issued ahead under conditions: what is inserted releases
//! stages, and is no more than needed, for every trip count.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::common::access::{access, copied};
use crate::common::tape::Draw;
use tile_isa::Space;
use tile_plan::pipeline::{ProductsInFlight, RingCompletion, plan};
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{
    Access, Act, AddressForm, Below, Branch, Effect, Finding, Footprint, Insertion, Item, Limit, Loop, Mbarrier, Op,
    Periodic, Shift, SyncProgram, Taken, When, check, insert, redundant, with,
};

const BARS: usize = 0;
const TILES: usize = 1;
const TILE: i64 = 256;

/// A ring, with possible defects.
#[derive(Clone, Copy, Debug)]
struct Ring {
    stages: i64,
    threads: i64,
    /// Trip count; `None` if it is known only at run time.
    trips: Option<i64>,
    /// Arrivals per phase.
    count: i64,
    /// Number of stages from which the parity is computed.
    laps: i64,
    /// The error in the condition of the copies ahead.
    moved: i64,
    waits: bool,
}

fn in_loop(periodic: Periodic) -> AddressForm {
    AddressForm { each: vec![0], shift: Shift { loops: BTreeMap::from([(0, periodic)]), ..Shift::none() } }
}

fn effect(byte: AddressForm, act: Act) -> Effect {
    Effect::Mbarrier(Box::new(Mbarrier { object: BARS, byte, act }))
}

impl Ring {
    fn right(stages: i64, threads: i64) -> Self {
        Ring { stages, threads, trips: None, count: 1, laps: stages, moved: 0, waits: true }
    }

    fn block(&self) -> ThreadSet {
        ThreadSet::range(0, self.threads)
    }

    /// The stage of iteration `turn`, times `bytes`.
    fn stage(&self, turn: &Periodic, bytes: i64) -> AddressForm {
        in_loop(turn.divided(self.stages).unwrap().1.times(bytes).unwrap())
    }

    fn access(&self, object: usize, write: bool, by: ThreadSet, shift: Shift) -> Access {
        let each = TILE / self.threads;
        let shares = Footprint::of(by.iter().map(|t| (t, each * (self.threads - 1 - t), each * (self.threads - t))));
        let plain =
            if write { copied(object, true, Footprint::all(0, TILE, by)) } else { access(object, false, shares) };
        Access { shift, ..plain }
    }

    fn bars(&self, atomic: bool, by: ThreadSet) -> Access {
        let bytes = Some(Rc::new(Footprint::all(0, 8 * self.stages, by)));
        let access = self.access(BARS, false, by, Shift::none());
        Access { write: true, atomic, bytes, ..access }
    }

    fn copy(&self, turn: AddressForm, stage: AddressForm) -> Op {
        let one = ThreadSet::range(0, 1);
        let arrive = Act::Arrive { by: one, count: 1, bytes: 0, releases: true };
        let accesses = vec![self.access(TILES, true, one, turn.shift), self.bars(true, one)];
        Op { active: self.block(), exact: true, accesses, effects: vec![effect(stage, arrive)] }
    }

    fn program(&self) -> SyncProgram {
        let (block, one, ahead) =
            (self.block(), ThreadSet::range(0, 1), plan(self.stages, None, ProductsInFlight::default()).ahead);
        let counted = Loop { trips: self.trips, count: self.trips.is_none().then_some(0), ..Loop::default() };
        let mut program = SyncProgram { block, loops: vec![counted], ringed: true, ..SyncProgram::default() };
        let mut op = |op: Op| {
            program.ops.push(op);
            Item::Op(program.ops.len() - 1)
        };
        let plain = |active, accesses, effects| Op { active, exact: true, accesses, effects };
        let when = |value: AddressForm, arm: Item| {
            let limit = self.trips.map_or(Limit::Trips(0), Limit::Number);
            let when = Some(When::Below(Box::new(Below { value, limit, least: 0, arm: 0 })));
            Item::Branch(Branch { arms: vec![vec![arm], Vec::new()], taken: Taken::Together, when })
        };
        let made =
            (0..self.stages).map(|stage| effect(AddressForm::constant(8 * stage), Act::Init { count: self.count }));
        let mut body = vec![op(plain(one, vec![self.bars(false, one)], made.collect()))];
        body.push(op(plain(block, Vec::new(), vec![Effect::Barrier])));
        for turn in 0..ahead {
            let place = |bytes| AddressForm::constant(turn % self.stages * bytes);
            let mut copy = self.copy(AddressForm { each: vec![0], shift: Shift::none() }, place(8));
            let bytes = Footprint::all(turn * TILE, (turn + 1) * TILE, one);
            copy.accesses[0] = Access { bytes: Some(Rc::new(bytes)), shift: Shift::none(), ..copy.accesses[0].clone() };
            let copy = op(copy);
            body.push(when(AddressForm::constant(turn), copy));
        }
        let mut inside = Vec::new();
        let turn = Periodic::line(0, 1);
        if self.waits {
            let parity = turn.divided(self.laps).unwrap().0.divided(2).unwrap().1;
            let wait = effect(self.stage(&turn, 8), Act::Wait { parity: in_loop(parity) });
            inside.push(op(plain(block, vec![self.bars(true, block)], vec![wait])));
        }
        let later = Periodic::line(ahead, 1);
        let copy = op(self.copy(self.stage(&later, TILE), self.stage(&later, 8)));
        inside.push(when(in_loop(Periodic::line(ahead + self.moved, 1)), copy));
        let read = self.access(TILES, false, block, self.stage(&turn, TILE).shift);
        inside.push(op(plain(block, vec![read], Vec::new())));
        body.push(Item::Loop(0, inside));
        body.push(op(plain(block, Vec::new(), Vec::new())));
        program.end = Some(program.ops.len() - 1);
        program.body = body;
        program
    }
}

#[test]
fn a_stage_is_handed_back_by_one_barrier() {
    for (stages, threads, effect) in [(2, 64, Effect::Barrier), (3, 128, Effect::Barrier), (5, 32, Effect::WarpBarrier)]
    {
        let program = Ring::right(stages, threads).program();
        let put = insert(&program).unwrap();
        let [Insertion { before, out, effect: found, .. }] = &put[..] else { panic!("{put:?}") };
        assert_eq!((*out, found), (1, &effect), "before the condition of the copy that the next stage gets");
        let effects = &program.ops[*before].effects[..];
        assert!(matches!(effects, [Effect::Mbarrier(bar)] if matches!(bar.act, Act::Arrive { .. })));
        let ordered = with(&program, &put);
        assert_eq!(check(&ordered), []);
        assert_eq!(redundant(&ordered), Vec::<usize>::new());
    }
}

/// Tiles of global memory that are written four times, by other threads.
fn written_often(ring: Ring) -> SyncProgram {
    let mut program = ring.program();
    for (turned, first) in [(false, 0), (true, 0), (false, 1), (true, 1)] {
        let at = in_loop(Periodic::line(first * TILE, TILE));
        let write = ring.access(2, false, ring.block(), at.shift.clone());
        let straight =
            Footprint::of((0..ring.threads).map(|t| (t, TILE / ring.threads * t, TILE / ring.threads * (t + 1))));
        let bytes = if turned { write.bytes.clone() } else { Some(Rc::new(straight)) };
        let write = Access { write: true, space: Space::Global, bytes, ..write };
        program.ops.push(Op { active: ring.block(), exact: true, accesses: vec![write], effects: Vec::new() });
        let Some(Item::Loop(_, inside)) = program.body.iter_mut().find(|item| matches!(item, Item::Loop(..))) else {
            panic!()
        };
        inside.push(Item::Op(program.ops.len() - 1));
    }
    program
}

#[test]
fn what_else_an_iteration_does_is_ordered_besides() {
    for (stages, trips) in [(3, None), (3, Some(1)), (3, Some(3)), (3, Some(6)), (2, Some(2)), (2, None)] {
        let program = written_often(Ring { trips, ..Ring::right(stages, 64) });
        let put = insert(&program).unwrap_or_else(|left| panic!("{stages} {trips:?}: {left:?}"));
        assert_eq!(check(&with(&program, &put)), []);
        for without in 0..put.len() {
            let kept: Vec<_> =
                put.iter().enumerate().filter(|(at, _)| *at != without).map(|(_, made)| made.clone()).collect();
            assert_ne!(check(&with(&program, &kept)), [], "{:?}", put[without]);
        }
    }
}

#[test]
fn stages_that_are_used_once_need_no_barrier() {
    for trips in 0..=4 {
        let program = Ring { trips: Some(trips), ..Ring::right(4, 64) }.program();
        assert_eq!(insert(&program), Ok(Vec::new()), "{trips}");
    }
    assert_ne!(insert(&Ring { trips: Some(5), ..Ring::right(4, 64) }.program()), Ok(Vec::new()));
}

/// What is proved for a run-time trip count holds for all of them, and what is refused is wrong for some.
#[test]
fn all_numbers_of_iterations_are_meant() {
    let mut draw = Draw(0x5eed_0014);
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..40 {
        let mut ring = Ring::right(2 + draw.below(3) as i64, 64);
        match draw.below(6) {
            0 => ring.laps = 1 + draw.below(5) as i64,
            1 => ring.moved = draw.below(4) as i64 - 1,
            2 => ring.count = 1 + draw.below(2) as i64,
            3 => ring.waits = draw.below(2) == 0,
            _ => {}
        }
        let (whole, plain) = (Ring::right(ring.stages, 64).program(), ring.program());
        let put = insert(&whole).unwrap();
        let ordered = |program: &SyncProgram| {
            let [Insertion { out, effect, active, .. }] = &put[..] else { panic!("{put:?}") };
            let before = program.ops.iter().rposition(|op| {
                op.effects
                    .iter()
                    .any(|done| matches!(done, Effect::Mbarrier(bar) if matches!(bar.act, Act::Arrive { .. })))
            });
            with(program, &[Insertion { before: before.unwrap(), out: *out, effect: effect.clone(), active: *active }])
        };
        let open = check(&ordered(&plain));
        let unfollowed = open.iter().any(|finding| matches!(finding, Finding::Unfollowed { .. }));
        let findings_of = |trips| check(&ordered(&Ring { trips: Some(trips), ..ring }.program()));
        let faulty = (0..=16).find(|&trips| !findings_of(trips).is_empty());
        assert!(!unfollowed, "{ring:?}: {open:?}");
        assert_eq!(open.is_empty(), faulty.is_none(), "{ring:?}: {open:?}, {faulty:?} iterations");
        *(if open.is_empty() { &mut right } else { &mut wrong }) += 1;
    }
    assert!(right > 10 && wrong > 10, "{right} right, {wrong} wrong");
}

#[test]
fn an_iteration_has_all_its_arrivals_in_one_phase() {
    let program = Ring::right(3, 64).program();
    let mut copy = program.ops.iter().find(|op| op.accesses.len() == 2).unwrap().clone();
    assert_eq!(RingCompletion::of(&copy), None, "it names an mbarrier");
    copy.effects.clear();
    assert_eq!(RingCompletion::of(&copy), Some(RingCompletion::Phases { arrivals: 1 }));
}
