//! Copies by `tcgen05.cp` in a program that is executed: a commit arrives once they are done, not when it is issued.

use std::rc::Rc;

use tile_plan::sync::{
    Access, Act, Completion, Effect, Finding, Footprint, Form, Item, Mbarrier, Needs, Op, Program, Shift, check,
};
use tile_plan::{Space, ThreadSet};

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
    Access {
        object,
        space,
        write,
        atomic: false,
        through_async_proxy: completion != Completion::Now,
        by_warps: false,
        way: None,
        completion,
        bytes: Some(Rc::new(Footprint::all(0, 16, one()))),
        shift: Shift::none(),
    }
}

fn op(active: ThreadSet, accesses: Vec<Access>, effects: Vec<Effect>) -> Op {
    Op { active, exact: true, accesses, effects }
}

fn act(act: Act) -> Effect {
    Effect::Mbarrier(Box::new(Mbarrier { object: BAR, byte: Form::constant(0), act }))
}

/// One thread copies, commits, waits if it does, and writes the tile that was copied.
fn copied(waits: bool) -> Program {
    let commit = act(Act::Arrive { by: one(), count: 1, bytes: 0, releases: true });
    let wait = if waits { vec![act(Act::Wait { parity: Form::constant(0) })] } else { Vec::new() };
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
    Program { block: block(), end: Some(6), ops, body, ringed: true, ..Program::default() }
}

#[test]
fn who_commits_has_to_wait() {
    assert_eq!(check(&copied(true)), []);
    let found = check(&copied(false));
    let conflict = found.iter().find_map(Finding::conflict).unwrap();
    assert_eq!((conflict.first.0, conflict.second.0, &conflict.needs), (2, 5, &Needs::Phase(0)), "{found:?}");
    assert!(found.iter().any(|it| matches!(it, Finding::NeverWaited { op: 2, .. })), "{found:?}");
}
