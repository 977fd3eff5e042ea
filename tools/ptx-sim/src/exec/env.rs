//! The state that all blocks of a launch share.

use std::collections::HashMap;
use std::rc::Rc;

use super::engine::Engine;
use super::problem::{EarlyLoads, Exec, Problem, Suspect, problem};
use crate::check::{Agent, Agents, Conflict, Event, Locations, MapFence, Overflow, StaleValues};
use crate::code::{KernelCode, Program};
use crate::config::{Checks, LaunchConfig, Shape, Variables};
use crate::counters::Counts;
use crate::fault::{FaultKind, ThreadId};
use crate::memory::Memory;
use crate::schedule::Random;

/// The state of the race checker outside shadow memory.
#[derive(Debug, Default)]
pub(crate) struct Races {
    pub(crate) overflow: Overflow,
    pub(crate) locations: Locations,
}

pub(crate) struct Env<'a> {
    pub(crate) program: &'a Program,
    pub(crate) kernel: &'a KernelCode,
    pub(crate) config: &'a LaunchConfig,
    pub(crate) shape: Shape,
    pub(crate) checks: Checks,
    pub(crate) memory: &'a mut Memory,
    pub(crate) params: Vec<u8>,
    /// The address of each symbol.
    pub(crate) symbols: Vec<u64>,
    pub(crate) shared_bytes: usize,
    /// The address of the memory through which a grid of a cooperative launch synchronizes.
    pub(crate) workspace: u64,
    pub(crate) variables: Variables,
    /// Warps of a block.
    pub(crate) warps: u32,
    pub(crate) races: Races,
    pub(crate) engine: Engine,
    pub(crate) counts: Vec<Counts>,
    /// Incremented whenever memory, or anything else that a thread may wait for, changes.
    pub(crate) version: u64,
    /// Warp instructions so far.
    pub(crate) steps: u64,
    pub(crate) random: Random,
    /// Values that blocks may read in place of newer ones.
    pub(crate) stale: StaleValues,
    /// A read that found no value and may be part of a race.
    pub(crate) suspect: Option<Suspect>,
    /// Loads with which a write races, as found by earlier runs of the launch.
    pub(crate) early: Rc<EarlyLoads>,
    /// Bytes to which an undefined value was written (see [`Core::key`](super::core::Core::key)), with the writing
    /// instruction.
    pub(crate) undefined: HashMap<(u64, u64), u32>,
}

impl Env<'_> {
    /// `%ctaid` of a block by its number, and `%clusterid`.
    pub(crate) fn coordinates(&self, number: u32) -> ([u32; 3], [u32; 3]) {
        let Shape { grid, cluster, ranks, .. } = self.shape;
        let clusters: [u32; 3] = std::array::from_fn(|i| grid[i] / cluster[i]);
        let at = unflatten(number / ranks, clusters);
        let inner = unflatten(number % ranks, cluster);
        (std::array::from_fn(|i| at[i] * cluster[i] + inner[i]), at)
    }

    /// The number of the block with this linear index.
    pub(crate) fn number(&self, linear: u64) -> Option<u32> {
        let Shape { grid, cluster, ranks, .. } = self.shape;
        let linear = u32::try_from(linear).ok().filter(|&l| l < self.shape.clusters * ranks)?;
        let block = unflatten(linear, grid);
        let clusters: [u32; 3] = std::array::from_fn(|i| grid[i] / cluster[i]);
        let outer = flatten(std::array::from_fn(|i| block[i] / cluster[i]), clusters);
        Some(outer * ranks + flatten(std::array::from_fn(|i| block[i] % cluster[i]), cluster))
    }

    pub(crate) fn thread(&self, number: u32, warp: u32, lane: usize) -> ThreadId {
        let thread = unflatten(warp * 32 + lane as u32, self.shape.block);
        ThreadId { block: self.coordinates(number).0, thread }
    }

    /// The problem that describes a conflict.
    pub(crate) fn race(&self, conflict: Conflict) -> Box<Problem> {
        let mut problem = self.conflict(conflict);
        problem.earlier = Some(conflict);
        problem
    }

    fn conflict(&self, conflict: Conflict) -> Box<Problem> {
        let Agents { block, warp } = conflict.agents;
        let (agent, index) = Agent::of(warp, self.warps);
        let at = self.program.describe(conflict.at);
        let what = if conflict.write { "written" } else { "read" };
        if conflict.constant {
            return problem(FaultKind::Race, self.not_constant(conflict, &at));
        }
        if agent == Agent::Barrier {
            let (b, _) = self.coordinates(block);
            let detail = format!(
                "the bytes are {what} by the asynchronous instruction at {at}, issued in block ({},{},{}) or its \
                 cluster, whose barrier this thread has not waited for",
                b[0], b[1], b[2]
            );
            return problem(FaultKind::InFlight, detail);
        }
        let thread = self.thread(block, index, usize::from(conflict.lane));
        let (kind, how) = match (agent, conflict.proxy) {
            (_, true) => (FaultKind::Race, "without `fence.proxy.async` between that and this asynchronous access"),
            (Agent::Thread, _) if conflict.map == Some(MapFence::Release) => (
                FaultKind::Race,
                "without `fence.proxy.tensormap::generic.release` between that and this use of a tensor map",
            ),
            (_, _) if conflict.map.is_some() => (
                FaultKind::Race,
                "without `fence.proxy.tensormap::generic.acquire` of the map in this block, in a scope that includes both \
                 blocks, between its release and this use of a tensor map",
            ),
            (Agent::Thread, false) if conflict.made => {
                (FaultKind::Race, "without `fence.mbarrier_init` between that and this use by another block")
            }
            (Agent::Thread, false) => (FaultKind::Race, "without a barrier or an ordering atomic between them"),
            _ => (FaultKind::InFlight, "asynchronously, and this thread does not know that it is complete"),
        };
        problem(kind, format!("the bytes were {what} by {thread} at {at}, {how}"))
    }

    /// The message if bytes that this kernel writes are read as constants.
    fn not_constant(&self, conflict: Conflict, at: &str) -> String {
        let Agents { block, warp } = conflict.agents;
        let (agent, index) = Agent::of(warp, self.warps);
        let by = match agent {
            Agent::Barrier => "an asynchronous copy".into(),
            _ => self.thread(block, index, usize::from(conflict.lane)).to_string(),
        };
        match conflict.write {
            true => format!(
                "the kernel itself has written the bytes, by {by} at {at}: loads with `.nc` need bytes \
                 that stay constant"
            ),
            false => {
                format!("{by} reads the bytes at {at} as constants, so they must stay the same while the kernel runs")
            }
        }
    }

    /// Records an event of an instruction, if the run is recorded.
    pub(crate) fn note(&mut self, at: u32, event: impl FnOnce() -> Event) {
        if let Some(trace) = &mut self.races.overflow.trace {
            trace.notes.push((at, event()));
        }
    }

    /// Whether the run is recorded.
    pub(crate) fn traces(&self) -> bool {
        self.races.overflow.trace.is_some()
    }

    /// The number of a copy in the recording; 0 if the run is not recorded.
    pub(crate) fn copy_number(&mut self) -> u32 {
        self.races.overflow.trace.as_mut().map_or(0, |trace| trace.number())
    }

    /// Notes a change of something that threads may wait for.
    pub(crate) fn changed(&mut self) {
        self.version += 1;
    }

    /// Checks that the step limit has not been reached.
    pub(crate) fn check_limit(&self) -> Exec<()> {
        if self.steps < self.config.step_limit {
            return Ok(());
        }
        Err(problem(FaultKind::StepLimit, format!("{} warp instructions were executed", self.steps)))
    }
}

pub(crate) fn unflatten(linear: u32, extent: [u32; 3]) -> [u32; 3] {
    [linear % extent[0], linear / extent[0] % extent[1], linear / extent[0] / extent[1]]
}

fn flatten(at: [u32; 3], extent: [u32; 3]) -> u32 {
    (at[2] * extent[1] + at[1]) * extent[0] + at[0]
}
