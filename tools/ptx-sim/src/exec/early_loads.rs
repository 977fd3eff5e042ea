//! The loads that a write follows without order, as earlier runs of a launch have found them.

use std::collections::HashMap;
use std::ops::Range;

use crate::check::Agents;
use crate::parse::Space;

/// A load of some lanes of a warp, each time that it is executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EarlyLoad {
    /// The instruction.
    pub(super) at: u32,
    pub(super) agents: Agents,
    pub(super) lanes: u32,
    /// The bytes that are written: one element of a vector may have been loaded early for the sake of another.
    pub(super) written: Option<(Space, Range<u64>)>,
}

/// The loads that earlier runs of a launch have found, each with the number of its run.
///
/// A store of many threads may race with a load of as many, and takes a run for each: what each load looks through are those of
/// its own instruction and warp.
#[derive(Debug, Clone, Default)]
pub(crate) struct EarlyLoads {
    by_instruction: HashMap<u32, HashMap<Agents, Vec<(usize, EarlyLoad)>>>,
    runs: usize,
}

impl EarlyLoads {
    /// How many runs have found one.
    pub(crate) fn runs(&self) -> usize {
        self.runs
    }

    /// Adds what the next run has found.
    pub(crate) fn push(&mut self, load: EarlyLoad) {
        let warps = self.by_instruction.entry(load.at).or_default();
        warps.entry(load.agents).or_default().push((self.runs, load));
        self.runs += 1;
    }

    /// Are there any of an instruction?
    pub(super) fn has(&self, at: u32) -> bool {
        self.by_instruction.contains_key(&at)
    }

    /// Those of an instruction and a warp, in the order of their runs.
    pub(super) fn of(&self, at: u32, agents: Agents) -> &[(usize, EarlyLoad)] {
        self.by_instruction.get(&at).and_then(|warps| warps.get(&agents)).map_or(&[], Vec::as_slice)
    }
}
