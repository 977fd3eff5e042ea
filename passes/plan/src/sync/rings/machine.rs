//! The execution of a program, in one order.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::queue::Queue;
use crate::sync::access::Completion;
use crate::sync::finding::{Finding, PhaseFault};
use crate::sync::program::{Effect, Op, SyncProgram};
use crate::sync::rings::accesses::AgentAccesses;
use crate::sync::rings::agent::{Agent, Clock, ClockParts, Cluster, Line};
use crate::sync::rings::events::Events;
use crate::sync::rings::slots::Slot;
use crate::sync::rings::trace::{AgentThreads, TraceStep, Traces};

/// The state of an execution.
#[derive(Clone)]
pub(super) struct Execution<'p> {
    pub program: &'p SyncProgram,
    pub traces: Rc<Traces>,
    pub parts: ClockParts,
    pub agents: Vec<Agent>,
    pub slots: Vec<Slot>,
    pub events: Events<'p>,
    /// The agents that have arrived at each barrier: the rank of the block, the operation, and the warp for a barrier
    /// of warps.
    pub meeting: BTreeMap<(usize, usize, Option<u32>), Vec<usize>>,
    pub cluster: Cluster,
    pub findings: Vec<Finding>,
    /// Whether an error has made the rest of the execution meaningless.
    pub broken: bool,
}

impl<'p> Execution<'p> {
    pub fn new(accesses: Rc<AgentAccesses<'p>>, traces: Traces, slots: usize) -> Self {
        let parts = ClockParts { agents: accesses.agents.len(), slots };
        let agent = |&(rank, threads): &AgentThreads| Agent::new(rank, threads, parts);
        Execution {
            program: accesses.program,
            parts,
            agents: accesses.agents.iter().map(agent).collect(),
            slots: vec![Slot::new(parts); slots],
            events: Events::new(accesses),
            meeting: BTreeMap::new(),
            cluster: Cluster { round: 0, gathering: Clock::new(parts), before: Clock::new(parts) },
            findings: Vec::new(),
            broken: false,
            traces: Rc::new(traces),
        }
    }

    /// Continues with other traces, which start with the steps executed so far, and with more mbarriers.
    pub fn resume(&mut self, traces: Traces, slots: usize) {
        let parts = ClockParts { slots, ..self.parts };
        let of_cluster = [&mut self.cluster.gathering, &mut self.cluster.before];
        let of_slots = self.slots.iter_mut().flat_map(|slot| [&mut slot.gathering, &mut slot.before]);
        of_cluster.into_iter().chain(of_slots).for_each(|clock| clock.resize(parts));
        for agent in &mut self.agents {
            agent.knows.resize(parts);
            for branch in &mut agent.branches {
                branch.before.resize(parts);
                branch.behind.iter_mut().for_each(|behind| behind.resize(parts));
            }
        }
        self.slots.resize(slots, Slot::new(parts));
        (self.parts, self.traces) = (parts, Rc::new(traces));
    }

    /// Whether no agent has executed anything beyond the given number of steps.
    pub fn is_within(&self, steps: &[usize]) -> bool {
        let is_behind = |(agent, &steps): (&Agent, &usize)| (agent.at, agent.stage) <= (steps, 0);
        self.agents.iter().zip(steps).all(is_behind)
    }

    /// Executes each agent up to the given number of steps, until there are `most` findings. No agent reaches its end.
    pub fn run_up_to(&mut self, steps: &[usize], most: usize) {
        let behind = |machine: &Execution<'_>| machine.first(|agent| machine.agents[agent].at < steps[agent]);
        while let Some(agent) = behind(self).filter(|_| !self.is_enough(most)) {
            self.advance(agent);
        }
    }

    fn is_enough(&self, most: usize) -> bool {
        self.findings.len() >= most || self.broken
    }

    /// Executes the program to its end; returns at most `most` findings.
    pub fn run(mut self, most: usize) -> Vec<Finding> {
        while let Some(agent) = self.next().filter(|_| !self.is_enough(most)) {
            self.advance(agent);
        }
        if self.is_enough(most) {
            self.findings.truncate(most);
        } else if (0..self.agents.len()).any(|agent| self.step(agent).is_some()) {
            self.stuck();
        } else {
            let open = self.events.open(&self.agents);
            self.findings.extend(open);
        }
        self.findings
    }

    /// Whether there are no findings so far.
    pub fn is_right(&self) -> bool {
        self.findings.is_empty()
    }

    /// The next step of an agent.
    pub fn step(&self, agent: usize) -> Option<&TraceStep> {
        self.traces.steps[agent].get(self.agents[agent].at)
    }

    /// The next agent to execute: of those that are not blocked, the one furthest behind.
    pub fn next(&self) -> Option<usize> {
        self.first(|_| true)
    }

    /// The same among the agents that `is_meant` selects.
    fn first(&self, is_meant: impl Fn(usize) -> bool) -> Option<usize> {
        let able = (0..self.agents.len()).filter(|&agent| self.agents[agent].blocked.is_none() && is_meant(agent));
        able.filter_map(|agent| Some((self.step(agent)?.place, agent))).min().map(|(_, agent)| agent)
    }

    /// Executes a step of an agent, as far as it does not block.
    pub fn advance(&mut self, agent: usize) {
        let traces = Rc::clone(&self.traces);
        let Some(step) = traces.steps[agent].get(self.agents[agent].at) else { return };
        if let Some(edge) = step.edge {
            self.edge(agent, step, edge);
            self.agents[agent].at += 1;
            return self.pass(agent);
        }
        let program = self.program;
        let op = program.op(self.agents[agent].rank, step.op);
        if self.agents[agent].stage == 0 {
            if !op.accesses.is_empty() {
                self.touch(agent, step);
            }
            self.agents[agent].moment += 1;
            self.agents[agent].stage = 1;
        }
        while let Some(effect) = op.effects.get(self.agents[agent].stage - 1) {
            let act = step.acts.get(self.agents[agent].stage - 1).copied().flatten();
            self.agents[agent].stage += 1;
            self.effect(agent, step, op, (effect, act));
            if self.agents[agent].blocked.is_some() {
                return;
            }
        }
        (self.agents[agent].at, self.agents[agent].stage) = (self.agents[agent].at + 1, 0);
        self.pass(agent);
    }

    /// An agent has executed a step: others do not wait for it at the barrier of the cluster if that was its last.
    fn pass(&mut self, agent: usize) {
        if self.step(agent).is_none() {
            self.settle_cluster();
        }
    }

    fn touch(&mut self, agent: usize, step: &TraceStep) {
        let findings = self.events.touch(&self.agents, agent, step, &self.arrivals(agent, step), self.parts);
        let issuer = &mut self.agents[agent];
        for access in &self.program.op(issuer.rank, step.op).accesses {
            if let Completion::Group(queue) = access.completion {
                issuer.issued[queue as usize] = issuer.closed[queue as usize];
            }
        }
        findings.into_iter().for_each(|finding| self.note(finding));
    }

    /// The mbarriers at which a step arrives and their current phases, with which the copies of the step complete.
    pub(super) fn arrivals(&self, agent: usize, step: &TraceStep) -> Vec<Option<(usize, i64)>> {
        let effects = &self.program.op(self.agents[agent].rank, step.op).effects;
        let of_mbarriers = effects.iter().zip(&step.acts).filter(|(effect, _)| matches!(effect, Effect::Mbarrier(_)));
        of_mbarriers.map(|(_, act)| act.map(|(slot, _)| (slot, self.slots[slot].complete))).collect()
    }

    /// Adds a finding, once for each pair of operations.
    pub(super) fn note(&mut self, finding: Finding) {
        let same = |other: &Finding| match (other, &finding) {
            (Finding::Conflict(a), Finding::Conflict(b)) => (a.first.0, a.second.0) == (b.first.0, b.second.0),
            (Finding::Phase(a), Finding::Phase(b)) => {
                a.op == b.op && std::mem::discriminant(&a.what) == std::mem::discriminant(&b.what)
            }
            (Finding::Outside(a), Finding::Outside(b)) => (a.at.0, a.ended) == (b.at.0, b.ended),
            (a, b) => a == b,
        };
        if !self.findings.iter().any(same) {
            self.findings.push(finding);
        }
    }

    pub(super) fn fault(&mut self, agent: usize, fault: PhaseFault) {
        let thread = self.agents[agent].threads.iter().next().unwrap_or(0);
        let rank = self.program.cluster.as_ref().map(|_| self.agents[agent].rank);
        self.note(Finding::Phase(Box::new(PhaseFault { thread, rank, ..fault })));
    }

    fn effect(&mut self, agent: usize, step: &TraceStep, op: &Op, (effect, act): (&Effect, Option<(usize, i64)>)) {
        let state = &mut self.agents[agent];
        match effect {
            Effect::Barrier => self.meet(agent, step.op, op, None),
            Effect::WarpBarrier => {
                let warp = state.threads.warps();
                self.meet(agent, step.op, op, Some(warp));
            }
            Effect::Commit(queue) => state.closed[*queue as usize] += 1,
            Effect::Wait { queue, pending, reads } => {
                // Each wait for tensor memory closes a separate group.
                state.closed[*queue as usize] += i64::from(queue.is_of_tensor());
                let done = state.waited(*queue, *pending);
                if state.branches.is_empty() {
                    let of_queue = [&mut state.uncertain, &mut state.mixed].map(|groups| &mut groups[*queue as usize]);
                    of_queue.into_iter().for_each(|groups| groups.retain(|group| *group >= done));
                }
                let written = Line::of(*queue, true).filter(|_| !reads);
                for line in written.into_iter().chain(Line::of(*queue, false)) {
                    state.knows.done[line as usize] = state.knows.done[line as usize].max(done);
                }
            }
            Effect::ProxyFence { shared } => {
                state.knows.fence[0] = state.moment;
                state.knows.fence[2] = state.moment;
                state.knows.fenced_groups = state.knows.done[Line::CpAsync as usize];
                if !shared {
                    state.knows.fence[1] = state.moment;
                }
                let others = self.parts.fenced(0, false)..self.parts.made(0);
                for (part, to) in
                    state.knows.clock.fenced.iter_mut().enumerate().filter(|(at, _)| !shared || !others.contains(at))
                {
                    *to = (*to).max(state.knows.clock.known[self.parts.known_at_fence(part)]);
                }
            }
            Effect::Mbarrier(mbarrier) => {
                if let Some((slot, parity)) = act {
                    self.mbarrier(agent, step.op, mbarrier, slot, parity);
                }
            }
            Effect::MbarrierFence => state.knows.fence[2] = state.moment,
            Effect::ClusterArrive { releases } => self.arrive_at_cluster(agent, step.op, *releases),
            Effect::ClusterWait => self.wait_for_cluster(agent, step.op),
            Effect::ClusterBarrier => {
                self.arrive_at_cluster(agent, step.op, true);
                if !self.broken {
                    self.wait_for_cluster(agent, step.op);
                }
            }
            Effect::TensorFence { before: true } => {
                for line in Line::ALL {
                    line.fenced()
                        .into_iter()
                        .for_each(|to| state.knows.done[to as usize] = state.knows.done[line as usize]);
                }
            }
            Effect::TensorFence { before: false } => state.knows.seen.clone_from(&state.knows.clock.known),
            Effect::TensorCommit => {
                state.closed[Queue::TmemCopy as usize] += 1;
                if let Some(&(slot, _)) = step.acts.iter().flatten().next() {
                    self.events.commit(agent, slot);
                }
            }
            Effect::PhaseWait(_) | Effect::InterBlock { .. } => {}
        }
    }
}
