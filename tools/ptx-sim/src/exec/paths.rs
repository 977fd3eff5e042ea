//! Divergence: paths split at branches and reconverge.
//!
//! The ready path with the lowest code index runs until it reaches the position of the next one, so that paths
//! reconverge as early as possible (the code is laid out for that). A path that keeps polling yields to the others.

use std::cmp::Reverse;

use super::core::{Core, Flow, lanes};
use super::frame::{FramePointer, Return};
use super::problem::Exec;
use super::warp::{Path, WarpState};
use crate::check::Spin;
use crate::code::Src;

/// Whether a path can continue: `version` is that of memory, `generation` that of the cluster barrier.
pub(crate) fn runnable(path: &Path, version: u64, generation: u64) -> bool {
    match path.state {
        WarpState::Ready => true,
        WarpState::Spin { version: seen }
        | WarpState::Columns { version: seen }
        | WarpState::Registers { version: seen } => seen != version,
        WarpState::Cluster { generation: arrived } => arrived != generation,
        WarpState::Converge { .. } | WarpState::Barrier { .. } | WarpState::Stopped => false,
    }
}

impl Core<'_, '_> {
    fn runnable(&self, path: &Path) -> bool {
        runnable(path, self.env.version, self.cluster.barrier.generation)
    }

    /// The path to run next, after joining those that have met; none if all wait.
    pub(crate) fn choose(&mut self) -> Option<usize> {
        if self.warp.paths.len() > 1 {
            self.join_paths();
        }
        // Of the paths in recursive functions, the one with most calls open is behind.
        let place = |path: &Path| (Reverse(path.frame.top), path.pc);
        let mut ready = (0..self.warp.paths.len()).filter(|&i| self.runnable(&self.warp.paths[i]));
        let first = ready.next()?;
        let mut best = first;
        let mut oldest = first;
        let mut impatient = self.warp.paths[first].spin.impatient();
        for i in ready {
            let path = &self.warp.paths[i];
            impatient |= path.spin.impatient();
            if place(path) < place(&self.warp.paths[best]) {
                best = i;
            }
            if path.ran < self.warp.paths[oldest].ran {
                oldest = i;
            }
        }
        let pick = if impatient { oldest } else { best };
        self.wake(pick);
        Some(pick)
    }

    /// Makes a path that was waiting ready.
    fn wake(&mut self, index: usize) {
        let steps = self.env.steps;
        let path = &mut self.warp.paths[index];
        path.ran = steps + 1;
        match std::mem::replace(&mut path.state, WarpState::Ready) {
            WarpState::Spin { .. } => path.spin.reset(),
            WarpState::Cluster { .. } => {
                let (mask, at) = (path.mask, path.pc - 1);
                self.cluster_released(mask, at);
            }
            _ => {}
        }
    }

    /// Joins paths at the same instruction with the same return stack.
    pub(crate) fn join_paths(&mut self) {
        let paths = &mut self.warp.paths;
        let mut i = 0;
        while i < paths.len() {
            let meets = |a: &Path, b: &Path| a.pc == b.pc && a.state == b.state && a.stack == b.stack;
            let movable = matches!(paths[i].state, WarpState::Ready | WarpState::Converge { .. });
            match (0..i).find(|&j| movable && meets(&paths[j], &paths[i])) {
                Some(j) => {
                    let gone = paths.swap_remove(i);
                    paths[j].mask |= gone.mask;
                    paths[j].spin.join(&gone.spin);
                }
                None => i += 1,
            }
        }
        self.warp.settle();
    }

    /// The code index at which the chosen path must stop, because another ready path is there.
    pub(crate) fn meeting_point(&self) -> u32 {
        let here = &self.warp.paths[self.path];
        let others = self.warp.paths.iter().enumerate().filter(|(i, _)| *i != self.path);
        let is_ahead = |p: &Path| p.pc > here.pc && p.frame.top == here.frame.top;
        others.filter(|(_, p)| p.state == WarpState::Ready && is_ahead(p)).map(|(_, p)| p.pc).min().unwrap_or(u32::MAX)
    }

    /// Moves lanes `away` of the running path to a separate path at `pc`.
    pub(crate) fn split(&mut self, away: u32, pc: u32) {
        let path = &mut self.warp.paths[self.path];
        path.mask &= !away;
        let (stack, frame, ran) = (path.stack.clone(), path.frame, path.ran);
        self.warp.paths.push(Path {
            pc,
            mask: away,
            stack,
            frame,
            state: WarpState::Ready,
            spin: Spin::default(),
            ran,
        });
    }

    pub(crate) fn branch(&mut self, mask: u32, taken: u32, target: u32) -> Flow {
        if taken == mask {
            return Flow::Jump(target);
        }
        if taken == 0 {
            return Flow::Next;
        }
        if target > self.pc {
            self.warp.paths[self.path].pc = self.pc + 1;
            self.split(taken, target);
            return Flow::Choose;
        }
        // The lanes that take the backward branch keep the path's history.
        self.split(mask & !taken, self.pc + 1);
        self.warp.paths[self.path].pc = target;
        if self.back_edge(target) { Flow::Yield } else { Flow::Choose }
    }

    pub(crate) fn jump_table(&mut self, mask: u32, active: u32, index: &Src, targets: &[u32]) -> Exec<Flow> {
        let row = self.row(*index);
        let mut groups: Vec<(u32, u32)> = Vec::new();
        for lane in lanes(active) {
            let Some(&target) = usize::try_from(row[lane]).ok().and_then(|i| targets.get(i)) else {
                let mut p = super::problem::invalid(format!("got index {} of {} targets", row[lane], targets.len()));
                p.lane = Some(lane);
                return Err(p);
            };
            match groups.iter_mut().find(|g| g.0 == target) {
                Some(group) => group.1 |= 1 << lane,
                None => groups.push((target, 1 << lane)),
            }
        }
        match groups[..] {
            [] => return Ok(Flow::Next),
            [(target, lanes)] if lanes == mask => return Ok(Flow::Jump(target)),
            _ => {}
        }
        self.warp.paths[self.path].pc = self.pc + 1;
        for (target, lanes) in groups {
            self.split(lanes, target);
        }
        self.drop_empty();
        Ok(Flow::Choose)
    }

    /// Removes the running path if all its lanes have left it.
    pub(crate) fn drop_empty(&mut self) {
        if self.warp.paths[self.path].mask == 0 {
            self.warp.paths.swap_remove(self.path);
        }
    }

    pub(crate) fn call(&mut self, mask: u32, active: u32, target: u32) -> Flow {
        if active == 0 {
            return Flow::Next;
        }
        let frame = self.warp.paths[self.path].frame.outside();
        self.enter(mask, active, target, frame, None)
    }

    /// Enters a function, whose frame is `frame`, in some lanes; `spilled` is the frame whose registers have been spilled.
    pub(super) fn enter(
        &mut self,
        mask: u32,
        active: u32,
        target: u32,
        frame: FramePointer,
        spilled: Option<u32>,
    ) -> Flow {
        let back = self.pc + 1;
        self.warp.paths[self.path].pc = back;
        if active != mask {
            let away = mask & !active;
            self.split(away, back);
        }
        if let Some(unwritten) = self.env.program.unwritten.get(&target).filter(|_| self.env.checks.init) {
            self.warp.enter(unwritten, active);
        }
        let path = &mut self.warp.paths[self.path];
        path.stack.push(Return { pc: back, frame: path.frame, spilled });
        (path.pc, path.frame) = (target, frame);
        Flow::Choose
    }

    /// `ret` and `exit`.
    pub(crate) fn leave(&mut self, mask: u32, active: u32, exit: bool) -> Exec<Flow> {
        if active == 0 {
            return Ok(Flow::Next);
        }
        if active != mask {
            self.split(mask & !active, self.pc + 1);
        }
        let path = &mut self.warp.paths[self.path];
        if !exit && let Some(back) = path.stack.pop() {
            (path.pc, path.frame) = (back.pc, back.frame);
            if let Some(frame) = back.spilled {
                self.reload(frame, active);
            }
            return Ok(Flow::Choose);
        }
        self.warp.paths.swap_remove(self.path);
        self.end_threads(active)?;
        Ok(Flow::Choose)
    }

    /// Notes a backward branch of the whole path. Returns true if other warps should run.
    pub(crate) fn back_edge(&mut self, target: u32) -> bool {
        let path = &mut self.warp.paths[self.path];
        if !path.spin.polled {
            return false;
        }
        path.pc = target;
        let mut spin = std::mem::take(&mut path.spin);
        let version = self.env.version;
        let stuck = spin.back_edge(target, version, || self.state_hash());
        let others = self.warp.paths.len() > 1 && spin.impatient();
        let path = &mut self.warp.paths[self.path];
        path.spin = spin;
        if stuck {
            path.state = WarpState::Spin { version };
        }
        stuck || others || self.strong_poll()
    }

    /// Whether the last polling read was of a kind that compilers emit for waiting.
    fn strong_poll(&mut self) -> bool {
        std::mem::take(&mut self.warp.yields)
    }

    /// A hash of the state of the warp: the registers of all its lanes, those of open calls too, and the code positions of its paths. The
    /// running path is already at the branch target.
    fn state_hash(&self) -> u64 {
        const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;
        let mix = |hash: u64, value: u64| (hash ^ value).wrapping_mul(PRIME).rotate_left(29);
        let live = self.warp.live;
        // The order of paths is irrelevant.
        let places = self.warp.paths.iter().map(|p| mix(mix(mix(PRIME, p.pc.into()), p.mask.into()), p.frame.top));
        let mut hash = places.fold(u64::from(self.warp.carry & live), u64::wrapping_add);
        for &p in &self.warp.preds[1..] {
            hash = mix(hash, u64::from(p & live));
        }
        for row in &self.warp.regs[1..] {
            for lane in lanes(live) {
                hash = mix(hash, row[lane]);
            }
        }
        self.warp.spilled.values(live).fold(hash, mix)
    }
}
