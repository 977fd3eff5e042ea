//! Scheduling: the order in which clusters start, and the warp that takes the next turn.

use super::cluster::{Cluster, ClusterState, Cta};
use super::machine::Machine;
use super::tensor_memory::TensorMemory;
use super::warp::Warp;
use crate::check::SHARED;
use crate::memory::Segment;
use crate::schedule::Schedule;

impl Machine<'_> {
    /// Sets the order in which clusters start.
    pub(super) fn order(&mut self) {
        let all = 0..self.env.shape.clusters as usize;
        self.waiting = match self.env.config.schedule {
            Schedule::Reversed => all.collect(),
            _ => all.rev().collect(),
        };
        if let Schedule::Starve(block) = self.env.config.schedule
            && let Some(number) = self.env.number(block)
        {
            let cluster = (number / self.env.shape.ranks) as usize;
            self.waiting.retain(|&c| c != cluster);
            self.waiting.insert(0, cluster);
            self.starved = Some(cluster);
        }
    }

    /// Starts clusters while there is room.
    pub(super) fn start(&mut self) {
        let ranks = self.env.shape.ranks as usize;
        let room = match self.env.config.schedule {
            Schedule::OneBlockAtATime => 1,
            _ => (self.env.config.resident_blocks / ranks).max(1),
        };
        while self.active.len() < room {
            let Some(index) = self.waiting.pop() else { return };
            self.clusters[index] = Some(Box::new(self.cluster(index)));
            self.active.push(index);
            self.env.races.locations.running.insert(index as u32);
            self.env.changed();
        }
    }

    fn cluster(&self, index: usize) -> Cluster {
        let ranks = self.env.shape.ranks;
        let first = index as u32 * ranks;
        let ctas = (first..first + ranks).map(|number| self.cta(number)).collect();
        Cluster { id: self.env.coordinates(first).1, ctas, barrier: ClusterState::default() }
    }

    fn cta(&self, number: u32) -> Cta {
        let shape = &self.env.shape;
        let entry = self.env.kernel.entry;
        let warps = (0..self.env.warps).map(|w| {
            let mut warp = Warp::new(w, shape.threads, shape.block, self.sizes, entry);
            if let Some(unwritten) = self.env.program.unwritten.get(&entry).filter(|_| self.env.checks.init) {
                warp.enter(unwritten, u32::MAX);
            }
            warp
        });
        let mut shared = Segment::new(self.env.shared_bytes, 0xcd);
        shared.shadow.memory = SHARED | u64::from(number);
        Cta {
            warpgroups: Vec::new(),
            id: self.env.coordinates(number).0,
            number,
            shared,
            warps: warps.collect(),
            barriers: (0..16).map(|_| Default::default()).collect(),
            objects: Default::default(),
            object_times: Vec::new(),
            tensor: TensorMemory::of(number),
            free_registers: 0,
            visits: Default::default(),
            live: shape.threads,
        }
    }

    /// The next warp that can run, as its cluster and number in it.
    pub(super) fn pick(&mut self) -> Option<(usize, usize)> {
        let per = (self.env.warps * self.env.shape.ranks) as usize;
        let total = self.active.len() * per;
        let start = match self.env.config.schedule {
            Schedule::Random(_) => self.env.random.below(total as u64) as usize,
            _ => (self.cursor.0 * per + self.cursor.1) % total,
        };
        let mut starved = None;
        for i in 0..total {
            let at = (start + i) % total;
            let (slot, flat) = (at / per, at % per);
            let cluster = self.active[slot];
            if !self.can_run(cluster, flat) {
                continue;
            }
            if self.starved == Some(cluster) && self.active.len() + self.waiting.len() > 1 {
                starved = starved.or(Some((cluster, flat)));
                continue;
            }
            self.cursor = (slot, flat + 1);
            return Some((cluster, flat));
        }
        // Copies in flight are progress of other agents, too, so they come before a starved block.
        if self.env.engine.jobs.is_empty() { starved } else { None }
    }

    fn can_run(&self, cluster: usize, flat: usize) -> bool {
        let Some(cluster) = &self.clusters[cluster] else { return false };
        let warps = self.env.warps as usize;
        let warp = &cluster.ctas[flat / warps].warps[flat % warps];
        warp.paths.iter().any(|p| super::paths::runnable(p, self.env.version, cluster.barrier.generation))
    }
}
