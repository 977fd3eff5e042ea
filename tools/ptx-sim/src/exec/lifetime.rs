//! A block's shared memory exists from the start of the block until its end (PTX ISA 5.1.6).
//!
//! Other blocks of the cluster may access it only in between. A block is known to have started after a barrier of the
//! cluster, or after any acquire of a release by one of its threads. It is known not to have ended if one of its
//! threads waits, before it exits, for a release that the other block makes after its access. Accesses are therefore
//! noted, and judged by the knowledge of the block's threads when the last of them exits, so that the order in this run
//! does not matter.

use super::access::Access;
use super::cluster::{Cluster, Cta, Visit};
use super::core::Core;
use super::engine::{Issuer, Job, Part, Work};
use super::env::Env;
use super::place::MemoryLocation;
use super::problem::{Exec, Problem, problem};
use crate::check::{Agent, Agents};
use crate::fault::FaultKind;

fn coordinates(env: &Env<'_>, number: u32) -> String {
    let ([x, y, z], _) = env.coordinates(number);
    format!("block ({x},{y},{z})")
}

impl Core<'_, '_> {
    /// The checks of an access to memory of another block of the cluster; with `visit`, notes it as an access of the
    /// thread.
    pub(crate) fn check_life(&mut self, access: &Access, visit: bool) -> Exec<()> {
        let MemoryLocation::Shared { rank, .. } = access.place else { return Ok(()) };
        if rank == self.rank || !self.env.checks.races {
            return Ok(());
        }
        self.check_alive(rank, access.lane).map_err(|p| access.blame(p))?;
        if visit {
            let agents = self.agents(Agent::Thread);
            let at = (self.pc, self.block(), self.warp.index);
            let visit = Visit { time: self.warp.time, at, lane: access.lane };
            self.cluster.ctas[rank].visits.note((agents, access.lane as u8), visit);
        }
        Ok(())
    }

    /// Checks that a lane knows that the block of `rank` has started, and that the block has not ended.
    pub(crate) fn check_alive(&self, rank: usize, lane: usize) -> Exec<()> {
        let cta = &self.cluster.ctas[rank];
        let started = self.warp.cluster_passed >> lane & 1 == 1
            || self.warp.know.get(lane).is_some_and(|know| know.data.knows(cta.number));
        let block = || coordinates(self.env, cta.number);
        if cta.live == 0 {
            let detail = format!("the memory belongs to {}, which has ended", block());
            return Err(problem(FaultKind::Lifetime, detail));
        }
        if !started {
            let detail = format!(
                "the memory belongs to {}, and this thread does not know that it has started: a barrier of the cluster is \
                 missing",
                block()
            );
            return Err(problem(FaultKind::Lifetime, detail));
        }
        Ok(())
    }

    /// Checks the exit of lanes of this warp; after the last thread of a block, nothing may access its memory any more.
    pub(crate) fn check_end(&mut self, mask: u32) -> Exec<()> {
        if !self.env.checks.races {
            return Ok(());
        }
        let cta = &mut self.cluster.ctas[self.rank];
        if self.env.shape.ranks > 1 || !cta.visits.by.is_empty() || !self.env.engine.jobs.is_empty() {
            self.warp.know.over(mask).for_each(|(_, know)| cta.visits.known.join(know));
        }
        if cta.live > 0 {
            return Ok(());
        }
        let cluster = (cta.number / self.env.shape.ranks) as usize;
        let rank = self.rank;
        if let Some(job) = self.env.engine.jobs.iter().find(|job| job.cluster == cluster && touches(job, rank)) {
            return Err(leak(self.env, &self.cluster.ctas[rank], place(self.env, job), job.issuer.lane));
        }
        let cta = &self.cluster.ctas[rank];
        let Some((agents, visit)) = cta.visits.unknown() else { return Ok(()) };
        if Agent::of(agents.warp, self.env.warps).0 != Agent::Thread {
            return Err(leak(self.env, cta, visit.at, visit.lane));
        }
        let detail = format!(
            "the memory belongs to {}, which may have ended before: none of its threads waits for this access before it exits",
            coordinates(self.env, cta.number)
        );
        Err(located(problem(FaultKind::Lifetime, detail), visit.at, visit.lane))
    }
}

/// The problem of an asynchronous operation that may still use the memory of a block that has ended.
fn leak(env: &Env<'_>, cta: &Cta, at: (u32, u32, u32), lane: usize) -> Box<Problem> {
    let detail = format!(
        "{} may end before this operation is complete, although the operation uses its shared memory: none of its \
         threads waits for it before it exits",
        coordinates(env, cta.number)
    );
    located(problem(FaultKind::CopyLeak, detail), at, lane)
}

fn located(mut p: Box<Problem>, at: (u32, u32, u32), lane: usize) -> Box<Problem> {
    (p.at, p.lane) = (Some(at), Some(lane));
    p
}

/// The instruction, block and warp that issued a job.
fn place(env: &Env<'_>, job: &Job) -> (u32, u32, u32) {
    (job.at, job.cluster as u32 * env.shape.ranks + job.issuer.rank as u32, job.issuer.warp)
}

/// The ranks of the blocks whose memory a job uses.
fn ranks(work: &Work) -> Vec<usize> {
    let shared = |place: MemoryLocation| match place {
        MemoryLocation::Shared { rank, .. } => Some(rank),
        _ => None,
    };
    match work {
        Work::Bulk(copy) => copy.parts.first().into_iter().flat_map(Part::places).filter_map(shared).collect(),
        Work::CopyArrive { barrier, .. } => vec![barrier.rank],
        Work::TmemCopy(copy) => copy.blocks.clone(),
        Work::TensorProduct(product) => product.blocks.clone(),
        Work::TensorCommit { barriers, .. } => barriers.iter().map(|b| b.rank).collect(),
    }
}

fn touches(job: &Job, rank: usize) -> bool {
    ranks(&job.work).contains(&rank)
}

/// Notes that an operation was complete at `time` of the agent that represents it.
pub(crate) fn note(env: &Env<'_>, cluster: &mut Cluster, job: &Job, agent: (Agents, u8), time: u32) {
    if !env.checks.races {
        return;
    }
    let visit = Visit { time, at: place(env, job), lane: job.issuer.lane };
    for rank in ranks(&job.work) {
        cluster.ctas[rank].visits.note(agent, visit);
    }
}

/// The agent of this kind that acts for the issuer of a job.
pub(crate) fn agent(env: &Env<'_>, job: &Job, kind: Agent) -> (Agents, u8) {
    let Issuer { rank, warp, lane } = job.issuer;
    let block = job.cluster as u32 * env.shape.ranks + rank as u32;
    (Agents { block, warp: kind.warp(warp, env.warps) }, lane as u8)
}
