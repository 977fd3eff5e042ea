//! Barriers of warps, of a block, and of a cluster, at which agents meet.

use crate::sync::finding::Finding;
use crate::sync::program::Op;
use crate::sync::rings::agent::{Blocked, Clock, Line};
use crate::sync::rings::machine::Execution;
use crate::sync::unfollowed::UnfollowedCause;

impl Execution<'_> {
    /// The clock that others learn from an agent when they meet it: what it knows, and what it has done itself.
    pub fn released(&self, agent: usize) -> Clock {
        let state = &self.agents[agent];
        let mut clock = state.knows.clock.clone();
        clock.raise(self.parts.own(agent), state.moment);
        for shared in [true, false] {
            let to = &mut clock.fenced[self.parts.fenced(agent, shared)];
            *to = (*to).max(state.knows.fence[usize::from(!shared)]);
        }
        let to = &mut clock.fenced[self.parts.made(agent)];
        *to = (*to).max(state.knows.fence[2]);
        let to = &mut clock.fenced[self.parts.fenced_groups(agent)];
        *to = (*to).max(state.knows.fenced_groups);
        for line in Line::ALL {
            clock.raise(self.parts.line(agent, line), state.knows.done[line as usize]);
        }
        clock
    }

    /// What all agents know.
    pub fn common(&self) -> Clock {
        let mut all = (0..self.agents.len()).map(|agent| self.released(agent));
        let first = all.next().unwrap_or_else(|| Clock::new(self.parts));
        all.fold(first, |mut common, clock| {
            common.meet(&clock);
            common
        })
    }

    /// An agent reaches a barrier of its block, or of a warp.
    pub fn meet(&mut self, agent: usize, number: usize, op: &Op, warp: Option<u32>) {
        let rank = self.agents[agent].rank;
        let comes = |candidate: &usize| {
            let other = &self.agents[*candidate];
            other.rank == rank
                && other.threads.is_subset(&op.active)
                && warp.is_none_or(|warp| other.threads.warps() == warp)
        };
        let all: Vec<usize> = (0..self.agents.len()).filter(comes).collect();
        let here = self.meeting.entry((rank, number, warp)).or_default();
        here.push(agent);
        if here.len() < all.len() {
            self.agents[agent].blocked = Some(Blocked::Barrier);
            return;
        }
        self.meeting.remove(&(rank, number, warp));
        let mut joined = Clock::new(self.parts);
        all.iter().for_each(|&member| joined.join(&self.released(member)));
        for member in all {
            self.agents[member].knows.clock.join(&joined);
            self.agents[member].blocked = None;
        }
    }

    /// An agent arrives at the barrier of the cluster. A relaxed arrival passes on only mbarriers that were initialized
    /// and fenced, and what the agent knows to be complete: products, and phases with the copies that they complete. Nothing that
    /// comes later in time changes these.
    pub fn arrive_at_cluster(&mut self, agent: usize, op: usize, releases: bool) {
        if self.agents[agent].arrived.is_some() {
            return self.misused(op, UnfollowedCause::ClusterArrivesAgain);
        }
        let mut released = self.released(agent);
        if !releases {
            let products = self.parts.line(0, Line::Product)..self.parts.line(self.parts.agents, Line::Product);
            let is_complete = |at: &usize| products.contains(at) || *at >= self.parts.slot(0);
            released.known.iter_mut().enumerate().filter(|(at, _)| !is_complete(at)).for_each(|(_, to)| *to = 0);
            let made = self.parts.made(0)..self.parts.made(self.parts.agents);
            released.fenced.iter_mut().enumerate().filter(|(at, _)| !made.contains(at)).for_each(|(_, to)| *to = 0);
        }
        self.cluster.gathering.join(&released);
        self.agents[agent].arrived = Some(self.cluster.round);
        self.settle_cluster();
    }

    /// An agent waits at the barrier of the cluster.
    pub fn wait_for_cluster(&mut self, agent: usize, op: usize) {
        match self.agents[agent].arrived {
            None => self.misused(op, UnfollowedCause::ClusterNotArrived),
            Some(round) if round < self.cluster.round => self.passes(agent),
            Some(_) => self.agents[agent].blocked = Some(Blocked::Cluster),
        }
    }

    /// Completes a round of the cluster's barrier once all agents that have not ended have arrived.
    pub fn settle_cluster(&mut self) {
        let round = self.cluster.round;
        let here = |agent: &usize| self.agents[*agent].arrived == Some(round);
        let there = |agent: usize| here(&agent) || self.step(agent).is_none();
        if !(0..self.agents.len()).any(|agent| here(&agent)) || !(0..self.agents.len()).all(there) {
            return;
        }
        self.cluster.round += 1;
        self.cluster.before = std::mem::replace(&mut self.cluster.gathering, Clock::new(self.parts));
        for agent in 0..self.agents.len() {
            if self.agents[agent].blocked == Some(Blocked::Cluster) {
                self.agents[agent].blocked = None;
                self.passes(agent);
            }
        }
    }

    fn passes(&mut self, agent: usize) {
        let before = self.cluster.before.clone();
        let state = &mut self.agents[agent];
        state.knows.clock.join(&before);
        (state.arrived, state.met) = (None, true);
    }

    /// Stops at an operation.
    pub(super) fn misused(&mut self, op: usize, cause: UnfollowedCause) {
        self.note(Finding::Unfollowed { op, cause });
        self.broken = true;
    }
}
