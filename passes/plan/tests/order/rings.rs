//! Rings of mbarriers: the findings for loops with run-time trip counts are the findings for all trip counts.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::common::access::{access, copied};
use crate::common::tape::Draw;
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{
    Access, Act, AddressForm, Branch, Effect, Finding, Footprint, Item, Loop, Mbarrier, Needs, Op, Periodic, Phase,
    Shift, SyncProgram, Taken, check, insert, redundant, with,
};

const FULL: usize = 0;
const EMPTY: usize = 1;
const TILES: usize = 2;

/// A ring: one thread issues bulk copies of tiles, a warp reads them.
#[derive(Clone, Copy, Debug)]
struct Ring {
    stages: i64,
    /// Number of stages from which the parity is computed.
    laps: i64,
    /// Whether the copying thread and the readers wait.
    waits: [bool; 2],
    /// Added to the parity of the copying thread.
    turned: i64,
    /// Arrivals expected of the readers.
    count: i64,
    /// The error of the reader, in stages.
    moved: i64,
    trips: Option<i64>,
    /// Whether one more tile is copied and read behind the loops, at the stage that follows from the trip count.
    behind: bool,
}

impl Ring {
    fn right(stages: i64) -> Self {
        Ring { stages, laps: stages, waits: [true; 2], turned: 1, count: 32, moved: 0, trips: None, behind: false }
    }

    /// A function of the iteration of a loop, or of the trip count behind the loops.
    fn form(&self, number: Option<usize>, periodic: Periodic) -> AddressForm {
        match (number, self.trips) {
            (Some(number), _) => {
                let loops = BTreeMap::from([(number, periodic)]);
                AddressForm { each: vec![0], shift: Shift { loops, ..Shift::none() } }
            }
            (None, Some(trips)) => AddressForm::constant(periodic.at(trips).unwrap()),
            (None, None) => {
                let value = self.counted().into_iter().find(|(_, (_, known))| *known == periodic).unwrap().0;
                AddressForm::fixed(value)
            }
        }
    }

    /// The functions of the trip count that are used behind the loops.
    fn counted(&self) -> BTreeMap<usize, (usize, Periodic)> {
        let stage = |moved| Periodic::line(moved, 1).divided(self.stages).unwrap().1;
        let parities = [0, 1].map(|turned| self.odd(turned));
        let all = [stage(0), stage(self.moved)].into_iter().chain(parities);
        all.enumerate().map(|(value, periodic)| (100 + value, (0, periodic))).collect()
    }

    fn odd(&self, turned: i64) -> Periodic {
        let lap = Periodic::line(0, 1).divided(self.laps).unwrap().0;
        lap.plus(&Periodic::constant(turned)).unwrap().divided(2).unwrap().1
    }

    /// The stage of an iteration, times `bytes`.
    fn place(&self, number: Option<usize>, bytes: i64, moved: i64) -> AddressForm {
        let stage = Periodic::line(moved, 1).divided(self.stages).unwrap().1;
        self.form(number, stage).times(bytes).unwrap()
    }

    fn parity(&self, number: Option<usize>, turned: i64) -> AddressForm {
        self.form(number, self.odd(turned))
    }

    fn access(&self, number: Option<usize>, write: bool, by: ThreadSet) -> Access {
        let moved = if write { 0 } else { self.moved };
        let bytes = Footprint::all(0, 128, by);
        let plain = if write { copied(TILES, true, bytes) } else { access(TILES, false, bytes) };
        let place = self.place(number, 128, moved);
        let bytes = plain.bytes.map(|bytes| Rc::new(bytes.shifted(place.each[0])));
        Access { shift: place.shift, bytes, ..plain }
    }

    fn program(&self) -> SyncProgram {
        let (one, warp) = (ThreadSet::range(0, 1), ThreadSet::range(32, 64));
        let block = ThreadSet::range(0, 64);
        let ring = Loop { trips: self.trips, count: self.trips.is_none().then_some(0), ..Loop::default() };
        let counted = self.counted();
        let mut program = SyncProgram { block, loops: vec![ring; 2], counted, ringed: true, ..SyncProgram::default() };
        let effect = |object, byte, act| Effect::Mbarrier(Box::new(Mbarrier { object, byte, act }));
        let mut op = |active, accesses, effects| {
            program.ops.push(Op { active, exact: true, accesses, effects });
            Item::Op(program.ops.len() - 1)
        };
        let made = |object, count| {
            (0..self.stages).map(move |stage| effect(object, AddressForm::constant(8 * stage), Act::Init { count }))
        };
        let makes = op(one, Vec::new(), made(FULL, 1).chain(made(EMPTY, self.count)).collect());
        let meet = op(block, Vec::new(), vec![Effect::Barrier]);
        let wait = |number, object, turned| {
            effect(object, self.place(number, 8, 0), Act::Wait { parity: self.parity(number, turned) })
        };
        let arrive = |number, object, by| {
            effect(object, self.place(number, 8, 0), Act::Arrive { by, count: 1, bytes: 0, releases: true })
        };
        let mut copies = |number| {
            let waits = if self.waits[0] { vec![wait(number, EMPTY, self.turned)] } else { Vec::new() };
            let late = op(one, Vec::new(), waits);
            vec![late, op(one, vec![self.access(number, true, one)], vec![arrive(number, FULL, one)])]
        };
        let mut produces = vec![Item::Loop(0, copies(Some(0)))];
        produces.extend(if self.behind { copies(None) } else { Vec::new() });
        let mut reads = |number| {
            let waits = if self.waits[1] { vec![wait(number, FULL, 0)] } else { Vec::new() };
            let early = op(warp, Vec::new(), waits);
            vec![early, op(warp, vec![self.access(number, false, warp)], vec![arrive(number, EMPTY, warp)])]
        };
        let mut consumes = vec![Item::Loop(1, reads(Some(1)))];
        consumes.extend(if self.behind { reads(None) } else { Vec::new() });
        let end = op(block, Vec::new(), Vec::new());
        let arm = |set: ThreadSet, items| {
            Item::Branch(Branch {
                arms: vec![items, Vec::new()],
                taken: Taken::By(vec![set, block.without(&set)]),
                when: None,
            })
        };
        program.end = Some(program.ops.len() - 1);
        program.body = vec![makes, meet, arm(one, produces), arm(warp, consumes), end];
        program
    }
}

/// The last tiles are in flight at the end where nothing reads them.
fn found(ring: Ring) -> Vec<Finding> {
    check(&ring.program())
}

#[test]
fn right_rings_are_in_order() {
    for (stages, behind) in (1..=6).flat_map(|stages| [(stages, false), (stages, true)]) {
        let ring = Ring { behind, ..Ring::right(stages) };
        assert_eq!(found(ring), [], "{ring:?}");
        assert_eq!(found(Ring { trips: Some(100), ..ring }), [], "{ring:?}");
    }
}

#[test]
fn each_wrong_twin_is_found() {
    let right = Ring::right(3);
    let early = found(Ring { waits: [false, true], ..right });
    assert!(
        early.iter().any(|finding| matches!(finding, Finding::Conflict(conflict) if conflict.needs == Needs::Arrival)),
        "{early:?}"
    );
    let late = found(Ring { waits: [true, false], ..right });
    assert!(
        late.iter()
            .any(|finding| matches!(finding, Finding::Conflict(conflict) if matches!(conflict.needs, Needs::Phase(_)))),
        "{late:?}"
    );
    let never = |ring: Ring| {
        let all = found(ring);
        let is =
            |finding: &Finding| matches!(finding, Finding::Phase(fault) if matches!(fault.what, Phase::Never { .. }));
        assert!(all.iter().any(is), "{ring:?}: {all:?}");
    };
    never(Ring { turned: 0, ..right });
    never(Ring { count: 33, ..right });
    let many = found(Ring { count: 31, ..right });
    assert!(
        many.iter()
            .any(|finding| matches!(finding, Finding::Phase(fault) if matches!(fault.what, Phase::TooMany { .. }))),
        "{many:?}"
    );
    assert_ne!(found(Ring { laps: 2, ..right }), []);
    assert_ne!(found(Ring { moved: 1, ..right }), []);
}

/// What is proved for a run-time trip count holds for all of them, and what is refused is wrong for some.
#[test]
fn all_numbers_of_iterations_are_meant() {
    let mut draw = Draw(0x5eed_0013);
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..300 {
        let stages = 1 + draw.below(4) as i64;
        let mut ring = Ring { behind: draw.below(2) == 1, ..Ring::right(stages) };
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
        let unfollowed = open.iter().any(|finding| matches!(finding, Finding::Unfollowed { .. }));
        let faulty = (0..=40).find(|&trips| !found(Ring { trips: Some(trips), ..ring }).is_empty());
        assert!(!unfollowed, "{ring:?}: {open:?}");
        assert_eq!(open.is_empty(), faulty.is_none(), "{ring:?}: {open:?}, {faulty:?} iterations");
        *(if open.is_empty() { &mut right } else { &mut wrong }) += 1;
    }
    assert!(right > 50 && wrong > 50, "{right} right, {wrong} wrong");
}

/// A ring in an enclosing loop, whose phases continue while its parities start over. `plain`: its loops are in no arms,
/// and all threads execute them.
#[test]
fn loops_around_a_ring_are_meant_too() {
    for (trips, around) in [(None, None), (Some(3), None), (None, Some(2)), (Some(4), None)] {
        for plain in [false, true] {
            let mut program = Ring { trips, ..Ring::right(1) }.program();
            let outer = program.loops.len();
            program.loops.push(Loop { trips: around, count: around.is_none().then_some(1), ..Loop::default() });
            let mut ring: Vec<Item> = program.body.drain(2..4).collect();
            if plain {
                let parts = ring.into_iter().map(|item| match item {
                    Item::Branch(branch) => branch.arms.into_iter().flatten().next().unwrap(),
                    _ => panic!("{item:?}"),
                });
                let bodies =
                    parts.flat_map(|part| if let Item::Loop(0 | 1, body) = part { body } else { panic!("{part:?}") });
                ring = vec![Item::Loop(0, bodies.collect())];
                for op in &mut program.ops {
                    moved(op);
                }
            }
            program.body.insert(2, Item::Loop(outer, ring));
            let right = trips == Some(4);
            let findings = check(&program);
            assert_eq!(findings.is_empty(), right, "{trips:?} in {around:?}, plain: {plain}: {findings:?}");
        }
    }
}

/// Renumbers loop 1 to loop 0.
fn moved(op: &mut Op) {
    let renumber = |shift: &mut Shift| {
        shift.loops = std::mem::take(&mut shift.loops).into_values().map(|periodic| (0, periodic)).collect()
    };
    op.accesses.iter_mut().for_each(|access| renumber(&mut access.shift));
    for effect in &mut op.effects {
        let Effect::Mbarrier(effect) = effect else { continue };
        renumber(&mut effect.byte.shift);
        if let Act::Wait { parity } = &mut effect.act {
            renumber(&mut parity.shift);
        }
    }
}

/// All threads write a buffer before a ring and read it after; no barrier is between.
fn around_a_ring() -> SyncProgram {
    let mut program = Ring { trips: Some(7), ..Ring::right(3) }.program();
    let block = program.block;
    let mut op = |write: bool| {
        let turn = if write { 32 } else { 0 };
        let place = |thread: i64| 4 * ((thread + turn) % 64);
        let bytes = Footprint::of(block.iter().map(|thread| (thread, place(thread), place(thread) + 4)));
        let access = access(TILES + 1, write, bytes);
        program.ops.push(Op { active: block, exact: true, accesses: vec![access], effects: Vec::new() });
        Item::Op(program.ops.len() - 1)
    };
    let (writes, reads) = (op(true), op(false));
    let last = program.body.len() - 1;
    program.body.insert(last, reads);
    program.body.insert(2, writes);
    program
}

#[test]
fn a_ring_that_is_right_gets_nothing() {
    for stages in 1..=4 {
        let program = Ring::right(stages).program();
        assert_eq!(insert(&program), Ok(Vec::new()), "{stages}");
        let vain = redundant(&program);
        assert!(vain.iter().all(|&op| program.ops[op].effects == [Effect::Barrier]), "{stages}: {vain:?}");
    }
}

/// A barrier of the block is inserted before or after a ring, never into it.
#[test]
fn a_barrier_is_put_beside_a_ring() {
    let program = around_a_ring();
    assert!(!check(&program).is_empty());
    let inserted = insert(&program).unwrap();
    let [one] = &inserted[..] else { panic!("{inserted:#?}") };
    assert_eq!((&one.effect, one.active), (&Effect::Barrier, program.block));
    let mut whole = with(&program, &inserted);
    assert_eq!(check(&whole), []);
    whole.ops[program.ops.len()].effects.clear();
    assert!(!check(&whole).is_empty(), "{one:#?} is in vain");
}

/// What one thread writes before a ring, others read in it: a barrier goes before the first of the paths into the ring.
#[test]
fn a_barrier_is_put_before_a_ring() {
    let mut program = Ring { trips: Some(7), ..Ring::right(3) }.program();
    let (writer, block) = (ThreadSet::range(1, 2), program.block);
    let reads = program.ops.iter().position(|op| op.accesses.iter().any(|access| !access.write)).unwrap();
    let readers = program.ops[reads].active;
    let access = |write, by| access(TILES + 1, write, Footprint::all(0, 4, by));
    program.ops[reads].accesses.push(access(false, readers));
    let wrote = Op { active: writer, exact: true, accesses: vec![access(true, writer)], effects: Vec::new() };
    program.ops.push(wrote);
    let arms = vec![vec![Item::Op(program.ops.len() - 1)], Vec::new()];
    let taken = Taken::By(vec![writer, block.without(&writer)]);
    program.body.insert(2, Item::Branch(Branch { arms, taken, when: None }));
    let needs = |finding: &Finding| matches!(finding, Finding::Conflict(conflict) if conflict.needs == Needs::Arrival);
    assert!(check(&program).iter().any(needs), "{:#?}", check(&program));
    let inserted = insert(&program).unwrap();
    assert_eq!(inserted.len(), 1, "{inserted:#?}");
    // The copying thread is in the writer's warp.
    assert_eq!((&inserted[0].effect, inserted[0].active), (&Effect::WarpBarrier, block));
    let whole = with(&program, &inserted);
    assert_eq!(check(&whole), []);
    assert!(matches!(whole.body[3], Item::Op(op) if op == program.ops.len()), "{:#?}", whole.body);
}

/// Redundant barriers are removed; operations on mbarriers stay.
#[test]
fn mbarriers_are_never_in_vain() {
    let mut program = around_a_ring();
    program = with(&program, &insert(&program).unwrap());
    let (vain, block) = (program.ops.len(), program.block);
    program.ops.push(Op { active: block, exact: true, accesses: Vec::new(), effects: vec![Effect::Barrier] });
    program.body.insert(2, Item::Op(vain));
    let spare = redundant(&program);
    assert!(!spare.is_empty() && spare.iter().all(|&op| program.ops[op].effects == [Effect::Barrier]), "{spare:?}");
    spare.iter().for_each(|&op| program.ops[op].effects.clear());
    assert_eq!(check(&program), []);
}

/// Barriers do not repair a ring that is wrong in itself.
#[test]
fn what_a_ring_lacks_is_not_put() {
    for ring in [Ring { waits: [false, true], ..Ring::right(3) }, Ring { count: 33, ..Ring::right(3) }] {
        let program = ring.program();
        assert_eq!(insert(&program), Err(check(&program)), "{ring:?}");
    }
}
