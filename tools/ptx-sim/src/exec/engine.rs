//! Asynchronous operations between their issue and their completion.
//!
//! Data move when an operation completes, not when it is issued: at the latest when a thread waits for it, otherwise
//! after a delay that the schedule decides.

use std::collections::VecDeque;

use super::address::Place;
use super::cluster::Cluster;
use super::env::Env;
use super::mbarrier::{arrive_remote, complete_bytes, object};
use super::problem::{Exec, Locate, invalid};
use super::{lifetime, tensor_copy};
use crate::check::{Agent, Agents, Event, Know};
use crate::parse::Space;
use crate::schedule::{Random, Schedule};

/// An mbarrier object: the rank of its block, and its offset there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BarrierPlace {
    pub(crate) rank: usize,
    pub(crate) offset: usize,
}

/// A thread: the rank of its block, its warp, its lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Issuer {
    pub(crate) rank: usize,
    pub(crate) warp: u32,
    pub(crate) lane: usize,
}

/// How a bulk copy tells that it is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Completion {
    Barrier(BarrierPlace),
    /// The issuer's bulk group of this number.
    Group(u32),
}

#[derive(Debug, Clone)]
pub(crate) struct BulkMove {
    pub(crate) src: Place,
    pub(crate) dst: Place,
    pub(crate) bytes: usize,
    pub(crate) completion: Completion,
    /// As it is written down.
    pub(crate) number: u32,
}

#[derive(Debug, Clone)]
pub(crate) enum Work {
    Bulk(BulkMove),
    /// `cp.async.mbarrier.arrive`: the issuer's copies up to this ticket, then an arrival.
    CopyArrive {
        ticket: u32,
        barrier: BarrierPlace,
        know: Know,
        number: u32,
    },
    TensorCopy(tensor_copy::Move),
    /// `tcgen05.commit`: an arrival behind the issuer's tensor copies.
    TensorCommit {
        barriers: Vec<BarrierPlace>,
        know: Know,
        /// The number of the commit.
        time: u32,
        /// As it is written down.
        number: u32,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) due: u64,
    /// The order of issue.
    pub(crate) seq: u64,
    /// Index of the cluster.
    pub(crate) cluster: usize,
    pub(crate) issuer: Issuer,
    /// Index of the instruction.
    pub(crate) at: u32,
    pub(crate) work: Work,
}

/// Operations that have not completed, in the order of their issue.
#[derive(Debug, Default)]
pub(crate) struct Engine {
    pub(crate) jobs: VecDeque<Job>,
    issued: u64,
}

impl Engine {
    /// Adds a job; gives it its number.
    pub(crate) fn issue(&mut self, job: Job) {
        self.issued += 1;
        self.jobs.push_back(Job { seq: self.issued, ..job });
    }

    /// Takes the first job that satisfies `wanted`.
    pub(crate) fn take(&mut self, wanted: impl Fn(&Job) -> bool) -> Option<Job> {
        let index = self.jobs.iter().position(wanted)?;
        self.jobs.remove(index)
    }
}

/// The step at which an operation completes if nobody waits for it before.
pub(crate) fn due(steps: u64, schedule: Schedule, random: &mut Random) -> u64 {
    match schedule {
        Schedule::Random(_) => steps + random.below(1000),
        _ => steps + 200,
    }
}

/// Carries out a job. Copies of `cp.async` that it needs have been carried out before.
pub(crate) fn perform(env: &mut Env<'_>, cluster: &mut Cluster, job: Job) -> Exec<()> {
    env.changed();
    let warps = env.warps;
    let (agent, time) = match &job.work {
        Work::Bulk(copy) => bulk(env, cluster, &job, copy).lane(job.issuer.lane)?,
        Work::CopyArrive { barrier, know, ticket, number } => {
            delivered(env, cluster, *barrier, *number, job.at);
            let arrived = arrive_remote(&mut cluster.ctas[barrier.rank], warps, barrier.offset, 1, know);
            arrived.lane(job.issuer.lane)?;
            (lifetime::agent(env, &job, Agent::Copy), *ticket)
        }
        Work::TensorCopy(copy) => {
            tensor_copy::perform(cluster, copy);
            (lifetime::agent(env, &job, Agent::TensorCopy), copy.time)
        }
        Work::TensorCommit { barriers, know, time, number } => {
            let mut all = barriers.iter();
            let arrived = all.try_for_each(|b| {
                delivered(env, cluster, *b, *number, job.at);
                arrive_remote(&mut cluster.ctas[b.rank], warps, b.offset, 1, know)
            });
            arrived.lane(job.issuer.lane)?;
            (lifetime::agent(env, &job, Agent::TensorCopy), *time)
        }
    };
    lifetime::note(env, cluster, &job, agent, time);
    Ok(())
}

/// Writes down which phase an operation reaches.
fn delivered(env: &mut Env<'_>, cluster: &mut Cluster, barrier: BarrierPlace, number: u32, at: u32) {
    let (warps, cta) = (env.warps, &mut cluster.ctas[barrier.rank]);
    let block = cta.number;
    if let Ok(object) = object(cta, barrier.offset) {
        let hub = object.hub(block, warps);
        env.note(at, || Event::Delivered { number, hub });
    }
}

/// Gives the agent that stands for the copy's reading, and the time at which that is over.
fn bulk(env: &mut Env<'_>, cluster: &mut Cluster, job: &Job, copy: &BulkMove) -> Exec<((Agents, u8), u32)> {
    let (from, to) = (copy.src.offset(), copy.dst.offset());
    let missing = || invalid("a bulk copy moves global or shared memory");
    let source = super::address::segment(env.memory, cluster, copy.src).ok_or_else(missing)?;
    let data = source.data[from..from + copy.bytes].to_vec();
    let holes = source.init.all_missing(from..from + copy.bytes);
    let target = super::address::segment(env.memory, cluster, copy.dst).ok_or_else(missing)?;
    target.write(to, &data);
    holes.iter().for_each(|at| target.init.remove(at - from + to..at - from + to + 1));
    match copy.completion {
        Completion::Barrier(b) => {
            delivered(env, cluster, b, copy.number, job.at);
            let (agents, lane, time) =
                complete_bytes(&mut cluster.ctas[b.rank], env.warps, b.offset, copy.bytes as u64)
                    .address(Space::Shared, b.offset as u64)?;
            finish(env, cluster, copy, agents, lane, time);
            Ok(((agents, lane), time))
        }
        Completion::Group(time) => Ok((lifetime::agent(env, job, Agent::BulkRead), time)),
    }
}

/// From now on those who wait for the barrier's phase know of the copy's accesses.
fn finish(env: &mut Env<'_>, cluster: &mut Cluster, copy: &BulkMove, agents: Agents, lane: u8, time: u32) {
    if !env.checks.races {
        return;
    }
    for place in [copy.src, copy.dst] {
        if let Some(s) = super::address::segment(env.memory, cluster, place) {
            s.shadow.finish(place.offset(), copy.bytes, (agents, lane), time, &mut env.races.overflow);
        }
    }
}
