//! Tensor memory while a program is executed: what [`Known`](crate::sync::Known) says of ways, by clocks.

use crate::sync::program::Completion;
use crate::sync::rings::agent::Agent;
use crate::sync::rings::clock::{Line, Parts};
use crate::sync::rings::event::Event;
use crate::sync::rings::meet::{Lacks, Unordered};

/// Which threads of two events are not known to be in order, where both are asynchronous in tensor memory, and not in line.
pub(super) fn unordered(agents: &[Agent], (first, second): (&Event, &Event), parts: Parts) -> Option<Unordered> {
    let a = first.access;
    let (maker, knows) = (&agents[first.agent], &agents[second.agent]);
    let same = first.agent == second.agent;
    let waited = match a.completion {
        Completion::Group(queue) => {
            let line = Line::of(queue, a.write)?;
            // Waits are those of whole warps, so that all agents of a warp have made equally many.
            let together = (maker.rank, maker.threads.warps()) == (knows.rank, knows.threads.warps());
            if together && knows.done[line as usize] > first.index {
                return None;
            }
            maker.done[line as usize] > first.index
        }
        _ => true,
    };
    let part = first.fenced_part(parts);
    let is_past = |known: &[i64]| part.is_some_and(|part| known[part] > first.index);
    if is_past(&knows.seen) {
        return None;
    }
    let sent = match a.completion {
        Completion::Group(queue) => {
            let line = Line::of(queue, a.write).and_then(Line::fenced)?;
            maker.done[line as usize] > first.index
        }
        _ => is_past(&knows.clock.known),
    };
    let lacks = match a.completion {
        _ if is_past(&knows.clock.known) => Some(Lacks::After),
        Completion::Group(_) if waited && !sent => Some(Lacks::Before),
        Completion::Group(_) if waited => Some(Lacks::Meeting),
        _ => None,
    };
    Some(Unordered { others: true, own: same, only_fence: false, made: false, lacks })
}
