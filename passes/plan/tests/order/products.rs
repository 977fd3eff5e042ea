//! Products of `wgmma` in programs: what completes them, what is added.

use crate::common;
use tile_isa::Space;
use tile_plan::pipeline::{
    PipelineRequest, ProductsInFlight, Publication, StageRelease, StageUse, products_in_flight, published, stage_uses,
};
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{
    Access, Completion, Effect, Finding, Footprint, Insertion, Item, Loop, Needs, Op, Queue, Shift, SyncProgram,
    Threads, check, insert, redundant, with,
};
use tile_plan::touch::Collective;

const GROUP: Completion = Completion::Group(Queue::Product);

fn block() -> ThreadSet {
    ThreadSet::range(0, 128)
}

fn access(object: usize, space: Space, write: bool, bytes: Footprint) -> Access {
    Access { space, ..common::access::access(object, write, bytes) }
}

/// Each thread accesses its own bytes.
fn by_thread(object: usize, space: Space, write: bool) -> Access {
    access(object, space, write, Footprint::of((0..128).map(|thread| (thread, 4 * thread, 4 * thread + 4))))
}

fn op(accesses: Vec<Access>, effects: Vec<Effect>) -> Op {
    Op { active: block(), exact: true, accesses, effects }
}

/// Object 0 is the operand in shared memory, 1 the registers of the sum.
fn product() -> Op {
    let reads = access(0, Space::Shared, false, Footprint::all(0, 512, block()));
    let reads = Access { completion: GROUP, through_async_proxy: true, collective: Collective::Warp, ..reads };
    op(vec![reads, Access { completion: GROUP, ..by_thread(1, Space::Local, true) }], Vec::new())
}

fn store() -> Op {
    op(vec![by_thread(0, Space::Shared, true)], Vec::new())
}

fn look() -> Op {
    op(vec![by_thread(1, Space::Local, false)], Vec::new())
}

fn does(effect: Effect) -> Op {
    op(Vec::new(), vec![effect])
}

fn commit() -> Op {
    does(Effect::Commit(Queue::Product))
}

fn wait(pending: i64) -> Op {
    does(Effect::Wait { queue: Queue::Product, pending, reads: false })
}

fn fence() -> Op {
    does(Effect::ProxyFence { shared: true })
}

fn line(ops: Vec<Op>) -> SyncProgram {
    let mut program = SyncProgram { block: block(), ..SyncProgram::default() };
    program.body = (0..=ops.len()).map(Item::Op).collect();
    program.end = Some(ops.len());
    program.ops = ops.into_iter().chain([op(Vec::new(), Vec::new())]).collect();
    program
}

fn needs(program: &SyncProgram) -> Vec<Needs> {
    check(program).iter().filter_map(Finding::conflict).map(|conflict| conflict.needs.clone()).collect()
}

fn added(program: &SyncProgram) -> Vec<(usize, Effect)> {
    let made = insert(program).unwrap_or_else(|left| panic!("{left:?}"));
    assert_eq!(check(&with(program, &made)), []);
    made.into_iter().map(|Insertion { before, effect, .. }| (before, effect)).collect()
}

#[test]
fn each_of_the_four_is_missed() {
    let whole = vec![store(), fence(), does(Effect::Barrier), product(), commit(), wait(0), look()];
    assert_eq!(check(&line(whole.clone())), []);
    assert!(redundant(&line(whole.clone())).is_empty());
    let without = |at: usize| {
        let mut ops = whole.clone();
        ops.remove(at);
        needs(&line(ops))
    };
    assert_eq!(without(1), [Needs::ProxyFence]);
    assert_eq!(without(2), [Needs::Barrier(Threads::Block)]);
    let group = |committed| Needs::Group { queue: Queue::Product, pending: 0, committed, threads: None };
    assert_eq!(without(4), [group(false)]);
    assert_eq!(without(5), [group(true)]);
}

#[test]
fn a_warp_waits_as_a_whole_and_others_need_a_barrier() {
    let before = vec![product(), commit(), wait(0)];
    let turned = |by: i64| {
        let bytes = Footprint::of((0..128).map(|t| (t, 4 * ((t + by) % 128), 4 * ((t + by) % 128) + 4)));
        op(vec![access(0, Space::Shared, true, bytes)], Vec::new())
    };
    let needed = needs(&line([before.clone(), vec![turned(0)]].concat()));
    assert_eq!(needed, [Needs::Barrier(Threads::Block)], "other warps have read it, too");
    assert_eq!(check(&line([before, vec![does(Effect::Barrier), turned(5)]].concat())), []);
}

#[test]
fn sums_in_the_same_registers_need_nothing() {
    assert_eq!(check(&line(vec![product(), product(), product(), commit(), wait(0)])), []);
    let late = line(vec![product(), commit(), product(), commit(), wait(1), look()]);
    assert_eq!(needs(&late), [Needs::Group { queue: Queue::Product, pending: 0, committed: true, threads: None }]);
}

#[test]
fn what_is_missing_is_added() {
    let wait = |pending| Effect::Wait { queue: Queue::Product, pending, reads: false };
    let all = added(&line(vec![store(), product(), look(), store()]));
    let expected = [
        (1, Effect::ProxyFence { shared: true }),
        (1, Effect::Barrier),
        (2, Effect::Commit(Queue::Product)),
        (2, wait(0)),
        (3, Effect::Barrier),
    ];
    for effect in &expected {
        assert!(all.contains(effect), "{effect:?} in {all:?}");
    }
    assert_eq!(all.len(), expected.len(), "{all:?}");
    assert_eq!(added(&line(vec![product()])), [(1, Effect::Commit(Queue::Product)), (1, wait(0))]);
}

#[test]
fn a_wait_is_put_where_whole_warpgroups_are() {
    let one = ThreadSet::range(0, 1);
    let bulk = access(0, Space::Shared, true, Footprint::all(0, 512, one));
    let bulk = Op { active: one, ..op(vec![Access { through_async_proxy: true, ..bulk }], Vec::new()) };
    let mut program = line(vec![product(), commit(), bulk]);
    let arm = tile_plan::sync::Branch {
        arms: vec![vec![Item::Op(2)], Vec::new()],
        taken: tile_plan::sync::Taken::By(vec![one, block().without(&one)]),
        when: None,
    };
    program.body = vec![Item::Op(0), Item::Op(1), Item::Branch(arm), Item::Op(3)];
    let made = insert(&program).unwrap_or_else(|left| panic!("{left:?}"));
    let waits: Vec<&Insertion> = made.iter().filter(|one| matches!(one.effect, Effect::Wait { .. })).collect();
    assert!(waits.iter().all(|insertion| insertion.out == 1 && insertion.active == block()), "{made:?}");
    assert_eq!(check(&with(&program, &made)), []);
}

#[test]
fn of_a_ring_one_group_stays_in_flight() {
    // Stage i mod 2 is read, and written one iteration later than it was read.
    let stage = |access: Access, by: i64| {
        let table = (0..2).map(|k| (k + by) % 2 * 512).collect();
        let loops = [(0, tile_plan::sync::Periodic::table(table))].into();
        Access { shift: Shift { loops, ..Shift::none() }, ..access }
    };
    let mut multiplies = product();
    multiplies.accesses[0] = stage(multiplies.accesses[0].clone(), 0);
    let mut writes = store();
    writes.accesses[0] = stage(writes.accesses[0].clone(), 0);
    let mut program = line(vec![writes, multiplies, commit(), look()]);
    program.loops = vec![Loop { trips: Some(8), ..Loop::default() }];
    program.body = vec![Item::Loop(0, vec![Item::Op(0), Item::Op(1), Item::Op(2)]), Item::Op(3), Item::Op(4)];
    let made = added(&program);
    let waits: Vec<_> = made.iter().filter(|put| matches!(put.1, Effect::Wait { .. })).collect();
    let expected = |pending| Effect::Wait { queue: Queue::Product, pending, reads: false };
    assert_eq!(waits, [&(0, expected(1)), &(3, expected(0))], "{made:?}");
}

#[test]
fn a_loop_leaves_products_in_flight_that_it_does_not_wait_for() {
    let in_flight = |ops: Vec<Op>| {
        let mut program = line(ops);
        let inside = program.body.drain(..program.body.len() - 1).collect();
        program.body.insert(0, Item::Loop(0, inside));
        program.loops = vec![Loop { trips: Some(8), ..Loop::default() }];
        products_in_flight(&program, 0)
    };
    let flying = |groups, are_all| ProductsInFlight { groups, are_all };
    assert_eq!(in_flight(vec![product(), commit()]), flying(1, false));
    assert_eq!(in_flight(vec![product(), commit(), wait(1)]), flying(1, false));
    assert_eq!(in_flight(vec![wait(0), product(), commit()]), flying(1, true));
    assert_eq!(in_flight(vec![product(), commit(), wait(0), product(), commit()]), flying(1, true));
    assert_eq!(in_flight(vec![product(), commit(), product(), commit()]), flying(2, false));
    assert_eq!(in_flight(vec![product(), commit(), wait(0)]), flying(0, false));
    assert_eq!(in_flight(vec![store()]), flying(0, false));
}

/// A loop that copies to the objects 0 and 2, then does `ops`.
fn copying(ops: Vec<Op>) -> (SyncProgram, PipelineRequest) {
    let copy = |object| {
        let to = Access { completion: Completion::Arrival(0), ..by_thread(object, Space::Shared, true) };
        op(vec![Access { through_async_proxy: true, ..to }], Vec::new())
    };
    let mut program = line([copy(0), copy(2)].into_iter().chain(ops).collect());
    let inside = program.body.drain(..program.body.len() - 1).collect();
    program.body.insert(0, Item::Loop(0, inside));
    program.loops = vec![Loop::default()];
    (program, PipelineRequest { number: 0, copies: vec![0, 1], ..PipelineRequest::default() })
}

/// The product reads another factor, too.
fn both() -> Op {
    let mut both = product();
    both.accesses.push(Access { object: 2, ..both.accesses[0].clone() });
    both
}

#[test]
fn a_stage_is_released_where_all_that_reads_it_is_complete() {
    let uses = |ops: Vec<Op>| {
        let (program, request) = copying(ops);
        stage_uses(&program, &request).unwrap()
    };
    let read = || op([0, 2].map(|object| by_thread(object, Space::Shared, false)).to_vec(), Vec::new());
    let used = |copies: &[usize], first, release| StageUse { copies: copies.to_vec(), first, release };
    let together = |ops: Vec<Op>, release| assert_eq!(uses(ops), [used(&[0, 1], 2, release)]);
    together(vec![both(), commit(), wait(0)], StageRelease::Behind(4));
    together(vec![both(), commit(), wait(1)], StageRelease::NextBehind(4));
    together(vec![both(), commit()], StageRelease::NextEnd { pending: 1 });
    together(vec![both(), commit(), look(), product(), commit()], StageRelease::NextEnd { pending: 2 });
    // Threads that read it later than the product.
    together(vec![both(), commit(), wait(0), read()], StageRelease::Behind(5));
    // As in attention: the first product is waited for, and with it the second one of the iteration before.
    let second = Op { accesses: vec![Access { object: 2, ..product().accesses[0].clone() }], ..product() };
    let attention = vec![product(), commit(), wait(0), second, commit()];
    assert_eq!(uses(attention), [used(&[0], 2, StageRelease::Behind(4)), used(&[1], 5, StageRelease::NextBehind(4))]);
    let (unread, request) = copying(vec![product(), commit()]);
    assert_eq!(stage_uses(&unread, &request), Err(1));
}

#[test]
fn what_is_written_before_a_loop_is_published_once() {
    let publication = |before: Vec<Op>, inside: Op| {
        let mut program = line(before.into_iter().chain([inside]).collect());
        let at = program.body.len() - 2;
        let inside = program.body.remove(at);
        program.body.insert(at, Item::Loop(0, vec![inside]));
        program.loops = vec![Loop::default()];
        published(&program, &PipelineRequest::default())
    };
    assert_eq!(publication(vec![store()], product()), Some(Publication { to_engines: true }));
    assert_eq!(
        publication(vec![store()], op(vec![by_thread(0, Space::Shared, false)], Vec::new())),
        Some(Publication { to_engines: false })
    );
    assert_eq!(publication(vec![look()], product()), None);
}
