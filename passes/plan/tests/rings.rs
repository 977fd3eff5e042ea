//! Rings of mbarriers: what is found of loops of which only the run knows how often they go round is what is found of all numbers
//! of iterations.

mod draw;

use std::collections::BTreeMap;
use std::rc::Rc;

use draw::Draw;
use tile_plan::ThreadSet;
use tile_plan::sync::{
    Access, Act, Branch, Completion, Effect, Finding, Footprint, Form, Item, Loop, Mbarrier, Needs, Op, Periodic,
    Phase, Program, Shift, Taken, check,
};

const FULL: usize = 0;
const EMPTY: usize = 1;
const TILES: usize = 2;

/// A ring: one thread brings tiles in bulk, a warp reads them.
#[derive(Clone, Copy, Debug)]
struct Ring {
    stages: i64,
    /// Stages of which the parity is computed.
    laps: i64,
    /// Who waits.
    waits: [bool; 2],
    /// What is added to the parity of the one who brings.
    turned: i64,
    /// Arrivals that are expected of the readers.
    count: i64,
    /// By how many stages the reader is wrong.
    moved: i64,
    trips: Option<i64>,
}

impl Ring {
    fn right(stages: i64) -> Self {
        Ring { stages, laps: stages, waits: [true; 2], turned: 1, count: 32, moved: 0, trips: None }
    }

    fn form(number: usize, periodic: Periodic) -> Form {
        Form { each: vec![0], shift: Shift { loops: BTreeMap::from([(number, periodic)]), ..Shift::none() } }
    }

    /// The stage, times some bytes, and the parity, of an iteration.
    fn place(&self, number: usize, bytes: i64, moved: i64) -> Form {
        let stage = Periodic::line(moved, 1).divided(self.stages).unwrap().1;
        Ring::form(number, stage.times(bytes).unwrap())
    }

    fn parity(&self, number: usize, turned: i64) -> Form {
        let lap = Periodic::line(0, 1).divided(self.laps).unwrap().0;
        let turned = lap.plus(&Periodic::constant(turned)).unwrap();
        Ring::form(number, turned.divided(2).unwrap().1)
    }

    fn access(&self, number: usize, write: bool, by: ThreadSet) -> Access {
        let moved = if write { 0 } else { self.moved };
        Access {
            object: TILES,
            shared: true,
            write,
            atomic: false,
            through_async_proxy: write,
            by_warps: false,
            way: None,
            completion: if write { Completion::Arrival } else { Completion::Now },
            bytes: Some(Rc::new(Footprint::all(0, 128, by))),
            shift: self.place(number, 128, moved).shift,
        }
    }

    fn program(&self) -> Program {
        let (one, warp) = (ThreadSet::range(0, 1), ThreadSet::range(32, 64));
        let block = ThreadSet::range(0, 64);
        let of = Loop { trips: self.trips, count: self.trips.is_none().then_some(0), entered: false, ragged: false };
        let mut program = Program { block, loops: vec![of; 2], ringed: true, ..Program::default() };
        let effect = |object, byte, act| Effect::Mbarrier(Box::new(Mbarrier { object, byte, act }));
        let mut op = |active, accesses, effects| {
            program.ops.push(Op { active, exact: true, accesses, effects });
            Item::Op(program.ops.len() - 1)
        };
        let made = |object, count| {
            (0..self.stages).map(move |stage| effect(object, Form::constant(8 * stage), Act::Init { count }))
        };
        let makes = op(one, Vec::new(), made(FULL, 1).chain(made(EMPTY, self.count)).collect());
        let meet = op(block, Vec::new(), vec![Effect::Barrier]);
        let wait = |number, object, turned| {
            effect(object, self.place(number, 8, 0), Act::Wait { parity: self.parity(number, turned) })
        };
        let arrive = |number, object, by| {
            effect(object, self.place(number, 8, 0), Act::Arrive { by, count: 1, bytes: 0, releases: true })
        };
        let late = op(one, Vec::new(), if self.waits[0] { vec![wait(0, EMPTY, self.turned)] } else { Vec::new() });
        let bring = op(one, vec![self.access(0, true, one)], vec![arrive(0, FULL, one)]);
        let early = op(warp, Vec::new(), if self.waits[1] { vec![wait(1, FULL, 0)] } else { Vec::new() });
        let read = op(warp, vec![self.access(1, false, warp)], vec![arrive(1, EMPTY, warp)]);
        let end = op(block, Vec::new(), Vec::new());
        let arm = |set: ThreadSet, item| {
            Item::Branch(Branch {
                arms: vec![vec![item], Vec::new()],
                taken: Taken::By(vec![set, block.without(&set)]),
            })
        };
        program.end = Some(program.ops.len() - 1);
        program.body = vec![
            makes,
            meet,
            arm(one, Item::Loop(0, vec![late, bring])),
            arm(warp, Item::Loop(1, vec![early, read])),
            end,
        ];
        program
    }
}

/// The last tiles are in flight at the end where nothing reads them.
fn found(ring: Ring) -> Vec<Finding> {
    check(&ring.program())
}

#[test]
fn right_rings_are_in_order() {
    for stages in 1..=6 {
        assert_eq!(found(Ring::right(stages)), [], "{stages}");
        assert_eq!(found(Ring { trips: Some(100), ..Ring::right(stages) }), [], "{stages}");
    }
}

#[test]
fn each_wrong_twin_is_found() {
    let right = Ring::right(3);
    let early = found(Ring { waits: [false, true], ..right });
    assert!(early.iter().any(|it| matches!(it, Finding::Conflict(it) if it.needs == Needs::Arrival)), "{early:?}");
    let late = found(Ring { waits: [true, false], ..right });
    assert!(
        late.iter().any(|it| matches!(it, Finding::Conflict(it) if matches!(it.needs, Needs::Phase(_)))),
        "{late:?}"
    );
    let never = |ring: Ring| {
        let all = found(ring);
        let is = |it: &Finding| matches!(it, Finding::Phase(it) if matches!(it.what, Phase::Never { .. }));
        assert!(all.iter().any(is), "{ring:?}: {all:?}");
    };
    never(Ring { turned: 0, ..right });
    never(Ring { count: 33, ..right });
    let many = found(Ring { count: 31, ..right });
    assert!(
        many.iter().any(|it| matches!(it, Finding::Phase(it) if matches!(it.what, Phase::TooMany { .. }))),
        "{many:?}"
    );
    assert_ne!(found(Ring { laps: 2, ..right }), []);
    assert_ne!(found(Ring { moved: 1, ..right }), []);
}

/// What is proved of any number of iterations is so of each, and what is refused is wrong for some.
#[test]
fn all_numbers_of_iterations_are_meant() {
    let mut draw = Draw(0x5eed_0013);
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..300 {
        let stages = 1 + draw.below(4) as i64;
        let mut ring = Ring::right(stages);
        match draw.below(7) {
            0 => ring.laps = 1 + draw.below(5) as i64,
            1 => ring.waits[draw.below(2) as usize] = false,
            2 => ring.turned = draw.below(2) as i64,
            3 => ring.count = 16 * (1 + draw.below(3) as i64),
            4 => ring.moved = draw.below(4) as i64,
            5 => (ring.laps, ring.moved) = (1 + draw.below(5) as i64, draw.below(3) as i64),
            _ => {}
        }
        let open = found(ring);
        let unfollowed = open.iter().any(|it| matches!(it, Finding::Unfollowed { .. }));
        let faulty = (0..=40).find(|&trips| !found(Ring { trips: Some(trips), ..ring }).is_empty());
        assert!(!unfollowed, "{ring:?}: {open:?}");
        assert_eq!(open.is_empty(), faulty.is_none(), "{ring:?}: {open:?}, {faulty:?} iterations");
        *(if open.is_empty() { &mut right } else { &mut wrong }) += 1;
    }
    assert!(right > 50 && wrong > 50, "{right} right, {wrong} wrong");
}
