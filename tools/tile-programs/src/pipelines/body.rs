//! Draws what a loop contains: copies to its tiles, and what reads them.

use super::draw::{Draw, Threads, Tile};
use super::kernel::{RESULTS, Sharing, TILES};

impl Draw {
    /// The type of the sums that threads store.
    pub fn sums(&self) -> String {
        format!("memref<{TILES}x128x{}>", self.kernel.element.name())
    }

    /// Some number below `limit` that is computed from the variable.
    fn index(&mut self, variable: &str, limit: i64) -> String {
        let mut index = variable.to_owned();
        if self.rng.once_in(2) {
            let factor = *self.rng.one_of(&[3, 5, 7]);
            index = self.lines.with("muli", &index, factor);
        }
        if self.rng.once_in(2) {
            let more = self.rng.below(9);
            index = self.lines.with("addi", &index, more);
        }
        self.lines.with("remui", &index, limit)
    }

    /// The number of the tile that an iteration stores.
    pub fn result(&mut self, variable: &str, is_small: bool) -> String {
        if self.kernel.sharing != Sharing::None && self.rng.once_in(2) {
            // No tile that copies read.
            let at = self.index(variable, TILES);
            return self.lines.with("addi", &at, TILES);
        }
        if !is_small {
            return self.lines.with("remui", variable, RESULTS);
        }
        match self.rng.below(4) {
            0 => self.index(variable, RESULTS),
            1 => {
                let more = self.rng.below(9);
                self.lines.with("addi", variable, more)
            }
            _ => variable.to_owned(),
        }
    }

    /// Copies that load a tile: one, two halves, or one that exceeds the source and is filled.
    pub fn load(&mut self, tile: &Tile, variable: &str, threads: Threads) {
        let [rows, columns] = self.kernel.shape;
        let at = self.index(variable, TILES);
        let parts = match threads {
            Threads::Warps => vec![("%warp_row".to_owned(), rows * 32 / self.kernel.threads, 0)],
            _ if self.rng.once_in(3) => {
                vec![("0".to_owned(), rows / 2, 0), ((rows / 2).to_string(), rows / 2, rows / 2)]
            }
            _ => vec![("0".to_owned(), rows, 0)],
        };
        let scope = if threads == Threads::Block { "cta" } else { "warp" };
        let exceeds = self.kernel.exceeds();
        let masked = exceeds || !tile.in_bulk && threads != Threads::Warps && self.rng.once_in(5);
        let (word, variant) = self.completion(tile);
        let whole = self.kernel.sharing == Sharing::None;
        for (begin, count, first) in parts {
            let moved = if masked && whole && threads != Threads::Warps { *self.rng.one_of(&[0, 2, 5]) } else { 0 };
            let source = if moved > 0 { (first + moved).to_string() } else { begin.clone() };
            let more = match masked {
                true => format!(" masked fill(%zero : {})", self.kernel.element.name()),
                false => String::new(),
            };
            let (name, buffer, from) = (&tile.name, &tile.buffer, self.kernel.source_buffer());
            self.lines.line(format!(
                "tile.copy_async %c[{at}, {source}, 0] [1, {count}, {columns}] to {name}[{begin}, 0] [{count}, {columns}] \
                 scope({scope}){word}{more}{variant} : {from} to {buffer}"
            ));
        }
    }

    /// Stores a tile, by the threads that copied it or by others, or adds an element to a sum.
    pub fn consume(&mut self, tile: &Tile, at: &str, threads: Threads, sum: Option<String>) -> Option<String> {
        if threads != Threads::Block {
            self.store(tile, at, threads);
            return sum;
        }
        match self.rng.below(8) {
            0 => {
                self.within("scf.if %q {".to_owned(), |draw| draw.store(tile, at, threads));
                return sum;
            }
            1 => {
                let (variable, two) = (self.lines.name(), self.lines.constant(2));
                self.within(format!("scf.for {variable} = %c0 to {two} step %c1 {{"), |draw| {
                    draw.store(tile, at, threads);
                });
                return sum;
            }
            _ => {}
        }
        let Some(sum) = sum else {
            match self.rng.once_in(3) {
                true => self.store(tile, at, threads),
                false => drop(self.registers(tile, Some(at))),
            }
            return None;
        };
        let element = match self.rng.below(3) {
            0 if tile.is_dense => self.element(tile),
            _ => self.registers(tile, None),
        };
        let (add, name) = (self.kernel.element.add(), self.kernel.element.name());
        let sum = self.lines.value(format!("{add} {sum}, {element} : {name}"));
        Some(if self.rng.once_in(3) { self.exchanged(&sum) } else { sum })
    }

    /// Copies a tile, or some of its rows, from shared memory to the destination.
    fn store(&mut self, tile: &Tile, at: &str, threads: Threads) {
        let [rows, columns] = self.kernel.shape;
        let half = self.rng.once_in(3);
        let (begin, count) = match threads {
            Threads::Warps => ("%warp_row".to_owned(), rows * 32 / self.kernel.threads),
            _ if half => ((rows / 2).to_string(), rows / 2),
            _ => ("0".to_owned(), rows),
        };
        let scope = if threads == Threads::Block { "cta" } else { "warp" };
        let (name, buffer) = (&tile.name, &tile.buffer);
        self.lines.line(format!(
            "tile.copy {name}[{begin}, 0] [{count}, {columns}] to %d[{at}, {begin}, 0] [1, {count}, {columns}] \
             scope({scope}) : {buffer} to !results"
        ));
    }

    /// Copies a tile to registers, and from there to the destination if `at` is some tile of it; returns an element.
    fn registers(&mut self, tile: &Tile, at: Option<&str>) -> String {
        let ([rows, columns], threads) = (self.kernel.shape, self.kernel.threads);
        let each = rows * columns / threads;
        let by_thread = [format!("({threads}, {each}) : (1@tx, 1)"), format!("({each}, {threads}) : (1, 1@tx)")];
        let layout = self.rng.one_of(&by_thread).clone();
        let element = self.kernel.element.name();
        let held = format!("!tile.buffer<{rows}x{columns}x{element}, local, #tile.layout<{layout}>>");
        let registers = self.lines.value(format!("tile.alloc : {held}"));
        let (name, buffer) = (&tile.name, &tile.buffer);
        self.lines.line(format!("tile.copy {name} to {registers} scope(cta) : {buffer} to {held}"));
        if let Some(at) = at {
            self.lines.line(format!(
                "tile.copy {registers} to %d[{at}, 0, 0] [1, {rows}, {columns}] scope(cta) : {held} to !results"
            ));
        }
        let view = self.lines.value(format!("tile.local_view {registers} : {held} to memref<{each}x{element}>"));
        self.lines.value(format!("memref.load {view}[%c0] : memref<{each}x{element}>"))
    }

    /// An element of a tile that another thread may have copied, through a pointer.
    fn element(&mut self, tile: &Tile) -> String {
        let ([rows, columns], element) = (self.kernel.shape, self.kernel.element.name());
        let factor = *self.rng.one_of(&[1, 3, 7]);
        let at = self.lines.with("muli", "%thread", factor);
        let more = self.rng.below(rows * columns);
        let at = self.lines.with("addi", &at, more);
        let at = self.lines.with("remui", &at, rows * columns);
        let at = self.lines.value(format!("arith.index_cast {at} : index to i64"));
        let (name, buffer) = (&tile.name, &tile.buffer);
        let first = self.lines.value(format!("tile.parts {name} : {buffer} to !llvm.ptr<3>"));
        let pointer = self
            .lines
            .value(format!("llvm.getelementptr {first}[{at}] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, {element}"));
        self.lines.value(format!("llvm.load {pointer} : !llvm.ptr<3> -> {element}"))
    }

    /// The value that another thread has.
    fn exchanged(&mut self, value: &str) -> String {
        let memref = format!("memref<128x{}, #gpu.address_space<workgroup>>", self.kernel.element.name());
        self.lines.line(format!("memref.store {value}, %scratch[%thread] : {memref}"));
        let bit = *self.rng.one_of(&[1, 16, self.kernel.threads / 2]);
        let other = self.lines.with("xori", "%thread", bit);
        self.lines.value(format!("memref.load %scratch[{other}] : {memref}"))
    }
}
