//! What asynchronous operations do when they complete.

use super::cluster::{Cluster, arrive_remote, complete_bytes, object, segment};
use super::engine::{BarrierPlace, BulkMove, Completion, Job, Work};
use super::env::Env;
use super::problem::{Exec, Locate, invalid};
use super::{lifetime, tensor_copy};
use crate::check::{Agent, Agents, Event};
use crate::parse::Space;

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
    let source = segment(env.memory, cluster, copy.src).ok_or_else(missing)?;
    let data = source.data[from..from + copy.bytes].to_vec();
    let holes = source.init.all_missing(from..from + copy.bytes);
    let target = segment(env.memory, cluster, copy.dst).ok_or_else(missing)?;
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
        if let Some(s) = segment(env.memory, cluster, place) {
            s.shadow.finish(place.offset(), copy.bytes, (agents, lane), time, &mut env.races.overflow);
        }
    }
}
