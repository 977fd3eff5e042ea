//! Which loops become rings, and what prevents others from becoming one.

use std::collections::HashMap;

use crate::common;
use tile_isa::Space;
use tile_layout::{Iter, Layout, Swizzle};
use tile_plan::pipeline::{
    PipelineCause, PipelineRefusal, PipelineRequest, ProductsInFlight, Roles, max_stages, plan, ring, roles,
};
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{
    Access, Branch, Completion, Effect, Footprint, Item, Loop, Op, Periodic, Queue, Shift, SyncProgram, Taken,
};

const THREADS: i64 = 32;
/// Bytes of the tile.
const TILE: i64 = 16 * THREADS;
const GLOBAL: usize = 0;
const SHARED: usize = 1;
const OUTPUT: usize = 2;

fn access(object: usize, write: bool, first: i64, bytes: i64) -> Access {
    let each = bytes / THREADS;
    let footprint = Footprint::of((0..THREADS).map(|t| (t, first + each * t, first + each * (t + 1))));
    let space = if object == SHARED { Space::Shared } else { Space::Global };
    Access { space, ..common::access::access(object, write, footprint) }
}

/// The access, moved by `bytes` in each iteration of loop 0.
fn moving(access: Access, bytes: i64) -> Access {
    let loops = [(0, Periodic::line(0, bytes))].into_iter().collect();
    Access { shift: Shift { loops, ..Shift::none() }, ..access }
}

fn op(accesses: Vec<Access>, effects: Vec<Effect>) -> Op {
    Op { active: ThreadSet::range(0, THREADS), exact: true, accesses, effects }
}

/// An asynchronous copy of `bytes` bytes of the tile, from an address that advances in each iteration.
fn load(first: i64, bytes: i64) -> Op {
    let completion = Completion::Group(Queue::CpAsync);
    let from = moving(access(GLOBAL, false, first, bytes), TILE);
    let to = Access { completion, ..access(SHARED, true, first, bytes) };
    op(vec![Access { completion, ..from }, to], vec![Effect::Commit(Queue::CpAsync)])
}

fn store(first: i64, bytes: i64) -> Op {
    op(vec![access(SHARED, false, first, bytes), moving(access(OUTPUT, true, first, bytes), TILE)], vec![])
}

/// A kernel with `before`, a loop of `inside`, and `after`.
fn program(before: Vec<Op>, inside: Vec<Op>, after: Vec<Op>) -> SyncProgram {
    let [a, b, c] = [before.len(), inside.len(), after.len()];
    let items = |range: std::ops::Range<usize>| range.map(Item::Op).collect::<Vec<_>>();
    let mut body = items(0..a);
    body.push(Item::Loop(0, items(a..a + b)));
    body.extend(items(a + b..a + b + c));
    let ops = before.into_iter().chain(inside).chain(after).collect();
    SyncProgram {
        block: ThreadSet::range(0, THREADS),
        ops,
        loops: vec![Loop::default(); 2],
        body,
        ..SyncProgram::default()
    }
}

fn request(copies: &[usize]) -> PipelineRequest {
    PipelineRequest { number: 0, ahead: 2, copies: copies.to_vec(), whole: HashMap::from([(SHARED, TILE)]) }
}

/// The roles in the one loop that is to be pipelined.
fn roles_in(program: &SyncProgram, copies: &[usize]) -> Result<Roles, PipelineRefusal> {
    roles(program, &[request(copies)]).remove(0)
}

fn refused(program: &SyncProgram, copies: &[usize]) -> (PipelineCause, Option<usize>, Option<usize>) {
    let PipelineRefusal { cause, op, other } = roles_in(program, copies).unwrap_err();
    (cause, op, other)
}

#[test]
fn copies_and_what_reads_them_are_a_ring() {
    let ring_of = |inside| roles_in(&program(vec![], inside, vec![]), &[0]).unwrap();
    let roles_of = ring_of(vec![load(0, TILE), store(0, TILE)]);
    assert_eq!((roles_of.producers, roles_of.rings), (vec![0], vec![SHARED]));
    // All of the tile has arrived, so it does not matter where it is read.
    let somewhere = op(vec![moving(access(SHARED, false, 0, 32), 4)], vec![]);
    assert_eq!(ring_of(vec![load(0, TILE), somewhere]).rings, [SHARED]);
}

#[test]
fn two_halves_are_a_tile_and_one_is_not() {
    let half = TILE / 2;
    let both = program(vec![], vec![load(0, half), load(half, half), store(0, TILE)], vec![]);
    assert_eq!(roles_in(&both, &[0, 1]).unwrap().producers, [0, 1]);
    let one = program(vec![], vec![load(0, half), store(0, TILE)], vec![]);
    assert_eq!(refused(&one, &[0]), (PipelineCause::ReadBeyond, Some(1), Some(0)));
    let halves = program(vec![], vec![load(0, half), store(0, half)], vec![]);
    assert!(roles_in(&halves, &[0]).is_ok());
}

#[test]
fn what_lives_longer_than_an_iteration_is_no_ring() {
    let body = || vec![load(0, TILE), store(0, TILE)];
    assert_eq!(
        refused(&program(vec![], body(), vec![store(0, TILE)]), &[0]),
        (PipelineCause::UsedOutside, Some(0), Some(2))
    );
    assert_eq!(
        refused(&program(vec![store(0, 32)], body(), vec![]), &[1]),
        (PipelineCause::UsedOutside, Some(1), Some(0))
    );
    let late = program(vec![], vec![store(0, TILE), load(0, TILE)], vec![]);
    assert_eq!(refused(&late, &[1]), (PipelineCause::ReadBefore, Some(0), Some(1)));
    let filled = op(vec![access(SHARED, true, 0, 32)], vec![]);
    let twice = program(vec![], vec![load(0, TILE), filled, store(0, TILE)], vec![]);
    assert_eq!(refused(&twice, &[0]), (PipelineCause::AlsoWritten, Some(1), Some(0)));
    // Another object may be the same memory.
    let mut aliased = program(vec![], body(), vec![]);
    aliased.may_alias = vec![(SHARED, OUTPUT)];
    assert_eq!(refused(&aliased, &[0]).0, PipelineCause::AlsoWritten);
}

#[test]
fn two_loops_may_make_rings_of_one_tile() {
    let mut both = program(vec![], vec![load(0, TILE), store(0, TILE)], vec![]);
    both.ops.extend([load(0, TILE), store(0, TILE)]);
    both.body.push(Item::Loop(1, vec![Item::Op(2), Item::Op(3)]));
    let requests = [request(&[0]), PipelineRequest { number: 1, ..request(&[2]) }];
    assert!(roles(&both, &requests).iter().all(Result::is_ok));
    assert_eq!(refused(&both, &[0]), (PipelineCause::UsedOutside, Some(0), Some(2)));
    // Nor may anything else touch the tile, whatever makes a ring of it.
    both.ops.push(store(0, 32));
    both.body.push(Item::Op(4));
    for (found, copy) in roles(&both, &requests).into_iter().zip([0, 2]) {
        assert_eq!(
            found.unwrap_err(),
            PipelineRefusal { cause: PipelineCause::UsedOutside, op: Some(copy), other: Some(4) }
        );
    }
}

#[test]
fn a_loop_in_another_one_makes_a_ring_in_each_of_its_iterations() {
    let inner = |before, after| {
        let mut nested = program(before, vec![load(0, TILE), store(0, TILE)], after);
        nested.body = vec![Item::Loop(1, nested.body)];
        nested
    };
    assert!(roles_in(&inner(vec![], vec![]), &[0]).is_ok());
    assert_eq!(refused(&inner(vec![], vec![store(0, TILE)]), &[0]), (PipelineCause::UsedOutside, Some(0), Some(2)));
    let outer = PipelineRequest { number: 1, ..request(&[0]) };
    let refusal = roles(&inner(vec![], vec![]), &[outer]).remove(0).unwrap_err();
    assert_eq!(refusal, PipelineRefusal { cause: PipelineCause::NotInEachIteration, op: Some(0), other: None });
}

#[test]
fn copies_are_issued_in_each_iteration_and_ordered_by_the_pass() {
    assert_eq!(refused(&program(vec![], vec![store(0, 32)], vec![]), &[]), (PipelineCause::NoCopy, None, None));
    let mut branch = program(vec![], vec![load(0, TILE), store(0, TILE)], vec![]);
    let arm = Item::Branch(Branch { arms: vec![vec![Item::Op(0)], vec![]], taken: Taken::Together, when: None });
    branch.body = vec![Item::Loop(0, vec![arm, Item::Op(1)])];
    assert_eq!(refused(&branch, &[0]), (PipelineCause::NotInEachIteration, Some(0), None));
    let wait = op(vec![], vec![Effect::Wait { queue: Queue::CpAsync, pending: 0, reads: false }]);
    let by_hand = program(vec![], vec![load(0, TILE), wait, store(0, TILE)], vec![]);
    assert_eq!(refused(&by_hand, &[0]), (PipelineCause::OrderedByHand, Some(1), Some(0)));
    let mut done = load(0, TILE);
    done.accesses[1].completion = Completion::Now;
    assert_eq!(refused(&program(vec![], vec![done], vec![]), &[0]).0, PipelineCause::Synchronous);
}

#[test]
fn a_source_that_was_written_is_not_read_earlier() {
    // Iteration k writes what iteration k + later reads.
    let written = |later: i64| {
        let write = moving(access(GLOBAL, true, later * TILE, TILE), TILE);
        program(vec![], vec![load(0, TILE), store(0, TILE), op(vec![write], vec![])], vec![])
    };
    for later in -3..=4 {
        let ring = roles_in(&written(later), &[0]).map_err(|refusal| refusal.cause);
        assert_eq!(ring.is_ok(), !(1..=2).contains(&later), "{later}: {ring:?}");
    }
    let mut unknown = written(0);
    unknown.ops[2].accesses[0].shift = Shift::unknown();
    assert_eq!(refused(&unknown, &[0]), (PipelineCause::SourceWritten, Some(0), Some(2)));
}

#[test]
fn what_another_block_publishes_is_not_read_earlier() {
    for acquires in [false, true] {
        let polls = op(vec![], vec![Effect::InterBlock { acquires, releases: !acquires }]);
        let polled = program(vec![], vec![polls, load(0, TILE), store(0, TILE)], vec![]);
        let ring = roles_in(&polled, &[1]).map_err(|refusal| (refusal.cause, refusal.other));
        assert_eq!(ring.err(), acquires.then_some((PipelineCause::Acquired, Some(0))));
    }
}

#[test]
fn a_write_before_the_copy_of_its_iteration_is_read_by_it() {
    let write = moving(access(GLOBAL, true, 0, TILE), TILE);
    let first = program(vec![], vec![op(vec![write], vec![]), load(0, TILE), store(0, TILE)], vec![]);
    assert_eq!(refused(&first, &[1]), (PipelineCause::SourceWritten, Some(1), Some(0)));
}

#[test]
fn every_wait_leaves_the_groups_behind_its_own() {
    for (stages, trips) in (2..=8).flat_map(|stages| (0..12).map(move |trips| (stages, trips))) {
        let plan = plan(stages, Some(trips), ProductsInFlight::default());
        // Groups closed by the time that iteration k reads: those before the loop, and one in each iteration before.
        for k in 0..trips {
            let closed = plan.ahead + k;
            assert_eq!(closed - plan.pending, k + 1, "all up to its own, and no more");
        }
        // What iteration k overwrites has been read by the one before.
        assert!((0..trips).all(|k| (k + plan.ahead) % plan.stages == (k + plan.stages - 1) % plan.stages));
        assert!(plan.stages <= stages && plan.stages >= stages.min(trips.max(2)));
    }
}

#[test]
fn a_stage_that_products_in_flight_read_is_kept() {
    const ONE: ProductsInFlight = ProductsInFlight { groups: 1, are_all: false };
    for (stages, trips) in (3..=8).flat_map(|stages| (3..12).map(move |trips| (stages, trips))) {
        let plan = plan(stages, Some(trips), ONE);
        assert_eq!((plan.ahead, plan.pending, plan.pending_products), (plan.stages - 2, plan.stages - 3, Some(1)));
        // Where iteration k copies, its own products and those of iteration k - 1 read other stages.
        let stage = |k: i64| k.rem_euclid(plan.stages);
        assert!((1..trips).all(|k| ![stage(k), stage(k - 1)].contains(&stage(k + plan.ahead))));
    }
    assert_eq!(plan(2, None, ONE).pending_products, Some(0), "of two stages none can be kept");
}

#[test]
fn stages_are_alike_and_apart() {
    let swizzled = Layout::row_major(&[8, 64]).with_swizzle(Swizzle::new(3, 3, 3, true).unwrap());
    let padded = Layout::new([Iter::memory(8, 65), Iter::memory(64, 1)]);
    for (tile, multiple) in [(swizzled, 8), (padded, 4)] {
        let whole = ring(&tile, 3, multiple).unwrap();
        let distance = whole.shard[0].stride;
        assert_eq!(distance % multiple, 0);
        assert!(distance >= tile.memory_span());
        for (stage, row, column) in (0..3).flat_map(|s| (0..8).flat_map(move |r| (0..64).map(move |c| (s, r, c)))) {
            let [one, all] = [tile.apply(&[row, column], &[8, 64]), whole.apply(&[stage, row, column], &[3, 8, 64])];
            let places = [one, all].map(|place| place.unwrap()[&tile_layout::Axis::Memory]);
            assert_eq!(places[0] + stage * distance, places[1]);
        }
    }
    assert_eq!(max_stages(65536, 1024, 232_448), 3);
    assert_eq!(max_stages(65536, 500_000, 232_448), 0);
}
