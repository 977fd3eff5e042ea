//! Whether two accesses conflict, given the ordering state of the first at the second.

use std::rc::Rc;

use crate::sync::access::{Access, Completion, Through};
use crate::sync::common::Found;
use crate::sync::conflicts::ConflictTable;
use crate::sync::finding::{Conflict, Needs, Threads};
use crate::sync::flow::Flow;
use crate::sync::groups::bits;
use crate::sync::known::Observers;
use crate::sync::pairs::{Pairs, UnorderedPairs};
use crate::sync::program::SyncProgram;
use crate::sync::shift::{Apart, Distance};

/// A pair of accesses.
#[derive(Clone, Copy)]
pub(super) struct AccessPair {
    /// The first access: its operation, and its number there.
    pub first: (usize, usize),
    /// The second access.
    pub second: (usize, usize),
    /// The loop in whose later iteration the second takes place.
    pub carried: Option<usize>,
}

/// The conflict of two accesses, where `known` is the state of the first at the second.
pub(super) fn between(
    program: &SyncProgram,
    (flow, table): (&Flow<'_>, &ConflictTable),
    pair: AccessPair,
    known: &Observers,
    apart: impl Fn(usize) -> Apart,
) -> Option<Conflict> {
    let (op, later) = (&program.ops[pair.first.0], &program.ops[pair.second.0]);
    let (a, b) = (&op.accesses[pair.first.1], &later.accesses[pair.second.1]);
    program.related(a.object, b.object)?;
    let exchanged = program.exchanged(a.object, b.object);
    if !a.conflicts(b) || exchanged.is_some_and(|number| apart(number) == Apart::Same) {
        return None;
    }
    let common = table.common(program, [pair.first, pair.second], apart);
    let mut pairs = Pairs::new(&flow.groups, known, a.through(b));
    let racing = match &common.distances {
        Some(_) if !a.may_be_ordered_by_pipe(b) && pairs.are_ordered(&common.warps) => return None,
        Some(distances) => common.unordered(known, || unordered((a, b), distances, pairs)),
        // An empty footprint touches nothing.
        None if [a, b].iter().any(|access| access.bytes.as_ref().is_some_and(|bytes| bytes.segments().is_empty())) => {
            return None;
        }
        None => {
            let [issuers, others] = [pair.first, pair.second].map(|access| table.issuing_threads(access));
            pairs.look(issuers, others, None, a.is_ordered_by_pipe(b, None));
            Rc::new(pairs.unordered.map(|racing| (racing, None)))
        }
    };
    let (racing, later) = racing.as_ref().as_ref()?;
    let needs = needs((program, flow), (a, a.through(b)), known, racing);
    let (first, second, carried) = (pair.first, pair.second, pair.carried);
    Some(Conflict { first, second, carried, later: *later, example: racing.example, ranks: None, needs })
}

/// The unordered pairs of two accesses whose starts have one of the given distances.
fn unordered((a, b): (&Access, &Access), distances: &[Distance], mut pairs: Pairs<'_>) -> Found {
    let mut later_by = None;
    let (bytes, others) = a.bytes.as_ref().zip(b.bytes.as_ref())?;
    for &(distance, iterations) in distances {
        let ordered_by_pipe = a.is_ordered_by_pipe(b, Some(distance));
        for (byte, from, to) in bytes.meeting(others, distance) {
            if pairs.look(&from.threads, &to.threads, Some(byte), ordered_by_pipe) && later_by.is_none() {
                later_by = Some(iterations);
            }
        }
    }
    pairs.unordered.map(|racing| (racing, later_by.flatten()))
}

/// The narrowest synchronization that would order the two.
fn needs(
    (program, flow): (&SyncProgram, &Flow<'_>),
    (access, through): (&Access, Through),
    known: &Observers,
    racing: &UnorderedPairs,
) -> Needs {
    let threads = match () {
        () if racing.alone => None,
        () if racing.within_warps => Some(Threads::Warp),
        () if racing.threads.warps() == program.block.warps() => Some(Threads::Block),
        () => Some(Threads::Some(racing.threads)),
    };
    let waits = racing.issuers & !known.own_seen != 0;
    match access.completion {
        Completion::Group(queue) if waits => {
            let commits = bits(racing.issuers).map(|warp| i64::from(known.commits[warp])).min().unwrap_or(0);
            let committed = commits > 0 || queue.is_of_tensor();
            Needs::Group { queue, pending: (commits - 1).max(0), committed, threads }
        }
        Completion::Phase(phase) if waits => Needs::Phase(phase),
        Completion::Never | Completion::Commit => Needs::Completion,
        _ if through == Through::Tensor => {
            let sent = |warp: usize| racing.others.is_subset(&flow.groups.members(known.sent[warp]));
            match () {
                () if bits(racing.issuers).all(sent) => Needs::TensorFence { before: false, threads: None },
                () if racing.issuers & !known.own_fence != 0 => {
                    // Where only the fence is missing, the threads meet already.
                    Needs::TensorFence { before: true, threads: threads.filter(|_| !racing.only_fence) }
                }
                () => Needs::Barrier(threads.unwrap_or(Threads::Warp)),
            }
        }
        _ if racing.only_fence => Needs::ProxyFence,
        _ => Needs::Barrier(threads.unwrap_or(Threads::Warp)),
    }
}
