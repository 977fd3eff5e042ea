//! A problem as the executing instruction reports it, before kernel, line and thread are added to make it a fault; and
//! the problems that a launch keeps because they may be part of another one: the first read without a value, and the
//! loads that are followed by an unordered write, as found by earlier runs of the launch.

use std::collections::HashMap;
use std::ops::Range;

use crate::check::{Agents, Conflict};
use crate::fault::{FaultKind, Waiting};
use crate::parse::Space;

#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) kind: FaultKind,
    pub(crate) lane: Option<usize>,
    pub(crate) address: Option<(Space, u64)>,
    pub(crate) detail: String,
    pub(crate) waiting: Vec<Waiting>,
    /// The instruction, block and warp to blame, if they are not the executing ones.
    pub(crate) at: Option<(u32, u32, u32)>,
    /// For a race: the earlier access.
    pub(crate) earlier: Option<Conflict>,
    /// The earlier run of the launch that found the race of which this access is part (see `early`).
    pub(crate) run: Option<usize>,
}

pub(crate) type Exec<T> = Result<T, Box<Problem>>;

/// A problem without a thread or an address.
pub(crate) fn problem(kind: FaultKind, detail: impl Into<String>) -> Box<Problem> {
    let (lane, address, waiting, at, earlier, run) = Default::default();
    Box::new(Problem { kind, lane, address, detail: detail.into(), waiting, at, earlier, run })
}

/// An instruction used against its rules.
pub(crate) fn invalid(detail: impl Into<String>) -> Box<Problem> {
    problem(FaultKind::Invalid, detail)
}

/// Adds locations that the caller knows.
pub(crate) trait Locate {
    /// Adds the lane, if none is set yet.
    fn lane(self, lane: usize) -> Self;
    /// Adds the address, if none is set yet.
    fn address(self, space: Space, address: u64) -> Self;
}

impl Locate for Box<Problem> {
    fn lane(mut self, lane: usize) -> Self {
        self.lane.get_or_insert(lane);
        self
    }

    fn address(mut self, space: Space, address: u64) -> Self {
        self.address.get_or_insert((space, address));
        self
    }
}

impl<T> Locate for Exec<T> {
    fn lane(self, lane: usize) -> Self {
        self.map_err(|p| p.lane(lane))
    }

    fn address(self, space: Space, address: u64) -> Self {
        self.map_err(|p| p.address(space, address))
    }
}

/// The first read of memory without a value in a launch (see `suspect`).
#[derive(Debug)]
pub(crate) struct Suspect {
    pub(crate) problem: Box<Problem>,
    /// The instruction that read.
    pub(crate) at: u32,
    /// The warp that read.
    pub(crate) by: Agents,
    /// The step after which the read is reported.
    pub(crate) deadline: u64,
}

impl Suspect {
    /// The problem to report if `repeated` came later: the race of which this read is part, otherwise this read.
    pub(crate) fn judge(self, repeated: Option<Box<Problem>>) -> Box<Problem> {
        match repeated {
            Some(race) if self.explains(&race) || race.kind == FaultKind::Cancelled => race,
            _ => self.problem,
        }
    }

    /// Whether this read is part of `race`.
    pub(crate) fn explains(&self, race: &Problem) -> bool {
        // Its warp may have read the bytes again since then.
        race.earlier.is_some_and(|earlier| earlier.at == self.at || !earlier.write && earlier.agents == self.by)
    }
}

/// A load of some lanes of a warp, each time that it is executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EarlyLoad {
    /// The instruction.
    pub(super) at: u32,
    pub(super) agents: Agents,
    pub(super) lanes: u32,
    /// The bytes that are written: one element of a vector may have been loaded early only because of another.
    pub(super) written: Option<(Space, Range<u64>)>,
}

/// The loads that earlier runs of a launch have found, each with the number of its run.
///
/// A store by many threads may race with a load by as many, which takes a run for each: the loads are therefore indexed
/// by instruction and warp.
#[derive(Debug, Clone, Default)]
pub(crate) struct EarlyLoads {
    by_instruction: HashMap<u32, HashMap<Agents, Vec<(usize, EarlyLoad)>>>,
    runs: usize,
}

impl EarlyLoads {
    /// The number of runs that have found one.
    pub(crate) fn runs(&self) -> usize {
        self.runs
    }

    /// Whether a run that finds another load goes on without looking for races, to see whether one of these is used. Few runs do,
    /// since they take longer.
    pub(super) fn looks_ahead(&self) -> bool {
        self.runs.is_power_of_two()
    }

    /// Adds the load that the next run has found.
    pub(crate) fn push(&mut self, load: EarlyLoad) {
        let warps = self.by_instruction.entry(load.at).or_default();
        warps.entry(load.agents).or_default().push((self.runs, load));
        self.runs += 1;
    }

    /// Whether an instruction has any.
    pub(super) fn has(&self, at: u32) -> bool {
        self.by_instruction.contains_key(&at)
    }

    /// The loads of an instruction and a warp, in the order of their runs.
    pub(super) fn of(&self, at: u32, agents: Agents) -> &[(usize, EarlyLoad)] {
        self.by_instruction.get(&at).and_then(|warps| warps.get(&agents)).map_or(&[], Vec::as_slice)
    }
}
