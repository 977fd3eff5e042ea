//! The state of mbarriers in an execution.

use crate::sync::finding::{Phase, PhaseFault};
use crate::sync::rings::agent::{Clock, ClockParts};

/// An agent that waits, or has waited, for a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    pub agent: usize,
    pub phase: i64,
    /// The agent's moment when it started to wait.
    pub moment: i64,
    pub op: usize,
}

/// One mbarrier.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The operation that initializes it, and its arrival count.
    pub made: Option<(usize, i64)>,
    pub arrived: i64,
    pub bytes: i64,
    /// The number of complete phases.
    pub complete: i64,
    /// The agent that has made all arrivals of the current phase, if it is a single thread and nothing else
    /// contributes.
    pub alone: Option<usize>,
    /// The same for the last complete phase.
    pub by: Option<usize>,
    /// The last operation that contributed to the current phase.
    pub last: Option<usize>,
    /// The operation that completed the last complete phase.
    pub completed: Option<usize>,
    /// The joined clocks of the arrivals in the current phase.
    pub gathering: Clock,
    /// The joined clocks of the last complete phase.
    pub before: Clock,
    pub waits: Vec<Waiting>,
}

impl Slot {
    pub fn new(parts: ClockParts) -> Self {
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

    /// A fault of an operation at a phase.
    pub fn fault(&self, op: usize, phase: i64, what: Phase) -> PhaseFault {
        PhaseFault { op, phase, thread: 0, rank: None, what, made: self.made, other: self.last }
    }

    /// Adds arrivals and bytes to the current phase, with the clock that they release, and with the agent if it is a
    /// single thread that arrives synchronously. If that completes the phase, returns the waits for the previous phase
    /// that the joined clock does not know.
    ///
    /// # Errors
    /// The mbarrier is not initialized, or gets more arrivals than its count.
    pub fn arrive(
        &mut self,
        op: usize,
        (arrivals, bytes): (i64, i64),
        (clock, alone): (Option<&Clock>, Option<usize>),
        parts: ClockParts,
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
