//! Blocks, and clusters of them.

use std::collections::{BTreeMap, HashMap};

use super::object::Object;
use super::place::MemoryLocation;
use super::problem::{Exec, invalid};
use super::tensor_memory::TensorMemory;
use super::warp::Warp;
use super::warpgroup::Warpgroup;
use crate::check::{Agents, Know};
use crate::code::Scope;
use crate::memory::{Memory, Segment};

/// One block.
#[derive(Debug)]
pub(crate) struct Cta {
    /// `%ctaid`.
    pub(crate) id: [u32; 3],
    /// The block's number, cluster by cluster.
    pub(crate) number: u32,
    pub(crate) shared: Segment,
    pub(crate) warps: Vec<Warp>,
    pub(crate) barriers: Vec<Barrier>,
    /// mbarrier objects by their offset in shared memory.
    pub(crate) objects: BTreeMap<u64, Object>,
    /// For each agent that represents an mbarrier, the start time of its next object, after the last time of the
    /// previous one.
    pub(crate) object_times: Vec<u32>,
    pub(crate) tensor: TensorMemory,
    /// Registers that warps have released, and no other has taken.
    pub(crate) free_registers: u32,
    /// The instructions that the warps of each warpgroup have executed together.
    pub(crate) warpgroups: Vec<Warpgroup>,
    pub(crate) visits: Visits,
    /// Threads that have not ended.
    pub(crate) live: u32,
}

impl Cta {
    /// Whether an access to `bytes` bytes at `offset` touches a live mbarrier object.
    pub(crate) fn touches_object(&self, offset: usize, bytes: usize) -> bool {
        let end = (offset + bytes) as u64;
        !self.objects.is_empty() && self.objects.range((offset as u64).saturating_sub(7)..end).next().is_some()
    }
}

/// One of a block's sixteen barriers.
#[derive(Debug, Default)]
pub(crate) struct Barrier {
    /// Threads that have arrived.
    pub(crate) threads: u32,
    /// Threads that the barrier has counted: whole warps for an aligned arrival.
    pub(crate) counted: u32,
    /// The count stated by the first arrival; none means all threads of the block.
    pub(crate) expected: Option<u32>,
    /// Votes of `bar.red`: the number of true ones.
    pub(crate) votes: u32,
    pub(crate) know: Know,
    /// The number of times that it has completed.
    pub(crate) round: u32,
}

impl Barrier {
    pub(crate) fn complete(&self, live: u32) -> bool {
        match self.expected {
            Some(expected) => self.counted >= expected,
            None => self.threads > 0 && self.threads >= live,
        }
    }
}

/// The barrier of a cluster.
#[derive(Debug, Default)]
pub(crate) struct ClusterState {
    pub(crate) generation: u64,
    /// Threads that have arrived in this generation.
    pub(crate) arrived: u32,
    pub(crate) gathered: Know,
    /// The knowledge of the last generation when it completed.
    pub(crate) complete: Know,
}

#[derive(Debug)]
pub(crate) struct Cluster {
    /// `%clusterid`.
    pub(crate) id: [u32; 3],
    pub(crate) ctas: Vec<Cta>,
    pub(crate) barrier: ClusterState,
}

impl Cluster {
    /// Threads that have not ended.
    pub(crate) fn live(&self) -> u32 {
        self.ctas.iter().map(|c| c.live).sum()
    }

    /// Completes the cluster's barrier if all threads have arrived.
    pub(crate) fn settle(&mut self) -> bool {
        let live = self.live();
        let barrier = &mut self.barrier;
        if barrier.arrived == 0 || barrier.arrived < live {
            return false;
        }
        barrier.generation += 1;
        barrier.arrived = 0;
        barrier.complete = barrier.gathered.clone();
        true
    }
}

/// The latest access by one agent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visit {
    pub(crate) time: u32,
    /// The instruction, and the block and warp that issued it.
    pub(crate) at: (u32, u32, u32),
    pub(crate) lane: usize,
}

/// Accesses that must be complete before a block ends, and the knowledge of its threads when they exited.
#[derive(Debug, Default)]
pub(crate) struct Visits {
    pub(crate) by: HashMap<(Agents, u8), Visit>,
    pub(crate) known: Know,
}

impl Visits {
    pub(crate) fn note(&mut self, agent: (Agents, u8), visit: Visit) {
        let latest = self.by.entry(agent).or_insert(visit);
        if visit.time >= latest.time {
            *latest = visit;
        }
    }

    /// The first access, in the order of the text, that is not ordered before the exit of any thread of the block.
    pub(crate) fn unknown(&self) -> Option<(Agents, Visit)> {
        let unknown = |&(&(agents, lane), visit): &(&(Agents, u8), &Visit)| {
            self.known.data.unknown(agents, 1 << lane, visit.time) != 0
        };
        let earliest = self.by.iter().filter(unknown).min_by_key(|(_, visit)| (visit.at, visit.lane));
        earliest.map(|(&(agents, _), &visit)| (agents, visit))
    }
}

/// The segment that holds a place, unless it is private to a thread.
pub(crate) fn segment<'s>(
    memory: &'s mut Memory,
    cluster: &'s mut Cluster,
    place: MemoryLocation,
) -> Option<&'s mut Segment> {
    match place {
        MemoryLocation::Global { index, .. } => Some(&mut memory.allocations[index].segment),
        MemoryLocation::Shared { rank, .. } => Some(&mut cluster.ctas[rank].shared),
        _ => None,
    }
}

/// The live object at `offset`.
pub(crate) fn object(cta: &mut Cta, offset: usize) -> Exec<&mut Object> {
    cta.objects
        .get_mut(&(offset as u64))
        .ok_or_else(|| invalid(format!("no mbarrier object has been initialized at offset {offset}")))
}

/// The arrival of an asynchronous operation. It releases the operation's own accesses to every thread that waits, and
/// the knowledge of its issuer's block and scope.
pub(crate) fn arrive_asynchronously(
    cta: &mut Cta,
    warps: u32,
    offset: usize,
    accesses: &Know,
    issuer: (u32, Scope, &Know),
) -> Exec<()> {
    let block = cta.number;
    let object = object(cta, offset)?;
    object.arrive(1)?;
    object.gathered.add(block, Scope::Cta, accesses);
    let (by, scope, know) = issuer;
    object.gathered.add(by, scope, know);
    object.settle(block, warps);
    Ok(())
}

/// Counts `bytes` bytes as arrived; returns the agent that wrote them, and its time.
pub(crate) fn complete_bytes(cta: &mut Cta, warps: u32, offset: usize, bytes: u64) -> Exec<(Agents, u8, u32)> {
    let block = cta.number;
    let object = object(cta, offset)?;
    let agent = object.agent(block, warps);
    object.add_bytes(-(bytes as i64))?;
    object.settle(block, warps);
    Ok(agent)
}
