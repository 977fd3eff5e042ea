//! Series of events that become known in their order.
//!
//! An agent that makes the same access over and over makes it known by one component of its clock, and at indexes that
//! do not decrease. Whoever knows an event then knows all earlier ones of the series, and what conflicts with none but
//! an earlier one conflicts with the last. Most series are therefore dismissed by a look at their last event:
//!
//! ```text
//!   agent 3 reads stage 0      events  7 19 31 43 │ 55 67        known up to here by agent 0
//!   agent 3 reads stage 1      events 11 23 35 47 │ 59           another start, another series
//! ```

use crate::sync::rings::agent::{Agent, ClockParts};
use crate::sync::rings::event::Event;

/// The events of one agent that differ in nothing but the operation that makes them, and when it was executed.
#[derive(Clone)]
pub(super) struct Series<'p> {
    /// In the order of execution.
    events: Vec<Event<'p>>,
}

impl<'p> Series<'p> {
    /// Adds an event to the one of several series that it continues, or as a series of its own.
    pub fn add(all: &mut Vec<Series<'p>>, event: Event<'p>) {
        let key = |it: &Event<'_>| (it.of.agent, it.of.kind, it.part, it.begin);
        let found = all.iter_mut().find(|series| series.events.last().is_some_and(|last| key(last) == key(&event)));
        match found {
            Some(series) => series.events.push(event),
            None => all.push(Series { events: vec![event] }),
        }
    }

    pub fn last(&self) -> Option<&Event<'p>> {
        self.events.last()
    }

    pub fn events(&self) -> &[Event<'p>] {
        &self.events
    }

    pub fn events_mut(&mut self) -> &mut [Event<'p>] {
        &mut self.events
    }

    /// The events that an agent does not know to be over.
    pub fn open(&self, it: &Agent, parts: ClockParts) -> &[Event<'p>] {
        &self.events[self.events.partition_point(|event| event.is_over(it, parts))..]
    }

    /// Drops the events that all agents know to be over; returns whether any are left.
    pub fn sweep(&mut self, agents: &[Agent], parts: ClockParts) -> bool {
        let most = agents.iter().map(|it| self.open(it, parts).len()).max().unwrap_or(0);
        self.events.drain(..self.events.len() - most);
        most > 0
    }
}
