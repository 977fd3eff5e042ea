//! Draws kernels: their statements, and barriers, waits and fences at random points. [`super::copies`] draws copies.

use tile_oracle::Rng;

use super::kernel::Kernel;
use crate::writing::Lines;

/// A kernel that is being drawn.
pub struct Draw {
    pub rng: Rng,
    pub kernel: Kernel,
    pub lines: Lines,
    /// Whether all loops have several iterations, so that a missing barrier is certain to matter.
    pub lasting: bool,
    /// Whether a branch on the flag is around.
    flagged: bool,
    /// Percent of statements that a barrier or a wait follows.
    barriers: i64,
    /// The statement before which a bulk copy completes an mbarrier.
    arrival: Option<i64>,
}

/// Kernel number `number` of a seed; a `lasting` one has loops of several iterations.
pub fn kernel(seed: u64, number: u64, lasting: bool) -> Kernel {
    let mut rng = Rng::new(seed, number);
    let kernel = Kernel::new(&mut rng, lasting);
    let barriers = *rng.one_of(&[30, 60, 90, 100]);
    let arrival = (rng.below(10) >= 6).then(|| rng.below(3));
    let mut draw = Draw { rng, kernel, lines: Lines::default(), lasting, flagged: false, barriers, arrival };
    let size = 3 + draw.rng.below(6);
    draw.statements(size, None, None);
    if !draw.rng.once_in(10) {
        draw.lines.line("nvvm.cp.async.wait.group 0");
    }
    draw.kernel.body = draw.lines.text;
    draw.kernel
}

impl Draw {
    /// Maybe a barrier, a wait or both; `warps` is the number of warps that reach it, if these are not all.
    pub fn barrier(&mut self, warps: Option<i64>) {
        if self.rng.below(100) >= self.barriers {
            return;
        }
        match (self.rng.below(8), warps) {
            (0..=3, None) => self.lines.line("gpu.barrier"),
            (4 | 5, None) | (0..=3, Some(_)) => self.lines.line("nvvm.bar.warp.sync %all : i32"),
            (6 | 7, Some(warps)) => {
                let number = self.lines.value(format!("arith.constant {warps} : i32"));
                let threads = self.lines.value(format!("arith.constant {} : i32", 32 * warps));
                self.lines.line(format!("nvvm.barrier id = {number} number_of_threads = {threads}"));
            }
            _ => {
                let left = *self.rng.one_of(&[0, 0, 1, 2]);
                self.lines.line(format!("nvvm.cp.async.wait.group {left}"));
                if self.rng.below(10) < 7 && warps.is_none() {
                    self.lines.line("gpu.barrier");
                }
            }
        }
    }

    /// A bulk copy that an mbarrier completes, maybe another copy, and mostly a wait.
    fn arrive(&mut self) {
        let dense: Vec<_> = self.kernel.tiles.iter().filter(|tile| tile.is_dense).cloned().collect();
        if dense.is_empty() {
            return;
        }
        let tile = self.rng.one_of(&dense);
        self.barrier(None);
        self.lines.line(format!(
            "tile.copy_async %a to {} scope(cta) mbarrier(%arrived : !llvm.ptr<3>) {{variant = \"bulk\"}} : \
             !matrix to {}",
            tile.name, tile.buffer
        ));
        if self.rng.once_in(2) {
            self.copy(false);
        }
        if self.rng.below(100) < 85 {
            self.lines.wait("%arrived", "%no");
        }
    }

    /// Statements of a loop with variable `around`, if any; only some `warps` may reach them.
    fn statements(&mut self, count: i64, around: Option<&str>, warps: Option<i64>) {
        for turn in 0..count {
            if self.lines.depth == 0 && Some(turn) == self.arrival {
                self.arrive();
            }
            match (self.rng.below(100), around) {
                (0..=41, Some(variable)) => self.staged(variable),
                (42..=49, Some(variable)) if self.kernel.is_open => self.along_columns(variable),
                (0..=11, None) if warps.is_none() => self.repeat(),
                (12..=19 | 50..=54, _) if warps.is_none() && self.kernel.warps > 1 => {
                    let some = 1 + self.rng.below(self.kernel.warps - 1);
                    let end = self.lines.constant(32 * some);
                    let reached = self.lines.value(format!("arith.cmpi ult, %thread, {end} : index"));
                    let size = 1 + self.rng.below(3);
                    self.within(&format!("scf.if {reached} {{"), size, around, Some(some));
                    self.lines.line("}");
                }
                (20..=27 | 55..=59, _) if warps.is_none() && !(self.lasting && self.flagged) => self.branch(around),
                _ => self.copy(warps.is_some()),
            }
            self.barrier(warps);
        }
    }

    /// A branch that all threads take or none.
    fn branch(&mut self, around: Option<&str>) {
        let outer = std::mem::replace(&mut self.flagged, true);
        let size = 1 + self.rng.below(3);
        self.within("scf.if %flag {", size, around, None);
        if self.rng.once_in(2) {
            let size = 1 + self.rng.below(2);
            self.within("} else {", size, around, None);
        }
        self.lines.line("}");
        self.flagged = outer;
    }

    fn repeat(&mut self) {
        let variable = self.lines.name();
        let end = if self.kernel.is_known { "%known" } else { "%trips" };
        let size = 2 + self.rng.below(4);
        self.within(&format!("scf.for {variable} = %c0 to {end} step %c1 {{"), size, Some(&variable), None);
        self.lines.line("}");
    }

    /// Statements in a region that `head` opens.
    fn within(&mut self, head: &str, size: i64, around: Option<&str>, warps: Option<i64>) {
        self.lines.line(head);
        self.lines.depth += 1;
        self.statements(size, around, warps);
        self.lines.depth -= 1;
    }
}
