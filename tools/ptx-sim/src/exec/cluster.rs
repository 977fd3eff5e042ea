//! Blocks, and clusters of them.

use std::collections::BTreeMap;

use super::barrier::Barrier;
use super::lifetime::Visits;
use super::mbarrier::Object;
use super::tensor_memory::TensorMemory;
use super::warp::Warp;
use crate::check::Know;
use crate::memory::Segment;

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
    /// The time at which the next object begins for each agent that stands for an mbarrier: behind the last one's.
    pub(crate) object_times: Vec<u32>,
    pub(crate) tensor: TensorMemory,
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

/// The barrier of a cluster.
#[derive(Debug, Default)]
pub(crate) struct ClusterState {
    pub(crate) generation: u64,
    /// Threads that have arrived in this generation.
    pub(crate) arrived: u32,
    pub(crate) gathered: Know,
    /// What the last generation knew when it was complete.
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

    /// Completes the cluster's barrier where everybody has arrived.
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
