//! Draws rings. Each is drawn correct; most then get one mistake.

use tile_oracle::Rng;

use super::kernel::{Counting, Mistake, Ring, SHAPE, Sometimes};
use crate::writing::Lines;

/// A ring that is being drawn.
struct Draw {
    ring: Ring,
    lines: Lines,
}

/// The stage of an iteration, and the parity of the phase that it fills.
struct At {
    variable: String,
    stage: String,
    parity: String,
    is_behind: bool,
}

/// Ring number `number` of a seed.
pub fn ring(seed: u64, number: u64) -> Ring {
    let ring = Ring::new(&mut Rng::new(seed, number));
    let mut draw = Draw { ring, lines: Lines::default() };
    draw.initialize();
    draw.body();
    draw.ring.body = draw.lines.text;
    draw.ring
}

impl Draw {
    fn initialize(&mut self) {
        let readers = self.ring.consumers * if self.ring.each { 32 } else { 1 };
        let made = self.ring.stages - i64::from(self.ring.has(Mistake::LateStages));
        let full = 1 + i64::from(self.ring.has(Mistake::FullCount));
        let empty = readers + i64::from(self.ring.has(Mistake::EmptyCount));
        self.within("scf.if %is_first {", |draw| {
            for stage in 0..made {
                let stage = draw.lines.constant(stage);
                for (mbarriers, count) in [("%full", full), ("%empty", empty)] {
                    let pointer = draw.pointer(mbarriers, &stage, false);
                    let count = draw.number(count);
                    draw.lines.line(format!("nvvm.mbarrier.init {pointer}, {count} : !llvm.ptr<3>, i32"));
                }
            }
            draw.lines.line("nvvm.fence.mbarrier.init");
        });
        if !self.ring.has(Mistake::NoBarrier) {
            self.lines.line("gpu.barrier");
        }
    }

    fn body(&mut self) {
        if self.ring.alone {
            return self.repeat(|draw, at| {
                draw.bring(at);
                draw.read(at);
            });
        }
        let brings = if self.ring.elected { "%is_first" } else { "%brings" };
        self.within(&format!("scf.if {brings} {{"), |draw| draw.repeat(Self::bring));
        self.within("scf.if %reads {", |draw| draw.repeat(Self::read));
    }

    /// Draws inside a region that `head` opens.
    fn within(&mut self, head: &str, draw: impl FnOnce(&mut Self)) {
        self.lines.line(head);
        self.lines.depth += 1;
        draw(self);
        self.lines.depth -= 1;
        self.lines.line("}");
    }

    fn number(&mut self, value: i64) -> String {
        self.lines.value(format!("arith.constant {value} : i32"))
    }

    /// The mbarrier of a stage, or of the one after it.
    fn pointer(&mut self, mbarriers: &str, stage: &str, moved: bool) -> String {
        let stage = if moved { self.after(stage) } else { stage.to_owned() };
        let number = self.lines.value(format!("arith.index_cast {stage} : index to i32"));
        self.lines.value(format!("llvm.getelementptr {mbarriers}[{number}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64"))
    }

    /// The stage after a stage.
    fn after(&mut self, stage: &str) -> String {
        let next = self.lines.value(format!("arith.addi {stage}, %c1 : index"));
        self.lines.with("remui", &next, self.ring.stages)
    }

    fn other(&mut self, parity: &str) -> String {
        let one = self.number(1);
        self.lines.value(format!("arith.xori {parity}, {one} : i32"))
    }

    /// A loop over all tiles, or all but the last, which is then behind it.
    fn repeat(&mut self, body: impl Fn(&mut Self, &At)) {
        let [variable, stage, parity, results] = [(); 4].map(|()| self.lines.name());
        let end = if self.ring.is_known { "%known" } else { "%trips" };
        let range = format!("scf.for {variable} = %c0 to {end} step %c1");
        let counting = self.ring.counting;
        let head = match counting {
            Counting::Quotient => format!("{range} {{"),
            Counting::Both => format!("{results} = {range} iter_args({parity} = %zero) -> (i32) {{"),
            Counting::Carried => {
                format!("{results}:2 = {range} iter_args({stage} = %c0, {parity} = %zero) -> (index, i32) {{")
            }
        };
        self.within(&head, |draw| {
            let at = draw.at(At { variable, stage, parity, is_behind: false });
            body(draw, &at);
            draw.count(&at);
        });
        if !self.ring.is_drained_behind {
            return;
        }
        let (stage, parity) = match counting {
            Counting::Carried => (format!("{results}#0"), format!("{results}#1")),
            Counting::Both | Counting::Quotient => (String::new(), results),
        };
        let at = self.at(At { variable: end.to_owned(), stage, parity, is_behind: true });
        body(self, &at);
    }

    /// The stage and the parity of an iteration, given what the loop carries.
    fn at(&mut self, carried: At) -> At {
        let At { variable, .. } = &carried;
        let stages = self.ring.stages;
        match self.ring.counting {
            Counting::Carried => carried,
            Counting::Both => At { stage: self.lines.with("remui", variable, stages), ..carried },
            Counting::Quotient => {
                let stage = self.lines.with("remui", variable, stages);
                let lap = self.lines.with("divui", variable, stages + i64::from(self.ring.has(Mistake::Laps)));
                let bit = self.lines.with("andi", &lap, 1);
                let parity = self.lines.value(format!("arith.index_cast {bit} : index to i32"));
                At { stage, parity, ..carried }
            }
        }
    }

    /// What the loop carries on.
    fn count(&mut self, at: &At) {
        if self.ring.counting == Counting::Quotient {
            return;
        }
        let next = self.lines.value(format!("arith.addi {}, %c1 : index", at.stage));
        let stages = self.lines.constant(self.ring.stages);
        let wraps = self.lines.value(format!("arith.cmpi eq, {next}, {stages} : index"));
        let flipped = self.other(&at.parity);
        let parity = self.lines.value(format!("arith.select {wraps}, {flipped}, {} : i32", at.parity));
        if self.ring.counting == Counting::Both {
            return self.lines.line(format!("scf.yield {parity} : i32"));
        }
        let stage = self.lines.value(format!("arith.select {wraps}, %c0, {next} : index"));
        self.lines.line(format!("scf.yield {stage}, {parity} : index, i32"));
    }

    /// Waits until a stage is empty, and copies a tile to it.
    fn bring(&mut self, at: &At) {
        let empty = self.pointer("%empty", &at.stage, self.ring.has(Mistake::EmptyStage));
        let full = self.pointer("%full", &at.stage, false);
        if !self.ring.has(Mistake::NoEmptyWait) && !self.ring.alone {
            let wrong = self.ring.has(Mistake::EmptyParity);
            let parity = if wrong { at.parity.clone() } else { self.other(&at.parity) };
            self.lines.wait(&empty, &parity);
            if !self.ring.elected && !self.ring.has(Mistake::NoWarpSync) {
                self.lines.line("nvvm.bar.warp.sync %all : i32");
            }
        }
        let scope = match (self.ring.alone, self.ring.elected) {
            (true, _) => "cta",
            (false, true) => "thread",
            (false, false) => "warp",
        };
        let tile = format!("[1, {}, {}]", SHAPE[0], SHAPE[1]);
        self.lines.line(format!(
            "tile.copy_async %a[{}, 0, 0] {tile} to %s[{}, 0, 0] {tile} scope({scope}) \
             mbarrier({full} : !llvm.ptr<3>) {{variant = \"bulk\"}} : !matrices to !ring",
            at.variable, at.stage
        ));
    }

    /// Waits until a stage is full, reads it, and says that it is empty.
    fn read(&mut self, at: &At) {
        let full = self.pointer("%full", &at.stage, self.ring.has(Mistake::FullStage));
        if !self.ring.has(Mistake::NoFullWait) {
            let wrong = self.ring.has(Mistake::FullParity);
            let parity = if wrong { self.other(&at.parity) } else { at.parity.clone() };
            self.lines.wait(&full, &parity);
        }
        if at.is_behind {
            // Tiles of the result are not known to be apart where one is numbered by a trip count.
            if self.ring.alone {
                self.lines.line("gpu.barrier");
            } else {
                let (barrier, readers) = (self.number(1), self.number(32 * self.ring.consumers));
                self.lines.line(format!("nvvm.barrier id = {barrier} number_of_threads = {readers}"));
            }
        }
        if self.ring.has(Mistake::Order) && !self.ring.alone {
            self.arrive(&at.stage);
        }
        let sometimes = self.ring.sometimes;
        if sometimes.is_none_or(|sometimes| matches!(sometimes, Sometimes::Again | Sometimes::Exchange)) {
            self.take(at, (0, 1));
        }
        let is_late = self.ring.has(Mistake::Late);
        if let Some(sometimes) = sometimes.filter(|_| !is_late) {
            self.sometimes(at, sometimes);
        }
        let without = [Mistake::NoArrival, Mistake::Order, Mistake::BarrierInArm];
        match self.ring.alone {
            true if without.iter().chain(&[Mistake::NoEmptyWait]).all(|mistake| !self.ring.has(*mistake)) => {
                self.lines.line("gpu.barrier");
            }
            false if without.iter().all(|mistake| !self.ring.has(*mistake)) => self.arrive(&at.stage),
            _ => {}
        }
        if let Some(sometimes) = sometimes.filter(|_| is_late) {
            self.sometimes(at, sometimes);
        }
    }

    /// What the readers do in some iterations.
    fn sometimes(&mut self, at: &At, sometimes: Sometimes) {
        let rest = self.lines.value(format!("arith.remui {}, %period : index", at.variable));
        let is_now = self.lines.value(format!("arith.cmpi eq, {rest}, %c0 : index"));
        self.within(&format!("scf.if {is_now} {{"), |draw| match sometimes {
            Sometimes::Read | Sometimes::Again => draw.take(at, (0, 1)),
            Sometimes::Either => draw.take(at, (0, 2)),
            Sometimes::Exchange => draw.exchange(at),
        });
        if sometimes == Sometimes::Either {
            // What comes behind an `else`.
            self.lines.text.truncate(self.lines.text.trim_end().len());
            self.lines.text.push_str(" else {\n");
            self.lines.depth += 1;
            self.take(at, (1, 2));
            self.lines.depth -= 1;
            self.lines.line("}");
        }
    }

    /// Each reader copies a part of its rows of a stage to global memory: the number of the part, and of all parts.
    fn take(&mut self, at: &At, (part, parts): (i64, i64)) {
        let place = if self.ring.has(Mistake::TileStage) { self.after(&at.stage) } else { at.stage.clone() };
        let [rows, columns] = SHAPE;
        let (rows, scope) = if self.ring.alone { (rows, "cta") } else { (rows / self.ring.consumers, "warp") };
        let rows = rows / parts;
        let begin = match self.ring.alone {
            true => (part * rows).to_string(),
            false => {
                let moved = self.lines.constant(part * rows);
                self.lines.value(format!("arith.addi %begin, {moved} : index"))
            }
        };
        self.lines.line(format!(
            "tile.copy %s[{place}, {begin}, 0] [1, {rows}, {columns}] to %b[{}, {begin}, 0] [1, {rows}, {columns}] \
             scope({scope}) : !ring to !matrices",
            at.variable
        ));
    }

    /// All threads copy a stage to a tile, and the first half of that to global memory by other threads.
    fn exchange(&mut self, at: &At) {
        let [rows, columns] = SHAPE;
        self.lines.line(format!(
            "tile.copy %s[{}, 0, 0] [1, {rows}, {columns}] to %x[0, 0, 0] [1, {rows}, {columns}] scope(cta) : \
             !ring to !half",
            at.stage
        ));
        self.lines.line("gpu.barrier");
        let rows = rows / 2;
        self.lines.line(format!(
            "tile.copy %x[0, 0, 0] [1, {rows}, {columns}] to %b[{}, 0, 0] [1, {rows}, {columns}] scope(cta) : \
             !half to !matrices",
            at.variable
        ));
        self.lines.line("gpu.barrier");
    }

    /// Each thread arrives, or one for its warp.
    fn arrive(&mut self, stage: &str) {
        let empty = self.pointer("%empty", stage, false);
        if self.ring.each {
            drop(self.lines.value(format!("nvvm.mbarrier.arrive {empty} : !llvm.ptr<3> -> i64")));
            return;
        }
        self.lines.line("nvvm.bar.warp.sync %all : i32");
        self.within("scf.if %lane0 {", |draw| {
            drop(draw.lines.value(format!("nvvm.mbarrier.arrive {empty} : !llvm.ptr<3> -> i64")));
        });
    }
}
