//! Copies by `tcgen05.cp` and products by `tcgen05.mma` in a program that is executed: a commit arrives when they are
//! complete, not when it is issued, and some of them execute in the order of the thread.

use crate::common;
use crate::common::access::op;
use tile_isa::Space;
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{
    Access, Act, AddressForm, Completion, Effect, Finding, Footprint, Item, Loop, Mbarrier, Needs, Periodic, Pipe,
    Shift, SyncProgram, check,
};

const BAR: usize = 0;
const TILE: usize = 1;
const COLUMNS: usize = 2;

fn block() -> ThreadSet {
    ThreadSet::range(0, 32)
}

fn one() -> ThreadSet {
    ThreadSet::range(0, 1)
}

fn access(object: usize, space: Space, write: bool, completion: Completion) -> Access {
    let through_async_proxy = completion != Completion::Now;
    let bytes = Footprint::all(0, 16, one());
    Access { space, through_async_proxy, completion, ..common::access::access(object, write, bytes) }
}

fn act(act: Act) -> Effect {
    Effect::Mbarrier(Box::new(Mbarrier { object: BAR, byte: AddressForm::constant(0), act }))
}

/// One thread copies, commits, waits if `waits`, and writes the tile that was copied.
fn copied(waits: bool) -> SyncProgram {
    let commit = act(Act::Arrive { by: one(), count: 1, bytes: 0, releases: true });
    let wait = if waits { vec![act(Act::Wait { parity: AddressForm::constant(0) })] } else { Vec::new() };
    let copy = [
        access(TILE, Space::Shared, false, Completion::Commit),
        access(COLUMNS, Space::Tmem, true, Completion::Commit),
    ];
    let ops = vec![
        op(one(), Vec::new(), vec![act(Act::Init { count: 1 })]),
        op(block(), Vec::new(), vec![Effect::Barrier]),
        op(one(), copy.to_vec(), Vec::new()),
        op(one(), Vec::new(), vec![Effect::TensorCommit, commit]),
        op(one(), Vec::new(), wait),
        op(one(), vec![access(TILE, Space::Shared, true, Completion::Now)], Vec::new()),
        op(block(), Vec::new(), Vec::new()),
    ];
    let body = (0..ops.len()).map(Item::Op).collect();
    SyncProgram { block: block(), end: Some(6), ops, body, ringed: true, ..SyncProgram::default() }
}

#[test]
fn who_commits_has_to_wait() {
    assert_eq!(check(&copied(true)), []);
    let findings = check(&copied(false));
    let conflict = findings.iter().find_map(Finding::conflict).unwrap();
    assert_eq!((conflict.first.0, conflict.second.0, &conflict.needs), (2, 5, &Needs::Phase(0)), "{findings:?}");
    assert!(findings.iter().any(|finding| matches!(finding, Finding::NeverWaited { op: 2, .. })), "{findings:?}");
}

/// One thread copies, commits to two mbarriers, and waits for one of them before it writes the tile that was copied.
fn committed_twice(waits_for: usize) -> SyncProgram {
    let act = |bar: usize, act: Act| {
        let byte = AddressForm::constant(8 * bar as i64);
        Effect::Mbarrier(Box::new(Mbarrier { object: BAR, byte, act }))
    };
    let inits = [0, 1].map(|bar| act(bar, Act::Init { count: 1 }));
    let commit = |bar: usize| {
        let arrives = act(bar, Act::Arrive { by: one(), count: 1, bytes: 0, releases: true });
        op(one(), Vec::new(), vec![Effect::TensorCommit, arrives])
    };
    let write = op(one(), vec![access(TILE, Space::Shared, true, Completion::Now)], Vec::new());
    let ops = vec![
        op(one(), Vec::new(), inits.to_vec()),
        op(block(), Vec::new(), vec![Effect::Barrier]),
        op(one(), vec![access(TILE, Space::Shared, false, Completion::Commit)], Vec::new()),
        commit(0),
        op(one(), vec![access(COLUMNS, Space::Tmem, true, Completion::Commit)], Vec::new()),
        commit(1),
        op(one(), Vec::new(), vec![act(waits_for, Act::Wait { parity: AddressForm::constant(0) })]),
        write,
        op(block(), Vec::new(), Vec::new()),
    ];
    let body = (0..ops.len()).map(Item::Op).collect();
    SyncProgram { block: block(), end: Some(8), ops, body, ringed: true, ..SyncProgram::default() }
}

#[test]
fn a_commit_is_behind_all_that_its_thread_has_issued() {
    assert_eq!(check(&committed_twice(1)), []);
    // The first commit covers only the copy before it.
    let findings = check(&committed_twice(0));
    assert!(matches!(findings[..], [Finding::NeverWaited { op: 4, .. }]), "{findings:?}");
}

#[test]
fn the_arrival_of_a_commit_is_waited_for() {
    let mut program = committed_twice(0);
    program.ops[4].accesses.clear();
    let arrives = access(BAR, Space::Shared, false, Completion::Commit);
    program.ops[5].accesses.push(Access { through_async_proxy: false, ..arrives });
    // Its mbarrier is written by the operation that initialises it.
    program.ops[0].accesses.push(access(BAR, Space::Shared, true, Completion::Now));
    let findings = check(&program);
    assert!(matches!(findings[..], [Finding::NeverWaited { op: 5, .. }]), "{findings:?}");
    let mut waits = committed_twice(1);
    (waits.ops[0], waits.ops[5]) = (program.ops[0].clone(), program.ops[5].clone());
    assert_eq!(check(&waits), []);
}

/// One thread issues two operations that write tensor memory, the second after the first or in each of three
/// iterations.
fn issued(pipes: [Pipe; 2], moves: Option<i64>) -> SyncProgram {
    let commit = act(Act::Arrive { by: one(), count: 1, bytes: 0, releases: true });
    let columns = |pipe| Access { pipe: Some(pipe), ..access(COLUMNS, Space::Tmem, true, Completion::Commit) };
    let moved = moves.map_or(Shift::none(), |by| Shift { loops: [(0, Periodic::line(0, by))].into(), ..Shift::none() });
    let [first, second] = pipes.map(columns);
    let ops = vec![
        op(one(), Vec::new(), vec![act(Act::Init { count: 1 })]),
        op(block(), Vec::new(), vec![Effect::Barrier]),
        op(one(), vec![first], Vec::new()),
        op(one(), vec![Access { shift: moved, ..second }], Vec::new()),
        op(one(), Vec::new(), vec![Effect::TensorCommit, commit]),
        op(one(), Vec::new(), vec![act(Act::Wait { parity: AddressForm::constant(0) })]),
        op(block(), Vec::new(), Vec::new()),
    ];
    let second = if moves.is_some() { Item::Loop(0, vec![Item::Op(3)]) } else { Item::Op(3) };
    let body = [0, 1, 2].map(Item::Op).into_iter().chain([second]).chain([4, 5, 6].map(Item::Op)).collect();
    let loops = vec![Loop { trips: Some(3), entered: true, ..Loop::default() }];
    SyncProgram { block: block(), end: Some(6), ops, loops, body, ringed: true, ..SyncProgram::default() }
}

#[test]
fn products_of_one_sum_are_in_line_and_follow_copies() {
    for (pipes, ordered_by_pipe) in [
        ([Pipe::Copy, Pipe::Sum(0)], true),
        ([Pipe::Sum(0), Pipe::Sum(0)], true),
        ([Pipe::Sum(0), Pipe::Sum(1)], false),
        ([Pipe::Copy, Pipe::Copy], false),
        ([Pipe::Sum(0), Pipe::Copy], false),
    ] {
        let findings = check(&issued(pipes, None));
        assert_eq!(findings.is_empty(), ordered_by_pipe, "{pipes:?}: {findings:?}");
    }
}

#[test]
fn sums_that_overlap_are_not_in_line() {
    let sums = [Pipe::Sum(0), Pipe::Sum(0)];
    assert_eq!(check(&issued(sums, Some(0))), []);
    assert_eq!(check(&issued(sums, Some(16))), []);
    let findings = check(&issued(sums, Some(8)));
    assert!(findings.iter().any(|finding| matches!(finding, Finding::Conflict(_))), "{findings:?}");
}

#[test]
fn sums_at_a_value_that_the_loop_varies_are_not_in_line() {
    let at = |varying: &[usize]| {
        let mut program = issued([Pipe::Copy, Pipe::Sum(0)], Some(0));
        program.ops[3].accesses[0].shift.fixed = [(7, 8)].into();
        program.loops[0].varying = varying.iter().copied().collect();
        check(&program)
    };
    assert_eq!(at(&[]), []);
    let findings = at(&[7]);
    assert!(findings.iter().any(|finding| matches!(finding, Finding::Conflict(_))), "{findings:?}");
}
