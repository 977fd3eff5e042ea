//! The whole launch: blocks start, warps take turns, copies complete, blocks end.

use std::rc::Rc;

use super::cluster::Cluster;
use super::core::Core;
use super::engine::{Engine, Job, Work};
use super::env::{Env, Races};
use super::perform::perform;
use super::problem::{EarlyLoad, Problem};
use super::warp::{Sizes, WarpState};
use super::{copies, stuck, suspect};
use crate::check::Trace;
use crate::code::{KernelCode, Program};
use crate::config::{LaunchConfig, Progress, Shape, Symbols};
use crate::counters::{Counts, Report};
use crate::fault::{Fault, FaultKind};
use crate::history::History;
use crate::memory::Memory;
use crate::schedule::{Random, Schedule};

/// Instructions of one turn.
const TURN: u64 = 128;
/// Turns between calls of the progress callback.
const REPORT: u64 = 1024;

pub(crate) struct Machine<'a> {
    pub(crate) env: Env<'a>,
    pub(crate) clusters: Vec<Option<Box<Cluster>>>,
    /// Clusters that have not started, the next one last.
    pub(super) waiting: Vec<usize>,
    /// Clusters that run, in the order of their turns.
    pub(crate) active: Vec<usize>,
    /// The start of the search for the next turn: position in `active`, and warp of that cluster.
    pub(super) cursor: (usize, usize),
    blocks_done: u64,
    pub(super) sizes: Sizes,
    /// The cluster that is starved.
    pub(super) starved: Option<usize>,
}

/// The results of a launch other than memory.
type Done = (Report, Option<History>);

/// The reason that a run stopped before its end.
pub(crate) struct Stop {
    pub(crate) fault: Box<Fault>,
    /// The early load of the race; if its value is never used, the fault is not real.
    pub(crate) early: Option<EarlyLoad>,
    /// If the value of an early load is used: the number of the run that found its race.
    pub(crate) run: Option<usize>,
    /// Instructions that warps had issued; counted only if the run may be repeated.
    pub(crate) steps: u64,
}

impl Stop {
    fn at(fault: Box<Fault>) -> Self {
        Stop { fault, early: None, run: None, steps: 0 }
    }
}

/// A problem and its location: the instruction, and the block and warp that executed it.
type Located = (Box<Problem>, Option<u32>, Option<(u32, u32)>);

impl<'a> Machine<'a> {
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn new(
        program: &'a Program,
        kernel: &'a KernelCode,
        config: &'a LaunchConfig,
        shape: Shape,
        memory: &'a mut Memory,
        params: Vec<u8>,
        symbols: Symbols,
    ) -> Self {
        let Symbols { addresses, shared_bytes, variables, workspace } = symbols;
        let seed = if let Schedule::Random(seed) = config.schedule { seed } else { 0 };
        let mut races = Races::default();
        races.locations.cluster = shape.ranks;
        let env = Env {
            program,
            kernel,
            config,
            shape,
            checks: config.checks,
            memory,
            params,
            symbols: addresses,
            shared_bytes: shared_bytes as usize,
            workspace,
            variables,
            warps: shape.threads.div_ceil(32),
            races,
            engine: Engine::default(),
            counts: vec![Counts::default(); program.code.len()],
            version: 0,
            steps: 0,
            random: Random::new(seed),
            stale: Default::default(),
            suspect: None,
            early: Rc::default(),
            undefined: Default::default(),
        };
        let sizes = Sizes {
            registers: kernel.registers as usize,
            predicates: kernel.predicates as usize,
            local: kernel.local as usize,
            call_params: kernel.call_params as usize,
        };
        let mut machine = Self {
            env,
            clusters: (0..shape.clusters).map(|_| None).collect(),
            waiting: Vec::new(),
            active: Vec::new(),
            cursor: (0, 0),
            blocks_done: 0,
            sizes,
            starved: None,
        };
        machine.order();
        machine
    }

    /// Records all events from now on.
    pub(crate) fn record(&mut self) {
        self.env.races.overflow.trace = Some(Box::new(Trace::new(self.env.warps)));
    }

    /// Runs to the end; returns the report and the recorded history.
    pub(crate) fn run(mut self, progress: &mut dyn FnMut(Progress) -> bool) -> Result<Done, Stop> {
        let mut turns = 0;
        // The race at which the run would have stopped.
        let mut ahead = None;
        loop {
            self.start();
            if self.active.is_empty() {
                break;
            }
            if let Err(located) = self.turn() {
                let stop = self.judged(located);
                match ahead.take() {
                    Some(race) => return Err(if stop.run.is_some() { stop } else { race }),
                    None if stop.early.is_some() && self.env.early.looks_ahead() => {
                        self.env.checks.races = false;
                        ahead = Some(stop);
                    }
                    None => return Err(stop),
                }
            }
            turns += 1;
            if turns % REPORT == 0 && !progress(self.progress()) {
                let stop = super::problem::problem(FaultKind::Cancelled, "the progress callback asked to stop");
                return Err(Stop::at(self.fault((stop, None, None))));
            }
        }
        if let Some(race) = ahead {
            return Err(race);
        }
        suspect::rest(self.env.suspect.take()).map_err(|p| Stop::at(self.fault((p, None, None))))?;
        progress(self.progress());
        let trace = self.env.races.overflow.trace.take();
        let (program, counts, ranks) = (self.env.program, &self.env.counts, self.env.shape.ranks);
        let history = trace.and_then(|trace| History::new(*trace, program, counts, ranks));
        Ok((Report::new(program, counts, self.blocks_done), history))
    }

    /// The fault to report: the problem itself, or the earlier read without a value that caused it.
    fn judged(&mut self, (problem, pc, who): Located) -> Stop {
        match self.env.suspect.take() {
            None => {
                let early =
                    EarlyLoad::of(&problem, pc, self.env.program, self.env.warps).filter(|_| self.env.checks.init);
                let run = problem.run;
                Stop { fault: self.fault((problem, pc, who)), early, run, steps: self.env.steps }
            }
            Some(suspect) => Stop::at(self.fault((suspect.judge(Some(problem)), pc, who))),
        }
    }

    fn progress(&self) -> Progress {
        let blocks = u64::from(self.env.shape.clusters) * u64::from(self.env.shape.ranks);
        Progress { steps: self.env.steps, blocks_done: self.blocks_done, blocks }
    }

    /// One turn of one warp, or the completion of a copy if no warp can run.
    fn turn(&mut self) -> Result<(), Located> {
        self.env.check_limit().map_err(|p| (p, None, None))?;
        if self.env.suspect.as_ref().is_some_and(|s| s.deadline < self.env.steps) {
            suspect::rest(self.env.suspect.take()).map_err(|p| (p, None, None))?;
        }
        self.complete_due()?;
        let Some((cluster, warp)) = self.pick() else {
            return match self.env.engine.take(|_| true) {
                Some(job) => self.perform(job),
                None => Err((stuck::explain(&self.env, &self.clusters, &self.active), None, None)),
            };
        };
        self.run_warp(cluster, warp)?;
        if self.clusters[cluster].as_ref().is_some_and(|c| c.live() == 0) {
            self.end(cluster)?;
        }
        Ok(())
    }

    fn complete_due(&mut self) -> Result<(), Located> {
        let now = self.env.steps;
        while let Some(job) = self.env.engine.take(|job| job.due <= now) {
            self.perform(job)?;
        }
        Ok(())
    }

    /// Performs an operation, after the operations that must precede it.
    fn perform(&mut self, job: Job) -> Result<(), Located> {
        let same = |other: &Job| other.cluster == job.cluster && other.issuer == job.issuer;
        // A product follows earlier copies and products (PTX ISA 9.7.16.6.2); a commit follows these and earlier
        // commits (9.7.16.6.1). Operations issued after a commit wait for their own commit: the queue keeps the order
        // of issue.
        let commits = matches!(job.work, Work::TensorCommit { .. });
        if commits || matches!(job.work, Work::TensorProduct(_)) {
            let follows = |work: &Work| match work {
                Work::TmemCopy(_) | Work::TensorProduct(_) => true,
                Work::TensorCommit { .. } => commits,
                _ => false,
            };
            let earlier = |o: &Job| same(o) && follows(&o.work) && o.seq < job.seq;
            while let Some(first) = self.env.engine.take(earlier) {
                self.perform(first)?;
            }
        }
        let place = (job.at, job.cluster as u32 * self.env.shape.ranks + job.issuer.rank as u32, job.issuer.warp);
        let Some(mut cluster) = self.clusters[job.cluster].take() else { return Ok(()) };
        if let Work::CopyArrive { ticket, .. } = job.work {
            copies::complete_lane(&mut cluster, job.issuer, ticket);
        }
        let index = job.cluster;
        let result = perform(&mut self.env, &mut cluster, job);
        self.clusters[index] = Some(cluster);
        result.map_err(|p| (p, Some(place.0), Some((place.1, place.2))))
    }

    fn run_warp(&mut self, index: usize, flat: usize) -> Result<(), Located> {
        let warps = self.env.warps as usize;
        let (rank, w) = (flat / warps, flat % warps);
        let budget = match self.env.config.schedule {
            Schedule::Random(_) => 1 + self.env.random.below(64),
            _ => TURN,
        };
        let budget = budget.min(self.env.config.step_limit.saturating_sub(self.env.steps));
        let Some(mut cluster) = self.clusters[index].take() else { return Ok(()) };
        let warp = std::mem::take(&mut cluster.ctas[rank].warps[w]);
        let mut core = Core { env: &mut self.env, cluster: &mut cluster, rank, warp, pc: 0, path: 0 };
        let result = core.run(budget);
        let (mut warp, pc, path) = (core.warp, core.pc, core.path);
        if result.is_err() {
            // A run that looks ahead executes the instruction again.
            warp.paths.get_mut(path).into_iter().for_each(|path| path.pc = pc);
        }
        let result = match result {
            // A problem caused by a value that was read too early is nothing new; the thread that writes it may still
            // run.
            Err(problem) if self.env.suspect.as_ref().is_some_and(|s| !s.explains(&problem)) => {
                warp.paths.iter_mut().for_each(|path| path.state = WarpState::Stopped);
                Ok(())
            }
            other => other,
        };
        let number = cluster.ctas[rank].number;
        cluster.ctas[rank].warps[w] = warp;
        self.clusters[index] = Some(cluster);
        result.map_err(|p| (p, Some(pc), Some((number, w as u32))))
    }

    /// Ends a cluster, all of whose threads have ended.
    fn end(&mut self, index: usize) -> Result<(), Located> {
        if self.env.checks.leaks {
            self.check_leaks(index)?;
        }
        while let Some(job) = self.env.engine.take(|job| job.cluster == index) {
            self.perform(job)?;
        }
        self.blocks_done += u64::from(self.env.shape.ranks);
        self.clusters[index] = None;
        self.active.retain(|&c| c != index);
        self.env.races.locations.running.remove(&(index as u32));
        self.cursor = (self.cursor.0.min(self.active.len().saturating_sub(1)), 0);
        self.env.changed();
        Ok(())
    }

    /// Checks that no operation on a block's memory, and no tensor memory, is left over.
    fn check_leaks(&self, index: usize) -> Result<(), Located> {
        if let Some(job) = self.env.engine.jobs.iter().find(|job| job.cluster == index) {
            let detail = "the block ends before an asynchronous operation on its shared memory is complete";
            let mut p = super::problem::problem(FaultKind::CopyLeak, detail);
            p.lane = Some(job.issuer.lane);
            let number = index as u32 * self.env.shape.ranks + job.issuer.rank as u32;
            return Err((p, Some(job.at), Some((number, job.issuer.warp))));
        }
        let Some(cluster) = &self.clusters[index] else { return Ok(()) };
        for cta in &cluster.ctas {
            if let Some((column, columns)) = cta.tensor.allocations.iter().next() {
                let detail = format!("{columns} columns of tensor memory from column {column} on are still allocated");
                let mut p = super::problem::problem(FaultKind::TensorLeak, detail);
                p.lane = Some(0);
                return Err((p, None, Some((cta.number, 0))));
            }
        }
        Ok(())
    }

    /// The fault for a problem, with everything that is known about its location.
    fn fault(&self, (p, pc, who): Located) -> Box<Fault> {
        let (pc, who) = match p.at {
            Some((pc, number, warp)) => (Some(pc), Some((number, warp))),
            None => (pc, who),
        };
        let info = pc.map(|pc| &self.env.program.info[pc as usize]);
        let opcode = info.and_then(|i| i.opcode).map_or("", |o| &self.env.program.opcodes[o as usize]);
        let thread = who.zip(p.lane).map(|((number, warp), lane)| self.env.thread(number, warp, lane));
        Box::new(Fault {
            kind: p.kind,
            kernel: self.env.kernel.interface.name.clone(),
            line: info.map_or(0, |i| i.line),
            opcode: opcode.to_string(),
            location: pc.and_then(|pc| self.env.program.source(pc)).cloned(),
            thread,
            address: p.address,
            detail: p.detail.clone(),
            waiting: p.waiting.clone(),
        })
    }
}
