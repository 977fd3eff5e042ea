//! One warp while it runs.

use super::cluster::{Cluster, Cta};
use super::env::Env;
use super::problem::{Exec, problem};
use super::warp::{Warp, WarpState};
use crate::check::{Accessor, Agent, Agents, Event, Know, Strength, Threads};
use crate::code::{Inst, LANES, Op, PredSrc, Row, Special, Src};
use crate::fault::FaultKind;

/// How to continue after an instruction.
pub(crate) enum Flow {
    Next,
    Jump(u32),
    /// The paths have changed: choose again.
    Choose,
    /// The paths have changed: choose again, and let other warps run first.
    Yield,
}

/// A warp with all the state that its instructions may access. The warp is taken out of its block while it runs.
pub(crate) struct Core<'c, 'a> {
    pub(crate) env: &'c mut Env<'a>,
    pub(crate) cluster: &'c mut Cluster,
    /// The block's rank in its cluster.
    pub(crate) rank: usize,
    pub(crate) warp: Warp,
    /// The instruction that is being executed.
    pub(crate) pc: u32,
    /// The path that is being run.
    pub(crate) path: usize,
}

/// The lanes of a mask, lowest first.
pub(crate) fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
}

impl Core<'_, '_> {
    /// Runs up to `budget` instructions.
    pub(crate) fn run(&mut self, budget: u64) -> Exec<()> {
        let mut left = budget;
        while left > 0 {
            let Some(path) = self.choose() else { return self.check_stuck() };
            self.path = path;
            if self.run_path(&mut left)? {
                break;
            }
        }
        // The turn may end exactly when the last of the awaited lanes arrive.
        if self.warp.paths.len() > 1 {
            self.join_paths();
        }
        self.check_stuck()
    }

    /// Runs the chosen path until the paths change; returns true if other warps should run.
    fn run_path(&mut self, left: &mut u64) -> Exec<bool> {
        let program = self.env.program;
        let stop = self.meeting_point();
        let mask = self.warp.paths[self.path].mask;
        self.pc = self.warp.paths[self.path].pc;
        loop {
            let inst = &program.code[self.pc as usize];
            if *left < u64::from(inst.counts) {
                self.warp.paths[self.path].pc = self.pc;
                return Ok(true);
            }
            *left -= u64::from(inst.counts);
            self.env.steps += u64::from(inst.counts);
            let active = mask & self.predicate(inst.guard);
            let counts = &mut self.env.counts[self.pc as usize];
            counts.warps += 1;
            counts.lanes += u64::from(active.count_ones());
            match self.execute(inst, mask, active)? {
                Flow::Next => self.pc += 1,
                Flow::Jump(target) => {
                    let back = target <= self.pc;
                    self.pc = target;
                    if back && self.back_edge(target) {
                        return Ok(true);
                    }
                }
                Flow::Choose => return Ok(false),
                Flow::Yield => return Ok(true),
            }
            if self.pc >= stop {
                self.warp.paths[self.path].pc = self.pc;
                return Ok(false);
            }
        }
    }

    fn execute(&mut self, inst: &Inst, mask: u32, active: u32) -> Exec<Flow> {
        if !self.warp.pending.is_empty() {
            self.check_pending(active)?;
        }
        if !self.warp.loaded.is_empty() {
            self.note_registers(active);
        }
        if self.warp.products.fenced && active != 0 {
            self.check_products(inst)?;
        }
        if self.warp.poison.is_some() {
            self.undefined(inst, mask, active)?;
        }
        match &inst.op {
            Op::Jump(target) => return Ok(self.branch(mask, active, *target)),
            Op::JumpTable { index, targets } => return self.jump_table(mask, active, index, targets),
            Op::Call(target) => return Ok(self.call(mask, active, *target)),
            Op::Recurse { caller, callee } => return self.recurse(mask, active, *caller, *callee),
            Op::Return | Op::Exit => return self.leave(mask, active, matches!(inst.op, Op::Exit)),
            _ if active == 0 => return Ok(Flow::Next),
            Op::Collective(op) => return self.collective(op, mask, active),
            Op::Barrier(op) => return self.barrier(op, mask, active),
            Op::ClusterBarrier(op) => return self.cluster_barrier(*op, mask, active),
            Op::Matrix(op) => return self.matrix(op, mask, active),
            Op::Tensor(op) => return self.tensor(op, mask, active),
            Op::Wgmma(op) => return self.wgmma(op, mask, active),
            Op::TensorMap(op) => return self.map_op(op, mask, active),
            Op::WarpMultiply(op) => return self.warp_multiply(op, mask, active),
            Op::WmmaAccess(op) => return self.wmma_access(op, mask, active),
            Op::WmmaMultiply(op) => return self.wmma_multiply(op, mask, active),
            Op::SetRegisters { increase, count } => return self.set_registers((*increase, *count), mask, active),
            Op::Sleep => {
                self.polled();
                return Ok(Flow::Next);
            }
            op if self.compute(op, active) => return Ok(Flow::Next),
            Op::Load(op) => self.load(op, active)?,
            Op::Store(op) => self.store(op, active)?,
            Op::Atomic(op) => self.atomic(op, active)?,
            Op::Fence(op) => self.fence(*op, active),
            Op::IsSpace(op) => self.is_space(*op, active),
            Op::Mapa(op) => self.mapa(*op, active)?,
            Op::StoreBulk(op) => self.store_bulk(op, active)?,
            Op::CopyParam { dst, src, bytes } => self.copy_param(*dst, *src, *bytes, active),
            Op::CpAsync(op) => self.cp_async(op, active)?,
            Op::Bulk(op) => self.bulk(op, active)?,
            Op::Prefetch(op) => self.prefetch(op, active)?,
            Op::Mbarrier(op) => self.mbarrier(op, active)?,
            Op::Trap => {
                let lane = active.trailing_zeros() as usize;
                let mut trap = problem(FaultKind::Trap, "the kernel executed `trap` or `brkpt`");
                trap.lane = Some(lane);
                return Err(trap);
            }
            op => return self.system(op, active).unwrap_or(Ok(Flow::Next)),
        }
        Ok(Flow::Next)
    }

    /// The lanes in which a predicate holds.
    pub(crate) fn predicate(&self, p: PredSrc) -> u32 {
        match p {
            PredSrc::Const(true) => u32::MAX,
            PredSrc::Const(false) => 0,
            PredSrc::Reg { index, negate } => {
                let value = self.warp.preds[index as usize];
                if negate { !value } else { value }
            }
        }
    }

    /// Sets a predicate in some lanes.
    pub(crate) fn set_predicate(&mut self, index: u32, mask: u32, value: u32) {
        let slot = &mut self.warp.preds[index as usize];
        *slot = *slot & !mask | value & mask;
    }

    /// The values of a source in all lanes.
    pub(crate) fn row(&self, src: Src) -> Row {
        match src {
            Src::Reg(r) => self.warp.regs[r as usize],
            Src::Imm(v) => [v; LANES],
            Src::Special(s) => self.special(s),
            Src::Frame(address) => [address.wrapping_add(self.warp.paths[self.path].frame.displacement); LANES],
            Src::Symbol(index, offset) => [self.env.symbols[index as usize].wrapping_add_signed(offset); LANES],
        }
    }

    /// Writes a register in some lanes.
    pub(crate) fn put(&mut self, d: u32, mask: u32, values: &Row) {
        let row = &mut self.warp.regs[d as usize];
        if mask == u32::MAX {
            *row = *values;
            return;
        }
        for lane in 0..LANES {
            if mask >> lane & 1 == 1 {
                row[lane] = values[lane];
            }
        }
    }

    /// A value that must be the same in the lanes of `mask`.
    pub(crate) fn uniform(&self, src: Src, mask: u32, what: &str) -> Exec<u64> {
        let row = self.row(src);
        let first = mask.trailing_zeros() as usize % LANES;
        match lanes(mask).find(|&lane| row[lane] != row[first]) {
            None => Ok(row[first]),
            Some(lane) => {
                let detail = format!("{what} must be the same in all lanes: got {} and {}", row[first], row[lane]);
                let mut p = super::problem::invalid(detail);
                p.lane = Some(lane);
                Err(p)
            }
        }
    }

    pub(crate) fn cta(&mut self) -> &mut Cta {
        &mut self.cluster.ctas[self.rank]
    }

    pub(crate) fn block(&self) -> u32 {
        self.cluster.ctas[self.rank].number
    }

    /// The agents of this warp's threads.
    pub(crate) fn agents(&self, agent: Agent) -> Agents {
        Agents { block: self.block(), warp: agent.warp(self.warp.index, self.env.warps) }
    }

    /// Some lanes of this warp, for the recording.
    pub(crate) fn threads(&self, lanes: u32) -> Threads {
        Threads { block: self.block(), warp: self.warp.index, lanes }
    }

    /// Records an event of lanes of this warp, if the run is recorded.
    pub(crate) fn note(&mut self, lanes: u32, event: impl FnOnce(Threads) -> Event) {
        let (threads, at) = (self.threads(lanes), self.pc);
        self.env.note(at, || event(threads));
    }

    /// Notes that the path read something that other threads may change.
    pub(crate) fn polled(&mut self) {
        self.warp.paths[self.path].spin.polled = true;
    }

    fn special(&self, special: Special) -> Row {
        super::special::read(self.env, self.cluster, self.rank, &self.warp, special)
    }

    /// The knowledge of the lanes of `mask`, including their own accesses so far, for other threads to acquire.
    pub(crate) fn publish(&self, mask: u32) -> Know {
        let mut out = Know::default();
        self.warp.know.over(mask).for_each(|(_, know)| out.join(know));
        out.raise(self.agents(Agent::Thread), mask, self.warp.time);
        out
    }

    /// Advances time after a release, so that later accesses do not appear to be released.
    pub(crate) fn tick(&mut self) {
        self.warp.time += 1;
    }

    /// Checks that the warp is not stuck in itself: that not all its paths wait for lanes that wait elsewhere.
    fn check_stuck(&mut self) -> Exec<()> {
        let paths = &self.warp.paths;
        if paths.len() < 2 || !paths.iter().all(|p| matches!(p.state, WarpState::Converge { .. })) {
            return Ok(());
        }
        self.pc = paths[0].pc;
        let place = |pc: u32| self.env.program.describe(pc);
        let list: Vec<String> = paths.iter().map(|p| format!("lanes {:#010x} at {}", p.mask, place(p.pc))).collect();
        let mut p = problem(
            FaultKind::BarrierDivergence,
            format!("lanes of one warp wait for each other at different instructions: {}", list.join(", ")),
        );
        p.lane = Some(paths[0].mask.trailing_zeros() as usize);
        Err(p)
    }
}

/// The accessor for an access by one thread.
pub(crate) fn accessor<'k>(
    warp: &'k Warp,
    know: &'k Know,
    agents: Agents,
    lane: usize,
    strength: Strength,
    at: u32,
    cluster: u32,
) -> Accessor<'k> {
    Accessor::new(know, agents, lane as u8, warp.time, strength, at, cluster)
}
