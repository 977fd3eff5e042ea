//! mbarriers in an execution: initialization, arrivals, and waits for phases.

use crate::queue::Queue;
use crate::sync::access::Completion;
use crate::sync::finding::{Finding, Phase, PhaseFault};
use crate::sync::program::{Act, Effect, Mbarrier};
use crate::sync::rings::agent::{Blocked, Line};
use crate::sync::rings::machine::Execution;
use crate::sync::rings::slots::Waiting;
use crate::sync::unfollowed::UnfollowedCause;

impl Execution<'_> {
    pub(super) fn mbarrier(&mut self, agent: usize, op: usize, mbarrier: &Mbarrier, slot: usize, parity: i64) {
        match &mbarrier.act {
            Act::Init { .. } if self.slots[slot].made.is_some() => {
                self.misused(op, UnfollowedCause::InitializedAgain);
            }
            Act::Init { count } => self.slots[slot].made = Some((op, *count)),
            Act::Arrive { by, count, bytes, releases } => {
                let threads = self.agents[agent].threads.intersect(by).len();
                if threads > 0 {
                    self.arrive(agent, op, slot, (threads * count, threads * bytes), *releases);
                }
            }
            Act::Wait { .. } => self.wait(agent, op, slot, parity),
        }
    }

    fn arrive(&mut self, agent: usize, op: usize, slot: usize, added: (i64, i64), releases: bool) {
        let knows = self.agents[agent].knows.clock.known[self.parts.slot(slot)];
        let phase = self.slots[slot].complete;
        if knows < phase {
            let fault = self.slots[slot].fault(op, phase, Phase::Early);
            self.fault(agent, fault);
        }
        let mut released = releases.then(|| self.released(agent));
        let commits = self.program.op(self.agents[agent].rank, op).effects.contains(&Effect::TensorCommit);
        if let Some(clock) = released.as_mut().filter(|_| commits) {
            // A commit arrives once everything is complete that its thread has issued so far, earlier commits included.
            let line = self.parts.line(agent, Line::Committed);
            clock.raise(line, self.agents[agent].closed[Queue::TmemCopy as usize]);
        }
        let alone = (!commits && self.is_one(agent, op, added.1)).then_some(agent);
        match self.slots[slot].arrive(op, added, (released.as_ref(), alone), self.parts) {
            Err(fault) => {
                self.fault(agent, fault);
                self.broken = true;
            }
            Ok(None) => {}
            Ok(Some(overtaken)) => {
                for wait in overtaken {
                    let fault = self.slots[slot].fault(wait.op, wait.phase, Phase::Overtaken);
                    self.fault(wait.agent, fault);
                }
                self.slots[slot].last = None;
                if let Some(by) = self.slots[slot].by.take() {
                    // An agent that completes a phase alone knows that it is complete.
                    self.agents[by].knows.clock.raise(self.parts.slot(slot), phase + 1);
                }
                for waiting in 0..self.agents.len() {
                    let Some(Blocked::Phase(awaited, phase)) = self.agents[waiting].blocked else { continue };
                    if awaited == slot && phase < self.slots[slot].complete {
                        self.agents[waiting].blocked = None;
                        self.over(waiting, slot, phase);
                    }
                }
            }
        }
    }

    /// Whether a single thread arrives, synchronously and without expecting bytes.
    fn is_one(&self, agent: usize, op: usize, bytes: i64) -> bool {
        let operation = self.program.op(self.agents[agent].rank, op);
        let at_once = operation.accesses.iter().all(|access| access.completion == Completion::Now);
        self.agents[agent].threads.len() == 1 && bytes == 0 && at_once
    }

    fn wait(&mut self, agent: usize, op: usize, slot: usize, parity: i64) {
        if self.slots[slot].made.is_none() {
            let fault = self.slots[slot].fault(op, 0, Phase::NotMade);
            self.fault(agent, fault);
            self.broken = true;
            return;
        }
        let (knows, complete) =
            (self.agents[agent].knows.clock.known[self.parts.slot(slot)], self.slots[slot].complete);
        // The phase that the parity means, as far as the agent knows: the first that may be incomplete, or the one
        // before.
        let phase = if knows % 2 == parity { knows } else { knows - 1 };
        if complete > phase + 1 {
            let fault = self.slots[slot].fault(op, phase, Phase::Overtaken);
            self.fault(agent, PhaseFault { other: self.slots[slot].completed, ..fault });
        }
        let moment = self.agents[agent].moment - 1;
        self.slots[slot].waits.push(Waiting { agent, phase, moment, op });
        match complete > phase {
            true => self.over(agent, slot, phase),
            false => self.agents[agent].blocked = Some(Blocked::Phase(slot, phase)),
        }
    }

    /// An agent learns that a phase is complete.
    fn over(&mut self, agent: usize, slot: usize, phase: i64) {
        let part = self.parts.slot(slot);
        if self.agents[agent].knows.clock.known[part] <= phase {
            let before = self.slots[slot].before.clone();
            self.agents[agent].knows.clock.join(&before);
            self.agents[agent].knows.clock.raise(part, phase + 1);
        }
    }

    /// Adds findings for a deadlock: the phases that never complete, or where there are none, the barriers.
    pub(super) fn stuck(&mut self) {
        for phases in [true, false] {
            for agent in 0..self.agents.len() {
                let Some((op, blocked)) = self.step(agent).map(|step| step.op).zip(self.agents[agent].blocked) else {
                    continue;
                };
                match blocked {
                    Blocked::Phase(slot, phase) if phases => {
                        let mbarrier = &self.slots[slot];
                        let (arrived, bytes) = (mbarrier.arrived, mbarrier.bytes);
                        let fault = mbarrier.fault(op, phase, Phase::Never { arrived, bytes });
                        self.fault(agent, fault);
                    }
                    Blocked::Barrier if !phases => {
                        let rank = self.agents[agent].rank;
                        let here = self.meeting.iter().filter(|(key, _)| (key.0, key.1) == (rank, op));
                        let came = here.flat_map(|(_, agents)| agents);
                        let got = came.map(|&agent| self.agents[agent].threads.len()).sum();
                        let expected = self.program.op(rank, op).active.len();
                        self.note(Finding::BarrierNotReached { op, got, expected });
                    }
                    Blocked::Cluster if !phases => {
                        let came = self.agents.iter().filter(|agent| agent.arrived == Some(self.cluster.round));
                        let got = came.map(|agent| agent.threads.len()).sum();
                        let expected = self.program.ranks() as i64 * self.program.block.len();
                        self.note(Finding::BarrierNotReached { op, got, expected });
                    }
                    _ => {}
                }
            }
            if !self.findings.is_empty() {
                return;
            }
        }
    }
}
