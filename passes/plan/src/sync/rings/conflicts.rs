//! Whether two accesses of an executed program lack an order, according to clocks. For tensor memory the rules are
//! those of [`Observers`](crate::sync::Observers), applied to clocks.

use crate::sync::access::{Completion, Through};
use crate::sync::finding::{Conflict, Example, Needs, Threads};
use crate::sync::footprints::Footprints;
use crate::sync::program::SyncProgram;
use crate::sync::rings::agent::{Agent, ClockParts, Line};
use crate::sync::rings::event::Event;
use crate::sync::rings::later::later;
use crate::sync::rings::unordered::{Lacks, Unordered};
use crate::touch::Collective;
use tile_isa::Space;

/// Whether an event may conflict with one of a series that ends with `last`. What the events before `last` lack in order,
/// it lacks, too.
pub(super) fn may_conflict(
    (program, footprints): (&SyncProgram, &Footprints),
    agents: &[Agent],
    parts: ClockParts,
    (last, second): (&Event, &Event),
) -> bool {
    let (from, to) = (&last.issued, &second.issued);
    if !from.access.conflicts(to.access) || from.owner.zip(to.owner).is_some_and(|(a, b)| a != b) {
        return false;
    }
    let Some(unordered) = unordered(agents, (last, second), parts) else { return false };
    let foreign = agents[from.agent].rank != agents[to.agent].rank;
    let (one, other) = (&from.access.shift, &to.access.shift);
    let is_fixed = from.object == to.object
        && from.owner.and(to.owner).is_some()
        && one.fixed == other.fixed
        && ![from, to].iter().any(|access| access.is_moved || access.is_varied)
        && (!foreign || program.same_for_all(one));
    let both = from.bytes.as_ref().zip(to.bytes.as_ref()).zip(last.begin.zip(second.begin)).filter(|_| is_fixed);
    both.is_none_or(|(bytes, (begin, next))| {
        unordered.meet(footprints, bytes, next.saturating_sub(begin), from.agent == to.agent).is_some()
    })
}

/// The conflict of two events, if they have one.
pub(super) fn conflict(
    (program, footprints): (&SyncProgram, &Footprints),
    agents: &[Agent],
    parts: ClockParts,
    (first, second): (&Event, &Event),
) -> Option<Conflict> {
    let (a, b) = (first.issued.access, second.issued.access);
    if !a.conflicts(b) {
        return None;
    }
    let one = first.issued.object == second.issued.object && first.issued.owner.and(second.issued.owner).is_some();
    let alike = starts_alike(program, (first, second));
    if ordered_by_pipe(agents, (first, second), one && alike) || apart(agents, (first, second)) {
        return None;
    }
    let unordered = unordered(agents, (first, second), parts)?;
    let is_one_thread = first.issued.agent == second.issued.agent && agents[first.issued.agent].threads.len() == 1;
    if is_one_thread && !unordered.one_thread {
        return None;
    }
    let foreign = agents[first.issued.agent].rank != agents[second.issued.agent].rank;
    let alike = alike && (!foreign || program.same_for_all(&a.shift));
    let known = first.issued.bytes.as_ref().zip(second.issued.bytes.as_ref()).filter(|_| one && alike);
    let example = match known.zip(first.begin.zip(second.begin)) {
        None => None,
        Some(((from, to), (begin, next))) => {
            let exact = unordered.meet(
                footprints,
                (from, to),
                next.saturating_sub(begin),
                first.issued.agent == second.issued.agent,
            );
            Some(exact.or_else(|| later((program, footprints), (first, second), unordered))?)
        }
    };
    let mut needs = match overtakes(first, second) && b.completion == Completion::Now {
        true => meeting(program, agents, (first, second)).map_or(Needs::Arrival, Needs::Barrier),
        false => needs(program, agents, (first, second), unordered),
    };
    // Unordered threads may run ahead of others. The conflict names the access that is first in program order as first.
    let ahead = matches!(needs, Needs::Barrier(_)) && is_ahead(first, second);
    if let Some(slot) = second.slot.filter(|_| ahead && b.completion != Completion::Now && foreign) {
        needs = Needs::Phase(slot);
    }
    let (first, second, example) =
        if ahead { (second, first, example.map(|one| turned(one, first, second))) } else { (first, second, example) };
    let ranks = program.cluster.as_ref().map(|_| [first, second].map(|event| agents[event.issued.agent].rank));
    let common = first.iterations.last().zip(second.iterations.last()).filter(|(a, b)| a.0 == b.0 && a.1 < b.1);
    Some(Conflict {
        first: (first.issued.op, first.issued.number),
        second: (second.issued.op, second.issued.number),
        carried: common.map(|(a, _)| a.0),
        later: common.map(|(a, b)| b.1 - a.1),
        example,
        ranks,
        needs,
    })
}

/// The conflict of an event with itself: threads of one agent touch a byte in one execution of an operation.
pub(super) fn within(
    (program, footprints): (&SyncProgram, &Footprints),
    agents: &[Agent],
    event: &Event,
) -> Option<Conflict> {
    let (access, agent) = (event.issued.access, &agents[event.issued.agent]);
    if access.space == Space::Local || access.collective != Collective::Thread || !access.conflicts(access) {
        return None;
    }
    let unordered = Unordered { others: true, one_thread: false, only_fence: false, made: false, lacks: None };
    let example = match event.issued.bytes.as_ref().filter(|_| event.begin.is_some()) {
        Some(bytes) => Some(unordered.meet(footprints, (bytes, bytes), 0, true)?),
        // Where it is unknown which bytes these are, any two threads may touch the same.
        None => {
            let issuers = program.op(agent.rank, event.issued.op).issuing_threads(access).intersect(&agent.threads);
            (issuers.len() > 1).then_some(None)?
        }
    };
    let at = (event.issued.op, event.issued.number);
    let ranks = program.cluster.as_ref().map(|_| [agent.rank; 2]);
    Some(Conflict { first: at, second: at, carried: None, later: None, example, ranks, needs: Needs::Apart })
}

/// Whether the starts of two accesses contain the same values that are not followed: the distance between them is then
/// known.
fn starts_alike(program: &SyncProgram, (first, second): (&Event, &Event)) -> bool {
    let (a, b) = (&first.issued.access.shift, &second.issued.access.shift);
    let iteration = |event: &Event, counted: usize| {
        event.iterations.iter().find(|(number, _)| *number == counted).map(|entry| entry.1)
    };
    // A loop may compute other values in another iteration, and after its last one.
    let is_same = |number| iteration(first, number).is_some_and(|times| iteration(second, number) == Some(times));
    a.fixed == b.fixed && a.varied_by(&program.loops).all(is_same)
}

/// Whether one thread makes both, in program order. `known` says that the distance between their starts is known.
fn ordered_by_pipe(agents: &[Agent], (first, second): (&Event, &Event), known: bool) -> bool {
    let (a, b) = (first.issued.access, second.issued.access);
    // A cheap test first: most pairs are not in line at any distance.
    if first.issued.agent != second.issued.agent || !a.is_ordered_by_pipe(b, Some(0)) {
        return false;
    }
    let alone = a.space == Space::Local || agents[first.issued.agent].threads.len() == 1;
    let begins = first.begin.zip(second.begin).filter(|_| known);
    let distance = begins.and_then(|(first, second)| second.checked_sub(first));
    alone && a.is_ordered_by_pipe(b, distance)
}

/// Whether the first event is of a later iteration than the second, so that its threads have run ahead.
fn overtakes(first: &Event, second: &Event) -> bool {
    let mut pairs = first.iterations.iter().zip(second.iterations.iter()).take_while(|(a, b)| a.0 == b.0);
    pairs.find_map(|(a, b)| Some(a.1.cmp(&b.1)).filter(|order| order.is_ne())).is_some_and(|order| order.is_gt())
}

/// Whether the second event comes before the first in program order.
fn is_ahead(first: &Event, second: &Event) -> bool {
    let pairs = first.iterations.iter().zip(second.iterations.iter()).take_while(|(a, b)| a.0 == b.0);
    let differs = pairs.map(|(a, b)| a.1.cmp(&b.1)).find(|order| order.is_ne());
    differs.unwrap_or(first.issued.op.cmp(&second.issued.op)).is_gt()
}

/// An example with its two sides exchanged.
fn turned(example: Example, first: &Event, second: &Event) -> Example {
    let moved = first.begin.zip(second.begin).map_or(0, |(first, second)| first.saturating_sub(second));
    Example { first: example.second, second: example.first, byte: example.byte.saturating_add(moved) }
}

/// Whether two accesses of one operation are alternatives that are never both made, or count as one.
fn apart(agents: &[Agent], (first, second): (&Event, &Event)) -> bool {
    if first.excludes(second, agents) {
        return true;
    }
    let ranks = [first, second].map(|event| agents[event.issued.agent].rank);
    if first.issued.op != second.issued.op || ranks[0] != ranks[1] || first.iterations != second.iterations {
        return false;
    }
    let (a, b) = (first.issued.access, second.issued.access);
    let warps = [first, second].map(|event| agents[event.issued.agent].threads.warps());
    let is_of = |warp: usize| a.collective.together(warp) & u64::from(warps[1]) != 0;
    let whole = a.counts_as_one(b) && is_of(warps[0].trailing_zeros() as usize);
    let both = a.alternative.zip(b.alternative).filter(|(a, b)| a != b);
    whole
        || both.is_some_and(|(alternative, _)| {
            alternative.together(warps[0].trailing_zeros() as usize) & u64::from(warps[1]) != 0
        })
}

fn unordered(agents: &[Agent], (first, second): (&Event, &Event), parts: ClockParts) -> Option<Unordered> {
    let (a, through) = (first.issued.access, first.issued.access.through(second.issued.access));
    if through == Through::Tensor {
        return unordered_in_tensor_memory(agents, (first, second), parts);
    }
    let proxy = through == Through::Proxy;
    let observer = &agents[second.issued.agent];
    let clock = &observer.knows.clock;
    let foreign = agents[first.issued.agent].rank != observer.rank;
    let made = first.issued.makes && clock.fenced[parts.made(first.issued.agent)] > first.index;
    let left = first.left_by(second.issued.agent);
    let is_known =
        made || left.is_some_and(|left| left.known) || first.part.is_some_and(|part| clock.known[part] > first.index);
    let fenced = !proxy
        || left.is_some_and(|left| left.fenced)
        || first.proxy_part(parts).is_some_and(|part| clock.fenced[part] > first.index);
    let lacks = first.issued.makes && foreign && !made;
    // No other thread reaches a thread's registers.
    let others = a.space != Space::Local && (!is_known || !fenced || lacks);
    let mut missing = Unordered { others, one_thread: false, only_fence: is_known, made: lacks, lacks: None };
    if first.issued.agent == second.issued.agent {
        let done = match a.completion {
            Completion::Now => true,
            Completion::Group(queue) => {
                left.is_some_and(|left| left.waited) || observer.done(queue, a.write) > first.index
            }
            _ => is_known,
        };
        let fence = !proxy || fenced || left.is_some_and(|left| left.is_fenced_by) || first.is_fenced_by(observer);
        missing.one_thread = !(done && fence);
        missing.only_fence &= done;
    }
    (missing.others || missing.one_thread).then_some(missing)
}

/// The threads that would have to meet between two events; `None` where no barrier is possible.
fn meeting(program: &SyncProgram, agents: &[Agent], (first, second): (&Event, &Event)) -> Option<Threads> {
    let pair = [first, second].map(|event| &agents[event.issued.agent]);
    let (from, to) =
        (program.op(pair[0].rank, first.issued.op).active, program.op(pair[1].rank, second.issued.op).active);
    let (warps, ranks) = (pair.map(|agent| agent.threads.warps()), pair.map(|agent| agent.rank));
    match () {
        () if ranks[0] != ranks[1] => Some(Threads::Cluster),
        // A barrier before the branch around the second, which is in no loop.
        () if from == program.block && to != from && second.iterations.is_empty() => Some(Threads::Block),
        // The threads differ: a barrier is possible only before the second, if the whole block executes it.
        () if from != to => Some(Threads::Block).filter(|_| to == program.block),
        () if warps[0] == warps[1] => Some(Threads::Warp),
        () if from.warps() == program.block.warps() => Some(Threads::Block),
        () => Some(Threads::Some(from)),
    }
}

/// The narrowest synchronization that would order the two.
fn needs(program: &SyncProgram, agents: &[Agent], (first, second): (&Event, &Event), missing: Unordered) -> Needs {
    let a = first.issued.access;
    let threads = meeting(program, agents, (first, second));
    let issuer = &agents[first.issued.agent];
    let alike = issuer.rank == agents[second.issued.agent].rank;
    match a.completion {
        // The agent that is behind may still wait for its groups at the point where the other agent already has.
        Completion::Group(queue)
            if [issuer, &agents[second.issued.agent]].iter().all(|agent| agent.done(queue, a.write) <= first.index) =>
        {
            let behind = issuer.closed[queue as usize] - first.index;
            Needs::Group {
                queue,
                pending: (behind - 1).max(0),
                committed: behind > 0 || queue.is_of_tensor(),
                threads: threads.filter(|_| missing.others),
            }
        }
        Completion::Commit if first.slot.is_none() => Needs::Completion,
        _ if missing.lacks.is_some() => match missing.lacks {
            Some(Lacks::Before) => Needs::TensorFence { before: true, threads },
            Some(Lacks::After) => Needs::TensorFence { before: false, threads: None },
            _ => threads.map_or(Needs::Arrival, Needs::Barrier),
        },
        Completion::Arrival(_) | Completion::Phase(_) | Completion::Commit => Needs::Phase(first.slot.unwrap_or(0)),
        Completion::Never => Needs::Completion,
        _ if alike && first.issued.op == second.issued.op && first.iterations == second.iterations => Needs::Apart,
        _ if missing.only_fence && missing.made => Needs::MbarrierFence,
        _ if missing.only_fence => Needs::ProxyFence,
        _ => threads.map_or(Needs::Arrival, Needs::Barrier),
    }
}

/// Which threads of two events are unordered, where both are asynchronous accesses of tensor memory that are not in
/// line.
fn unordered_in_tensor_memory(
    agents: &[Agent],
    (first, second): (&Event, &Event),
    parts: ClockParts,
) -> Option<Unordered> {
    let a = first.issued.access;
    let (issuer, observer) = (&agents[first.issued.agent], &agents[second.issued.agent]);
    let same = first.issued.agent == second.issued.agent;
    let waited = match a.completion {
        Completion::Group(queue) => {
            let line = Line::of(queue, a.write)?;
            // Whole warps wait, so that all agents of a warp have waited equally often.
            let together = (issuer.rank, issuer.threads.warps()) == (observer.rank, observer.threads.warps());
            if together && observer.knows.done[line as usize] > first.index {
                return None;
            }
            issuer.knows.done[line as usize] > first.index
        }
        _ => true,
    };
    let part = first.fenced_part(parts);
    let is_past = |known: &[i64]| part.is_some_and(|part| known[part] > first.index);
    if is_past(&observer.knows.seen) {
        return None;
    }
    let sent = match a.completion {
        Completion::Group(queue) => {
            let line = Line::of(queue, a.write).and_then(Line::fenced)?;
            issuer.knows.done[line as usize] > first.index
        }
        _ => is_past(&observer.knows.clock.known),
    };
    let lacks = match a.completion {
        _ if is_past(&observer.knows.clock.known) => Some(Lacks::After),
        Completion::Group(_) if waited && !sent => Some(Lacks::Before),
        Completion::Group(_) if waited => Some(Lacks::Meeting),
        _ => None,
    };
    Some(Unordered { others: true, one_thread: same, only_fence: false, made: false, lacks })
}
