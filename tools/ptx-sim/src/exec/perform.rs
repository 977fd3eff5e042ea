//! The effects of asynchronous operations when they complete.

use super::cluster::{Cluster, arrive_asynchronously, complete_bytes, object, segment};
use super::engine::{BarrierPlace, BulkMove, Change, Completion, Job, Part, Source, Work};
use super::env::Env;
use super::problem::{Exec, Locate, invalid};
use super::{lifetime, tensor_product, tmem_copy};
use crate::check::{Agent, Agents, Alike, Event};
use crate::code::{Reduction, Scope};
use crate::float;
use crate::parse::Space;
use crate::tensor_map::TENSOR_MAP_BYTES;

/// Performs a job. Copies of `cp.async` that it depends on have already been performed.
pub(crate) fn perform(env: &mut Env<'_>, cluster: &mut Cluster, job: Job) -> Exec<()> {
    env.changed();
    let warps = env.warps;
    let issuer = cluster.ctas[job.issuer.rank].number;
    let (agent, time) = match &job.work {
        Work::Bulk(copy) => bulk(env, cluster, &job, copy).lane(job.issuer.lane)?,
        Work::CopyArrive { barrier, know, accesses, ticket, number } => {
            delivered(env, cluster, *barrier, *number, job.at);
            let (cta, issuer) = (&mut cluster.ctas[barrier.rank], (issuer, Scope::Cta, know));
            let arrived = arrive_asynchronously(cta, warps, barrier.offset, accesses, issuer);
            arrived.lane(job.issuer.lane)?;
            (lifetime::agent(env, &job, Agent::Copy), *ticket)
        }
        Work::TmemCopy(copy) => {
            tmem_copy::perform(cluster, copy);
            (lifetime::agent(env, &job, Agent::TmemCopy), copy.time)
        }
        Work::TensorProduct(product) => {
            tensor_product::perform(env, cluster, product).lane(job.issuer.lane)?;
            (lifetime::agent(env, &job, Agent::TensorProduct), product.time)
        }
        Work::TensorCommit { barriers, know, accesses, time, number } => {
            let mut all = barriers.iter();
            let arrived = all.try_for_each(|b| {
                delivered(env, cluster, *b, *number, job.at);
                let (cta, issuer) = (&mut cluster.ctas[b.rank], (issuer, Scope::Cluster, know));
                arrive_asynchronously(cta, warps, b.offset, accesses, issuer)
            });
            arrived.lane(job.issuer.lane)?;
            (lifetime::agent(env, &job, Agent::TmemCopy), *time)
        }
    };
    lifetime::note(env, cluster, &job, agent, time);
    Ok(())
}

/// Records the phase in which an operation arrives.
fn delivered(env: &mut Env<'_>, cluster: &mut Cluster, barrier: BarrierPlace, number: u32, at: u32) {
    let (warps, cta) = (env.warps, &mut cluster.ctas[barrier.rank]);
    let block = cta.number;
    if let Ok(object) = object(cta, barrier.offset) {
        let hub = object.hub(block, warps);
        env.note(at, || Event::Delivered { number, hub });
    }
}

/// Performs a bulk copy; returns the agent that represents its reads, and the time at which these are complete.
fn bulk(env: &mut Env<'_>, cluster: &mut Cluster, job: &Job, copy: &BulkMove) -> Exec<((Agents, u8), u32)> {
    for part in &copy.parts {
        move_part(env, cluster, part, copy.change)?;
    }
    match copy.completion {
        Completion::Barrier(b) => {
            delivered(env, cluster, b, copy.number, job.at);
            let (agents, lane, time) = complete_bytes(&mut cluster.ctas[b.rank], env.warps, b.offset, copy.bytes)
                .address(Space::Shared, b.offset as u64)?;
            finish(env, cluster, copy, agents, lane, time);
            Ok(((agents, lane), time))
        }
        Completion::Group(time) => Ok((lifetime::agent(env, job, Agent::BulkRead), time)),
    }
}

/// Moves one part of a bulk copy; bytes without a value have none at the target either.
fn move_part(env: &mut Env<'_>, cluster: &mut Cluster, part: &Part, change: Change) -> Exec<()> {
    let missing = || invalid("a bulk copy moves global or shared memory");
    let (mut data, mut holes) = match part.src {
        Source::Fill(word) => (word.into_iter().cycle().take(part.bytes).collect(), Vec::new()),
        Source::Memory(place) => {
            let (from, source) = (place.offset(), segment(env.memory, cluster, place).ok_or_else(missing)?);
            let holes = source.init.all_missing(from..from + part.bytes).iter().map(|at| at - from).collect();
            let mut data = source.data[from..from + part.bytes].to_vec();
            if matches!(change, Change::Rounded) {
                round(&mut data);
            }
            (data, holes)
        }
    };
    let (to, target) = (part.dst.offset(), segment(env.memory, cluster, part.dst).ok_or_else(missing)?);
    if let Change::Reduced(reduction) = change {
        reduce(reduction, &mut data, &target.data[to..to + part.bytes]);
        holes.extend(target.init.all_missing(to..to + part.bytes).iter().map(|at| at - to));
        let word = reduction.bytes as usize;
        holes = holes.iter().flat_map(|at| at / word * word..at / word * word + word).collect();
    }
    target.write(to, &data);
    holes.iter().for_each(|at| target.init.remove(at + to..at + to + 1));
    Ok(())
}

/// Rounds each word of 32 bits to tf32, as an H100 does: to the nearest, ties to even.
fn round(data: &mut [u8]) {
    for word in data.chunks_exact_mut(4) {
        let bits = word.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        let rounded = float::resize(float::F32, float::TF32, bits, float::Mode::Nearest) << 13;
        word.copy_from_slice(&rounded.to_le_bytes()[..4]);
    }
}

/// Replaces each word of `data` by its reduction with the target's word.
fn reduce(reduction: Reduction, data: &mut [u8], target: &[u8]) {
    let word = reduction.bytes as usize;
    let value = |bytes: &[u8]| bytes.iter().rev().fold(0u128, |value, &byte| value << 8 | u128::from(byte));
    for (new, old) in data.chunks_exact_mut(word).zip(target.chunks_exact(word)) {
        let made = (reduction.update)(value(old), value(new), 0);
        new.copy_from_slice(&made.to_le_bytes()[..word]);
    }
}

/// Gives the copy's accesses their time: threads that wait for the barrier's phase are then ordered after them.
fn finish(env: &mut Env<'_>, cluster: &mut Cluster, copy: &BulkMove, agents: Agents, lane: u8, time: u32) {
    if !env.checks.races {
        return;
    }
    let mut alike = Alike::default();
    let parts = copy.parts.iter().flat_map(|part| part.places().map(|place| (place, part.bytes)));
    for (place, bytes) in parts.chain(copy.map.map(|map| (map, TENSOR_MAP_BYTES))) {
        if let Some(s) = segment(env.memory, cluster, place) {
            s.shadow.finish(place.offset(), bytes, (agents, lane, time), &mut env.races.overflow, &mut alike);
        }
    }
    alike.forget(&mut env.races.overflow);
}
