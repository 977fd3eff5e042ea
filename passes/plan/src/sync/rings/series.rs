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

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::sync::rings::agent::{Agent, ClockParts, Knowledge};
use crate::sync::rings::arms::Arms;
use crate::sync::rings::event::Event;

/// The events of one agent that differ in nothing but the operation that makes them, and when it was executed.
#[derive(Clone)]
pub(super) struct Series<'p> {
    /// In the order of execution.
    events: Vec<Event<'p>>,
    /// Whether agents may have left the arm of an event.
    is_left: bool,
}

impl<'p> Series<'p> {
    pub fn last(&self) -> Option<&Event<'p>> {
        self.events.last()
    }

    pub fn events(&self) -> &[Event<'p>] {
        &self.events
    }

    pub fn events_mut(&mut self) -> &mut [Event<'p>] {
        &mut self.events
    }

    /// An agent leaves the arm of the events.
    pub fn leave(&mut self, of_agent: (usize, &Agent), parts: ClockParts) {
        self.is_left = true;
        self.events.iter_mut().for_each(|event| event.leave(of_agent, parts));
    }

    /// The events that an agent does not know to be over.
    pub fn open(&self, agents: &[Agent], agent: usize, parts: ClockParts) -> &[Event<'p>] {
        let of_agent = (agent, &agents[agent]);
        &self.events[self.events.partition_point(|event| event.is_over(of_agent, parts))..]
    }

    /// Drops the events that all agents know to be over; `common` is what they all know. Returns whether any are left.
    fn sweep(&mut self, agents: &[Agent], common: &Knowledge, parts: ClockParts) -> bool {
        let over = if self.is_left {
            let open = (0..agents.len()).map(|agent| self.open(agents, agent, parts).len()).max();
            self.events.len() - open.unwrap_or(0)
        } else {
            self.events.partition_point(|event| event.is_known(common, parts))
        };
        self.events.drain(..over);
        !self.events.is_empty()
    }
}

/// What the events of a series have in common: the agent, the kind of the access, the clock component, the start, and the arm with the
/// iterations of the loops around it.
type Key = (usize, usize, Option<usize>, Option<i64>, Option<(Arms, Vec<(usize, i64)>)>);

/// The series of one object.
#[derive(Clone, Default)]
pub(super) struct ObjectSeries<'p> {
    list: Vec<Series<'p>>,
    /// The place of each series in the list.
    places: FxHashMap<Key, usize>,
}

impl<'p> ObjectSeries<'p> {
    /// Adds an event to the series that it continues, or as a series of its own; returns whether it is that.
    pub fn add(&mut self, event: Event<'p>) -> bool {
        let place = *self.places.entry(key(&event)).or_insert(self.list.len());
        match self.list.get_mut(place) {
            Some(series) => series.events.push(event),
            None => self.list.push(Series { events: vec![event], is_left: false }),
        }
        place + 1 == self.list.len() && self.list[place].events.len() == 1
    }

    pub fn list(&self) -> &[Series<'p>] {
        &self.list
    }

    pub fn list_mut(&mut self) -> &mut [Series<'p>] {
        &mut self.list
    }

    /// Drops the events that all agents know to be over; `common` is what they all know.
    pub fn sweep(&mut self, agents: &[Agent], common: &Knowledge, parts: ClockParts) {
        let before = self.list.len();
        self.list.retain_mut(|series| series.sweep(agents, common, parts));
        if self.list.len() < before {
            let lasts = self.list.iter().enumerate().filter_map(|(place, series)| Some((key(series.last()?), place)));
            self.places = lasts.collect();
        }
    }
}

fn key(event: &Event<'_>) -> Key {
    let arm = event.arms.last().map(|arm| (Rc::clone(&event.arms), event.iterations[..arm.depth].to_vec()));
    (event.issued.agent, event.issued.kind, event.part, event.begin, arm)
}
