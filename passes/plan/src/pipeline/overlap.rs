//! Whether the copies of a ring stay in flight while an iteration computes: which accesses have to wait for more of them
//! than the one that the iteration reads.
//!
//! ```text
//!   wait for all but 1 group        copy k has arrived
//!   copy k + 2 ──▶ stage            another stage than the one that is read
//!   read                            if it may be of that stage, it waits for all groups
//! ```

use std::collections::HashMap;

use crate::pipeline::roles::{Inside, collect};
use crate::sync::{Access, Completion, Effect, Finding, Needs, Queue, SyncProgram, check};

/// An access that lets fewer groups stay pending than its ring has copies ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Serialising {
    /// The operation, by its number.
    pub op: usize,
    /// The number of groups that may stay pending where it begins.
    pub pending: i64,
}

/// The operations in a loop that wait for the ring's copies of later iterations, in the order of their numbers. `pending`:
/// the number of groups that the loop's own wait leaves pending.
pub fn serialising(program: &SyncProgram, number: usize, pending: i64) -> Vec<Serialising> {
    let mut inside = HashMap::from([(number, Inside::default())]);
    collect(&program.body, None, &mut Vec::new(), &mut inside);
    let inside = &inside[&number].all;
    let copied = |access: &&Access| access.write && access.completion == Completion::Group(Queue::CpAsync);
    let rings: Vec<usize> = inside
        .iter()
        .flat_map(|&op| program.ops[op].accesses.iter().filter(copied))
        .map(|access| access.object)
        .collect();
    let mut serial_ops: Vec<Serialising> = Vec::new();
    for conflict in check(&with_barriers(program)).iter().filter_map(Finding::conflict) {
        let Needs::Group { queue: Queue::CpAsync, pending: left, .. } = conflict.needs else { continue };
        let first = &program.ops[conflict.first.0].accesses[conflict.first.1];
        let op = conflict.second.0;
        if left >= pending || !rings.contains(&first.object) || !inside.contains(&op) {
            continue;
        }
        match serial_ops.iter_mut().find(|known| known.op == op) {
            Some(known) => known.pending = known.pending.min(left),
            None => serial_ops.push(Serialising { op, pending: left }),
        }
    }
    serial_ops.sort_unstable_by_key(|known| known.op);
    serial_ops
}

/// The program with a barrier after each wait, so that only waits are missing.
fn with_barriers(program: &SyncProgram) -> SyncProgram {
    let mut program = program.clone();
    for op in &mut program.ops {
        if op.effects.iter().any(|effect| matches!(effect, Effect::Wait { queue: Queue::CpAsync, .. })) {
            op.effects.push(Effect::Barrier);
        }
    }
    program
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::rc::Rc;

    use super::*;
    use crate::problem::threads::ThreadSet;
    use crate::sync::{Footprint, Item, Loop, Op, Periodic, Shift};
    use tile_isa::Space;

    /// A ring of three stages of 256 bytes, each thread with 4 bytes of its own in each; the stage that is read, by the
    /// iteration.
    fn ring(read: Shift) -> SyncProgram {
        let block = ThreadSet::range(0, 64);
        let bytes = Rc::new(Footprint::of((0..64).map(|t| (t, 4 * t, 4 * t + 4))));
        let stage = |ahead| {
            let stage = Periodic::line(ahead, 1).divided(3).unwrap().1.times(256).unwrap();
            Shift { loops: BTreeMap::from([(0, stage)]), ..Shift::none() }
        };
        let access = |write, completion, shift| {
            let bytes = Some(Rc::clone(&bytes));
            Access { completion, bytes, shift, ..Access::direct(0, Space::Shared, write) }
        };
        let op = |accesses, effects| Op { active: block, exact: true, accesses, effects };
        let group = Completion::Group(Queue::CpAsync);
        let wait = Effect::Wait { queue: Queue::CpAsync, pending: 1, reads: false };
        let ops = vec![
            op(vec![], vec![wait]),
            op(vec![access(true, group, stage(2))], vec![Effect::Commit(Queue::CpAsync)]),
            op(vec![access(false, Completion::Now, if read.unknown { read } else { stage(0) })], vec![]),
        ];
        let body = vec![Item::Loop(0, (0..3).map(Item::Op).collect())];
        SyncProgram { block, ops, loops: vec![Loop::default()], body, ..SyncProgram::default() }
    }

    #[test]
    fn a_read_of_any_stage_waits_for_all_copies() {
        assert_eq!(serialising(&ring(Shift::none()), 0, 1), []);
        assert_eq!(serialising(&ring(Shift::unknown()), 0, 1), [Serialising { op: 2, pending: 0 }]);
        assert_eq!(serialising(&ring(Shift::unknown()), 0, 0), []);
    }
}
