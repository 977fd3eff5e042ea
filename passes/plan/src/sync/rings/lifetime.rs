//! Shared memory is there from when its block begins until it ends: copies to and from it, and other blocks, touch it in between.
//! What is asynchronous in tensor memory and registers of a block is done by then, too.

use crate::problem::scope::Space;
use crate::sync::finding::{Finding, Outside};
use crate::sync::program::{Completion, Program};
use crate::sync::rings::agent::Agent;
use crate::sync::rings::clock::Parts;
use crate::sync::rings::event::Event;

/// Whether an access may come before the block has begun that its memory is of, as far as its threads know.
pub(super) fn early(agents: &[Agent], event: &Event, parts: Parts) -> Option<Finding> {
    let own = &agents[event.agent];
    let access = event.access;
    let heard = |it: usize| Some(agents[it].rank) == event.owner && own.clock.known[parts.own(it)] > 0;
    let begun = event.owner == Some(own.rank) || own.met || (0..agents.len()).any(heard);
    (access.space == Space::Shared && !begun).then(|| outside(agents, event, false))
}

/// Whether an access may come after the block has ended that its memory is of: none of its threads knows of it.
pub(super) fn late(program: &Program, agents: &[Agent], event: &Event) -> Option<Finding> {
    let own = &agents[event.agent];
    let access = event.access;
    let heard = |it: &Agent| event.part.is_some_and(|part| it.clock.known[part] > event.index);
    let knows = |rank: usize| agents.iter().any(|it| it.rank == rank && heard(it));
    if access.space == Space::Global || event.owner == Some(own.rank) && access.completion == Completion::Now {
        return None;
    }
    let queue = match access.completion {
        Completion::Group(queue) => Some(queue),
        _ => None,
    };
    match event.owner {
        Some(rank) if rank == own.rank => {
            let waited = queue.map(|queue| own.done(queue, access.write) > event.index);
            let committed = queue.is_some_and(|queue| queue.is_of_tensor() || own.closed[queue as usize] > event.index);
            let over = waited.unwrap_or_else(|| knows(rank));
            (!over).then_some(Finding::NeverWaited { op: event.op, queue, committed })
        }
        Some(rank) => (!knows(rank)).then(|| outside(agents, event, true)),
        None => {
            let all = (0..program.ranks()).filter(|&rank| rank != own.rank).all(knows);
            (!all).then(|| outside(agents, event, true))
        }
    }
}

fn outside(agents: &[Agent], event: &Event, ended: bool) -> Finding {
    let own = &agents[event.agent];
    let makers = event.bytes.as_ref().and_then(|bytes| bytes.segments().first()?.threads.iter().next());
    let thread = makers.or_else(|| own.threads.iter().next()).unwrap_or(0);
    Finding::Outside(Box::new(Outside {
        at: (event.op, event.number),
        by: (own.rank, thread),
        owner: event.owner,
        ended,
    }))
}
