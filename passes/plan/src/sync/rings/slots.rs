//! mbarriers while a program is executed.

use crate::sync::finding::{Phase, PhaseFault};
use crate::sync::rings::agent::{Clock, Parts};

/// Threads that have waited for a phase, or wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    pub agent: usize,
    pub phase: i64,
    /// What the agent had done when it began to wait.
    pub moment: i64,
    pub op: usize,
}

/// One mbarrier.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The operation that makes it, and its count.
    pub made: Option<(usize, i64)>,
    pub arrived: i64,
    pub bytes: i64,
    /// How many phases are over.
    pub complete: i64,
    /// Who has arrived in the phase that is not over, if that is one thread and nothing else completes it.
    pub alone: Option<usize>,
    /// The same of the phase before.
    pub by: Option<usize>,
    /// The last operation that added to the phase.
    pub last: Option<usize>,
    /// The operation that has completed the phase before.
    pub completed: Option<usize>,
    /// What those know who have arrived in the phase that is not over.
    pub gathering: Clock,
    /// What is known once the phase before is over.
    pub before: Clock,
    pub waits: Vec<Waiting>,
}

impl Slot {
    pub fn new(parts: Parts) -> Self {
        Slot {
            made: None,
            arrived: 0,
            bytes: 0,
            complete: 0,
            alone: None,
            by: None,
            last: None,
            completed: None,
            gathering: Clock::new(parts),
            before: Clock::new(parts),
            waits: Vec::new(),
        }
    }

    /// A fault of an operation in a phase.
    pub fn fault(&self, op: usize, phase: i64, what: Phase) -> PhaseFault {
        PhaseFault { op, phase, thread: 0, rank: None, what, made: self.made, other: self.last }
    }

    /// Arrivals and bytes, with what is known, and by whom if it is one thread at once; the waits for the phase before of which this one knows nothing, if it is over.
    ///
    /// # Errors
    /// More arrivals than the phase has.
    pub fn arrive(
        &mut self,
        op: usize,
        (arrivals, bytes): (i64, i64),
        (clock, alone): (Option<&Clock>, Option<usize>),
        parts: Parts,
    ) -> Result<Option<Vec<Waiting>>, PhaseFault> {
        let Some((_, count)) = self.made else { return Err(self.fault(op, 0, Phase::NotMade)) };
        let got = self.arrived.saturating_add(arrivals);
        if got > count {
            return Err(self.fault(op, self.complete, Phase::TooMany { got, count }));
        }
        let is_first = self.arrived == 0 && self.bytes == 0 && self.last.is_none();
        self.alone = alone.filter(|_| is_first || self.alone == alone);
        (self.arrived, self.last) = (got, Some(op));
        self.bytes = self.bytes.saturating_add(bytes);
        clock.into_iter().for_each(|clock| self.gathering.join(clock));
        if self.arrived < count || self.bytes != 0 {
            return Ok(None);
        }
        self.before = std::mem::replace(&mut self.gathering, Clock::new(parts));
        self.complete += 1;
        (self.arrived, self.completed) = (0, Some(op));
        self.by = self.alone.take();
        let phase = self.complete - 1;
        let unknown =
            |wait: &&Waiting| wait.phase == phase - 1 && self.before.known[parts.own(wait.agent)] <= wait.moment;
        let overtaken = self.waits.iter().filter(unknown).copied().collect();
        self.waits.retain(|wait| wait.phase >= phase);
        Ok(Some(overtaken))
    }
}
